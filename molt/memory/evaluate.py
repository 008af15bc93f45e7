"""How well a search answers: a set of questions asked of memories that were really imported."""

from __future__ import annotations

import json
import math
import os
import tempfile
import time

from molt import errors
from molt.memory import importer, indexing, recall, workspace
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from molt.config import Config
    from molt.memory.workspace import Workspace

    Progress = Callable[[int, int], None]

DEPTH = 10
MEASURES = ("R@1", "R@5", "R@10", "any@1", "any@5", "nDCG@10", "MRR")
_RESAMPLES = 1_000


class Question(Value):
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
    questions: tuple[Question, ...]


class Asked(Value):
    """One query with what came of it: the document ids in order, and how long it took."""

    question: Question
    found: tuple[str, ...]
    ms: float


def read(folder: str, gold: str = "qrels.tsv") -> Questions:
    """The set in a folder: `corpus.jsonl`, `queries.jsonl` and the file `gold`.

    Raises NotFound where one is missing, Usage where a line is none.
    """
    groups = [str(row.get("group") or "") for row in _objects(folder, "corpus.jsonl")]
    graded = _grades(folder, gold)
    queries = [
        Question(
            str(row["id"]),
            str(row["text"]),
            str(row.get("type") or ""),
            str(row.get("group") or ""),
            graded[str(row["id"])],
        )
        for row in _objects(folder, "queries.jsonl")
        if str(row.get("id")) in graded
    ]
    name = os.path.basename(os.path.abspath(folder))
    if not queries:
        raise errors.Usage(f"{folder}: no query has an answer", "the ids of the files must agree")
    return Questions(name, folder, tuple(dict.fromkeys(groups)), tuple(queries))


def _lines(folder: str, name: str) -> list[str]:
    path = os.path.join(folder, name)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().split("\n")
    except FileNotFoundError as error:
        raise errors.NotFound(
            f"no file {path}", "a set is corpus.jsonl, queries.jsonl and qrels.tsv"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise errors.Usage(f"cannot read {path}: {error}") from error


def _objects(folder: str, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for number, line in enumerate(_lines(folder, name), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not {"id", "text"} <= row.keys():
            raise errors.Usage(f"{folder}/{name}:{number}: not an object with an id and a text")
        found.append(row)
    return found


def _grades(folder: str, name: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(_lines(folder, name), 1):
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


def ask(questions: Questions, *, progress: Progress | None = None) -> tuple[Asked, ...]:
    """Import each group into a workspace of its own and ask its queries. `progress` is called
    with how many queries were asked, and of how many.
    """
    asked: list[Asked] = []
    for filled in workspaces(questions):
        for one in filled.questions:
            asked.append(filled.ask(one, _search))
            if progress:
                progress(len(asked), len(questions.questions))
    return tuple(asked)


def _search(ws: Workspace, query: str) -> list[str]:
    return [one.id for one in recall.search(ws, query, limit=DEPTH).results]


class Filled(Value):
    """A workspace that holds one group of a set, the record of each memory, and what to ask."""

    workspace: Workspace
    records: dict[str, str]
    questions: tuple[Question, ...]

    def ask(self, question: Question, search: Callable[[Workspace, str], list[str]]) -> Asked:
        """Ask one query; `search` gives memory ids in order."""
        started = time.perf_counter()
        ids = search(self.workspace, question.text)
        ms = (time.perf_counter() - started) * 1000
        found = (self.records[one] for one in ids if one in self.records)
        return Asked(question, tuple(found), ms)


def workspaces(questions: Questions, config: Config | None = None) -> Iterator[Filled]:
    """A workspace for each group that is asked, gone when the next one is taken. `config`
    replaces that of a new workspace.
    """
    wanted: dict[str, list[Question]] = {}
    for one in questions.questions:
        wanted.setdefault(one.group, []).append(one)
    for group, mine in wanted.items():
        with tempfile.TemporaryDirectory(prefix="molt-eval-", ignore_cleanup_errors=True) as home:
            ws, records = _fill(home, questions, group, config)
            yield Filled(ws, records, tuple(mine))


def _fill(
    home: str, questions: Questions, group: str, config: Config | None
) -> tuple[Workspace, dict[str, str]]:
    folder = os.path.join(home, "workspace")
    workspace.init(folder, name="molt eval", email="eval@localhost")
    source = os.path.join(questions.folder, "corpus.jsonl")
    done = importer.bring_in(workspace.find(folder, "manual"), source, group=group)
    ws = workspace.find(folder, "manual")
    if config is not None:
        ws = ws.replace(config=config)
    indexing.index(ws)
    return ws, {memory: record for record, memory in done.memories.items()}


def measure(asked: Asked) -> dict[str, float]:
    """The measures of one query, fractions between 0 and 1."""
    gold, found = asked.question.gold, asked.found
    hits = [document in gold for document in found]
    gains = sorted(gold.values(), reverse=True)
    ideal = _discounted(gains[:DEPTH])
    return {
        **{f"R@{k}": sum(hits[:k]) / len(gold) for k in (1, 5, 10)},
        **{f"any@{k}": float(any(hits[:k])) for k in (1, 5)},
        "nDCG@10": _discounted([gold.get(one, 0.0) for one in found[:DEPTH]]) / ideal,
        "MRR": next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0),
    }


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def report(questions: Questions, asked: Sequence[Asked]) -> dict[str, Any]:
    """The measures of a set, their 95 % intervals, the latency, and the measures by kind."""
    rows = [measure(one) for one in asked]
    times = sorted(one.ms for one in asked)
    kinds: dict[str, list[dict[str, float]]] = {}
    for one, row in zip(asked, rows, strict=True):
        kinds.setdefault(one.question.type, []).append(row)
    return {
        "set": questions.name,
        "queries": len(rows),
        **_means(rows),
        "p50_ms": _at(times, 0.5),
        "p95_ms": _at(times, 0.95),
        "intervals": _intervals(rows),
        "by_type": {
            kind: {"queries": len(some), **_means(some)}
            for kind, some in sorted(kinds.items())
            if kind
        },
    }


def _means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(row[name] for row in rows) / len(rows) for name in MEASURES}


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _intervals(rows: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """Where the mean of each measure lies in 95 of 100 sets of queries like these (bootstrap)."""
    import random

    # The same draws in every run: a report of the same answers must be the same.
    chance = random.Random(0)  # noqa: S311 no secret
    draws = [chance.choices(range(len(rows)), k=len(rows)) for _ in range(_RESAMPLES)]
    found: dict[str, list[float]] = {}
    for name in MEASURES:
        values = [row[name] for row in rows]
        means = sorted(_mean(values[at] for at in draw) for draw in draws)
        found[name] = [_at(means, 0.025), _at(means, 0.975)]
    return found


def _mean(values: Iterable[float]) -> float:
    every = list(values)
    return sum(every) / len(every)
