"""VAULT: what people put under lock."""

from __future__ import annotations

from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def _check_vault(judged: Judged) -> Iterator[Fault]:
    if judged.is_person or judged.init:
        return
    for change in judged.changes:
        if not change.path.startswith("memory/vault/"):
            continue
        asked = judged.actor == "bot:trigger-remember"
        if change.status != "A" or not asked:
            said = "changes" if change.status != "A" else "adds to"
            hint = "a person may commit it; a bot may only add what the user asked for"
            yield Fault(change.path, 0, f"{judged.actor} {said} the vault", hint)


RULES = (
    Rule(
        "VAULT001",
        "vault",
        "error",
        _check_vault,
        "What the user put under lock.",
        Example({}, {"memory/vault/a.md": "a\n"}, actor="bot:trigger-remember"),
        Example({"memory/vault/a.md": "a\n"}, {"memory/vault/a.md": "b\n"}, actor="bot:main"),
    ),
)
