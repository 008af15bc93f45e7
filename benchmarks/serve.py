"""What `molt mcp` costs as a process that answers for days.

    python benchmarks/serve.py [--calls 10000] [--memories 10000] [--warm 500] [--here]

Starts the server in a workspace of so many memories, with only what ships and the extra `mcp`, and
talks to it in JSON-RPC: the CPU that it takes to start, and that each tool takes, and how its
resident memory and its open files grow between the warm calls and the last. `--here` measures the
environment that runs this. Linux alone tells memory and files of another process.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.cost import shipped, texts
from benchmarks.cost.grounds import Grounds

GROWTH, P95, START = 10.0, 60.0, 2.0
"""MiB, milliseconds and seconds that must not be passed."""
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


class Server:
    """A server that is talked to."""

    def __init__(self, molt: str, folder: Path, env: dict[str, str]) -> None:
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [molt, "mcp"], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        # As clock_getcpuclockid makes it of a process.
        self.clock = (~self.process.pid << 3) | 2
        self.count = 0
        self.ask("initialize", HELLO)
        self.started = time.perf_counter() - began
        self.start_cpu = time.clock_gettime(self.clock)
        self._send({"method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """What it answers. Raises SystemExit for an error."""
        assert self.process.stdout
        self.count += 1
        self._send({"id": self.count, "method": method, "params": params})
        said = json.loads(self.process.stdout.readline())
        if "result" not in said or said["result"].get("isError"):
            raise SystemExit(f"{method} {params}: {said}")
        return said["result"]

    def time_call(self, tool: str, given: dict[str, Any]) -> float:
        """The milliseconds of CPU that a tool takes in the server, in all of its threads."""
        began = time.clock_gettime(self.clock)
        self.ask("tools/call", {"name": tool, "arguments": given})
        return (time.clock_gettime(self.clock) - began) * 1000

    def resident(self) -> float:
        """MiB of memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(row for row in status.splitlines() if row.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def files(self) -> int:
        """How many descriptors are open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def cpu(self) -> float:
        """CPU seconds, with those of the processes that it has waited for."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def plan_calls(grounds: Grounds, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """What an agent asks: mostly searches, each of other words; a write now and then."""
    for number in range(count):
        words = grounds.phrase(number, 6)
        if number % 200 == 199:
            yield "memory_remember", {"text": f"noted {number}: {words}", "store": "episodic"}
        elif number % 10 == 9:
            yield "memory_recall", {"question": words}
        elif number % 10 == 8:
            yield "memory_get", {"ref": "MEMORY.md"}
        elif number % 50 == 7:
            yield "memory_status", {}
        else:
            yield "memory_search", {"query": words}


def measure(server: Server, grounds: Grounds, warm: int, count: int) -> int:
    """Prints what was measured; the status is 1 where a bound was passed."""
    taken: dict[str, list[float]] = {}
    before = files = cpu = 0.0
    for number, (tool, given) in enumerate(plan_calls(grounds, warm + count)):
        if number == warm:
            before, files, cpu = server.resident(), server.files(), server.cpu()
        took = server.time_call(tool, given)
        if number >= warm:
            taken.setdefault(tool, []).append(took)
    grown, more = server.resident() - before, server.files() - files
    spent = (server.cpu() - cpu) / count * 1000
    print(f"start {server.start_cpu:.2f} s of CPU, {server.started:.2f} s by the clock", end="; ")
    print(f"{before:.0f} MiB warm, after {count:,} calls {grown:+.1f} MiB, {more:+.0f} files")
    print(f"{spent:.1f} ms of CPU a call, with that of git's processes\n")
    print("| tool | calls | median | p95 | most |")
    print("|---|---|---|---|---|")
    for tool, each in sorted(taken.items()):
        each.sort()
        middle, high = each[len(each) // 2], each[int(len(each) * 0.95)]
        print(f"| {tool} | {len(each):,} | {middle:.1f} ms | {high:.1f} ms | {each[-1]:.1f} ms |")
    searches = taken["memory_search"]
    held = server.start_cpu <= START and grown < GROWTH and more <= 0
    return int(not (held and searches[int(len(searches) * 0.95)] <= P95))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--warm", type=int, default=500)
    parser.add_argument("--here", action="store_true", help="measure this environment")
    given = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="molt-serve-"))
    own = shipped.Shipped(Path(sys.prefix), "of the sources")
    made = own if given.here else shipped.prepare(("mcp",))
    try:
        now = datetime.now(UTC)  # noqa: TID251 the one place here that reads the clock
        grounds = Grounds(home, made, texts.read(), now)
        server = Server(made.molt, grounds.make_memories(given.memories).path, grounds.env)
        try:
            return measure(server, grounds, given.warm, given.calls)
        finally:
            server.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
