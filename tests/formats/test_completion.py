"""Anybody's words made a commit message: what is completed, corrected, kept, and left to git."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from molt.formats import completion, message
from molt.formats.completion import Cleanup, CommitFacts
from molt.trees import Entry, FileChange

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
paths = st.sampled_from(["SOUL.md", "MEMORY.md", "memory/vault/a b.md", "memory/vault/日.md"])
changes = st.lists(
    st.tuples(st.sampled_from("AMD"), paths), max_size=4, unique_by=lambda pair: pair[1]
).map(lambda pairs: tuple(change(*pair) for pair in pairs))
ROWS = (
    *(
        "Actor: manual",
        "Note: x",
        "",
        "# a comment",
        "#",
        "[EDIT] a.md - b",
        "[X",
        "Merge branch 'x'",
    ),
    *("fixup! x", "Actor: bot:main", "[CREATE] SOUL.md —", "Accepts: EPI001 — why", " indented"),
)
drafts = st.lists(st.sampled_from(ROWS) | words, max_size=8).map("\n".join)
cleanups = st.builds(Cleanup, st.sampled_from("#;"), st.booleans(), st.booleans())
TRAILERS = "Actor: manual\nApproval: —\nTrigger: direct human edit\n"


def change(status: str, path: str) -> FileChange:
    old = None if status == "A" else Entry("1" * 40)
    return FileChange(status, path, old, None if status == "D" else Entry("2" * 40))


def facts(*pairs: tuple[str, str], appended: frozenset[str] = frozenset()) -> CommitFacts:
    changed = tuple(change(*pair) for pair in pairs)
    critical = tuple(path for _, path in pairs if path == "SOUL.md")
    return CommitFacts(changes=changed, appended=appended, critical=critical)


A = facts(("M", "a.md"))


def subject(text: str, about: CommitFacts = A) -> str:
    return completion.complete(text, about).partition("\n")[0]


@given(drafts, changes, cleanups)
def test_completing_twice_is_completing_once(
    text: str, changed: tuple[FileChange, ...], cleanup: Cleanup
) -> None:
    about = CommitFacts(changes=changed, critical=("SOUL.md",))
    once = completion.complete(text, about, cleanup)
    assert completion.complete(once, about, cleanup) == once


@example("Actor: manual\nActor: manual\n \nNote: x", (), Cleanup("#"))
@given(drafts, changes, cleanups)
def test_what_is_completed_says_who_and_nothing_is_lost(
    text: str, changed: tuple[FileChange, ...], cleanup: Cleanup
) -> None:
    done = completion.complete(text, CommitFacts(changes=changed), cleanup)
    said = completion.clean_message(done, cleanup)
    read = message.parse(said)
    # Who says two names is nobody, and is told so.
    if completion.has_words(said) and len({*message.trailer_values(read, "Actor")}) < 2:
        assert message.actor(read)
    kept = [row for row in text.split("\n") if cleanup.is_comment(row)]
    assert [row for row in done.split("\n") if cleanup.is_comment(row)] == kept


@given(words.filter(lambda text: text.strip()), changes)
def test_any_line_becomes_the_schema(text: str, changed: tuple[FileChange, ...]) -> None:
    done = completion.complete(text, CommitFacts(changes=changed))
    read = message.parse(done)
    assert message.classify_subject(done) or not completion.has_words(text) or read.file


def test_a_plain_sentence_becomes_the_schema() -> None:
    text = completion.complete("softer tone\n\n# help\n", facts(("M", "b.md")), Cleanup())
    assert text == f"[EDIT] b.md — softer tone\n\n{TRAILERS}\n# help\n"


def test_a_bot_signs_in_its_own_name() -> None:
    about = CommitFacts(actor="bot:main", changes=(change("M", "a.md"),))
    done = completion.complete("auto-backup", about)
    assert done.endswith("\n\nActor: bot:main\nApproval: auto\nTrigger: git commit\n")


def test_a_critical_change_gets_its_notice_above_the_trailers() -> None:
    text = completion.complete("x\n\nwhy\n", facts(("M", "SOUL.md")))
    assert text == f"[EDIT] SOUL.md — x\n\nwhy\n\n{message.CRITICAL_NOTICE}\n\n{TRAILERS}"


@pytest.mark.parametrize(
    ("pairs", "done"),
    [
        ((("A", "a.md"),), "[CREATE] a.md — s"),
        ((("D", "a.md"),), "[DELETE] a.md — s"),
        ((("M", "x/a.md"), ("A", "x/y/b.md")), "[EDIT] x/* — s"),
        ((("M", "a.md"), ("M", "memory/meta/decay-scores.json")), "[EDIT] a.md — s"),
        ((), "[EDIT] * — s"),
    ],
)
def test_action_and_file_follow_from_the_change(pairs: tuple[tuple[str, str]], done: str) -> None:
    assert subject("s", facts(*pairs)) == done


def test_a_move_is_a_rename_and_an_addition_at_the_end_an_append() -> None:
    same = Entry("1" * 40)
    moved = (FileChange("D", "x/a", same, None), FileChange("A", "x/b", None, same))
    assert subject("s", CommitFacts(changes=moved)) == "[RENAME] x/* — s"
    assert subject("s", facts(("M", "a.md"), appended=frozenset(["a.md"]))) == "[APPEND] a.md — s"


def test_a_merge_in_own_words_is_one() -> None:
    about = CommitFacts(changes=(change("M", "a.md"),), merges=True)
    assert subject("both days", about) == "[MERGE] a.md — both days"


@pytest.mark.parametrize(
    ("typed", "done"),
    [
        ("[EDIT] a.md -- c - d", "[EDIT] a.md — c - d"),
        ("[edit] a.md - c", "[EDIT] a.md — c"),
        ("[EDIT] softer", "[EDIT] a.md — softer"),
        ("[PIN] a.md — keep", "[PIN] a.md — keep"),
        ("[docs] readme - wording", "[EDIT] a.md — [docs] readme - wording"),
        ("[WIP] notes - more", "[EDIT] a.md — [WIP] notes - more"),
        ("[JIRA-123] fix", "[EDIT] a.md — [JIRA-123] fix"),
        ("[pin] deps - to 1.2", "[EDIT] a.md — [pin] deps - to 1.2"),
        ("EDIT SOUL.md", "[EDIT] a.md — EDIT SOUL.md"),
        ("#12 fix", "[EDIT] a.md — #12 fix"),
        ("[EDIT] a.md —softer", "[EDIT] a.md — softer"),
        ("softer[EDIT] a.md —", "[EDIT] a.md — softer"),
        ("softer[EDIT] a.md — tone", "[EDIT] a.md — softer tone"),
        ("[EDIT] a.md —", "[EDIT] a.md — no summary"),
    ],
)
def test_what_a_person_types_is_taken_as_it_was_meant(typed: str, done: str) -> None:
    assert subject(typed) == done


@pytest.mark.parametrize(
    ("reused", "done"),
    [
        ("[CREATE] other.md — first", "[EDIT] a.md — first"),
        ("[CREATE] a.md — first", "[EDIT] a.md — first"),
        ("[APPEND] a.md — first", "[EDIT] a.md — first"),
        ("[EDIT] x/* — first", "[EDIT] a.md — first"),
        ("[EDIT] *.md — first", "[EDIT] *.md — first"),
    ],
)
def test_a_subject_of_another_commit_tells_the_truth_about_this_one(reused: str, done: str) -> None:
    assert subject(reused) == done


def test_a_line_above_a_prepared_one_is_the_summary() -> None:
    text = f"softer tone\n[EDIT] a.md — \n\n{TRAILERS}"
    assert completion.complete(text, A) == f"[EDIT] a.md — softer tone\n\n{TRAILERS}"


def test_a_body_right_below_the_subject_is_a_paragraph_of_its_own() -> None:
    assert completion.complete("s\nwhy\n", A) == f"[EDIT] a.md — s\n\nwhy\n\n{TRAILERS}"


@pytest.mark.parametrize("text", ["Merge branch 'x'", "Title (#12)", "fixup! [EDIT] a — b"])
def test_subjects_of_git_and_forges_stay_and_are_signed(text: str) -> None:
    assert completion.complete(text, A) == f"{text}\n\n{TRAILERS}"


@pytest.mark.parametrize("text", ["Merge branch 'x'", "Title (#12)"])
def test_a_bot_does_not_speak_as_a_forge(text: str) -> None:
    about = CommitFacts(actor="bot:main", changes=A.changes)
    assert subject(text, about) == f"[EDIT] a.md — {text}"


def test_a_squash_of_two_is_signed_once() -> None:
    text = f"# of 2\n[EDIT] a.md — s\n\n{TRAILERS}\n# the second\n\nmore\n\n{TRAILERS}\n# help\n"
    done = completion.complete(text, A, Cleanup())
    assert completion.clean_message(done, Cleanup()) == f"[EDIT] a.md — s\n\nmore\n\n{TRAILERS}"


@pytest.mark.parametrize(
    "text", ["", "\n# help\n", "Accepts: EPI001 — why\n", "Signed-off-by: A\n"]
)
def test_what_says_nothing_stays_as_it_is(text: str) -> None:
    assert completion.complete(text, A, Cleanup()) == text


def test_trailers_of_an_option_join_the_others() -> None:
    done = completion.complete("s\n\nAccepts: EPI001 — why\n", A)
    assert done == f"[EDIT] a.md — s\n\nAccepts: EPI001 — why\n{TRAILERS}"


HELP = "# Please enter the commit message.\n#\n# On branch main\n"


def test_an_editor_opens_with_an_empty_line_and_is_told_what_follows() -> None:
    shown = completion.add_prompt(f"\n{HELP}", facts(("M", "SOUL.md")), Cleanup())
    rows = shown.split("\n")
    assert rows[0] == ""
    assert "[EDIT] SOUL.md — …" in rows[1]
    assert shown.endswith(HELP)
    assert completion.clean_message(shown, Cleanup()) == ""


@pytest.mark.parametrize("text", ["", "\n", "softer\n"])
def test_where_git_has_no_comments_nothing_is_added(text: str) -> None:
    assert completion.add_prompt(text, A, Cleanup()) == text


def test_below_the_scissors_nothing_reaches_the_message() -> None:
    cleanup = Cleanup(strips=False, cuts=True)
    text = f"\n# {completion.SCISSORS}\n# Everything below is ignored.\n#\n# On branch main\n"
    shown = completion.add_prompt(text, A, cleanup)
    assert "[EDIT] a.md" in shown
    assert completion.clean_message(shown, cleanup) == ""


def test_comments_that_git_keeps_are_not_added_to() -> None:
    cleanup = Cleanup(strips=False, cuts=False)
    assert completion.add_prompt(f"\n{HELP}", A, cleanup) == f"\n{HELP}"


def test_git_reads_the_same_trailers_and_strips_the_same_lines(tmp_path: Path) -> None:
    text = completion.complete("s\n\nwhy\n# c\n", facts(("M", "SOUL.md")), Cleanup())
    parsed = run_git("interpret-trailers", "--parse", text=text)
    pairs = message.parse(completion.clean_message(text, Cleanup())).trailers
    assert parsed == "".join(f"{key}: {value}\n" for key, value in pairs)
    assert completion.clean_message(text, Cleanup()) == run_git("stripspace", "-s", text=text)


def run_git(*args: str, text: str) -> str:
    done = subprocess.run(["git", *args], input=text.encode(), capture_output=True, check=True)
    return done.stdout.decode()
