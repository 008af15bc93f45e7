"""`molt mcp`."""

from __future__ import annotations

from importlib.util import find_spec

import click

from molt import errors
from molt.cli import clock
from molt.cli.call import Call, pass_call


@click.command()
@pass_call
def mcp(call: Call) -> int:
    """Serve agents over the Model Context Protocol, on standard input and output.

    It starts without a workspace too: each call looks for it, and says what is missing.
    """
    if find_spec("mcp") is None:
        raise errors.Failed("`molt mcp` needs a package more: pip install 'molt-memory[mcp]'")
    from molt.hosts.mcp import desk, server

    desk.require_model(call.actor)
    server.serve_stdio(desk.ServerPlace(call.start, call.actor, clock.seconds))
    return 0
