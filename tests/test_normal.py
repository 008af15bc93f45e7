"""Normal forms: Unicode's own, but for rows of marks that no writing has."""

from __future__ import annotations

import sys
import unicodedata
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.index.content import words
from molt.normal import normalize

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
MARKS = "\u0301\u0316\u0334\u0344"
JOINER = "\u034f"
LONG = "x" * 2_000


def standard(form: str, text: str) -> str:
    return unicodedata.normalize(form, text)  # type: ignore[arg-type]  # noqa: TID251, on short rows


def longest_row(text: str) -> int:
    """How many signs with a combining class follow one another at most."""
    rows = groupby(standard("NFD", text), lambda char: unicodedata.combining(char) > 0)
    return max((len(list(row)) for marked, row in rows if marked), default=0)


@pytest.mark.parametrize("form", FORMS)
@given(text=st.text(st.characters(exclude_categories=["Mn"])), behind=st.text(MARKS, max_size=30))
def test_what_people_write_has_the_form_of_the_standard(form: str, text: str, behind: str) -> None:
    # A row that ends one text may go on in the next.
    for one in (f"{text}a{behind}a", f"{text}a{behind}a{LONG}"):
        assert normalize(form, one) == standard(form, one)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMS)
@given(marks=st.text(MARKS, min_size=31, max_size=200))
def test_a_row_of_marks_is_sorted_in_parts(form: str, marks: str) -> None:
    found = normalize(form, f"{LONG}e{marks}e")  # type: ignore[arg-type]
    assert longest_row(found) <= 2 * 31  # one mark may be two in another form
    without = standard("NFD", found).replace(JOINER, "")
    assert sorted(without) == sorted(standard("NFD", f"{LONG}e{marks}e"))


@pytest.mark.parametrize("line", ["─" * 200, "。" * 200, "🙂" * 200])
def test_a_row_of_other_signs_stays(line: str) -> None:
    assert normalize("NFC", LONG + line) == LONG + line


def test_no_letter_but_two_is_a_mark_in_another_form() -> None:
    """Those that `normalize` knows: a row of any other would be one that it does not cut."""
    letters = (chr(code) for code in range(sys.maxunicode + 1) if chr(code).isalnum())
    found = [one for one in letters if unicodedata.combining(standard("NFKD", one)[0])]
    assert found == ["\uff9e", "\uff9f"]


@pytest.mark.parametrize("pair", ["\u0301\u0316", "\uff9e\u0301"], ids=["marks", "kana"])
def test_a_note_of_marks_alone_is_read_to_its_end(pair: str) -> None:
    """A megabyte took hours: the work would not end in any time that a test has."""
    assert words.fold_text("a" + pair * 500_000).count(JOINER) > 30_000
