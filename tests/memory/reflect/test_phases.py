"""Survey, budget and dates, each by itself."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from materials import FILES, IDS, make_material

from molt.config import DEFAULT
from molt.formats import bullets
from molt.formats.prose import named_days
from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation
from molt.memory.reflect import draft, meta
from molt.memory.reflect.material import survey
from molt.memory.reflect.plans import budget, plans
from molt.memory.reflect.references import References

PKCE, LISBON, COFFEE, _ = IDS


def test_a_survey_ranks_what_new_episodes_speak_of() -> None:
    day = "memory/episodes/2026-02-03.md"
    text = "# 2026-02-03\n\n## 08:00 | correction | high\nLex does not live in Berlin any more\n"
    found = survey.survey_material(make_material(FILES | {day: text}))
    weights = [one.weight for one in found.areas]
    assert weights == sorted(weights, reverse=True)
    about = next(one for one in found.areas if one.title.startswith("Alex"))
    assert about.memories == ("entity:person--alex", "episode:2026-02-03:08:00")
    assert survey.survey_material(make_material({"memory/episodes/2026-02-02.md": ""})).areas == ()


def operation(number: int, size: int = 10) -> Operation:
    return Operation("question", {"text": f"{number} " + "word " * size})


@given(st.lists(st.integers(1, 60), max_size=30), st.integers(50, 800))
def test_a_budget_keeps_the_first_and_is_never_exceeded(sizes: list[int], limit: int) -> None:
    every = [operation(number, size) for number, size in enumerate(sizes)]
    kept, cut = budget.fit_budget(every, limit)
    assert sum(map(budget.count_operation, kept)) <= limit
    assert sorted((*kept, *cut), key=every.index) == every
    fitting = [one for one in every if budget.count_operation(one) <= limit // 2]
    assert list(kept) == fitting[: len(kept)]
    if len(kept) < len(fitting):
        assert sum(map(budget.count_operation, fitting[: len(kept) + 1])) > limit


def test_core_memory_ranks_before_all_and_what_is_huge_goes_by_itself() -> None:
    core = Operation("rewrite-core", {"drop": [{"bullet": "x"}]})
    huge = operation(0, 500)
    kept, cut = budget.fit_budget([operation(1), huge, operation(2), core], 400)
    assert kept == (operation(1), operation(2), core)
    assert cut == (huge,)


@pytest.mark.parametrize(
    ("text", "date", "bears"),
    [
        ("last Friday", "2026-01-30", True),
        ("last Friday", "2026-01-29", False),
        ("yesterday", "2026-02-01", True),
        ("tomorrow", "Feb 3", True),
        ("tomorrow", "Feb 4", False),
        ("last year", "2025", True),
        ("last year", "2024", False),
        ("last month", "January 2026", True),
        ("last month", "March 2026", False),
        ("three weeks ago", "2026-01-12", True),
        ("three weeks ago", "2026-01-25", False),
        ("in 2 days", "4 February 2026", True),
        ("on March 3rd", "2026-03-03", True),
        ("on March 3rd", "2026-03-04", False),
        ("2019-05-06", "May 6, 2019", True),
        ("昨天", "2026年2月1日", True),
        ("下周三", "2月11日", True),
        ("去年", "2025年", True),
        ("nothing", "2026-02-02", True),
        ("nothing", "2026-02-01", False),
    ],
)
def test_a_day_follows_from_when_something_was_said(text: str, date: str, bears: bool) -> None:
    days = named_days.KnownDays()
    days.add_text(text, "2026-02-02")
    (found,) = named_days.read_dates(date)
    assert days.bears(found) is bears


@given(st.text(alphabet="0123456789-/. 年月日MayJune天前ago last,", max_size=60))
def test_no_text_breaks_the_reader_of_dates(text: str) -> None:
    days = named_days.KnownDays()
    days.add_text(text, "0001-01-01")
    days.add_text(text, "9999-12-31")
    for one in named_days.read_dates(text):
        assert isinstance(days.bears(one), bool)


@given(st.text(alphabet='{}[]":,operations opadd-fact\\\n', max_size=200))
def test_no_text_breaks_the_reader_of_plans(text: str) -> None:
    read = plans.read_plan('{"operations": [' + text)
    assert all(one.op in plan.KINDS for one in read.operations)


@pytest.mark.parametrize(
    "name",
    [LISBON, f"[{LISBON}]", LISBON[8:], "2026-02-02 10:30", "2026-02-02T10:30:00",
     "memory/episodes/2026-02-02.md#10:30", f"`{LISBON}`", f"source: {LISBON}"],
)  # fmt: skip
def test_an_id_is_found_in_any_form(name: str) -> None:
    assert References(make_material()).resolve_id(name) == LISBON


@pytest.mark.parametrize(
    "name", ["person--alex", "entity:person--alex", "Alex", "[[person--alex]]"]
)
def test_an_entity_is_found_by_any_name(name: str) -> None:
    assert References(make_material()).resolve_id(name) == "entity:person--alex"


def test_a_bullet_as_it_stands_in_its_file_means_itself() -> None:
    said = f"Likes the sea in May (source: {LISBON})"
    material = make_material({"MEMORY.md": f"# MEMORY.md\n\n## Identity\n- {said}\n"})
    (bullet,) = bullets.core_bullets(material.core)
    find = References(material).resolve_id
    assert [find(said), find(f"- {said}")] == [bullet.id, bullet.id]


def test_what_names_no_memory_stays_as_it_is() -> None:
    find = References(make_material()).resolve_id
    assert find("episode:2026-02-02:23:59") == "episode:2026-02-02:23:59"
    assert find("") == ""


@pytest.mark.parametrize("kind", ["web", "tool", "sub-agent", "import", ""])
def test_a_bullet_of_somebody_else_s_words_says_so(kind: str) -> None:
    mark = f" | origin:{kind}" if kind else ""
    day = f"# 2026-02-02\n\n## 09:00 | fact | medium{mark}\nAnn plans a trip to Norway.\n"
    material = make_material({"memory/episodes/2026-02-02.md": day})
    said = "Ann plans a trip to Norway"
    row = {"block": "Active Context", "text": said, "evidence": [PKCE]}
    one = Operation("rewrite-core", {"add": [row]})
    made = draft.make_draft(material, meta.review_past(material), (one,), "host")
    (kept,) = [each["text"] for each in made.operations[0].rows("add")]
    # What a person brings in may be their own words; the summary says that it is an import.
    outside = kind not in ("", "import")
    assert kept == said + (f" (origin: {kind})" if outside else "")


def test_who_speaks_without_a_name_is_the_user() -> None:
    core = "# MEMORY.md\n\n## Identity\n\n## Active Context\n"
    day = "# 2026-02-02\n\n## 11:00 | preference | high\nI love dark roast coffee.\n"
    material = make_material({"memory/episodes/2026-02-02.md": day, "MEMORY.md": core})
    fact = Operation(
        "add-fact", {"entity": "person:user", "fact": "loves dark roast coffee"}, (COFFEE,)
    )
    bullet = {"block": "Identity", "text": "The user loves dark roast coffee", "evidence": [COFFEE]}
    every = (fact, Operation("rewrite-core", {"add": [bullet]}))
    made = draft.make_draft(material, meta.Guidance(), every, "host")
    assert [one.op for one in made.operations] == ["add-fact", "rewrite-core"]
    assert made.operations[0].text("fact") == "loves dark roast coffee"
    assert made.operations[1].rows("add")[0]["text"] == bullet["text"]


def test_a_draft_writes_nothing_that_json_cannot_hold() -> None:
    material = make_material()
    made = draft.make_draft(material, meta.review_past(material), (), "host")
    assert made.operations == ()
    json.dumps(made.fields)


def test_of_a_rewrite_over_the_cap_the_last_bullets_are_left_out() -> None:
    said = [f"Note {number} of the {'long ' * 90}list" for number in range(12)]
    rows = [f"\n## 10:{at:02} | fact | high\n{text}\n" for at, text in enumerate(said)]
    day = {"memory/episodes/2026-02-02.md": "# 2026-02-02\n" + "".join(rows)}
    material = make_material(day, config=DEFAULT.replace(core_cap=600))
    add = [
        {"block": "Active Context", "text": text, "evidence": [f"episode:2026-02-02:10:{at:02}"]}
        for at, text in enumerate(said)
    ]
    one = Operation("rewrite-core", {"add": add, "drop": [{"bullet": "Writing the storage layer"}]})
    made = draft.make_draft(material, meta.review_past(material), (one,), "host")
    first, *kept = made.operations
    assert first.rows("drop")
    assert 0 < len(kept) < 12
    assert [one.rows("add")[0]["text"] for one in kept] == said[: len(kept)]
    assert len(made.dropped) == 12 - len(kept)
    assert all("over its cap" in why for _, why in made.dropped)


def test_what_is_for_some_alone_is_not_told_to_others() -> None:
    day = "memory/episodes/2026-02-03.md"
    said = "# 2026-02-03\n\n## 08:00 | fact | high | scope:private\nAlex looks for a new job\n"
    material = make_material(FILES | {day: said})
    (of,) = ("episode:2026-02-03:08:00",)
    fact = {"entity": "person--alex", "fact": "looks for a new job"}
    core = {"add": [{"block": "Active Context", "text": "Alex looks for a new job"}]}
    every = (
        Operation("add-fact", fact, (of,)),
        Operation("insight", {"text": "Alex looks for a new job"}, (of,)),
        Operation("rewrite-core", core, (of,)),
    )
    made = draft.make_draft(material, meta.review_past(material), every, "host")
    # Core memory is its owner's alone, as this is.
    assert [one.op for one in made.operations] == ["rewrite-core"]
    assert {why for _, why in made.dropped} == {"its evidence is for private alone"}
    shared = material.replace(config=DEFAULT.replace(scope_core="family"))
    assert draft.make_draft(shared, meta.Guidance(), every, "host").operations == ()
