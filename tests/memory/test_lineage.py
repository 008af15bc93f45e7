"""The story of a memory through edits that nobody announced, and who wrote each line."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from molt import errors
from molt.memory.why import blame, lineage
from molt.memory.workspace import Workspace

MESSAGE = "[EDIT] {} — {}\n\nActor: {}\nApproval: {}\nTrigger: t\n"
CORE = (
    "# Memory\n\n## Critical Facts\n- The harbour closes at nine in the evening\n- Tea, no coffee\n"
)


@pytest.fixture
def root(ws: Workspace) -> Path:
    return Path(ws.repo.root)


@pytest.fixture
def commit(root, git, monkeypatch):
    """Commits a file, each time a minute later."""
    minutes = itertools.count()

    def run(path: str, text: str, *, said: str = "") -> str:
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{2_000_000_000 + 60 * next(minutes)} +0000")
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        git(root, "add", "-A")
        git(root, "commit", "-q", "--no-verify", "-m", said or "by hand")
        return str(git(root, "rev-parse", "HEAD")).strip()

    return run


def tell(ws: Workspace, ref: str) -> list[tuple[str, str]]:
    return [(one.line.commit, one.was) for one in lineage.tell_story(ws, ref)]


def bullet(ws: Workspace, number: int) -> str:
    return blame.blame_file(ws, f"MEMORY.md#L{number}")[0].memory


def test_a_bullet_stays_the_same_one_through_edits_by_hand(ws, commit) -> None:
    first = commit("MEMORY.md", CORE)
    second = commit("MEMORY.md", CORE.replace("nine", "ten"))
    # It is moved, and then edited again where it stands now.
    rows = CORE.replace("nine", "ten").split("\n")
    commit("MEMORY.md", "\n".join([*rows[:3], rows[4], rows[3], ""]))
    third = commit("MEMORY.md", "\n".join([*rows[:3], rows[4], rows[3].replace("The", "Our"), ""]))
    assert tell(ws, bullet(ws, 5)) == [
        (first, ""),
        (second, "- The harbour closes at nine in the evening"),
        (third, "- The harbour closes at ten in the evening"),
    ]
    assert tell(ws, "MEMORY.md#L4") == [(first, "")]


def test_what_molt_wrote_and_a_person_edited_is_one_story(ws, commit) -> None:
    commit("MEMORY.md", CORE)
    name = bullet(ws, 5)
    named = MESSAGE.format("MEMORY.md", "milk", "bot:main", "auto") + f"Memory-Id: {name}\n"
    commit("a.md", "x\n", said=named)
    edited = commit("MEMORY.md", CORE.replace("Tea, no", "Green tea, no"))
    told = lineage.tell_story(ws, bullet(ws, 5))
    assert [one.line.summary for one in told] == ["by hand", "milk", "by hand"]
    assert told[-1].line.commit == edited
    assert told[-1].author == "Ada"


def test_another_line_in_its_place_is_another_memory(ws, commit) -> None:
    commit("MEMORY.md", CORE)
    other = commit("MEMORY.md", CORE.replace("Tea, no coffee", "The boat is called Möwe"))
    assert tell(ws, bullet(ws, 5)) == [(other, "")]


def test_a_file_is_told_of_under_its_former_name(ws, commit, root, git) -> None:
    text = "# Trip\n\nTo the islands, by boat.\n"
    first = commit("memory/notes/trip.md", text)
    git(root, "mv", "memory/notes/trip.md", "memory/notes/islands.md")
    second = commit("memory/notes/more.md", "more\n")
    assert tell(ws, "memory/notes/islands.md") == [(first, ""), (second, ""), (second, "")]
    assert tell(ws, "memory/notes/none.md") == []


def test_a_file_of_many_memories_is_told_of_with_what_names_them(ws, commit) -> None:
    made = commit("MEMORY.md", CORE)
    named = MESSAGE.format("MEMORY.md", "juice", "bot:main", "auto") + "Memory-Id: core:x#1\n"
    second = commit("MEMORY.md", CORE.replace("coffee", "juice"), said=named)
    commit("MEMORY[.]md", "another file\n")
    assert tell(ws, "MEMORY.md")[1:] == [(made, ""), (second, "")]


def test_words_that_were_are_told_without_secrets(ws, commit) -> None:
    key = "AKIA" + "Z3QPLMN7RTUVWXY2"
    commit("MEMORY.md", CORE.replace("in the evening", f"with {key}"))
    commit("MEMORY.md", CORE)
    (_, (_, was)) = tell(ws, bullet(ws, 4))
    assert was.startswith("- The harbour closes at nine with")
    assert key not in was


def test_the_story_goes_on_where_history_was_rewritten(ws, commit, root, git) -> None:
    commit("MEMORY.md", CORE)
    commit("MEMORY.md", CORE.replace("nine", "ten"))
    tell(ws, bullet(ws, 4))
    git(root, "reset", "-q", "--hard", "HEAD^")
    last = commit("MEMORY.md", CORE.replace("nine", "eleven"))
    assert tell(ws, bullet(ws, 4))[-1] == (last, "- The harbour closes at nine in the evening")


def test_each_line_says_who_wrote_it(ws, commit, root) -> None:
    first = commit("MEMORY.md", CORE)
    said = MESSAGE.format("MEMORY.md", "later", "bot:main", "auto")
    second = commit("MEMORY.md", CORE.replace("nine", "ten"), said=said)
    (root / "MEMORY.md").write_text(CORE.replace("nine", "ten") + "- A boat\n")
    lines = blame.blame_file(ws, "MEMORY.md")
    assert [one.written.commit for one in lines[3:]] == [second, first, ""]
    assert [one.text for one in lines][-1] == "- A boat"
    told = lines[3].written
    assert (told.actor, told.action, told.summary, told.trigger) == (
        *("bot:main", "EDIT", "later", "t"),
    )
    assert lines[4].written.author == "Ada"
    before = blame.blame_file(ws, "MEMORY.md#L4", rev="HEAD^")
    assert [one.written.commit for one in before] == [first]


def test_a_line_says_by_whose_leave_it_is_there(ws, commit) -> None:
    said = MESSAGE.format("MEMORY.md", "core", "reflection:r-001", "approved")
    commit("MEMORY.md", CORE, said=f"{said}Reflection: r-001\n")
    merge = "[MERGE] memory/* — reflection r-001 approved\n\nActor: manual\nApproval: approved\n"
    approved = commit("a.md", "1\n", said=f"{merge}Trigger: t\nReflection: r-001\n")
    other = commit("a.md", "1\n2\n", said=MESSAGE.format("a.md", "two", "bot:main", "auto"))
    ack = f"[ACK] * — fine\n\nActor: manual\nApproval: —\nTrigger: t\nAccepts: {other} MSG007\n"
    accepted = commit("b.md", "b\n", said=ack)
    (line, *_) = blame.blame_file(ws, "MEMORY.md#L4")
    assert [one.asdict() for one in line.written.leave] == [
        {"by": "Ada", "commit": approved, "what": "approved"}
    ]
    (*_, line) = blame.blame_file(ws, "a.md")
    assert [(one.commit, one.what) for one in line.written.leave] == [(accepted, "MSG007")]


@pytest.mark.parametrize("ref", ["none.md", "MEMORY.md#L900", "entity:person--nobody", "-x", ""])
def test_what_is_not_there_has_no_lines(ws, commit, ref) -> None:
    commit("MEMORY.md", CORE)
    with pytest.raises(errors.NotFound):
        blame.blame_file(ws, ref)


def test_names_with_odd_characters_are_read_as_git_quotes_them(ws, commit, root, git) -> None:
    odd = 'memory/notes/a "b" ü\t.md'
    commit(odd, "one\ntwo\n")
    git(root, "mv", odd, "memory/notes/plain.md")
    commit("memory/notes/plain.md", "one\nthree\n")
    (first, second) = blame.blame_file(ws, "memory/notes/plain.md")
    assert (first.text, second.text) == ("one", "three")
