"""What the hook of a server costs beside the push that it judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.cost.grounds import Grounds, Workspace
from benchmarks.cost.meter import Cost, find_medians, measure
from benchmarks.cost.table import Figure, at_most

MANY = 1_000


def receive(grounds: Grounds) -> Iterator[Figure]:
    """A push of one commit to a server, and of a thousand."""
    (count,) = grounds.sizes(10_000)
    workspace = grounds.make_memories(count)
    server = workspace.path.with_name("server.git")
    workspace.run_git("clone", "-q", "--bare", str(workspace.path), str(server))
    workspace.molt("hooks", "install", "--server", str(server))
    steps: dict[str, Callable[[int], Cost]] = {
        "P": grounds.start,
        "one": partial(_judge, workspace, 1),
        "many": partial(_judge, workspace, 1 + MANY),
    }
    found = find_medians(steps, grounds.runs)
    label = grounds.shipped.label
    value = found["one"] / found["P"]
    yield Figure("pre-receive of one commit", value, "P", at_most(15), label)
    each = (found["many"] - found["one"]) / MANY
    yield Figure("pre-receive, each of 1,000 more", each, "ms", at_most(1), label)


def _judge(workspace: Workspace, count: int, _run: int) -> Cost:
    """What the hook costs where main gets so many commits; their objects are there already."""
    server = workspace.path.with_name("server.git")
    words = workspace.run_git("rev-parse", f"HEAD~{count}", "HEAD").split()
    line = f"{' '.join(words)} refs/heads/main"
    script = f"echo '{line}' | GIT_DIR=. hooks/pre-receive"
    return measure(["sh", "-c", script], server, workspace.env)
