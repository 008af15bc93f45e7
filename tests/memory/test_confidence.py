from __future__ import annotations

from pathlib import Path

import pytest
from moments import BY_HAND

from molt.formats.paths import ENTITIES
from molt.index.search.candidates import Candidate
from molt.memory.search import confidence, search
from molt.memory.workspace import Workspace

ASKED = "外婆做的粽子里放了什么馅？"


def make_found(among: int, *, vector: float = 0.4, told: float = 0.6) -> Candidate:
    return Candidate(
        chunk_id=1,
        path="memory/a.md",
        start=1,
        end=1,
        memory_id="",
        store="episodes",
        type="",
        tags=(),
        date="",
        text="",
        vector=vector,
        share=0.6,
        exact=0.4,
        told=told,
        among=among,
    )


@pytest.mark.parametrize(("few", "many"), [(10, 80), (80, 200), (200, 290)])
def test_the_same_match_says_less_among_more_pieces(few: int, many: int) -> None:
    rating = confidence.find_calibration("static", ASKED)
    first, second = (confidence.rate_candidate(make_found(n), rating) for n in (few, many))
    assert first > second


def test_half_as_many_pieces_double_the_odds() -> None:
    rating = confidence.find_calibration("static", ASKED)
    one, two = (confidence.rate_candidate(make_found(n), rating) for n in (100, 200))
    assert one / (1 - one) == pytest.approx(2 * two / (1 - two))


def test_nearness_alone_is_no_answer_where_no_word_matches() -> None:
    rating = confidence.find_calibration("static", ASKED)
    found = make_found(100, vector=0.3, told=0.0).replace(share=0.0, exact=0.0)
    assert confidence.rate_candidate(found, rating) < 0.1


def test_in_another_language_words_that_no_memory_has_count_too() -> None:
    rating = confidence.find_calibration("static", "¿quién tocó el piano en la boda?")
    one = make_found(100, vector=0.25).replace(share=1.0, exact=0.2)
    assert confidence.rate_candidate(one, rating) < 0.1
    assert confidence.rate_candidate(one.replace(exact=0.9), rating) > 0.5


def test_without_vectors_words_that_no_memory_has_count_too() -> None:
    rating = confidence.find_calibration("none", "who played the piano")
    one = make_found(100, vector=0.0).replace(share=1.0, exact=0.1)
    assert confidence.rate_candidate(one, rating) < 0.1
    assert confidence.rate_candidate(one.replace(exact=0.9), rating) > 0.5


@pytest.mark.parametrize(("known", "shown"), [(1.0, True), (0.4, False)])
def test_a_question_of_which_memory_has_every_word_is_one_of_this_memory(
    known: float, shown: bool
) -> None:
    rating = confidence.find_calibration("static", "who has to be in copy")
    one = make_found(100, vector=0.15).replace(exact=0.42, known=known)
    assert (confidence.rate_candidate(one, rating) >= 0.18) == shown


def test_that_a_few_memories_lack_a_word_says_little() -> None:
    rating = confidence.find_calibration("static", "who has to be in copy")
    few, many = (
        confidence.rate_candidate(make_found(n, vector=0.2).replace(known=0.2), rating)
        for n in (5, 60)
    )
    assert few > 2 * many


@pytest.mark.parametrize(("titled", "shown"), [(0.5, True), (0.0, False)])
def test_a_title_with_the_words_of_a_question_is_about_it(titled: float, shown: bool) -> None:
    rating = confidence.find_calibration("static", "warum lief Waydroid nicht")
    one = make_found(100, vector=0.05).replace(exact=0.4, titled=titled)
    assert (confidence.rate_candidate(one, rating) >= 0.18) == shown


def test_what_has_no_vector_so_far_is_judged_by_its_words() -> None:
    rating = confidence.find_calibration("static", "which ship surveys the harbour")
    one = make_found(100, vector=0.0).replace(exact=0.5, known=0.5)
    assert confidence.rate_candidate(one, rating) > 0.8
    assert confidence.rate_candidate(one.replace(vector=0.01), rating) < 0.1


