"""`molt keys`, and what molt signs: with real keys, and ssh-agent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from copies import Copy

from molt import config
from molt.cli import main
from molt.memory.adopt import setup
from molt.memory.checks import verify
from molt.repo import find, hooks
from molt.repo.keys import signer


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ada", "bot"):
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"{name}@here", "-f"]
        subprocess.run([*words, str(folder / name)], check=True)
    return {name: folder / name for name in ("ada", "bot")}


class Place:
    """A workspace, and molt called in it."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.capsys = capsys

    def molt(self, *words: str, status: int = 0) -> str:
        assert main([*words, "--workspace", str(self.root)]) == status
        told = self.capsys.readouterr()
        return told.out + told.err

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.root, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def bind(self, actor: str, key: Path) -> str:
        return self.molt("keys", "add", actor, str(key))

    def headers(self) -> str:
        return self.git("cat-file", "commit", "HEAD").partition("\n\n")[0]

    def errors(self) -> list[str]:
        report = verify.verify_commits(find.find_repo(str(self.root)))
        return [f"{one.code} {one.message}" for _, one in report.errors]

    @property
    def text(self) -> str:
        return (self.root / "molt.yaml").read_text(encoding="utf-8")


def make_place(root: Path) -> None:
    repo = setup.init(str(root)).repo
    hooks.install(repo.hooks_dir(), sys.executable)


@pytest.fixture
def place(tmp_path: Path, copy: Copy, capsys: pytest.CaptureFixture[str]) -> Place:
    return Place(copy(tmp_path / "ws", make_place), capsys)


def test_a_key_is_bound_listed_and_taken_away(place: Place, keys: dict[str, Path]) -> None:
    before = place.text
    assert "nobody is bound" in place.molt("keys")
    assert "added SHA256:" in place.bind("bot:main", keys["bot"])
    assert place.text.startswith(before)
    (one,) = json.loads(place.molt("keys", "list", "--json"))
    assert (one["actor"], one["comment"], one["here"]) == ("bot:main", "bot@here", True)
    assert "signs here" in place.molt("keys", "list")
    assert "molt.yaml" in place.molt("alerts")
    assert place.git("log", "-1", "--format=%(trailers:key=Actor,valueonly)").strip() == "manual"
    assert "removed" in place.molt("keys", "remove", "bot:main", "bot@here")
    assert "nobody signs for it" in place.molt("keys", "list")
    place.molt("keys", "remove", "bot:main", "--unbind")
    assert place.text == before
    assert not place.errors()


def test_a_key_comes_as_text_by_input_or_with_days(
    place: Place, keys: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    public = keys["bot"].with_suffix(".pub")
    line = public.read_text(encoding="utf-8").strip()
    place.molt("keys", "add", "bot:*", line)
    place.molt("keys", "add", "bot:*", str(public), "--valid", "..2027-01-01")
    assert place.text.count("ssh-ed25519") == 1, "its days are set anew"
    assert "until 2027-01-01" in place.molt("keys", "list")
    with public.open(encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        place.molt("keys", "add", "manual", "-")
    found = config.parse(place.text)[0].actors_keys
    assert found == (("bot:*", f"valid-before=2027-01-01 {line}"), ("manual", line))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", "bots:x", "k"), "is no actor"),
        (("add", "bot:main", "/nowhere/k.pub"), "no public SSH key"),
        (("add", "bot:main", "ssh-ed25519 AAAA"), "no public SSH key"),
        (("remove", "bot:main"), "no such key"),
    ],
)
def test_what_makes_no_sense_is_told_and_changes_nothing(
    place: Place, words: tuple[str, ...], said: str
) -> None:
    before = place.git("rev-parse", "HEAD")
    status = 4 if words[0] == "remove" else 2
    assert said in place.molt("keys", *words, status=status)
    assert place.git("rev-parse", "HEAD") == before


def test_no_bot_binds_a_key_and_a_dry_run_binds_none(place: Place, keys: dict[str, Path]) -> None:
    before = place.git("rev-parse", "HEAD")
    words = ("keys", "add", "bot:main", str(keys["bot"]))
    assert "CRIT001" in place.molt(*words, "--actor", "bot:main", status=1)
    assert "[EDIT] molt.yaml" in place.molt(*words, "--dry-run")
    assert place.git("rev-parse", "HEAD") == before
    assert not place.git("config", "--local", "--list").count("signingkey")


def test_what_molt_writes_for_a_bound_actor_is_signed(place: Place, keys: dict[str, Path]) -> None:
    place.bind("bot:main", keys["bot"])
    place.bind("manual", keys["ada"])
    place.molt("remember", "We chose PKCE for mobile")
    assert "gpgsig -----BEGIN SSH SIGNATURE-----" in place.headers()
    place.molt("ack", "molt.yaml")
    assert "gpgsig" in place.headers()
    allowed = place.root.parent / "allowed"
    line = keys["ada"].with_suffix(".pub").read_text(encoding="utf-8")
    allowed.write_text(f"ada {line}", encoding="utf-8")
    place.git("-c", f"gpg.ssh.allowedSignersFile={allowed}", "verify-commit", "HEAD")
    assert not place.errors()


