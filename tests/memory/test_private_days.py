"""A day's notes that are private as a whole are shown to nobody else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from molt.formats import scopes
from molt.memory.answers import context

NOON = datetime(2026, 2, 3, 12, 0, tzinfo=UTC)
ENTRY = "\n## 09:00 | fact | confidence:high | tags:[]\nThe free orchard.\n"


@pytest.mark.parametrize("body", ["\nThe free orchard.\n", ENTRY])
def test_a_day_that_is_private_is_in_no_context(ws, body: str) -> None:
    day = f"{ws.repo.root}/memory/2026-02-03.md"
    guests = scopes.choose_view((), "group")
    shown = {}
    for head in ("# Day\n", '---\n"Scope": private\n---\n# Day\n'):
        with open(day, "w", encoding="utf-8") as file:
            file.write(head + body)
        shown[head] = [
            "free orchard" in context.build_context(ws, NOON, context.ContextRequest(view=view))
            for view in (scopes.ALL, guests)
        ]
    assert list(shown.values()) == [[True, True], [True, False]]
