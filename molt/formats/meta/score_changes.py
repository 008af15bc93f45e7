"""What differs from one text of decay-scores.json to another, of which only that is parsed."""

from __future__ import annotations

from molt.formats import lines
from molt.formats.meta import scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Entry = dict[str, Any]

_HEAD, _, _ = scores.EMPTY.partition("}")
_NAME = '\n    "'
_END, _CLOSE = "\n    }", "\n  }"


def changed_entries(old: str, new: str) -> dict[str, Entry | None] | None:
    """The entries that differ from one text to another, None for those that are gone.

    None where a text does not have them one below the other as `render_scores` puts them: then
    only parsing both can tell, which takes far longer.
    """
    found = compare_entries(old, new)
    return None if found is None else {name: after for name, (_, after) in found.items()}


def compare_entries(
    old: str, new: str, *, ordered: bool = False
) -> dict[str, tuple[Entry | None, Entry | None]] | None:
    """The same, each as it was and as it is.

    Where `old` is `ordered`, as `sorted_scores.is_ordered` tells, None also says that `new` is
    not: what it does not give is as it was.
    """
    # What is in order has one end of its entries, and of all others only those are read to find it.
    ends = (
        (old.rfind(_CLOSE), new.rfind(_CLOSE)) if ordered else (_find_close(old), _find_close(new))
    )
    if min(ends) < 0 or not all(text.startswith(_HEAD + _NAME) for text in (old, new)):
        return None
    if ordered and not _is_tail(old[ends[0] :], new[ends[1] :]):
        return None
    was: dict[str, Entry] = {}
    made: dict[str, Entry] = {}
    for side, text, at, end in _list_differing(old, new, ends):
        strict = side and ordered
        entry = _parse_piece(text[at + len(_NAME) : end].removesuffix(","), strict=strict)
        if entry is None or (strict and not _is_in_place(text, (at, end), ends[1])):
            return None
        (made if side else was).update(entry)
    names = [name for name in {**was, **made} if was.get(name) != made.get(name)]
    return {name: (was.get(name), made.get(name)) for name in names}


def _find_close(text: str) -> int:
    """Where the entries end that stand one below the other; -1 where they stand otherwise."""
    return -1 if "\r" in text else text.find(_CLOSE)


def _list_differing(
    old: str, new: str, ends: tuple[int, int]
) -> Iterator[tuple[bool, str, int, int]]:
    """The entries of both texts that differ, be it by their comma, or that one of them does not
    have: whether it is of the new one, the text, and where it begins and ends. In a text that is
    out of order those that moved are among them.
    """
    i, j = len(_HEAD), len(_HEAD)
    while i < ends[0] or j < ends[1]:
        same = lines.count_same(old, new, (i, j), min(ends[0] - i, ends[1] - j))
        if same == ends[0] - i == ends[1] - j:
            return
        start = max(old.rfind(_NAME, i, i + same), i)
        i, j = start, j + start - i
        stops = _find_end(old, i, ends[0]), _find_end(new, j, ends[1])
        names = _read_name(old, i, stops[0]), _read_name(new, j, stops[1])
        if names[0] == names[1]:
            yield False, old, i, stops[0]
            yield True, new, j, stops[1]
            i, j = stops
        elif j >= ends[1] or (i < ends[0] and names[0] < names[1]):
            yield False, old, i, stops[0]
            i = stops[0]
        else:
            yield True, new, j, stops[1]
            j = stops[1]


def _find_end(text: str, at: int, close: int) -> int:
    """Where the entry that begins at a place ends; itself where all of them end."""
    end = text.find(_NAME, at + 1, close) if at < close else close
    return close if end < 0 else end


def _read_name(text: str, at: int, end: int) -> str:
    """The name of the entry at a place; empty where none is."""
    return text[at + len(_NAME) : text.find('"', at + len(_NAME), end)] if at < end else ""


def _is_in_place(text: str, span: tuple[int, int], close: int) -> bool:
    """Whether an entry is between a smaller name and a larger one, with a comma but at the end."""
    (at, end), last = span, span[1] == close
    name, before = _read_name(text, at, end), text.rfind(_NAME, 0, at)
    if before >= 0 and _read_name(text, before, at) >= name:
        return False
    if not last and _read_name(text, end, _find_end(text, end, close)) <= name:
        return False
    return text.endswith(",", at, end) != last


def _is_tail(old: str, new: str) -> bool:
    """Whether what follows the entries is as it was, or JSON that has each name once."""
    if old == new:
        return True
    try:
        load_once(_HEAD + new)
    except ValueError:
        return False
    return True


def load_once(text: str) -> dict[str, Any]:
    """What an object in JSON says. Raises ValueError for none, and where one has a name twice."""
    import json

    try:
        return dict(json.loads(text, object_pairs_hook=_require_once))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _require_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def _parse_piece(piece: str, *, strict: bool) -> dict[str, Entry] | None:
    """An entry by its name, from its text on behind the first quote; None where it is not sure to
    be one entry, and if `strict` where any field of it is not plain, on a line of its own.
    """
    name, mark, _ = piece.partition('": {\n')
    if not mark or not piece.endswith(_END) or piece.count("{") + piece.count("}") != 2:
        return None
    fields = scores.parse_plain(piece.removesuffix(_END).split("\n")[1:])
    if fields is not None and scores.quote_name(name) == f'"{name}"':
        return {name: fields}
    try:
        return None if strict else load_once(f'{{"{piece}}}')
    except ValueError:
        return None
