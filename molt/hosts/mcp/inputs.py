"""What the tools that take much are asked with."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import Field

from molt.hosts.mcp.spread import Input

Store = Literal["core", "episodic", "semantic", "procedural", "vault"]
Type = Literal["decision", "fact", "preference", "task", "event", "emotion", "correction"]
Block = Literal["Identity", "Active Context", "Persona", "Critical Facts"]
Source = Literal["conversation", "inferred", "tool", "web", "import"]
Decision = Literal["approve", "reject"]
Confidence = Literal["high", "medium", "low"]
Text = Annotated[str, Field(min_length=1, description="What to keep, in words that stand alone")]
Numbers = Annotated[tuple[int, ...], Field(description="Numbers of operations")]
_Day = Annotated[str, Field(description="A day: 2026-02-02, yesterday, last week")]
_Words = Annotated[tuple[str, ...], Field(description="A few words")]


class SearchInput(Input):
    """What is looked for, and among what."""

    query: Annotated[str, Field(min_length=1, description="What to look for, as a question")]
    limit: Annotated[int, Field(ge=1, le=50, description="How many results at most")] = 6
    stores: Annotated[tuple[Store, ...], Field(description="Only these stores")] = ()
    tags: Annotated[tuple[str, ...], Field(description="Only memories with these tags")] = ()
    since: _Day = ""
    until: _Day = ""
    faded: Annotated[bool, Field(description="Archived memories too")] = False


class RememberInput(Input):
    """What to keep, and where it belongs: what is left out, molt fills in."""

    text: Text
    store: Annotated[
        Store | Literal[""],
        Field(
            description="episodic: what happened or was decided; semantic: a fact about a thing; "
            "procedural: steps; core: needed in every conversation; vault: only if the user asks"
        ),
    ] = ""
    type: Annotated[Type | Literal[""], Field(description="Of an episode")] = ""
    entity: Annotated[str, Field(description='What it is about: TYPE:LABEL, as in tool:"Git"')] = ""
    entities: Annotated[
        tuple[str, ...], Field(description="What else it names: TYPE:LABEL each")
    ] = ()
    relations: Annotated[
        tuple[dict[str, str], ...],
        Field(description='As in {"from": "Ada", "relation": "uses", "to": "Git"}'),
    ] = ()
    tags: _Words = ()
    confidence: Annotated[
        Confidence | Literal[""], Field(description="high only if the user said it outright")
    ] = ""
    block: Annotated[Block | Literal[""], Field(description="Of core memory")] = ""
    core_update: Annotated[bool, Field(description="Add it to core memory as well")] = False
    title: Annotated[str, Field(description="Of a procedure; a known one is refined")] = ""
    supersedes: Annotated[
        str, Field(description="The id of the memory that this replaces, when something changed")
    ] = ""
    source: Annotated[Source, Field(description="Where it is from")] = "conversation"
    ask_user: Annotated[bool, Field(description="Have the user confirm the words")] = False

    def make_route(self) -> str:
        """Return the route of these fields as JSON, as `molt remember --route` reads it; empty
        where only the text is given.
        """
        things = [_split_thing(one) for one in (self.entity, *self.entities) if one]
        fields = {
            **{name: getattr(self, name) for name in _ROUTE if getattr(self, name)},
            **({"entities": things} if things else {}),
        }
        return json.dumps({**fields, "summary": self.text}, default=list) if fields else ""


_ROUTE = (
    *("store", "type", "relations", "tags", "confidence", "block", "core_update"),
    *("title", "supersedes"),
)


def _split_thing(text: str) -> dict[str, str]:
    kind, colon, label = text.partition(":")
    return {"name": label.strip(), "type": kind.strip()} if colon else {"name": text.strip()}


class ProposeInput(Input):
    """What is proposed, and what is said of it."""

    text: Text
    store: Annotated[Store | Literal[""], Field(description="Where it should go")] = ""
    entities: Annotated[tuple[str, ...], Field(description="About what: TYPE:LABEL each")] = ()
    confidence: Annotated[Confidence, Field(description="How sure")] = "medium"
    core_worthy: Annotated[bool, Field(description="That core memory should hold it")] = False


class DecideInput(Input):
    """What is decided on which reflection."""

    decision: Annotated[Decision, Field(description="What the user wants")]
    reflection: Annotated[str, Field(description="Its id; empty for the one that is open")] = ""
    only: Numbers = ()
    without: Numbers = ()
    why: Annotated[str, Field(description="For a rejection: the user's reason")] = ""
