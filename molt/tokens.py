"""How long a text is in tokens: exactly, or at most; the only reader of the ranks."""

from __future__ import annotations

from binascii import b2a_base64

from molt import resources

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tiktoken

RANKS_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
LONGEST = 128
"""Bytes of the longest token: a text of more than so many for each that may be is surely over."""
_encodings: dict[str, tiktoken.Encoding] = {}


def count_tokens(text: str, encoding: str = "cl100k_base") -> int:
    """How many tokens a text has; never asks the network.

    Raises ValueError for an encoding whose ranks do not ship, or are not what was shipped.
    """
    if encoding not in _encodings:
        _encodings[encoding] = _load_encoding(encoding)
    return len(_encodings[encoding].encode_ordinary(text))


def _load_encoding(name: str) -> tiktoken.Encoding:
    if name != "cl100k_base":
        raise ValueError(f"no ranks ship for the encoding {name}")
    from base64 import b64decode
    from hashlib import sha256

    import tiktoken

    from molt import resources

    with open(resources.find("data/cl100k_base.tiktoken"), "rb") as file:
        data = file.read()
    if sha256(data).hexdigest() != RANKS_SHA256:
        raise ValueError("data/cl100k_base.tiktoken is damaged; reinstall molt-memory")
    ranks = {b64decode(token): int(rank) for token, rank in map(bytes.split, data.splitlines())}
    return tiktoken.Encoding(
        name=name,
        pat_str=(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|"
            r" ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
        ),
        mergeable_ranks=ranks,
        special_tokens={},
    )


# As tiktoken cuts texts for cl100k_base, in the classes that Python's patterns have.
_PIECES = (
    r"'(?i:[sdmt]|ll|ve|re)|(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*"
    r"|\s+\Z|\s*[\r\n]|\s+(?!\S)|\s|."
)
# The ranks are sorted by when their tokens are merged. These bytes hold the first 32 thousand. They
# take 2 ms more than eleven thousand and count 7 instead of 20 in a hundred too many; reading all
# hundred thousand would take a third of the time of a search.
_FIRST = 500_000
# A run of letters without end is no text: it counts by its bytes.
_LONGEST = 400
_ranks: dict[bytes, int] = {}
# Words that were looked at come again: a block is measured piece by piece, and then as a whole.
_bounds: dict[str, int] = {}
_MOST_BOUNDS = 20_000
_NONE = 1 << 30


def at_most(text: str) -> int:
    """A number of tokens that a text does not exceed, of English by a tenth more than it has.

    `document.tokens` is exact, but loading its tables takes twice as long as a search.
    """
    import re
    from collections import Counter

    if not _ranks:
        with open(resources.find("data/cl100k_base.tiktoken"), "rb") as file:
            first = file.read(_FIRST).split()[:-2:2]
        _ranks.update(zip(first, range(len(first)), strict=True))
    if len(_bounds) > _MOST_BOUNDS:
        _bounds.clear()
    total = 0
    for piece, times in Counter(re.findall(_PIECES, text)).items():
        bound = _bounds.get(piece)
        if bound is None:
            bound = _bound_piece(piece)
            if len(piece) <= LONGEST:
                _bounds[piece] = bound
        total += bound * times
    return total


def _bound_piece(piece: str) -> int:
    """How many tokens are left of a piece after the first merges: those that follow only lessen
    them, for merges are made in the order of their ranks.
    """
    data = piece.encode("utf-8", "replace")
    if len(data) > _LONGEST:
        return len(data)
    # Asked twenty thousand times for the log of a day, where a call for each was a twenty-fifth of
    # all that a context takes.
    rank_of, encode = _ranks.get, b2a_base64
    if encode(data, newline=False) in _ranks:
        return 1
    parts = [data[at : at + 1] for at in range(len(data))]
    pairs = [
        rank_of(encode(data[at : at + 2], newline=False), _NONE) for at in range(len(data) - 1)
    ]
    while pairs and (low := min(pairs)) < _NONE:
        at = pairs.index(low)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del pairs[at]
        if at:
            pairs[at - 1] = rank_of(encode(parts[at - 1] + parts[at], newline=False), _NONE)
        if at < len(pairs):
            pairs[at] = rank_of(encode(parts[at] + parts[at + 1], newline=False), _NONE)
    return len(parts)
