"""Where in a text a secret can stand: the lines that have what tells of one, and the parts of a
binary file that are long enough, found at the speed of a search and not of a reading.
"""

from __future__ import annotations

from itertools import chain, islice

from molt.policy.glance import classes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Sought = tuple[str, str]
    """One of the texts of a sign, with its kind."""
    Sign = tuple[str, tuple[str, ...]]
    """What tells of a secret: one of some texts, once all characters are classes of a kind (see
    `glance.classes`), or in lower case for `LOWER`, or as they are for no kind."""

LOWER = "lower"
SHORTEST = 12
"""As many characters of a token, in a row, are where a mark of its own stands: the shortest, of a
chat, have 15. Bytes at random have so many once in a million."""
APART = (
    *("?sig=", "&sig=", "&amp;sig=", "/webhook/send?key=", "_KEY',", "_SALT',"),
    *('"d":', '"k":', "/private-"),
    *("FlyV1", "SSWS", "-----BEGIN", "WIFI:"),
    *("$2a$", "$2b$", "$2x$", "$2y$", "$argon2", "$apr1$", "{SSHA"),
)
"""The marks that stand apart from what they tell of, or have characters that tokens have not."""

_ESCAPES = (("\\n", "  "), ("\\t", "  "), ("\\r", "  "), ('\\"', ' "'))
_IN_TOKENS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/=:%"
_PIECES = bytes(code if code in _IN_TOKENS else 32 for code in range(256))
_RUNS = bytes(112 if code in _IN_TOKENS else 32 for code in range(256))


def take_out_escapes(text: str) -> str:
    """A text of the same length without the escapes of JSON: they end a word as the characters do
    that they stand for.
    """
    if "\\" in text:
        for escape, ending in _ESCAPES:
            text = text.replace(escape, ending)
    return text


def find_rows(
    rows: Sequence[str], signs: Sequence[Sign], most: int | None = None
) -> dict[int, list[int]]:
    """The places in `rows`, which hold no line break, of those that have any of some signs, in
    order, each with the places in `signs` of those that it has; so many `most` that have one.
    """
    if not signs:
        return {}
    text = take_out_escapes("\n".join(rows))
    made: dict[str, bytes] = {}
    found: dict[int, list[int]] = {}
    for number, (kind, parts) in enumerate(signs):
        if kind not in made:
            made[kind] = _show(text, kind)
        shown = made[kind]
        told = chain.from_iterable(_count_to(shown, part) for part in parts)
        for at in set(islice(told, most)):
            found.setdefault(at, []).append(number)
    return {at: found[at] for at in sorted(found)}


def find_lines(text: str, signs: Iterable[Sought]) -> set[int]:
    """The numbers, from 0, of the lines of a text that have any of some signs."""
    made: dict[str, bytes] = {}
    found: set[int] = set()
    for kind, part in signs:
        if kind not in made:
            made[kind] = _show(text, kind)
        found.update(_count_to(made[kind], part))
    return found


def _show(text: str, kind: str) -> bytes:
    """A text as signs of a kind are looked for in it; a line of it stays one."""
    if kind in ("", LOWER):
        return (text.lower() if kind else text).encode("utf-8", "replace")
    return classes(text, kind)


def _count_to(text: bytes, part: str) -> Iterator[int]:
    """The numbers, from 0, of the lines that hold a part."""
    wanted, number, last = part.encode(), 0, 0
    at = text.find(wanted)
    while at >= 0:
        number += text.count(b"\n", last, at)
        yield number
        last = text.find(b"\n", at)
        at = text.find(wanted, last) if last >= 0 else -1


def condense(data: bytes) -> str:
    """What a file that is no text to read holds of marks, and of what may be a token that has one
    of its own: each piece once, a line break between them.
    """
    found = _find_runs(data) if b"\0" in data else set(data.translate(_PIECES).split())
    pieces = [piece for piece in found if len(piece) >= SHORTEST]
    pieces += [mark for mark in map(str.encode, APART) if mark in data]
    return b"\n".join(pieces).decode("ascii")


def _find_runs(data: bytes) -> set[bytes]:
    """The pieces that are long enough: of bytes at random all others take long to list."""
    shown, found = data.translate(_RUNS), set()
    at = shown.find(b"p" * SHORTEST)
    while at >= 0:
        end = shown.find(b" ", at)
        end = end if end >= 0 else len(data)
        found.add(data[at:end])
        at = shown.find(b"p" * SHORTEST, end)
    return found
