"""How like a text is to the orders that people plant: a linear model over runs of words.

Each run of one to three words, and of up to four signs of scripts without spaces, has a weight; a
sentence is an order where they sum up to more than so many runs do by chance. The weights were
learned from sentences that were written for it, orders and harmless ones that are like them, by
`benchmarks/make_orders_model.py` (logistic regression, its features hashed: Weinberger et al.,
2009, "Feature Hashing for Large Scale Multitask Learning").
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from zlib import crc32

from molt import resources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE = 524_287
"""So many weights: the largest prime below 2**19, by which a run's number is divided. With half as
many a seventh of the orders that are found is missed: a run then shares its weight with too many.
"""
LEVELS = 16
"""So many values a weight can have, two in a byte: with 256 of them no more is found."""
FEWEST = 8
"""A sentence with fewer runs counts as one with so many, or a single word would make an order."""
_FACTOR = 0x9E3779B1
"""The number of a run is that of its words by this one's powers (Knuth, 1973: the golden ratio)."""
_WIDE = 1 << 32
"""What the number of a sign has that needs no spaces; those of words have 32 bits."""
_OF_SIGNS = 0.93
"""The share of the bound that is enough where words are written without spaces: every sign begins
four runs, and not three, of which more belong to no word. Of 60 orders in Chinese by a writer whose
others were not learned from 45 are then told for 39, and of 150 harmless texts one."""
_PART = 24
"""So many words are most orders: of 16, 24 and 32, that by which most padded ones are found."""
_MARKS = ".,;:!?'\"`“”‘’()[]{}<>*_|#…-–—~=+/\\"
"""What may stand around an address."""
_NUMBER = "0"
"""The word that all numbers are."""
_WITHIN_NUMBER, _WITHIN_WORD = ",.:", "'*`"
"""Marks that end no number, and no word; of these an apostrophe alone is part of it."""
_TELLING = '<>{}[]:!?"'
"""Marks that are words: they frame what is quoted, called or made up."""
_STOPS = ".!?;"
_FULL_WIDTH = {
    "。": " . ",
    "！": " ! ",
    "？": " ? ",
    "；": " ; ",
    "：": ":",
    "，": ",",
    "“": '"',
    "”": '"',
}
_PLAIN = str.maketrans(_FULL_WIDTH)
# How the names of sites end that are written without `https://`.
_SITES = (".com", ".net", ".io", ".org", ".xyz", ".ru", ".top", ".example", ".test", ".invalid")
# What is remembered of words is a few megabytes; longer ones hardly ever come again.
_MOST, _LONGEST = 1 << 15, 32
_known: dict[str, tuple[int, ...]] = {}
_model: list[tuple[int, bytes]] = []
_NIL = 1 << 7
"""The byte that is a weight of nothing: to look one up among bytes takes two thirds of the time."""


def is_like_order(text: str, share: float = 1.0) -> bool:
    """Whether a text has a part that reads like an order to an agent: its weights sum up to more
    than this share of the bound.
    """
    bound, weights = _load_model()
    words, parts = cut_parts(text)
    runs = WordRuns(words)
    for at, end in parts:
        features = runs.list_features(at, end)
        total = sum(map(weights.__getitem__, features)) - _NIL * len(features)
        least = share * bound * (_OF_SIGNS if runs.are_of_signs(at, end) else 1)
        if total > least * max(len(features), FEWEST) ** 0.5:
            return True
    return False


class WordRuns:
    """The runs of a text's words, as the numbers of their weights: most are of several parts."""

    def __init__(self, words: list[int]) -> None:
        self._ones = [word % SIZE for word in words]
        self._twos = [(one * _FACTOR + two) % SIZE for one, two in pairwise(words)]
        self._threes = _lengthen(self._twos, words[2:])
        self._signs = [word >= _WIDE for word in words] if any(map(_WIDE.__le__, words)) else []
        fours = _lengthen(self._threes, words[3:]) if self._signs else []
        # Of another word there is no longer run; the word itself is one of the same part.
        rows = zip(fours, self._ones, self._signs, strict=False)
        self._fours = [run if wide else one for run, one, wide in rows]

    def are_of_signs(self, at: int, end: int) -> bool:
        """Whether most words of a part are signs of scripts without spaces."""
        return 2 * sum(self._signs[at:end]) > end - at

    def list_features(self, at: int, end: int) -> set[int]:
        """The numbers of the weights of a part: one for each of its different runs, of which some
        begin before it or end behind it.
        """
        ones, twos, threes = self._ones, self._twos, self._threes
        first = _BEGIN * _FACTOR + ones[at]
        found = {
            *(first % SIZE, (ones[end - 1] * _FACTOR + _END) % SIZE),
            *ones[at:end],
            *twos[at : end - 1],
            *threes[at : max(at, end - 2)],
        }
        if end - at == 1:
            found.add((first * _FACTOR + _END) % SIZE)
        else:
            found.add((first * _FACTOR + ones[at + 1]) % SIZE)
            found.add((twos[end - 2] * _FACTOR + _END) % SIZE)
        if self._signs and end - at > 2:
            found.update(self._fours[at : end - 3])
            if self._signs[end - 3]:
                found.add((threes[end - 3] * _FACTOR + _END) % SIZE)
        return found


