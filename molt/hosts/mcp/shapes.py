"""What the tools give, as models of which the protocol makes schemas."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Held = Annotated[str, Field(description="That something is held back; empty where nothing is")]


class ToolShape(BaseModel):
    """A part of an answer. Of a record of ours, the fields that it names are taken."""

    model_config = ConfigDict(from_attributes=True, frozen=True)


class HitShape(ToolShape):
    """One memory that was found; lines count from 1, inclusive."""

    id: str
    path: str
    start_line: int
    end_line: int
    snippet: str
    score: float
    confidence: float = Field(description="How sure it is that this is about what was asked, 0-1")
    citation: str
    source: str
    date: str


class FoundShape(ToolShape):
    """What a search gives."""

    results: tuple[HitShape, ...]
    hidden: dict[str, int] = Field(description="Matching memories that have faded, by status")
    unsure: int = Field(description="Results left out, for none is sure enough")
    fallback: str = Field(description="Why vectors are missing; empty where they are not")
    stale: int = Field(description="Pieces that still wait for vectors")
    quarantine: Held = ""


class CitedShape(ToolShape):
    """Where a piece of an answer is from."""

    id: str
    path: str
    start_line: int
    end_line: int


class AnsweredShape(ToolShape):
    """What a question recalls."""

    type: str
    entities: tuple[str, ...]
    context: str
    citations: tuple[CitedShape, ...]
    empty: Annotated[
        tuple[str, ...], Field(description="Days asked about of which nothing was written")
    ] = ()
    quarantine: Held = ""


class ReadShape(ToolShape):
    """A memory or a file as it stands."""

    ref: str
    path: str
    start_line: int
    end_line: int
    text: str


class RememberedShape(ToolShape):
    """What was stored, and where; `stored` is false for what is no memory, and `note` says why."""

    stored: bool
    id: str = ""
    store: str = "none"
    path: str = ""
    commit: str = ""
    action: str = ""
    again: Annotated[bool, Field(description="It was known already; this counts as a use")] = False
    source: str = ""
    base_relevance: float = 0.0
    supersedes: str = ""
    near: Annotated[
        tuple[str, ...],
        Field(description="What core memory says already: name it in `supersedes` if it changed"),
    ] = ()
    note: str = ""
    warnings: tuple[str, ...] = ()


class SuggestedShape(ToolShape):
    """What was proposed."""

    id: str
    number: int
    store: str
    conflict: str
    commit: str
    accepted: str = Field(description="The memory that it became, where it was taken at once")


class GoingShape(ToolShape):
    """A memory that is to be forgotten, and what happens to it."""

    id: str
    store: str
    path: str
    text: str
    effect: str
    left: bool = Field(description="It is left as it is, for `effect` says why")


class ForgettingShape(ToolShape):
    """What is to be forgotten (`token` asks for it), or was."""

    forgotten: bool
    matches: tuple[GoingShape, ...]
    token: Annotated[str, Field(description="Give it back, once the user has said yes")] = ""
    elsewhere: Annotated[str, Field(description="Where else it stands, and stays")] = ""
    commit: str = ""


class EdgeShape(ToolShape):
    """A relation between two entities."""

    source: str
    word: str
    target: str
    note: str


class NearShape(ToolShape):
    """An entity in reach of another one."""

    id: str
    label: str
    hops: int


class KnownShape(ToolShape):
    """What is known of an entity."""

    id: str
    path: str
    type: str
    label: str
    aliases: tuple[str, ...]
    text: str
    relations: tuple[EdgeShape, ...]
    neighbours: tuple[NearShape, ...]


class EventShape(ToolShape):
    """One commit of the history, or what a tombstone says."""

    time: str
    action: str
    file: str
    actor: str
    approval: str
    summary: str
    commit: str


class HistoryShape(ToolShape):
    """What was done."""

    events: tuple[EventShape, ...]


class CoreStateShape(ToolShape):
    """How full core memory is."""

    tokens: int
    cap: int
    warning: str


class AlertStateShape(ToolShape):
    """A critical file to look at."""

    file: str
    kind: str
    summary: str


class StatusShape(ToolShape):
    """What is here, and what waits for somebody."""

    core: CoreStateShape
    memories: dict[str, dict[str, int]]
    alerts: tuple[AlertStateShape, ...]
    proposals: int
    reflections: tuple[str, ...]
    index_fresh: bool
    index_stale: int
    dirty: tuple[str, ...]


class QuoteShape(ToolShape):
    """A memory that supports an operation, and the words of it that do."""

    id: str
    text: str


class StepShape(ToolShape):
    """One operation of a reflection. `wording` is `model` where its text is no quotation."""

    n: int
    op: str
    summary: str
    evidence: tuple[str, ...]
    reason: str
    files: tuple[str, ...]
    decision: str
    quotes: tuple[QuoteShape, ...] = ()
    wording: str = ""


class ReflectedShape(ToolShape):
    """A reflection, and what it would do."""

    id: str
    status: str
    plan_hash: str
    operations: tuple[StepShape, ...]


class DraftedShape(ToolShape):
    """What came of a plan: the reflection, if any, what in it was none, and what was left out."""

    reflection: ReflectedShape | None
    faults: tuple[str, ...]
    dropped: tuple[str, ...]


class DecidedShape(ToolShape):
    """What a person decided on a reflection."""

    id: str
    decision: str
    applied: int
    total: int
    commit: str


class LinkShape(ToolShape):
    """A result in the form of connectors."""

    id: str
    title: str
    url: str


class LinksShape(ToolShape):
    """What a connector's search gives."""

    results: tuple[LinkShape, ...]


class DocumentShape(ToolShape):
    """What a connector's fetch gives."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str]
