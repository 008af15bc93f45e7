"""`status`: what a workspace holds and what waits in it."""

from __future__ import annotations

from pathlib import Path

from molt.formats import times
from molt.formats.meta import scores as score_file
from molt.memory import workspace
from molt.memory.answers import status
from molt.memory.reflect.material import notebook
from molt.memory.search import search

NOW = 1_770_000_000.0
DAY = 86_400.0
FILES = {
    "MEMORY.md": "# Memory\n\n## Identity\n- one\n- two\n",
    "memory/episodes/2026-02-02.md": "# 2026-02-02 — Episode Log\n\n"
    "## 14:30 | fact | confidence:high | tags:[a]\none\n\n"
    "## 14:31 | fact | confidence:high | tags:[a]\ntwo\n",
    "memory/2026-01-01.md": "prose without entries\n",
    "memory/graph/entities/tool--git.md": "---\nid: tool--git\ntype: tool\n---\n# Git\n",
    "memory/vault/passport.md": "in the drawer\n",
    "memory/meta/pending-memories.md": "## Proposal #1\n- **From**: a\n- **Content**: b\n",
}


def put(ws: workspace.Workspace, files: dict[str, str]) -> None:
    for path, text in files.items():
        full = Path(ws.repo.root, path)
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text)


def test_an_empty_workspace_says_so(ws) -> None:
    found = status.read_status(ws, NOW)
    assert set(found.memories) == {"core", "episodic", "semantic", "procedural", "vault"}
    assert not any(found.memories.values())
    assert (found.alerts, found.proposals, found.reflections, found.dirty) == ((), 0, (), ())
    assert 0 < found.core.tokens < found.core.cap == 3000


def test_memories_are_counted_and_not_their_files(ws) -> None:
    put(ws, FILES)
    found = status.read_status(ws, NOW)
    active = {store: states.get("active") for store, states in found.memories.items()}
    assert active == {"core": 2, "episodic": 2, "semantic": 1, "procedural": None, "vault": 1}
    assert found.proposals == 1
    assert found.dirty == tuple(sorted(FILES))
    assert found.notes == {"daily": 1, "other": 0}


def test_a_note_of_a_day_is_what_a_reflection_takes_for_one(ws) -> None:
    names = ("2026-03-04", "2026-03-05-release", "logs/2026-03-06", "imported/2026-03-07", "ideas")
    put(ws, {f"memory/{name}.md": "- we ship on Friday\n" for name in names})
    assert status.read_status(ws, NOW).notes == {"daily": 3, "other": 2}
    assert len(notebook.list_dated(ws.files())) == 3


def test_memories_stand_as_decay_has_them_now(ws) -> None:
    entry = {"base_relevance": 1.0, "type_weight": 1.0, "access_count": 1}
    ages = {"episode:2026-02-02:14:30": 40, "episode:2026-02-02:14:31": 300, "vault:passport": 999}
    entries = {
        name: {**entry, "last_accessed": times.render_time(NOW - days * DAY)}
        for name, days in ages.items()
    }
    scores = score_file.render_scores({"version": 1, "entries": entries})
    put(ws, {**FILES, "memory/meta/decay-scores.json": scores})
    found = status.count_memories(ws, ws.files(), NOW)
    assert found["episodic"] == {"fading": 1, "archived": 1}
    assert found["vault"] == found["semantic"] == {"active": 1}


def test_the_index_is_only_looked_at(ws) -> None:
    before = status.read_status(ws, NOW).index
    assert not before.fresh
    assert not Path(ws.repo.molt_dir, "index.sqlite").exists()
    search.search(ws, "anything")
    assert status.read_status(ws, NOW).index == status.IndexLag(True, 0)
    put(ws, {"memory/ideas.md": "new\n"})
    assert str(status.read_status(ws, NOW).index) == "1 file to read, 0 chunks for vectors"
    put(ws, FILES)
    behind = status.read_status(ws, NOW).index
    assert (behind.fresh, behind.stale >= 4) == (False, True)


def test_a_damaged_index_is_not_fresh(ws) -> None:
    search.search(ws, "anything")
    file = Path(ws.repo.molt_dir, "index.sqlite")
    whole = file.read_bytes()
    file.write_bytes(b"no database" * 1000)
    assert not status.read_status(ws, NOW).index.fresh
    said = set()
    for at in range(0, len(whole), 4096):
        file.write_bytes(whole[:at] + b"\xa5" * 4096 + whole[at + 4096 :])
        found = status.read_status(ws, NOW).index
        assert not (found.damaged and found.fresh)
        said.add(str(found))
    assert "damaged" in said


def test_a_core_memory_that_is_not_there_is_told(ws) -> None:
    Path(ws.repo.root, "MEMORY.md").unlink()
    said = status.read_status(ws, NOW).core.warning
    assert said == "MEMORY.md is not there: `git restore MEMORY.md` brings it back"
