"""`molt rule`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from molt import errors
from molt.cli import completion, output
from molt.cli.call import Call, pass_call

if TYPE_CHECKING:
    from molt.policy import Rule


@click.command()
@click.argument("code", default="", shell_complete=completion.complete_rules)
@pass_call
def rule(call: Call, code: str) -> int:
    """Explain the rule CODE, or list them all."""
    from molt import policy

    found = policy.rule(code)
    if code and found is None:
        raise errors.NotFound(f"no rule {code}", "`molt rule` lists them")
    if call.json:
        output.print_json(
            _describe_rule(found) if found else [_describe_rule(one) for one in policy.RULES]
        )
    elif found:
        _print_rule(found)
    else:
        for one in policy.RULES:
            click.echo(f"{one.code:9} {one.severity:8} {one.name} — {one.protects}")
    return 0


def _describe_rule(one: Rule) -> dict[str, Any]:
    named = {key: getattr(one, key) for key in ("code", "name", "severity", "protects")}
    return named | {"passes": one.passes.asdict(), "fails": one.fails.asdict()}


def _print_rule(found: Rule) -> None:
    click.echo(f"{found.code} {found.name} ({found.severity})\nProtects: {found.protects}")
    for word, example in (("Passes", found.passes), ("Fails", found.fails)):
        click.echo(f"\n{word}, as {example.actor or 'manual'}:")
        for path, content in example.new.items():
            before = example.base.get(path)
            if before != content:
                said = "new" if before is None else f"was {before[:200]!r}"
                click.echo(f"  {path} ({said}): {content[:200]!r}")
        if example.message:
            click.echo(f"  message: {example.message!r}")
