"""What is called all the time: its CPU, and how much of our own code it loads."""

from __future__ import annotations

import json
import marshal
import re
import subprocess
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from benchmarks.cost import commits
from benchmarks.cost.grounds import Grounds, Workspace
from benchmarks.cost.meter import Cost, find_medians, measure
from benchmarks.cost.table import TOLD, Figure, at_most

_IMPORTED = re.compile(r"^import time:.*\| +(molt(?:\.\w+)*)$", re.MULTILINE)
_TRACED = "-X importtime"
_MOST = {
    "remember": 8.0,
    "search": 6.0,
    "get": 4.5,
    "host hook": 4.5,
    "status": 6.0,
    "context": 6.0,
}
"""In P, at ten thousand memories; of the hooks of a commit 5."""
_HOOKS, _MOST_HOOKS, _MOST_CODE = "hooks of a commit", 5.0, 500.0


def hot(grounds: Grounds) -> Iterator[Figure]:
    """What is called all the time: CPU, compiled code of ours, and modules; 10,000 memories."""
    (count,) = grounds.sizes(10_000)
    workspace = grounds.make_memories(count)
    calls = _list_calls(grounds, workspace)
    cpu = _measure_cpu(grounds, workspace, calls)
    label, package = grounds.shipped.label, find_package(grounds.shipped.python)
    for name, most in {**_MOST, _HOOKS: _MOST_HOOKS}.items():
        if name == _HOOKS:
            loaded = find_loaded_by_hooks(workspace)
        else:
            loaded = find_loaded(grounds, workspace, *calls[name])
        size = sum(measure_code(module, package) for module in loaded)
        yield Figure(f"{name}, CPU", cpu[name], "P", at_most(most), label)
        yield Figure(f"{name}, code of ours", size / 1000, "kB", at_most(_MOST_CODE), label)
        yield Figure(f"{name}, modules of ours", len(loaded), "", TOLD, label)


def _list_calls(grounds: Grounds, workspace: Workspace) -> dict[str, tuple[tuple[str, ...], str]]:
    """The words of each command, and what its standard input holds."""
    event = {"session_id": "s", "cwd": str(workspace.path), "prompt": "ok go ahead"}
    said = json.dumps({**event, "hook_event_name": "UserPromptSubmit"})
    return {
        "remember": (("remember", f"Fact: {grounds.phrase(1, 12)}"), ""),
        "search": (("search", grounds.phrase(2, 5)), ""),
        "get": (("get", workspace.memory(workspace.count // 2).id), ""),
        "host hook": (("hook", "claude-code"), said),
        "status": (("status",), ""),
        "context": (("context",), ""),
    }


def _measure_cpu(
    grounds: Grounds, workspace: Workspace, calls: dict[str, tuple[tuple[str, ...], str]]
) -> dict[str, float]:
    """The CPU of each command and of the hooks, in P, all in the same rounds."""
    hooked, bare = workspace.copy("hot-hooked"), workspace.copy("hot-bare")
    bare.run_git("config", "core.hooksPath", "/dev/null")
    steps: dict[str, Callable[[int], Cost]] = {
        "P": grounds.start,
        "hooked": partial(commits.commit_entry, hooked),
        "bare": partial(commits.commit_entry, bare),
    }
    for name, (words, given) in calls.items():
        # What is written is not to be indexed by the search that comes next.
        place = hooked if name == "remember" else workspace
        steps[name] = partial(_run, grounds, place, words, given)
    found = find_medians(steps, grounds.runs)
    start = found.pop("P")
    found[_HOOKS] = found.pop("hooked") - found.pop("bare")
    hooked.remove()
    bare.remove()
    return {name: cost / start for name, cost in found.items()}


def _run(
    grounds: Grounds, workspace: Workspace, words: tuple[str, ...], given: str, run: int
) -> Cost:
    if words[0] == "remember":
        words = ("remember", f"Fact {run}: {grounds.phrase(run, 12)}")
    if not given:
        return workspace.molt(*words)
    file = grounds.home / "given.json"
    file.write_text(given, encoding="utf-8")
    script = f'exec "$0" "$@" <{file}'
    call = ["sh", "-c", script, grounds.shipped.molt, *words]
    return measure(call, workspace.path, workspace.env)


def find_loaded(
    grounds: Grounds, workspace: Workspace, words: tuple[str, ...], given: str = ""
) -> list[str]:
    """The modules of ours that a command loads, as Python tells it."""
    python, script = grounds.shipped.python, grounds.shipped.molt
    return _trace([python, *_TRACED.split(), script, *words], workspace, given)


def find_loaded_by_hooks(workspace: Workspace) -> list[str]:
    """The modules that all hooks of one commit load, each as often as a process loads it."""
    traced = workspace.copy("hot-traced")
    for hook in (traced.path / ".git/hooks").iterdir():
        text = hook.read_text("utf-8")
        hook.write_text(text.replace('"$python" -I', f'"$python" {_TRACED} -I'), "utf-8")
    traced.write("memory/traced.md", "# Traced\n\none more\n")
    call = ["git", "commit", "-q", "-m", "[CREATE] memory/traced.md — one more"]
    try:
        return _trace(call, traced)
    finally:
        traced.remove()


def _trace(call: list[str], workspace: Workspace, given: str = "") -> list[str]:
    done = subprocess.run(
        call, cwd=workspace.path, env=workspace.env, input=given, capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{' '.join(call)[:200]} ended with {done.returncode}: {done.stderr}")
    return _IMPORTED.findall(done.stderr)


@cache
def find_package(python: str) -> Path:
    """The folder of the package that a Python finds."""
    code = "import molt, os; print(os.path.dirname(molt.__file__))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


@cache
def measure_code(name: str, package: Path) -> int:
    """How many bytes the compiled code of a module takes."""
    path = package.joinpath(*name.split(".")[1:])
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(marshal.dumps(compile(source.read_bytes(), str(source), "exec")))
