"""What a commit message says, and what is none of its trailers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import message

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)


@given(words, words, words)
def test_what_is_rendered_is_read_back(summary: str, body: str, trigger: str) -> None:
    text = message.render(
        "EDIT",
        "a.md",
        summary,
        message.Provenance(actor="bot:main", approval="auto", trigger=trigger),
        body=body,
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
    message.classify_subject(text)


def test_the_notice_below_the_trailers_is_understood() -> None:
    read = message.parse(
        "[EDIT] SOUL.md — tone\nActor: manual\nApproval: —\nTrigger: t\n⚠️ CRITICAL FILE CHANGED\n"
    )
    assert message.actor(read) == "manual"
    assert read.body == message.CRITICAL_NOTICE


def test_an_actor_in_the_body_is_no_trailer() -> None:
    read = message.parse("[EDIT] a — b\n\nActor: manual\n\nActor: bot:main\nApproval: auto\n")
    assert message.trailer_values(read, "Actor") == ("bot:main",)


@pytest.mark.parametrize("actor", ["manual", "bot:main", "bot:commit-from:a.b", "reflection:r-012"])
def test_known_actors_are_valid(actor: str) -> None:
    assert message.is_valid_actor(actor)


@pytest.mark.parametrize(
    "actor", ["", "bot", "bot:", "manual:x", "root:x", "bot:a b", "bot:a\n", "bot:日", "bot:mаin"]
)
def test_other_actors_are_not(actor: str) -> None:
    assert not message.is_valid_actor(actor)


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        ("Merge branch 'x' into main", "merge"),
        ("Merge pull request #12 from a/b", "merge"),
        ("Merge notes of two days", ""),
        ("Title (#12)", "forge"),
        ("fixup! [EDIT] a — b", "draft"),
        ("squash! x", "draft"),
        ("amend! x", "draft"),
        ('Revert "x"', "revert"),
        ('Reapply "x"', "revert"),
        ("Revert to the old tone", ""),
        ("softer tone", ""),
        ("", ""),
    ],
)
def test_what_git_and_forges_write_is_told_from_words(subject: str, kind: str) -> None:
    assert message.classify_subject(f"{subject}\n\nwhy\n") == kind


@pytest.mark.parametrize(
    "paragraph",
    [
        "Actor: Tom Hanks",
        "Actor: Tom Hanks\nApproval: pending from Ada",
        "Actor: manual work was needed\nand more",
    ],
)
def test_a_last_paragraph_that_only_looks_like_trailers_is_prose(paragraph: str) -> None:
    read = message.parse(f"[EDIT] a.md — the cast\n\n{paragraph}\n")
    assert read.trailers == ()
    assert read.body == paragraph


def test_trailers_of_git_alone_are_trailers() -> None:
    read = message.parse("[EDIT] a.md — x\n\nSigned-off-by: A <a@b>\n")
    assert read.trailers == (("Signed-off-by", "A <a@b>"),)


@pytest.mark.parametrize("dash", [" — ", " -- ", " - ", " —"])
def test_a_dash_stands_between_file_and_summary(dash: str) -> None:
    assert message.parse_subject(f"[EDIT] a.md{dash}softer") == ("EDIT", "a.md", "softer")


def test_who_says_that_two_acted_names_nobody() -> None:
    said = "[EDIT] a.md — x\n\nActor: manual\nActor: bot:main\nApproval: auto\nTrigger: t\n"
    assert message.actor(message.parse(said)) == ""
    assert message.actor(message.parse(said.replace("bot:main", "manual"))) == "manual"
