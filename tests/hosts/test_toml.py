"""molt's table in a TOML file of a host: put in and cut out, and nothing else changes."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from molt import errors
from molt.hosts.install import codex, commands
from molt.hosts.install.places import HostPlaces
from molt.hosts.install.splices import apply_all, undo_all
from molt.hosts.install.toml_tables import list_tables
from molt.hosts.install.toml_target import TomlTarget

ENTRY = {"command": "/b/molt", "args": ["mcp"], "env": {commands.FALLBACK: "/home/ada/memory"}}


def _owns(value: object) -> bool:
    return isinstance(value, dict) and commands.is_molt(value.get("command"))


def make_target(**entry: Any) -> TomlTarget:
    return TomlTarget("config.toml", ("mcp_servers", "molt"), {**ENTRY, **entry}, _owns)


TEXTS = {
    "nothing": "",
    "a comment": "# Mine.\n",
    "no newline at the end": 'model = "gpt"',
    "of Windows": 'model = "gpt"\r\n\r\n[tui]\r\nx = 1\r\n',
    "a mark of Windows": '\ufeffmodel = "gpt"\n',
    "other servers": '[mcp_servers.x]\ncommand = "x"\n\n[mcp_servers.x.env]\nA = "1"\n',
    "an empty table": "[mcp_servers]\n",
    "what looks like a head": 'a = """\n[mcp_servers.molt]\n"""\nb = [\n  [1],\n  ["x"]\n]\n',
    "text with marks": "a = '''\n\\\n[x] # \"\n'''\nb = \"[ # {\"\nc = '{[' # [\n[t] # }\nx = 1\n",
    "escapes": 'a = "\\"[x]"\nb = """\\"""\n[x]\n\\\\"""\n[t]\n',
    "quotes at the end": "a = \"\"\"x\"\"\"\"\"\nb = '''y'''''\n[t]\nx = {a = [1,\n2]}\n",
    "tables in a list": '[[a.b]]\nx = 1\n[[a.b]]\nx = 2\n["mcp_servers".y]\ncommand = "y"\n',
    "empty lines": 'model = "gpt"\n\n\n[t]\n\n\n',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_table_comes_and_goes_without_a_trace(text: str) -> None:
    target = make_target()
    after = apply_all(text, target.add_part(text).splices)
    assert after.startswith(text)
    assert tomllib.loads(after.lstrip("\ufeff"))["mcp_servers"]["molt"] == ENTRY
    assert not target.add_part(after).splices
    assert "\n" not in after.replace("\r\n", "") or "\r\n" not in text
    back = apply_all(after, target.remove_part(after, None))
    assert back in (text, f"{text}\n")
    assert not target.remove_part(back, None)


WRITTEN_BY_CODEX = """\
model = "gpt" # Mine.

[mcp_servers.molt]
command = "/old/molt"
args = ["mcp"]
enabled = false

[mcp_servers.molt.env]
MOLT_FALLBACK_WORKSPACE = "/old"

[mcp_servers.other]
command = "true"

[mcp_servers.molt.tools.memory_remember]
approval_mode = "approve"

# Trusted.
[projects."/home/ada/[x]"]
trust_level = "trusted"
"""


def test_what_the_host_writes_beside_it_and_into_it_is_kept() -> None:
    target = make_target()
    after = apply_all(WRITTEN_BY_CODEX, target.add_part(WRITTEN_BY_CODEX).splices)
    tools = {"memory_remember": {"approval_mode": "approve"}}
    before, found = tomllib.loads(WRITTEN_BY_CODEX), tomllib.loads(after)
    assert found["mcp_servers"]["molt"] == {**ENTRY, "enabled": False, "tools": tools}
    assert found["projects"] == before["projects"]
    assert found["mcp_servers"]["other"] == before["mcp_servers"]["other"]
    assert not target.add_part(after).splices
    for text in (WRITTEN_BY_CODEX, after):
        gone = apply_all(text, target.remove_part(text, None))
        assert "molt" not in gone
        assert tomllib.loads(gone)["projects"] == before["projects"]
        assert "# Mine." in gone
        assert "# Trusted." in gone


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers.molt = {command = "/b/molt", args = ["mcp"]}\n',
        '[mcp_servers]\nmolt = {command = "/b/molt", args = ["mcp"]}\n',
        '[mcp_servers]\nmolt.command = "/b/molt"\n',
        '[mcp_servers.molt]\ncommand = "docker"\n',
    ],
)
def test_what_somebody_else_wrote_stays_and_is_told(text: str) -> None:
    added = make_target().add_part(text)
    assert added.splices == ()
    assert "stays as it is" in added.notes[0]
    assert make_target().remove_part(text, None) == ()


@pytest.mark.parametrize("text", ["mcp_servers = {}\n", "mcp_servers = 1\n", "model = \n", "[a\n"])
def test_what_can_take_no_table_is_refused(text: str) -> None:
    with pytest.raises(errors.Failed):
        make_target().add_part(text)


def test_a_table_ends_with_its_last_value() -> None:
    text = "x = 1\n[a.'b c'] # one\ny = [\n1,\n]\n\n# of the next\n[[d]]\n"
    found = [(one.path, text[one.start : one.end]) for one in list_tables(text)]
    assert found == [(("a", "b c"), "[a.'b c'] # one\ny = [\n1,\n]\n"), (("d",), "[[d]]\n")]


@pytest.mark.parametrize(
    "before", ["", 'model = "x"\n', '[shell_environment_policy]\ninherit = "core"\n']
)
def test_two_tables_of_one_file_come_and_go_together(before: str) -> None:
    (config,) = (
        one
        for one in codex.list_targets(HostPlaces("/home/u", "/bin/molt"))
        if one.path.endswith("config.toml")
    )
    added = config.add_part(before)
    after = apply_all(before, added.splices)
    held = tomllib.loads(after)
    assert held["shell_environment_policy"]["set"] == {"MOLT_ACTOR": "bot:main"}
    assert held["mcp_servers"]["molt"]["args"] == ["mcp"]
    assert config.add_part(after).splices == ()
    assert undo_all(after, added.splices) == before
    assert tomllib.loads(apply_all(after, config.remove_part(after, None))) == tomllib.loads(before)


def test_who_acts_in_a_shell_that_somebody_has_set_stays() -> None:
    before = '[shell_environment_policy.set]\nMOLT_ACTOR = "bot:night"\n'
    shell = codex.list_targets(HostPlaces("/home/u", "/bin/molt"))[1]
    added = shell.add_part(before)
    after = apply_all(before, added.splices)
    assert tomllib.loads(after)["shell_environment_policy"]["set"] == {"MOLT_ACTOR": "bot:night"}
    assert any("is not molt's" in note for note in added.notes)
