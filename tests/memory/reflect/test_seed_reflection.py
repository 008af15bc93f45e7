"""The example reflection of the architecture, as a plan over its own example files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from copies import Copy

from molt.cli import main
from molt.formats import bullets
from molt.formats.reflections import plan, summary
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.reflect import draft
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import approve
from molt.memory.workspace import Workspace

from .conftest import NOW, commit_files

CORE = """# MEMORY.md — Core Memory

## Identity
- Name: Alex

## Active Context
- Currently working on: [research phase of memory architecture]

## Persona
- Things I've learned about working with them: [Appreciates brainstorming]

## Critical Facts
"""
DAY = """# 2026-02-02 — Episode Log

## 14:30 | decision | confidence:high | tags:[memory, architecture]
Discussed memory architecture directions with user. Chose hybrid approach:
multi-store cognitive model + Letta-style core memory always in context.
User decisions: LLM routing, decay forgetting, full consolidation, graph semantics.

## 15:45 | preference | confidence:medium | tags:[workflow]
User prefers brainstorming before implementation. Wants multiple options
presented with trade-offs before committing to a direction.

## 16:00 | task | confidence:high | tags:[memory, design]
Created comprehensive architecture document for the memory system.
Next: user review and iteration on specific components.
"""
PROJECT = """---
id: project--moltbot-memory
type: project
label: Moltbot Memory System
created: 2026-01-15
updated: 2026-02-02
---
# Moltbot Memory System

## Summary
Building an intelligent memory system for Moltbot/OpenClaw agent. Goal is
human-like memory with natural language triggers, graph-structured semantics,
decay-based forgetting, and sleep-time consolidation.

## Facts
- Forgetting: decay model (not hard delete)
- Core memory budget: ~3,000 tokens

## Timeline
- 2026-02-02: Architecture direction chosen, design document drafted

## Open Questions
- Decay function parameters (half-life, floor)
- Reflection token budget cap

