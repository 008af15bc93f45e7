"""`molt context`."""

from __future__ import annotations

from molt.cli import output
from molt.cli.call import Call
from molt.cli.filters import VIEW
from molt.cli.spec import FLAG, NUMBER, Option, Spec, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _context(call: Call, max_tokens: int, query: str, brief: bool, **given: Any) -> int:
    from molt.cli.clock import now
    from molt.memory.answers import context as contexts
    from molt.memory.visible import views

    ws = call.workspace()
    view = views.read_view(ws.config, given)
    asked = contexts.ContextRequest(max_tokens, view, text_of(query) if query else "", brief)
    text = contexts.build_context(ws, now(ws.config.workspace_timezone), asked)
    if "core" in view.hidden:
        output.note(call, contexts.tell_hidden_core(ws))
    if not text:
        output.note(call, f"nothing fits into {max_tokens:,} tokens, or there is nothing yet")
    if call.json:
        output.print_json({"context": text})
    else:
        output.echo(text, end="")
    return 0


context = Spec(
    "context",
    _context,
    "Alerts, core memory, what is pending, today's and yesterday's episodes.",
    options=(
        Option(
            *(("--max-tokens",), "max_tokens", "The most it may hold.", NUMBER),
            low=1,
            default=6000,
        ),
        Option(("--query",), "query", "Also what this recalls, such as the first message."),
        Option(("--brief",), "brief", "Ids and first words instead of the memories.", FLAG),
        *VIEW,
    ),
)
