"""What puts a fact right strikes it through, and nothing else does."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from molt.formats import bullets, entity, facts, ids, paths
from molt.formats.prose import claims
from molt.memory import workspace
from molt.memory.checks import verify
from molt.memory.graph import graph, resolve
from molt.memory.why import lineage
from molt.memory.write import answers, core, remember
from molt.memory.write import route as routing
from molt.repo.history import revisions

NOW = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
MOLT = f"{paths.ENTITIES}project--molt.md"


def tell(ws, text: str, **flags):
    """A text as `molt remember` takes it, by rules."""
    route = answers.choose_route(ws, text, answers.Asked(), **flags)
    return remember.remember_text(ws, route, NOW)


@pytest.fixture
def molt(ws):
    for fact in ("owner: Ada", "port: 8080", "负责人是张三"):
        remember.remember_text(ws, routing.route_text(fact, entity="project:Molt"), NOW)
    return ws


def test_a_correction_takes_the_relation_with_the_fact_that_told_it(molt) -> None:
    for label in ("person:Ada", "person:Bob"):
        remember.remember_text(molt, routing.route_text("likes rye", entity=label), NOW)
    edge = routing.route_text(
        "team: two", entity="project:Molt", relations=("Molt relates-to Ada",)
    )
    remember.remember_text(molt, edge, NOW)
    assert "[[person--ada]]" in read(molt)
    tell(molt, "Actually, the owner of Molt is Bob.", type="correction")
    assert "[[person--ada]]" not in read(molt)


def read(ws) -> str:
    return Path(ws.repo.root, MOLT).read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("Actually, the owner of Molt is Bob.", "owner: Ada", "the owner of Molt is Bob"),
        ("No, the owner of Molt is Bob, not Ada.", "owner: Ada", "the owner of Molt is Bob"),
        ("Correction: Molt's port is 9090, not 8080", "port: 8080", "Molt's port is 9090"),
        ("其实Molt的负责人是李四", "负责人是张三", "Molt的负责人是李四"),
    ],
)
def test_a_correction_supersedes_the_fact_that_it_is_about(molt, text, old, new) -> None:
    done = tell(molt, text, type="correction")
    assert done.made.id.startswith("episode:")
    after = read(molt)
    assert f"- ~~{old}~~ (until 2026-02-03; now: {new}" in after
    assert f"\n- {new} (source: {done.made.id})" in after
    assert "entity:project--molt" in done.made.related
    assert verify.verify_commits(molt.repo).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "Actually, the owner of Quux is Bob",
        "Actually, the colour of Molt is red",
        "No, the owner of Molt is Bob, not Carol",
        "Actually, it is Bob, not Ada",
        "The owner of Molt is Ada",
    ],
)
def test_what_is_about_something_else_supersedes_nothing(molt, text: str) -> None:
    before = read(molt)
    tell(molt, text, type="correction")
    assert read(molt) == before


def test_where_several_facts_may_be_meant_all_stay_and_it_says_so(molt) -> None:
    remember.remember_text(
        molt, routing.route_text("the owner of Molt is Carol", entity="project:Molt"), NOW
    )
    before = read(molt)
    done = tell(molt, "Actually, the owner of Molt is Bob.", type="correction")
    assert read(molt) == before
    assert done.made.taken.startswith("this may put right several facts, which stay: ")


@pytest.mark.parametrize(
    "text",
    [
        "the owner of Molt is not Ada but Bob",
        "the owner of Molt is Bob rather than Ada",
        "the owner of Molt is Bob, not Ada",
    ],
)
def test_a_correction_is_known_by_the_contrast_in_it(molt, text: str) -> None:
    tell(molt, text, entity="project:Molt")
    assert "- ~~owner: Ada~~" in read(molt)


def test_what_is_no_correction_supersedes_nothing(molt) -> None:
    before = read(molt)
    tell(molt, "Bob said the owner of Molt is Bob", type="event")
    assert read(molt) == before


@pytest.mark.parametrize(
    ("said", "right", "name"),
    [
        ("My brother is called Tom", "no, my brother is called Tim", "Tim"),
        ("My brother's name is Tom", "My brother's name is Tim, not Tom", "Tim"),
        ("我弟弟叫Tom", "不对，我弟弟叫Tim", "Tim"),
    ],
)
def test_a_name_takes_the_place_of_the_one_that_somebody_was_given(ws, said, right, name) -> None:
    tell(ws, "My sister is called Ada")
    path = Path(ws.repo.root, tell(ws, said).made.path)
    tell(ws, right)
    one = entity.parse_entity(path.read_text("utf-8"), path.stem)
    assert [facts.holds(fact) for fact in one.facts] == [False, True]
    assert one.aliases == (name,)
    known = graph.load(ws.repo.tree("HEAD"))
    assert resolve.resolve_entity(known, name) == path.stem
    sister = Path(ws.repo.root, paths.ENTITIES, "person--ada.md").read_text("utf-8")
    assert "- My sister is called Ada" in sister


def test_of_two_brothers_none_is_taken_for_the_other(ws) -> None:
    for name in ("Tom", "Max"):
        tell(ws, f"My brother is called {name}")
    done = tell(ws, "no, my brother is called Tim")
    assert "this may put right several facts, which stay" in done.made.taken


def test_a_fact_that_says_what_it_is_not_supersedes_that(molt) -> None:
    tell(molt, "the owner is Bob, not Ada", entity="project:Molt")
    after = read(molt)
    assert "- ~~owner: Ada~~ (until 2026-02-03; now: the owner is Bob)" in after
    assert "\n- the owner is Bob\n" in after


@pytest.fixture
def told(ws):
    """A workspace with core memory."""
    for block, line in (
        ("Critical Facts", "User's sister is called Anna"),
        ("Identity", "The user lives in Oslo"),
    ):
        core.edit_core(ws, core.add_bullet(block, line), NOW, core.CoreOptions())
    ws.repo.run("tag", "told")
    return ws


def read_core(ws) -> list[tuple[str, str]]:
    text = Path(ws.repo.root, paths.CORE).read_text("utf-8")
    return [(one.block, one.text) for one in bullets.core_bullets(text)]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("no, my sister's name is Ann, not Anna", "sister is called Anna", "sister is called Ann"),
        ("my sister's name is Ann, not Anna", "sister is called Anna", "sister is called Ann"),
        ("I moved from Oslo to Bergen", "lives in Oslo", "lives in Bergen"),
        ("I live in Bergen now", "lives in Oslo", "lives in Bergen"),
    ],
)
def test_a_correction_takes_the_place_of_the_line_of_core_memory(told, text, old, new) -> None:
    before = read_core(told)
    done = tell(told, text)
    after = [(block, line.replace(old, new)) for block, line in before]
    assert read_core(told) == after
    assert told.repo.run("rev-list", "--count", "told..HEAD").strip() == "1"
    judged = verify.judge_range(told.repo, revisions.resolve_range(told.repo, ["told..HEAD"]))
    assert judged.errors == ()
    assert "no longer says" in done.made.taken


def test_a_correction_names_the_old_line_and_the_new_one(told) -> None:
    done = tell(told, "no, my sister's name is Ann, not Anna")
    old, new = (
        ids.bullet("Critical Facts", f"User's sister is called {n}") for n in ("Anna", "Ann")
    )
    assert done.made.id.startswith("episode:")
    assert f"Memory-Id: {new}\nMemory-Id: {old}\n" in done.message
    chapters = lineage.tell_story(workspace.find(told.repo.root, "manual"), old)
    assert chapters[-1].line.commit == done.oid


def test_of_what_is_so_now_the_line_is_the_memory(told) -> None:
    done = tell(told, "I live in Bergen now")
    assert done.made.id == ids.bullet("Identity", "The user lives in Bergen")
    assert done.made.path == paths.CORE


def test_a_line_that_says_so_already_stays_alone(told) -> None:
    asked = core.add_bullet("Identity", "The user lives in Bergen")
    core.edit_core(told, asked, NOW, core.CoreOptions())
    tell(told, "I moved from Oslo to Bergen")
    assert [line for block, line in read_core(told) if block == "Identity"] == [
        "The user lives in Bergen"
    ]


def test_where_several_lines_may_be_meant_all_stay(told) -> None:
    asked = core.add_bullet("Persona", "My sister is called Berta")
    core.edit_core(told, asked, NOW, core.CoreOptions())
    before = read_core(told)
    done = tell(told, "Actually, my sister is called Carla")
    assert read_core(told) == before
    assert "may put right several lines" in done.made.taken


def test_a_line_that_may_not_hold_any_more_stays_and_is_named(told) -> None:
    asked = core.set_block("The user lives in Oslo", ["User lives in Rome, near the river"])
    core.edit_core(told, asked, NOW, core.CoreOptions())
    before = read_core(told)
    done = tell(told, "I moved from Rome to Oslo")
    assert before == [one for one in read_core(told) if one in before]
    assert "User lives in Rome, near the river" in done.made.taken


@pytest.mark.parametrize("flags", [{"scope": "private"}, {"source": "web"}])
def test_what_is_for_some_or_from_outside_changes_no_core_memory(told, flags) -> None:
    before = read_core(told)
    route = answers.choose_route(
        told, "I moved from Oslo to Bergen", answers.Asked(source=flags.pop("source", "")), **flags
    )
    remember.remember_text(told, route, NOW)
    assert read_core(told) == before


def test_what_came_from_outside_puts_nothing_right(molt) -> None:
    before = read(molt)
    route = routing.route_text("Actually, the owner of Molt is Eve", type="correction")
    remember.remember_text(molt, route.replace(origin="web"), NOW)
    assert read(molt) == before


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("No, it is 8 not 9", ("it is 8 not 9", "")),
        ("the port is 80, not 81.", ("the port is 80", "81")),
        ("the owner is not Ada but Bob", ("the owner is Bob", "Ada")),
        ("负责人不是张三，而是李四", ("负责人是李四", "张三")),
        ("其实，截止日期是周五", ("截止日期是周五", "")),
        ("we ship on Friday", None),
        ("nobody knows", None),
    ],
)
def test_a_correction_is_taken_apart(text: str, found) -> None:
    made = claims.read_correction(text)
    assert (made and (made.statement, made.denied)) == found


def test_what_an_engine_would_add_to_core_memory_is_put_right_there(told) -> None:
    route = routing.route_text("I moved from Oslo to Bergen")
    done = remember.remember_text(told, route.replace(core_update=True, block="Identity"), NOW)
    assert ("Identity", "The user lives in Bergen") in read_core(told)
    named = [one for one in done.made.related if one.startswith("core:")]
    lines = [ids.bullet("Identity", f"The user lives in {place}") for place in ("Bergen", "Oslo")]
    assert named == lines
