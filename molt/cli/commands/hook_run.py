"""`molt hook-run`: what an installed hook runs where its interpreter is gone."""

from __future__ import annotations

import click


@click.command("hook-run", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
def hook_run(args: tuple[str, ...]) -> int:
    """What an installed hook runs where its interpreter is gone."""
    from molt import githooks

    return githooks.main(list(args))
