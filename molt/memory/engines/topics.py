"""Tags for a text: those in use that it names, of what it speaks, and what kinds it tells of."""

from __future__ import annotations

from molt.index.search import kinds
from molt.memory.engines import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.memory.engines.verdict import Named

_MOST = 4
"""More tags than that tell no text from others."""

_KINDS = kinds.load_table()
_TABLE = tables.load("topics")
_TOPICS = {topic: _TABLE.split_cues(topic) for topic in _TABLE.names()}
_TYPES = frozenset(("tool", "project", "place", "organization", "event"))
"""Types of things that are lists in somebody's life."""


def choose_kinds(text: str, named: Iterable[Named]) -> tuple[str, ...]:
    """The kinds that a text plainly has a member of, by its words or by the types of what it
    names: at most four.
    """
    types = [one.type for one in named if one.type in _TYPES]
    found = (*types, *kinds.choose_kinds(text, _KINDS))
    return tuple(dict.fromkeys(found))[:_MOST]


def choose_tags(text: str, used: Iterable[str]) -> tuple[str, ...]:
    """At most four tags: of those in use the ones whose words the text has, then its topics."""
    plain = "".join(char if char.isalnum() else " " for char in text.lower())
    flat = f" {' '.join(plain.split())} "
    # A kind is told by its members, and not by its own name.
    own = {*_TYPES, *_KINDS.members}
    named = (tag for tag in used if tag not in own)
    found = [tag for tag in named if _names(flat, tag.lower().replace("-", " "))]
    found += [topic for topic, cues in _TOPICS.items() if any(_names(flat, cue) for cue in cues)]
    return tuple(dict.fromkeys(found))[:_MOST]


def _names(flat: str, word: str) -> bool:
    """Whether a text names a word; one without spaces between words has it anywhere."""
    return f" {word} " in flat if word.isascii() else word in flat
