"""What people and programs are shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.errors import MoltError
    from molt.policy import Finding


def document(value: Any) -> None:
    """One JSON document on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False))


def failure(error: MoltError, *, as_json: bool) -> None:
    """What was wrong, where, and what to do next."""
    findings = getattr(error, "findings", ())
    if as_json:
        inner = {"kind": error.kind, "message": error.message, "hint": error.hint}
        document({"error": {**inner, "findings": [one.asdict() for one in findings]}})
        return
    click.echo(f"molt: {error.message}", err=True)
    if error.hint:
        click.echo(f"  {error.hint}", err=True)
    for one in findings:
        click.echo(finding(one), err=True)


def finding(one: Finding, commit: str = "") -> str:
    """A finding for people: where, which rule, what, and how to mend it."""
    where = one.path + (f":{one.line}" if one.line else "")
    head = " ".join(part for part in (commit[:10], one.severity, one.code, where) if part)
    return f"  {head}: {one.message}" + (f"\n      {one.hint}" if one.hint else "")


def github(found: Iterable[tuple[str, Finding]]) -> None:
    """Findings as annotations of GitHub."""
    for commit, one in found:
        text = f"{one.message} ({commit[:10]}). {one.hint}"
        text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        place = f"file={one.path},line={max(one.line, 1)}," if one.path else ""
        click.echo(f"::{one.severity} {place}title={one.code}::{text}")
