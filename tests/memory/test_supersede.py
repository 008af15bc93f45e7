"""A memory is superseded by name, in every store, and never by likeness."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from molt import errors
from molt.formats import bullets, facts, ids, paths
from molt.memory import workspace
from molt.memory.answers import context
from molt.memory.checks import verify
from molt.memory.forget import forget
from molt.memory.forget.matches import Wanted
from molt.memory.recall import recall
from molt.memory.search import search
from molt.memory.search.visible import Sight
from molt.memory.why import trace
from molt.memory.write import answers, remember
from molt.memory.write.stores import Placed
from molt.repo.history import revisions

NOW = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
SIGHT = search.SearchOptions(sight=Sight(NOW.timestamp()))
LATER = datetime(2026, 2, 3, 11, 0, tzinfo=UTC)

PAIRS = (
    ("Invoice 7310 was settled by Nordfisk", "Invoice 7311 was not settled by Nordfisk"),
    ("Server osprey runs on port 7070", "Server heron no longer runs on port 7070"),
    ("Ida has moved to the Leeds office", "Olu has moved to the Cork office"),
    ("Flight QX12 leaves at 08:15", "Flight QX14 now leaves at 09:40"),
    ("Room B is booked on Tuesday", "Room C is not booked on Tuesday, but on Thursday"),
    ("Kundin Albers zahlt per Rechnung", "Kundin Brandt zahlt nicht mehr per Rechnung"),
    ("Der Zug nach Bremen fährt um neun", "Der Zug nach Lübeck fährt jetzt um elf"),
    ("Lager Ost ist seit Mai geschlossen", "Lager West ist nicht geschlossen, sondern offen"),
    ("小周的火车是七点", "小吴的火车改到八点"),
    ("订单三零一已经发货", "订单三零二取消了，不再发货"),
    ("服务器甲的端口是七千", "服务器乙的端口换成八千了"),
    ("王老师住在苏州", "赵老师搬到杭州了，不再住在苏州"),
)
"""Two things of one shape: what is said of one does not touch the other."""


def tell(ws, text: str, now: datetime = NOW, route: Any = None, **flags: Any) -> Placed:
    asked = answers.Asked(json.dumps(route) if route else "")
    return remember.remember_text(ws, answers.choose_route(ws, text, asked, **flags), now).made


def read(ws, path: str) -> str:
    return Path(ws.repo.root, path).read_text("utf-8")


def read_core(ws) -> list[tuple[str, str]]:
    return [(one.block, one.text) for one in bullets.core_bullets(read(ws, paths.CORE))]


def check(ws) -> None:
    assert verify.verify_commits(ws.repo).findings == ()


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_of_two_things_of_one_shape_none_is_called_superseded(ws, first, second) -> None:
    for store in ("episodic", "core"):
        for text in (first, second):
            tell(ws, text, store=store)
    for text in (first, second):
        found = search.search(ws, text).results
        assert not any(one.corrected for one in found)
        assert text in found[0].snippet
        assert "superseded" not in recall.answer_question(ws, text).context
    shown = context.build_context(ws, LATER)
    assert "superseded" not in shown
    assert "~~" not in shown
    assert {line for _, line in read_core(ws)} == {first, second}
    check(ws)


CORRECTIONS = (
    ("the tram leaves at nine", "episodic", "it leaves at ten now", "episodic"),
    ("the tram leaves at nine", "episodic", "Trams leave at ten", "core"),
    ("the tram leaves at nine", "episodic", "leaves at ten", "semantic"),
    ("the tram leaves at nine", "episodic", "1. wait until ten 2. board", "procedural"),
    ("User lives in Oslo", "core", "User lives in Rome", "core"),
    ("User lives in Oslo", "core", "I moved to Rome in March", "episodic"),
    ("用户住在奥斯陆", "core", "我三月搬到了罗马", "episodic"),
    ("board at nine", "semantic", "board at ten", "semantic"),
    ("1. wait 2. board", "procedural", "1. book 2. board", "procedural"),
    ("der Schlüssel liegt unter der Matte", "vault", "der Schlüssel hängt im Schuppen", "vault"),
)
ENTITY = "tool:Tram"


def place(store: str, *, title: str = "") -> dict[str, Any]:
    more: dict[str, dict[str, str]] = {"semantic": {"entity": ENTITY}, "core": {"block": "Persona"}}
    titles = {"title": title} if store in ("procedural", "vault") and title else {}
    return {"store": store, **more.get(store, {}), **titles}


@pytest.mark.parametrize(("text", "store", "fresh", "to"), CORRECTIONS)
def test_what_is_named_is_superseded(agent_ws, text, store, fresh, to) -> None:
    ws = agent_ws
    old = tell(ws, text, **place(store, title="Riding"))
    ref = f"{old.id} {text}" if store == "semantic" else old.id
    new = tell(
        ws, fresh, LATER, supersedes=ref, **(place(to, title="Boarding") if to != store else {})
    )
    assert new.superseded == ref
    story = trace.tell_story(ws, old.id)
    assert (story[-1].superseded, story[-1].by) == (ref, new.id)
    found = search.search(ws, text).results
    first = found[0].snippet
    assert fresh.split("2.")[-1].strip() in first
    for one in found:
        # What stands in the file of its successor is struck out there, or is gone.
        assert one.id == new.id or one.corrected == new.id or text not in one.snippet
    core = read_core(ws)
    if store == "core":
        kept = [line for _, line in core if text in line]
        assert kept == [] if to == "core" else [facts.holds(line) for line in kept] == [False]
    assert (
        verify.judge_range(ws.repo, revisions.resolve_range(ws.repo, ["HEAD~1..HEAD"])).errors == ()
    )


@pytest.fixture
def agent_ws(ws):
    """A workspace in which a person writes."""
    return workspace.find(ws.repo.root, "manual")


def test_an_entry_names_what_it_supersedes_and_the_old_one_stays(ws) -> None:
    old = tell(ws, "the tram leaves at nine", store="episodic")
    before = read(ws, old.path)
    new = tell(ws, "it leaves at ten", LATER, supersedes=old.id, store="episodic")
    after = read(ws, old.path)
    assert after.startswith(before)
    assert f"| supersedes:{old.id}\nit leaves at ten\n" in after
    shown = context.build_context(ws, LATER)
    assert shown.index("it leaves at ten") < shown.index("the tram leaves at nine")
    assert f"| superseded-by:{new.id}\n" in shown
    told = recall.answer_question(ws, "tram leaves").context
    assert told.index("it leaves at ten") < told.index("the tram leaves at nine")
    assert f"(superseded by {new.id})" in told
    check(ws)


def test_a_bullet_that_another_store_supersedes_is_struck_with_date_and_source(ws) -> None:
    tell(ws, "User likes rye", store="core", block="Persona")
    old = tell(ws, "User lives in Oslo", store="core", block="Persona")
    tell(ws, "User hates rain", store="core", block="Persona")
    new = tell(ws, "I moved to Rome", LATER, supersedes=old.id, store="episodic")
    struck = f"~~User lives in Oslo~~ (until 2026-02-03; now: I moved to Rome (source: {new.id}))"
    assert ("Persona", struck) in read_core(ws)
    shown = context.build_context(ws, LATER)
    assert shown.index("User hates rain") < shown.index("~~User lives in Oslo~~")
    check(ws)


def test_a_bullet_gives_its_place_to_the_new_one(ws) -> None:
    for line in ("User likes rye", "User lives in Oslo", "User hates rain"):
        tell(ws, line, store="core", block="Persona")
    old = ids.bullet("Persona", "User lives in Oslo")
    new = tell(ws, "User lives in Rome", LATER, supersedes=old)
    lines = [line for _, line in read_core(ws)]
    assert lines == ["User likes rye", "User lives in Rome", "User hates rain"]
    assert new.id == ids.bullet("Persona", "User lives in Rome")
    tell(ws, "User hates rain", LATER, supersedes=new.id)
    assert [line for _, line in read_core(ws)] == ["User likes rye", "User hates rain"]


def test_a_route_supersedes_as_the_flag_does(ws) -> None:
    old = tell(ws, "User lives in Oslo", store="core", block="Persona")
    tell(ws, "owner: Ada", entity="project:Quay")
    route = {"store": "core", "summary": "User lives in Rome", "supersedes": old.id}
    tell(ws, "I live in Rome now", route=route)
    assert read_core(ws) == [("Persona", "User lives in Rome")]
    quay = {"name": "Quay", "type": "project"}
    fact = {"store": "semantic", "summary": "owner: Bob", "entities": [quay]}
    tell(ws, "Bob owns Quay now", route={**fact, "supersedes": "owner: Ada"})
    assert "- ~~owner: Ada (source: agent)~~ (until 2026-02-03; now: owner: Bob" in read(
        ws, f"{paths.ENTITIES}project--quay.md"
    )


@pytest.mark.parametrize(
    "name", ["episode:2026-01-01:10:00", "owner: Carol", "core:persona#0a0a0a0a"]
)
def test_a_route_that_names_no_memory_is_stored_all_the_same(ws, name: str) -> None:
    route = {"store": "episodic", "summary": "the tram is late", "supersedes": name}
    chosen = answers.choose_route(ws, "the tram is late", answers.Asked(json.dumps(route)))
    assert chosen.supersedes == ""
    assert chosen.note.startswith("nothing is superseded: ")
    assert remember.remember_text(ws, chosen, NOW).oid


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("episode:2026-02-03:09:00:00", errors.NotFound),
        ("core:persona#0a0a0a0a", errors.NotFound),
        ("procedure:nothing", errors.NotFound),
        ("some words", errors.NotFound),
        ("entity:tool--tram", errors.Usage),
        ("entity:tool--tram leaves at six", errors.Usage),
        ("note:2026-03-04#1f2e3d4c", errors.Usage),
    ],
)
def test_what_is_not_there_is_refused_in_words(ws, name: str, error) -> None:
    tell(ws, "leaves at nine", entity=ENTITY)
    with pytest.raises(error) as raised:
        tell(ws, "leaves at ten", supersedes=name)
    assert raised.value.hint


def test_a_memory_is_superseded_once_and_not_by_itself(ws) -> None:
    old = tell(ws, "the tram leaves at nine", store="episodic")
    with pytest.raises(errors.Usage, match="cannot supersede itself"):
        tell(ws, "The tram leaves at nine", LATER, supersedes=old.id)
    new = tell(ws, "it leaves at ten", LATER, supersedes=old.id, store="episodic")
    with pytest.raises(errors.Refused, match=f"superseded by {new.id}"):
        tell(ws, "it leaves at eleven", LATER, supersedes=old.id)
    last = tell(ws, "it leaves at noon", LATER, supersedes=new.id, store="episodic")
    results = search.search(ws, "the tram leaves at nine").results
    assert [one.id for one in results[:3]] == [last.id, new.id, old.id]
    assert [one.corrected for one in results[:3]] == ["", last.id, new.id]


def test_what_was_forgotten_is_not_superseded(agent_ws) -> None:
    ws = agent_ws
    old = tell(ws, "the tram leaves at nine", store="episodic")
    wanted = Wanted("tram leaves at nine")
    forget.forget_matches(ws, wanted, NOW, forget.ForgetOptions())
    with pytest.raises(errors.NotFound, match="was forgotten"):
        tell(ws, "it leaves at ten", LATER, supersedes=old.id)


def test_only_a_person_supersedes_what_is_in_the_vault(ws, agent_ws) -> None:
    old = tell(agent_ws, "the key is under the mat", store="vault", title="Key")
    for flags in ({}, {"store": "episodic"}):
        with pytest.raises(errors.Refused, match="only a person"):
            tell(ws, "the key is in the shed", LATER, supersedes=old.id, **flags)


def test_what_came_from_outside_supersedes_nothing_that_instructs(ws) -> None:
    old = tell(ws, "User lives in Oslo", store="core", block="Persona")
    route = answers.choose_route(
        ws, "User lives in Rome", answers.Asked(source="web"), supersedes=old.id, store="episodic"
    )
    with pytest.raises(errors.Refused, match="web"):
        remember.remember_text(ws, route, NOW)


def test_what_is_for_some_supersedes_nothing_that_is_for_anybody(ws) -> None:
    old = tell(ws, "the tram leaves at nine", store="episodic")
    with pytest.raises(errors.Refused, match="for private"):
        tell(ws, "it leaves at ten", supersedes=old.id, scope="private")


def test_a_file_that_another_store_supersedes_names_its_successor(ws) -> None:
    old = tell(ws, "1. wait 2. board", store="procedural", title="Riding")
    new = tell(ws, "we walk now", LATER, store="episodic", supersedes=old.id)
    assert f'superseded_by: "{new.id}"' in read(ws, old.path)
    with pytest.raises(errors.Refused, match="was superseded by"):
        tell(ws, "1. walk 2. rest", LATER, supersedes=old.id)
    found = search.search(ws, "wait board riding").results
    assert [(one.id, one.corrected) for one in found[:2]] == [(new.id, ""), (old.id, new.id)]
    check(ws)


def test_a_relation_gives_its_place_with_the_fact_that_told_it(ws) -> None:
    for name in ("Acme", "Initech"):
        tell(ws, "is known", entity=f"organization:{name}")
    flags: dict[str, Any] = {"entity": "person:Ada"}
    tell(ws, "is known", **flags)
    for text, end in (("works at Acme", "Acme"), ("knows Acme well", "Acme")):
        word = text.split()[0].replace("works", "works-at")
        tell(ws, text, relations=(f"Ada {word} {end}",), **flags)
    tell(ws, "works at Initech", LATER, supersedes="works at Acme",
         relations=("Ada works-at Initech",), **flags)  # fmt: skip
    text = read(ws, f"{paths.ENTITIES}person--ada.md").partition("## Relations\n")[2]
    assert [row.partition(" (")[0] for row in text.splitlines() if row] == [
        "- knows [[organization--acme]]",
        "- works-at [[organization--initech]]",
    ]


def test_a_successor_that_was_forgotten_marks_nothing(agent_ws) -> None:
    ws = agent_ws
    old = tell(ws, "the tram leaves at nine", store="episodic")
    new = tell(ws, "it departs at ten", LATER, supersedes=old.id, store="episodic")
    forget.forget_matches(ws, Wanted(ids=(new.id,)), LATER, forget.ForgetOptions())
    (found,) = search.search(ws, "the tram leaves at nine", SIGHT).results
    assert (found.id, found.corrected) == (old.id, "")
