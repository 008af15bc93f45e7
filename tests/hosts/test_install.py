"""molt put into the configuration of a host and taken out: every file byte for byte as before."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import errors
from molt.cli import call
from molt.hosts.install import commands, json_nodes, plans, records, table
from molt.hosts.install.places import HostPlaces
from molt.hosts.install.plans import HostPlan
from molt.hosts.install.splices import apply_all, undo_all
from molt.hosts.install.targets import FileTarget, JsonTarget, WantedValue

HOSTS = [one.name for one in table.HOSTS]

SETTINGS = """{
    "model": "opus",
    "hooks": {
        "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ]
    },
    "permissions": {"allow": ["Bash(ls:*)"], "deny": []}
}"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def make_places(home: Path, command: str = "/opt/molt/bin/molt", workspace: str = "") -> HostPlaces:
    return HostPlaces(str(home), command, workspace=workspace)


def record_of(home: Path, host: str) -> str:
    return records.record_path(str(home / ".local/state/molt"), host, "")


def plan_install(home: Path, host: str, **more: str) -> HostPlan:
    targets = table.find_host(host).list_targets(make_places(home, **more))
    return plans.plan_install(targets, record_of(home, host))


def install(home: Path, host: str, **more: str) -> HostPlan:
    plan = plan_install(home, host, **more)
    plans.carry_out(plan)
    return plan


def uninstall(home: Path, host: str) -> HostPlan:
    targets = table.find_host(host).list_targets(make_places(home))
    plan = plans.plan_uninstall(targets, record_of(home, host))
    plans.carry_out(plan)
    return plan


