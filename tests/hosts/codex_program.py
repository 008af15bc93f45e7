"""A real Codex with a home of its own, before a model on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hosts.responses_stub import Stub

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(os.environ.get("MOLT_NODE_HOSTS") or ROOT / "node-hosts") / "node_modules"
CODEX = PROGRAMS / "codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
BIN = Path(sys.executable).parent

SETTINGS = """\
# Ada's own.
model = "stub-model"
model_provider = "stub"
check_for_update_on_startup = false

[model_providers.stub]
name = "stub"
base_url = "{url}"
wire_api = "responses"
env_key = "STUB_KEY"
"""


class CodexMachine:
    """A home of a person who has molt and Codex, and nothing else."""

    def __init__(self, home: Path, stub: Stub) -> None:
        self.home, self.stub = home, stub
        self.project = home / "project"
        self.memory = home / "memory"
        self.project.mkdir(parents=True)
        self.settings = home / ".codex/config.toml"
        self.settings.parent.mkdir()
        self.settings.write_text(SETTINGS.format(url=stub.url))
        self.environment = {
            "PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(home),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_PROXY": "127.0.0.1",
            "STUB_KEY": "sk-stub",
        }

    def molt(self, *args: str, cwd: Path | None = None) -> str:
        """What molt says in the workspace; it must have gone well."""
        return self.run(str(BIN / "molt"), *args, cwd=cwd or self.memory)

    def ask(self, text: str, *more: str) -> str:
        """Have a conversation of one prompt; gives its id."""
        words = ("exec", *more, "--json", "--skip-git-repo-check", text)
        out = self.run(str(CODEX), *words, cwd=self.project)
        events = [json.loads(row) for row in out.splitlines() if row.startswith("{")]
        (begun,) = [one for one in events if one["type"] == "thread.started"]
        return str(begun["thread_id"])

    def read_subjects(self) -> list[str]:
        """The subjects of the workspace's commits, the newest first."""
        return self.run("git", "log", "--format=%s", cwd=self.memory).splitlines()

    def find_talk(self, session: str) -> Path:
        """The transcript of a conversation."""
        (found,) = self.home.glob(f".codex/sessions/**/rollout-*{session}.jsonl")
        return found

    def run(self, *words: str, cwd: Path, stdin: str | None = None) -> str:
        """What a program says; it must have gone well."""
        done = subprocess.run(
            words,
            cwd=cwd,
            env=self.environment,
            input=stdin or "",
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def trust_hooks(self) -> list[str]:
        """Trust the hooks as a person does who says so when Codex asks; gives their events."""
        with AppServer(self) as server:
            listed = server.call("hooks/list", cwds=[str(self.project)])["data"][0]
            assert not listed["errors"] + listed["warnings"]
            hooks = {one["key"]: one for one in listed["hooks"]}
            trusted = {key: {"trusted_hash": one["currentHash"]} for key, one in hooks.items()}
            edit = {"keyPath": "hooks.state", "value": trusted, "mergeStrategy": "upsert"}
            server.call("config/batchWrite", edits=[edit])
        return [one["eventName"] for one in hooks.values()]


class AppServer:
    """What Codex's own screens talk to: JSON-RPC on standard input and output."""

    def __init__(self, machine: CodexMachine) -> None:
        self._process = subprocess.Popen(
            [str(CODEX), "app-server"],
            cwd=machine.project,
            env=machine.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._number = 0
        info = {"name": "test", "title": "test", "version": "1"}
        self.call("initialize", clientInfo=info)

    def __enter__(self) -> AppServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate(timeout=60)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """What the server answers; it must be no error."""
        assert self._process.stdin
        assert self._process.stdout
        self._number += 1
        asked = {"id": self._number, "method": method, "params": params}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        for row in self._process.stdout:
            said = json.loads(row)
            if said.get("id") == self._number:
                assert "result" in said, row
                found: dict[str, Any] = said["result"]
                return found
        raise AssertionError("the server has gone")
