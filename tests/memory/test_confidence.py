from __future__ import annotations

import pytest

from molt.index.search.candidates import Candidate
from molt.memory.search import confidence

ASKED = "外婆做的粽子里放了什么馅？"


def make_found(among: int, *, vector: float = 0.4, told: float = 0.6) -> Candidate:
    return Candidate(
        chunk_id=1,
        path="memory/a.md",
        start=1,
        end=1,
        memory_id="",
        store="episodes",
        type="",
        tags=(),
        date="",
        text="",
        vector=vector,
        share=0.6,
        exact=0.4,
        told=told,
        among=among,
    )


@pytest.mark.parametrize(("few", "many"), [(10, 80), (80, 200), (200, 290)])
def test_the_same_match_says_less_among_more_pieces(few: int, many: int) -> None:
    rating = confidence.find_calibration("static", ASKED)
    first, second = (confidence.rate_candidate(make_found(n), rating) for n in (few, many))
    assert first > second


def test_half_as_many_pieces_double_the_odds() -> None:
    rating = confidence.find_calibration("static", ASKED)
    one, two = (confidence.rate_candidate(make_found(n), rating) for n in (100, 200))
    assert one / (1 - one) == pytest.approx(2 * two / (1 - two))


def test_nearness_alone_is_no_answer_where_no_word_matches() -> None:
    rating = confidence.find_calibration("static", ASKED)
    found = make_found(100, vector=0.3, told=0.0).replace(share=0.0, exact=0.0)
    assert confidence.rate_candidate(found, rating) < 0.1
