"""What molt costs, where only what ships is installed, in workspaces that look years old.

    make bench                     all rows
    make bench ROWS="hooks ask"    some of them
    python -m benchmarks.cost --list

P is the CPU time of `python -I -c pass` in the same round; each figure is the median of rounds
that measure everything once. MOLT_BENCH_DATA names a folder with sets of texts, MOLT_BENCH_RUNS
the number of rounds, MOLT_BENCH_MODEL a folder with an ONNX model and its tokenizer for the row
`model`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.cost import commits, daily, hot, messages, receive, shipped, texts, wholes
from benchmarks.cost.grounds import Grounds
from benchmarks.cost.table import HEAD, Figure

ROWS: dict[str, Callable[[Grounds], Iterator[Figure]]] = {
    "install": wholes.install,
    "hot": hot.hot,
    "hooks": commits.hooks,
    "hooks-strict": commits.strict_hooks,
    "hooks-many": commits.many_files,
    "remember": daily.remember,
    "remember-flat": daily.remember_flat,
    "search": daily.search,
    "ask": daily.ask,
    "graph": daily.graph,
    "memory": daily.memory,
    "trigger": messages.trigger,
    "host-hook": messages.host_hook,
    "trigger-sets": messages.trigger_sets,
    "verify": wholes.verify_range,
    "verify-history": wholes.verify_history,
    "receive": receive.receive,
    "audit": wholes.audit,
    "index": wholes.index,
    "model": wholes.model,
}
RUNS = int(os.environ.get("MOLT_BENCH_RUNS", "9"))


def main() -> int:
    """Prints the table; the status is 1 where a figure is not as it should be."""
    given = _parse_arguments()
    if given.list:
        print("\n".join(f"{name:16} {row.__doc__}" for name, row in ROWS.items()))
        return 0
    home = Path(tempfile.mkdtemp(prefix="molt-bench-"))
    try:
        now = datetime.now(UTC)  # noqa: TID251 the one place here that reads the clock
        grounds = Grounds(home, shipped.prepare(), texts.read(), now, scale=given.scale, runs=RUNS)
        print(f"{grounds.shipped.describe()}\n\nTexts: {grounds.texts.origin}. P: ", end="")
        print(f"{grounds.start().cpu:.1f} ms. Rounds: {RUNS}.\n")
        return _print_table(grounds, given.rows or list(ROWS))
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cost", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="all where none is named")
    parser.add_argument("--list", action="store_true", help="the rows there are")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="take workspaces of another size; says nothing"
    )
    given = parser.parse_args()
    if unknown := [name for name in given.rows if name not in ROWS]:
        parser.error(f"no such row: {', '.join(unknown)}; there are {', '.join(ROWS)}")
    return given


def _print_table(grounds: Grounds, rows: list[str]) -> int:
    print(f"{HEAD}\n|{'---|' * (HEAD.count('|') - 1)}", flush=True)
    failed = 0
    for name in rows:
        for figure in ROWS[name](grounds):
            print(figure.render(name), flush=True)
            failed += not figure.target.holds(figure.value)
    if failed:
        print(f"\n{failed} figures are not as they should be", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
