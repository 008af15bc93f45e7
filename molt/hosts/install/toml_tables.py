"""Where the tables of a TOML file stand in its text, so that one can be cut out of it."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from molt.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r"\"\"\"|'''|\"(?:\\.|[^\"\\])*\"|'[^']*'|#.*|[\[\]{}]")
_LONG = {
    '"""': re.compile(r"(?:\\.|[^\\])*?\"\"\"+", re.DOTALL),
    "'''": re.compile(r".*?'''+", re.DOTALL),
}
_DEPTH = {"[": 1, "{": 1, "]": -1, "}": -1}


class TomlTable(Value):
    """The keys of a table, and its characters, from its head to the end of its last value."""

    path: tuple[str, ...]
    start: int
    end: int


def list_tables(text: str) -> Iterator[TomlTable]:
    """The tables with a head of their own, in order, of a text that is TOML."""
    head: tuple[tuple[str, ...], int] | None = None
    end = 0
    for start, stop in _list_statements(text):
        row = text[start:stop]
        if row.lstrip().startswith("["):
            if head is not None:
                yield TomlTable(*head, end)
            head = (_read_head(row), start)
        end = stop
    if head is not None:
        yield TomlTable(*head, end)


def _list_statements(text: str) -> Iterator[tuple[int, int]]:
    """From where to where each head and each pair of key and value goes, with its line's end."""
    at = 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        stop, is_said = _find_end(text, at)
        if is_said:
            yield at, stop
        at = stop


def _find_end(text: str, start: int) -> tuple[int, bool]:
    """Where the statement ends that begins a line, and whether it is more than a comment."""
    at, depth = start, 0
    while True:
        line = text.find("\n", at)
        line = len(text) if line < 0 else line
        token = _TOKEN.search(text, at, line)
        if token is None:
            if depth <= 0 or line == len(text):
                break
            at = line + 1
            continue
        at = token.end()
        if closing := _LONG.get(token[0]):
            found = closing.match(text, at)
            at = found.end() if found else len(text)
        depth += _DEPTH.get(token[0], 0)
    said = text[start:line].strip()
    return min(line + 1, len(text)), bool(said) and not said.startswith("#")


def _read_head(row: str) -> tuple[str, ...]:
    found: Any = tomllib.loads(row)
    path: list[str] = []
    while found:
        if isinstance(found, list):
            (found,) = found
        else:
            ((key, found),) = found.items()
            path.append(key)
    return tuple(path)
