"""`molt search`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.filters import FILTERS, note_missing, read_request
from molt.cli.spec import TEXT, Option, Spec, text_of
from molt.formats.lines import escape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Less is shown as less: a score of 0.00 looks like none.
_SHOWN = 0.01
BY = ("memory", "session")


def _search(call: Call, query: str, by: str, **given: Any) -> int:
    from molt.memory.search import search as recalling

    ws, options = read_request(call, given)
    answer = recalling.search(ws, text_of(query), options, by=by)
    if call.json:
        output.print_json(answer.asdict())
        return 0
    for one in answer.results:
        score = f"{one.score:5.2f}" if one.score >= _SHOWN else f"<{_SHOWN}"
        # A file that is one memory has no other name than its path.
        name = f"  {one.id}" * (one.id != one.path)
        output.echo(escape_text(f"{score}  {one.citation}{name}"))
        output.echo(escape_text(f"       {' '.join(one.snippet.split())[:100]}"))
    note_missing(call, answer, options.filters.actor)
    return 0


search = Spec(
    "search",
    _search,
    "Find memories by words and by meaning.",
    "query",
    options=(
        *FILTERS,
        Option(("--by",), "by", "One result for each memory or session.", TEXT, BY),
    ),
)
