"""VAULT: what people put under lock."""

from __future__ import annotations

from molt.policy import sensitivity, shapes
from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NOTE = "memory/vault/a.md"


def _check_vault(judged: Judged) -> Iterator[Fault]:
    if judged.is_person:
        return
    asked = judged.actor == "bot:trigger-remember"
    hint = "a person may commit it (`molt --actor manual …`); a bot may only add what was asked for"
    for change in judged.changes:
        if judged.sensitivity(change) != sensitivity.VAULT or (asked and change.status == "A"):
            continue
        done = "adds to" if change.status == "A" else "changes"
        yield Fault(change.path, 0, f"{judged.who} {done} the vault", hint)


RULES = (
    Rule(
        "VAULT001",
        "vault",
        "error",
        _check_vault,
        "What the user put under lock.",
        Example({}, {_NOTE: "a\n"}, actor="bot:trigger-remember"),
        Example({_NOTE: "a\n"}, {_NOTE: "b\n"}, actor="bot:main"),
        concerns=shapes.by_others(sensitivity.VAULT),
    ),
)
