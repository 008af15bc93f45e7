"""`molt remember`."""

from __future__ import annotations

from molt import errors
from molt.cli import clock, output
from molt.cli.call import Call
from molt.cli.spec import FLAG, MANY, Option, Spec, text_of
from molt.formats import paths
from molt.formats.episodes import CONFIDENCES
from molt.memory import days, ends
from molt.memory.engines.verdict import CREDENTIAL
from molt.memory.write.provenance import SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from molt.memory.workspace import Workspace
    from molt.memory.write.route import Route
    from molt.memory.write.stores import Placed
    from molt.repo.write.transaction import Written

_LONGEST = 400
"""Characters of a text that a hint repeats."""
_RELATION = 'An edge of the graph, such as "project--molt uses tool--git".'


def _remember(call: Call, /, text: str, dry_run: bool, brief: bool, **given: Any) -> int:
    from molt.memory.write import answers, near
    from molt.memory.write import remember as writing

    if text == given["route"] == "-":
        raise errors.Usage("standard input holds the route or the text", "give one as a file")
    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    words = text_of(text)
    if brief:
        return _print_brief(call, ws, words, now.strftime("%Y-%m-%d"))
    _read_days(given, ws.config.workspace_timezone, now)
    asked = answers.Asked(
        _read_route(given.pop("route")), given.pop("source"), given.pop("phrase"), now.timestamp()
    )
    route = answers.choose_route(ws, words, asked, **given)
    if route.store == "none":
        return _report_none(call, route)
    done = writing.remember_text(ws, route, now, dry_run=dry_run)
    _warn(call, route, done, now.strftime("%Y-%m-%d"))
    beside = near.list_near(ws, route, done.made)
    if call.json:
        output.print_json({**_describe(route, done), "near": [one.asdict() for one in beside]})
    elif dry_run:
        output.echo(done.message, end="")
    else:
        output.echo(_format_line(route, done))
    for one in () if call.json else beside:
        output.note(call, one.describe())
    return 0


def _format_line(route: Route, done: Written[Placed]) -> str:
    """Return the id, file and commit of a memory, with what its id does not say of it."""
    made = done.made
    more = [route.type] if made.id.startswith("episode:") and not made.again else []
    more += ["confidence low"] * (bool(more) and route.confidence == "low")
    more += [f"supersedes {made.superseded}"] * bool(made.superseded)
    commit = (done.oid or "unchanged")[:10]
    return "  ".join(filter(None, (made.id, made.path, commit, ", ".join(more))))


def _read_days(given: dict[str, Any], zone: str, now: datetime) -> None:
    """Give the days between which something holds as dates. Raises Usage for what is none, or for
    a last day that is past and is not named as it is.
    """
    second = now.timestamp()
    given["since"] = days.find_days(given["since"] or "", zone, second)[0] or given["since"]
    if given["until"]:
        given["until"] = ends.find_last_day(given["until"], zone, second)


