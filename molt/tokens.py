"""How long a text is in tokens of cl100k_base: exactly, or at most; the only reader of the ranks.

A text is cut into pieces. In each, the pair of parts whose token has the lowest rank is joined, and
so on while any pair is a token (byte pair encoding, as tiktoken does it).
"""

from __future__ import annotations

from binascii import b2a_base64

from molt import resources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

RANKS_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
LONGEST = 128
"""Bytes of the longest token: a text of more than so many for each that may be is surely over."""

_ENCODING = "cl100k_base"
# As this encoding cuts texts, in the classes that Python's patterns have.
_PIECES = (
    r"'(?i:[sdmt]|ll|ve|re)|(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*"
    r"|\s+\Z|\s*[\r\n]|\s+(?!\S)|\s"
)
# These are blanks for Python and none for Unicode.
_NO_BLANKS = dict.fromkeys(range(0x1C, 0x20), "\0")
# These bytes of the ranks hold the first 32 thousand. They take 2 ms more than eleven thousand and
# count 7 instead of 20 in a hundred too many; reading all hundred thousand would take a third of
# the time of a search.
_FIRST = 500_000
# A run of letters without end is no text: where a bound will do, it counts by its bytes.
_LONG = 400
_MOST_KNOWN = 20_000
_NONE = 1 << 30


class _Ranks:
    """Tokens by their ranks, which are the order of joining, and what was counted by them: words
    come again, and a block is measured piece by piece, and then as a whole.
    """

    def __init__(self, tokens: Sequence[bytes]) -> None:
        # In base 64, as they are stored: to decode all takes longer than to encode what is asked.
        self._ranks = dict(zip(tokens, range(len(tokens)), strict=True))
        self._known: dict[str, int] = {}

    def count(self, text: str, longest: int = 0) -> int:
        """How many tokens the pieces of a text come to; one of more bytes than `longest`, where
        that is not 0, as many as it has bytes.
        """
        from collections import Counter

        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        total = 0
        for piece, times in Counter(_cut_pieces(text)).items():
            count = self._known.get(piece)
            if count is None:
                data = piece.encode()
                count = len(data) if 0 < longest < len(data) else self._join_pairs(data)
                if len(piece) <= LONGEST:
                    self._known[piece] = count
            total += count * times
        return total

    def _join_pairs(self, data: bytes) -> int:
        """How many parts are left of a piece when nothing can be joined any more."""
        from heapq import heapify, heappop, heappush

        size = len(data)
        if self._rank(data) < _NONE:
            return 1
        # Of the part that begins at a place, where it ends, 0 if none does; and where the part
        # begins that ends there.
        ends, begins = list(range(1, size + 1)), list(range(-1, size))
        pairs = [(self._rank(data[at : at + 2]), at, at + 2) for at in range(size - 1)]
        pairs = [pair for pair in pairs if pair[0] < _NONE]
        heapify(pairs)
        count = size
        while pairs:
            _, at, end = heappop(pairs)
            middle = ends[at]
            if not middle or middle >= end or ends[middle] != end:
                # One of the two was joined with another.
                continue
            ends[at], ends[middle], begins[end] = end, 0, at
            count -= 1
            for first, last in ((begins[at], end), (at, ends[end] if end < size else -1)):
                rank = self._rank(data[first:last]) if first >= 0 and last > 0 else _NONE
                if rank < _NONE:
                    heappush(pairs, (rank, first, last))
        return count

    def _rank(self, data: bytes) -> int:
        return self._ranks.get(b2a_base64(data, newline=False), _NONE)


_tables: dict[str, _Ranks] = {}


def count_tokens(text: str, encoding: str = _ENCODING) -> int:
    """How many tokens a text has; never asks the network.

    Raises ValueError for an encoding whose ranks do not ship, or are not what was shipped.
    """
    if encoding != _ENCODING:
        raise ValueError(f"no ranks ship for the encoding {encoding}")
    if "all" not in _tables:
        _tables["all"] = _Ranks(_read_all())
    return _tables["all"].count(text)


def at_most(text: str) -> int:
    """A number of tokens that a text does not exceed, of English by a tenth more than it has.

    After the first joinings only, of which the ranks are read soon, those that follow can but
    lessen them: `count_tokens` is exact, but to load all ranks takes as long as a search.
    """
    if "first" not in _tables:
        with open(resources.find("data/cl100k_base.tiktoken"), "rb") as file:
            _tables["first"] = _Ranks(file.read(_FIRST).split()[:-2:2])
    return _tables["first"].count(text, _LONG)


def _read_all() -> list[bytes]:
    from hashlib import sha256

    with open(resources.find("data/cl100k_base.tiktoken"), "rb") as file:
        data = file.read()
    if sha256(data).hexdigest() != RANKS_SHA256:
        raise ValueError("data/cl100k_base.tiktoken is damaged; reinstall molt-memory")
    return data.split()[::2]


def _cut_pieces(text: str) -> list[str]:
    import re

    try:
        text.encode()
    except UnicodeEncodeError:
        # Half of a character stands for one that nobody knows.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    other = {ord(char): "0" for char in set(text) if not char.isascii() and _is_other_number(char)}
    classed = text.translate(other | _NO_BLANKS)
    if classed == text:
        return re.findall(_PIECES, text)
    return [text[one.start() : one.end()] for one in re.finditer(_PIECES, classed)]


def _is_other_number(char: str) -> bool:
    """Whether a character is a number in Unicode and a letter in a pattern of Python, as ² or Ⅷ."""
    return char.isalnum() and not char.isalpha() and not char.isdecimal()
