from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import message
from molt.memory.adopt import setup
from molt.memory.checks import verify
from molt.memory.provenance import audit, audit_lines
from molt.repo import find
from molt.repo.repository import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return setup.init(str(tmp_path / "w")).repo


def test_a_message_with_control_characters_locks_nothing(repo, git) -> None:
    git(Path(repo.root), "commit", "-q", "--allow-empty", "-m", "a\x1eb\x1fc | d")
    audit.rebuild(repo)
    assert audit.alerts(repo) == ()
    assert verify.verify_commits(repo).commits == 2


def test_only_a_person_acknowledges(repo, git) -> None:
    root = Path(repo.root)
    (root / "SOUL.md").write_text("new\n")
    git(root, "commit", "-qam", "[EDIT] SOUL.md — tone")
    for actor, left in (("bot:main", ["SOUL.md"]), ("manual", [])):
        text = (
            f"[ACK] x — y\n\nActor: {actor}\nApproval: approved\nTrigger: t\nAcknowledged: SOUL.md"
        )
        git(root, "commit", "-q", "--allow-empty", "-m", text)
        assert [line.file for line in audit.alerts(repo)] == left


def test_a_comparison_writes_nothing_and_sees_what_history_has_not(repo) -> None:
    path = Path(repo.root) / audit.PATH
    audit.freshen_log(repo)
    told = audit.compare_log(repo)
    assert told == audit.LogComparison(len(path.read_bytes().splitlines()), same=True)
    touched = path.read_bytes() + b"a line of nobody\n"
    path.write_bytes(touched)
    assert audit.compare_log(repo) == told.replace(same=False)
    assert path.read_bytes() == touched
    path.unlink()
    assert not audit.compare_log(repo).same


def test_the_log_is_appended_to_and_equals_a_rebuild(repo, git) -> None:
    root = Path(repo.root)
    for number in range(3):
        (root / f"n{number}.md").write_text("n\n")
        git(root, "add", "-A")
        git(root, "commit", "-qm", f"[CREATE] n{number}.md — a | b")
        assert audit.freshen_log(repo) == 1
    log = (root / audit.PATH).read_bytes()
    assert audit.rebuild(repo).lines == len(log.splitlines())
    assert (root / audit.PATH).read_bytes() == log
    assert b"a \\| b" in log
    git(root, "commit", "-q", "--amend", "-m", "[CREATE] n2.md — other")
    audit.freshen_log(repo)
    assert b"other" in (root / audit.PATH).read_bytes()


def test_where_a_shallow_clone_ends_a_commit_made_no_more_than_it_says(repo, git, tmp_path) -> None:
    root = Path(repo.root)
    for text in ("one\n", "one\ntwo\n"):
        (root / "memory/note.md").write_text(text)
        git(root, "add", "memory/note.md")
        git(root, "commit", "-qm", "[EDIT] memory/note.md — a line")
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{root}", str(tmp_path / "c"))
    clone = find.find_repo(str(tmp_path / "c"))
    audit.rebuild(clone)
    rows = Path(clone.root, audit.PATH).read_text().splitlines()
    assert [row.split(" | ")[2] for row in rows] == ["memory/note.md"] * 2
    newest = audit_lines.make_newest(clone, clone.log_newest("HEAD", "--"))
    assert [line.file for line in newest] == ["memory/note.md"] * 2


ROWS = [
    *("Actor: manual", "Actor: bot:main", "Actor: Tom", "Approval: auto", "Trigger: x", "words"),
    *("Memory-Id: core:a", "Memory-Id:   b  c", "memory-id: d", "Memory-Id: ", "", " more", "\t"),
]


@given(st.lists(st.lists(st.sampled_from(ROWS), max_size=6).map("\n".join), min_size=1, max_size=4))
def test_trailers_that_were_seen_before_say_what_they_say_alone(texts: list[str]) -> None:
    cache = audit_lines.TrailerCache()
    for text in (*texts, *texts):
        for whole in (text, f"a subject\n\n{text}", f"a subject\n\nbody\n\n{text}\n"):
            read = message.parse(whole)
            named = message.trailer_values(read, "Memory-Id")
            assert cache.read(whole) == (message.actor(read), message.approval(read), named)
