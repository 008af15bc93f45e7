"""How well molt finds what is asked for, on public sets of questions.

`python benchmarks/retrieval.py [NAME…]` runs the sets below `$MOLT_BENCH_DATA` and the small ones
in `benchmarks/sets`, each through the real import
and search, and prints a Markdown table: the default beside FTS5's own ranking, weighted ranks
(0.7/0.3) and reciprocal ranks, with the difference of the default to each and its paired standard
error. `--ablation` switches off what the ranking is made of, one by one, and `--only NAME,NAME`
takes some of the rankings. `--model PATH` takes the vectors from a model in a folder through
fastembed; `--rerank PATH` has the default reordered by a cross-encoder in a folder, beside the
order without; `--part N` asks every Nth question only.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from molt.config import Config
from molt.index import providers
from molt.index.content import words
from molt.index.search import candidates, cross_encoder, dates, keywords, rank
from molt.memory.health import measure
from molt.memory.health.measure import MeasuredQuery, Questions
from molt.memory.search import index
from molt.memory.search import search as searching
from molt.memory.workspace import Workspace

ROOT = Path(__file__).resolve().parents[1]
Search = Callable[[Workspace, str], list[str]]
Rows = list[dict[str, float]]
DEPTH = measure.DEPTH
SESSIONS = "qrels_session.tsv"
SHOWN = ("R@1", "R@5", "R@10", "any@1", "any@5", "nDCG@10", "MRR")


def folders(names: list[str]) -> list[Path]:
    """The sets that are here."""
    data = os.environ.get("MOLT_BENCH_DATA")
    found = [*(Path(data).glob("*") if data else ()), *(ROOT / "benchmarks/sets").glob("*")]
    found.sort()
    found = [one for one in found if (one / "qrels.tsv").exists()]
    return [one for one in found if not names or one.name in names]


def default(ws: Workspace, text: str) -> list[str]:
    return [
        one.id for one in searching.search(ws, text, searching.SearchOptions(limit=DEPTH)).results
    ]


def unreranked(ws: Workspace, text: str) -> list[str]:
    return default(ws.replace(config=ws.config.replace(search_rerank="none")), text)


def sessions(ws: Workspace, text: str) -> list[str]:
    return [
        one.id
        for one in searching.search(
            ws, text, searching.SearchOptions(limit=DEPTH), by=searching.SESSION
        ).results
    ]


def ranker(depth: int = DEPTH, **options: Any) -> Search:
    """The ranking alone, with options of `candidates.Ranking`."""

    def search(ws: Workspace, text: str) -> list[str]:
        with index.provided(ws) as (provider, _), index.opened(ws, provider) as db:
            ranking = candidates.Ranking(provider, **options)
            found = candidates.find_candidates(db, text, limit=depth, ranking=ranking)
        return list(dict.fromkeys(one.memory_id or one.path for one in found))[:depth]

    return search


def fts5(depth: int = DEPTH) -> Search:
    """FTS5's own bm25() over the same words, stop words and all."""
    sql = "SELECT c.memory_id, c.path FROM fts JOIN chunks c ON c.id=fts.rowid"

    def search(ws: Workspace, text: str) -> list[str]:
        with index.provided(ws) as (provider, _), index.opened(ws, provider) as db:
            with changed(words, "STOP", frozenset()), changed(words, "ELSEWHERE", frozenset()):
                match = " OR ".join(map(words.quote, words.split_terms(text)))
            rows = db.rows(f"{sql} WHERE fts MATCH ? ORDER BY rank LIMIT ?", (match, depth * 4))
        return list(dict.fromkeys(one or path for one, path in rows))[:depth]

    return search


@contextmanager
def changed(module: Any, name: str, value: object) -> Iterator[None]:
    """A constant of a module with another value."""
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def with_constant(module: Any, name: str, value: object) -> Search:
    def search(ws: Workspace, text: str) -> list[str]:
        with changed(module, name, value):
            return ranker()(ws, text)

    return search


def others(depth: int) -> dict[str, Search]:
    return {
        "FTS5": fts5(depth),
        "weighted ranks": ranker(depth, fusion="weighted-rank"),
        "reciprocal ranks": ranker(depth, fusion="reciprocal-rank"),
    }


COMPARED: dict[str, Search] = {"default": default, **others(DEPTH)}
# A session stands where its best turn does; a hundred turns are of more than ten sessions.
BY_SESSION: dict[str, Search] = {"default": sessions, **others(100)}
OFF = {name: rank.WEIGHTS.replace(**{name: 0.0}) for name in rank.WEIGHTS.asdict()}
_OWN = ("vector", "pair", "whole")
NOTHING = rank.WEIGHTS.replace(**{name: 0.0 for name in OFF if name not in _OWN})
ABLATED: dict[str, Search] = {
    "default": ranker(),
    **{f"no {name}": ranker(weights=weights) for name, weights in OFF.items()},
    "nothing around": ranker(weights=NOTHING),
    "half of each": ranker(
        weights=rank.Weights(*[value / 2 for value in rank.WEIGHTS.asdict().values()])
    ),
    "twice each": ranker(
        weights=rank.Weights(*[value * 2 for value in rank.WEIGHTS.asdict().values()])
    ),
    "stop words kept": with_constant(words, "STOP", frozenset()),
    "those of other languages kept": with_constant(words, "ELSEWHERE", frozenset()),
    "no floor of length": with_constant(keywords, "FLOOR", 1),
    "k1 0.9": with_constant(keywords, "_K1", 0.9),
    "k1 2": with_constant(keywords, "_K1", 2.0),
    "b 0.4": with_constant(keywords, "_B", 0.4),
    "no other forms": with_constant(words, "SHORT", 99),
    "endings of 3": with_constant(words, "ENDING", 3),
    "pool 100": with_constant(candidates, "POOL", 100),
    "pool 400": with_constant(candidates, "POOL", 400),
    "25 nearest": with_constant(candidates, "_NEAREST", 25),
    "200 nearest": with_constant(candidates, "_NEAREST", 200),
    "no neighbours added": with_constant(candidates, "_SEEDS", 0),
    "days after a date": with_constant(dates, "_AFTER", 0),
}