def read_all(folder: Path) -> dict[str, tuple[bytes, int] | str]:
    """Every file below a folder with its mode, every link, and every folder."""
    found: dict[str, tuple[bytes, int] | str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"
        elif path.is_dir():
            found[name] = "folder"
        else:
            found[name] = (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
    return found


def put(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(mode)


@pytest.mark.parametrize("host", HOSTS)
def test_an_empty_home_is_empty_again(home: Path, host: str) -> None:
    install(home, host)
    assert len(read_all(home)) > 3
    uninstall(home, host)
    assert read_all(home) == {}


def test_of_two_hosts_the_last_one_leaves_nothing(home: Path) -> None:
    for host in ("claude-code", "codex"):
        install(home, host)
    for host in ("claude-code", "codex"):
        uninstall(home, host)
    assert read_all(home) == {}


def test_of_two_at_once_one_gives_way_and_the_record_holds(home: Path) -> None:
    put(home / ".claude/settings.json", SETTINGS)
    before = read_all(home)
    late = plan_install(home, "claude-code", workspace="/srv/other")
    install(home, "claude-code")
    with pytest.raises(errors.Busy):
        plans.carry_out(late)
    uninstall(home, "claude-code")
    assert read_all(home) == before


def test_what_was_there_stays_and_comes_back(home: Path) -> None:
    put(home / ".claude/settings.json", SETTINGS, 0o640)
    put(home / ".claude.json", '{"numStartups":3,"mcpServers":{}}', 0o600)
    put(home / ".claude/CLAUDE.md", "Be kind.")
    before = read_all(home)
    install(home, "claude-code")
    text = (home / ".claude/settings.json").read_text()
    for line in SETTINGS.splitlines()[:3]:
        assert line in text
    found = json.loads(text)
    assert [len(found["hooks"][name]) for name in ("Stop", "SessionEnd")] == [2, 1]
    assert found["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] == 10
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["molt"]
    assert server["args"] == ["mcp"]
    assert (home / ".claude/CLAUDE.md").read_text().startswith("Be kind.\n\n<!-- molt: begin")
    assert stat.S_IMODE((home / ".claude/settings.json").stat().st_mode) == 0o640
    uninstall(home, "claude-code")
    assert read_all(home) == before


@pytest.mark.parametrize("host", HOSTS)
def test_a_second_time_changes_nothing(home: Path, host: str) -> None:
    install(home, host)
    before = read_all(home)
    assert install(home, host).is_done
    assert read_all(home) == before


@pytest.mark.parametrize("host", HOSTS)
def test_a_molt_that_moved_takes_the_place_of_the_old_one(home: Path, host: str) -> None:
    put(home / ".claude/settings.json", SETTINGS)
    put(home / ".codex/config.toml", 'model = "gpt"\n')
    before = read_all(home)
    install(home, host)
    first = read_all(home)
    install(home, host, command="/usr/bin/molt", workspace="/srv/memory")
    assert not any(b"/opt/molt" in one[0] for one in read_all(home).values() if one[1] != "o")
    install(home, host)
    assert read_all(home) == first
    uninstall(home, host)
    assert read_all(home) == before


def test_a_file_that_is_molts_is_brought_up_and_goes(home: Path) -> None:
    path = home / "skills/molt/SKILL.md"
    record = record_of(home, "x")
    for content in ("first\n", "second\n"):
        plans.carry_out(plans.plan_install([FileTarget(str(path), content)], record))
        assert path.read_text() == content
    plans.carry_out(plans.plan_uninstall([FileTarget(str(path), "third\n")], record))
    assert read_all(home) == {}


def test_a_file_of_somebody_else_in_its_place_is_left(home: Path) -> None:
    put(home / "SKILL.md", "mine\n")
    with pytest.raises(errors.Failed, match="not molt's"):
        plans.plan_install([FileTarget(str(home / "SKILL.md"), "x")], record_of(home, "x"))


@pytest.mark.parametrize(("plugins", "said"), [({"molt@x": True}, 1), ({"molt@x": False}, 0)])
def test_a_plugin_that_is_on_too_is_told_of(
    home: Path, plugins: dict[str, bool], said: int
) -> None:
    settings = home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"enabledPlugins": {"other@x": True, **plugins}}))
    for plan in (install(home, "claude-code"), plan_install(home, "claude-code")):
        assert sum("the plugin molt@x" in note for note in plan.notes) == said


def test_the_variable_has_one_name() -> None:
    assert call.FALLBACK == commands.FALLBACK


def test_of_a_file_that_others_changed_since_only_molts_part_goes(home: Path) -> None:
    put(home / ".claude/settings.json", SETTINGS)
    install(home, "claude-code")
    path = home / ".claude/settings.json"
    found = json.loads(path.read_text())
    found["hooks"]["SessionStart"].append({"hooks": [{"type": "command", "command": "date"}]})
    found["theme"] = "dark"
    path.write_text(json.dumps(found))
    uninstall(home, "claude-code")
    left = json.loads(path.read_text())
    expected = json.loads(SETTINGS)
    expected["hooks"]["SessionStart"] = [{"hooks": [{"type": "command", "command": "date"}]}]
    assert left == {**expected, "theme": "dark"}


def test_containers_that_were_empty_before_are_left(home: Path) -> None:
    put(home / ".claude.json", '{"mcpServers": {}}')
    install(home, "claude-code")
    path = home / ".claude.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "numStartups": 4}))
    uninstall(home, "claude-code")
    assert json.loads(path.read_text()) == {"mcpServers": {}, "numStartups": 4}


@pytest.mark.parametrize("host", HOSTS)
def test_without_a_record_molts_part_is_known_all_the_same(home: Path, host: str) -> None:
    put(home / ".codex/config.toml", 'model = "gpt"\n[mcp_servers.x]\ncommand = "x"\n')
    put(home / ".codex/AGENTS.md", "Be kind.\n")
    put(home / ".claude/settings.json", SETTINGS)
    before = read_all(home)
    install(home, host)
    os.unlink(record_of(home, host))
    uninstall(home, host)
    after = {name: one for name, one in read_all(home).items() if not name.startswith(".local")}
    for name, one in before.items():
        assert after.pop(name) == one
    assert {one[0].strip() for one in after.values() if isinstance(one, tuple)} <= {b"", b"{}"}


def test_what_somebody_else_calls_molt_is_theirs(home: Path) -> None:
    own = {"command": "docker", "args": ["run", "molt"], "env": {"KEY": "x"}}
    put(home / ".claude.json", json.dumps({"mcpServers": {"molt": own}}))
    put(home / ".codex/config.toml", '[mcp_servers.molt]\ncommand = "docker"\n')
    before = read_all(home)
    for host, name in (("claude-code", "mcpServers.molt"), ("codex", "config.toml")):
        assert any(name in note for note in install(home, host).notes)
        uninstall(home, host)
    assert read_all(home) == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(".claude/settings.json", '{"hooks": {},}', id="a trailing comma"),
        pytest.param(".claude/settings.json", '{"hooks": ', id="cut"),
        pytest.param(".claude/settings.json", "[]", id="a list"),
        pytest.param(".claude/settings.json", '{"hooks": []}', id="hooks are a list"),
        pytest.param(".claude/settings.json", '{"hooks": {"Stop": {}}}', id="an event is none"),
        pytest.param(".claude.json", '{"mcpServers": null}', id="servers are null"),
        pytest.param(".codex/hooks.json", "{a: 1}", id="not strict"),
        pytest.param(".codex/config.toml", "model = ", id="no TOML"),
        pytest.param(".codex/config.toml", 'mcp_servers = {x = {command = "x"}}', id="inline"),
        pytest.param(".codex/AGENTS.md", "<!-- molt: begin -->\nx\n", id="no end"),
        pytest.param(".claude/settings.json", "[" * 5000 + "]" * 5000, id="deep"),
    ],
)
def test_what_is_broken_is_refused_and_nothing_changes(home: Path, name: str, text: str) -> None:
    put(home / name, text)
    before = read_all(home)
    with pytest.raises(errors.Failed) as caught:
        install(home, "codex" if "codex" in name else "claude-code")
    assert name in caught.value.message
    assert "run this again" in caught.value.hint
    assert read_all(home) == before


