"""What memories do not bear out reaches no draft; what they do is kept."""

from __future__ import annotations

import pytest
from materials import IDS, make_material

from molt.formats.reflections.plan import Operation
from molt.memory.reflect.evidence import claims, evidence

PKCE, LISBON, COFFEE, SHANGHAI = IDS


def judge(op: str, of: tuple[str, ...], **args: object) -> evidence.Checked:
    return evidence.check_operations(make_material(), [Operation(op, args, of)])


@pytest.mark.parametrize(
    ("fact", "of"),
    [
        ("moved to Lisbon on 2026-01-30", LISBON),
        ("lives in Lisbon with two children", LISBON),
        ("Alex has 2 kids", LISBON),
        ("pays 1450 euros of rent in Lisbon since January 2026", LISBON),
        ("prefers dark roasted coffee", COFFEE),
        ("does not drink milk", COFFEE),
        ("chose PKCE for the mobile app", PKCE),
        ("去上海出差住了三天", SHANGHAI),
        ("2026年2月1日和王小明去上海出差", SHANGHAI),
        ("在上海住酒店花了2300元", SHANGHAI),
    ],
)
def test_what_the_evidence_says_is_kept(fact: str, of: str) -> None:
    found = judge("add-fact", (of,), entity="person--alex", fact=fact)
    assert found.dropped == ()
    assert found.kept


@pytest.mark.parametrize(
    ("fact", "of"),
    [
        ("moved to Madrid last Friday", LISBON),
        ("moved to Lisbon on 2026-01-12", LISBON),
        ("moved to Lisbon in 2019", LISBON),
        ("moved to Lisbon with three kids", LISBON),
        ("moved to Lisbon with Maria", LISBON),
        ("pays 1,500 euros of rent", LISBON),
        ("hates dark roast coffee in the morning hours of work", COFFEE),
        ("does not like Lisbon rent", LISBON),
        ("won a chess tournament", COFFEE),
        ("uses OAuth2 for the mobile app", PKCE),
        ("Danae will review the implicit flow of the mobile app", PKCE),
        ("We chose PKCE2 for the mobile app", PKCE),
        ("和李雷去上海出差", SHANGHAI),
        ("去上海出差住了五天", SHANGHAI),
        ("喜欢在北京爬长城看日出", SHANGHAI),
        ("moved to Lisbon", "episode:2026-02-02:23:59"),
    ],
)
def test_what_it_does_not_say_is_dropped_with_the_reason(fact: str, of: str) -> None:
    found = judge("add-fact", (of,), entity="person--alex", fact=fact)
    assert [one for one in found.kept if one.text("fact") == fact] == []
    assert found.dropped[0][1]


@pytest.mark.parametrize(
    ("fact", "of"),
    [
        pytest.param("drinks milk with dark roast coffee", COFFEE, id="a denial lost"),
        pytest.param("always loves dark roast coffee", COFFEE, id="more often than it says"),
        pytest.param("likes a dark roast best of all", COFFEE, id="in other words"),
        pytest.param("每次都去上海出差住酒店", SHANGHAI, id="each time"),
    ],
)
def test_what_it_says_otherwise_is_told_in_its_own_words(fact: str, of: str) -> None:
    found = judge("add-fact", (of,), entity="person--alex", fact=fact)
    assert found.dropped[0][1].startswith("quoted instead: ")
    (kept,) = found.kept
    assert kept.text("fact") in make_material().memories[of].text
    assert kept.evidence == (of,)


@pytest.mark.parametrize(
    "fact",
    ["pays 2,000 euros of rent in Lisbon", "moved to Lisbon with Maria", "moved to Lisbon in 2019"],
)
def test_a_number_or_name_of_its_own_is_not_even_quoted(fact: str) -> None:
    found = judge("add-fact", (LISBON,), entity="person--alex", fact=fact)
    assert found.kept == ()
    assert "the evidence does not say" in found.dropped[0][1]


