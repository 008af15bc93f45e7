"""The commit that changed an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt import errors, trees
from molt.formats.meta.questions import GoldenQuestion
from molt.memory.reflect.questions import bisect
from molt.memory.reflect.questions.ask import Asking
from molt.memory.reflect.questions.bisect import BisectRange
from molt.memory.workspace import Workspace

from .conftest import ALEX, commit_files

CHESS = GoldenQuestion("chess", "What does Alex play?", ("chess",), ("entity:person--alex",))
ASKING = Asking(1_770_200_000.0, "2026-02-04")


def write_notes(ws: Workspace, count: int, start: int = 0) -> None:
    for number in range(start, start + count):
        path = f"memory/notes-{number}.md"
        commit_files(ws, {path: f"Harbour log {number}: nothing happened.\n"}, f"note {number}")


def forget_chess(ws: Workspace) -> str:
    text = trees.read_text(ws.head(), ALEX)
    commit_files(ws, {ALEX: text.replace("- plays chess\n", "- swims\n")}, "no more chess")
    return ws.repo.resolve("HEAD")


@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (0, 4), (5, 3), (2, 9)])
def test_the_commit_that_took_the_answer_is_found(ws: Workspace, before: int, after: int) -> None:
    write_notes(ws, before)
    guilty = forget_chess(ws)
    write_notes(ws, after, before)
    found = bisect.bisect_question(ws, CHESS, BisectRange(), ASKING)
    assert found.commit == guilty
    assert found.parent == ws.repo.resolve(f"{guilty}~1")
    assert found.subject == "[EDIT] memory/* — no more chess"
    assert (found.actor, found.files) == ("manual", (ALEX,))
    assert found.answers.lost == ("chess",)
    assert found.memories == ("entity:person--alex",)


def test_it_asks_few_commits(ws: Workspace) -> None:
    forget_chess(ws)
    write_notes(ws, 20)
    assert bisect.bisect_question(ws, CHESS, BisectRange(), ASKING).asked <= 12


def test_a_good_commit_bounds_the_search(ws: Workspace) -> None:
    write_notes(ws, 2)
    good = ws.repo.resolve("HEAD")
    guilty = forget_chess(ws)
    write_notes(ws, 3, 2)
    found = bisect.bisect_question(ws, CHESS, BisectRange("HEAD~1", good), ASKING)
    assert found.commit == guilty


def merge_side(ws: Workspace) -> str:
    ws.repo.run("merge", "-q", "--no-ff", "-m", "[MERGE] memory/* — side", "side")
    return ws.repo.resolve("HEAD")


def test_of_a_merge_the_commit_that_it_brought_is_told(ws: Workspace) -> None:
    ws.repo.run("switch", "-qc", "side")
    write_notes(ws, 2)
    guilty = forget_chess(ws)
    write_notes(ws, 1, 2)
    ws.repo.run("switch", "-q", "main")
    write_notes(ws, 1, 3)
    merged = merge_side(ws)
    write_notes(ws, 1, 4)
    found = bisect.bisect_question(ws, CHESS, BisectRange(), ASKING)
    assert (found.commit, found.merge) == (guilty, merged)


def test_what_no_commit_of_the_side_did_the_merge_has_done(ws: Workspace) -> None:
    ws.repo.run("switch", "-qc", "side")
    write_notes(ws, 1)
    ws.repo.run("switch", "-q", "main")
    write_notes(ws, 1, 1)
    ws.repo.run("merge", "-q", "--no-ff", "--no-commit", "side")
    text = Path(ws.repo.root, ALEX).read_text(encoding="utf-8")
    Path(ws.repo.root, ALEX).write_text(text.replace("- plays chess\n", ""), encoding="utf-8")
    ws.repo.run("commit", "-qam", "[MERGE] memory/* — side")
    found = bisect.bisect_question(ws, CHESS, BisectRange(), ASKING)
    assert (found.commit, found.merge) == (ws.repo.resolve("HEAD"), "")


def test_no_file_ref_or_index_changes(ws: Workspace) -> None:
    forget_chess(ws)
    write_notes(ws, 2)
    Path(ws.repo.root, "draft.txt").write_text("mine\n", encoding="utf-8")
    index = Path(ws.repo.git_dir, "index")
    before = ws.repo.run("for-each-ref"), index.read_bytes(), ws.repo.run("status", "-s")
    bisect.bisect_question(ws, CHESS, BisectRange(), ASKING)
    assert (ws.repo.run("for-each-ref"), index.read_bytes(), ws.repo.run("status", "-s")) == before


def test_a_commit_that_answers_is_not_bad(ws: Workspace) -> None:
    with pytest.raises(errors.Usage, match="nothing is wrong"):
        bisect.bisect_question(ws, CHESS, BisectRange(), ASKING)


def test_a_commit_that_does_not_answer_is_not_good(ws: Workspace) -> None:
    guilty = forget_chess(ws)
    write_notes(ws, 1)
    with pytest.raises(errors.Usage, match="does not answer it either"):
        bisect.bisect_question(ws, CHESS, BisectRange("HEAD", guilty), ASKING)
    with pytest.raises(errors.Usage, match="holds the bad one"):
        bisect.bisect_question(ws, CHESS, BisectRange(guilty, "HEAD"), ASKING)


def test_what_no_commit_answers_is_said(ws: Workspace) -> None:
    asked = CHESS.replace(expect=("checkers",))
    with pytest.raises(errors.NotFound, match="commits that were asked"):
        bisect.bisect_question(ws, asked, BisectRange(), ASKING)


def test_what_is_changed_on_disk_alone_is_no_commits_fault(ws: Workspace) -> None:
    Path(ws.repo.root, ALEX).unlink()
    with pytest.raises(errors.Usage, match="the files on disk do not"):
        bisect.bisect_question(ws, CHESS, BisectRange(), ASKING)


def test_what_only_time_took_is_no_commits_fault(ws: Workspace) -> None:
    later = ASKING.replace(now=ASKING.now + 10 * 365 * 86_400)
    note = "---\ntitle: Other\npinned: true\n---\n# Other\n\nThe locker code is secret.\n"
    commit_files(ws, {"memory/procedures/other.md": note})
    old = "---\ntitle: Locker\ncreated: 2026-01-01\n---\n# Locker\n\nThe locker code is 4711.\n"
    commit_files(ws, {"memory/procedures/locker.md": old})
    asked = GoldenQuestion("code", "What is the locker code?", ("4711",))
    with pytest.raises(errors.NotFound, match="has faded"):
        bisect.bisect_question(ws, asked, BisectRange(), later)


def test_what_was_known_for_a_short_time_is_found(ws: Workspace) -> None:
    write_notes(ws, 6)
    commit_files(ws, {"memory/procedures/locker.md": "# Locker\n\nThe locker code is 4711.\n"})
    commit_files(ws, {"memory/procedures/locker.md": None}, "no more lockers")
    guilty = ws.repo.resolve("HEAD")
    write_notes(ws, 4, 6)
    asked = GoldenQuestion("code", "What is the locker code?", ("4711",))
    assert bisect.bisect_question(ws, asked, BisectRange(), ASKING).commit == guilty
    by_id = GoldenQuestion("code", "What is the locker code?", (), ("procedure:locker",))
    assert bisect.bisect_question(ws, by_id, BisectRange(), ASKING).commit == guilty
