"""`molt search`, `molt recall`, `molt get` and `molt touch`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.spec import DECIMAL, FLAG, MANY, NUMBER, TEXT, Option, Spec, check_date, text_of

STORES = ("core", "episodic", "semantic", "procedural", "vault")
SOURCES = ("memory", "extra", "sessions")
# Less is shown as less: a score of 0.00 looks like none.
_SHOWN = 0.01
BY = ("memory", "session")
HOPS = ("0", "1", "2")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.memory.recall.recall import Recalled
    from molt.memory.search.at import Moment
    from molt.memory.search.search import Answer
    from molt.memory.workspace import Workspace


def _moment(ws: Workspace, text: str) -> Moment | None:
    """What `--at` means; None where it is not given."""
    if not text:
        return None
    from molt.cli import clock
    from molt.memory.search import at as past

    second = clock.second(text, ws.config.workspace_timezone)
    return past.find_moment(ws.repo, text, second, clock.seconds())


def _asked(obj: dict[str, Any], given: dict[str, Any]) -> tuple[Workspace, dict[str, Any]]:
    """The workspace, and what the options of a search mean, as `recall.search` takes them."""
    from molt.cli import clock
    from molt.index.search.candidates import Filters
    from molt.memory import workspace
    from molt.memory.search.visible import Sight

    for date in (given["since"], given["until"]):
        check_date(date)
    ws = workspace.find(obj["start"], obj["actor"])
    at = _moment(ws, given.pop("at"))
    second = at.now if at else clock.seconds()
    return ws, {
        "limit": given.pop("limit"),
        "min_score": given.pop("min_score"),
        "sight": Sight(second, given.pop("dormant"), given.pop("archived")),
        "today": lambda: clock.day(second, ws.config.workspace_timezone),
        "filters": Filters(**given),
        "at": at,
    }


def _search(obj: dict[str, Any], query: str, by: str, **given: Any) -> int:
    from molt.memory.search import search as recalling

    ws, asked = _asked(obj, given)
    answer = recalling.search(ws, text_of(query), by=by, **asked)
    if obj["json"]:
        output.document(answer.asdict())
        return 0
    for one in answer.results:
        score = f"{one.score:5.2f}" if one.score >= _SHOWN else f"<{_SHOWN}"
        # A file that is one memory has no other name than its path.
        name = f"  {one.id}" * (one.id != one.path)
        output.echo(output.shown(f"{score}  {one.citation}{name}"))
        output.echo(output.shown(f"       {' '.join(one.snippet.split())[:100]}"))
    _note(obj, answer, asked["filters"].actor)
    return 0


def _note(obj: dict[str, Any], answer: Answer | Recalled, actor: str) -> None:
    """Say on stderr what an answer does not show."""
    told = max((one.signals["bm25"] + one.signals["graph"] for one in answer.results), default=1.0)
    nothing = (
        f"nothing found by {actor!r}: `molt log` tells who wrote" if actor else "nothing found"
    )
    notes = (
        nothing * (not answer.results),
        "no memory has a word of it: these are the nearest in meaning" * (not told),
        answer.fallback,
        f"{answer.stale} chunks wait for vectors" * bool(answer.stale),
    )
    for why in filter(None, notes):
        output.note(obj, why)


AT = Option(
    ("--at",), "at", "From the memory as it was: a date, an ISO time, or a revision of git."
)

_FILTERS = (
    Option(("--limit",), "limit", "How many results.", NUMBER, low=1),
    Option(("--store",), "stores", "Only these stores.", MANY, STORES),
    Option(("--type",), "types", "Only memories of these types, such as decision.", MANY),
    Option(("--tag",), "tags", "Only memories with these tags.", MANY),
    Option(("--since",), "since", "Only from this date on (YYYY-MM-DD)."),
    Option(("--until",), "until", "Only up to this date (YYYY-MM-DD)."),
    Option(("--source",), "sources", "Only these sources.", MANY, SOURCES),
    Option(("--path",), "path", "Only below this path, or matching this glob."),
    Option(("--actor",), "actor", "Only what this actor, type or glob wrote or changed."),
    Option(("--all",), "dormant", "Dormant memories too.", FLAG),
    Option(("--archived",), "archived", "Dormant and archived memories too.", FLAG),
    Option(("--min-score",), "min_score", "Nothing that scores less.", DECIMAL),
    AT,
)

search = Spec(
    "search",
    _search,
    "Find memories by words and by meaning.",
    "query",
    options=(
        *_FILTERS,
        Option(("--by",), "by", "One result for each memory or session.", TEXT, BY),
    ),
)


def _recall(obj: dict[str, Any], question: str, max_tokens: int, hops: str, **given: Any) -> int:
    from molt.memory.recall import recall as recalls

    ws, asked = _asked(obj, given)
    found = recalls.answer_question(
        ws, text_of(question), max_tokens=max_tokens, hops=int(hops or 1), **asked
    )
    if obj["json"]:
        output.document(found.asdict())
    else:
        output.echo(output.shown(found.context, kept="\n\t"), end="")
        if found.results and not found.context:
            output.note(obj, f"no memory fits into {max_tokens} tokens: raise --max-tokens")
        _note(obj, found, asked["filters"].actor)
    return 0


recall = Spec(
    "recall",
    _recall,
    "Answer a question with one block of memories for a prompt, each with its place.",
    "question",
    options=(
        Option(("--max-tokens",), "max_tokens", "The most it may hold.", NUMBER, (), 1, 1500),
        Option(("--hops",), "hops", "How far from an entity; 1 otherwise.", TEXT, HOPS),
        *_FILTERS,
    ),
)


def _get(obj: dict[str, Any], ref: str, start: int, lines: int, at: str) -> int:
    from molt.cli import clock
    from molt.memory import get as reading
    from molt.memory import touch as touching
    from molt.memory import workspace

    ws = workspace.find(obj["start"], obj["actor"])
    found = reading.get_passage(ws, ref, start=start, lines=lines, at=_moment(ws, at))
    if not at:
        touching.note_read(ws, ref, clock.seconds())
    if obj["json"]:
        lines_of = {"start_line": found.start, "end_line": found.end}
        output.document({"ref": ref, "path": found.path, **lines_of, "text": found.text})
    else:
        output.echo(found.text, end="")
    return 0


get = Spec(
    "get",
    _get,
    "Read a memory by its id, or a file of memories by its path.",
    "ref",
    complete="memories",
    options=(
        Option(("--from",), "start", "First line of it.", NUMBER, low=1, default=1),
        Option(("--lines",), "lines", "How many; 0 for all.", NUMBER),
        AT,
    ),
)


def _touch(obj: dict[str, Any], memories: tuple[str, ...]) -> int:
    from molt.cli import clock
    from molt.memory import touch as touching
    from molt.memory import workspace

    ws = workspace.find(obj["start"], obj["actor"])
    touching.touch_memories(ws, memories, clock.seconds())
    if obj["json"]:
        output.document({"touched": list(memories)})
    else:
        output.echo(f"used: {', '.join(memories)}")
    return 0


touch = Spec(
    "touch",
    _touch,
    "Say that memories were used, which keeps them from fading.",
    "memories",
    many=True,
    complete="memories",
)