def test_of_an_operation_the_part_that_holds_is_kept() -> None:
    facts = ["lives in Lisbon", "earns 90,000 euros"]
    found = judge("upsert-entity", (LISBON,), entity="person:Alex", facts=facts)
    assert found.kept[0].texts("facts") == ("lives in Lisbon",)
    assert found.dropped[0][0].texts("facts") == ("earns 90,000 euros",)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("person:Dana", True),
        ("person:Dana Scully", False),
        ("tool:PKCE", True),
        ("place:Rome", False),
    ],
)
def test_a_new_entity_is_one_that_the_evidence_names(name: str, kept: bool) -> None:
    assert bool(judge("upsert-entity", (PKCE,), entity=name).kept) is kept


def test_changes_of_core_memory_are_judged_one_by_one() -> None:
    good = {"block": "Active Context", "text": "Lives in Lisbon", "evidence": [LISBON]}
    bad = {"block": "Active Context", "text": "Lives in Oslo", "evidence": [LISBON]}
    found = judge("rewrite-core", (), add=[good, bad], drop=[{"bullet": "nothing like it"}])
    assert found.kept[0].args == {"add": [good]}
    assert len(found.dropped) == 2


def test_a_question_may_not_tell_what_nobody_said() -> None:
    assert judge("question", (), text="Should I pin the choice of PKCE?").kept
    assert not judge("question", (), text="Are you still seeing Bob Dylan?").kept


def test_a_tag_is_in_use_or_in_the_evidence() -> None:
    tags = ["auth", "mobile", "won-the-lottery"]
    found = judge("upsert-entity", (PKCE,), entity="tool:PKCE", tags=tags)
    assert found.kept[0].texts("tags") == ("auth", "mobile")


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("upsert-procedure", {"title": "Coffee for Bob", "steps": ["dark roast coffee"]}),
        ("upsert-procedure", {"title": "Coffee", "steps": ["dark roast coffee", "add salt"]}),
        ("insight", {"text": "Bob plays jazz"}),
        ("contradiction", {"first": "loves dark roast coffee", "second": "hates all tea"}),
        ("archive", {"memory": "episode:2026-02-02:23:59"}),
        ("reinforce", {"memories": ["entity:person--bob"]}),
        ("accept-proposal", {"proposal": "9"}),
        ("merge-entities", {"into": "entity:person--alex", "other": "entity:person--bob"}),
        ("supersede-fact", {"entity": "person--alex", "fact": "lives in Rome"}),
        ("add-relation", {"from": "person--alex", "relation": "uses", "to": "tool--emacs"}),
    ],
)
def test_what_nobody_said_is_dropped_from_each_kind(op: str, args: dict[str, object]) -> None:
    found = judge(op, (COFFEE,), **args)
    assert found.kept == ()
    assert found.dropped[0][1]


TALK = """# 2026-03-01

## 09:00 | event | high | speaker:Ann
Ann: I use Redis for the ledger, and Halcyon runs on Postgres.

## 09:10 | event | high | speaker:Ann
Ann: I don't surf, but a good book helps me feel free. We never use Kafka.

## 09:20 | event | high | speaker:Bo
Bo: Thanks, Ann! Do you like Redis? I won a book in the trivia contest with Cleo.

## 09:30 | event | high | speaker:Bo
Bo: The Minnesota Wolves! I can't wait to play with them.

## 09:40 | event | high | speaker:Bo
Bo: We went to the trivia contest, and a stranger took the prize home.

## 09:50 | event | high
我用的是小米12。王婷婷是我的下属。
"""
SPOKEN = make_material(
    {"memory/episodes/2026-03-01.md": TALK}, relations=frozenset({"uses", "avoids", "relates-to"})
)


def say(op: str, at: str, **args: object) -> evidence.Checked:
    """What is left of an operation on a minute of the talk, whose entities are made before it."""
    of = (f"episode:2026-03-01:{at}",)
    made = [Operation("upsert-entity", {"entity": args[end]}, of) for end in ("from", "to")
            if end in args]  # fmt: skip
    found = evidence.check_operations(SPOKEN, [*made, Operation(op, args, of)])
    return found.replace(kept=tuple(one for one in found.kept if one.op == op))


def relate(first: str, word: str, last: str, at: str) -> tuple[str, ...]:
    found = say("add-relation", at, **{"from": first, "relation": word, "to": last})
    assert found.dropped or [one.text("relation") for one in found.kept] == [word]
    return tuple(one.text("relation") for one in found.kept)


