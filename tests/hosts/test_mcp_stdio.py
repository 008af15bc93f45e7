"""The server as a program: nothing but JSON-RPC on standard output, and no noise at the end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from molt.memory.adopt import setup

VERSION = "2025-06-18"
PRINTS = (
    "import os, sys\nfrom molt.memory.answers import status\nplain = status.read_status\n"
    "def loud(*args):\n    print('stray'); os.write(1, b'stray'); os.system('echo stray')\n"
    "    return plain(*args)\nstatus.read_status = loud\n"
    "from molt.cli import main\nsys.exit(main(['mcp']))"
)


def exchange(cwd: Path, *calls: dict[str, Any], script: str = "") -> tuple[list[Any], str, int]:
    """What a server answers to some calls after the handshake, its complaints, and its status."""
    hello = {
        "protocolVersion": VERSION,
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    rows: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        *({"id": number, **call} for number, call in enumerate(calls, 1)),
    ]
    command = ["-c", script] if script else ["-m", "molt", "mcp"]
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        for row in rows:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **row}) + "\n")
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for row in rows if "id" in row]
        server.stdin.close()
        rest, said = server.stdout.read(), server.stderr.read()
    assert not rest
    return sorted(answers, key=lambda one: int(one["id"])), said, server.returncode


def call_of(tool: str, **given: object) -> dict[str, Any]:
    return {"method": "tools/call", "params": {"name": tool, "arguments": given}}


def test_it_speaks_json_rpc_and_ends_with_its_input(tmp_path: Path) -> None:
    setup.init(str(tmp_path))
    words = "we chose the red crane for pier four"
    answers, said, status = exchange(
        tmp_path,
        {"method": "tools/list"},
        call_of("memory_remember", text=words),
        call_of("memory_search", query="which crane?"),
        call_of("memory_get", ref="nobody--knows"),
        {"method": "resources/read", "params": {"uri": "molt://core"}},
    )
    assert answers[0]["result"]["serverInfo"]["name"] == "molt"
    assert len(answers[1]["result"]["tools"]) == 14
    assert answers[2]["result"]["structuredContent"]["stored"]
    assert words in answers[3]["result"]["structuredContent"]["results"][0]["snippet"]
    assert answers[4]["result"]["isError"]
    assert answers[5]["result"]["contents"][0]["text"].startswith("# MEMORY.md")
    assert (said, status) == ("", 0)


def test_what_is_printed_by_mistake_stays_off_the_wire(tmp_path: Path) -> None:
    setup.init(str(tmp_path))
    answers, said, status = exchange(tmp_path, call_of("memory_status"), script=PRINTS)
    assert answers[1]["result"]["structuredContent"]["core"]["cap"] == 3000
    assert said.count("stray") == 3
    assert status == 0


def test_it_starts_without_a_workspace_and_finds_one_that_is_made(tmp_path: Path) -> None:
    answers, said, status = exchange(tmp_path, call_of("memory_status"))
    assert "`molt init`" in answers[1]["result"]["content"][0]["text"]
    assert (said, status) == ("", 0)
