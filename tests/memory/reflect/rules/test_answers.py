"""What a person answered is carried out, and not asked again."""

from __future__ import annotations

import pytest
from told import DATE, make_told

from molt.formats.episodes import Episode
from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation
from molt.formats.reflections.record import ReflectionRecord
from molt.memory.decay.formula import Standing
from molt.memory.reflect.evidence import evidence
from molt.memory.reflect.material.material import KnownMemory, ReflectionMaterial
from molt.memory.reflect.rules.consolidate import consolidate

NOTE = (
    "---\nid: {stem}\ntype: {kind}\nlabel: {label}\n---\n# {label}\n\n## Facts\n- lives in Oslo\n"
)
PLACE, ANN = "place--clairville", "person--ann"
SAME = Operation(
    "question",
    {"text": "Is Clairvile the same place as Clairville?", "about": "Clairville"},
    (f"episode:{DATE}:09:00",),
    n=1,
)
HOMES = Operation(
    "contradiction",
    {"first": "lives in Oslo", "second": "Ann: I live in Turin", "about": "Ann"},
    (f"entity:{ANN}", f"episode:{DATE}:09:00"),
    n=1,
)


def note(stem: str, label: str) -> str:
    return NOTE.format(stem=stem, kind=stem.partition("--")[0], label=label)


def answer(asked: Operation, said: str) -> ReflectionMaterial:
    """Material in which one question was asked, and has been answered."""
    material = make_told(
        "It rained all day.", **{PLACE: note(PLACE, "Clairville"), ANN: note(ANN, "Ann")}
    )
    text = f"{plan.describe_operation(asked)} {said}"
    entry = Episode(DATE, "18:00", "fact", fields=(("answers", "r-001#1"),), text=text)
    known = KnownMemory(entry.id, text, Standing(0.8, "active"))
    record = ReflectionRecord("r-001", "approved", items=(plan.to_item(asked),))
    return material.replace(
        fresh=(entry,), records=(record,), memories={**material.memories, entry.id: known}
    )


def find(asked: Operation, said: str) -> list[tuple[str, dict[str, object]]]:
    return [(one.op, one.args) for one in consolidate(answer(asked, said))]


@pytest.mark.parametrize("said", ["Yes.", "yes, it is misspelt", "对，是同一个地方"])
def test_yes_makes_another_name(said: str) -> None:
    assert find(SAME, said) == [("upsert-entity", {"entity": PLACE, "aliases": ["Clairvile"]})]


def test_no_makes_another_entity() -> None:
    assert find(SAME, "No, it is near Dijon") == [("upsert-entity", {"entity": "place:Clairvile"})]


@pytest.mark.parametrize("said", ["I have no idea what you mean, yes", "Maybe", "Ask Tomas"])
def test_an_answer_that_says_neither_changes_little(said: str) -> None:
    assert ("upsert-entity", {"entity": PLACE, "aliases": ["Clairvile"]}) not in find(SAME, said)


def test_what_holds_now_takes_the_place_of_what_was() -> None:
    args = {"entity": ANN, "fact": "lives in Oslo", "by": "Ann: I live in Turin"}
    assert find(HOMES, "It is Turin") == [("supersede-fact", args)]


@pytest.mark.parametrize("said", ["Oslo is right", "I do not know"])
def test_what_was_right_stays(said: str) -> None:
    assert find(HOMES, said) == []


def test_an_answer_bears_out_what_follows_from_it() -> None:
    for asked, said in ((SAME, "Yes"), (HOMES, "It is Turin")):
        material = answer(asked, said)
        assert not evidence.check_operations(material, consolidate(material)).dropped


def test_what_was_asked_is_not_asked_again() -> None:
    said = "We are travelling to Clairvile for a week."
    files = {PLACE: note(PLACE, "Clairville")}
    material = make_told(said, **files)
    assert [one.op for one in consolidate(material)] == ["question"]
    (asked,) = consolidate(material)
    record = ReflectionRecord("r-001", "approved", items=(plan.to_item(asked.replace(n=1)),))
    assert consolidate(material.replace(records=(record,))) == ()
