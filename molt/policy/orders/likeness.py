"""How like a text is to the orders that people plant: a linear model over runs of words.

Each run of one to three words, and of up to four signs of scripts without spaces, has a weight; a
sentence is an order where they sum up to more than so many runs do by chance. The weights were
learned from sentences that were written for it, orders and harmless ones that are like them, by
`benchmarks/make_orders_model.py` (logistic regression, its features hashed: Weinberger et al.,
2009, "Feature Hashing for Large Scale Multitask Learning").
"""

from __future__ import annotations

from itertools import pairwise
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
_model: list[tuple[int, memoryview]] = []


def is_like_order(text: str, share: float = 1.0) -> bool:
    """Whether a text has a part that reads like an order to an agent: its weights sum up to more
    than this share of the bound.
    """
    bound, weights = _load_model()
    for words in cut_parts(text):
        features = list_features(words)
        total = sum(map(weights.__getitem__, features))
        least = share * bound * (_OF_SIGNS if _is_of_signs(words) else 1)
        if total > least * max(len(features), FEWEST) ** 0.5:
            return True
    return False


def _is_of_signs(words: list[int]) -> bool:
    return 2 * sum(word >= _WIDE for word in words) > len(words)


def list_features(words: list[int]) -> set[int]:
    """The numbers of the weights of a sentence's words: one for each of its different runs."""
    ends = [_BEGIN, *words, _END]
    twos = [one * _FACTOR + two for one, two in pairwise(ends)]
    threes = [run * _FACTOR + word for run, word in zip(twos, ends[2:], strict=False)]
    fours = zip(words, threes[1:], ends[4:], strict=False)
    wide = [run * _FACTOR + word for first, run, word in fours if first & _WIDE]
    return {run % SIZE for run in (*words, *twos, *threes, *wide)}


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


def cut_parts(text: str) -> Iterator[list[int]]:
    """Each sentence of a text, each two in a row, and the parts of long ones, which overlap by
    half: what is said beside an order hides it no more than what stands around it.
    """
    sentences = split_sentences(text)
    for words in (*sentences, *(one + two for one, two in pairwise(sentences))):
        yield words
        if len(words) > _PART:
            for at in range(0, len(words) - _PART // 2, _PART // 2):
                yield words[at : at + _PART]


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


def _load_model() -> tuple[int, memoryview]:
    """What a sentence's weights must sum up to, for the root of the number of its runs; and the
    weights.
    """
    if not _model:
        with open(resources.find("data/orders.i4"), "rb") as file:
            data = file.read()
        levels, packed = data[4 : 4 + LEVELS], data[4 + LEVELS :]
        weights = bytearray(2 * len(packed))
        weights[::2] = packed.translate(bytes(levels[code % LEVELS] for code in range(256)))
        weights[1::2] = packed.translate(bytes(levels[code // LEVELS] for code in range(256)))
        _model.append((int.from_bytes(data[:4], "little"), memoryview(weights).cast("b")))
    return _model[0]