def test_a_link_is_followed_and_stays(home: Path) -> None:
    put(home / "dotfiles/settings.json", SETTINGS)
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to("../dotfiles/settings.json")
    before = read_all(home)
    install(home, "claude-code")
    assert (home / ".claude/settings.json").is_symlink()
    assert "molt" in (home / "dotfiles/settings.json").read_text()
    uninstall(home, "claude-code")
    assert read_all(home) == before


def test_what_fails_in_the_middle_leaves_all_as_it_was(home: Path) -> None:
    put(home / ".claude/settings.json", SETTINGS)
    before = read_all(home)
    plan = plan_install(home, "claude-code")
    put(home / ".claude.json", "{}")
    with pytest.raises(errors.Busy):
        plans.carry_out(plan)
    (home / ".claude.json").unlink()
    assert read_all(home) == before


def test_a_private_file_is_made_private_and_the_record_too(home: Path) -> None:
    install(home, "claude-code")
    for path in (home / ".claude.json", Path(record_of(home, "claude-code"))):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_record_and_the_difference_keep_secrets(home: Path) -> None:
    secret = "sk-ant-api03-" + "a1B2c3D4e5F6g7H8" * 6 + "-abcdefAA"
    put(home / ".claude.json", f'{{\n  "key": "{secret}"\n}}\n')
    plan = install(home, "claude-code")
    assert secret not in Path(record_of(home, "claude-code")).read_text()
    rows = "\n".join(plans.render_diff(plan))
    assert '"key": "[' in rows
    assert secret not in rows


def test_the_difference_shows_each_file_that_changes(home: Path) -> None:
    put(home / ".codex/config.toml", 'model = "gpt"\n')
    rows = list(plans.render_diff(plan_install(home, "codex")))
    assert f"--- {home}/.codex/config.toml" in rows
    assert f"+++ {home}/.codex/hooks.json" in rows
    assert "--- /dev/null" in rows
    assert "+[mcp_servers.molt]" in rows


def test_the_difference_has_the_lines_that_are_written(home: Path) -> None:
    plan = plan_install(home, "openclaw")
    shown = [row[1:] for row in plans.render_diff(plan) if row.startswith("+")]
    code = next(one.after or "" for one in plan.edits if one.path.endswith("index.js"))
    assert max(map(len, code.splitlines())) > 200
    assert not [row for row in code.splitlines() if row not in shown]


def test_a_damaged_record_is_no_record(home: Path) -> None:
    put(home / ".claude/settings.json", SETTINGS)
    install(home, "claude-code")
    path = Path(record_of(home, "claude-code"))
    told = json.loads(path.read_text())
    for one in told["files"]:
        one["splices"] = [[0, "evil", ""]]
    path.write_text(json.dumps(told))
    uninstall(home, "claude-code")
    assert json.loads((home / ".claude/settings.json").read_text()) == json.loads(SETTINGS)


