"""Reading a memory by its id gives that memory, by its path the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt import errors
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.answers import get
from molt.memory.search import search
from molt.memory.workspace import Workspace

DAY = "memory/episodes/2026-02-02.md"
FIRST = "## 10:00 | decision | confidence:high | tags:[db]\nWe chose Postgres.\n\nFor billing.\n"
SECOND = "\n## 11:30 | fact | confidence:high | tags:[home]\nThe user lives in Lisbon.\n"
CORE = (
    "# Memory\n\n## Identity\n\n- The user is Ada.\n- She likes\n  tea.\n\n## Projects\n\n- molt\n"
)


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    setup.init(str(tmp_path), name="A", email="a@example.org")
    Path(tmp_path, DAY).parent.mkdir(parents=True, exist_ok=True)
    Path(tmp_path, DAY).write_text(f"# 2026-02-02 — Episode Log\n\n{FIRST}{SECOND}")
    Path(tmp_path, "MEMORY.md").write_text(CORE)
    return workspace.find(str(tmp_path))


def test_an_entry_is_read_alone_by_its_id(ws) -> None:
    found = get.get_passage(ws, "episode:2026-02-02:10:00")
    assert found.text.strip() == FIRST.strip()
    assert (found.path, found.start) == (DAY, 3)
    whole = Path(ws.repo.root, DAY).read_text().splitlines(keepends=True)
    assert found.text == "".join(whole[found.start - 1 : found.end])


@pytest.mark.parametrize(
    ("words", "text"),
    [("Lisbon", SECOND.strip()), ("tea", "- She likes\n  tea."), ("molt", "- molt")],
)
def test_what_a_search_names_is_what_is_read(ws, words: str, text: str) -> None:
    ids = [one.id for one in search.search(ws, words).results if words in one.snippet]
    assert get.get_passage(ws, ids[0]).text.strip() == text


def test_a_block_of_core_memory_is_read_by_its_name(ws) -> None:
    assert get.get_passage(ws, "core:projects").text == "## Projects\n\n- molt\n"


def test_lines_count_from_what_was_asked_for(ws) -> None:
    assert get.get_passage(ws, "core:projects", start=3).text == "- molt\n"
    assert get.get_passage(ws, "core:projects", start=3, lines=9).text == "- molt\n"
    assert get.get_passage(ws, DAY, start=4, lines=1).text == "We chose Postgres.\n"
    assert get.get_passage(ws, DAY, start=99).text == ""


@pytest.mark.parametrize(
    "ref", ["episode:2026-02-02:23:59", "core:nothing", "core:identity#0000", "entity:x--y", "x"]
)
def test_a_memory_that_is_not_there_is_not_found(ws, ref: str) -> None:
    with pytest.raises(errors.NotFound):
        get.get_passage(ws, ref)
