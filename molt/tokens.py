"""How long a text is in tokens: exactly, or at most; the only reader of the ranks."""

from __future__ import annotations

from binascii import b2a_base64

from molt import resources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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


def find_rank(word: str, encoding: str = "cl100k_base") -> int | None:
    """Return the rank of a word that begins with a capital or not, as it stands between blanks: the
    lower it is, the more often the word is written so. None where it is no token by itself.
    """
    if encoding not in _encodings:
        _encodings[encoding] = _load_encoding(encoding)
    try:
        return _encodings[encoding].encode_single_token(f" {word}".encode())
    except KeyError:
        return None


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


# The ranks are sorted by when their tokens are merged. These bytes hold the first 32 thousand. They
# take 2 ms more than eleven thousand and count 7 instead of 20 in a hundred too many; reading all
# hundred thousand would take a third of the time of a search.
_FIRST = 500_000
# A run of letters without end is no text: it counts by its bytes.
_LONGEST = 400
_ranks: dict[bytes, int] = {}
# Words that were looked at come again: a block is measured piece by piece, and then as a whole.
_bounds: dict[str, int] = {}
# Some two megabytes of words.
_MOST_BOUNDS = 20_000
# Above the rank of any pair: the vocabulary has 100,000.
_NONE = 1 << 30


def at_most(text: str) -> int:
    """A number of tokens that a text does not exceed, of English by a tenth more than it has.

    `document.tokens` is exact, but loading its tables takes twice as long as a search.
    """
    if not _ranks:
        with open(resources.find("data/cl100k_base.tiktoken"), "rb") as file:
            first = file.read(_FIRST).split()[:-2:2]
        _ranks.update(zip(first, range(len(first)), strict=True))
    if len(_bounds) > _MOST_BOUNDS:
        _bounds.clear()
    # Words come again, each with the blank before it: to count them so spares the second half.
    head, *words = text.split(" ")
    total = _bound_text(head)
    blanks = ""
    for word in words:
        if not word:
            blanks += " "
            continue
        if blanks:
            total += _bound_piece(blanks)
            blanks = ""
        bound = _bounds.get(word)
        if bound is None:
            bound = _bound_text(f" {word}")
            if len(word) <= LONGEST:
                _bounds[word] = bound
        total += bound
    return total + (_bound_piece(blanks) if blanks else 0)


def _bound_text(text: str) -> int:
    return sum(map(_bound_piece, cut_pieces(text)))


def cut_pieces(text: str) -> list[str]:
    """A text without blanks, but for its first sign, in the pieces that tokens are made of: an
    English ending, letters with a sign before them, up to three digits, other signs with a blank
    before and the line breaks behind them, white space.

    As tiktoken cuts for cl100k_base. Without `re`, whose import takes a sixth of a search.
    """
    if text[1:].isalpha() and (text[0] == " " or text[0].isalpha()):
        return [text]
    pieces: list[str] = []
    at = 0
    while at < len(text):
        end = _end_ending(text, at) or _end_letters(text, at) or _end_signs(text, at)
        pieces.append(text[at:end])
        at = end
    return pieces


def _end_ending(text: str, at: int) -> int:
    """Where an English ending such as `'s` ends that begins here; 0 for none."""
    if text[at] != "'":
        return 0
    if text[at + 1 : at + 3].lower() in ("ll", "ve", "re"):
        return at + 3
    return at + 2 if text[at + 1 : at + 2].lower() in ("s", "d", "m", "t") else 0


def _end_letters(text: str, at: int) -> int:
    """Where letters end that begin here or after one sign; 0 for none."""
    first = text[at]
    start = at if _is_letter(first) or first.isdecimal() or first in "\r\n" else at + 1
    end = _end_run(text, start, _is_letter)
    return end if end > start else 0


def _end_signs(text: str, at: int) -> int:
    """Where digits, other signs or white space end that begin here."""
    if text[at].isdecimal():
        return min(at + 3, _end_run(text, at, str.isdecimal))
    start = at + (text[at] == " ")
    end = _end_run(text, start, _is_sign)
    if end > start:
        return _end_run(text, end, "\r\n".__contains__)
    end = _end_run(text, at, str.isspace)
    last = max(text.rfind("\n", at, end), text.rfind("\r", at, end))
    if end == len(text) or end - at == 1:
        return end
    # The last blank belongs to what follows, unless a line begins there.
    return last + 1 if last >= 0 else end - 1


def _end_run(text: str, start: int, belongs: Callable[[str], bool]) -> int:
    """Where the signs of one sort end that begin at a place."""
    return next((at for at in range(start, len(text)) if not belongs(text[at])), len(text))


def _is_letter(sign: str) -> bool:
    return sign.isalnum() and not sign.isdecimal()


def _is_sign(sign: str) -> bool:
    return not (sign.isalnum() or sign.isspace())


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