def _read_route(where: str) -> str:
    """The JSON of `--route`: a file's, or that of standard input. Raises Usage or NotFound."""
    if not where:
        return ""
    if where == "-":
        return text_of("-") or " "
    try:
        with open(where, encoding="utf-8") as file:
            return file.read() or " "
    except FileNotFoundError as error:
        raise errors.NotFound(f"no file {where}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise errors.unreadable(where, error) from error


def _print_brief(call: Call, ws: Workspace, words: str, today: str) -> int:
    from molt.memory.write import answers, brief, route

    made = brief.make_brief(ws, route.check_text(words), answers.read_words(ws), today)
    if call.json:
        output.print_json(made.asdict())
        return 0
    output.echo(f"{made.prompt}\nThe text:\n\n{made.text}")
    return 0


def _report_none(call: Call, route: Route) -> int:
    """Say that nothing was stored, why, and which call stores it; return the exit status."""
    import shlex

    why = route.why or "it is not a memory"
    line = shlex.quote(" ".join(route.text.split()))
    way = f"molt remember --store episodic {line if len(line) <= _LONGEST else '- < FILE'}"
    if why == CREDENTIAL:
        way = "keep secrets in a password manager, and leave this one out of the text"
    none = errors.NeedsAnswer(f"nothing was stored: {why}", way)
    if not call.json:
        raise none
    found = {"id": None, "store": "none", "path": None, "commit": None, "action": None}
    more = {"engine": route.engine, "warnings": [], "reason": why, "text": route.text}
    output.print_json({**found, **more, "hint": way})
    return none.status


def _warn(call: Call, route: Route, done: Written[Placed], today: str) -> None:
    made = done.made
    ended = route.until and route.until < today and route.store != "semantic"
    over = f"{route.until} is past: `--archived` finds it, nothing else does" if ended else ""
    again = f"{made.id} says that already; this counts as a use of it" if made.again else ""
    said = (made.taken, route.note, again, over)
    output.note_warnings(call, (*filter(None, said), *done.warnings))


def _describe(route: Route, done: Written[Placed]) -> dict[str, Any]:
    made = done.made
    warnings = [one.asdict() for one in done.findings]
    said = {"id": made.id, "store": route.store, "path": made.path, "commit": done.oid}
    more = {"action": made.action, "engine": route.engine, "warnings": warnings, "type": route.type}
    pairs = [one.partition(":") for one in route.entities]
    ends = ("from", "relation", "to")
    edges = [dict(zip(ends, edge[:3], strict=True)) for edge in route.edges]
    graph = {
        "block": route.block if route.store == "core" or route.core_update else None,
        "entities": [{"name": label, "type": kind} for kind, _, label in pairs],
        "relations": [*edges, *route.relations],
        "tags": list(route.tags),
    }
    base = {"confidence": route.confidence, "base_relevance": route.base, "source": route.source}
    rest = {"origin": route.origin, "text": route.text, "again": made.again, "note": route.note}
    rest["spent"] = route.spent
    rest["supersedes"] = made.superseded or None
    rest["scope"] = route.scope or None
    return {**said, **more, **graph, **base, **rest}


remember = Spec(
    "remember",
    _remember,
    "Write one memory; `-` reads it from standard input. Exit status 3: nothing was stored (a "
    "question, small talk, an order of the moment, a password).",
    "text",
    options=(
        Option(("--store",), "store", "Where it goes.", choices=paths.STORE_NAMES),
        Option(("--entity",), "entity", 'For the graph: TYPE:LABEL, such as tool:"Git".'),
        Option(
            ("--supersedes",),
            "supersedes",
            "The memory that it replaces: an id, or a fact of the entity.",
        ),
        Option(("--block",), "block", "For core memory: the block."),
        Option(("--title",), "title", "For procedures and the vault."),
        Option(("--type",), "type", "For episodes: decision, fact, preference …"),
        Option(("--tag",), "tags", "May be given several times.", MANY),
        Option(("--confidence",), "confidence", "How sure it is.", choices=CONFIDENCES),
        Option(
            ("--relation",),
            "relations",
            'SUBJECT WORD OBJECT: "project--molt uses tool--git".',
            MANY,
        ),
        Option(("--scope",), "scope", "Whom it is for: private, project:NAME, or an audience."),
        Option(
            ("--source",),
            "source",
            "Whose word it is; without it, who acts and what asked for it decide.",
            choices=SOURCES,
        ),
        Option(
            ("--phrase",), "phrase", "The user's words that asked for it: it was said explicitly."
        ),
        Option(("--route",), "route", "Your model's route as JSON: a file, or `-`."),
        Option(("--brief",), "brief", "Print the prompt that asks your model for a route.", FLAG),
        Option(("--since",), "since", "The first day on which a fact holds, such as yesterday."),
        Option(("--until",), "until", "The last day on which it holds, likewise."),
        Option(("--make-room",), "make_room", "Move what a full core memory needs least.", FLAG),
        Option(("--dry-run",), "dry_run", "Show the commit that would be made.", FLAG),
    ),
)
