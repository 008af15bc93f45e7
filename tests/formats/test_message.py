from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import message
from molt.trees import Entry, FileChange

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
paths = st.sampled_from(["SOUL.md", "MEMORY.md", "memory/vault/a b.md", "memory/vault/日.md"])
changes = st.lists(
    st.tuples(st.sampled_from("AMD"), paths), max_size=4, unique_by=lambda pair: pair[1]
).map(lambda pairs: tuple(change(*pair) for pair in pairs))
drafts = st.lists(
    st.sampled_from(["Actor: manual", "Note: x", "", "# a comment", "#", "[EDIT] a.md - b", "[X"])
    | words,
    max_size=8,
).map("\n".join)


def change(status: str, path: str) -> FileChange:
    old = None if status == "A" else Entry("1" * 40)
    return FileChange(status, path, old, None if status == "D" else Entry("2" * 40))


@given(drafts, changes)
def test_completing_twice_is_completing_once(text: str, changed: tuple[FileChange, ...]) -> None:
    once = message.complete(text, changed, "manual", ("SOUL.md",))
    assert message.complete(once, changed, "manual", ("SOUL.md",)) == once


@given(words, words, words)
def test_what_is_rendered_is_read_back(summary: str, body: str, trigger: str) -> None:
    text = message.render(
        "EDIT", "a.md", summary, body=body, actor="bot:main", approval="auto", trigger=trigger
    )
    read = message.parse(text)
    assert (read.action, read.file) == ("EDIT", "a.md")
    assert message.actor(read) == "bot:main"
    assert message.approval(read) == "auto"
    assert len(message.trailer_values(read, "trigger")) == 1


@given(st.text())
def test_parsing_never_raises(text: str) -> None:
    message.parse(text)
    message.is_valid_actor(text)
    message.is_merge_or_forge(text)


def test_a_plain_sentence_becomes_the_schema() -> None:
    text = message.complete("softer tone\n\n# help\n", (change("M", "SOUL.md"),), "manual")
    read = message.parse(message.strip_comments(text))
    assert read.subject == "[EDIT] SOUL.md — softer tone"
    assert read.trailers == (
        ("Actor", "manual"),
        ("Approval", "—"),
        ("Trigger", "direct human edit"),
    )
    assert text.endswith("# help\n")


def test_a_hyphen_between_file_and_summary_is_accepted_and_rewritten() -> None:
    text = message.complete("[EDIT] a-b.md -- c - d", (change("M", "a-b.md"),), "manual")
    assert text.startswith("[EDIT] a-b.md — c - d\n")


def test_a_critical_change_gets_its_notice_above_the_trailers() -> None:
    text = message.complete("x", (change("M", "SOUL.md"),), "manual", ("SOUL.md",))
    assert message.parse(text).body == message.CRITICAL_NOTICE


def test_the_notice_below_the_trailers_is_understood() -> None:
    read = message.parse(
        "[EDIT] SOUL.md — tone\nActor: manual\nApproval: —\nTrigger: t\n⚠️ CRITICAL FILE CHANGED\n"
    )
    assert message.actor(read) == "manual"
    assert read.body == message.CRITICAL_NOTICE


def test_an_actor_in_the_body_is_no_trailer() -> None:
    read = message.parse("[EDIT] a — b\n\nActor: manual\n\nActor: bot:main\nApproval: auto\n")
    assert message.trailer_values(read, "Actor") == ("bot:main",)


@pytest.mark.parametrize(
    ("pairs", "subject"),
    [
        ((("A", "a.md"),), "[CREATE] a.md — s"),
        ((("D", "a.md"),), "[DELETE] a.md — s"),
        ((("M", "x/a.md"), ("A", "x/y/b.md")), "[EDIT] x/* — s"),
        ((("M", "a.md"), ("M", "memory/meta/decay-scores.json")), "[EDIT] a.md — s"),
        ((), "[EDIT] * — s"),
    ],
)
def test_action_and_file_follow_from_the_change(
    pairs: tuple[tuple[str, str], ...], subject: str
) -> None:
    text = message.complete("s", tuple(change(*pair) for pair in pairs), "manual")
    assert text.split("\n")[0] == subject


def test_a_move_is_a_rename_and_an_addition_at_the_end_an_append() -> None:
    same = Entry("1" * 40)
    moved = (FileChange("D", "x/a", same, None), FileChange("A", "x/b", None, same))
    assert message.complete("s", moved, "manual").startswith("[RENAME] x/* — s")
    log = (change("M", "a.md"),)
    assert message.complete("s", log, "manual", (), {"a.md"}).startswith("[APPEND] a.md")


@pytest.mark.parametrize("text", ["Merge branch 'x'\n", "Title (#12)\n", "fixup! [EDIT] a — b\n"])
def test_subjects_of_git_and_forges_are_left_alone(text: str) -> None:
    assert message.complete(text, (change("M", "a"),), "manual") == text


@pytest.mark.parametrize("actor", ["manual", "bot:main", "bot:commit-from:日", "reflection:r-012"])
def test_known_actors_are_valid(actor: str) -> None:
    assert message.is_valid_actor(actor)


@pytest.mark.parametrize("actor", ["", "bot", "bot:", "manual:x", "root:x", "bot:a b", "bot:a\n"])
def test_other_actors_are_not(actor: str) -> None:
    assert not message.is_valid_actor(actor)


def test_git_reads_the_same_trailers_and_strips_the_same_lines(tmp_path: Path) -> None:
    text = message.complete("s\n\nwhy\n# c\n", (change("M", "SOUL.md"),), "manual", ("SOUL.md",))
    out = subprocess.run(
        ["git", "interpret-trailers", "--parse"],
        input=text.encode(),
        capture_output=True,
        check=True,
    ).stdout.decode()
    pairs = message.parse(message.strip_comments(text)).trailers
    assert out == "".join(f"{key}: {value}\n" for key, value in pairs)
    stripped = subprocess.run(
        ["git", "stripspace", "-s"], input=text.encode(), capture_output=True, check=True
    ).stdout.decode()
    assert message.strip_comments(text) == stripped
