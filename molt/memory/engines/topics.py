"""Tags for a text: those in use that it names, and those of what it speaks of."""

from __future__ import annotations

from molt.memory.engines import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST = 4
"""More tags than that tell no text from others."""


def choose_tags(text: str, used: Iterable[str]) -> tuple[str, ...]:
    """At most four tags: of those in use the ones whose words the text has, then its topics."""
    plain = "".join(char if char.isalnum() else " " for char in text.lower())
    flat = f" {' '.join(plain.split())} "
    found = [tag for tag in used if _names(flat, tag.lower().replace("-", " "))]
    table = tables.load("topics")
    found += [
        topic
        for topic in table.names()
        if any(_names(flat, cue) for cue in table.split_cues(topic))
    ]
    return tuple(dict.fromkeys(found))[:_MOST]


def _names(flat: str, word: str) -> bool:
    """Whether a text names a word; one without spaces between words has it anywhere."""
    return f" {word} " in flat if word.isascii() else word in flat
