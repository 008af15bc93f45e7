"""A MEMORY.md over its cap gives what weighs least to the graph."""

from __future__ import annotations

import pytest
from materials import make_material

from molt import trees
from molt.config import DEFAULT
from molt.formats import bullets
from molt.formats.reflections.summary import render_summary
from molt.memory.reflect import draft, meta
from molt.memory.reflect.draft import Draft
from molt.memory.reflect.operations import apply as applying
from molt.memory.reflect.operations.applied import ReflectionStamp
from molt.memory.reflect.questions import loss
from molt.memory.reflect.rules import consolidate
from molt.trees import Tree

LINE = "- The {} of the harbour were counted on {} by two people from the club\n"
WORDS = ("gulls", "masts", "ropes", "sails", "tides", "boats", "lamps", "crabs")
CORE = (
    "# MEMORY.md\n\n## Identity\n- Mara keeps the harbour\n\n## Tide Work\n"
    + "".join(LINE.format(word, "2026-01-20") for word in WORDS)
    + "\n## Update History\n"
    + "".join(LINE.format(word, "2026-02-01") for word in WORDS[:4])
    + "\n## Critical Facts\n- Never sail at night\n"
)


def reflect(core: str, cap: int) -> Draft:
    config = DEFAULT.replace(core_cap=cap)
    quiet = {"memory/episodes/2026-02-02.md": "# 2026-02-02\n", "MEMORY.md": core}
    found = make_material(quiet, config=config)
    operations = consolidate.consolidate(found)
    return draft.make_draft(found, meta.review_past(found), operations, "rules")


def apply(made: Draft) -> Tree:
    found = made.material
    stamp = ReflectionStamp("r-001", found.day, found.config)
    return applying.apply_all(found.tree, made.operations, stamp).tree


@pytest.mark.parametrize("cap", [280, 200, 150])
def test_what_weighs_least_becomes_facts_and_nothing_is_lost(cap: int) -> None:
    made = reflect(CORE, cap)
    after = apply(made)
    assert loss.measure_losses(made.material.tree, after) == ()
    before = len(bullets.core_bullets(CORE))
    assert len(bullets.core_bullets(trees.read_text(after, "MEMORY.md"))) < before


def test_what_tells_of_the_past_goes_first_and_who_is_who_stays() -> None:
    rows = [one for one in reflect(CORE, 280).operations if one.op == "rewrite-core"]
    into = {row["into"] for one in rows for row in one.rows("drop")}
    assert into == {"concept:Update History"}
    left = trees.read_text(apply(reflect(CORE, 50)), "MEMORY.md")
    assert [one.text for one in bullets.core_bullets(left)] == [
        "Mara keeps the harbour",
        "Never sail at night",
    ]


@pytest.mark.parametrize("block", ["Identity", "Persona", "Critical Facts"])
def test_what_says_who_is_who_stays_whole(block: str) -> None:
    rows = "".join(LINE.format(word, "2026-01-20") for word in WORDS)
    core = f"# MEMORY.md\n\n## {block}\n{rows}"
    assert [one.op for one in reflect(core, 50).operations] == []


def test_without_an_entity_what_it_takes_in_stays_and_the_rest_goes() -> None:
    made = reflect(CORE, 150)
    entities = [one for one in made.operations if one.op == "upsert-entity"]
    core = next(one for one in made.operations if one.op == "rewrite-core")
    tree = made.material.tree
    stamp = ReflectionStamp("r-001", made.material.day, made.material.config)
    assert len(entities) > 1
    after = trees.read_text(
        applying.apply_all(tree, (*entities[1:], core), stamp).tree, "MEMORY.md"
    )
    kept = {row["bullet"] for row in core.rows("drop") if row["into"] == entities[0].text("entity")}
    there = {one.id for one in bullets.core_bullets(after)}
    assert kept
    assert kept <= there
    assert not there & {row["bullet"] for row in core.rows("drop")} - kept
    none = applying.apply_all(tree, (core,), stamp)
    assert trees.read_text(none.tree, "MEMORY.md") == CORE


def test_within_its_cap_it_stays() -> None:
    assert reflect(CORE, 3000).operations == ()


def test_a_secret_is_neither_moved_nor_shown() -> None:
    key = "sk-proj-" + "Zx81kQ0vTn4LmW7yRb2Jc9Hd5Fg3Se6Ua0Po8Iq4Kd"
    made = reflect(CORE.replace("- The gulls", f"- The API key is {key}\n- The gulls"), 50)
    assert made.operations
    assert key not in render_summary(made.summary)
    assert f"The API key is {key}" in trees.read_text(apply(made), "MEMORY.md")
