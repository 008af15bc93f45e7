"""Texts with some of their words exchanged for words of others, so that words alone are no sign."""

from __future__ import annotations

import random


def exchange_words(text: str, others: list[list[str]], share: float, chance: random.Random) -> str:
    """A text in which words, or pairs of signs where it has no blanks, are those of some other."""
    parts = split_words(text)
    for at in range(len(parts)):
        if chance.random() < share:
            parts[at] = chance.choice(chance.choice(others))
    return ("" if is_wide(text) else " ").join(parts)


def split_words(text: str) -> list[str]:
    """The words of a text, or its pairs of signs where it has no blanks."""
    if not is_wide(text):
        return text.split()
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def is_wide(text: str) -> bool:
    """Whether a text is of a script without blanks, or a third of it."""
    return sum(char > "\u2e80" for char in text) * 3 > len(text)
