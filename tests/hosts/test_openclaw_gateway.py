"""A real gateway of OpenClaw on the loopback interface: a whole conversation, what its own
programs write, and leave that a person gives.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hosts.openai_stub import Answer, Request, call, last_text, say, tool_answers
from hosts.test_openclaw_real import (
    FLUSH,
    FULL,
    MODULES,
    NODE,
    PACKAGES,
    Host,
    current,
    flushes,
    read_calls,
    write_note,
)

__all__ = ["current"]
PERSON = Path(__file__).with_name("openclaw_person.mjs")
TOKEN = "loopback"
_START = 120.0
"""Seconds that a gateway may take to start, on a machine with other work."""
pytestmark = pytest.mark.slow


def find_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Gateway:
    """A gateway that runs, and a person at it."""

    def __init__(self, host: Host, port: int, before: bytes) -> None:
        self.host, self.port, self.before = host, port, before

    def talk(self, *says: str, decision: str = "allow-once") -> tuple[list[str], list[Any]]:
        """Say one thing after another: what was answered, and what leave was asked for."""
        package = str(MODULES / PACKAGES["2026.9.6"])
        given = json.dumps({"says": says, "decision": decision})
        address = f"ws://127.0.0.1:{self.port}"
        done = self.host.run(str(NODE / "node"), str(PERSON), package, address, TOKEN, given)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        return told["answers"], told["asked"]

    def run_job(self, name: str) -> dict[str, Any]:
        """Have a scheduled job run now; what became of it."""
        listed = ("cron", "list", "--json", "--all")

        def find_job() -> dict[str, Any]:
            jobs = _read(self.host, *listed)["jobs"]
            return next(one for one in jobs if one["name"] == name)

        self.host.openclaw("cron", "run", find_job()["id"])
        for _ in range(60):
            job = find_job()
            if "lastRunStatus" in job:
                return job
            time.sleep(1)
        raise AssertionError(f"{name} did not end")


def _read(host: Host, *argv: str) -> dict[str, Any]:
    out = host.openclaw(*argv)
    found: dict[str, Any] = json.loads(out[out.index("{") :])
    return found


@contextmanager
def start_gateway(host: Host, **more: Any) -> Iterator[Gateway]:
    """A gateway for as long as the block runs, with molt installed into it."""
    port = find_port()
    auth = {"mode": "token", "token": TOKEN}
    gateway = {"mode": "local", "port": port, "bind": "loopback", "auth": auth}
    host.configure(gateway=gateway, tools={"toolSearch": False}, **more)
    before = host.config.read_bytes()
    host.molt("install", "openclaw", "--yes")
    argv = [str(host.home / "bin/openclaw"), "gateway", "run", "--port", str(port)]
    with open(host.home / "gateway.log", "w") as log:
        run = subprocess.Popen(
            argv,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=host.workspace,
            env={**host.environment(), "OPENCLAW_SKIP_CHANNELS": "1"},
        )
        try:
            _wait_for(host, run)
            yield Gateway(host, port, before)
        finally:
            run.terminate()
            try:
                run.wait(60)
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()


def _wait_for(host: Host, run: subprocess.Popen[bytes]) -> None:
    log = host.home / "gateway.log"
    ends = time.monotonic() + _START
    while "[gateway] ready" not in log.read_text():
        assert run.poll() is None, log.read_text()
        assert time.monotonic() < ends, log.read_text()
        time.sleep(0.5)


def test_a_whole_conversation_at_a_gateway(current: Host) -> None:
    filled = iter([FULL])
    turn = [
        call("memory_search", query="which login flow did we choose?"),
        call("memory_remember", text="Ada prefers tabs over spaces in Go code"),
        say("PKCE."),
    ]

    def speak(request: Request) -> Answer:
        if FLUSH in last_text(request):
            return write_note(request)
        if "tools" not in request:
            return say("Summary: which login flow was chosen.")
        if any(FLUSH in last_text({"messages": [one]}) for one in request["messages"]):
            return say("NO_REPLY")
        return turn.pop(0) if turn else say("Noted.", next(filled, 10))

    current.model.speak = speak
    with start_gateway(current) as gateway:
        answers, _ = gateway.talk("which login flow did we choose? I prefer tabs, remember that")
        assert answers == ["PKCE."]
        hits, kept = (json.loads(one) for one in tool_answers(current.model.requests[-1]))
        assert "PKCE" in hits["results"][0]["snippet"]
        assert kept["commit"]
        said = ("Our second office is in Graz.", "the second", "and on we go", "what else?")
        gateway.talk(*said)
        assert len(flushes(current)) == 1
        assert len(read_calls(current, "--source compact")) == 1
        proposed = current.molt("review", "--json")
        assert "Graz" in proposed
        assert "the second" not in proposed
        _forget_with_leave(current, gateway, turn)
    assert _ask_git(current, "status", "--porcelain", "memory") == ""
    assert "bot:openclaw" in _ask_git(current, "log", "--format=%B", "--", "memory/20*.md")
    current.molt("verify")
    current.molt("uninstall", "openclaw", "--yes")
    assert current.config.read_bytes() == gateway.before


def _forget_with_leave(host: Host, gateway: Gateway, turn: list[Answer]) -> None:
    """A person is asked, with the words of what goes; their no and their yes both hold."""
    found = json.loads(host.molt("search", "tabs in Go", "--json"))["results"][0]
    for decision in ("deny", "allow-once"):
        turn[:] = [call("memory_forget", ids=[found["id"]]), say("Done.")]
        _, asked = gateway.talk("forget that I prefer tabs", decision=decision)
        assert [one["title"] for one in asked] == ["Forget a memory"]
        assert "archived" in asked[0]["description"]
        left = json.loads(host.molt("search", "tabs in Go", "--json"))["results"]
        assert (found["id"] in {one["id"] for one in left}) is (decision == "deny")


def _ask_git(host: Host, *argv: str) -> str:
    return host.run("git", *argv).stdout


def test_what_the_host_writes_by_itself_is_committed_in_its_name(current: Host) -> None:
    hook = {"enabled": True, "entries": {"session-memory": {"enabled": True}}}
    current.model.speak = lambda _request: say("The gate opens at nine, and closes at five.")
    with start_gateway(current, hooks={"internal": hook}) as gateway:
        gateway.talk("when does the gate open?", "/new", "and when does it close?")
        nightly = ("molt", "reflect", "--if-due")
        where = ("--command-cwd", str(current.workspace), "--no-deliver")
        command = ("--command-argv", json.dumps(nightly))
        named = ("--name", "molt reflect")
        current.openclaw("automations", "create", "30 3 * * *", *named, *command, *where)
        assert gateway.run_job("molt reflect")["lastRunStatus"] == "ok"
        assert read_calls(current, "reflect --if-due")
        assert gateway.run_job("Memory Dreaming Promotion")["lastRunStatus"] == "ok"
        adopted = json.loads(current.molt("adopt-changes", "--json"))
    by_whom = {one["actor"]: one["files"] for one in adopted["done"]}
    by_whom.update(_list_adopted(current))
    assert set(by_whom) == {"bot:openclaw-dreaming", "bot:openclaw-session-memory"}
    assert _ask_git(current, "status", "--porcelain", "memory") == ""
    current.molt("verify")


def _list_adopted(host: Host) -> dict[str, list[str]]:
    """What a session's start has committed already, by its writer."""
    form = "--format=%(trailers:key=Actor,valueonly,separator=)"
    found = _ask_git(host, "log", form).split()
    return {one: [] for one in found if one.startswith("bot:openclaw-")}


@pytest.mark.parametrize("slot", ["memory-core"])
def test_beside_the_hosts_own_memory_its_search_shows_what_molt_has(
    current: Host, slot: str
) -> None:
    turn = [
        call("memory_search", query="which login flow did we choose?", corpus="all"),
        call("molt_remember", text="Ada prefers tabs over spaces in Go code"),
        say("PKCE."),
    ]
    current.model.speak = lambda _request: turn.pop(0) if turn else say("Noted.")
    current.configure(plugins={"slots": {"memory": slot}}, tools={"toolSearch": False})
    before = current.config.read_bytes()
    current.molt("install", "openclaw", "--yes")
    assert current.say("which login flow did we choose?") == "PKCE."
    found, kept = (json.loads(one) for one in tool_answers(current.model.requests[-1]))
    ours = [one for one in found["results"] if one.get("corpus") == "molt"]
    assert "PKCE" in ours[0]["snippet"]
    assert kept["commit"]
    assert "molt_search" in json.dumps(current.model.requests[0]["messages"][0])
    current.molt("uninstall", "openclaw", "--yes")
    assert current.config.read_bytes() == before
