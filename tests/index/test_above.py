"""What a text is lifted for beside its words."""

from __future__ import annotations

from molt.index.search import above, candidates


def test_columns_are_those_that_are_read() -> None:
    names = candidates.FIELDS.split(", ")
    told = ("c.path", "c.first", "c.memory_id", "c.store", "c.date", "c.text")
    columns = (above.PATH, above.FIRST, above.MEMORY, above.STORE, above.DATE, above.TEXT)
    assert tuple(names[at] for at in columns) == told
