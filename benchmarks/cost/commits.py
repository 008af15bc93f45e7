"""What the hooks add to a commit that a person makes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from math import log

from benchmarks.cost import histories
from benchmarks.cost.grounds import NO_HOOKS, Grounds, Workspace
from benchmarks.cost.meter import Cost, find_medians
from benchmarks.cost.table import TOLD, Figure, at_most

Commit = Callable[[Workspace, int], Cost]


def hooks(grounds: Grounds) -> Iterator[Figure]:
    """The hooks of a commit of one entry, and of one new file in a large folder."""
    for count in grounds.sizes(1_000, 10_000):
        hooked = grounds.make_entities(count)
        bare = _copy_bare(hooked)
        for what, commit in (("an entry", commit_entry), ("a new file", commit_file)):
            cost = _compare(grounds, hooked, bare, commit)
            name = f"hooks of a commit of {what}, {count:,} files"
            yield Figure(name, cost, "P", at_most(4), grounds.shipped.label)
        bare.remove()


def strict_hooks(grounds: Grounds) -> Iterator[Figure]:
    """The hooks of a commit where every new commit of a branch is judged, by the commits before."""
    for count in grounds.sizes(10_000, 100_000):
        bare = _copy_bare(grounds.make_memories(count))
        strict = grounds.make_memories(count).copy(f"strict-{count}")
        strict.molt("hooks", "install", "--strict")
        cost = _compare(grounds, strict, bare, commit_entry)
        name = f"hooks of a commit with --strict, {count:,} commits"
        yield Figure(name, cost, "P", at_most(6), grounds.shipped.label)
        bare.remove()
        strict.remove()


def _copy_bare(workspace: Workspace) -> Workspace:
    """The same workspace where git runs no hooks."""
    bare = workspace.copy(f"bare-{workspace.path.name}")
    bare.run_git("config", "core.hooksPath", os.devnull)
    return bare


def _compare(grounds: Grounds, hooked: Workspace, bare: Workspace, commit: Commit) -> float:
    """What hooks add to a commit, in P."""
    found = find_medians(
        {
            "P": grounds.start,
            "hooked": partial(commit, hooked),
            "bare": partial(commit, bare),
        },
        grounds.runs,
    )
    return (found["hooked"] - found["bare"]) / found["P"]


def commit_entry(workspace: Workspace, run: int) -> Cost:
    """A commit of one entry in the file of yesterday."""
    day = workspace.today - timedelta(days=1)
    path = f"memory/episodes/{day}.md"
    file = workspace.path / path
    before = file.read_text("utf-8") if file.exists() else f"# {day} — Episode Log\n"
    entry = f"\n## 23:{run:02} | fact | confidence:high | tags:[a]\nEntry {run}.\n"
    workspace.write(path, before + entry)
    return workspace.git("commit", "-q", "-m", "one more")


def commit_file(workspace: Workspace, run: int) -> Cost:
    """A commit of one entity more."""
    number = 90_000 + run
    path = f"memory/graph/entities/{histories.name_entity(number)}.md"
    workspace.write(path, histories.write_entity(number, "One more.", 2, workspace.today))
    return workspace.git("commit", "-q", "-m", "one more")


def many_files(grounds: Grounds) -> Iterator[Figure]:
    """The hooks of one commit of many new files, as where a folder of notes is brought in."""
    seen: list[tuple[float, float]] = []
    for count in grounds.sizes(500, 2_000, 10_000):
        workspace = grounds.make_empty(f"many-{count}")
        folder = workspace.path / "memory/graph/entities"
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(grounds.texts.take_short(count)):
            file = folder / f"{histories.name_entity(number)}.md"
            entity = histories.write_entity(number, text, count, workspace.today)
            file.write_text(entity, encoding="utf-8")
        workspace.run_git("add", "-A")
        found = find_medians(
            {
                "P": grounds.start,
                "bare": partial(_commit_again, workspace, NO_HOOKS),
                "hooked": partial(_commit_again, workspace, ()),
            },
            runs=3 if count < 5_000 else 1,
        )
        seen.append((count, found["hooked"] - found["bare"]))
        each = seen[-1][1] / count
        name = f"hooks of one commit of {count:,} new files, each file"
        yield Figure(name, each, "ms", TOLD, grounds.shipped.label)
    name = "the same, exponent of their number"
    yield Figure(name, find_exponent(seen), "", at_most(1.1), grounds.shipped.label)


def _commit_again(workspace: Workspace, options: tuple[str, ...], _run: int) -> Cost:
    """Commit what is staged; it is staged again afterwards."""
    cost = workspace.git(*options, "commit", "-q", "-m", "many")
    workspace.run_git("reset", "-q", "--soft", "HEAD~1")
    return cost


def find_exponent(seen: list[tuple[float, float]]) -> float:
    """By which power the second numbers grow with the first: the slope of the logarithms."""
    points = [(log(size), log(max(cost, 1e-3))) for size, cost in seen]
    middle = sum(x for x, _ in points) / len(points)
    level = sum(y for _, y in points) / len(points)
    rise = sum((x - middle) * (y - level) for x, y in points)
    return rise / sum((x - middle) ** 2 for x, _ in points)
