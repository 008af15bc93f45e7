"""Words of a kind are one to a model: other words that ask for the same make the same runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import kinds, linear


def list_runs(text: str) -> set[int]:
    return kinds.list_runs(text, linear.PRIME)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Wipe it from your brain!", "purge that from ur memory!"),
        ("Don't tell me", "dont told us"),
        ("the boiler", "the blue kettle Ann"),
        ("把体重从脑子删掉。", "把房租从记忆抹去。"),
        ("Whenever you run the script", "whenever you push the tests"),
        ("此后用分支", "从此以后采用表格"),
    ],
    ids=[
        *("words of a kind", "apostrophes", "words of no kind", "Chinese", "what it does"),
        "what it does, in Chinese",
    ],
)
def test_words_of_a_kind_are_one(text: str, other: str) -> None:
    assert list_runs(text) == list_runs(other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("wipe it", "keep it"),
        ("it was you", "it was me"),
        ("Delete it. You did.", "Delete it you did."),
        ("do you keep it?", "do you keep it."),
        ("别记", "记"),
    ],
)
def test_what_asks_for_something_else_is_told_apart(text: str, other: str) -> None:
    assert list_runs(text) != list_runs(other)


def test_words_that_stand_apart_are_a_pair() -> None:
    near, far = list_runs("wipe Ann Lee brain"), list_runs("wipe Ann Lee")
    assert near - far
    assert list_runs("wipe Ann brain") == list_runs("wipe Ann Lee Poe brain")


def test_words_that_stand_far_apart_are_none() -> None:
    six, seven, eight = (list_runs(f"wipe {'you ' * count}brain") for count in (6, 7, 8))
    assert len(six - seven) == 1
    assert seven == eight


@given(st.text())
def test_any_text_has_runs_below_the_size(text: str) -> None:
    assert all(0 <= run < 97 for run in kinds.list_runs(text, 97))
