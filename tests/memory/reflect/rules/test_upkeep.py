"""The faded goes, what is spoken of again stays, doubles become one, steps become procedures."""

from __future__ import annotations

import pytest
from told import DATE, make_told, propose

from molt.formats.meta.proposals import Proposal
from molt.formats.reflections.plan import Operation
from molt.memory.decay.formula import Standing
from molt.memory.reflect.evidence import evidence
from molt.memory.reflect.material.material import KnownMemory, ReflectionMaterial
from molt.memory.reflect.rules import procedures
from molt.memory.reflect.rules.consolidate import MOST, consolidate

STEPS = "To release the app:\n1. run all tests\n2. bump the version\n3. push the tag"
NOTE = "---\nid: {stem}\ntype: {kind}\nlabel: {label}\n---\n# {label}\n"


def with_old(
    material: ReflectionMaterial, text: str, status: str, score: float
) -> ReflectionMaterial:
    """The material with one more episode, of another year."""
    one = KnownMemory("episode:2025-01-01:09:00", text, Standing(score, status))
    return material.replace(memories={**material.memories, one.id: one})


def list_kinds(material: ReflectionMaterial) -> list[str]:
    return [one.op for one in consolidate(material)]


def note(stem: str, label: str) -> str:
    return NOTE.format(stem=stem, kind=stem.partition("--")[0], label=label)


@pytest.mark.parametrize(
    ("text", "status", "pinned"),
    [
        ("Ann: I'm allergic to peanuts.", "dormant", True),
        ("Ann: My son is severely allergic to bees.", "active", True),
        ("我女儿对花生过敏。", "active", True),
        ("Ann: I'm allergic to peanuts.", "archived", False),
        ("Ann: Are you allergic to peanuts?", "active", False),
        ("Ann: I am not allergic to anything.", "active", False),
        ("Assistant: Many people are allergic to peanuts.", "active", False),
        ("Ann: I am a nurse.", "active", False),
    ],
)
def test_what_health_hangs_on_is_pinned(text: str, status: str, pinned: bool) -> None:
    material = with_old(make_told("It rained all day."), text, status, 0.3)
    found = [one for one in consolidate(material) if one.op == "pin"]
    assert [one.text("memory") for one in found] == ["episode:2025-01-01:09:00"] * pinned


def test_a_night_pins_two_memories() -> None:
    found = propose(*(f"Ann: I'm allergic to {what}." for what in ("nuts", "bees", "latex")))
    assert len([one for one in found if one.op == "pin"]) == 2


@pytest.mark.parametrize(
    ("text", "status", "score", "gone"),
    [
        pytest.param("Ann: Thanks a lot!", "dormant", 0.1, True, id="small talk that fades"),
        pytest.param("Ann: I am a nurse.", "dormant", 0.1, False, id="a fact that fades"),
        pytest.param("Ann: I am a nurse.", "archived", 0.01, True, id="a fact that has faded"),
        pytest.param("Ann: I am a nurse.", "archived", 0.0, False, id="archived already"),
        pytest.param("Ann: Thanks a lot!", "active", 0.9, False, id="small talk of today"),
    ],
)
def test_what_has_faded_is_archived(text: str, status: str, score: float, gone: bool) -> None:
    material = with_old(make_told("It rained all day."), text, status, score)
    assert ("archive" in list_kinds(material)) is gone


def test_what_is_pinned_is_never_archived() -> None:
    material = make_told("It rained all day.")
    one = KnownMemory("episode:2025-01-01:09:00", "Bye!", Standing(0.01, "archived"), pinned=True)
    assert "archive" not in list_kinds(material.replace(memories={one.id: one}))


def test_an_entity_that_is_spoken_of_again_is_reinforced() -> None:
    material = make_told(
        "I met my friend Priya.", **{"person--priya": note("person--priya", "Priya")}
    )
    faded = material.memories["entity:person--priya"].replace(standing=Standing(0.1, "dormant"))
    found = consolidate(material.replace(memories={**material.memories, faded.id: faded}))
    (one,) = [one for one in found if one.op == "reinforce"]
    assert one.texts("memories") == ("entity:person--priya",)
    assert one.evidence == (f"episode:{DATE}:09:00",)


