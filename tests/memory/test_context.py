"""What a session begins with: by importance, then by what is new, within its bound."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from molt import tokens
from molt.formats import bullets
from molt.memory.answers import context
from molt.memory.answers.context import ContextRequest
from molt.memory.workspace import Workspace

NOON = datetime(2026, 2, 3, 12, 0, tzinfo=UTC)
BULLETS = (
    *("prefers tea to coffee", "keeps bees on the roof of the library"),
    *("the invoice run is on the first Monday", "the piano is tuned in April"),
    *(f"shelf {at} of the archive holds boxes of old letters" for at in range(30)),
)


@pytest.fixture
def ws(ws: Workspace) -> Workspace:
    core = "".join(f"- {one}\n" for one in BULLETS)
    write(ws, "MEMORY.md", f"# Core Memory\n\n## Critical Facts\n\n{core}")
    more = "fact | confidence:high | tags:[]"
    times = (f"{8 + at // 60:02}:{at % 60:02}" for at in range(100))
    rows = (f"\n## {time} | {more}\nstep {at} is done\n" for at, time in enumerate(times))
    write(ws, "memory/episodes/2026-02-03.md", f"# 2026-02-03 — Episode Log\n{''.join(rows)}")
    write(
        ws,
        "memory/episodes/2025-06-01.md",
        "# 2025-06-01 — Episode Log\n\n## 10:00 | fact | confidence:high | tags:[]\n"
        "the ferry to the island leaves from pier four\n",
    )
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qnm", "[EDIT] * — by hand")
    return ws


def write(ws: Workspace, path: str, text: str) -> None:
    file = Path(ws.repo.root, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("brief", [False, True])
@pytest.mark.parametrize("query", ["", "when do the bees on the library swarm?"])
@pytest.mark.parametrize("most", [5, 60, 200, 400, 900, 6000])
def test_a_context_has_no_more_tokens_than_it_may(ws, most: int, query: str, brief: bool) -> None:
    text = context.build_context(ws, NOON, ContextRequest(most, query=query, brief=brief))
    assert tokens.count_tokens(text) <= most
    assert text or most < 60


def test_alerts_come_before_core_and_core_before_the_newest(ws) -> None:
    with open(Path(ws.repo.root, "SOUL.md"), "a", encoding="utf-8") as file:
        file.write("\nBe kind.\n")
    text = context.build_context(ws, NOON)
    places = [text.index(part) for part in ("## Alerts", "prefers tea", "step 0 ", "step 99 ")]
    assert places == sorted(places)


def test_of_core_memory_what_a_query_needs_least_goes_first(ws) -> None:
    asked = ContextRequest(400, query="on which day is the invoice run?")
    text = context.build_context(ws, NOON, asked)
    assert "the invoice run is on the first Monday" in text
    assert "shelf 29 " not in text
    assert "bullets that matter less are left out" in text


def test_of_core_memory_what_is_used_stays(ws) -> None:
    weights = {}

    def weigh() -> dict[str, float]:
        weights.update({one.id: float("shelf 29" in one.text) for one in found})
        return weights

    found = bullets.core_bullets(Path(ws.repo.root, "MEMORY.md").read_text())
    text = context.shorten_core(Path(ws.repo.root, "MEMORY.md").read_text(), 200, weigh)
    assert "shelf 29" in text
    assert "shelf 28" not in text
    assert tokens.count_tokens(text) <= 200
    assert text.startswith("# Core Memory\n\n## Critical Facts\n")


def test_of_a_long_day_the_newest_is_kept(ws) -> None:
    text = context.build_context(ws, NOON, ContextRequest(900))
    assert "step 99 is done" in text
    assert "step 0 is done" not in text
    assert "`molt get 2026-02-03` reads all" in text


def test_what_is_cut_says_how_to_read_the_rest() -> None:
    prose = "A line of some words.\n" * 40
    core = context.shorten_core(prose, 60, dict)
    day = context.shorten_day("2026-02-03", prose, 60)
    assert core.endswith("`molt get MEMORY.md` reads the rest)\n")
    assert day.endswith("`molt get 2026-02-03` reads the rest)\n")


def test_a_query_brings_what_it_recalls(ws) -> None:
    query = "where does the ferry to the island leave?"
    assert "pier four" not in context.build_context(ws, NOON)
    for brief in (False, True):
        asked = ContextRequest(query=query, brief=brief)
        assert "pier four" in context.build_context(ws, NOON, asked)
    unknown = context.build_context(ws, NOON, ContextRequest(query="zorblax quuxification"))
    assert unknown == context.build_context(ws, NOON)


def test_an_index_names_each_memory_on_a_line(ws) -> None:
    text = context.build_context(ws, NOON, ContextRequest(brief=True))
    assert "- episode:2026-02-03:09:39: step 99 is done\n" in text
    assert text.index("step 99 ") < text.index("step 0 ")
    assert text.count("- core:critical-facts#") == len(BULLETS)
    assert "confidence:high" not in text
