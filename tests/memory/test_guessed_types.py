"""A type that is only guessed does not make a second entity."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from molt.memory.engines import names
from molt.memory.write import stores
from molt.memory.write.route import Route
from molt.trees import DictTree

NOW = datetime(2026, 2, 3, tzinfo=UTC)
NOTE = "---\nid: {0}\ntype: {1}\nlabel: Katja\n---\n# Katja\n\n## Facts\n- lives in Kiel\n"


def place(route: Route, *stems: str) -> str:
    files = {
        f"memory/graph/entities/{stem}.md": NOTE.format(stem, stem.partition("--")[0]).encode()
        for stem in stems
    }
    return stores.place_text(DictTree(files), route, NOW).id


def guess(entity: str, *, guessed: bool = True) -> Route:
    return Route("semantic", "likes sailing", entity=entity, guessed=guessed)


def test_what_is_guessed_to_be_a_concept_is_the_person_of_that_name() -> None:
    assert place(guess("concept:Katja"), "person--katja") == "entity:person--katja"


def test_a_person_is_the_concept_of_that_name_whose_type_nobody_knew() -> None:
    flag = guess("person:Katja", guessed=False)
    assert place(flag, "concept--katja") == "entity:concept--katja"
    assert place(flag, "tool--katja") == "entity:person--katja"


@pytest.mark.parametrize(
    ("route", "stems"),
    [
        (guess("concept:Katja", guessed=False), ("person--katja",)),
        (guess("concept:Katja"), ("person--katja", "tool--katja")),
        (guess("concept:Katja"), ()),
    ],
    ids=["a flag says so", "two are called so", "nobody is"],
)
def test_what_is_said_or_not_plain_stays_as_it_is(route: Route, stems: tuple[str, ...]) -> None:
    assert place(route, *stems) == "entity:concept--katja"


def test_names_are_looked_for_at_the_beginning_of_a_long_text() -> None:
    long = "We met Zed in Oslo. " + "then we saw Kax and. " * 2_000 + "then we saw Vela."
    found = names.find_names(long, (), names.GraphWords(("person", "concept"), ()))
    said = {one.label for one in found.entities}
    assert ("Oslo" in said, "Vela" in said) == (True, False)
