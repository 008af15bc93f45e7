"""The block in the instructions of agents: put in, brought up, and nobody else's text touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats.prose import instructions

_PROSE = st.text(st.sampled_from("ab#\n `<!-"), max_size=30)


@given(_PROSE, _PROSE)
def test_text_around_the_block_stays(before: str, after: str) -> None:
    old = "<!-- molt: begin -->\nold\n<!-- molt: end -->\n"
    text = f"{before}\n{old}{after}"
    assert instructions.put_block(text) == f"{before}\n{instructions.BLOCK}{after}"


@given(_PROSE)
def test_a_second_time_changes_nothing(text: str) -> None:
    once = instructions.put_block(text)
    assert once.startswith(text)
    assert instructions.put_block(once) == once
    assert instructions.is_current(once)


def test_lines_end_as_those_around_it() -> None:
    text = instructions.put_block("# Mine\r\n")
    assert text.count("\n") == text.count("\r\n")
    assert instructions.put_block(text) == text


def test_a_mark_in_somebodys_prose_is_prose() -> None:
    text = "we write `<!-- molt: begin` here\n"
    assert instructions.find_block(text) is None


def test_a_block_without_its_end_is_not_guessed() -> None:
    with pytest.raises(ValueError, match="substring"):
        instructions.put_block("<!-- molt: begin -->\nmine?\n")


def test_of_the_block_only_empty_lines_are_searched() -> None:
    text = f"one\n\n{instructions.BLOCK}last\n"
    assert instructions.blank_block(text).split() == ["one", "last"]
    assert instructions.blank_block(text).count("\n") == text.count("\n")
