"""What the documented calls answer, as programs that read it rely on: keys, ids, statuses.

`python -m pytest tests/golden --golden-update` writes the answers again: what changed on purpose
is a diff to read.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from copies import Copy
from golden import normal
from golden.grounds import BEGIN, GROUNDS, hold_clock
from golden.kept import check_answers, read_answers
from golden.table import HERE, Scenario, Step, read_scenarios

from molt.cli import main

HEADING = re.compile(r"^## molt (.*)$", re.MULTILINE)
NOT_CALLED = {
    "demo": "a page for people, of a workspace that it makes itself",
    "mcp": "a server; test_tools.py calls its tools",
    "reflect schedule install": "changes what the machine runs each night",
    "reflect schedule remove": "changes what the machine runs each night",
}
"""Documented commands without a golden answer, each with the reason."""


@pytest.mark.parametrize("scenario", read_scenarios(), ids=lambda scenario: str(scenario.id))
def test_the_documented_calls_answer_as_before(
    scenario: Scenario,
    tmp_path: Path,
    copy: Copy,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    home = os.environ["HOME"]
    root = copy(tmp_path / "agent", GROUNDS[scenario.ground])
    monkeypatch.chdir(root)
    places = {str(root): "<root>", str(tmp_path): "<beside>", home: "<home>"}
    found = []
    for minute, step in enumerate(scenario.steps):
        with hold_clock(BEGIN + 60 * minute):
            if not step.words:
                _prepare(root, step)
                continue
            given = step.given.replace("<root>", str(root)).encode()
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
            capsys.readouterr()
            status = _call(list(step.words))
            out = normal.read_answer(capsys.readouterr().out, places)
        found.append({"call": " ".join(("molt", *step.words)), "status": status, "out": out})
    update = bool(request.config.getoption("--golden-update", default=False))
    check_answers(scenario.answers, found, update=update)


def _call(words: list[str]) -> int:
    try:
        return main(words)
    except SystemExit as ended:
        return int(ended.code or 0)


def _prepare(root: Path, step: Step) -> None:
    """Write the files of a step, and run its line."""
    for name, text in step.files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    if step.shell:
        done = subprocess.run(["sh", "-ec", step.shell], cwd=root, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["trigger", "rules", "wrong-calls"])
def test_a_process_of_its_own_answers_the_same(
    name: str, tmp_path: Path, copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy(tmp_path / "agent", GROUNDS["fresh"])
    (scenario,) = (one for one in read_scenarios() if one.id == f"fresh-{name}")
    for step, kept in list(zip(scenario.steps, read_answers(scenario.answers), strict=True))[:3]:
        done = subprocess.run(
            [sys.executable, "-m", "molt", *step.words],
            cwd=root, input=step.given, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        answer = normal.read_answer(done.stdout, {str(root): "<root>"})
        assert (done.returncode, answer) == (kept["status"], kept["out"])


def test_each_documented_command_is_called() -> None:
    page = (HERE.parents[1] / "docs/cli.md").read_text("utf-8")
    called = {
        " ".join(word for word in step.words if not word.startswith("-"))
        for scenario in read_scenarios()
        for step in scenario.steps
    }
    lacking = [
        name
        for name in HEADING.findall(page)
        if name not in NOT_CALLED and not any(f"{one} ".startswith(f"{name} ") for one in called)
    ]
    assert not lacking, "write a call into tests/golden/calls, or the reason into NOT_CALLED"


def test_no_answer_is_left_of_a_call_that_is_gone() -> None:
    known = {scenario.answers for scenario in read_scenarios()}
    known |= {HERE / "answers/mcp/tools.json", HERE / "answers/mcp/calls.json"}
    assert [path for path in (HERE / "answers").rglob("*.json") if path not in known] == []
