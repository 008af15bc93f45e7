"""`doctor`: every problem says what, where and what to do; what can be mended is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from molt import __version__
from molt.cli import main
from molt.formats.meta import scores
from molt.memory import workspace
from molt.memory.clone.problems import Problem
from molt.memory.health import doctor
from molt.memory.search import search
from molt.repo import state

pytestmark = pytest.mark.slow

NOW = 1_770_000_000.0
SCORES = "memory/meta/decay-scores.json"
DAY = "memory/episodes/2026-02-02.md"
ENTRY = "## 14:30 | fact | confidence:high | tags:[a]\none\n"
KIND = {"store": "semantic", "base_relevance": 1.0, "type_weight": 1.0, "access_count": 1}


def put(ws, path: str, text: str | bytes) -> None:
    full = Path(ws.repo.root, path)
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(text if isinstance(text, bytes) else text.encode())


def commit(ws, subject: str = "[CREATE] * — x", notice: str = "") -> None:
    ws.repo.run("add", "-A")
    trailers = "Actor: manual\nApproval: —\nTrigger: x"
    ws.repo.run("commit", "-qm", f"{subject}\n\n{notice}{trailers}", "--no-verify")


def examined(ws, *, fix: bool = False) -> list[Problem]:
    return list(doctor.examine_workspace(workspace.find(ws.repo.root), fix=fix))


def test_a_new_workspace_is_well(ws) -> None:
    assert examined(ws) == []
    assert list(doctor.examine_repository(ws.repo, NOW, fix=False)) == []


@pytest.mark.parametrize(
    ("path", "text", "where"),
    [
        pytest.param(DAY, "# 2026-02-02\n\n## 25:99 | x\n", f"{DAY}:3", id="episode"),
        pytest.param("memory/graph/entities/tool--a.md", "---\na: [\n---\n", "", id="entity"),
        pytest.param("memory/vault/a.md", "---\n- a\n---\n", "", id="vault"),
        pytest.param("memory/procedures/a.md", b"caf\xe9\n", "", id="encoding"),
        pytest.param(SCORES, "{", "", id="scores"),
        pytest.param("memory/meta/critical.sha256", "nonsense\n", "", id="checksums"),
        pytest.param("memory/meta/pending-memories.md", "loose\n", "", id="proposals"),
    ],
)
def test_a_file_that_its_format_cannot_read_is_named(ws, path, text, where) -> None:
    put(ws, path, text)
    (found,) = examined(ws)
    assert found.where.startswith(where or path)
    assert (found.severity, found.mended) == ("error", False)
    assert found.what
    assert found.hint


def test_prose_and_adopted_notes_are_no_faults(ws) -> None:
    put(ws, "memory/2026-01-02.md", "- went for a walk\n## whatever\n")
    put(ws, "memory/ideas.md", "loose\n")
    assert examined(ws) == []


def test_scores_without_memories_are_removed(ws) -> None:
    put(ws, DAY, f"# 2026-02-02 — Episode Log\n\n{ENTRY}")
    put(ws, "MEMORY.md", "# Memory\n\n## Identity\n- one\n")
    kept = ("core:identity", "episode:2026-02-02:14:30")
    gone = ("entity:tool--gone", "episode:2026-02-02:14:31", "core:identity#00000000", "odd")
    put(
        ws,
        SCORES,
        scores.render_scores({"version": 1, "entries": dict.fromkeys(kept + gone, KIND)}),
    )
    commit(ws)
    (found,) = examined(ws)
    assert (found.where, found.severity) == (SCORES, "warning")
    assert "4 scores without a memory" in found.what
    assert [one.mended for one in examined(ws, fix=True)] == [True]
    left = json.loads(Path(ws.repo.root, SCORES).read_text())["entries"]
    assert sorted(left) == sorted(kept)
    assert examined(ws) == []
    assert ws.repo.run("status", "--porcelain") == ""


def test_links_that_lead_nowhere_are_named(ws) -> None:
    front = "---\nid: tool--a\ntype: tool\nlabel: A\n---\n# A\n\n## Relations\n"
    put(ws, "memory/graph/entities/tool--a.md", f"{front}- uses [[tool--b]], [[tool--a]]\n")
    (found,) = examined(ws)
    assert (found.where, found.severity) == ("memory/graph/entities/tool--a.md", "warning")
    assert found.what == "it leads to no entity: tool--b"


@pytest.mark.parametrize("data", [b"no database" * 1000, b""])
def test_a_damaged_index_is_made_anew(ws, data) -> None:
    search.search(ws, "anything")
    index = Path(ws.repo.molt_dir, "index.sqlite")
    for suffix in ("-wal", "-shm"):
        index.with_name(index.name + suffix).unlink(missing_ok=True)
    index.write_bytes(data)
    assert [one.where for one in examined(ws)] == [".git/molt/index.sqlite"]
    assert [one.mended for one in examined(ws, fix=True)] == [True]
    assert examined(ws) == []


def test_an_index_without_what_was_forgotten_is_not_behind(ws, monkeypatch) -> None:
    monkeypatch.chdir(ws.repo.root)
    assert main(["remember", "a walnut table stands in the hall"]) == 0
    search.search(ws, "walnut table")
    assert main(["forget", "walnut table", "--yes"]) == 0
    assert main(["index"]) == 0
    assert examined(ws) == []


def test_an_index_that_is_behind_is_brought_up(ws) -> None:
    search.search(ws, "anything")
    put(ws, "memory/ideas.md", "new\n")
    (found,) = examined(ws)
    assert (found.severity, "behind: 1 file" in found.what) == ("warning", True)
    examined(ws, fix=True)
    assert examined(ws) == []


def test_what_broke_a_rule_in_history_is_counted(ws) -> None:
    put(ws, DAY, f"# 2026-02-02 — Episode Log\n\n{ENTRY}")
    commit(ws, f"[CREATE] {DAY} — x")
    put(ws, DAY, "# 2026-02-02 — Episode Log\n")
    commit(ws, f"[EDIT] {DAY} — x")
    (found,) = examined(ws)
    assert "1 finding, the first EPI001" in found.what
    assert ws.repo.run("rev-parse", "HEAD").startswith(found.where)


def test_a_history_without_findings_is_judged_only_from_there_on(ws) -> None:
    assert examined(ws) == []
    version, _, tip = state.read(ws.repo.common_dir, "verified").partition(" ")
    assert (version, tip) == (__version__, ws.repo.tip())
    put(ws, DAY, f"# 2026-02-02 — Episode Log\n\n{ENTRY}")
    commit(ws, f"[CREATE] {DAY} — x")
    put(ws, DAY, "# 2026-02-02 — Episode Log\n")
    commit(ws, f"[EDIT] {DAY} — x")
    for _ in range(2):
        (found,) = examined(ws)
        assert "EPI001" in found.what
    bad = ws.repo.tip()
    state.write(ws.repo.common_dir, "verified", f"{__version__} {bad}")
    assert examined(ws) == []
    for other in (f"0.0 {bad}", f"{__version__} {'1' * 40}", "rubbish", f"{__version__} --all"):
        state.write(ws.repo.common_dir, "verified", other)
        assert len(examined(ws)) == 1


def test_unknown_settings_are_warnings(ws) -> None:
    put(ws, "molt.yaml", "cores: {}\n")
    commit(ws, "[EDIT] molt.yaml — x", "⚠️ CRITICAL FILE CHANGED\n\n")
    assert [(one.severity, "unknown key" in one.what) for one in examined(ws)] == [
        ("warning", True)
    ]


@pytest.mark.parametrize("text", ["a: [", "- a"])
def test_a_configuration_that_cannot_be_read_is_an_error_before_it_is_committed(ws, text) -> None:
    put(ws, "molt.yaml", text)
    (found,) = examined(ws)
    assert (found.severity, found.where) == ("error", "molt.yaml")


def test_a_lock_is_told_with_its_age_and_owner(ws) -> None:
    lock = Path(ws.repo.git_dir, "index.lock")
    lock.touch()
    os.utime(lock, (NOW - 7200, NOW - 7200))
    (found,) = doctor.examine_repository(ws.repo, NOW, fix=False)
    assert found.what.startswith("index.lock: git is running, or left it (made 2 hours ago by ")
    assert found.hint == "if none runs: `rm .git/index.lock`"
    assert list(doctor.examine_repository(ws.repo, NOW, fix=True)) == [found]
    assert lock.exists()


def test_a_missing_identity_is_told_with_the_remedy(ws, monkeypatch) -> None:
    for name in [name for name in os.environ if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER"))]:
        monkeypatch.delenv(name)
    (found,) = doctor.examine_repository(ws.repo, NOW, fix=False)
    assert "git config --global user.name" in found.hint
