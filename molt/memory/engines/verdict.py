"""What an engine finds in a text: where it belongs, and what it names."""

from __future__ import annotations

from molt.values import Value

NONE = "none"
"""The store of what is no memory."""


CREDENTIAL = "a credential"
"""Why what is one is no memory."""
CARD = "the number of a payment card"
"""Likewise."""
CREDENTIALS = (CREDENTIAL, CARD)
"""Why a text is no memory that gives something away: it leaves this machine for no opinion."""
UNKEPT = "a request not to keep it"
"""Why a text is no memory that says so of itself, whatever else it says."""


class Named(Value):
    """A thing that a text names, and of which type it is."""

    label: str
    type: str


class KnownEntity(Value):
    """An entity that there is, which a text names by its label or by another name."""

    label: str
    type: str
    aliases: tuple[str, ...] = ()


class Edge(Value):
    """A relation between two things that a text names, by their labels."""

    subject: str
    word: str
    object: str


class Verdict(Value):
    """Where a sentence belongs: its store (`none` for what is no memory), the type of an episode,
    the block of core memory, and why.
    """

    store: str
    type: str = "fact"
    block: str = ""
    why: str = ""


class Facts(Value):
    """What a sentence names and how it relates that; of a semantic one `about` is the subject."""

    entities: tuple[Named, ...] = ()
    edges: tuple[Edge, ...] = ()
    about: str = ""


class RouteAnswer(Value):
    """What an engine says of a text: all that flags may say, and more.

    `about` is the label of the entity that a semantic memory is of; `text` what of the words is
    kept; `phrase` what asked for it; `why` the reason, above all where the store is `none`;
    `spent` what a model took for it; `note` why a better engine did not answer; `supersedes` the
    memory that it takes the place of, as `--supersedes` names it.
    """

    engine: str
    store: str
    text: str
    type: str = "fact"
    block: str = ""
    about: str = ""
    entities: tuple[Named, ...] = ()
    edges: tuple[Edge, ...] = ()
    tags: tuple[str, ...] = ()
    confidence: str = ""
    core_update: bool = False
    phrase: str = ""
    why: str = ""
    spent: str = ""
    note: str = ""
    supersedes: str = ""
