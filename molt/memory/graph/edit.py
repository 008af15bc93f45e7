"""What changes the graph: relations in words, and the vocabulary that they are from."""

from __future__ import annotations

from molt import errors
from molt.formats import bullets, ids
from molt.formats import entity as entity_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_WORDS = 40
"""Words of a relation that are read: nobody writes longer labels."""


def parse_relation(
    relation: str, means: Callable[[str], object] | None = None
) -> tuple[str, str, str]:
    """Subject, word and object of a relation. A label with spaces stands in quotes, or is one that
    `means` an entity: of several ways to read it, that with the longest labels.

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
    read = _split_labels(words, means) if means and len(words) > 3 else None
    if read:
        return read[0], normalize_word(read[1]), read[2]
    return words[0], normalize_word(" ".join(words[1:-1])), words[-1]


def _split_labels(words: list[str], means: Callable[[str], object]) -> tuple[str, str, str] | None:
    """Labels at both ends that mean something, and what is between them; None without any."""
    words = words[:_MOST_WORDS]
    last = len(words)
    firsts = [at for at in range(1, last - 1) if means(" ".join(words[:at]))]
    ends = [at for at in range(2, last) if means(" ".join(words[at:]))]
    found = [(end - first, first, end) for first in firsts for end in ends if first < end]
    if not found:
        return None
    _, first, end = min(found)
    return " ".join(words[:first]), " ".join(words[first:end]), " ".join(words[end:])


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