def test_without_the_key_of_a_bound_actor_nothing_is_written(
    place: Place, keys: dict[str, Path]
) -> None:
    place.bind("bot:main", keys["bot"].with_suffix(".pub"))
    place.git("config", "--unset", "molt.bot:main.signingkey")
    before = place.git("rev-parse", "HEAD"), place.git("status", "--porcelain")
    told = place.molt("remember", "We chose PKCE for mobile", status=1)
    assert "bot:main is bound to keys" in told
    assert "git config 'molt.bot:main.signingkey' FILE" in told
    assert place.molt("remember", "We chose PKCE", "--dry-run", status=1)
    assert (place.git("rev-parse", "HEAD"), place.git("status", "--porcelain")) == before
    place.git("config", "molt.bot:main.signingkey", "/nowhere")
    place.git("config", "user.signingkey", str(keys["bot"]))
    place.molt("remember", "We chose PKCE for mobile")
    assert not place.errors()


def test_a_program_that_does_not_sign_is_told(place: Place, keys: dict[str, Path]) -> None:
    place.bind("bot:main", keys["bot"])
    place.git("config", "gpg.ssh.program", "/nowhere/ssh-keygen")
    before = place.git("rev-parse", "HEAD")
    assert "could not sign" in place.molt("remember", "We chose PKCE for mobile", status=1)
    assert place.git("rev-parse", "HEAD") == before


def test_what_git_is_told_to_sign_is_signed_also_for_who_is_not_bound(
    place: Place, keys: dict[str, Path]
) -> None:
    place.git("config", "gpg.format", "ssh")
    place.git("config", "user.signingkey", f"{keys['ada']}.pub")
    place.git("config", "commit.gpgsign", "true")
    place.molt("remember", "We chose PKCE for mobile")
    assert "gpgsig" in place.headers()
    place.git("config", "user.signingkey", "/nowhere")
    told = place.molt("remember", "We chose Rust for the server")
    assert "it is not signed" in told
    assert "gpgsig" not in place.headers()
    place.git("config", "commit.gpgsign", "off")
    assert "not signed" not in place.molt("remember", "We chose Go for the client")


@pytest.fixture
def agent(keys: dict[str, Path], tmp_path: Path) -> Iterator[str]:
    """The socket of an ssh-agent that holds a key."""
    place = str(tmp_path / "agent.sock")
    server = subprocess.Popen(["ssh-agent", "-D", "-a", place], stdout=subprocess.DEVNULL)
    try:
        while not os.path.exists(place):
            assert server.poll() is None
        env = {**os.environ, "SSH_AUTH_SOCK": place}
        subprocess.run(["ssh-add", "-q", str(keys["bot"])], env=env, check=True)
        yield place
    finally:
        server.terminate()
        server.wait()


def test_an_agent_signs_with_what_it_holds(
    place: Place, keys: dict[str, Path], agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = place.root.parent / "only.pub"
    copied.write_bytes(keys["bot"].with_suffix(".pub").read_bytes())
    place.bind("bot:main", copied)
    place.molt("remember", "We chose PKCE for mobile", status=1)
    monkeypatch.setenv("SSH_AUTH_SOCK", agent)
    place.molt("remember", "We chose PKCE for mobile")
    assert not place.errors()
    assert "gpgsig" in place.headers()


def test_a_pair_in_the_home_and_a_command_of_git_are_found(
    place: Place, keys: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line = keys["bot"].with_suffix(".pub").read_text(encoding="utf-8").strip()
    place.molt("keys", "add", "bot:main", line)
    settings, _ = config.parse(place.text)
    message = "[EDIT] x — y\n\nActor: bot:main\nApproval: auto\nTrigger: t\n"
    repo = find.find_repo(str(place.root))
    with pytest.raises(Exception, match="has none of them"):
        signer.choose_signing(repo, settings, message)
    folder = tmp_path / "home/.ssh"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for end in ("", ".pub"):
        (folder / f"id_x{end}").write_bytes(Path(f"{keys['bot']}{end}").read_bytes())
    how = signer.choose_signing(repo, settings, message)
    assert how.needed
    assert f"user.signingkey={folder / 'id_x'}" in how.settings
    (folder / "id_x").unlink()
    place.git("config", "gpg.ssh.defaultKeyCommand", f"echo 'key::{line}'")
    how = signer.choose_signing(find.find_repo(str(place.root)), settings, message)
    assert f"user.signingkey=key::{line}" in how.settings


def test_git_itself_is_stopped_before_an_unsigned_commit(
    place: Place, keys: dict[str, Path]
) -> None:
    place.bind("manual", keys["ada"])
    place.git("add", "-A")
    words = ["git", "commit", "--allow-empty", "-m", "a note"]
    done = subprocess.run(words, cwd=place.root, capture_output=True, text=True)
    assert done.returncode
    assert "SIGN001" in done.stderr
    place.git("config", "gpg.format", "ssh")
    place.git("config", "user.signingkey", str(keys["ada"]))
    place.git("commit", "-q", "-S", "--allow-empty", "-m", "a note")
    place.git("-c", "commit.gpgsign=true", "commit", "-q", "--allow-empty", "-m", "another")
    assert not place.errors()


def test_people_do_not_lock_themselves_out(place: Place, keys: dict[str, Path]) -> None:
    place.bind("manual", keys["ada"])
    before = place.text
    assert "no person could commit" in place.molt("keys", "remove", "manual", status=1)
    assert place.text == before
    place.molt("keys", "remove", "manual", "--unbind")
    place.molt("ack", "molt.yaml")
    assert "gpgsig" not in place.headers()
    assert not place.errors()