def run(
    questions: Questions, config: Config | None, searches: dict[str, Search]
) -> dict[str, list[MeasuredQuery]]:
    """What each search finds, asked of the same workspaces."""
    found: dict[str, list[MeasuredQuery]] = {name: [] for name in searches}
    for filled in measure.fill_workspaces(questions, config):
        for question in filled.questions:
            for name, search in searches.items():
                found[name].append(filled.ask(question, search))
    return found


def by_session(
    folder: Path, questions: Questions, config: Config | None
) -> dict[str, list[MeasuredQuery]]:
    """The same with whole sessions as what is to be found."""
    gold = measure.read_set(str(folder), SESSIONS)
    wanted = {one.id for one in questions.questions}
    gold = gold.replace(questions=tuple(one for one in gold.questions if one.id in wanted))
    rows = measure._read_objects(str(folder), "corpus.jsonl")
    session = {str(row["id"]): str(row.get("session")) for row in rows}

    def told(asked: MeasuredQuery) -> MeasuredQuery:
        found = dict.fromkeys(session[one] for one in asked.found)
        return asked.replace(found=tuple(found)[:DEPTH])

    found = run(gold, config, BY_SESSION)
    return {name: [told(one) for one in asked] for name, asked in found.items()}


def part(questions: Questions, step: int) -> Questions:
    return questions.replace(questions=questions.questions[::step])


def difference(first: Rows, second: Rows, name: str) -> str:
    """How much better the first does, in points, with the standard error of the pairs."""
    gaps = [100 * (one[name] - two[name]) for one, two in zip(first, second, strict=True)]
    error = statistics.stdev(gaps) / len(gaps) ** 0.5 if len(gaps) > 1 else 0.0
    return f"{statistics.mean(gaps):+.1f}±{error:.1f}"


def table(name: str, found: dict[str, list[MeasuredQuery]], shown: tuple[str, ...]) -> str:
    rows = {label: [measure.measure_query(one) for one in asked] for label, asked in found.items()}
    (first, base), *others = rows.items()
    lines = [
        f"### {name}: {len(base)} questions\n",
        f"| | {' | '.join(shown)} |",
        "|---" * (len(shown) + 1) + "|",
        f"| {first} | {' | '.join(cell(base, one) for one in shown)} |",
    ]
    for label, other in others:
        cells = (f"{cell(other, one)} ({difference(other, base, one)})" for one in shown)
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def cell(rows: Rows, name: str) -> str:
    return f"{100 * statistics.mean(row[name] for row in rows):.1f}"


def configured(model: str, reranker: str) -> Config | None:
    """The configuration to measure; ends the program where a model of it cannot be loaded."""
    config = Config()
    if model:
        config = Config(embedding_provider="fastembed", embedding_model_path=model)
        provider, why = providers.load(config)
        if provider is None or provider.name != "fastembed":
            raise SystemExit(f"{model} cannot be measured: {why}")
    if reranker:
        config = config.replace(search_rerank="fastembed", search_rerank_model_path=reranker)
        judge, why = cross_encoder.load(config)
        try:
            if judge is None or not judge.judge("a question", ["a text"]):
                raise ValueError(why)
        except ValueError as error:
            raise SystemExit(f"{reranker} cannot be measured: {error}") from error
    return config if model or reranker else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--only", default="", help="names of rankings, with commas between")
    parser.add_argument("--model", default="")
    parser.add_argument("--rerank", default="")
    parser.add_argument("--part", type=int, default=1)
    given = parser.parse_args()
    if given.rerank and given.ablation:
        parser.error("--ablation is of the ranking, which --rerank leaves as it is")
    config = configured(given.model, given.rerank)
    compared = {"default": default, "not reranked": unreranked} if given.rerank else {}
    searches = ABLATED if given.ablation else {**compared, **COMPARED}
    if given.only:
        searches = {name: searches[name] for name in ("default", *given.only.split(","))}
    for folder in folders(given.names):
        questions = part(measure.read_set(str(folder)), given.part)
        found = run(questions, config, searches)
        shown = ("R@5", "R@10", "nDCG@10") if given.ablation else SHOWN
        print(table(folder.name, found, shown), flush=True)
        kinds = {one.question.group for one in found["default"]}
        if folder.name.startswith("xquad"):
            for group in sorted(kinds):
                some = {
                    label: [one for one in asked if one.question.group == group]
                    for label, asked in found.items()
                }
                print(table(f"{folder.name}, {group}", some, shown), flush=True)
        if (folder / SESSIONS).exists() and not given.ablation:
            found = by_session(folder, questions, config)
            print(table(f"{folder.name}, sessions", found, shown), flush=True)


if __name__ == "__main__":
    main()
