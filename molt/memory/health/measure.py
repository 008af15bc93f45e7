"""How well a search answers: a set of questions asked of memories that were really imported."""

from __future__ import annotations

import math
import os
import tempfile
import time

from molt import errors, untrusted
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.search import index
from molt.memory.search import search as searching
from molt.memory.write import import_notes
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from molt.config import Config
    from molt.memory.workspace import Workspace

    Progress = Callable[[int, int], None]

DEPTH = 10  # results that count, as in nDCG@10
MEASURES = ("R@1", "R@5", "R@10", "any@1", "any@5", "nDCG@10", "MRR")
_RESAMPLES = 1_000  # as many as percentiles of a bootstrap are taken from


class GoldQuery(Value):
    """One query: its id, its words, its kind, the group that it is asked of, and what answers
    it, document id to grade.
    """

    id: str
    text: str
    type: str
    group: str
    gold: dict[str, float]


class Questions(Value):
    """A set in a folder: its name, its groups in order, and its queries that have an answer."""

    name: str
    folder: str
    groups: tuple[str, ...]
    questions: tuple[GoldQuery, ...]


class MeasuredQuery(Value):
    """One query with what came of it: the document ids in order, and how long it took."""

    question: GoldQuery
    found: tuple[str, ...]
    ms: float


def read_set(folder: str, gold: str = "qrels.tsv") -> Questions:
    """The set in a folder: `corpus.jsonl`, `queries.jsonl` and the file `gold`.

    Raises NotFound where one is missing, Usage where a line is none.
    """
    groups = [str(row.get("group") or "") for row in _read_objects(folder, "corpus.jsonl")]
    graded = _read_grades(folder, gold)
    queries = [
        GoldQuery(
            str(row["id"]),
            str(row["text"]),
            str(row.get("type") or ""),
            str(row.get("group") or ""),
            graded[str(row["id"])],
        )
        for row in _read_objects(folder, "queries.jsonl")
        if str(row.get("id")) in graded
    ]
    name = os.path.basename(os.path.abspath(folder))
    if not queries:
        raise errors.Usage(f"{folder}: no query has an answer", "the ids of the files must agree")
    return Questions(name, folder, tuple(dict.fromkeys(groups)), tuple(queries))


