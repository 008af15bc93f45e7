"""Of a large text the changed lines are found as if it had been taken apart whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from molt.policy import parted, texts
from molt.trees import DictTree

ROWS = st.lists(st.sampled_from([*"abcdefgh", "", "é" * 150, "a longer line of words"]))
EDITS = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 3), ROWS), max_size=6)


def edit(rows: list[str], edits: list[tuple[int, int, list[str]]]) -> list[str]:
    for at, gone, fresh in edits:
        rows = [*rows[:at], *(f"{row} {at}" for row in fresh), *rows[at + gone :]]
    return rows


@given(ROWS, st.integers(1, 40), EDITS, st.sampled_from(["", "\n"]), st.sampled_from(["", "\n"]))
def test_lines_that_are_nowhere_in_the_text_before_are_found(rows, times, edits, one, two) -> None:
    before = [f"{row} {n // 7}" for n, row in enumerate(rows * times)]
    old, new = "\n".join(before) + one, "\n".join(edit(before, edits)) + two
    known = frozenset(old.split("\n"))
    wanted = [
        (number, line)
        for number, line in enumerate(new.split("\n"), 1)
        if line and line not in known
    ]
    found = [(n, line.decode()) for n, line in parted.list_fresh(old.encode(), new.encode())]
    assert found == wanted
    cut = parted.cut_changed(old.encode(), new.encode()).decode().split("\n")
    assert {line for _, line in wanted} <= set(cut)


def test_of_a_large_file_the_parts_that_changed_are_told() -> None:
    rows = [f"line {number} of some words" for number in range(20_000)]
    old = "\n".join(rows).encode()
    rows[300], rows[19_000] = "other\twords", rows[5]
    rows.insert(9_000, "more\x07")
    new = "\n".join(rows).encode()
    lines = texts.AddedLines(*(DictTree({"a.md": data}) for data in (old, new)))

    assert len(lines.read_part("a.md")) < 200
    assert set(lines.read_some("a.md")) >= {"other\twords", "more\x07"}
    assert lines.read("a.md") == ((301, "other\twords"), (9001, "more\x07"))
    assert list(lines.list_odd("a.md")) == [(9001, "\x07", "more\x07")]
