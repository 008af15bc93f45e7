"""The law of who: what is typed at a terminal is a person's, what an agent runs is its own.

Twelve commands in six surroundings, each a process of its own. What nobody does, a job of cron or
CI, has the least privilege: a plain commit is a person's, and molt's own commands are a bot's.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from copies import Copy

from molt import surroundings
from molt.cli import main

PERSON, BOT, REFUSED = "manual", "bot:main", "refused"
AROUND = {
    "terminal": {},
    "Claude Code": {"CLAUDECODE": "1"},
    "Codex": {"CODEX_THREAD_ID": "0199", "CODEX_SANDBOX_NETWORK_DISABLED": "1"},
    "OpenClaw": {"OPENCLAW_SHELL": "exec"},
    "nobody": {},
    "named": {"MOLT_ACTOR": BOT},
}
MOLT = (sys.executable, "-m", "molt")
WRITES = {
    "remember": (*MOLT, "remember", "the harbour crane was painted red"),
    "core add": (*MOLT, "core", "add", "active_context", "The crane is red"),
    "import": (*MOLT, "import", "notes"),
    "git commit": ("git", "commit", "-qam", "a note"),
}
"""What anybody does, in their own name."""
DECIDES = {
    "ack": (*MOLT, "ack", "SOUL.md"),
    "accept": (*MOLT, "accept", "HEAD", "MSG004", "--why", "seen"),
    "core cap": (*MOLT, "core", "cap", "4000"),
    "forget": (*MOLT, "forget", "the gate opens at nine", "--yes"),
    "pin": (*MOLT, "pin", "entity:concept--crane"),
    "revert": (*MOLT, "revert", "--commit", "HEAD", "--yes"),
    "unpin": (*MOLT, "unpin", "entity:concept--crane"),
    "reflect": (*MOLT, "reflect", "approve", "r-009"),
}
"""What only a person does."""
FINDS_NONE = ("accept", "reflect")
"""What has nothing to decide on here, and says so once it may."""


def make_place(root: Path) -> None:
    """A workspace with a memory of each kind, a critical file that a person edited, and notes."""
    assert main(["init", str(root)]) == 0
    where = ["--workspace", str(root)]
    assert main([*where, "remember", "the gate opens at nine"]) == 0
    assert main([*where, "remember", "holds 20 t", "--entity", "concept:Crane"]) == 0
    (root / "notes").mkdir()
    (root / "notes/a.md").write_text("# Boats\n\nThe boat is blue.\n")
    (root / "SOUL.md").write_text("Be kind.\n")
    for words in (["add", "-A"], ["commit", "-qm", "kind"]):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    (root / "memory").mkdir(exist_ok=True)
    (root / "memory/2026-02-02.md").write_text("- met Bo\n")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)


@pytest.fixture
def place(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "agent", make_place)


def call(root: Path, around: str, words: tuple[str, ...]) -> tuple[int, str]:
    """The status of a command in some surroundings, and what it says; a terminal is a real one."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, **AROUND[around]}
    if around != "terminal":
        done = subprocess.run(
            words, cwd=root, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            words, cwd=root, env=env, stdin=theirs, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
    finally:
        os.close(ours)
        os.close(theirs)
    return done.returncode, done.stdout


def last_actor(root: Path) -> str:
    form = "--format=%(trailers:key=Actor,valueonly)"
    words = ["git", "log", "-1", form]
    return subprocess.run(words, cwd=root, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("around", AROUND)
def test_what_anybody_writes_is_in_the_name_of_who_runs_it(place, around) -> None:
    found = {}
    for name, words in WRITES.items():
        status, said = call(place, around, words)
        assert status == 0, said
        found[name] = last_actor(place)
    own = PERSON if around == "terminal" else BOT
    plain = PERSON if around in ("terminal", "nobody") else BOT
    assert found == {name: plain if name == "git commit" else own for name in WRITES}


@pytest.mark.parametrize("around", AROUND)
def test_what_a_person_decides_no_agent_does(place, around) -> None:
    for name, words in DECIDES.items():
        status, said = call(place, around, words)
        refused = status == 1 and (" does not " in said)
        assert refused == (around != "terminal"), f"{name}: {status} {said}"
        if around == "terminal":
            assert status == (4 if name in FINDS_NONE else 0), f"{name}: {said}"
            assert last_actor(place) == PERSON, name
    if around == "terminal":
        status, said = call(place, around, (*MOLT, "alerts", "--json"))
        assert said == "[]\n", said


@pytest.mark.parametrize("mark", surroundings.MARKS)
def test_each_mark_tells_of_an_agent(monkeypatch: pytest.MonkeyPatch, mark: str) -> None:
    program, values = surroundings.MARKS[mark]
    assert surroundings.find_host() == ""
    monkeypatch.setenv(mark, values[0] if values else "yes")
    assert surroundings.find_host() == program
    assert surroundings.find_actor("", lambda: None) == BOT
    assert surroundings.find_actor("bot:night", lambda: None) == "bot:night"
    monkeypatch.setenv(mark, "" if not values else "something else")
    assert surroundings.find_host() == ""
