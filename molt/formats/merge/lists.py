"""A list that two sides changed: the items of both, without those that either took away."""

from __future__ import annotations

from itertools import islice

from molt.formats import lines as textlines
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Key = tuple[str, int]


class Listing(Value):
    """The lines of a section taken apart: those above its list, the items, each with the blank
    lines behind it, and the blank lines at its end.
    """

    head: tuple[str, ...]
    items: tuple[tuple[str, ...], ...]
    tail: tuple[str, ...]


def parse_listing(lines: Sequence[str]) -> Listing | None:
    """The list in some lines, which are all ended; None where there is more than one list.

    Items are numbered nowhere: whoever numbers them means their order, which nobody can guess.
    """
    stop = len(lines)
    while stop and not lines[stop - 1].strip():
        stop -= 1
    start = next((at for at in range(stop) if _is_item(lines[at])), stop)
    if not all(map(_is_aside, lines[:start])):
        return None
    items: list[list[str]] = []
    for line in lines[start:stop]:
        if _is_item(line):
            items.append([line])
        elif line.startswith((" ", "\t")) or not line.strip():
            items[-1].append(line)
        else:
            return None
    return Listing(tuple(lines[:start]), tuple(map(tuple, items)), tuple(lines[stop:]))


def _is_item(line: str) -> bool:
    return line.startswith(("- ", "* ", "+ "))


def _is_aside(line: str) -> bool:
    """Whether a line above a list is blank or a comment of one line."""
    text = line.strip()
    return not text or (text.startswith("<!--") and text.endswith("-->"))


def merge_items(base: Listing, ours: Listing, theirs: Listing) -> list[str]:
    """The items of both sides, in the order of ours; what only theirs has comes in the place of one
    that theirs took away there, else behind the item that it follows and what ours put there.

    An item that one side changed, and the other changed too or took away, is kept as changed:
    nothing that was written is lost.
    """
    old = frozenset(_number_items(base.items))
    here, there = _number_items(ours.items), _number_items(theirs.items)
    mine, yours = frozenset(here), frozenset(there)
    blocks = dict(zip(there, theirs.items, strict=True)) | dict(zip(here, ours.items, strict=True))
    added = _place_added(there, mine, old | mine)
    merged: list[Key] = []
    waiting = iter(added.get(None, ()))
    for key in here:
        if key in yours:
            merged += waiting
            waiting = iter(added.get(key, ()))
        if key in yours or key not in old:
            merged.append(key)
        else:
            merged += islice(waiting, 1)
    merged += waiting
    rows = [blocks[key] for key in merged]
    # The blank lines behind an item that is the last one now belong to the end of the section.
    return [line for row in rows[:-1] for line in row] + _strip_end(rows[-1:])


def _place_added(
    there: Sequence[Key], mine: frozenset[Key], known: frozenset[Key]
) -> Mapping[Key | None, list[Key]]:
    """What only theirs has, by the item before it that ours has too; None for what stands first."""
    found: dict[Key | None, list[Key]] = {}
    anchor: Key | None = None
    for key in there:
        if key in mine:
            anchor = key
        elif key not in known:
            found.setdefault(anchor, []).append(key)
    return found


def _number_items(items: Iterable[Sequence[str]]) -> list[Key]:
    """What tells items: their words, and which of several with the same words each is."""
    seen: dict[str, int] = {}
    keys = []
    for item in items:
        said = _item_words(item)
        seen[said] = seen.get(said, 0) + 1
        keys.append((said, seen[said]))
    return keys


def _item_words(item: Sequence[str]) -> str:
    """The words of an item; spacing and the kind of its mark do not matter."""
    first, *rest = (textlines.strip_newline(line).strip() for line in item)
    return " ".join(" ".join((first[1:], *rest)).split())


def _strip_end(rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [line for row in rows for line in row]
    while lines and not lines[-1].strip():
        lines.pop()
    return lines
