"""What was forgotten does not come back by itself, and what has a last day ends with it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import errors
from molt.cli import main
from molt.formats import merge, paths
from molt.formats.meta import tombstones
from molt.memory import inventory, workspace
from molt.memory.answers import context, get
from molt.memory.forget import forget, matches, restore
from molt.memory.forget.matches import Wanted
from molt.memory.search import at as past
from molt.memory.search import search
from molt.memory.search.search import SearchOptions
from molt.memory.search.visible import Sight
from molt.memory.write import remember
from molt.memory.write import route as routing

NOW = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
SECRET = "My locker code is 4711."


def say(ws, text: str, actor: str = "bot:main", **flags):
    mine = workspace.find(ws.repo.root, actor)
    return remember.remember_text(mine, routing.route_text(text, **flags), NOW)


@pytest.fixture
def buried(ws):
    """A workspace in which something was said, and forgotten."""
    say(ws, SECRET, store="episodic")
    mine = workspace.find(ws.repo.root, "manual")
    forget.forget_matches(mine, Wanted("locker code"), NOW, forget.ForgetOptions())
    return ws


def stones(ws) -> tuple[tombstones.Tombstone, ...]:
    return tombstones.parse_tombstones(Path(ws.repo.root, paths.TOMBSTONES).read_text("utf-8"))


@pytest.mark.parametrize(
    "text", ["the LOCKER code: 4711", "Ada says my locker code is 4711, I think", SECRET]
)
def test_a_bot_does_not_learn_it_again(buried, text: str) -> None:
    before = buried.repo.tip()
    with pytest.raises(errors.NeedsAnswer, match="forgotten on 2026-02-03"):
        say(buried, text)
    assert buried.repo.tip() == before


@pytest.mark.parametrize("text", ["the locker is blue", "the code is 9", "a locker, code 4712"])
def test_what_says_something_else_is_remembered(buried, text: str) -> None:
    assert say(buried, text).oid


def test_a_person_who_remembers_it_brings_it_back_for_all(buried) -> None:
    assert say(buried, SECRET, "manual").oid
    assert stones(buried) == ()
    assert say(buried, "the locker code is 4711, still").oid


def test_an_import_leaves_it_out(buried, tmp_path) -> None:
    rows = [("a", SECRET), ("b", "the pool is warm")]
    source = tmp_path / "talk.jsonl"
    source.write_text(
        "".join(json.dumps({"id": n, "text": t, "date": "2026-01-05"}) + "\n" for n, t in rows)
    )
    assert main(["import", str(source), "--workspace", buried.repo.root]) == 0
    text = Path(buried.repo.root, "memory/episodes/2026-01-05.md").read_text("utf-8")
    assert ("pool" in text, "4711" in text) == (True, False)


def test_why_says_that_it_was_forgotten(buried, capsys) -> None:
    assert main(["why", "locker code 4711", "--workspace", buried.repo.root]) == 0
    assert "forgotten" in capsys.readouterr().out


def test_a_forgotten_entity_takes_nothing_new_in(ws) -> None:
    say(ws, "lives in Porto", entity="person:Bob")
    mine = workspace.find(ws.repo.root, "manual")
    forget.forget_matches(mine, Wanted("entity:person--bob"), NOW, forget.ForgetOptions())
    with pytest.raises(errors.NeedsAnswer, match="was forgotten"):
        say(ws, "called", entity="person:Bob")


def test_a_fact_is_known_without_what_brackets_say_of_it(ws) -> None:
    plain = "keeps the spare key under a pot"
    said = say(ws, plain, entity="person:Bob", origin="web", since="2026-01-01")
    assert f"{plain} (since: 2026-01-01) (origin: web)" in said.made.edits[said.made.path].decode()
    mine = workspace.find(ws.repo.root, "manual")
    done = forget.forget_matches(mine, Wanted("spare pot"), NOW, forget.ForgetOptions())
    assert done.made.values == (plain,)
    with pytest.raises(errors.NeedsAnswer, match="forgotten on"):
        say(ws, f"Bob {plain}")


def test_two_clones_that_forget_both_keep_what_they_forgot() -> None:
    ours, theirs = (
        tombstones.add_tombstones("", [made])
        for made in (
            tombstones.make_tombstone("the locker code is 4711", "2026-02-03", "aa"),
            tombstones.make_tombstone("lives in Porto now", "2026-02-04", "bb"),
        )
        if made
    )
    found = merge.merge(paths.TOMBSTONES, None, ours, theirs).text
    for text in ("locker code 4711", "she lives in Porto now"):
        assert tombstones.find_tombstones(text, tombstones.parse_tombstones(found))
    back = merge.merge(paths.TOMBSTONES, found, ours, found).text
    assert len(tombstones.parse_tombstones(back)) == 1


@given(st.text(max_size=80), st.text(max_size=20))
def test_a_value_is_known_however_it_is_written(text: str, other: str) -> None:
    made = tombstones.make_tombstone(text, "2026-02-03", "ab")
    if made is None:
        assert tombstones.split_words(text) == []
        return
    assert tombstones.parse_line(made.line) == made
    for said in (text, text.upper().lower(), f"  {text}\n"):
        if tombstones.split_words(said) == tombstones.split_words(text):
            assert tombstones.find_tombstones(said, [made])
    if made.within:
        assert tombstones.find_tombstones(f"{other} {text} {other}", [made])


@pytest.mark.parametrize("row", ["", "x", "2026-02-03 ab 9 * " + "0" * 64, "2026-02-03 ab 3 ? 00"])
def test_what_is_no_tombstone_is_none(row: str) -> None:
    assert tombstones.parse_line(row) is None


def test_what_has_a_last_day_is_archived_after_it(ws) -> None:
    memory = say(ws, "the gate is shut for repairs", store="episodic", until="2026-02-10").made.id
    sights = {day: Sight(datetime(2026, 2, day, 12, 0, tzinfo=UTC).timestamp()) for day in (10, 11)}
    found = {
        day: search.search(ws, "gate repairs", SearchOptions(sight=sight))
        for day, sight in sights.items()
    }
    assert [one.id for one in found[10].results] == [memory]
    assert (found[11].results, found[11].hidden) == ((), {"archived": 1})
    told = inventory.find_origins(ws.files(), [memory])[memory]
    assert told.until == datetime(2026, 2, 11, tzinfo=UTC).timestamp()


def test_the_context_leaves_out_what_holds_no_longer(ws) -> None:
    say(ws, "the gate is shut", store="episodic", until="2026-02-03")
    say(ws, "the pool is warm", store="episodic")
    here = context.build_context(ws, datetime(2026, 2, 3, 20, 0, tzinfo=UTC))
    later = context.build_context(ws, datetime(2026, 2, 4, 8, 0, tzinfo=UTC))
    assert ("gate" in here, "gate" in later, "pool" in later) == (True, False, True)


def test_a_procedure_may_have_a_last_day(ws) -> None:
    made = say(ws, "how to open the gate", store="procedural", until="2026-02-10").made
    assert "until: 2026-02-10" in Path(ws.repo.root, made.path).read_text("utf-8")
    (origin,) = inventory.find_origins(ws.files(), [made.id]).values()
    assert origin.until == datetime(2026, 2, 11, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "flags",
    [{"until": "soon"}, {"until": "2026-02-10", "store": "core"}],
    ids=["no date", "core"],
)
def test_what_can_have_no_last_day_is_refused(ws, flags) -> None:
    with pytest.raises(errors.Usage):
        say(ws, "x", **flags)


def test_remember_makes_room_in_core_memory(ws, capsys) -> None:
    at = ("--workspace", ws.repo.root)
    rows = [f"{n} {'harbour gate opens at nine and closes ' * 2}" for n in range(160)]
    main(["core", "set", "Active Context", *rows, *at])
    long = "word " * 500
    args = ["remember", long, "--store", "core", "--block", "Persona", *at]
    assert main(args) == 1
    capsys.readouterr()
    assert main([*args, "--make-room"]) == 0
    assert "moved core:active-context#" in capsys.readouterr().err


@pytest.mark.parametrize("unseen", ["\u200b", "\u00ad", "\u2060", "\u034f", "\ufe0f", "\u200d"])
def test_what_nobody_sees_makes_no_other_word(unseen: str) -> None:
    stone = tombstones.make_tombstone(SECRET, "2026-02-03", "ab")
    assert stone is not None
    hidden = f"my lock{unseen}er code is 47{unseen}11"
    assert tombstones.find_tombstones(hidden, (stone,)) == (stone,)


def test_many_salts_cost_no_more_than_some() -> None:
    made = [
        tombstones.make_tombstone(f"{SECRET} {n}", "2026-02-03", f"{n:04x}") for n in range(300)
    ]
    common = tombstones.make_tombstone(SECRET, "2026-02-03", "ab")
    other = tombstones.make_tombstone("the gate opens at nine", "2026-02-03", "ab")
    known = tombstones.Graveyard(filter(None, (*made, common, other)))
    assert len(known._asked) <= 2 * 64
    assert known.find_said(SECRET) == (common,)


def test_the_past_does_not_say_what_was_forgotten_since(ws) -> None:
    say(ws, "The alarm code is 5512.", store="core")
    say(ws, "the alarm code is 5512", entity="concept:Alarm")
    say(ws, "rings twice", entity="concept:Alarm")
    before = ws.repo.tip()
    mine = workspace.find(ws.repo.root, "manual")

    def ask() -> str:
        moment = past.find_moment(ws.repo, before, None, NOW.timestamp())
        options = SearchOptions(at=moment, sight=Sight(NOW.timestamp()))
        found = search.search(mine, "alarm", options).results
        texts = [one.snippet for one in found]
        for path in ("MEMORY.md", f"{paths.ENTITIES}concept--alarm.md"):
            texts.append(get.get_passage(mine, path, at=moment).text)
        return "\n".join(texts)

    assert "5512" in ask()
    forget.forget_matches(mine, Wanted("5512"), NOW, forget.ForgetOptions())
    after = ask()
    assert "5512" not in after
    assert "rings twice" in after
    kept = b"".join(
        one.read_bytes() for one in Path(ws.repo.molt_dir).rglob("index-at*") if one.is_file()
    )
    assert b"5512" not in kept
    (bullet,) = [one.id for one in restorable(mine, "5512") if one.id.startswith("core:")]
    restore.restore_memories(mine, [bullet], NOW.timestamp())
    assert "5512" in ask()


def restorable(mine, word: str):
    """What a forgetting took out of files, by the tree before it."""
    before = mine.repo.tree(mine.repo.resolve("HEAD~1"))
    return [one for one in matches.list_sayings(before) if word in one.text]


def test_what_a_person_wrote_beside_tombstones_stays() -> None:
    made = [
        tombstones.make_tombstone(text, "2026-02-03", "aa")
        for text in ("the locker code is 4711", "lives in Porto now")
    ]
    first = tombstones.add_tombstones("", [one for one in made[:1] if one])
    text = tombstones.add_tombstones(f"{first}# Ada asked for this\n", [x for x in made[1:] if x])
    assert text.startswith(tombstones.HEAD)
    assert "# Ada asked for this\n" in text
    assert len(tombstones.parse_tombstones(text)) == 2
    assert tombstones.add_tombstones(text, [x for x in made if x]) == text