def test_comments_and_words_of_a_relaxed_file_stay(tmp_path: Path) -> None:
    text = (
        "// mine\n{\n  gateway: { port: 1 }, // why\n  plugins: {\n    'a': 1, /* b */\n  },\n}\n"
    )
    target = JsonTarget(
        str(tmp_path / "x.json"),
        (WantedValue(("plugins", "molt"), {"on": True}), WantedValue(("paths", "*"), "/x")),
        (("plugins", "molt"), ("paths", "*")),
        lambda _, value: value in ({"on": True}, "/x"),
        is_strict=False,
    )
    added = target.add_part(text)
    after = apply_all(text, added.splices)
    assert json_nodes.parse_nodes(after).value == {
        "gateway": {"port": 1},
        "plugins": {"a": 1, "molt": {"on": True}},
        "paths": ["/x"],
    }
    assert "// why\n" in after
    assert "/* b */" in after
    assert undo_all(after, added.splices) == text
    rest = apply_all(after, target.remove_part(after, added.made))
    assert rest == text


# --- any JSON, in any layout -------------------------------------------------

_KEYS = st.sampled_from(
    ["hooks", "mcpServers", "permissions", "allow", "Stop", "model", "a b", "é"]
)
_SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("//no")
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3)
)
_OBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "hooks": st.dictionaries(
            st.sampled_from(["Stop", "SessionStart", "Other"]), st.lists(_VALUES, max_size=2)
        ),
        "permissions": st.fixed_dictionaries(
            {}, optional={"allow": st.lists(st.text(max_size=5)), "deny": st.lists(_SCALARS)}
        ),
        "mcpServers": st.dictionaries(_KEYS, _VALUES, max_size=2),
        "model": _VALUES,
    },
)


@st.composite
def _laid_out(draw: st.DrawFn) -> str:
    """A settings file as somebody may have written it: any space between any two tokens."""
    value = draw(_OBJECTS)
    ends = draw(st.sampled_from(["", "\n", "\r\n", " \n\n"]))
    way = draw(st.integers(0, 3))
    if way == 0:
        return json.dumps(value) + ends
    if way == 1:
        return json.dumps(value, indent=draw(st.sampled_from(["", " ", "  ", "\t"]))) + ends
    if way == 2:
        return json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\r\n") + ends
    gaps = st.sampled_from(["", "", " ", "\n", "\t", "\r\n  ", "   "])
    return draw(gaps) + _scatter(value, lambda: draw(gaps)) + ends


def _scatter(value: Any, gap: Any) -> str:
    if isinstance(value, dict):
        rows = [
            f"{gap()}{json.dumps(key)}{gap()}:{gap()}{_scatter(one, gap)}{gap()}"
            for key, one in value.items()
        ]
        return "{" + (",".join(rows) or gap()) + "}"
    if isinstance(value, list):
        return (
            "[" + (",".join(f"{gap()}{_scatter(one, gap)}{gap()}" for one in value) or gap()) + "]"
        )
    return json.dumps(value)


def _settings_target() -> JsonTarget:
    target = table.find_host("claude-code").list_targets(HostPlaces("/home/u", "/bin/molt"))[0]
    assert isinstance(target, JsonTarget)
    return target


@given(_laid_out())
def test_any_layout_keeps_its_text_and_its_values(text: str) -> None:
    target = _settings_target()
    before = json.loads(text)
    added = target.add_part(text)
    after = apply_all(text, added.splices)
    now = json.loads(after)
    for one in target.wanted:
        node = now
        for key in one.path[:-1]:
            node = node[key]
        assert one.value in (node.values() if isinstance(node, dict) else node)
    assert all(not cut.removed.strip() for cut in added.splices)
    assert target.add_part(after).splices == ()
    assert undo_all(after, added.splices) == text
    left = json.loads(apply_all(after, target.remove_part(after, added.made)))
    assert left == before
    assert list(left) == list(before)


@given(_VALUES, st.data())
def test_the_places_of_values_are_those_of_their_text(value: Any, data: st.DataObject) -> None:
    gaps = st.sampled_from(["", " ", "\n", "// x\n", "/* , */", "\ufeff"])
    text = _scatter(value, lambda: data.draw(gaps))
    root = json_nodes.parse_nodes(text)
    assert root.value == value
    todo = [root]
    while todo:
        node = todo.pop()
        assert json_nodes.parse_nodes(text[node.start : node.end]).value == node.value
        todo += node.children
