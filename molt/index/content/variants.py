"""Letters that are one word in two forms: traditional and simplified signs, Arabic with and without
its marks and articles.
"""

from __future__ import annotations

from molt import resources
from molt.values import keep_last

FIRST_ARABIC, LAST_ARABIC = "\u0600", "\u06ff"
# Full-width forms of ASCII stand at this distance from it.
_WIDE = 0xFEE0
# Vowel signs, the dagger alef and the line that only makes a word longer.
_MARKS = "".join(map(chr, (*range(0x064B, 0x0660), 0x0670, 0x0640)))
# Alef with whatever stands on it, the final forms of ya and ha, and what Persian and Urdu write
# for kaf and ya.
_LETTERS = str.maketrans("أإآٱىةکی", "اااايهكي", _MARKS)


def has_arabic(text: str) -> bool:
    """Whether a text has letters of the Arabic script."""
    return any(FIRST_ARABIC <= char <= LAST_ARABIC for char in frozenset(text))


def fold_signs(text: str) -> str:
    """A text with simplified signs for traditional ones, and narrow ones for wide; each stays in
    its place.
    """
    return text.translate(_read_table())


def fold_arabic(text: str) -> str:
    """A text whose Arabic words are without marks, and without the article and what is written
    together with it (`and the`, `with the`, `for the`).
    """
    import re

    plain = text.translate(_LETTERS)
    # At least three letters are left: most roots have so many.
    return re.sub(r"(?<!\w)[وف]?(?:[بك]?ال|لل)(?=[\u0621-\u064a]{3})", "", plain)


def simplify_signs(text: str) -> str:
    """A text with simplified signs for traditional ones; each stays in its place."""
    return text.translate(_load_simplified(resources.find("data/variants.txt")))


@keep_last
def _load_simplified(path: str) -> dict[int, int]:
    with open(path, encoding="utf-8") as file:
        _, every, instead, *_ = file.read().split("\n")
    return dict(zip(map(ord, every), map(ord, instead), strict=True))


@keep_last
def _load_pairs(path: str) -> dict[int, int]:
    narrow = ((code + _WIDE, code) for code in range(0x21, 0x7F))
    return _load_simplified(path) | dict(narrow)


def _read_table() -> dict[int, int]:
    return _load_pairs(resources.find("data/variants.txt"))
