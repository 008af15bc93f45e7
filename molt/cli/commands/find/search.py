"""`molt search`."""

from __future__ import annotations

import os
import sys

from molt.cli import output
from molt.cli.call import Call
from molt.cli.filters import FILTERS, note_missing, read_request
from molt.cli.spec import FLAG, TEXT, Option, Spec
from molt.formats.lines import escape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.memory.search.search import Result

# Less is shown as less: a score of 0.00 looks like none.
_SHOWN = 0.01
BY = ("memory", "session")
_BOLD, _PLAIN = "\033[1m", "\033[0m"


def _search(call: Call, query: str, by: str, explain: bool, **given: Any) -> int:
    from molt.memory.search import search as recalling

    ws, text, options = read_request(call, query, given)
    answer = recalling.search_marked(ws, text, options, by=by)
    if call.json:
        output.print_json(answer.asdict())
        return 0
    for one in answer.results:
        output.echo(escape_text(_render_head(one)))
        output.echo(f"       {_render_words(one, text)}")
        if explain:
            output.echo(f"       {_explain(one)}")
    note_missing(call, answer, options.filters.actor)
    return 0


def _render_head(one: Result) -> str:
    score = f"{one.score:5.2f}" if one.score >= _SHOWN else f"<{_SHOWN}"
    # A file that is one memory has no other name than its path.
    name = f"  {one.id}" * (one.id != one.path)
    # The day of an entry stands in its id.
    day = f"  {one.date[:10]}" * bool(one.date and one.date[:10] not in f"{one.id} {one.path}")
    held = f"  held back: {one.quarantine}" * bool(one.quarantine)
    right = f"  superseded by {one.corrected}" * bool(one.corrected)
    return f"{score}  {one.citation}{name}{day}{held}{right}"


def _render_words(one: Result, query: str) -> str:
    """The words of a result around what matched, on one line below the headings above them; on a
    terminal what matched is bold.
    """
    from molt.memory.search import snippets

    cut = snippets.cut_snippet(one.snippet, query, snippets.PRINTED)
    words = " ".join(cut.text.split())
    marks = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    parts, at = [], 0
    for start, end, _ in snippets.find_places(words, query) if marks else ():
        if start >= at:
            parts += [escape_text(words[at:start]), _BOLD, escape_text(words[start:end]), _PLAIN]
            at = end
    said = "".join((*parts, escape_text(words[at:])))
    heading = escape_text(" ".join(cut.heading.lstrip("# ").split()))
    return f"{heading}: {said}" if heading else said


_REASONS = {
    "words": "has words of the question",
    "meaning": "is near in meaning",
    "title": "stands under a title that says so",
    "entity": "is told of what the question names",
    "date": "is of the day that is named",
}


def _explain(one: Result) -> str:
    """Why a result stands where it does, in words."""
    why = [_REASONS[name] for name in one.matched] or ["stands beside what matches"]
    decay = one.signals["decay"]
    faded = f"; fading, so counted {decay:.2f}" * (decay < 1)
    return f"{', '.join(why)} (sure: {one.confidence:.2f}){faded}"


search = Spec(
    "search",
    _search,
    "Find memories by words and by meaning.",
    "query",
    options=(
        *FILTERS,
        Option(("--by",), "by", "One result for each memory or session.", TEXT, BY),
        Option(("--explain",), "explain", "Say why each result stands where it does.", FLAG),
    ),
)
