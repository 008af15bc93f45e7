"""The section `actors:` as text: keys come and go, comments and all else stay."""

from __future__ import annotations

import subprocess

import pytest

from molt import config
from molt.formats import bindings
from molt.formats import keys as formats

ONE = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINaPz/m0V4RJKIWa7cb+XwmSk/IrJGp1uHGox++Yvsrn"
TWO = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHaPz/m0V4RJKIWa7cb+XwmSk/IrJGp1uHGox++YvsrX"
HEAD = "# mine\ncore:\n  cap: 3000  # few\n"

TEXTS = {
    "none": HEAD,
    "no end": HEAD.rstrip("\n"),
    "empty": f"actors: {{}}\n{HEAD}",
    "null": f"actors:\n{HEAD}",
    "one": f"{HEAD}actors:\n  # people\n  manual: {TWO} ada  # hers\n\n# the end\n",
    "list": f"actors:\n  manual:\n    - {TWO} ada  # hers\n    # more to come\n\n{HEAD}",
    "flat list": f"actors:\n  manual:\n  - {TWO} ada\n{HEAD}",
    "quoted": f"actors:\n  'manual':\n    - \"{TWO} ada\"\n{HEAD}",
    "deep": f"actors:\n    bot:main:\n        - {TWO} b\n    manual:\n        - {TWO} ada\n{HEAD}",
    "revoked": f"actors:\n  manual: []  # gone\n{HEAD}",
}


def read(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for actor, line in config.parse(text)[0].actors_keys:
        found.setdefault(actor, []).append(line)
    return found


@pytest.mark.parametrize("actor", ["manual", "bot:main", "bot:*"])
@pytest.mark.parametrize("name", TEXTS)
def test_a_key_is_added_and_all_else_stays(name: str, actor: str) -> None:
    before = TEXTS[name]
    after = bindings.add_key(before, actor, f"{ONE} a new one")
    wanted = read(before)
    wanted[actor] = [*filter(None, wanted.get(actor, [])), f"{ONE} a new one"]
    assert read(after) == wanted
    assert not config.parse(after)[1]
    assert all(f"#{part.splitlines()[0]}" in after for part in before.split("#")[1:])
    assert bindings.remove_key(after, actor, ONE.split()[1]).count("\n") <= after.count("\n")


@pytest.mark.parametrize("name", ["one", "list", "flat list", "quoted", "deep"])
def test_the_last_key_leaves_nobody_and_an_actor_goes_whole(name: str) -> None:
    before = TEXTS[name]
    after = bindings.remove_key(before, "manual", TWO.split()[1])
    assert read(after)["manual"] == [""]
    assert read(bindings.add_key(after, "manual", ONE))["manual"] == [ONE]
    assert "manual" not in read(bindings.remove_actor(before, "manual"))
    assert "cap: 3000" in bindings.remove_actor(before, "manual")


@pytest.mark.parametrize("comment", ["ada@laptop", "it's # mine", 'a "b" \\ c', "x: y", "密钥"])
def test_whatever_a_key_says_of_itself_is_read_back(comment: str) -> None:
    line = f"valid-before=2027-01-01 {ONE} {comment}"
    assert read(bindings.add_key(HEAD, "bot:main", line)) == {"bot:main": [line]}
    key = formats.parse_key(line)
    assert key is not None
    assert formats.render_key(key) == line


@pytest.mark.parametrize(
    "line",
    [
        "",
        "ssh-ed25519",
        "ssh-ed25519 AAAA",
        f"ssh-rsa {ONE.split()[1]}",
        f"{ONE[:-1]}=",
        f"valid-before=2027 {ONE}",
        f"valid-before=2027-01-01,valid-before=2028-01-01 {ONE}",
        f'command="x" {ONE}',
        ONE.replace("ssh-ed25519 ", "ssh-ed25519-cert-v01@openssh.com "),
    ],
)
def test_what_is_no_key_is_none(line: str) -> None:
    assert formats.parse_key(line) is None


def test_a_fingerprint_is_that_of_ssh_keygen() -> None:
    key = formats.parse_key(ONE)
    assert key is not None
    words = ["ssh-keygen", "-l", "-f", "-"]
    said = subprocess.run(words, input=ONE, capture_output=True, text=True, check=True)
    assert key.fingerprint == said.stdout.split()[1]
    assert key.replace(after="2026-01-02", before="2026-01-04").holds_on("2026-01-03")
    assert not key.replace(before="2026-01-04").holds_on("2026-01-04")


def test_what_the_configuration_cannot_read_binds_to_nobody() -> None:
    settings, warnings = config.parse(
        "actors:\n  bot:main: [3, nonsense]\n  bots: x\n  manual:x: y\n"
    )
    assert set(settings.actors_keys) == {("bot:main", "")}
    assert len(warnings) == 4
