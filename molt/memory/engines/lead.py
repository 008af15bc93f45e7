"""The words before a memory that ask for it to be kept, and are no part of it."""

from __future__ import annotations

from molt.index.content import variants
from molt.memory.engines.english import words as en
from molt.values import Value

_MARKS = " \t\r\n,:;.-–—，：；。、!！"


class Led(Value):
    """A text without the phrase that led to it, and that phrase; empty where there is none."""

    phrase: str
    text: str


def cut_lead(text: str) -> Led:
    """A text without what asks to remember it: `remember that`, `please note:`, `记住`.

    What asks for a deed keeps its word: `don't forget to call` is a duty, and still says so.
    """
    said = text.strip()
    low = said.replace("’", "'").casefold()
    if len(low) != len(said):
        return Led("", said)
    if not said.isascii():
        # Who writes English pays for no other table.
        from molt.memory.engines.chinese import words as zh

        plain = variants.simplify_signs(low)
        for phrase in zh.LEADS:
            if plain.startswith(phrase):
                return _cut(said, len(phrase))
    for phrase in en.LEADS:
        rest = low[len(phrase) :]
        if low.startswith(phrase) and rest and not rest[0].isalnum() and _leads(phrase, rest):
            return _cut(said, len(phrase))
    return Led("", said)


def _leads(phrase: str, rest: str) -> bool:
    """Whether a phrase asks to remember, by what follows: `remember when we …` does not."""
    follows = rest.strip(_MARKS)
    if follows == "that":
        return False
    marked = rest.lstrip()[:1] in (":", ",", "-", "–", "—", "：", "，")
    if phrase in (
        "important",
        "very important",
        "note",
        "memo",
        "heads up",
        "make a note",
        "take a note",
        "please note",
    ):
        return marked
    if phrase.endswith("forget") and follows.startswith(("to ", "about ")):
        return False
    return not (phrase.endswith("remember") and follows.startswith(en.NOT_LEADS))


def _cut(said: str, size: int) -> Led:
    rest = said[size:].lstrip(_MARKS)
    if rest[:5].casefold() == "that " and len(rest) > 5:
        rest = rest[5:]
    return Led(said[:size], rest) if rest else Led("", said)
