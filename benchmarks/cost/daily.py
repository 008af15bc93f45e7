"""What an agent does all the time: remember, search, and ask what it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.cost import histories
from benchmarks.cost.grounds import Grounds, Workspace
from benchmarks.cost.meter import Cost, find_median_costs, find_medians, measure
from benchmarks.cost.table import TOLD, Figure, Target, at_most

Step = Callable[[int], Cost]

# Loaded in place of the command, so that the extension is not found.
_NO_EXTENSION = """
import sys
from molt.index import db
assert callable(db._load_vec)
db._load_vec = lambda con: False
from molt.cli import main
sys.exit(main(sys.argv[1:]))
"""


def _count_starts(grounds: Grounds, steps: dict[str, Step]) -> dict[str, float]:
    """The medians of some steps in P."""
    found = find_medians({"P": grounds.start, **steps}, grounds.runs)
    start = found.pop("P")
    return {name: cost / start for name, cost in found.items()}


def remember(grounds: Grounds) -> Iterator[Figure]:
    """One more memory, by how many there are."""
    for count in grounds.sizes(10_000, 100_000):
        workspace = grounds.make_memories(count)
        found = _count_starts(grounds, {"remember": partial(_remember, grounds, workspace)})
        name = f"remember, {count:,} memories"
        yield Figure(name, found["remember"], "P", at_most(7.5), grounds.shipped.label)


def remember_flat(grounds: Grounds) -> Iterator[Figure]:
    """One more memory: the same CPU and the same bytes on disk, however many are scored."""
    smallest, *sizes = grounds.sizes(1_000, 10_000, 50_000)
    steps = {
        str(count): partial(_remember, grounds, grounds.make_memories(count))
        for count in (smallest, *sizes)
    }
    found = find_median_costs(steps, grounds.runs)
    least, label = found[str(smallest)], grounds.shipped.label
    yield Figure(f"written, {smallest:,} scored memories", least.written, "KiB", TOLD, label)
    for count in sizes:
        what, unit = f"{count:,} scored memories", f"× {smallest:,}"
        cpu, written = found[str(count)].cpu, found[str(count)].written
        yield Figure(f"CPU, {what}", cpu / least.cpu, unit, at_most(1.2), label)
        yield Figure(f"written, {what}", written / least.written, unit, at_most(1.2), label)


def _remember(grounds: Grounds, workspace: Workspace, run: int, *more: str) -> Cost:
    text = grounds.phrase(run, 12)
    return workspace.molt("remember", f"Fact {run}: {text}", *more)


def search(grounds: Grounds) -> Iterator[Figure]:
    """One search in a new process, and what else goes the same way."""
    label = grounds.shipped.label
    sizes = grounds.sizes(10_000, 100_000)
    for count, bound in zip(sizes, (6, 9), strict=True):
        workspace = grounds.make_memories(count)
        ask = partial(_ask, grounds, workspace)
        steps: dict[str, Step] = {
            "search": partial(ask, "search"),
            "recall": partial(ask, "recall"),
            "at": partial(ask, "search", "--at", "HEAD~1"),
            "exact": partial(_ask_exactly, grounds, workspace),
        }
        found = _count_starts(grounds, steps)
        of = f"{count:,} memories"
        yield Figure(f"search, {of}", found["search"], "P", at_most(bound), label)
        more, past = found["recall"] / found["search"], found["at"] / found["search"]
        yield Figure(f"recall, {of}", more, "× search", at_most(1.3), label)
        yield Figure(f"search --at, {of}", past, "× search", at_most(1.5), label)
        without = f"{label}, no extension of SQLite"
        yield Figure(f"search, {of}", found["exact"], "P", at_most(20), without)


def _ask(grounds: Grounds, workspace: Workspace, *args: str | int) -> Cost:
    *command, run = args
    return workspace.molt(*map(str, command), grounds.phrase(int(run), 5))


def _ask_exactly(grounds: Grounds, workspace: Workspace, run: int) -> Cost:
    command = [grounds.shipped.python, "-c", _NO_EXTENSION, "search", grounds.phrase(run, 5)]
    return measure(command, workspace.path, workspace.env)


def ask(grounds: Grounds) -> Iterator[Figure]:
    """The questions that a person or a host asks all day, by the commits before them."""
    for count in grounds.sizes(10_000, 100_000):
        workspace = grounds.make_memories(count)
        memory = workspace.memory(count // 2).id
        questions = {
            "log -n 20": ("log", "-n", "20"),
            "why": ("why", memory),
            "alerts": ("alerts",),
            "status": ("status",),
            "context": ("context",),
            "get": ("get", memory),
        }
        steps: dict[str, Step] = {
            name: partial(_run, workspace, args) for name, args in questions.items()
        }
        for name, cost in _count_starts(grounds, steps).items():
            what = f"{name}, {count:,} commits"
            yield Figure(what, cost, "P", at_most(6), grounds.shipped.label)


def _run(workspace: Workspace, args: tuple[str, ...], _run: int) -> Cost:
    return workspace.molt(*args)


def graph(grounds: Grounds) -> Iterator[Figure]:
    """What is written about entities, and a search, where there are many of them."""
    for count in grounds.sizes(1_000, 10_000):
        workspace = grounds.make_entities(count)
        known = histories.name_entity(count // 2).replace("--", ":", 1)
        write = partial(_write_about, grounds, workspace)
        steps: dict[str, Step] = {
            "a new entity": partial(write, "tool:Gadget {}"),
            "a new fact": partial(write, known),
            "search": partial(_ask, grounds, workspace, "search"),
        }
        bounds: dict[str, Target] = {"search": at_most(7)}
        for name, cost in _count_starts(grounds, steps).items():
            what = f"{name}, {count:,} entities"
            bound = bounds.get(name, at_most(9))
            yield Figure(what, cost, "P", bound, grounds.shipped.label)


def _write_about(grounds: Grounds, workspace: Workspace, entity: str, run: int) -> Cost:
    return _remember(grounds, workspace, run, "--entity", entity.format(run))


def memory(grounds: Grounds) -> Iterator[Figure]:
    """How much memory a search and a write take at their peak."""
    for count in grounds.sizes(10_000, 100_000):
        workspace = grounds.make_memories(count)
        steps: dict[str, Step] = {
            "search": partial(_ask, grounds, workspace, "search"),
            "remember": partial(_remember, grounds, workspace),
        }
        for name, step in steps.items():
            peak = max(step(run).memory for run in range(3))
            what = f"resident, {name}, {count:,} memories"
            yield Figure(what, peak, "MiB", at_most(60), grounds.shipped.label)
        files = workspace.path.glob(".git/molt/index.sqlite*")
        size = sum(file.stat().st_size for file in files) / 2**20
        what = f"index on disk, {count:,} memories"
        yield Figure(what, size, "MiB", TOLD, grounds.shipped.label)
