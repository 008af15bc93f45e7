"""What memories do not bear out reaches no draft; what they do is kept."""

from __future__ import annotations

import pytest
from materials import IDS, make_material

from molt.formats.reflections.plan import Operation
from molt.memory.reflect.evidence import evidence

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
        ("insight", {"text": "loves dark coffee", "thread": "How Bob decides"}),
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
