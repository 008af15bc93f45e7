"""`molt recall`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.filters import FILTERS, note_missing, read_request
from molt.cli.spec import NUMBER, TEXT, Option, Spec
from molt.formats.lines import escape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HOPS = ("0", "1", "2")


def _recall(call: Call, question: str, max_tokens: int, hops: str, **given: Any) -> int:
    from molt.memory.recall import recall as recalls

    ws, text, options = read_request(call, question, given)
    found = recalls.answer_question(ws, text, options, max_tokens=max_tokens, hops=int(hops or 1))
    if call.json:
        output.print_json(found.asdict())
    else:
        output.echo(escape_text(found.context, kept="\n\t"), end="")
        if found.results and not found.context:
            output.note(call, f"no memory fits into {max_tokens} tokens: raise --max-tokens")
        note_missing(call, found, options.filters.actor, shown=bool(found.context))
        for days in found.empty:
            output.note(call, f"nothing that is shown was written in {days}")
        if found.quarantine:
            output.note(call, found.quarantine)
    return 0


recall = Spec(
    "recall",
    _recall,
    "Answer a question with one block of memories for a prompt, each with its place.",
    "question",
    options=(
        Option(("--max-tokens",), "max_tokens", "The most it may hold.", NUMBER, (), 1, 1500),
        Option(("--hops",), "hops", "How far from an entity; 1 otherwise.", TEXT, HOPS),
        *FILTERS,
    ),
)
