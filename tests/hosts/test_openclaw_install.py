"""molt put into OpenClaw's configuration: which version gets what, and all of it taken out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hosts.test_install import read_all

from molt import errors
from molt.hosts.install import json_nodes, openclaw, plans, records
from molt.hosts.install.places import HostPlaces, find_places
from molt.hosts.install.plans import HostPlan

MOLT = "/opt/molt/bin/molt"
CONFIG = """// mine
{
  gateway: { mode: 'local', }, // at home
  plugins: {
    entries: { telegram: { enabled: true } }, /* keep */
  },
}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home/.openclaw").mkdir(parents=True)
    return tmp_path / "home"


def put_program(home: Path, version: str) -> HostPlaces:
    """An OpenClaw of a version on PATH, as npm installs it; gives the places."""
    package = home / "lib/node_modules/openclaw"
    package.mkdir(parents=True)
    (package / "package.json").write_text(json.dumps({"name": "openclaw", "version": version}))
    (package / "openclaw.mjs").write_text("#!/usr/bin/env node\n")
    (package / "openclaw.mjs").chmod(0o755)
    (home / "bin").mkdir()
    (home / "bin/openclaw").symlink_to(package / "openclaw.mjs")
    return find_places({"HOME": str(home), "PATH": str(home / "bin")}, MOLT)


def record_of(home: Path) -> str:
    return records.record_path(str(home / ".local/state/molt"), openclaw.NAME, "")


def install(home: Path, places: HostPlaces) -> HostPlan:
    plan = plans.plan_install(openclaw.list_targets(places), record_of(home))
    plans.carry_out(plan)
    return plan


def uninstall(home: Path, places: HostPlaces) -> HostPlan:
    plan = plans.plan_uninstall(openclaw.list_targets(places), record_of(home))
    plans.carry_out(plan)
    return plan


def read_config(home: Path, name: str = ".openclaw/openclaw.json") -> dict[str, Any]:
    found: dict[str, Any] = json_nodes.parse_nodes((home / name).read_text()).value
    return found


NAMED = {"env": {"vars": {"MOLT_ACTOR": "bot:openclaw"}}}
"""Who acts in the shell of its agents."""


def plugins_of(home: Path) -> dict[str, Any]:
    """What molt puts into the configuration."""
    return {
        "load": {"paths": [str(home / ".openclaw/molt/plugin")]},
        "entries": {"molt": {"enabled": True, "config": {"command": MOLT}}},
        "slots": {"memory": "molt"},
    }


@pytest.mark.parametrize("version", ["2026.8.1", "2026.9.6", "2027.1.0", "2026.9.6-3"])
def test_a_version_with_plugins_gets_the_plugin(home: Path, version: str) -> None:
    install(home, put_program(home, version))
    assert read_config(home) == {"plugins": plugins_of(home), **NAMED}
    assert (home / ".openclaw/molt/plugin/index.js").exists()
    assert (home / ".openclaw/skills/molt/SKILL.md").exists()


@pytest.mark.parametrize("version", ["2026.2.6-3", "2026.4.1", "2026.7.35"])
def test_a_version_with_engines_gets_the_engine(home: Path, version: str) -> None:
    install(home, put_program(home, version))
    command = "/opt/molt/bin/molt-qmd"
    assert read_config(home) == {"memory": {"backend": "qmd", "qmd": {"command": command}}}
    assert not (home / ".openclaw/molt").exists()
    assert (home / ".openclaw/skills/molt/SKILL.md").exists()


def test_a_version_with_neither_gets_the_skill(home: Path) -> None:
    (home / ".openclaw").rename(home / ".clawdbot")
    install(home, put_program(home, "2026.1.24"))
    assert sorted(one.name for one in (home / ".clawdbot").rglob("*.*")) == ["SKILL.md"]


def test_without_the_program_its_configuration_tells_the_version(home: Path) -> None:
    config = home / ".openclaw/openclaw.json"
    config.write_text('{ meta: { lastTouchedVersion: "2026.7.35" } }\n')
    install(home, find_places({"HOME": str(home)}, MOLT))
    assert read_config(home)["memory"]["backend"] == "qmd"


@pytest.mark.parametrize("version", ["2026.7.35", "2026.9.6"])
def test_all_is_as_before_byte_for_byte(home: Path, version: str) -> None:
    places = put_program(home, version)
    (home / ".openclaw/openclaw.json").write_text(CONFIG)
    before = read_all(home)
    install(home, places)
    assert "// at home" in (home / ".openclaw/openclaw.json").read_text()
    assert install(home, places).is_done
    uninstall(home, places)
    left = read_all(home)
    assert left == before


def test_what_the_host_wrote_since_stays(home: Path) -> None:
    places = put_program(home, "2026.9.6")
    install(home, places)
    config = read_config(home)
    config["plugins"]["entries"]["molt"]["hooks"] = {"timeoutMs": 9000}
    config["meta"] = {"lastTouchedVersion": "2026.9.6"}
    path = home / ".openclaw/openclaw.json"
    path.write_text(json.dumps(config, indent=2))
    assert install(home, places).is_done
    uninstall(home, places)
    kept = {"entries": {"molt": {"hooks": {"timeoutMs": 9000}}}}
    assert read_config(home) == {"plugins": kept, "meta": {"lastTouchedVersion": "2026.9.6"}}