@pytest.mark.parametrize(
    ("first", "word", "last", "at", "kept"),
    [
        pytest.param("person:Ann", "uses", "tool:Redis", "09:00", "uses", id="said"),
        pytest.param("person:用户", "uses", "tool:小米12", "09:50", "uses", id="said-in-chinese"),
        pytest.param("project:Halcyon", "uses", "tool:Postgres", "09:00", "uses", id="other-words"),
        pytest.param("person:Ann", "uses", "tool:Postgres", "09:00", "relates-to", id="another's"),
        pytest.param("tool:Redis", "uses", "person:Ann", "09:00", "relates-to", id="turned"),
        pytest.param("person:Ann", "avoids", "tool:Redis", "09:00", "relates-to", id="contrary"),
        pytest.param("person:Ann", "uses", "tool:Kafka", "09:10", "", id="denied"),
        pytest.param("person:Bo", "uses", "tool:Redis", "09:20", "", id="asked"),
        pytest.param("person:Bo", "relates-to", "person:Cleo", "09:20", "relates-to", id="loose"),
        pytest.param("person:Ann", "relates-to", "person:Cleo", "09:20", "", id="apart"),
        pytest.param("person:王婷婷", "uses", "tool:小米12", "09:50", "", id="apart-in-chinese"),
        pytest.param("person:Bo", "relates-to", "organization:Wolves", "09:30", "relates-to",
                     id="two-sentences"),
    ],
)  # fmt: skip
def test_a_relation_is_one_that_a_sentence_says(
    first: str, word: str, last: str, at: str, kept: str
) -> None:
    assert relate(first, word, last, at) == ((kept,) if kept else ())


def test_a_relation_that_nothing_looser_stands_for_is_dropped() -> None:
    strict = SPOKEN.replace(relations=frozenset({"avoids"}))
    of = ("episode:2026-03-01:09:00",)
    made = [
        Operation("upsert-entity", {"entity": name}, of) for name in ("person:Ann", "tool:Redis")
    ]
    wrong = Operation("add-relation", {"from": "person:Ann", "relation": "avoids",
                                       "to": "tool:Redis"}, of)  # fmt: skip
    assert wrong not in evidence.check_operations(strict, [*made, wrong]).kept


@pytest.mark.parametrize(
    ("insight", "told"),
    [
        ("a good book helps Ann feel free", "a good book helps Ann feel free"),
        ("Ann relaxes by reading a good book", "a good book helps me feel free"),
        ("Ann is losing interest in the ledger and the team", ""),
    ],
)
def test_an_insight_is_what_a_sentence_says(insight: str, told: str) -> None:
    found = say("insight", "09:10", text=insight)
    assert [one.text("text") for one in found.kept if told not in one.text("text")] == []
    assert bool(found.kept) is bool(told)


def test_a_step_that_is_put_otherwise_is_quoted() -> None:
    steps = ["use Redis for the ledger", "Put Halcyon on Postgres"]
    (kept,) = say("upsert-procedure", "09:00", title="The ledger", steps=steps).kept
    assert kept.texts("steps")[0] == steps[0]
    assert kept.texts("steps")[1] != steps[1]


def test_a_title_lends_no_words_to_the_steps() -> None:
    lent = {"title": "Ledger in Cobol", "steps": ["Ledger in Cobol"]}
    assert not say("upsert-procedure", "09:00", **lent).kept
    assert not say("upsert-procedure", "09:00", title="Bake bread", steps=["use Redis"]).kept


@pytest.mark.parametrize(
    ("who", "fact", "at"),
    [
        ("person:Ann", "surfs to feel free", "09:10"),
        ("person:Bo", "won the trivia contest", "09:40"),
    ],
)
def test_free_denies_nothing_and_to_win_is_a_verb(who: str, fact: str, at: str) -> None:
    found = say("add-fact", at, entity=who, fact=fact)
    assert fact not in [one.text("fact") for one in found.kept]


def test_what_is_free_of_something_is_denied_it() -> None:
    assert claims.denies("the cake is dairy-free")
    assert not claims.denies("feels free")