def _read_lines(folder: str, name: str) -> list[str]:
    path = os.path.join(folder, name)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().split("\n")
    except FileNotFoundError as error:
        raise errors.NotFound(
            f"no file {path}", "a set is corpus.jsonl, queries.jsonl and qrels.tsv"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise errors.unreadable(path, error) from error


def _read_objects(folder: str, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for number, line in enumerate(_read_lines(folder, name), 1):
        if not line.strip():
            continue
        try:
            row = untrusted.parse_json(line)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not {"id", "text"} <= row.keys():
            raise errors.Usage(f"{folder}/{name}:{number}: not an object with an id and a text")
        found.append(row)
    return found


def _read_grades(folder: str, name: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(_read_lines(folder, name), 1):
        parts = line.rstrip("\r").split("\t")
        if number == 1 or not line.strip():
            continue
        try:
            query, document, grade = parts[0], parts[1], float(parts[2])
        except (IndexError, ValueError) as error:
            raise errors.Usage(f"{folder}/{name}:{number}: not query, document, score") from error
        if grade > 0:
            found.setdefault(query, {})[document] = grade
    return found


def ask_questions(
    questions: Questions, *, progress: Progress | None = None
) -> tuple[MeasuredQuery, ...]:
    """Import each group into a workspace of its own and ask its queries. `progress` is called
    with how many queries were asked, and of how many.
    """
    asked: list[MeasuredQuery] = []
    for filled in fill_workspaces(questions):
        for one in filled.questions:
            asked.append(filled.ask(one, _search_ids))
            if progress:
                progress(len(asked), len(questions.questions))
    return tuple(asked)


def _search_ids(ws: Workspace, query: str) -> list[str]:
    return [
        one.id for one in searching.search(ws, query, searching.SearchOptions(limit=DEPTH)).results
    ]


class Filled(Value):
    """A workspace that holds one group of a set, the record of each memory, and what to ask."""

    workspace: Workspace
    records: dict[str, str]
    questions: tuple[GoldQuery, ...]

    def ask(
        self, question: GoldQuery, search: Callable[[Workspace, str], list[str]]
    ) -> MeasuredQuery:
        """Ask one query; `search` gives memory ids in order."""
        started = time.perf_counter()
        ids = search(self.workspace, question.text)
        ms = (time.perf_counter() - started) * 1000
        found = (self.records[one] for one in ids if one in self.records)
        return MeasuredQuery(question, tuple(found), ms)


def fill_workspaces(questions: Questions, config: Config | None = None) -> Iterator[Filled]:
    """A workspace for each group that is asked, gone when the next one is taken. `config`
    replaces that of a new workspace.
    """
    wanted: dict[str, list[GoldQuery]] = {}
    for one in questions.questions:
        wanted.setdefault(one.group, []).append(one)
    for group, mine in wanted.items():
        with tempfile.TemporaryDirectory(prefix="molt-eval-", ignore_cleanup_errors=True) as home:
            ws, records = _fill_workspace(home, questions, group, config)
            yield Filled(ws, records, tuple(mine))


def _fill_workspace(
    home: str, questions: Questions, group: str, config: Config | None
) -> tuple[Workspace, dict[str, str]]:
    folder = os.path.join(home, "workspace")
    setup.init(folder, name="molt eval", email="eval@localhost")
    source = os.path.join(questions.folder, "corpus.jsonl")
    done = import_notes.import_source(workspace.find(folder, "manual"), source, group=group)
    ws = workspace.find(folder, "manual")
    if config is not None:
        ws = ws.replace(config=config)
    index.build_index(ws)
    return ws, {memory: record for record, memory in done.memories.items()}


def measure_query(asked: MeasuredQuery) -> dict[str, float]:
    """The measures of one query, fractions between 0 and 1."""
    gold, found = asked.question.gold, asked.found
    hits = [document in gold for document in found]
    gains = sorted(gold.values(), reverse=True)
    ideal = _sum_discounted(gains[:DEPTH])
    return {
        **{f"R@{k}": sum(hits[:k]) / len(gold) for k in (1, 5, 10)},
        **{f"any@{k}": float(any(hits[:k])) for k in (1, 5)},
        "nDCG@10": _sum_discounted([gold.get(one, 0.0) for one in found[:DEPTH]]) / ideal,
        "MRR": next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0),
    }


def _sum_discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def make_report(questions: Questions, asked: Sequence[MeasuredQuery]) -> dict[str, Any]:
    """The measures of a set, their 95 % intervals, the latency, and the measures by kind."""
    rows = [measure_query(one) for one in asked]
    times = sorted(one.ms for one in asked)
    kinds: dict[str, list[dict[str, float]]] = {}
    for one, row in zip(asked, rows, strict=True):
        kinds.setdefault(one.question.type, []).append(row)
    return {
        "set": questions.name,
        "queries": len(rows),
        **_average_rows(rows),
        "p50_ms": _pick_percentile(times, 0.5),
        "p95_ms": _pick_percentile(times, 0.95),
        "intervals": _estimate_intervals(rows),
        "by_type": {
            kind: {"queries": len(some), **_average_rows(some)}
            for kind, some in sorted(kinds.items())
            if kind
        },
    }


def _average_rows(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(row[name] for row in rows) / len(rows) for name in MEASURES}


def _pick_percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _estimate_intervals(rows: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """Where the mean of each measure lies in 95 of 100 sets of queries like these (bootstrap)."""
    import random

    # The same draws in every run: a report of the same answers must be the same.
    chance = random.Random(0)  # noqa: S311 no secret
    draws = [chance.choices(range(len(rows)), k=len(rows)) for _ in range(_RESAMPLES)]
    found: dict[str, list[float]] = {}
    for name in MEASURES:
        values = [row[name] for row in rows]
        means = sorted(_average_values(values[at] for at in draw) for draw in draws)
        found[name] = [_pick_percentile(means, 0.025), _pick_percentile(means, 0.975)]
    return found


def _average_values(values: Iterable[float]) -> float:
    every = list(values)
    return sum(every) / len(every)
