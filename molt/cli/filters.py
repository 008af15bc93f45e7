"""What search and recall share: their options, and what these mean."""

from __future__ import annotations

from molt.cli import clock, output
from molt.cli.call import Call
from molt.cli.spec import DECIMAL, FLAG, MANY, NUMBER, Option, text_of
from molt.formats import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.memory.recall.recall import Recalled
    from molt.memory.search.at import Moment
    from molt.memory.search.search import Answer, SearchOptions
    from molt.memory.workspace import Workspace


SOURCES = ("memory", "workspace", "documents", "extra", "sessions")


def read_moment(ws: Workspace, text: str) -> Moment | None:
    """What `--at` means; None where it is not given."""
    if not text:
        return None
    from molt.memory.search import asked

    return asked.read_moment(ws, text, clock.seconds())


def read_request(
    call: Call, words: str, given: dict[str, Any]
) -> tuple[Workspace, str, SearchOptions]:
    """The workspace, what is asked of it, and what the options mean. Raises Usage for nothing."""
    from molt.memory.search import asked

    text = asked.read_question(text_of(words))
    ws = call.workspace()
    return ws, text, asked.read_options(ws, given, clock.seconds())


def note_missing(call: Call, answer: Answer | Recalled, actor: str, *, shown: bool = False) -> None:
    """Say on stderr what an answer does not show; `shown`: it has more than its results."""
    told = max((one.signals["bm25"] + one.signals["graph"] for one in answer.results), default=1.0)
    unsure = "; `--nearest` shows what comes nearest" * bool(answer.unsure)
    by = f" by {actor!r}: `molt log` tells who wrote" if actor else ""
    nothing = f"nothing found{by}{unsure}"
    hidden = answer.hidden
    flag = "--archived" if "archived" in hidden else "--all"
    faded = f"{', '.join(f'{n:,} {state}' for state, n in hidden.items())} match"
    notes = (
        nothing * (not (answer.results or shown)),
        "no memory has a word of it: these are the nearest in meaning" * (not told and not hidden),
        f"{faded}, `{flag}` shows {'it' if sum(hidden.values()) == 1 else 'them'}" * bool(hidden),
        answer.fallback,
        f"{answer.stale:,} chunks wait for vectors; `molt index` makes them" * bool(answer.stale),
    )
    for why in filter(None, notes):
        output.note(call, why)


AT = Option(("--at",), "at", "From the memory as it was: a day, an ISO time, or a revision of git.")
VIEW = (
    Option(("--scope",), "scopes", "Of what belongs to a scope, only these.", MANY),
    Option(("--audience",), "audience", "Only what is for others too, as for a group."),
)
FILTERS = (
    Option(("--limit",), "limit", "How many results.", NUMBER, low=1),
    Option(("--store",), "stores", "Only these stores.", MANY, paths.STORE_NAMES),
    Option(("--type",), "types", "Only memories of these types, such as decision.", MANY),
    Option(("--tag",), "tags", "Only memories with these tags.", MANY),
    Option(("--since",), "since", "Only from this day on: 2026-02-02, yesterday, 16.01.2024."),
    Option(("--until",), "until", "Only up to this day, likewise."),
    Option(("--source",), "sources", "Only these sources.", MANY, SOURCES),
    Option(("--path",), "path", "Only below this path, or matching this glob."),
    *VIEW,
    Option(("--actor",), "actor", "Only what this actor, type or glob wrote or changed."),
    Option(("--all",), "dormant", "Dormant memories too.", FLAG),
    Option(("--archived",), "archived", "Dormant and archived memories too.", FLAG),
    Option(
        ("--min-score",), "min_score", "No answer that is less sure than this, 0 to 1.", DECIMAL
    ),
    Option(("--nearest",), "nearest", "The nearest, however unsure it is that they answer.", FLAG),
    AT,
)
