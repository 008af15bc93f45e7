"""A bullet of core memory that quotes a memory takes no second place beside it."""

from __future__ import annotations

from molt.index.search.candidates import Candidate
from molt.memory.search import quotes

ENTRY = "episode:2026-02-01:10:00:00"


def make(number: int, memory: str, text: str, score: float) -> tuple[Candidate, float]:
    store = memory.partition(":")[0].replace("episode", "episodic")
    return Candidate(number, "x.md", 1, 1, memory, store, "", (), "", text, score=score), 1.0


SAID = make(1, ENTRY, "Ada: we paint the hull green in March", 0.5)
OTHER = make(2, "episode:2026-02-02:10:00:00", "the hull is dry", 0.4)


def test_what_is_quoted_stands_where_the_better_stood() -> None:
    bullet = make(3, "core:a#1", f"Facts\n- We paint the hull green (source: {ENTRY})", 0.9)
    found = quotes.merge_quotes([bullet, SAID, OTHER])
    assert [one.memory_id for one, _ in found] == [ENTRY, OTHER[0].memory_id]
    assert found[0][0].score == 0.9


def test_a_bullet_in_words_of_its_own_stays() -> None:
    bullet = make(3, "core:a#1", f"Facts\n- Green is what Ada likes best (source: {ENTRY})", 0.9)
    assert quotes.merge_quotes([bullet, SAID, OTHER]) == [bullet, SAID, OTHER]


def test_a_bullet_whose_source_is_not_found_stays() -> None:
    bullet = make(3, "core:a#1", f"Facts\n- We paint the hull green (source: {ENTRY})", 0.9)
    assert quotes.merge_quotes([bullet, OTHER]) == [bullet, OTHER]


def test_signs_without_spaces_are_compared_too() -> None:
    said = make(1, ENTRY, "我挺喜欢那个绿色的水壶的。", 0.5)
    bullet = make(3, "core:a#1", f"Facts\n- 我挺喜欢那个绿色的水壶的 (source: {ENTRY})", 0.9)
    other = make(4, "core:a#2", f"Facts\n- 我住在江边的小楼里 (source: {ENTRY})", 0.3)
    found = quotes.merge_quotes([bullet, said, other])
    assert [one.memory_id for one, _ in found] == [ENTRY, "core:a#2"]


def test_a_stop_at_the_end_makes_no_other_words() -> None:
    said = make(1, ENTRY, "Ada: I paint hulls, in March.", 0.5)
    bullet = make(3, "core:a#1", f"Facts\n- Ada: I paint hulls in March (source: {ENTRY})", 0.9)
    assert [one.memory_id for one, _ in quotes.merge_quotes([bullet, said])] == [ENTRY]
