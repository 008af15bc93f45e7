"""Large numbers as notes write them: seven million is 7M there."""

from __future__ import annotations

from itertools import pairwise

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


def list_forms(query: str) -> tuple[str, ...]:
    """The ways in which notes write the large numbers of a query, as words of the keyword index,
    in which marks part words.
    """
    found: list[str] = []
    words = [word.strip("?!.,;:$€£") for word in query.lower().split()]
    for number, scale in pairwise(words):
        digits = _NUMBERS.get(number, number)
        if digits.isascii() and digits.isdigit():
            found += (digits + end for names, ends in _SCALES if scale in names for end in ends)
    return tuple(found)
