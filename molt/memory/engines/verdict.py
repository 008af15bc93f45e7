"""What is known of a text before it is stored: where it belongs, and what it names."""

from __future__ import annotations

from molt.values import Value

NONE = "none"
"""The store of what is not a memory."""
CREDENTIAL = "a credential"
"""Why a text is not stored that gives a secret away: it leaves this machine for no opinion."""


class Named(Value):
    """A thing that a text names; `guessed` where its type is not known."""

    label: str
    type: str
    guessed: bool = False


class KnownEntity(Value):
    """An entity of the graph that a text names by its label or by another name."""

    label: str
    type: str
    aliases: tuple[str, ...] = ()


class Edge(Value):
    """A relation between two things, by their labels. `said` is the word that a model used, where
    relations.md does not have it.
    """

    subject: str
    word: str
    object: str
    said: str = ""


class RouteAnswer(Value):
    """All fields of a route as an engine gives them: an empty one was not given.

    `about` is the label of the entity that a semantic memory is of; `text` the words that are kept,
    `words` those of a person where they are others; `why` the reason, above all where the store is
    `none`; `spent` what a model took; `note` what is to be said about the answer.
    """

    engine: str
    store: str
    text: str
    type: str = ""
    block: str = ""
    about: str = ""
    entities: tuple[Named, ...] = ()
    edges: tuple[Edge, ...] = ()
    tags: tuple[str, ...] = ()
    confidence: str = ""
    core_update: bool = False
    title: str = ""
    trigger: str = ""
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    supersedes: str = ""
    words: str = ""
    phrase: str = ""
    why: str = ""
    spent: str = ""
    note: str = ""
