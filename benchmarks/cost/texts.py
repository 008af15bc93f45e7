"""What people wrote: the texts that workspaces are filled with."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SHIPPED = Path(__file__).parents[1] / "sets"
WHERE = "MOLT_BENCH_DATA"


class Texts(NamedTuple):
    """Texts on one line each, and where they come from, for the table."""

    lines: tuple[str, ...]
    origin: str

    def take(self, count: int) -> Iterator[str]:
        """As many texts; after the last one they come again, each with the end of another.

        A text that came twice as it is would be one row of the index's dictionary, and one vector.
        """
        for number in range(count):
            turn, at = divmod(number, len(self.lines))
            line = self.lines[at]
            # A step that is prime brings together other halves in each turn.
            other = self.lines[(at + turn * 7919) % len(self.lines)]
            yield _join_halves(line, other) if turn else line

    def take_short(self, count: int) -> Iterator[str]:
        """As many texts of the length of a memory: whole words of the first 200 characters."""
        return (text[:200].rpartition(" ")[0] or text[:60] for text in self.take(count))

    def describe(self, count: int) -> str:
        """The origin of as many texts, with how often each has to serve."""
        if count <= len(self.lines):
            return self.origin
        return f"{self.origin}, each {-(-count // len(self.lines))} times with variation"


def _join_halves(one: str, other: str) -> str:
    words, more = one.split(" "), other.split(" ")
    return " ".join([*words[: len(words) // 2 + 1], *more[len(more) // 2 :]])


def read() -> Texts:
    """The sets below the folder that MOLT_BENCH_DATA names, or those that ship.

    A set is a folder with `corpus.jsonl`, of which each line has a `text`.
    """
    given = os.environ.get(WHERE, "")
    folder = Path(given) if given else SHIPPED
    sets = sorted(folder.glob("*/corpus.jsonl"))
    if not sets:
        raise SystemExit(f"{WHERE}: no set in {folder}: a set is a folder with a corpus.jsonl")
    lines = tuple(line for one in sets for line in _read_set(one))
    said = f"{len(lines):,} texts of {len(sets)} sets"
    return Texts(lines, said if given else f"{said} that ship")


def _read_set(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            text = clean(str(json.loads(line)["text"]))
            if text:
                yield text


def clean(text: str) -> str:
    """A text on one line, without what no memory may hold."""
    words = "".join(char if char.isprintable() else " " for char in text).split()
    # A heading inside an entry would begin another one.
    return " ".join(words).lstrip("#-*+> ")
