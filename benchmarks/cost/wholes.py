"""What goes over all of a workspace: verifying, the audit log, building the index, installing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.cost.grounds import Grounds, Workspace
from benchmarks.cost.meter import Cost, find_medians, measure
from benchmarks.cost.shipped import Shipped, prepare
from benchmarks.cost.table import TOLD, Figure, at_least, at_most

FEW = 3
"""Runs of what takes seconds."""
MODEL = "MOLT_BENCH_MODEL"


def verify_range(grounds: Grounds) -> Iterator[Figure]:
    """Judging two commits, by the commits before them."""
    for count in grounds.sizes(10_000, 100_000):
        workspace = grounds.make_memories(count)
        step = partial(_run, workspace, ("verify", "HEAD~2..HEAD"))
        found = find_medians({"P": grounds.start, "verify": step}, grounds.runs)
        name = f"verify of two commits, {count:,} before"
        value = found["verify"] / found["P"]
        yield Figure(name, value, "P", at_most(18), grounds.shipped.label)


def _run(workspace: Workspace, args: tuple[str, ...], _run: int) -> Cost:
    return workspace.molt(*args)


def _log(workspace: Workspace, revisions: str, _run: int) -> Cost:
    return workspace.git("log", "--raw", revisions)


def verify_history(grounds: Grounds) -> Iterator[Figure]:
    """Judging a history, beside reading it."""
    whole = grounds.sizes(10_000)[0]
    workspace = grounds.make_memories(whole)
    for count in (whole // 10, whole):
        revisions = f"HEAD~{count}..HEAD"
        steps = {
            "verify": partial(_run, workspace, ("verify", revisions)),
            "log": partial(_log, workspace, revisions),
        }
        found = find_medians(steps, FEW)
        bound = 4 * found["log"] / 1000 + 2
        name = f"verify of {count:,} commits (4 × `git log --raw` + 2 s)"
        value = found["verify"] / 1000
        yield Figure(name, value, "CPU s", at_most(bound), grounds.shipped.label)


def audit(grounds: Grounds) -> Iterator[Figure]:
    """Making the audit log anew, beside reading the history."""
    for count in grounds.sizes(10_000, 100_000):
        workspace = grounds.make_memories(count)
        steps = {
            "audit": partial(_run, workspace, ("audit", "rebuild")),
            "log": partial(_log, workspace, "HEAD"),
        }
        found = find_medians(steps, FEW)
        name = f"audit rebuild, {count:,} commits"
        value = found["audit"] / found["log"]
        yield Figure(name, value, "× log", at_most(1.6), grounds.shipped.label)


def index(grounds: Grounds) -> Iterator[Figure]:
    """Building the search index of whole notes, and of entities."""
    label = grounds.shipped.label
    for size in grounds.sizes(1_000_000, 5_000_000):
        notes = grounds.read_notes(size)
        workspace = _write_notes(grounds, f"notes-{size}", notes, grounds.shipped)
        text = sum(len(note.encode()) for note in notes) / 1e6
        found = find_medians({"index": partial(build_index, workspace)}, FEW)
        name = f"index build, {text:.1f} MB of notes"
        value = text / found["index"] * 1000
        yield Figure(name, value, "MB/CPU s", at_least(1.5), label)
    for count in grounds.sizes(1_000, 10_000):
        found = find_medians({"index": partial(build_index, grounds.make_entities(count))}, FEW)
        value = count / found["index"] * 1000
        yield Figure(f"index build, {count:,} entities", value, "/CPU s", TOLD, label)


def _write_notes(grounds: Grounds, name: str, notes: list[str], shipped: Shipped) -> Workspace:
    """A workspace with notes that are committed."""
    workspace = grounds.make_empty(name, shipped)
    folder = workspace.path / "memory/notes"
    folder.mkdir(parents=True)
    for number, note in enumerate(notes):
        (folder / f"{number:05}.md").write_text(note, encoding="utf-8")
    workspace.run_git("add", "-A")
    workspace.run_git("commit", "-q", "--no-verify", "-m", "notes")
    return workspace


def build_index(workspace: Workspace, _run: int) -> Cost:
    """What it costs to build the index from nothing."""
    place = workspace.path / ".git/molt"
    for file in place.glob("index.sqlite*"):
        file.unlink()
    cost = workspace.molt("index")
    if not any(place.glob("index.sqlite")):
        raise SystemExit("`molt index` has built no index")
    return cost


def install(grounds: Grounds) -> Iterator[Figure]:
    """What the package and all that it needs take on the disk, compiled."""
    size = grounds.shipped.size()
    yield Figure("install", size, "MB", at_most(130), grounds.shipped.label)


def model(grounds: Grounds) -> Iterator[Figure]:
    """Building an index with a model of fastembed, beside the model alone."""
    folder = os.environ.get(MODEL, "")
    if not folder:
        return
    shipped = prepare(("fastembed",))
    notes = grounds.read_notes(grounds.sizes(100_000)[0])
    workspace = _write_notes(grounds, "model", notes, shipped)
    settings = f"embedding:\n  provider: fastembed\n  model_path: {folder}\n  cache_mb: 0\n"
    workspace.write("molt.yaml", settings)
    workspace.run_git("commit", "-q", "--no-verify", "-m", "a model")
    bare = Path(__file__).with_name("bare_model.py")
    files = [str(file) for file in sorted(workspace.path.glob("memory/notes/*.md"))]
    steps: dict[str, Callable[[int], Cost]] = {
        "index": partial(build_index, workspace),
        "bare": lambda _run: measure(
            [shipped.python, str(bare), folder, *files], workspace.path, workspace.env
        ),
    }
    found = find_medians(steps, FEW)
    value = found["bare"] / found["index"]
    yield Figure("index build with a model", value, "× bare", at_least(0.85), shipped.label)
