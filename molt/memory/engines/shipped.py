"""Routing by the model that ships: where a text likely belongs, and the names in it."""

from __future__ import annotations

from molt.memory.engines import classify, names
from molt.memory.engines.names import GraphWords
from molt.memory.engines.verdict import NONE, KnownEntity, RouteAnswer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ENGINE = "model"
WHY_NONE = "it looks like a question, small talk, an order for now or a password"
"""Why the model takes a text for no memory."""
_UNSURE = 0.4
"""A store that is less likely than that is in doubt."""
_LONGEST = 4000
"""Characters by which a text is judged: two pages."""
_MOST_TAGS = 4
_NAMING = ("semantic", "episodic")
"""The stores whose memories are about what they name."""
_FROM_START = frozenset(".:;!?。：；！？")


def answer_text(
    text: str,
    vocabulary: GraphWords,
    *,
    before: str = "",
    known: Sequence[KnownEntity] = (),
    used: Iterable[str] = (),
) -> RouteAnswer:
    """Return where a text belongs. `before` is what of a message stands before it, `known` the
    entities that the index finds in it, `used` the tags that are in use.

    Who asks for a text to be kept (`before`) is never rejected as not a memory.
    """
    head = text[:_LONGEST]
    found = classify.classify_text(head)
    store = found.store
    sure = found.store_confidence >= _UNSURE
    if store == NONE and not before.strip():
        return RouteAnswer(ENGINE, NONE, text, why=WHY_NONE)
    if store == NONE or not sure:
        store = "episodic"
    # `Remember that Ada …`: the capital does not begin a sentence.
    inside = before.strip()[-1:] not in ("", *_FROM_START)
    named = names.find_names(head, known, vocabulary, subject=inside or store == "semantic")
    about = named.edges[0].subject if named.edges else ""
    about = about or (named.entities[0].label if named.entities else "")
    if store == "semantic" and not about:
        about = names.guess_subject(head)
        store = store if about else "episodic"
    return RouteAnswer(
        ENGINE,
        store,
        text,
        found.type if store == found.store else "fact",
        found.block,
        about,
        named.entities if store in _NAMING else (),
        named.edges if store == "semantic" else (),
        _choose_tags(head, used),
        "" if sure else "low",
    )


def _choose_tags(text: str, used: Iterable[str]) -> tuple[str, ...]:
    """The tags in use whose words a text has, at most four."""
    plain = "".join(char if char.isalnum() else " " for char in text.lower())
    flat = f" {' '.join(plain.split())} "
    words = ((tag, tag.lower().replace("-", " ")) for tag in used)
    # Words of scripts without spaces stand anywhere in a run.
    found = (tag for tag, word in words if (f" {word} " if word.isascii() else word) in flat)
    return tuple(dict.fromkeys(found))[:_MOST_TAGS]
