"""Completion in the shell: the ids of memories and the codes of rules."""

from __future__ import annotations

import click


def complete_memories(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The ids of memories that begin so; none where anything is wrong, for a shell waits."""
    from molt.cli.call import make_call
    from molt.memory import inventory

    try:
        ws = make_call(ctx.ensure_object(dict)).find_workspace()
        return [name for name in inventory.list_ids(ws.files()) if name.startswith(incomplete)]
    except Exception:
        return []


def complete_rules(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The codes of rules that begin so."""
    from molt import policy

    return [rule.code for rule in policy.RULES if rule.code.startswith(incomplete.upper())]