def test_entities_with_nearly_the_same_name_become_one() -> None:
    doubles = {
        "event--spring-concert": note("event--spring-concert", "spring concert"),
        "event--spring-concerts": note("event--spring-concerts", "spring concerts"),
    }
    found = propose("I went to the spring concert.", **doubles)
    (one,) = [one for one in found if one.op == "merge-entities"]
    assert {one.text("into"), one.text("other")} == set(doubles)


def test_steps_that_are_told_twice_are_a_procedure() -> None:
    again = STEPS.replace("run all tests", "run all the tests")
    (one,) = [one for one in propose(STEPS, again) if one.op == "upsert-procedure"]
    assert one.text("title") == "release the app"
    assert one.texts("steps") == ("run all the tests", "bump the version", "push the tag")
    assert len(one.evidence) == 2


def test_steps_that_are_told_once_are_none() -> None:
    assert "upsert-procedure" not in [one.op for one in propose(STEPS)]
    other = "To bake bread:\n1. knead the dough\n2. wait an hour\n3. bake it"
    assert "upsert-procedure" not in [one.op for one in propose(STEPS, other)]


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Deploy: 1. build 2. test 3. push", ("build", "test", "push")),
        ("How to brew:\n- boil water\n- add leaves", ("boil water", "add leaves")),
        ("发布流程：1、跑测试；2、打标签；3、推送", ("跑测试", "打标签", "推送")),
        ("Ann: We have 2. I like 3.", ()),
        ("assistant: To brew: 1. boil water 2. add leaves", ()),
        ("1. build 2. test", ()),
    ],
)
def test_steps_are_read_from_numbers_and_bullets(text: str, steps: tuple[str, ...]) -> None:
    found = procedures.read_steps(text, "episode:2026-02-02:10:00")
    assert (found.steps if found else ()) == steps


@pytest.mark.parametrize(
    ("changes", "accepted"),
    [
        ({}, True),
        ({"confidence": "medium"}, False),
        ({"flag": "⚠️ CONFLICT with #2"}, False),
        ({"content": "Thanks a lot!"}, False),
    ],
)
def test_a_proposal_that_its_agent_is_sure_of_is_accepted(
    changes: dict[str, str], accepted: bool
) -> None:
    one = Proposal(
        "scout", "The budget of Halcyon is 4000 euros", confidence="high", id="p-1", number=1
    )
    material = make_told("It rained all day.").replace(proposals=(one.replace(**changes),))
    assert ("accept-proposal" in list_kinds(material)) is accepted


def test_of_two_proposals_that_contradict_each_other_the_second_waits() -> None:
    first = Proposal("scout", "The budget of Halcyon is 4000 euros", confidence="high", id="p-1")
    second = first.replace(content="The budget of Halcyon is 9000 euros", id="p-2")
    found = consolidate(make_told("It rained.").replace(proposals=(first, second)))
    assert [one.text("proposal") for one in found] == ["p-1"]


def test_a_night_has_no_more_operations_than_one_reads() -> None:
    names = [f"{first}{last}" for first in ("Ba", "Do", "Ke", "Lu", "Mi", "So") for last in
             ("ran", "lin", "mas", "vik", "tor", "nel", "dax", "bert", "gar", "win")]  # fmt: skip
    told = make_told(*(f"I met my friend {name} at noon." for name in names))
    found = consolidate(told)
    assert len(found) == MOST
    assert not evidence.check_operations(told, found).dropped
    assert consolidate(make_told("It rained all day.")) == ()


def test_operations_are_told_heaviest_first() -> None:
    found: tuple[Operation, ...] = propose(
        "Ann: I live in Turin.", "Ann: I met my friend Priya.",
        **{"person--ann": note("person--ann", "Ann") + "\n## Facts\n- lives in Oslo\n"},
    )  # fmt: skip
    assert found[0].op == "contradiction"
