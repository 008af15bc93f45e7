"""What the tools that take much are asked with."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from molt.hosts.mcp.spread import Input

Store = Literal["core", "episodic", "semantic", "procedural", "vault"]
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
    """What is to be kept, and what is said of it."""

    text: Text
    store: Annotated[Store | Literal[""], Field(description="Where; molt chooses otherwise")] = ""
    entity: Annotated[str, Field(description='For the graph: TYPE:LABEL, as in tool:"Git"')] = ""
    tags: _Words = ()
    source: Annotated[Source, Field(description="Where it is from")] = "conversation"
    ask_user: Annotated[bool, Field(description="Have the user confirm the words")] = False


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
