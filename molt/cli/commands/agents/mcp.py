"""`molt mcp`."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import click

from molt import errors
from molt.cli import clock, output
from molt.cli.call import Call, pass_call


@click.command()
@click.option("--http", is_flag=True, help="Over HTTP, for who knows a token here.")
@click.option("--port", type=click.IntRange(0, 65535), help="Where it listens; any otherwise.")
@click.option("--token-file", metavar="FILE", help="Has the token; molt makes one otherwise.")
@pass_call
def mcp(call: Call, http: bool, port: int | None, token_file: str | None) -> int:
    """Serve agents over the Model Context Protocol, on standard input and output.

    It starts without a workspace too: each call looks for it, and says what is missing.
    """
    if find_spec("mcp") is None:
        raise errors.Failed("`molt mcp` needs a package more: pip install 'molt-memory[mcp]'")
    if not http and (port is not None or token_file):
        raise click.UsageError("--port and --token-file are for --http")
    from molt.hosts.mcp import desk, server

    desk.require_model(call.actor)
    place = desk.ServerPlace(call.start, call.actor, clock.seconds)
    if not http:
        server.serve_stdio(place)
        return 0
    from molt.hosts.mcp import http as serving

    options = serving.HttpOptions(port or 0, token_file or "")
    serving.serve_http(place, options, lambda url, file: _tell(call, url, file))
    return 0


def _tell(call: Call, url: str, file: str) -> None:
    if call.json:
        output.print_json({"url": url, "token_file": file})
        sys.stdout.flush()
    else:
        output.note(call, f"{url}  (the token is in {file})")
