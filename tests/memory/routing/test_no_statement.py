"""A `no,` before a statement announces it; alone it is small talk."""

from __future__ import annotations

import pytest

from molt.memory.engines import rules


@pytest.mark.parametrize(
    "text",
    [
        "no, I work at Initech",
        "no, I don't work at Acme any more",
        "No, it's Tuesday",
        "no, my sister is called Ann",
    ],
)
def test_a_no_before_a_statement_is_a_correction(text: str) -> None:
    answer = rules.answer_text(text)
    assert (answer.store, answer.type) == ("episodic", "correction")


@pytest.mark.parametrize("text", ["no", "No.", "no, thanks", "no, it is all good"])
def test_a_bare_no_is_small_talk(text: str) -> None:
    assert rules.answer_text(text).store == "none"


@pytest.mark.parametrize("text", ["no, my sister is called Ann", "No, Bo uses Vim"])
def test_a_no_is_part_of_no_name(text: str) -> None:
    answer = rules.answer_text(text)
    assert not [one for one in answer.entities if one.label.lower().startswith("no")]
    assert not answer.about.lower().startswith("no")
