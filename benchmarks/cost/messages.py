"""What `molt trigger` costs for a message, and how often it is right."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.cost.grounds import Grounds, Workspace
from benchmarks.cost.meter import Cost, find_medians, measure
from benchmarks.cost.table import TOLD, Figure, at_least, at_most
from benchmarks.cost.texts import WHERE

LENGTH = 2_000
_COUNT = 200
_OWN = Path(__file__).parents[2] / "tests/memory/data/triggers.tsv"
_LOOP = """
import sys
from molt.memory import triggers
text = sys.argv[2]
triggers.detect_intent(text)
for _ in range(int(sys.argv[1])):
    triggers.detect_intent(text)
"""
_DENSE = (
    "I can't remember the name, but I never forget a face. Note the time. "
    "What did you say about it? She told me to keep it in mind. "
)
_CHINESE = "我忘了带钥匙，你说这件事怎么办。我记得他们上次也是这样，以后再说吧。"
_PROSE, _WORDS, _HAN, _LONG = (
    *("prose", "words of memory in each sentence", "the same in Chinese"),
    "a megabyte of the words",
)
_MOST = {_PROSE: 1.0, _WORDS: 1.0, _HAN: 1.0, _LONG: 20.0}
_LEAST = {"remember": 0.9, "forget": 0.85, "recall": 0.82}
"""Least precision, and least recall."""


def trigger(grounds: Grounds) -> Iterator[Figure]:
    """What a message of 2,000 characters asks, in a process that runs, and in a new one."""
    label, python = grounds.shipped.label, grounds.shipped.python
    workspace = grounds.make_memories(min(grounds.sizes(1_000)))
    texts = {
        _PROSE: " ".join(grounds.texts.take(200))[:LENGTH],
        _WORDS: (_DENSE * LENGTH)[:LENGTH],
        _HAN: (_CHINESE * LENGTH)[:LENGTH],
        _LONG: _DENSE * ((1 << 20) // len(_DENSE)),
    }

    def loop(text: str, count: int, _run: int) -> Cost:
        # An argument holds 128 KiB; the text is made again from its first part.
        part = text[:LENGTH] if len(text) <= LENGTH else text[: 10 * LENGTH]
        code = _LOOP.replace("sys.argv[2]", f"sys.argv[2] * {len(text) // len(part)}")
        return measure([python, "-c", code, str(count), part], workspace.path, workspace.env)

    for name, text in texts.items():
        steps: dict[str, Callable[[int], Cost]] = {
            "more": partial(loop, text, _COUNT),
            "less": partial(loop, text, 0),
        }
        found = find_medians(steps, grounds.runs)
        each = (found["more"] - found["less"]) / _COUNT
        yield Figure(f"a message, {name}", each, "ms", at_most(_MOST[name]), label)
    starts: dict[str, Callable[[int], Cost]] = {
        "P": grounds.start,
        "new": lambda _run: workspace.molt("trigger", "please remember that we chose PKCE"),
    }
    found = find_medians(starts, grounds.runs)
    yield Figure("a new process", found["new"] / found["P"], "P", at_most(6), label)


_PROMPTS = {
    "nothing to look for": ("ok go ahead", 5),
    "a search": ("who moved the launch of the archive?", 8),
}


def host_hook(grounds: Grounds) -> Iterator[Figure]:
    """What a host waits for at each message of a person, at ten thousand memories."""
    (count,) = grounds.sizes(10_000)
    workspace = grounds.make_memories(count)
    steps: dict[str, Callable[[int], Cost]] = {"P": grounds.start}
    for what, (prompt, _) in _PROMPTS.items():
        event = {"session_id": "s", "cwd": str(workspace.path), "prompt": prompt}
        file = grounds.home / f"event-{len(steps)}.json"
        file.write_text(json.dumps({**event, "hook_event_name": "UserPromptSubmit"}))
        call = f"exec '{grounds.shipped.molt}' hook claude-code <'{file}'"
        steps[what] = partial(_run_shell, workspace, call)
    found = find_medians(steps, grounds.runs)
    for what, (_, most) in _PROMPTS.items():
        value = found[what] / found["P"]
        yield Figure(f"a message, {what}", value, "P", at_most(most), grounds.shipped.label)


def _run_shell(workspace: Workspace, script: str, _run: int) -> Cost:
    return measure(["sh", "-c", script], workspace.path, workspace.env)


def trigger_sets(grounds: Grounds) -> Iterator[Figure]:
    """Whether the intent of labelled messages is found: MOLT_BENCH_DATA/triggers*.tsv, and ours."""
    given = os.environ.get(WHERE, "")
    files = [*sorted(Path(given).glob("triggers*.tsv") if given else ()), _OWN]
    for path in files:
        rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
        texts = [row[1].replace("\\n", " ") for row in rows]
        said = subprocess.run(
            [grounds.shipped.molt, "trigger", "--stdin-lines"],
            input="\n".join(texts).encode(),
            cwd=grounds.home,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout.splitlines()
        pairs = [(row[0], json.loads(one)["intent"]) for row, one in zip(rows, said, strict=True)]
        yield from _rate_pairs(path.name, pairs, grounds.shipped.label)


def _rate_pairs(name: str, pairs: list[tuple[str, str]], label: str) -> Iterator[Figure]:
    found = Counter(pairs)
    none = [got for wanted, got in pairs if wanted == "none"]
    alarms = sum(got != "none" for got in none) / len(none)
    yield Figure(f"{name}: false alarms of {len(none)}", 100 * alarms, "%", at_most(4), label)
    for intent in ("remember", "forget", "recall", "reflect"):
        right = found[intent, intent]
        bound = at_least(100 * _LEAST[intent]) if intent in _LEAST else TOLD
        for what, at in (("precision", 1), ("recall", 0)):
            of = sum(pair[at] == intent for pair in pairs)
            share = 100 * right / of if of else 100.0
            yield Figure(f"{name}: {what} of {intent}, {of}", share, "%", bound, label)
