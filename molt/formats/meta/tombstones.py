"""tombstones.txt: what was forgotten, as salted hashes, so that it does not come back by itself.

A line is `DATE SALT COUNT MARK HASH`: the day, the salt of the workspace (two clones may have
begun with two), how many words are hashed, `*` where it is known within a longer text and `=`
where only the whole text is meant, and the hash of its words. A value is known by its words alone:
case, marks, spacing and the commonest words do not count. The hash keeps a value from being read;
it keeps nobody from guessing a short one.
"""

from __future__ import annotations

from molt.formats import times
from molt.normal import normalize
from molt.values import Value, keep_last

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HEAD = "# What was forgotten, as salted hashes: molt keeps it from coming back by itself.\n"
_STOP = frozenset(
    (
        *("a", "an", "the", "is", "are", "was", "were", "be", "been", "to", "of", "in", "on", "at"),
        *(
            "for",
            "and",
            "or",
            "that",
            "this",
            "it",
            "its",
            "as",
            "with",
            "my",
            "your",
            "our",
            "his",
        ),
        *("her", "their", "i", "you", "we", "he", "she", "they", "me", "us", "them"),
    )
)
_UNSEEN = dict.fromkeys((0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, *range(0xFE00, 0xFE10)))
"""Letters and marks that show nothing, beside those of the category of formats."""
_SALTS = 64
"""So many salts are looked for, the commonest: each costs a hash for each word of a text."""
MOST_HASHED = 400_000
"""Words of a text times salts and lengths that are looked for in half a second: 300 kB of prose
with the one salt that a workspace has, and values of all lengths."""
_MOST = 8
"""So many words of a value are hashed, the first ones: each length costs a hash for each word of
whatever is compared, and they tell a value apart."""
_ENOUGH = 3
"""So many words say something by themselves, wherever they stand."""


class Tombstone(Value):
    """One line: see above."""

    date: str
    salt: str
    count: int
    within: bool
    hash: str

    @property
    def line(self) -> str:
        """The line that says it."""
        mark = "*" if self.within else "="
        return f"{self.date} {self.salt} {self.count} {mark} {self.hash}"


@keep_last
def parse_tombstones(text: str) -> tuple[Tombstone, ...]:
    """The lines of a file; those that are none are left out."""
    return tuple(one for one in map(parse_line, text.split("\n")) if one)


def parse_line(row: str) -> Tombstone | None:
    """What a line says; None for one that is none."""
    parts = row.split()
    if len(parts) != 5 or not times.is_date(parts[0]) or parts[3] not in ("*", "="):
        return None
    date, salt, count, mark, found = parts
    fits = len(count) == 1 and count in "12345678"
    if not fits or len(found) != 64 or not _is_hex(found) or not _is_hex(salt) or len(salt) > 64:
        return None
    return Tombstone(date, salt, int(count), mark == "*", found)


def _is_hex(text: str) -> bool:
    return not text.strip("0123456789abcdef")


def list_malformed(text: str) -> Iterator[int]:
    """The numbers of the lines that are neither a tombstone, a comment nor empty."""
    for number, row in enumerate(text.split("\n"), 1):
        if row.strip() and not row.startswith("#") and parse_line(row) is None:
            yield number


def split_words(text: str) -> list[str]:
    """The words that a value is known by; scripts without spaces have their signs."""
    folded = text.casefold()
    if not folded.isascii():
        # What nobody sees between two letters makes no other word of them.
        seen = folded if folded.isprintable() else "".join(filter(_is_seen, folded))
        folded = normalize("NFKC", seen.translate(_UNSEEN)).casefold()
    chars = (char if char.isalnum() else " " for char in _space_signs(folded))
    return [word for word in "".join(chars).split() if word not in _STOP]


def _is_seen(char: str) -> bool:
    from unicodedata import category

    return category(char) != "Cf"


def _space_signs(text: str) -> Iterator[str]:
    """The characters, each sign of a script without spaces as a word of its own."""
    for char in text:
        yield from (" ", char, " ") if "\u2e80" <= char <= "\ud7ff" else (char,)