## Relations
- Inspired by: [[concept--letta-sleep-time]], [[concept--cognitive-memory-systems]]
"""
ALEX = "---\nid: person--alex\ntype: person\nlabel: Alex\ncreated: 2026-01-15\n---\n# Alex\n"
OLD = "# 2025-12-15\n\n## 10:00 | event | confidence:low\nLooked at an unrelated CSS bug.\n"
TALK, WISH, DONE = (f"episode:2026-02-02:{time}" for time in ("14:30", "15:45", "16:00"))
MODEL = "entity:project--moltbot-memory"
PLAN: list[dict[str, Any]] = [
    {"op": "add-fact", "entity": "person--alex",
     "fact": "prefers hybrid approaches over pure implementations",
     "evidence": [{"id": TALK, "quote": "Chose hybrid approach"}]},
    {"op": "add-fact", "entity": "project--moltbot-memory",
     "fact": "Architectural decision: decay model for forgetting (not hard delete)",
     "evidence": [{"id": MODEL, "quote": "Forgetting: decay model (not hard delete)"}]},
    {"op": "upsert-entity", "entity": "concept:sleep-time-compute",
     "facts": ["sleep-time consolidation is a goal of the memory system"],
     "evidence": [{"id": MODEL, "quote": "sleep-time consolidation"}]},
    {"op": "add-relation", "from": "person--alex", "relation": "prefers",
     "to": "concept--brainstorm-first",
     "evidence": [{"id": WISH, "quote": "User prefers brainstorming before implementation."}]},
    {"op": "add-relation", "from": "project--moltbot-memory", "relation": "inspired-by",
     "to": "concept--letta-sleep-time",
     "evidence": [{"id": MODEL, "quote": "Inspired by: [[concept--letta-sleep-time]]"}]},
    {"op": "archive", "memory": "episode:2025-12-15:10:00"},
    {"op": "rewrite-core",
     "replace": [{"bullet": "Currently working on: [research phase of memory architecture]",
                  "text": "Currently working on: [design document for memory architecture — "
                          "research complete]",
                  "evidence": [{"id": DONE, "quote": "comprehensive architecture document"}]}],
     "add": [{"block": "Active Context",
              "text": "Open decisions: [decay parameters, reflection token budget, "
                      "implementation order]",
              "evidence": [{"id": MODEL, "quote": "Reflection token budget cap"}]}]},
    {"op": "insight", "thread": "What I've Learned About Learning",
     "text": "Alex values systematic approaches but wants flexibility within structure.",
     "evidence": [TALK, WISH]},
    {"op": "insight",
     "text": "My understanding of Alex's work style has deepened — they think in architectures and "
             "systems, preferring to establish foundations before building features.",
     "evidence": [TALK, WISH, DONE]},
    {"op": "insight",
     "text": "Across reflections, Alex consistently chooses \"both/and\" over \"either/or\" "
             "solutions (hybrid memory model).",
     "evidence": [TALK, WISH]},
    {"op": "question",
     "text": "Should I pin the memory architecture decisions to the vault? "
             "They seem foundational."},
]  # fmt: skip


@pytest.fixture
def ws(tmp_path, copy: Copy) -> Workspace:
    def make(path) -> None:
        setup.init(str(path))
        files = {
            "MEMORY.md": CORE,
            "memory/episodes/2026-02-02.md": DAY,
            "memory/episodes/2025-12-15.md": OLD,
            "memory/graph/entities/project--moltbot-memory.md": PROJECT,
            "memory/graph/entities/person--alex.md": ALEX,
        }
        commit_files(workspace.find(str(path)), dict(files))

    return workspace.find(str(copy(tmp_path / "agent", make)))


def list_claims() -> list[str]:
    rows = [row for one in PLAN for name in ("add", "replace") for row in one.get(name, ())]
    fields = ("fact", "text")
    told = [str(one[name]) for one in (*PLAN, *rows) for name in fields if name in one]
    return [*told, *(text for one in PLAN for text in one.get("facts", ()))]


def test_all_of_it_stands_in_the_summary_as_written_each_with_its_quote(ws: Workspace) -> None:
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), plan=json.dumps(PLAN))
    assert (made.faults, made.dropped, made.cut) == ((), (), ())
    assert len(made.operations) == 12
    text = summary.render_summary(made.summary)
    assert [one for one in list_claims() if one not in text] == []
    claiming = [one for one in made.operations if one.op not in plan.CLAIMLESS]
    assert all(one.quotes and one.wording for one in claiming)


def test_approved_it_is_in_core_graph_log_and_evolution(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ws.repo.root)
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), plan=json.dumps(PLAN))
    found = draft.write_draft(ws, made, NOW)
    assert found is not None
    done = approve.approve_reflection(ws, found.id, approve.ALL, NOW)
    assert done.made.applied == done.made.total == 12

    def read(path: str) -> str:
        return (ws.head().read(path) or b"").decode()

    active = [one.text for one in bullets.bullets(read("MEMORY.md"), "Active Context")]
    assert len(active) == 2
    assert "design document for memory architecture — research complete" in active[0]
    assert "prefers hybrid approaches" in read("memory/graph/entities/person--alex.md")
    assert "[[concept--brainstorm-first]]" in read("memory/graph/entities/person--alex.md")
    assert read("memory/graph/entities/concept--brainstorm-first.md")
    assert read("memory/graph/entities/concept--letta-sleep-time.md")
    assert "r-001" in read("memory/meta/reflection-log.md")
    evolution = read("memory/meta/evolution.md")
    assert "flexibility within structure" in evolution
    assert '"both/and" over "either/or"' in evolution


def test_verbatim_takes_what_is_quoted_and_leaves_the_rest(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "User prefers brainstorming before implementation"
    quoted = {"op": "add-fact", "entity": "person--alex", "fact": said, "evidence": [WISH]}
    made = draft.draft_reflection(
        ws, "2026-02-03", NOW.timestamp(), plan=json.dumps([quoted, PLAN[0], PLAN[5]])
    )
    found = draft.write_draft(ws, made, NOW)
    assert found is not None
    assert [one.wording for one in made.operations] == ["verbatim", "model", ""]
    monkeypatch.chdir(ws.repo.root)
    assert main(["reflect", "approve", found.id, "--verbatim"]) == 0
    items = branch.find_reflection(ws, found.id).record.items
    assert [one.decision for one in items] == [
        "approved",
        "dropped: it is in the model's words",
        "approved",
    ]


def test_a_dry_run_shows_the_operations_with_quotes_and_wording(
    ws: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path,
) -> None:
    monkeypatch.chdir(ws.repo.root)
    path = tmp_path / "plan.json"
    bad = {**PLAN[0], "fact": "prefers 7 approaches"}
    path.write_text(json.dumps([PLAN[0], bad, {"op": "fly"}]))
    assert main(["reflect", "--plan", str(path), "--dry-run", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    (one,) = said["operations"]
    assert one["quotes"][0]["id"].startswith(TALK)
    assert one["wording"] == "model"
    assert said["dropped"][0]["why"] == "the evidence does not say '7'"
    assert said["faults"][0]["at"] == 2
