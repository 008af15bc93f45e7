"""A reranker in a search: what it may change, and what holds nevertheless. The judge is a fake of
few lines, so that this runs without fastembed; `tests/index/test_rerank.py` has a real one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from copies import Copy
from talks import fill, line

from molt.config import Config
from molt.formats import times
from molt.formats.meta import scores as score_file
from molt.index.search import cross_encoder
from molt.index.search.filters import Filters
from molt.memory import workspace
from molt.memory.recall import recall
from molt.memory.search import at as past
from molt.memory.search import search
from molt.memory.search.visible import Sight
from molt.memory.workspace import Workspace

from .conftest import make_workspace

pytestmark = pytest.mark.slow

NOW = 1_770_000_000.0


class Judge:
    """Prefers texts that hold a word; reads only what `reads` says."""

    model = "judge"

    def __init__(self, word: str, reads: Callable[[str], bool] = lambda _: True) -> None:
        self.word = word
        self.reads = reads
        self.texts: list[str] = []

    def judge(self, query: str, texts: Sequence[str]) -> list[float]:
        self.texts += texts
        return [4.0 if self.word in text else -4.0 for text in texts]


Judged = Callable[..., Judge]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Judged:
    """Makes the reranker of every search a judge that prefers a word."""

    def by(word: str, **options: Callable[[str], bool]) -> Judge:
        judge = Judge(word, **options)
        monkeypatch.setattr(cross_encoder, "load", lambda _: (judge, ""))
        return judge

    return by


@pytest.fixture
def ws(tmp_path: Path, copy: Copy) -> Workspace:
    return on(workspace.find(str(copy(tmp_path / "w", make_workspace)), "manual"))


def on(ws: Workspace) -> Workspace:
    return ws.replace(config=Config(search_rerank="fastembed"))


def boats(ws: Workspace, *, count: int = 5) -> dict[str, str]:
    """Notes on boats, the later the less about them; each has a word of its own."""
    rows = (
        line(str(n), f"boat no{n}x " + "filler words of something else " * n) for n in range(count)
    )
    return fill(ws, *rows)


def ids(ws: Workspace, words: str, by: str = search.MEMORY, **options: Any) -> list[str]:
    asked = search.SearchOptions(**options)
    return [one.id for one in search.search(ws, words, asked, by=by).results]


def test_what_the_judge_prefers_comes_first_and_the_rest_as_before(ws, judged) -> None:
    made = boats(ws)
    plain = ids(ws.replace(config=Config()), "boat", limit=5)
    assert plain[0] == made["0"]
    judged("no2x")
    assert ids(ws, "boat", limit=5) == [made["2"], *(one for one in plain if one != made["2"])]


def test_a_result_has_the_judgement_among_its_signals(ws, judged) -> None:
    boats(ws)
    plain = search.search(ws.replace(config=Config()), "boat")
    assert ("rerank" in plain.results[0].signals, plain.reranker) == (False, "")
    judged("no1x")
    found = search.search(ws, "boat")
    assert [one.signals["rerank"] for one in found.results] == [4.0, -4.0, -4.0, -4.0, -4.0]
    assert (found.reranker, found.fallback) == ("judge", "")
    assert [one.score for one in found.results] == sorted(
        (one.score for one in found.results), reverse=True
    )


def test_only_the_best_are_judged_and_the_others_stay_behind(ws, judged) -> None:
    boats(ws, count=40)
    judge = judged("no39x")
    found = search.search(ws, "boat", search.SearchOptions(limit=40)).results
    assert len(judge.texts) == cross_encoder.CANDIDATES
    assert ["rerank" in one.signals for one in found] == [True] * 30 + [False] * 10


def test_a_single_result_is_the_best_of_as_many_as_ever(ws, judged) -> None:
    made = boats(ws, count=25)
    judged("no12x")
    assert ids(ws, "boat", limit=1) == [made["12"]]


def test_where_the_judge_sees_no_difference_days_and_people_decide(ws, judged) -> None:
    days = ("2024-01-09", "2024-02-09", "2024-03-09")
    made = fill(
        ws, *(line(day, f"we walked the dog at {day[5:7]}", f"{day}T09:00") for day in days)
    )
    judge = judged("dog")
    assert ids(ws, "walked the dog in February", limit=1) == [made["2024-02-09"]]
    assert ids(ws, "dog yesterday", limit=1, today=lambda: "2024-01-10") == [made["2024-01-09"]]
    assert len(judge.texts) == 6


def test_the_day_that_is_asked_for_counts_beside_the_judgement(ws, judged) -> None:
    made = fill(
        ws,
        line("jan", "we walked the dog, at last", "2024-01-09T09:00"),
        line("feb", "we walked the dog, once more", "2024-02-09T09:00"),
        line("mar", "a dog slept", "2024-03-09T09:00"),
    )
    judged("walked")
    scores = {one.id: one.score for one in search.search(ws, "walked the dog in February").results}
    assert scores[made["feb"]] > scores[made["jan"]] > scores[made["mar"]]


def test_filters_hold(ws, judged) -> None:
    made = fill(ws, line("old", "boat one", "2023-01-01T10:00"), line("new", "boat two"))
    judged("one")
    assert ids(ws, "boat", filters=Filters(since="2024-01-01")) == [made["new"]]
    found = search.search(ws, "boat").results
    assert [one.id for one in found] == [made["old"], made["new"]]


def test_the_same_words_are_given_once_a_day(ws, judged) -> None:
    fill(ws, *(line(name, "the red lighthouse is closed") for name in "abc"))
    judged("lighthouse")
    assert len(ids(ws, "red lighthouse", limit=9)) == 1


def test_by_session_gives_each_conversation_once_by_its_best(ws, judged) -> None:
    made = fill(
        ws,
        line("1", "rain on the ferry", session="s1"),
        line("2", "the ferry was late", session="s1"),
        line("3", "a ferry again, and a whale", session="s2"),
        line("4", "no boat at all", session="s2"),
    )
    judged("whale")
    found = ids(ws, "ferry", limit=9, by=search.SESSION)
    assert found[0] == made["3"]
    assert len(set(found) & set(made.values())) == 2


def test_the_archived_are_not_judged_and_decay_is_in_the_score(ws, judged) -> None:
    days = {"new": 0, "fading": 30, "archived": 200}
    made = fill(ws, *(line(name, f"harbour gate of {name}") for name in days))
    stamps = {made[name]: times.render_time(NOW - 86_400 * age) for name, age in days.items()}
    entries = {
        memory: {"base_relevance": 1.0, "type_weight": 1.0, "access_count": 1, "last_accessed": at}
        for memory, at in stamps.items()
    }
    path = Path(ws.repo.root) / "memory/meta/decay-scores.json"
    path.write_text(score_file.render_scores({"version": 1, "entries": entries}))
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qm", "scores")
    judge = judged("harbour")
    found = search.search(ws, "harbour gate", search.SearchOptions(sight=Sight(NOW))).results
    assert [one.id for one in found] == [made["new"], made["fading"]]
    assert len(judge.texts) == 2
    assert found[1].score < found[0].score * 0.9


def test_a_text_that_the_judge_cannot_read_keeps_its_score(ws, judged) -> None:
    made = fill(ws, line("zh", "PKCE 是移动登录的流程"), line("en", "PKCE is the flow"))
    plain = {
        one.id: one.score for one in search.search(on(ws).replace(config=Config()), "PKCE").results
    }
    judged("flow", reads=str.isascii)
    found = {one.id: one for one in search.search(ws, "PKCE").results}
    assert found[made["zh"]].score == plain[made["zh"]]
    assert "rerank" not in found[made["zh"]].signals
    assert "rerank" in found[made["en"]].signals
    asked = search.search(ws, "哪个流程？")
    assert asked.fallback == "not reranked: judge knows the Latin script alone"
    assert (asked.reranker, made["zh"] in [one.id for one in asked.results]) == ("", True)


def test_without_a_judge_the_answer_is_the_same_and_says_why(ws, monkeypatch) -> None:
    boats(ws)
    monkeypatch.setattr(cross_encoder, "load", lambda _: (None, "no such model"))
    plain = search.search(ws.replace(config=Config()), "boat")
    found = search.search(ws, "boat")
    assert found.fallback == "not reranked: no such model"
    assert found.replace(fallback="") == plain


def test_a_judge_that_fails_is_named_beside_what_else_is_missing(ws, judged, monkeypatch) -> None:
    boats(ws)
    judge = judged("boat")
    monkeypatch.setattr(judge, "judge", lambda *_: (_ for _ in ()).throw(ValueError("torn")))
    remote = Config(
        search_rerank="fastembed", embedding_provider="openai", embedding_fallback="none"
    )
    found = search.search(ws.replace(config=remote), "boat")
    assert found.fallback.endswith("keywords only; not reranked: fastembed: torn")
    assert len(found.results) == 5


def test_where_nothing_is_found_nothing_is_judged(ws, monkeypatch) -> None:
    monkeypatch.setattr(cross_encoder, "load", lambda _: pytest.fail("loaded"))
    found = search.search(ws, "xylophone", search.SearchOptions(filters=Filters(tags=("none",))))
    assert (found.results, found.fallback) == ((), "")


def test_the_past_is_reranked_too(ws, judged) -> None:
    made = boats(ws)
    judged("no2x")
    at = past.find_moment(ws.repo, "HEAD", None, NOW)
    assert ids(ws, "boat", limit=1, at=at) == [made["2"]]


def test_recall_shows_what_was_found_in_the_judges_order(ws, judged) -> None:
    rows = (
        line(str(n), f"boat no{n}x " + "filler " * n, f"2024-03-0{n + 1}T10:00") for n in range(5)
    )
    made = fill(ws, *rows)
    judged("no2x")
    found = recall.answer_question(ws, "boat")
    assert found.citations[0].id == made["2"]
    assert (found.reranker, found.results[0].signals["rerank"]) == ("judge", 4.0)
