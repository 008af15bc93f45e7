"""Numbers as notes write them: seven million is 7M there, 十四分钟 is 14 分钟."""

from __future__ import annotations

from itertools import pairwise

from molt.index.content import signs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBERS = {
    **dict.fromkeys(("one", "ein", "eine", "un", "una", "une", "um", "uma"), "1"),
    **dict.fromkeys(("two", "zwei", "dos", "deux", "dois"), "2"),
    **dict.fromkeys(("three", "drei", "tres", "trois", "três"), "3"),
    **dict.fromkeys(("four", "vier", "cuatro", "quatre", "quatro"), "4"),
    **dict.fromkeys(("five", "fünf", "cinco", "cinq"), "5"),
    **dict.fromkeys(("six", "sechs", "seis"), "6"),
    **dict.fromkeys(("seven", "sieben", "siete", "sept", "sete"), "7"),
    **dict.fromkeys(("eight", "acht", "ocho", "huit", "oito"), "8"),
    **dict.fromkeys(("nine", "neun", "nueve", "neuf", "nove"), "9"),
    **dict.fromkeys(("ten", "zehn", "diez", "dix", "dez"), "10"),
    **dict.fromkeys(("twelve", "zwölf", "doce", "douze", "doze"), "12"),
    **dict.fromkeys(("twenty", "zwanzig", "veinte", "vingt", "vinte"), "20"),
    **dict.fromkeys(("fifty", "fünfzig", "cincuenta", "cinquante", "cinquenta"), "50"),
}
_THOUSAND = frozenset(("thousand", "tausend", "mil", "mille", "k"))
_MILLION = frozenset(
    ("million", "millions", "millionen", "mio", "millón", "millones", "milhão", "milhões")
)
_BILLION = frozenset(("billion", "billions", "milliarde", "milliarden", "milliard", "milliards"))
_SCALES = (
    (_THOUSAND, ("k", " 000", "000")),
    (_MILLION, ("m", " 000 000")),
    (_BILLION, ("b", "bn")),
)
"""How many there are of what a number counts, and how notes end the number then."""
_DIGITS = {**dict(zip("一二三四五六七八九", range(1, 10), strict=True)), "两": 2}
_TENS = {"十": 10, "百": 100, "千": 1000}
_NUMERAL = "[一二两三四五六七八九十百千]+"
_COUNTED = "秒|分钟|小时|天|周|个|年|次|元|块|名|条|家|轮|篇|页|集"


def list_forms(query: str) -> tuple[str, ...]:
    """The ways in which notes write the numbers of a query, large ones and those in signs, as words
    of the keyword index, in which marks part words.
    """
    found = list(_list_digits(query)) if signs.has_unspaced(query) else []
    words = [word.strip("?!.,;:$€£") for word in query.lower().split()]
    for number, scale in pairwise(words):
        digits = _NUMBERS.get(number, number)
        if digits.isascii() and digits.isdigit():
            found += (digits + end for names, ends in _SCALES if scale in names for end in ends)
    return tuple(found)


def _list_digits(query: str) -> Iterator[str]:
    """The numbers of things that a query has in signs, in digits; a single one is an article."""
    import re

    for numeral, counted in re.findall(f"({_NUMERAL})({_COUNTED})", query):
        if numeral != "一":
            # The index has each sign of a run by itself too, in the order of the text.
            yield f"{_read_numeral(numeral)} {counted[0]}"


def _read_numeral(numeral: str) -> int:
    """The number that signs tell: 十四 is 14, 三百 300."""
    total, digit = 0, 0
    for sign in numeral:
        if sign in _TENS:
            total += max(digit, 1) * _TENS[sign]
            digit = 0
        else:
            digit = _DIGITS[sign]
    return total + digit
