"""What `init` finds in a folder, and what it says of it before it commits."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from molt import errors
from molt.formats import documents
from molt.formats.prose import instructions
from molt.memory import workspace
from molt.memory.adopt import adoption, setup
from molt.memory.adopt.adoption import AdoptionReport
from molt.memory.answers import status
from molt.memory.checks import verify
from molt.memory.health import doctor
from molt.memory.search import search
from molt.repo import ignores
from molt.trees import DictTree

pytestmark = pytest.mark.slow

Git = Callable[..., str]
TOKEN = "ghp_" + "a1" * 18
INDEX = """# Semantic Graph Index
<!-- Auto-generated during reflection. Manual edits will be overwritten. -->
## Entity Registry
| ID | Type | Label | File | Decay Score |
|----|------|-------|------|-------------|
| person--alex | person | Alex | entities/person--alex.md | 1.00 (pinned) |
## Edges
| From | Relation | To | Confidence | First Seen | Last Accessed |
|------|----------|----|------------|------------|---------------|
| person--alex | develops | project--molt | high | 2026-01-15 | 2026-02-02 |
| project--molt | uses | tool--git | medium | — | 2026-02-02 |
| project--gone | uses | tool--git | high | 2026-01-15 | 2026-02-02 |
"""
ALEX = "# person--alex\n<!-- Type: person | Created: 2026-01-15 -->\n## Facts\n- codes\n"
MOLT = "# project--molt\n<!-- Type: project -->\n## Relations\n- uses: [[tool--git]]\n"
FILES = {
    "MEMORY.md": "- tea\n" * 2000,
    "AGENTS.md": "# AGENTS.md\n\nBe kind.\n",
    "USER.md": f"lives in Oslo\ntoken {TOKEN}\n",
    "SOUL.md": "Soft.\n",
    "README.md": "# Read me\n",
    "memory/2026-01-02.md": "- walked\n",
    "memory/episodes/2026-01-03.md": "# 2026-01-03 — Episode Log\n",
    "memory/ideas.md": f"one: {TOKEN}\nharmless: {TOKEN} <!-- molt:allow-secret -->\n",
    "memory/procedures/ship.md": "# Ship\n",
    "memory/graph/entities/person--alex.md": ALEX,
    "memory/graph/entities/project--molt.md": MOLT,
    "memory/graph/index.md": INDEX,
    "memory/meta/audit.log": "theirs\n",
    "memory/meta/pending-reflection.md": "# waits\n",
    "memory/private-1.md": "hidden\n",
    "knowledge/a.md": "# a\n",
    "knowledge/deep/b.md": "# b\n",
    "node_modules/x/readme.md": "# x\n",
    "skills/tea/USER.md": "# Tea\n\nBrewed in Oslo.\n",
    ".hidden/c.md": "# c\n",
    ".gitignore": "memory/private*\nknowledge/drafts\n",
}


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    """A workspace as the design has it, with what its owner does not think of."""
    root = tmp_path / "agent"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "a year")
    return root


def molt(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "molt", *args]
    return subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False)


def test_the_report_is_told_before_anything_is_committed(root, git) -> None:
    told: list[tuple[AdoptionReport, str]] = []
    made = setup.init(str(root), tell=lambda report: told.append((report, git(root, "log"))))
    ((report, log),) = told
    assert "INIT" not in log
    assert made.report == report


def test_what_there_is_is_counted(root) -> None:
    report = setup.init(str(root)).report
    assert report is not None
    assert report.memories == {
        "daily notes": 2,
        "entities": 2,
        "procedures": 1,
        "other notes": 1,
    }
    assert report.core_tokens > report.core_cap == 3000
    assert report.ignored == ("memory/private-1.md",)
    assert [(one.path, one.count) for one in report.secrets] == [
        ("USER.md", 1),
        ("memory/ideas.md", 1),
    ]
    assert report.documents == {"knowledge": 2}
    assert report.unsearched == {"skills": 1}
    assert report.edges == 1
    assert "molt remember" in report.agents


def test_notes_of_a_day_are_counted_as_status_counts_them(root) -> None:
    for name in ("2026-01-04-release.md", "work/2026-01-05.md", "work/plan.md"):
        (root / "memory" / name).parent.mkdir(exist_ok=True)
        (root / "memory" / name).write_text("- said\n")
    made = setup.init(str(root))
    assert made.report is not None
    found = status.read_status(workspace.find(str(root)), 1_770_000_000.0)
    assert found.notes == {"daily": 3, "other": 2}
    logs = 1
    assert made.report.memories["daily notes"] == 3 + logs
    assert made.report.memories["other notes"] == 2


def test_projections_are_untracked_and_what_they_held_is_kept(root, git) -> None:
    (root / "memory/meta/audit.log").write_text("theirs\nand more\n")
    git(root, "add", "memory/meta/audit.log")
    (root / "memory/meta/audit.log").write_text("theirs\nand more\nand more\n")
    made = setup.init(str(root))
    assert len(made.untracked) == 3
    assert git(root, "ls-files", "--", *made.untracked) == ""
    assert (root / "memory/meta/audit.log.before-molt").read_text().count("more") == 2
    assert (root / "memory/graph/index.md.before-molt").read_text() == INDEX
    assert "system:init" in (root / "memory/meta/audit.log").read_text()
    git(root, "commit", "-qam", "nothing", "--allow-empty")
    assert not [
        one for _, one in verify.verify_commits(made.repo).findings if one.code[:3] == "GRA"
    ]


def test_projections_that_were_staged_for_a_first_commit_are_not(tmp_path, git) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "memory/meta").mkdir(parents=True)
    (tmp_path / "memory/meta/audit.log").write_text("theirs\n")
    git(tmp_path, "add", "-A")
    setup.init(str(tmp_path))
    assert git(tmp_path, "ls-files", "memory/meta") == ""


def test_nothing_is_lost_where_the_adoption_fails(root, git) -> None:
    git(root, "checkout", "-q", "--detach")
    with pytest.raises(errors.Failed):
        setup.init(str(root))
    assert (root / "memory/meta/audit.log").read_text() == "theirs\n"
    assert git(root, "status", "--porcelain") == ""


def test_edges_of_the_index_alone_become_relations(root, git) -> None:
    made = setup.init(str(root))
    assert made.related == ("memory/graph/entities/person--alex.md",)
    added = "\n## Relations\n- develops [[project--molt]] (confidence: high, since: 2026-01-15)\n"
    assert (root / made.related[0]).read_text() == ALEX + added
    assert (root / "memory/graph/entities/project--molt.md").read_text() == MOLT
    assert "| person--alex | develops |" in (root / "memory/graph/index.md").read_text()


def test_an_entity_that_is_being_edited_keeps_the_edit(root, git) -> None:
    path = root / "memory/graph/entities/person--alex.md"
    path.write_text(ALEX + "- edited\n")
    setup.init(str(root))
    assert "- edited\n" in path.read_text()
    assert "develops" in path.read_text()
    assert git(root, "status", "--porcelain", "memory/graph/entities").startswith(" M")


def test_the_command_tells_all_of_it_and_what_comes_next(root) -> None:
    done = molt(root, "init")
    assert done.returncode == 0
    said = done.stdout
    for words in (
        "2 daily notes, 2 entities, 1 procedure, 1 other note",
        " % of the cap of 3,000 (core.cap in molt.yaml)",
        "git ignores memory/private-1.md",
        "git keeps memory/meta/audit.log",
        "memory/ideas.md gives away 1 secret: GitHub token (line ",
        "documents in folders: knowledge (2), searched behind the memory",
        "no search reads: skills (1)",
        "to search the rest: molt index --add skills",
        "molt init --agents",
        "next: `molt index`",
    ):
        assert words in said
    assert TOKEN not in said + done.stderr
    assert said.index("found:") < said.index("ready")


def test_its_line_for_the_rest_holds_in_a_shell(root, git, monkeypatch) -> None:
    monkeypatch.setenv("MOLT_ACTOR", "manual")
    for folder in ("my skills", "#-skills", "日記-skills", "it's-skills"):
        (root / folder).mkdir()
        (root / folder / "a.md").write_text("# a\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "more")
    row = next(row for row in molt(root, "init").stdout.split("\n") if "molt index" in row)
    words = shlex.split(row.partition("the rest: molt ")[2])
    assert molt(root, *words).returncode == 0
    ws = workspace.find(str(root))
    assert ws.warnings == ()
    wanted = {"my skills", "#-skills", "日記-skills", "it's-skills", "skills"}
    assert set(ws.config.search_extra_paths) == wanted


def test_too_many_documents_are_left_out_until_somebody_asks(root) -> None:
    for number in range(documents.MOST):
        (root / f"knowledge/{number}.md").write_text("# a\n")
    made = setup.init(str(root))
    assert made.report is not None
    assert made.report.has_too_many
    ws = workspace.find(str(root))
    assert (ws.warnings, ws.config.search_sources) == ((), ("memory", "workspace"))


def test_a_configuration_that_is_not_in_force_is_told(root, git) -> None:
    setup.init(str(root))
    with open(root / "molt.yaml", "a") as file:
        file.write("search:\n  extra_paths: [knowledge]\n")
    said = "the key 'search' stands twice; defaults are in force"
    assert said in molt(root, "check").stdout
    assert said in molt(root, "status").stdout
    git(root, "commit", "-qam", "search more")
    assert said in molt(root, "verify", "HEAD^..HEAD").stdout
    assert said in molt(root, "status").stdout


def test_the_report_is_json_too(root) -> None:
    told = json.loads(molt(root, "init", "--json").stdout)
    assert told["report"]["ignored"] == ["memory/private-1.md"]
    assert told["report"]["unsearched"] == {"skills": 1}
    assert told["report"]["documents"] == {"knowledge": 2}
    assert told["untracked"]
    assert json.loads(molt(root, "init", "--json").stdout)["report"] is None


def test_a_new_workspace_needs_no_report(tmp_path) -> None:
    done = molt(tmp_path, "init", "fresh")
    assert "found:" not in done.stdout
    assert "next:" not in done.stdout


def test_the_line_for_the_search_works(root, git, monkeypatch) -> None:
    monkeypatch.setenv("MOLT_ACTOR", "manual")
    said = molt(root, "init").stdout
    (line,) = [line for line in said.splitlines() if "index --add" in line]
    assert molt(root, *line.partition("molt ")[2].split()).returncode == 0
    found = search.search(workspace.find(str(root)), "Oslo")
    assert "USER.md" in found.results[0].path


def test_the_block_is_written_when_it_is_asked_for_and_once(root, git) -> None:
    molt(root, "init")
    assert (root / "AGENTS.md").read_text() == FILES["AGENTS.md"]
    assert molt(root, "init", "--agents").returncode == 0
    text = (root / "AGENTS.md").read_text()
    assert text == f"{FILES['AGENTS.md']}\n{instructions.BLOCK}"
    assert git(root, "log", "-1", "--format=%s%n%(trailers:key=Actor,valueonly)").split("\n")[
        :2
    ] == [
        "[EDIT] AGENTS.md — how an agent uses molt",
        "manual",
    ]
    assert "nothing changed" in molt(root, "init", "--agents").stdout


def test_the_block_of_an_earlier_version_makes_way_and_nothing_else(root, git) -> None:
    molt(root, "init")
    for old in (*instructions.EARLIER, "<!-- molt: begin -->\nold words\n<!-- molt: end -->\n"):
        (root / "AGENTS.md").write_text(f"# Mine\n\n{old}\nLast words.\n")
        git(root, "commit", "-qam", "as it was")
        assert molt(root, "init", "--agents").returncode == 0
        text = (root / "AGENTS.md").read_text()
        assert text == f"# Mine\n\n{instructions.BLOCK}\nLast words.\n"


def test_a_new_workspace_has_the_block(tmp_path) -> None:
    molt(tmp_path, "init")
    assert (tmp_path / "AGENTS.md").read_text() == f"# AGENTS.md\n\n{instructions.BLOCK}"


def test_what_the_block_tells_an_agent_are_commands_that_there_are(root) -> None:
    from molt.cli.commands import COMMANDS

    words = [
        part.split()[1] for part in instructions.BLOCK.split("`")[1::2] if part.startswith("molt ")
    ]
    assert words
    assert set(words) <= set(COMMANDS)


def test_what_git_ignores_is_no_memory(root, git) -> None:
    setup.init(str(root))
    ws = workspace.find(str(root))
    found = search.search(ws, "hidden").results
    assert "memory/private-1.md" not in {one.path for one in found}
    assert status.read_status(ws, 0.0).ignored == ("memory/private-1.md",)
    (told,) = [one for one in doctor.examine_workspace(ws, fix=False) if "ignores" in one.what]
    assert told.severity == "warning"


def test_a_new_memory_that_git_would_ignore_is_refused_with_the_rule(root, git) -> None:
    (root / ".gitignore").write_text("*.tmp\nmemory/*\n")
    git(root, "commit", "-qam", "keep it local")
    assert molt(root, "init").returncode == 0
    done = molt(root, "remember", "a thing")
    assert done.returncode == 1
    assert "(.gitignore:2: memory/*)" in done.stderr
    assert not (root / "memory/episodes").joinpath("2026-01-04.md").exists()
    command = done.stderr.partition("`")[2].partition("`")[0]
    assert command == "molt init --unignore"
    assert molt(root, *shlex.split(command)[1:]).returncode == 0
    assert molt(root, "remember", "a thing").returncode == 0
    assert (
        git(root, "status", "--porcelain", "memory/meta/audit.log", "memory/graph/index.md") == ""
    )
    assert ignores.list_ignored(workspace.find(str(root)).repo) == ()


def test_a_folder_whose_next_memory_git_would_ignore_is_told_before_there_is_one(
    tmp_path, git
) -> None:
    """A fresh clone of a workspace that keeps its memory out of git has none of it."""
    root = tmp_path / "clone"
    git(tmp_path, "init", "-q", str(root))
    (root / ".gitignore").write_text("memory/\n")
    (root / "AGENTS.md").write_text("Be kind.\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "instructions")
    assert "git ignores memory/YYYY-MM-DD.md, memory/episodes/" in molt(root, "init").stdout
    assert "memory/episodes/" in molt(root, "status").stdout
    ws = workspace.find(str(root))
    assert any("memory/episodes/" in one.what for one in doctor.examine_workspace(ws, fix=False))
    assert molt(root, "remember", "a thing").returncode == 1
    assert "changed: .gitignore" in molt(root, "init", "--unignore").stdout
    assert molt(root, "remember", "a thing").returncode == 0
    assert ignores.list_ignored(ws.repo) == ()
    assert "nothing changed" in molt(root, "init", "--unignore").stdout


def test_what_is_made_from_history_is_in_nobodys_way_in_a_second_clone(root, git, tmp_path) -> None:
    """Its .gitignore is that of the workspace, which did not know of molt."""
    setup.init(str(root))
    clone = tmp_path / "second"
    git(tmp_path, "clone", "-q", str(root), str(clone))
    assert molt(clone, "remember", "a thing").returncode == 0
    assert (clone / "memory/meta/audit.log").exists()
    assert git(clone, "status", "--porcelain") == ""
    (clone / ".git/info/exclude").unlink()
    assert "audit.log" in git(clone, "status", "--porcelain", "-uall")
    assert molt(clone, "hooks", "install").returncode == 0
    assert git(clone, "status", "--porcelain") == ""


def test_a_file_that_git_keeps_may_be_written_whatever_is_ignored(root, git) -> None:
    setup.init(str(root))
    assert molt(root, "remember", "--entity", "person:alex", "sings").returncode == 0
    (root / ".gitignore").write_text("memory/\n")
    git(root, "commit", "-qam", "ignored from now on")
    assert molt(root, "remember", "--entity", "person:alex", "dances").returncode == 0
    assert molt(root, "remember", "--entity", "person:new", "dances").returncode == 1


def test_exceptions_are_written_once() -> None:
    once = ignores.add_exceptions("*.md\n")
    assert once.startswith("*.md\n")
    assert ignores.add_exceptions(once) == once
    assert ignores.add_exceptions(f"{once}memory/*\n").endswith("*.molt-*\n")


def test_agents_that_are_told_already_are_left() -> None:
    assert adoption.list_untold(DictTree({"AGENTS.md": b"run `molt search`"})) == ()
    assert adoption.list_untold(DictTree({"CLAUDE.md": b"@AGENTS.md"})) == ("CLAUDE.md",)
    both = {"AGENTS.md": b"kind", "CLAUDE.md": b"@AGENTS.md"}
    assert adoption.list_untold(DictTree(both)) == ("AGENTS.md",)


@pytest.fixture
def nobody(monkeypatch) -> None:
    for name in ("NAME", "EMAIL"):
        monkeypatch.delenv(f"GIT_AUTHOR_{name}")
        monkeypatch.delenv(f"GIT_COMMITTER_{name}")


def test_a_machine_without_an_identity_is_told_lines_that_work(
    nobody, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    done = molt(tmp_path, "init", "my agent")
    assert done.returncode == 1
    assert not (tmp_path / "my agent").exists()
    hints = done.stderr.split("`")[1::2]
    assert len(hints) == 3
    local = shlex.split(hints[2].replace("…", "Ada"))[1:]
    assert molt(tmp_path, *local).returncode == 0
    assert not (tmp_path / "gitconfig").exists()
    for line in hints[:2]:
        subprocess.run(["sh", "-c", line.replace("…", "Ada")], cwd=tmp_path, check=True)
    assert molt(tmp_path, "init", "other").returncode == 0


def test_a_memory_without_an_identity_is_told_likewise(root, nobody, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    assert molt(root, "init", "--name", "Ada", "--email", "a@b.c").returncode == 0
    subprocess.run(["git", "config", "--remove-section", "user"], cwd=root, check=True)
    done = molt(root, "remember", "a thing")
    assert done.returncode == 1
    for line in done.stderr.split("`")[1::2]:
        subprocess.run(["sh", "-c", line.replace("…", "Ada")], cwd=root, check=True)
    assert molt(root, "remember", "a thing").returncode == 0
