"""What one process costs, with all that it starts: CPU time, memory at its peak, bytes written.

Run as a program, this file is the small parent of what is measured: a process inherits the peak
of the one that starts it, and the benchmark itself holds all of the texts.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


class Cost:
    """CPU milliseconds (user and system), peak resident MiB, and KiB that went to files: the pages
    that were changed, as the system counts them.
    """

    def __init__(self, cpu: float, memory: float, written: float = 0.0) -> None:
        self.cpu = cpu
        self.memory = memory
        self.written = written


def measure(args: Sequence[str], cwd: Path, env: Mapping[str, str]) -> Cost:
    """Runs a command. Raises SystemExit, with what it says, where it fails."""
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as said:
        command = [sys.executable, "-I", "-S", __file__, *args]
        done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=said)
        if done.returncode:
            said.seek(0)
            words = said.read().decode(errors="replace").strip()
            raise SystemExit(f"{' '.join(args)[:200]} ended with {done.returncode}: {words}")
    seconds, kibibytes, blocks = done.stdout.split()
    return Cost(float(seconds) * 1000, int(kibibytes) / 1024, int(blocks) / 2)


def find_medians(steps: Mapping[str, Callable[[int], Cost]], runs: int) -> dict[str, float]:
    """The median CPU milliseconds of each step."""
    return {name: cost.cpu for name, cost in find_median_costs(steps, runs).items()}


def find_median_costs(steps: Mapping[str, Callable[[int], Cost]], runs: int) -> dict[str, Cost]:
    """The medians of what each step costs; every round runs each of them once.

    So whatever slows the machine down slows all of them. The first round, which finds files that
    are not in memory yet, does not count.
    """
    from statistics import median

    seen: dict[str, list[Cost]] = {name: [] for name in steps}
    for run in range(runs + 1):
        for name, step in steps.items():
            cost = step(run)
            if run:
                seen[name].append(cost)
    fields = ("cpu", "memory", "written")
    return {
        name: Cost(*(median(getattr(cost, field) for cost in costs) for field in fields))
        for name, costs in seen.items()
    }


def main(args: list[str]) -> int:
    """Runs a program without its output; prints CPU seconds, peak KiB, and blocks of 512 bytes that
    were written; gives its status.
    """
    sink = os.open(os.devnull, os.O_WRONLY)
    silent = [(os.POSIX_SPAWN_DUP2, sink, 1)]
    pid = os.posix_spawnp(args[0], args, dict(os.environ), file_actions=silent)
    _, status, used = os.wait4(pid, 0)
    peak = used.ru_maxrss // (1024 if sys.platform == "darwin" else 1)
    print(used.ru_utime + used.ru_stime, peak, used.ru_oublock)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