def test_another_memory_stays_and_is_named(home: Path) -> None:
    places = put_program(home, "2026.9.6")
    config = home / ".openclaw/openclaw.json"
    config.write_text('{"plugins": {"slots": {"memory": "memory-lancedb"}}}\n')
    plan = install(home, places)
    assert read_config(home)["plugins"]["slots"]["memory"] == "memory-lancedb"
    assert any("plugins.slots.memory" in one for one in plan.notes)
    manifest = home / ".openclaw/molt/plugin/openclaw.plugin.json"
    assert "kind" not in json.loads(manifest.read_text())
    uninstall(home, places)
    assert config.read_text() == '{"plugins": {"slots": {"memory": "memory-lancedb"}}}\n'
    assert not manifest.parent.exists()


def test_who_changes_the_memory_of_the_host_installs_again(home: Path) -> None:
    places = put_program(home, "2026.9.6")
    install(home, places)
    manifest = home / ".openclaw/molt/plugin/openclaw.plugin.json"
    config = home / ".openclaw/openclaw.json"
    assert json.loads(manifest.read_text())["kind"] == "memory"
    told = read_config(home)
    told["plugins"]["slots"]["memory"] = "memory-core"
    config.write_text(json.dumps(told))
    install(home, places)
    assert "kind" not in json.loads(manifest.read_text())
    del told["plugins"]["slots"]
    config.write_text(json.dumps(told))
    install(home, places)
    assert json.loads(manifest.read_text())["kind"] == "memory"
    assert read_config(home)["plugins"]["slots"] == {"memory": "molt"}


def test_another_search_engine_stays_and_is_named(home: Path) -> None:
    places = put_program(home, "2026.7.35")
    config = home / ".openclaw/openclaw.json"
    config.write_text('{"memory": {"backend": "qmd", "qmd": {"command": "/usr/bin/qmd"}}}\n')
    before = config.read_bytes()
    plan = install(home, places)
    assert any("memory.qmd.command" in one for one in plan.notes)
    assert config.read_bytes() == before
    uninstall(home, places)
    assert config.read_bytes() == before


def test_what_the_user_switched_off_stays_off(home: Path) -> None:
    places = put_program(home, "2026.9.6")
    install(home, places)
    path = home / ".openclaw/openclaw.json"
    path.write_text(path.read_text().replace("true", "false"))
    install(home, places)
    assert read_config(home)["plugins"]["entries"]["molt"]["enabled"] is False


def test_an_upgrade_of_openclaw_takes_the_plugin_for_the_engine(home: Path) -> None:
    install(home, put_program(home, "2026.7.35"))
    package = home / "lib/node_modules/openclaw/package.json"
    package.write_text(package.read_text().replace("2026.7.35", "2026.9.6"))
    places = find_places({"HOME": str(home), "PATH": str(home / "bin")}, MOLT)
    install(home, places)
    assert read_config(home) == {"plugins": plugins_of(home), **NAMED}
    uninstall(home, places)
    assert not list((home / ".openclaw").rglob("*"))


def test_a_molt_that_moved_is_followed(home: Path) -> None:
    places = put_program(home, "2026.9.6")
    install(home, places)
    install(home, places.replace(command="/elsewhere/molt"))
    entry = read_config(home)["plugins"]["entries"]["molt"]
    assert entry == {"enabled": True, "config": {"command": "/elsewhere/molt"}}


@pytest.mark.parametrize(
    ("name", "value", "where"),
    [
        ("OPENCLAW_STATE_DIR", "state", "state/openclaw.json"),
        ("OPENCLAW_PROFILE", "work", ".openclaw-work/openclaw.json"),
        ("OPENCLAW_CONFIG_PATH", "my.json", "my.json"),
    ],
)
def test_the_environment_moves_its_places(home: Path, name: str, value: str, where: str) -> None:
    given = value if name == "OPENCLAW_PROFILE" else str(home / value)
    install(home, find_places({"HOME": str(home), name: given}, MOLT))
    assert read_config(home, where)["plugins"]["slots"] == {"memory": "molt"}


def test_a_project_is_refused(home: Path) -> None:
    with pytest.raises(errors.Usage, match="one configuration"):
        openclaw.list_targets(HostPlaces(str(home), MOLT, project=str(home)))


def test_a_configuration_that_is_broken_is_left_alone(home: Path) -> None:
    config = home / ".openclaw/openclaw.json"
    config.write_text("{ gateway: \n")
    with pytest.raises(errors.Failed, match=r"openclaw\.json, line"):
        install(home, find_places({"HOME": str(home)}, MOLT))
    assert not (home / ".openclaw/molt").exists()


def test_the_files_of_somebody_else_are_not_overwritten(home: Path) -> None:
    skill = home / ".openclaw/skills/molt/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine\n")
    with pytest.raises(errors.Failed, match="not molt's"):
        install(home, find_places({"HOME": str(home)}, MOLT))
    assert skill.read_text() == "mine\n"
