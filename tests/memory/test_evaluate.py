"""The measures of a search, by hand and on a set that ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt import errors
from molt.memory.health import measure
from molt.memory.health.measure import GoldQuery, MeasuredQuery

SETS = Path(__file__).parents[2] / "benchmarks/sets"


def asked(*found: str, **gold: float) -> MeasuredQuery:
    return MeasuredQuery(GoldQuery("q", "words", "kind", "", dict(gold)), found, 1.0)


def test_measures_are_those_of_the_book() -> None:
    row = measure.measure_query(asked("x", "a", "y", "b", a=1, b=1, c=1))
    assert (row["R@1"], row["R@5"], row["any@1"], row["any@5"]) == (0, 2 / 3, 0, 1)
    assert row["MRR"] == 0.5
    assert row["nDCG@10"] == pytest.approx((0.6309 + 0.4307) / (1 + 0.6309 + 0.5), abs=1e-4)


def test_a_perfect_answer_is_1_and_none_is_0() -> None:
    assert set(measure.measure_query(asked("a", a=1)).values()) == {1.0}
    assert set(measure.measure_query(asked(a=1)).values()) == {0.0}


def test_a_report_is_the_same_for_the_same_answers() -> None:
    rows = [asked("a", a=1), asked("x", a=1), asked("x", "a", a=1)]
    questions = measure.read_set(str(SETS / "talk"))
    first, second = (measure.make_report(questions, rows) for _ in range(2))
    assert first == second
    assert first["R@1"] == pytest.approx(1 / 3)
    low, high = first["intervals"]["R@1"]
    assert low <= first["R@1"] <= high


@pytest.mark.parametrize("name", ["scripts", "assistant", "talk"])
def test_every_answer_of_the_shipped_sets_is_among_the_first_five(name: str) -> None:
    questions = measure.read_set(str(SETS / name))
    found = measure.make_report(questions, measure.ask_questions(questions))
    assert found["queries"] == len(questions.questions)
    assert found["any@5"] == 1.0


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("corpus.jsonl", '{"id": "a"}\n', "corpus.jsonl:1"),
        ("queries.jsonl", "[]\n", "queries.jsonl:1"),
        ("qrels.tsv", "query\tdocument\tscore\nq\ta\n", "qrels.tsv:2"),
        ("qrels.tsv", "query\tdocument\tscore\nother\ta\t1\n", "no query has an answer"),
    ],
)
def test_a_broken_set_is_named(tmp_path: Path, name: str, text: str, error: str) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"id": "a", "text": "x"}\n')
    (tmp_path / "queries.jsonl").write_text('{"id": "q", "text": "x"}\n')
    (tmp_path / "qrels.tsv").write_text("query\tdocument\tscore\nq\ta\t1\n")
    (tmp_path / name).write_text(text)
    with pytest.raises(errors.Usage, match=error):
        measure.read_set(str(tmp_path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(errors.NotFound, match=r"corpus\.jsonl"):
        measure.read_set(str(tmp_path))