def _lengthen(runs: list[int], words: list[int]) -> list[int]:
    """Each run with the word behind it."""
    return [(run * _FACTOR + word) % SIZE for run, word in zip(runs, words, strict=False)]


def list_features(words: list[int]) -> set[int]:
    """The numbers of the weights of a sentence's words: one for each of its different runs."""
    return WordRuns(words).list_features(0, len(words))


def split_sentences(text: str) -> list[list[int]]:
    """The numbers of the words of each sentence of a text, without case and most marks."""
    sentences: list[list[int]] = []
    words: list[int] = []
    if not text.isascii():
        text = text.translate(_PLAIN)
    for piece in text.split():
        words += _known.get(piece) or _split_piece(piece)
        if piece[-1] in _STOPS and words:
            sentences.append(words)
            words = []
    if words:
        sentences.append(words)
    return sentences


def cut_parts(text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """The numbers of a text's words, and where its parts begin and end: each sentence, each two in
    a row, and the parts of long ones, which overlap by half: what is said beside an order hides it
    no more than what stands around it.
    """
    sentences = split_sentences(text)
    ends = list(accumulate(map(len, sentences)))
    starts = [0, *ends[:-1]]
    parts: list[tuple[int, int]] = []
    for start, end in (*zip(starts, ends, strict=False), *zip(starts, ends[1:], strict=False)):
        parts.append((start, end))
        if end - start > _PART:
            halves = range(start, end - _PART // 2, _PART // 2)
            parts += [(at, min(at + _PART, end)) for at in halves]
    return [word for words in sentences for word in words], parts


def _split_piece(piece: str) -> tuple[int, ...]:
    """The numbers of the words of what stands between two blanks."""
    word = piece.lower()
    if word.isalpha() and word.isascii():
        found: tuple[int, ...] = (_number_word(word),)
    else:
        found = tuple(map(_number_word, _split_word(word)))
    if len(piece) <= _LONGEST:
        if len(_known) >= _MOST:
            _known.clear()
        _known[piece] = found
    return found


def _number_word(word: str) -> int:
    """The number of a word or sign, the same on every machine."""
    found = crc32(word.encode("utf-8", "replace"))
    return found | _WIDE if _is_wide(word[0]) else found


def _split_word(word: str) -> Iterator[str]:
    """Runs of letters and single signs: marks that tell, and those of scripts without spaces.
    Addresses are all one word, and so are pages and numbers.
    """
    bare = word.strip(_MARKS)
    if "@" in bare[1:]:
        yield "@"
        return
    if "://" in bare or bare.partition("/")[0].endswith(_SITES):
        yield "://"
        return
    run = ""
    for char in word.replace("\u2019", "'") + " ":
        if char.isalpha() and not _is_wide(char):
            run = char if run == _NUMBER else run + char
            continue
        if run and char in (_WITHIN_NUMBER if run == _NUMBER else _WITHIN_WORD):
            run += char if char == "'" else ""
            continue
        kept = _NUMBER if char.isdecimal() else ""
        if run and run != kept:
            yield run.rstrip("'")
        run = kept
        if char in _TELLING or char.isalpha():
            yield char


def _is_wide(char: str) -> bool:
    """Whether a sign is of a script that has no spaces: Chinese, Japanese or Korean."""
    return "\u2e80" < char < "\ua4d0" or "\uac00" <= char < "\ud7b0"


_BEGIN, _END = _number_word("^"), _number_word("$")


def _load_model() -> tuple[int, bytes]:
    """What a sentence's weights must sum up to, for the root of the number of its runs; and the
    weights, each by `_NIL` too high.
    """
    if not _model:
        with open(resources.find("data/orders.i4"), "rb") as file:
            data = file.read()
        levels, packed = bytes(level ^ _NIL for level in data[4 : 4 + LEVELS]), data[4 + LEVELS :]
        weights = bytearray(2 * len(packed))
        weights[::2] = packed.translate(bytes(levels[code % LEVELS] for code in range(256)))
        weights[1::2] = packed.translate(bytes(levels[code // LEVELS] for code in range(256)))
        _model.append((int.from_bytes(data[:4], "little"), bytes(weights)))
    return _model[0]
