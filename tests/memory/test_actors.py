"""What a search for the memories of one actor gives: what they wrote or changed by history."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from molt import repo
from molt.cli import main
from molt.formats import message as messages
from molt.index.search.filters import Filters
from molt.memory import days, workspace
from molt.memory.recall import recall
from molt.memory.search import at, search, written_by
from molt.memory.workspace import Workspace
from molt.memory.write import import_notes
from molt.repo import find

pytestmark = pytest.mark.slow

DAY = "memory/episodes/2026-02-03.md"
LOG = """# 2026-02-03 — Episode Log

## 09:00 | fact | confidence:high | tags:[] | source:conversation
the gate is red
"""
GATE = "---\nid: concept--gate\ntype: concept\nlabel: Gate\n---\n# Gate\n\n## Facts\n"
SECOND = """
## 10:00 | fact | confidence:high | tags:[] | source:conversation
the gate is blue
"""


def write(ws: Workspace, path: str, text: str) -> None:
    file = Path(ws.repo.root, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def commit(ws: Workspace, actor: str, text: str = "", path: str = DAY, **more: str) -> None:
    """Commit a file as plain git does, without hooks; `more` are further trailers."""
    if text:
        write(ws, path, text)
    approval = "approved" if actor == "manual" else "auto"
    trailers = {"Actor": actor, "Approval": approval, "Trigger": "test", **more} if actor else more
    rows = "\n".join(f"{key.replace('_', '-')}: {value}" for key, value in trailers.items())
    ws.repo.run("add", "-A")
    subject = f"[EDIT] {path} — by hand"
    ws.repo.run("commit", "-qn", "--allow-empty", "-m", f"{subject}\n\n{rows}")


def of(ws: Workspace, actor: str, words: str = "gate", **options: Any) -> list[str]:
    asked = search.SearchOptions(filters=Filters(actor=actor), **options)
    return [one.snippet for one in search.search(ws, words, asked).results]


@pytest.mark.parametrize(
    ("actor", "wanted", "is_by"),
    [
        ("bot:main", "bot:main", True),
        ("bot:main", "bot", True),
        ("bot:main", "bot:*", True),
        ("bot:main", "bot:mai", False),
        ("subagent:x", "bot", False),
        ("manual", "manual", True),
        ("", "—", True),
        ("", "bot", False),
    ],
)
def test_an_actor_is_asked_for_whole_by_type_or_glob(actor: str, wanted: str, is_by: bool) -> None:
    assert messages.is_by(actor, wanted) is is_by


def test_entries_of_one_day_are_of_those_who_wrote_them(ws) -> None:
    commit(ws, "bot:main", LOG)
    commit(ws, "manual", LOG + SECOND)
    assert of(ws, "bot") == ["the gate is red"]
    assert of(ws, "manual") == ["the gate is blue"]
    assert of(ws, "subagent") == []


def test_who_changes_an_entry_has_it_too_and_nothing_else(ws) -> None:
    commit(ws, "bot:main", LOG + SECOND)
    commit(ws, "manual", (LOG + SECOND).replace("red", "green"), Accepts="EPI001 — it was green")
    assert of(ws, "manual") == ["the gate is green"]
    assert sorted(of(ws, "bot")) == ["the gate is blue", "the gate is green"]


def test_what_stands_in_the_heading_of_an_entry_is_part_of_it(ws) -> None:
    commit(ws, "bot:main", LOG + SECOND)
    commit(ws, "manual", (LOG + SECOND).replace("high", "low", 1))
    assert of(ws, "manual") == ["the gate is red"]


def test_a_line_that_is_gone_changes_only_its_entry(ws) -> None:
    first = LOG + "and it squeaks\n"
    commit(ws, "bot:main", first + SECOND)
    commit(ws, "manual", LOG + SECOND)
    assert of(ws, "manual") == ["the gate is red"]


def test_a_file_that_is_one_memory_is_of_all_who_changed_it(ws) -> None:
    path = "memory/graph/entities/concept--gate.md"
    commit(ws, "bot:main", f"{GATE}- the gate is red\n", path)
    commit(ws, "manual", f"{GATE}- the gate is blue\n", path)
    assert len(of(ws, "bot")) == len(of(ws, "manual")) == 1
    assert of(ws, "skill") == []


def test_bullets_of_core_memory_are_told_apart(ws) -> None:
    core = "# MEMORY.md\n\n## Identity\n- the gate is red\n"
    commit(ws, "bot:main", core, "MEMORY.md")
    commit(ws, "manual", f"{core}- the gate is blue\n", "MEMORY.md")
    assert ["blue" in one for one in of(ws, "manual")] == [True]
    assert ["red" in one for one in of(ws, "bot")] == [True]


def test_sections_of_a_log_in_prose_are_told_apart_by_their_lines(ws) -> None:
    path = "memory/2026-02-03.md"
    parts = [
        f"## {name}\nthe gate is {name}\n{f'{name} words ' * 100}\n" for name in ("red", "blue")
    ]
    commit(ws, "bot:main", f"# Notes\n\n{parts[0]}", path)
    commit(ws, "manual", f"# Notes\n\n{''.join(parts)}", path)
    assert ["blue" in one for one in of(ws, "manual", "gate blue")] == [True]
    assert all("red" in one for one in of(ws, "bot", "gate"))


def test_what_molt_writes_is_of_its_actor_and_needs_no_look_at_files(ws, monkeypatch) -> None:
    for actor, colour in (("bot:main", "red"), ("skill:notes", "blue")):
        assert main(["--actor", actor, "--workspace", ws.repo.root, "remember", colour]) == 0
    monkeypatch.setattr(repo.history, "versions", None)
    # The command has ended the processes behind the first workspace.
    fresh = workspace.find(ws.repo.root)
    assert of(fresh, "skill:notes", "blue") == ["blue"]
    assert of(fresh, "bot:main", "red") == ["red"]


def test_a_trailer_alone_does_not_make_a_commit_molts_own(ws) -> None:
    commit(ws, "bot:main", LOG)
    named = {"Memory_Id": "entity:concept--gate"}
    commit(ws, "manual", LOG + SECOND, DAY, **named)
    assert of(ws, "manual") == ["the gate is blue"]


def test_an_import_is_of_who_made_it(ws, tmp_path) -> None:
    commit(ws, "manual", LOG)
    rows = [{"text": f"gate number {n}", "date": f"2026-02-03T11:{n:02}"} for n in range(30)]
    source = tmp_path / "talk.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_notes.import_source(ws, str(source))
    assert len(of(ws, "bot", limit=50)) == 30
    assert of(ws, "manual") == ["the gate is red"]


def test_what_is_not_committed_is_of_nobody(ws) -> None:
    commit(ws, "manual", LOG)
    write(ws, DAY, LOG + SECOND)
    write(ws, "memory/procedures/gate.md", "the gate is green")
    assert of(ws, "*") == ["the gate is red"]


def test_a_commit_that_names_no_actor_is_of_nobody_known(ws) -> None:
    commit(ws, "", LOG)
    assert of(ws, "bot") == of(ws, "manual") == []
    assert of(ws, "—") == ["the gate is red"]


def test_the_past_is_of_those_who_had_written_it_by_then(ws) -> None:
    commit(ws, "bot:main", LOG)
    commit(ws, "manual", LOG.replace("red", "green"))
    then = at.find_moment(ws.repo, "HEAD~1", days.parse_second("HEAD~1", "UTC"), 4e9)
    assert of(ws, "manual", at=then) == []
    assert of(ws, "bot", at=then) == ["the gate is red"]


def test_a_merge_is_of_its_sides(ws, git) -> None:
    root = Path(ws.repo.root)
    commit(ws, "system:init", LOG)
    git(root, "checkout", "-qb", "side")
    commit(ws, "bot:main", "the gate is green", "memory/procedures/gate.md")
    git(root, "checkout", "-q", "main")
    commit(ws, "skill:x", LOG + SECOND)
    git(root, "merge", "-q", "--no-ff", "--no-verify", "-m", "m\n\nActor: manual", "side")
    assert of(ws, "bot") == ["the gate is green"]
    assert of(ws, "skill") == ["the gate is blue"]
    assert of(ws, "manual") == []


def test_what_is_deleted_and_written_again_is_of_the_writer(ws) -> None:
    path = "memory/procedures/gate.md"
    commit(ws, "bot:main", "the gate is red", path)
    Path(ws.repo.root, path).unlink()
    commit(ws, "skill:x", path=path)
    commit(ws, "manual", "the gate is red", path)
    assert of(ws, "skill") == []
    assert of(ws, "manual") == ["the gate is red"]


def test_results_are_chosen_before_they_are_cut(ws) -> None:
    entries = "".join(
        f"\n## 11:{n:02} | fact | confidence:high | tags:[]\ngate gate {n}\n" for n in range(50)
    )
    commit(ws, "bot:main", LOG + entries)
    last = "\n## 12:00 | fact | confidence:high | tags:[]\na long way from any gate at all\n"
    commit(ws, "manual", LOG + entries + last)
    assert of(ws, "manual", limit=1) == ["a long way from any gate at all"]


def test_extra_files_are_of_nobody(ws, tmp_path) -> None:
    (tmp_path / "extra").mkdir()
    (tmp_path / "extra/note.md").write_text("the gate of another folder")
    wide = ws.replace(config=ws.config.replace(search_extra_paths=(str(tmp_path / "extra"),)))
    assert of(wide, "*") == []


def test_recall_too_knows_whose_memories_they_are(ws) -> None:
    commit(ws, "bot:main", LOG)
    commit(ws, "manual", LOG + SECOND)
    said = recall.answer_question(
        ws, "when was the gate painted?", search.SearchOptions(filters=Filters(actor="manual"))
    )
    assert "blue" in said.context
    assert "red" not in said.context


def test_before_the_first_commit_nothing_is_of_anybody(tmp_path) -> None:
    root = tmp_path / "bare"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    found = find.find_repo(str(root))
    assert written_by.find_written(found, found.tip(), "*").ids == frozenset()
