"""What puts a fact right strikes it through, and nothing else does."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from molt.formats import paths
from molt.formats.prose import claims
from molt.memory.checks import verify
from molt.memory.write import answers, remember
from molt.memory.write import route as routing

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


def test_a_fact_that_says_what_it_is_not_supersedes_that(molt) -> None:
    tell(molt, "the owner is Bob, not Ada", entity="project:Molt")
    after = read(molt)
    assert "- ~~owner: Ada~~ (until 2026-02-03; now: the owner is Bob)" in after
    assert "\n- the owner is Bob\n" in after


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
