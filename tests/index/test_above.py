"""What a text is lifted for beside its words: it looks like the answer that is asked for."""

from __future__ import annotations

import pytest

from molt.index.search import above, candidates, rank


@pytest.mark.parametrize(
    ("asked", "answer", "other"),
    [
        ("how many lamps does the harbour have", "It has 14 lamps.", "It has lamps."),
        ("where does Vera live", "- Location: Hamburg", "- The location is Hamburg."),
    ],
)
def test_what_looks_like_the_answer_is_lifted(asked: str, answer: str, other: str) -> None:
    found = [rank.Memory(at, at, 0.5, (at, 0, 9, 0, 0)) for at in (1, 2)]
    texts = {1: answer, 2: other}
    rows = {at: (at, "memory/a.md", 1, 1, "", "", "", "", "", texts[at]) for at in texts}
    scores = {1: 0.5, 2: 0.5}
    above.lift_titles(asked, found, rows, scores, rank.WEIGHTS)
    assert scores[1] > scores[2]


def test_columns_are_those_that_are_read() -> None:
    names = candidates.FIELDS.split(", ")
    told = ("c.path", "c.first", "c.memory_id", "c.store", "c.date", "c.text")
    columns = (above.PATH, above.FIRST, above.MEMORY, above.STORE, above.DATE, above.TEXT)
    assert tuple(names[at] for at in columns) == told
