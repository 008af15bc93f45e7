"""How much of what answers a question stands in the block that `molt recall` gives for it.

    MOLT_BENCH_DATA=DATA python benchmarks/recall.py [SET] [--part N] [--tokens N,N] [--kept FOLDER]

Each group of a set (`locomo` unless another is named) is brought in by the real import, and every
Nth question is asked. Told are, for each budget: the share of the gold records whose words stand in
the block, how many questions have at least one, the tokens that the block has, how much of it is
dates and places (in characters), how many blocks are empty, and the CPU of a recall and of a search
in a process that runs. `--kept` takes workspaces that were brought in before, each `GROUP/w` beside
`GROUP/records.json` (memory to record); `--rows FILE` writes one line of JSON for each question,
by which two versions of the code can be compared pair by pair.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from molt import tokens
from molt.memory import workspace
from molt.memory.health import measure
from molt.memory.health.measure import Filled, GoldQuery, Questions
from molt.memory.recall import recall
from molt.memory.search import search
from molt.memory.workspace import Workspace

# What of a block is no evidence: days and files above rows; lines, days and minutes in front.
_DAY, _MINUTE = r"\d{4}-\d\d-\d\d", r"\d\d:\d\d(?::\d\d)?"
_PLACES = re.compile(
    rf"(?m)`[^`\n]*#L\d+(?:-L\d+)?`:?|^### .*\n|^- (?:L\d+(?:-L\d+)?)?"
    rf"(?: ?{_DAY})?(?: ?{_MINUTE})?:?"
)
# So much of a record tells it from others.
_TOLD = 60


def find_kept(questions: Questions, kept: Path) -> Iterator[Filled]:
    """The workspaces that are in a folder, each with the questions whose records it has."""
    for file in sorted(kept.glob("*/records.json")):
        records: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
        here = set(records.values())
        mine = tuple(one for one in questions.questions if here & one.gold.keys())
        yield Filled(workspace.find(str(file.parent / "w"), "manual"), records, mine)


def read_texts(questions: Questions) -> dict[str, str]:
    """The words of each record of a set."""
    with open(Path(questions.folder, "corpus.jsonl"), encoding="utf-8") as file:
        return {row["id"]: row["text"] for row in map(json.loads, file)}


def squeeze(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def ask_one(
    filled: Filled, one: GoldQuery, texts: dict[str, str], most: int
) -> dict[str, float | str]:
    """What a block holds of what answers a question, and what the rest of it is."""
    start = time.process_time()
    found = recall.answer_question(filled.workspace, one.text, max_tokens=most)
    cpu = time.process_time() - start
    said = squeeze(found.context)
    cited = {filled.records.get(citation.id) for citation in found.citations}
    held = [gold in cited and squeeze(texts[gold])[:_TOLD] in said for gold in one.gold]
    places = sum(map(len, _PLACES.findall(found.context)))
    return {
        "id": one.id,
        "kind": one.type,
        "share": sum(held) / len(held),
        "any": float(any(held)),
        "tokens": float(tokens.count_tokens(found.context)),
        "overhead": places / max(1, len(found.context)),
        "empty": float(not found.context),
        "cpu": cpu * 1000,
    }


def time_search(ws: Workspace, text: str) -> float:
    start = time.process_time()
    search.search(ws, text)
    return (time.process_time() - start) * 1000


def average(rows: list[dict[str, Any]], name: str) -> float:
    return statistics.fmean(row[name] for row in rows) if rows else 0.0


def render_row(most: int, rows: list[dict[str, Any]]) -> str:
    full = [row for row in rows if not row["empty"]]
    cells = (
        f"{most:,}",
        f"{100 * average(rows, 'share'):.1f}",
        f"{100 * average(rows, 'any'):.1f}",
        f"{average(full, 'tokens'):,.0f}",
        f"{100 * average(full, 'overhead'):.1f}",
        f"{100 * average(rows, 'empty'):.1f}",
        f"{statistics.median(row['cpu'] for row in rows):.1f}",
        f"{statistics.median(row['search'] for row in rows):.1f}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("set", nargs="?", default="locomo")
    parser.add_argument("--part", type=int, default=10)
    parser.add_argument("--tokens", default="500,1500")
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--rows", type=Path)
    args = parser.parse_args()
    data = Path(os.environ.get("MOLT_BENCH_DATA") or ".")
    questions = measure.read_set(str(data / args.set))
    texts = read_texts(questions)
    filled = find_kept(questions, args.kept) if args.kept else measure.fill_workspaces(questions)
    budgets = [int(one) for one in args.tokens.split(",")]
    rows: dict[int, list[dict[str, Any]]] = {most: [] for most in budgets}
    for here in filled:
        for one in here.questions[:: args.part]:
            spent = time_search(here.workspace, one.text)
            for most in budgets:
                rows[most].append({**ask_one(here, one, texts, most), "search": spent})
    if args.rows:
        lines = (json.dumps({"most": most, **row}) for most in budgets for row in rows[most])
        args.rows.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print("| budget | share | any | tokens | places % | empty % | recall ms | search ms |")
    print("|---|---|---|---|---|---|---|---|")
    for most in budgets:
        print(render_row(most, rows[most]))


if __name__ == "__main__":
    main()