def test_before_there_are_vectors_a_search_answers_by_words(ws: Workspace) -> None:
    notes = {f"memory/n{at}.md": f"Crate {at} holds salt.\n" for at in range(70)}
    put(ws, {**notes, "memory/survey.md": "The Bitam surveys the harbour.\n"})
    now = ws.replace(config=ws.config.replace(search_sync_budget_ms=0))
    answer = search.search(now, "which vessel inspects the harbour")
    assert answer.stale
    assert "Bitam" in answer.results[0].snippet


def test_what_a_reflection_draws_from_memories_counts_as_no_more_chances(ws: Workspace) -> None:
    day = "# 2026-03-01 — Episode Log\n"
    for at in range(40):
        said = f"那个预算的名字叫第{at}号。" if at else "我刚才路过的是中心公园。"
        day += f"\n## 10:{at:02} | fact | confidence:high | tags:[]\n{said}\n"
    put(ws, {"memory/episodes/2026-03-01.md": day})
    told = []
    for folder in (ENTITIES, "memory/notes/"):
        put(ws, {f"{folder}person--p{at}.md": make_entity(f"p{at}") for at in range(80)})
        told.append(search.search(ws, "那个景区的名字来着？").results[0])
        ws.repo.run("rm", "-rq", folder)
    drawn, written = told
    assert drawn.id == written.id
    assert drawn.confidence > written.confidence


def make_entity(name: str) -> str:
    head = f"---\nid: person--{name}\ntype: person\nlabel: {name}\n---\n# {name}\n"
    return f"{head}\n## Facts\n- likes tea\n"


def put(ws: Workspace, files: dict[str, str]) -> None:
    for path, text in files.items():
        file = Path(ws.repo.root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    ws.repo.run("add", "-A")
    ws.repo.run("commit", "-qnm", BY_HAND)


def test_the_surest_counts_though_it_stands_behind_ten_others() -> None:
    rating = confidence.find_calibration("static", ASKED)
    unsure, sure = make_found(80, vector=0.0, told=0.0), make_found(80)
    found = [*[unsure] * 12, sure]
    assert confidence.rate_answer(found, rating) == confidence.rate_candidate(sure, rating)
    assert confidence.rate_answer([unsure], rating) < confidence.rate_answer(found, rating)


def test_memories_may_tell_together_of_what_is_asked() -> None:
    asked = "who has to be in copy"
    rating = confidence.find_calibration("static", asked)
    near = make_found(300, vector=0.36).replace(exact=0.05, known=0.6)
    worded = make_found(300, vector=0.1).replace(exact=0.45, known=0.6)
    alone = max(confidence.rate_answer([one], rating) for one in (near, worded))
    assert alone < 0.18 <= confidence.rate_answer([worded, near], rating)


def test_parts_of_words_that_several_memories_have_by_chance_tell_nothing_together() -> None:
    rating = confidence.find_calibration("static", ASKED)
    near = make_found(300, vector=0.4, told=0.0).replace(exact=0.0)
    worded = make_found(300, vector=0.0, told=0.3).replace(exact=0.3)
    alone = max(confidence.rate_answer([one], rating) for one in (near, worded))
    assert confidence.rate_answer([worded, near], rating) == alone


def test_of_fewer_pieces_less_is_asked_and_once_where_each_is_judged_by_their_number() -> None:
    spaced = confidence.find_calibration("static", "who has to be in copy")
    unspaced = confidence.find_calibration("static", ASKED)
    assert confidence.scale_least(0.2, 100, spaced) == pytest.approx(0.1)
    assert confidence.scale_least(0.2, 100, unspaced) == 0.2


@pytest.mark.parametrize(("name", "shown"), [("Vera", True), ("vera", False)])
def test_a_name_is_no_less_one_of_this_memory_for_being_named_often(
    ws: Workspace, name: str, shown: bool
) -> None:
    notes = {f"memory/n{at}.md": f"Vera counts crate {at}.\n" for at in range(220)}
    put(ws, {**notes, "memory/mare.md": "Vera keeps a Percheron horse.\n"})
    assert bool(search.search(ws, f"what does {name} saddle").results) == shown
