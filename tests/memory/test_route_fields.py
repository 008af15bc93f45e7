"""What is read of a model's answer, whatever it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import ids
from molt.memory.engines import schema
from molt.memory.engines.names import GraphWords
from molt.memory.engines.verdict import RouteAnswer
from molt.untrusted import model_answer

WORDS = GraphWords(
    ("person", "project", "concept", "tool", "place", "organization"),
    ("depends-on", "relates-to", "uses"),
)
KEYS = st.sampled_from(
    (*("store", "type", "block", "entities", "relations", "tags", "confidence", "coreUpdate"),
     *("summary", "steps", "name", "from", "relation", "to", "route", "memory", "entity"))
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    | st.sampled_from(("core", "semantic", "Persona", "high", "tool:Git", "person--ada", "uses")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


def read(text: str) -> RouteAnswer:
    found = schema.read_answer(model_answer.parse_answer(text), "host", WORDS)
    assert found is not None
    return found


@given(VALUES)
def test_any_value_is_read_or_is_none(value: object) -> None:
    found = schema.read_answer(value, "host", WORDS)
    if found is not None:
        assert found.store in ("", "core", "semantic", "episodic", "procedural", "vault", "none")
        labels = [one.label for one in found.entities]
        assert all(edge.subject in labels and edge.object in labels for edge in found.edges)


@pytest.mark.parametrize(
    ("answer", "store"),
    [
        ('{"Store": "Core"}', "core"),
        ('{"store": "episode"}', "episodic"),
        ('{"store": "semantic memory"}', "semantic"),
        ('{"store": ["procedural", "core"]}', "procedural"),
        ('{"memory_store": "vault"}', "vault"),
        ('{"classification": {"store": "semantic"}, "tags": ["a"]}', "semantic"),
        ('{"answer": "{\\"store\\": \\"core\\"}"}', "core"),
        ('[{"summary": "a"}, {"store": "core"}]', "core"),
    ],
)
def test_a_store_is_found_in_what_it_is_wrapped_in(answer: str, store: str) -> None:
    assert read(answer).store == store


@pytest.mark.parametrize(
    ("entities", "labels", "types"),
    [
        ('["Lumen", "tool:Git"]', ["Lumen", "Git"], ["concept", "tool"]),
        ('"Lumen, Git"', ["Lumen", "Git"], ["concept", "concept"]),
        ('{"Lumen": "project", "Ada": "user"}', ["Lumen", "Ada"], ["project", "person"]),
        ('[["Lumen", "project"]]', ["Lumen"], ["project"]),
        ('[{"label": "Velmora", "kind": "company"}]', ["Velmora"], ["organization"]),
        ('["person--ada-berg", "entity:tool--git"]', ["ada berg", "git"], ["person", "tool"]),
        ('[{"name": "Lumen (project)", "type": "project"}]', ["Lumen"], ["project"]),
        ('[{"name": "[[x]]"}, {"name": "..."}, 7, null, {}]', [], []),
    ],
)
def test_entities_are_read_in_many_forms(
    entities: str, labels: list[str], types: list[str]
) -> None:
    found = read(f'{{"store": "semantic", "entities": {entities}}}').entities
    assert [one.label for one in found] == labels
    assert [one.type for one in found] == types


@pytest.mark.parametrize(
    ("relation", "edge"),
    [
        ('{"from": "Lumen", "relation": "uses", "to": "Git"}', ("Lumen", "uses", "Git", "")),
        ('{"subject": "Lumen", "predicate": "dependsOn", "object": "Git"}',
         ("Lumen", "depends-on", "Git", "")),
        ('["Lumen", "is hosted on", "Git"]', ("Lumen", "relates-to", "Git", "is-hosted-on")),
        ('"Lumen depends on Git"', ("Lumen", "depends-on", "Git", "")),
        ('{"from": "project--lumen", "type": "uses", "to": {"name": "Git"}}',
         ("Lumen", "uses", "Git", "")),
    ],
)  # fmt: skip
def test_relations_are_read_in_many_forms(relation: str, edge: tuple[str, ...]) -> None:
    entities = '[{"name": "Lumen", "type": "project"}]'
    found = read(f'{{"store": "semantic", "entities": {entities}, "relations": [{relation}]}}')
    (one,) = found.edges
    assert (one.subject, one.word, one.object, one.said) == edge
    assert [named.label for named in found.entities] == ["Lumen", "Git"]


@pytest.mark.parametrize(
    ("value", "word"),
    [("0.92", "high"), ("0.6", "medium"), ("20", "low"), ('"85%"', "high"), ('"High"', "high"),
     ('{"level": "low"}', "low"), ('"total"', ""), ("true", ""), ("-1", "")],
)  # fmt: skip
def test_a_confidence_is_a_word_or_a_number(value: str, word: str) -> None:
    assert read(f'{{"store": "core", "confidence": {value}}}').confidence == word


def test_steps_lose_their_numbers_and_what_is_around_them() -> None:
    found = read('{"store": "procedural", "steps": [{"n": 1, "do": "1. test"}, "2) ship"]}')
    assert found.steps == ("test", "ship")
    assert read('{"store": "procedural", "steps": "1. test\\n2. ship"}').steps == ("test", "ship")


@pytest.mark.parametrize("text", ["**Store**: core\n**Block**: Persona", "store: core\nx"])
def test_an_answer_in_words_is_read_line_by_line(text: str) -> None:
    found = schema.read_answer(schema.read_rows(text), "host", WORDS)
    assert found is not None
    assert found.store == "core"


@pytest.mark.parametrize("count", [200, 800])
def test_the_work_grows_with_an_answer_and_not_with_its_square(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    slug = ids.slug

    def count_call(text: str) -> str:
        calls.append(text)
        return slug(text)

    monkeypatch.setattr(ids, "slug", count_call)
    rows = [{"from": f"a{at}", "relation": "uses", "to": f"b{at}"} for at in range(count)]
    found = read(json.dumps({"store": "core", "relations": rows}))
    assert (found.store, found.edges[0].subject) == ("core", "a0")
    assert len(calls) < 40 * count
