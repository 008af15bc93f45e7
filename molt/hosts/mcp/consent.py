"""What a person is asked, past the model: by elicitation, where the client has it."""

from __future__ import annotations

from mcp.server.elicitation import (
    AcceptedElicitation,
    CancelledElicitation,
    DeclinedElicitation,
)
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from molt.hosts.mcp.desk import Asking

CONFIRMED = "mcp, confirmed by the user"
"""What the history says asked for what a person said yes to."""
MOST = 6000
"""Characters of a question: of a longer one nobody reads the end."""


class Consent(BaseModel):
    """A person's answer."""

    confirm: bool = Field(description="Yes, do it")


Outcome = AcceptedElicitation[Consent] | DeclinedElicitation | CancelledElicitation


def can_ask(ctx: Asking) -> bool:
    """Whether the client says that it can ask its user in words."""
    found = ctx.client_capabilities
    asks = found.elicitation if found else None
    # A bare `{}` is the older way to say so.
    return asks is not None and (asks.form is not None or asks.url is None)


def was_asked(outcome: Outcome) -> bool:
    """Whether a person was asked at all. A resolver that asks nothing gives None as accepted."""
    return not (isinstance(outcome, AcceptedElicitation) and outcome.data is None)


def require_consent(outcome: Outcome, deed: str) -> None:
    """Raises ToolError where a person was asked and has not said yes: that is a refusal."""
    if not was_asked(outcome):
        return
    if isinstance(outcome, AcceptedElicitation) and outcome.data.confirm:
        return
    raise ToolError(f"the user refused: {deed}. Do not ask again unless they bring it up")
