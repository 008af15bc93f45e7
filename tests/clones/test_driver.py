"""The merge driver in a clone: put there, taken out, and what git does when it cannot run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from molt.formats.merge import PATTERNS
from molt.githooks import main as run_hook
from molt.memory import workspace
from molt.repo import merge_driver

DAY = "memory/episodes/2026-02-02.md"
TITLE = "# 2026-02-02 — Episode Log\n"
TEMPLATE = Path(__file__).parents[2] / "templates/workspace/gitattributes"


def entry(text: str, time: str = "10:00:01") -> str:
    return f"\n## {time} | fact | confidence:high | tags:[]\n{text}\n"


def part(clone, ours: str, theirs: str, path: str = DAY) -> None:
    """Two branches that changed one file since `base`."""
    clone.git("switch", "-qc", "side")
    clone.put(path, theirs, "theirs")
    clone.git("switch", "-q", "main")
    clone.put(path, ours, "ours")


@pytest.fixture
def clone(clones):
    (made,) = clones("a")
    made.put(DAY, TITLE, "a day")
    return made


def test_git_unites_two_branches_of_one_day(clone) -> None:
    part(clone, TITLE + entry("ours"), TITLE + entry("theirs"))
    said = clone.run("merge", "-q", "side")
    assert (said.returncode, "episode:2026-02-02:10:00:02" in said.stderr) == (0, True)
    assert clone.read(DAY) == TITLE + entry("ours") + entry("theirs", "10:00:02")


def test_what_is_left_to_a_person_stands_between_markers(clone) -> None:
    clone.put(DAY, TITLE + entry("begun"), "begun")
    part(clone, TITLE + entry("begun\nours"), TITLE + entry("begun\ntheirs"))
    said = clone.run("merge", "-q", "side")
    assert said.returncode == 1
    assert "both sides go on in the last entry" in said.stderr
    assert "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n" in clone.read(DAY)


def test_the_template_names_every_file_that_molt_merges() -> None:
    named = [row.split() for row in TEMPLATE.read_text(encoding="utf-8").splitlines()]
    assert [row[0] for row in named if row[1:] == ["merge=molt"]] == list(PATTERNS)


@pytest.mark.parametrize(
    ("path", "driver"),
    [
        *((path, "molt") for path in ("MEMORY.md", DAY, "memory/2026-02-02.md")),
        *((f"memory/graph/{name}.md", "molt") for name in ("relations", "entities/tool--git")),
        *((f"memory/meta/{name}", "molt") for name in ("evolution.md", "decay-scores.json")),
        ("memory/procedures/ship.md", "molt"),
        ("memory/episodes/old/2026-02-02.md", "molt"),
        *((path, "unspecified") for path in ("SOUL.md", "memory/vault/a.md", "README.md")),
        ("memory/meta/reflections/r-001.md", "unspecified"),
        ("sub/MEMORY.md", "unspecified"),
    ],
)
def test_which_files_the_driver_gets(clone, path, driver) -> None:
    assert clone.git("check-attr", "merge", path).split()[-1] == driver


def test_a_workspace_whose_attributes_are_its_own_needs_no_commit(clone) -> None:
    clone.put(".gitattributes", "* -text\nMEMORY.md merge=union\n", "our own")
    own = clone.root / ".git/info/attributes"
    own.parent.mkdir(exist_ok=True)
    own.write_text("*.png -diff", encoding="utf-8")
    repo = workspace.find(str(clone.root)).repo
    assert merge_driver.read_state(repo, sys.executable) == "outdated"
    assert merge_driver.install(repo, sys.executable)
    assert merge_driver.read_state(repo, sys.executable) == "installed"
    assert not merge_driver.install(repo, sys.executable)
    assert "MEMORY.md" not in own.read_text(encoding="utf-8")
    part(clone, TITLE + entry("ours"), TITLE + entry("theirs"))
    clone.git("merge", "-q", "side")
    assert merge_driver.uninstall(repo)
    assert not merge_driver.uninstall(repo)
    assert own.read_text(encoding="utf-8") == "*.png -diff\n"
    assert merge_driver.read_state(repo, sys.executable) == "absent"
    assert clone.run("config", "--get-regexp", "merge.molt").stdout == ""


def test_the_commands_put_it_there_and_take_it_out(clone) -> None:
    clone.molt("hooks", "uninstall")
    assert "merge driver         absent" in clone.molt("hooks", "status")
    assert "the merge driver is absent" in clone.molt("doctor")
    assert "mended" in clone.molt("doctor", "--fix")
    assert "merge driver         installed" in clone.molt("hooks", "status")
    clone.git("config", "merge.molt.driver", "true")
    assert '"merge_driver": "outdated"' in clone.molt("hooks", "status", "--json")
    assert "merge driver" in clone.molt("hooks", "install")
    assert "all is well" in clone.molt("doctor")


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(lambda text: text.replace(sys.executable, "/gone/python"), id="no Python"),
        pytest.param(lambda text: text.replace("__main__.py", "gone.py"), id="no molt"),
        pytest.param(lambda text: text.replace("merge-driver", "fails"), id="a defect"),
    ],
)
def test_a_driver_that_cannot_run_leaves_an_ordinary_conflict(clone, broken) -> None:
    clone.git("config", "merge.molt.driver", broken(clone.git("config", "merge.molt.driver")))
    part(clone, TITLE + entry("ours"), TITLE + entry("theirs"))
    assert clone.run("merge", "-q", "side").returncode == 1
    text = clone.read(DAY)
    assert "<<<<<<< ours\n" in text
    assert "ours" in text
    assert "theirs" in text


def test_a_file_that_is_no_text_is_left_to_git(clone) -> None:
    part(clone, TITLE + entry("ours"), TITLE + entry("theirs"))
    clone.git("switch", "-q", "side")
    clone.path(DAY).write_bytes(b"# t\n\n## 10:00:01 | fact | confidence:high\n\xff\n")
    clone.git("commit", "--no-verify", "-qam", "odd")
    clone.git("switch", "-q", "main")
    assert clone.run("merge", "-q", "side").returncode == 1
    assert b">>>>>>> theirs\n" in clone.path(DAY).read_bytes()


def test_without_molt_two_entries_never_become_one_in_silence(clone) -> None:
    clone.molt("hooks", "uninstall")
    part(clone, TITLE + entry("ours"), TITLE + entry("theirs"))
    assert clone.run("merge", "-q", "side").returncode == 1
    assert clone.unmerged() == [DAY]


def test_a_path_with_a_blank_and_a_quote_is_told_whole(clone, tmp_path) -> None:
    folder = tmp_path / "it's 100% here"
    folder.mkdir()
    python = folder / "python"
    python.symlink_to(sys.executable)
    repo = workspace.find(str(clone.root)).repo
    assert merge_driver.install(repo, str(python))
    odd = "memory/episodes/it's 2026.md"
    clone.put(odd, "# t\n", "odd")
    part(clone, "# t\n" + entry("ours"), "# t\n" + entry("theirs"), odd)
    said = clone.run("merge", "-q", "side")
    assert (said.returncode, "is gone" in said.stderr) == (0, False)


def test_a_call_that_makes_no_sense_fails_and_changes_nothing(tmp_path, capsys) -> None:
    assert run_hook(["merge-driver", "a", "b"]) == 1
    assert "%O %A %B %L %P" in capsys.readouterr().err
    for name in "oab":
        (tmp_path / name).write_text(name, encoding="utf-8")
    files = [str(tmp_path / name) for name in "oab"]
    assert run_hook(["merge-driver", *files, "many", "MEMORY.md"]) == 1
    assert (tmp_path / "a").read_text(encoding="utf-8") == "a"


def test_a_name_that_would_steer_a_terminal_is_shown_escaped(tmp_path, capsys) -> None:
    for name, text in zip("oab", ("x\n", "y\n", "z\n"), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [str(tmp_path / name) for name in "oab"]
    assert run_hook(["merge-driver", *files, "7", "memory/\033[2J.md"]) == 11
    assert "\033" not in capsys.readouterr().err


def test_a_merge_without_a_work_tree_runs_the_driver_too(clone) -> None:
    part(clone, TITLE + entry("ours"), TITLE + entry("theirs"))
    tree = clone.git("merge-tree", "--write-tree", "main", "side").split()[0]
    shown = subprocess.run(
        ["git", "show", f"{tree}:{DAY}"], cwd=clone.root, capture_output=True, text=True, check=True
    )
    assert shown.stdout == TITLE + entry("ours") + entry("theirs", "10:00:02")


def test_a_workspace_of_before_there_were_tombstones_keeps_their_bytes(clone) -> None:
    rows = TEMPLATE.read_text("utf-8").splitlines(keepends=True)
    old = "".join(row for row in rows if "tombstones" not in row)
    clone.put(".gitattributes", old, "an older one")
    assert "the merge driver is outdated" in clone.molt("doctor")
    assert "mended" in clone.molt("doctor", "--fix")
    said = clone.git("check-attr", "text", "merge", "--", "memory/meta/tombstones.txt")
    assert [row.split()[-1] for row in said.splitlines()] == ["unset", "molt"]
    assert "all is well" in clone.molt("doctor")
