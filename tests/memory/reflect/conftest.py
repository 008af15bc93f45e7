"""A workspace with something to reflect on, and drafts made by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from copies import Copy

from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation
from molt.formats.reflections.summary import Summary
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.reflect.branches import branch
from molt.memory.reflect.branches.branch import KnownReflection
from molt.memory.reflect.material import material
from molt.memory.reflect.material.material import ReflectionMaterial
from molt.memory.workspace import Workspace
from molt.policy import Context
from molt.repo.write import transaction
from molt.repo.write.plan import Change
from molt.values import Value

NOW = datetime(2026, 2, 3, 3, tzinfo=UTC)
ALEX = "memory/graph/entities/person--alex.md"
DAY = "memory/episodes/2026-02-01.md"
ENTRY = "episode:2026-02-01:10:00:00"
FILES = {
    ALEX: "---\nid: person--alex\ntype: person\nlabel: Alex\ncreated: 2026-01-01\n"
    "updated: 2026-01-01\n---\n# Alex\n\n## Facts\n- lives in Berlin\n- plays chess\n",
    "memory/graph/entities/person--lex.md": "---\nid: person--lex\ntype: person\nlabel: Lexi\n"
    "created: 2026-01-01\nupdated: 2026-01-01\n---\n# Lexi\n\n## Facts\n- likes tea\n",
    DAY: "# 2026-02-01\n\n## 10:00:00 | fact | confidence: high | source: user-explicit\n"
    "Alex moved to Rome and uses git.\n",
}
TRAILERS = "\n\nActor: manual\nApproval: —\nTrigger: direct human edit\n"


class HandDraft(Value):
    """A draft as the pipeline gives it, made by hand."""

    material: ReflectionMaterial
    operations: tuple[Operation, ...]
    dropped: tuple[tuple[Operation, str], ...] = ()
    summary: Summary = Summary("2026-02-03")
    fields: tuple[tuple[str, object], ...] = ()


def operation(op: str, **args: object) -> Operation:
    return Operation(op, args, (ENTRY,), f"seen in {op}")


OPERATIONS = plan.number_operations(
    (
        operation("upsert-entity", entity="tool:Git", summary="keeps files", facts=["is fast"]),
        operation("supersede-fact", entity="person--alex", fact="lives in Berlin", by="in Rome"),
        operation("merge-entities", into="person--alex", other="person--lex"),
        operation("upsert-procedure", title="Release", steps=["test", "tag", "push"]),
        operation("archive", memory=ENTRY),
        operation("question", text="Is Lexi Alex?"),
        operation("insight", text="moves often", thread="home"),
        operation("rewrite-core", add=[{"block": "Persona", "text": "Be brief"}]),
    )
)


def commit_files(
    ws: Workspace, files: dict[str, str | None], said: str = "notes", *, by: str = TRAILERS
) -> None:
    """Commit files, by default as a person does."""
    data = {path: None if text is None else text.encode() for path, text in files.items()}
    made = Change(data, f"[EDIT] memory/* — {said}{by}", None)
    actor = by.partition("Actor: ")[2].partition("\n")[0]
    transaction.commit(ws.repo, lambda tree: made, Context(actor=actor))


def make_workspace(path: Path) -> None:
    setup.init(str(path))
    commit_files(workspace.find(str(path)), dict(FILES))


@pytest.fixture
def ws(tmp_path: Path, copy: Copy) -> Workspace:
    return workspace.find(str(copy(tmp_path / "agent", make_workspace)))


Propose = Callable[..., KnownReflection]


@pytest.fixture
def propose(ws: Workspace) -> Propose:
    """Writes a branch of operations, by default some of each kind."""

    def run(
        operations: tuple[Operation, ...] = OPERATIONS, *, parallel: bool = False
    ) -> KnownReflection:
        read = material.read_material(ws, "2026-02-03", NOW.timestamp())
        made = branch.write_branch(ws, HandDraft(read, operations), NOW, parallel=parallel)
        assert made is not None
        return made

    return run
