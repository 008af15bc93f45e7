"""A text as numbers: its sentences, their words, and the runs of words that stand together.

Linear models over such runs tell what a text is (`policy/injection.py`, `ngram_model.py`): a run
is known by its number, and no list of words ships.
"""

from __future__ import annotations

from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FEWEST = 8
"""A text with fewer runs counts as one with so many: a word or two tell little."""
FACTOR = 0x9E3779B1
"""The number of a run is that of its words by this one's powers (Knuth, 1973: the golden ratio)."""
WIDE = 1 << 32
"""What the number of a sign has that needs no spaces; those of words have 32 bits."""
_MARKS = ".,;:!?'\"`“”‘’()[]{}<>*_|#…-–—~=+/\\"
"""What may stand around an address."""
_NUMBER = "0"
"""The word that all numbers are."""
_WITHIN_NUMBER, _WITHIN_WORD = ",.:", "'*`"
"""Marks that end no number, and no word; of these an apostrophe alone is part of it."""
_TELLING = '<>{}[]:!?"'
"""Marks that are words: they frame what is quoted, called or made up."""
STOPS = ".!?;"
# Marks that are read as others; around some are blanks.
FULL_WIDTH = {
    "。": " . ",
    "！": " ! ",
    "？": " ? ",
    "；": " ; ",
    "：": ":",
    "，": ",",
    "“": '"',
    "”": '"',
}
_PLAIN = str.maketrans(FULL_WIDTH)
_SILENT = "".join(sign for sign in _MARKS if sign not in _TELLING)
"""Marks around a word that are none themselves."""
# How the names of sites end that are written without `https://`.
_SITES = (".com", ".net", ".io", ".org", ".xyz", ".ru", ".top", ".example", ".test", ".invalid")
# What is remembered of words is a few megabytes; longer ones hardly ever come again.
_MOST, _LONGEST = 1 << 15, 32
_known: dict[str, tuple[int, ...]] = {}


class WordRuns:
    """The runs of a text's words as numbers below a prime `size`: most are of several parts."""

    def __init__(self, words: list[int], size: int) -> None:
        self._size = size
        self._ones = ones = [word % size for word in words]
        self._twos = _lengthen(ones, ones[1:], size)
        self._threes = _lengthen(self._twos, ones[2:], size)
        self._signs = [word >= WIDE for word in words] if max(words, default=0) >= WIDE else []
        fours = _lengthen(self._threes, ones[3:], size) if self._signs else []
        # Of another word there is no longer run; the word itself is one of the same part.
        rows = zip(fours, self._ones, self._signs, strict=False)
        self._fours = [run if wide else one for run, one, wide in rows]

    def are_of_signs(self, at: int, end: int) -> bool:
        """Whether most words of a part are signs of scripts without spaces."""
        return 2 * sum(self._signs[at:end]) > end - at

    def list_features(self, at: int, end: int) -> set[int]:
        """The numbers of the different runs of a part, of which some begin before it or end behind
        it.
        """
        size = self._size
        ones, twos, threes = self._ones, self._twos, self._threes
        first = BEGIN * FACTOR + ones[at]
        found = {
            *(first % size, (ones[end - 1] * FACTOR + END) % size),
            *ones[at:end],
            *twos[at : end - 1],
            *threes[at : max(at, end - 2)],
        }
        if end - at == 1:
            found.add((first * FACTOR + END) % size)
        else:
            found.add((first * FACTOR + ones[at + 1]) % size)
            found.add((twos[end - 2] * FACTOR + END) % size)
        if self._signs and end - at > 2:
            found.update(self._fours[at : end - 3])
            if self._signs[end - 3]:
                found.add((threes[end - 3] * FACTOR + END) % size)
        return found


def list_runs(words: list[int], size: int) -> set[int]:
    """The numbers of the different runs of a sentence's words, below a prime `size`."""
    return WordRuns(words, size).list_features(0, len(words))


def measure_length(found: set[int], fewest: int = FEWEST) -> float:
    """The length of a text as the vector of its runs, by which what their weights sum up to is
    divided: more of them sum up to more by chance.
    """
    return float(max(len(found), fewest) ** 0.5)


def _lengthen(found: list[int], words: list[int], size: int) -> list[int]:
    """Each run with the word behind it."""
    factor = FACTOR % size  # small numbers are multiplied in half of the time
    return [(run * factor + word) % size for run, word in zip(found, words, strict=False)]


def split_sentences(text: str) -> list[list[int]]:
    """The numbers of the words of each sentence of a text, without case and most marks."""
    sentences: list[list[int]] = []
    words: list[int] = []
    for piece in split_pieces(text):
        words += _known.get(piece) or list_words(piece)
        if piece[-1] in STOPS and words:
            sentences.append(words)
            words = []
    if words:
        sentences.append(words)
    return sentences


def split_pieces(text: str) -> list[str]:
    """What stands between the blanks of a text, marks of full width written as those of ASCII."""
    return (text if text.isascii() else text.translate(_PLAIN)).split()


def list_words(piece: str) -> tuple[int, ...]:
    """The numbers of the words of what stands between two blanks, and is no mark of full width."""
    found = tuple(map(number_word, split_words(piece)))
    if len(piece) <= _LONGEST:
        if len(_known) >= _MOST:
            _known.clear()
        _known[piece] = found
    return found


def split_words(piece: str) -> tuple[str, ...]:
    """Return the words of such a piece, in lower case; each sign without spaces is one."""
    word = piece.lower()
    bare = word.strip(_SILENT)
    return (bare,) if bare.isalpha() and bare.isascii() else tuple(_split_word(word))


def number_word(word: str) -> int:
    """Return the number of a word or sign, the same on every machine."""
    found = crc32(word.encode("utf-8", "replace"))
    return found | WIDE if _is_wide(word[0]) else found


def _split_word(word: str) -> Iterator[str]:
    """Runs of letters and single signs: marks that tell, and those of scripts without spaces.
    Addresses are all one word, and so are pages and numbers.
    """
    # Where no blanks part words, what stands beside an address is none of it.
    for part in [word] if word.isascii() else word.translate(_SPREAD).split():
        if len(part) == 1 and part.isalpha():
            yield part
        elif address := _name_address(part):
            yield address
        else:
            yield from _split_signs(part)


class _SpreadSigns(dict[int, str]):
    """What `str.translate` puts for a character: signs of scripts without spaces stand apart."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = f" {char} " if char.isalpha() and _is_wide(char) else char
        return self[code]


_SPREAD = _SpreadSigns()


def _split_signs(word: str) -> Iterator[str]:
    """Runs of letters and single signs of a piece that is no address."""
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


def _name_address(word: str) -> str:
    """The word that an address is, of a site or of mail; empty if there is none."""
    bare = word.strip(_MARKS)
    if "@" in bare[1:]:
        return "@"
    return "://" if "://" in bare or bare.partition("/")[0].endswith(_SITES) else ""


def _is_wide(char: str) -> bool:
    """Whether a sign is of a script that has no spaces: Chinese, Japanese or Korean."""
    return "\u2e80" < char < "\ua4d0" or "\uac00" <= char < "\ud7b0"


BEGIN, END = number_word("^"), number_word("$")