def make_tombstone(text: str, date: str, salt: str) -> Tombstone | None:
    """The tombstone of a value; None for one without words."""
    words = split_words(text)[:_MOST]
    if not words:
        return None
    numbered = len(words) > 1 and any(char.isdigit() for word in words for char in word)
    return Tombstone(
        date, salt, len(words), numbered or len(words) >= _ENOUGH, _hash_words(salt, words)
    )


def _hash_words(salt: str, words: Iterable[str]) -> str:
    from hashlib import sha256

    data = f"{salt} {' '.join(words)}".encode("utf-8", "replace")
    return sha256(data).hexdigest()


def list_salts(known: Iterable[Tombstone]) -> frozenset[str]:
    """The salts of some tombstones."""
    return frozenset(one.salt for one in known)


def find_tombstones(text: str, known: Iterable[Tombstone]) -> tuple[Tombstone, ...]:
    """Those of some tombstones whose value a text says."""
    return Graveyard(known).find_said(text)


class Graveyard:
    """Some tombstones, to be looked for in many texts: made once, it takes no longer for more."""

    def __init__(self, known: Iterable[Tombstone]) -> None:
        self._every: dict[tuple[str, bool, bytes], list[tuple[int, Tombstone]]] = {}
        salts: dict[str, int] = {}
        counts: set[tuple[str, int]] = set()
        for number, one in enumerate(known):
            held = self._every.setdefault((one.salt, one.within, bytes.fromhex(one.hash)), [])
            held.append((number, one))
            salts[one.salt] = salts.get(one.salt, 0) + 1
            counts.add((one.salt, one.count))
        common = frozenset(sorted(salts, key=lambda salt: -salts[salt])[:_SALTS])
        self._asked = [pair for pair in counts if pair[0] in common]

    def __bool__(self) -> bool:
        return bool(self._every)

    def find_said(
        self, text: str, *, whole: bool = False, most: int | None = None
    ) -> tuple[Tombstone, ...]:
        """Those whose value a text says, in order; with `whole` only where it says nothing else.

        Raises ValueError where more than `most` pieces of the text would have to be looked for.
        """
        words = [word.encode("utf-8", "replace") for word in split_words(text)] if self else []
        asked = [pair for pair in self._asked if pair[1] == len(words) or not whole]
        if most is not None and len(words) * len(asked) > most:
            raise ValueError(f"{len(words):,} words are too many to be looked for at once")
        found = [pair for salt, count in asked for pair in self._find_salted(words, salt, count)]
        once = dict(found)
        return tuple(once[number] for number in sorted(once))

    def _find_salted(
        self, words: Sequence[bytes], salt: str, count: int
    ) -> Iterator[tuple[int, Tombstone]]:
        """Those of a salt and so many words that stand in some words."""
        from hashlib import sha256

        line, prefix = b" ".join(words), f"{salt} ".encode()
        ends, at = [], -1
        for word in words:
            at += len(word) + 1
            ends.append(at)
        starts = [0, *(end + 1 for end in ends)]
        for window in {
            line[starts[n] : ends[n + count - 1]] for n in range(len(words) - count + 1)
        }:
            key = sha256(prefix + window).digest()
            yield from self._every.get((salt, True, key), ())
            if len(words) == count:
                yield from self._every.get((salt, False, key), ())


def add_tombstones(text: str, fresh: Iterable[Tombstone]) -> str:
    """The file with some lines more, each once, in order."""
    known = {(one.salt, one.hash) for one in parse_tombstones(text)}
    rows = {one.line for one in fresh if (one.salt, one.hash) not in known}
    if not rows:
        return text
    held = [row for row in text.split("\n") if row.strip()]
    stones = {row for row in held if parse_line(row)}
    # What a person has written beside them stays, above them and in its order.
    others = [row for row in held if row not in stones] or [HEAD.rstrip("\n")]
    return "".join(f"{row}\n" for row in (*others, *sorted({*stones, *rows})))


def remove_tombstones(text: str, gone: Iterable[Tombstone]) -> str:
    """The file without some lines."""
    lines = {one.line for one in gone}
    return "".join(row for row in text.splitlines(keepends=True) if row.strip() not in lines)
