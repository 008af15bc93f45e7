"""Tags for a text: those in use that it names, of what it speaks, and the types it names."""

from __future__ import annotations

from molt.memory.engines import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.memory.engines.verdict import Named

_MOST = 4
"""More tags than that tell no text from others."""

_TABLE = tables.load("topics")
_TOPICS = {topic: _TABLE.split_cues(topic) for topic in _TABLE.names()}
_TYPES = frozenset(("tool", "project", "place", "organization", "event"))
"""Types of things that are lists in somebody's life."""


def choose_kinds(named: Iterable[Named]) -> tuple[str, ...]:
    """The types of what a text names that are lists in somebody's life: at most four."""
    return tuple(dict.fromkeys(one.type for one in named if one.type in _TYPES))[:_MOST]


def choose_tags(text: str, used: Iterable[str]) -> tuple[str, ...]:
    """At most four tags: of those in use the ones whose words the text has, then its topics."""
    plain = "".join(char if char.isalnum() else " " for char in text.lower())
    flat = f" {' '.join(plain.split())} "
    # A type is told by its members, and not by its own name.
    named = (tag for tag in used if tag not in _TYPES)
    found = [tag for tag in named if _names(flat, tag.lower().replace("-", " "))]
    found += [topic for topic, cues in _TOPICS.items() if any(_names(flat, cue) for cue in cues)]
    return tuple(dict.fromkeys(found))[:_MOST]


def _names(flat: str, word: str) -> bool:
    """Whether a text names a word; one without spaces between words has it anywhere."""
    return f" {word} " in flat if word.isascii() else word in flat
