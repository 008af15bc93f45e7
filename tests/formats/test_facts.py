"""The days on which facts hold, and what is said of them in brackets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import facts

DAYS = st.dates().map(str)


@pytest.mark.parametrize(
    ("fact", "span"),
    [
        ("Works at Acme", ("", "")),
        ("Works at Acme (since: 2026-01-01)", ("2026-01-01", "")),
        ("Works at Acme (since: 2026-01-01, until: 2026-06-30)", ("2026-01-01", "2026-06-30")),
        ("Works at Acme (until: 2026-06-30) (source: episode:x)", ("", "2026-06-30")),
        ("Works (since: 2026-01-01) at Acme", ("", "")),
        ("Works at Acme (since: always)", ("", "")),
        ("Works at Acme (a bank)", ("", "")),
    ],
)
def test_brackets_at_the_end_say_when_a_fact_holds(fact: str, span: tuple[str, str]) -> None:
    assert facts.read_span(fact) == span


@given(st.text(alphabet="ab (),:x"), DAYS | st.just(""), DAYS | st.just(""))
def test_what_was_dated_is_read_again(text: str, since: str, until: str) -> None:
    if facts.read_span(text) == ("", ""):
        assert facts.read_span(facts.date_fact(text, since, until)) == (since, until)


def test_a_fact_holds_on_its_days() -> None:
    fact = facts.date_fact("Works at Acme", "2026-01-01", "2026-06-30")
    days = ("2025-12-31", "2026-01-01", "2026-06-30", "2026-07-01")
    assert [facts.holds(fact, day) for day in days] == [False, True, True, False]
    assert facts.holds(fact)
    assert not facts.holds(f"~~{fact}~~", "2026-02-01")


def test_a_fact_is_superseded_by_its_words_alone() -> None:
    text = "# Ada\n\n## Facts\n- Works at Acme (since: 2026-01-01) (source: episode:x)\n"
    after = facts.supersede_fact(text, "works at acme", "2026-07-01", "Works at Globex")
    assert after == text
    after = facts.supersede_fact(text, "Works at Acme", "2026-07-01", "Works at Globex")
    assert "- ~~Works at Acme (since: 2026-01-01) (source: episode:x)~~ (until 2026-07-01" in after
    assert after.endswith("- Works at Globex\n")


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        pytest.param("likes tea (source: notes)", "likes tea", id="source"),
        pytest.param("likes tea (since: 2026-01-01)  (origin: web) ", "likes tea", id="several"),
        pytest.param("likes tea (source: plan (old).md)", "likes tea", id="brackets-within"),
        pytest.param("two\n  rows (origin: web)", "two\n  rows", id="spaces-stay"),
        pytest.param("tea (source: a) and (green)", "tea (source: a) and (green)", id="not-last"),
        pytest.param("(source: notes)", "(source: notes)", id="nothing-else"),
        pytest.param("a smile :)", "a smile :)", id="unopened"),
        pytest.param("", "", id="empty"),
    ],
)
def test_what_brackets_say_of_a_fact_is_no_part_of_it(fact: str, said: str) -> None:
    assert facts.strip_asides(fact) == said
