"""What changes the graph: relations in words, and the vocabulary that they are from."""

from __future__ import annotations

from molt import errors
from molt.formats import bullets, ids
from molt.formats import entity as entity_notes


def parse_relation(relation: str) -> tuple[str, str, str]:
    """Subject, word and object of a relation; a label with spaces stands in quotes.

    Raises Usage where it is none.
    """
    import shlex

    try:
        words = shlex.split(relation)
    except ValueError:
        words = []
    if len(words) < 3:
        hint = "such as: project--molt uses tool--git, or: 'My App' uses Git"
        raise errors.Usage(f"{relation!r} is no relation", hint)
    return words[0], normalize_word(" ".join(words[1:-1])), words[-1]


def normalize_word(text: str) -> str:
    """A relation's word in the form that files have. Raises Usage where it is none."""
    if not any(map(str.isalnum, text)):
        raise errors.Usage(f"{text!r} is no word for a relation", "such as depends-on")
    return ids.slug(text)


def add_word(text: str, word: str, section: str, meaning: str = "") -> str:
    """The text of relations.md with a word in a section; unchanged if it has that word."""
    if word in entity_notes.parse_relation_words(text):
        return text
    start = text or "# Relation Types\n"
    return bullets.add_bullet(start, section, f"`{word}` — {meaning or 'added here'}")
