"""Material of a reflection from what was said."""

from __future__ import annotations

from materials import make_material

from molt.formats import episodes
from molt.formats.episodes import Episode
from molt.formats.reflections.plan import Operation
from molt.memory.reflect.evidence import evidence
from molt.memory.reflect.material.material import ReflectionMaterial
from molt.memory.reflect.operations import apply
from molt.memory.reflect.operations.applied import ReflectionStamp
from molt.memory.reflect.rules.consolidate import consolidate
from molt.trees import Overlay, Tree

CORE = "# MEMORY.md\n\n## Identity\n\n## Active Context\n\n## Persona\n\n## Critical Facts\n"
DATE = "2026-02-02"


def render_day(*said: str, date: str = DATE) -> str:
    """An episode log with an entry for each text, from nine o'clock on, one a minute."""
    every = tuple(Episode(date, f"09:{at:02}", "fact", text=text) for at, text in enumerate(said))
    return episodes.render(date, every)


def make_told(*said: str, core: str = CORE, **files: str) -> ReflectionMaterial:
    """The material of a workspace that has these episodes alone, and entities by their stems."""
    notes = {f"memory/graph/entities/{stem}.md": text for stem, text in files.items()}
    alex = "memory/graph/entities/person--alex.md"
    made = make_material(
        {f"memory/episodes/{DATE}.md": render_day(*said), "MEMORY.md": core, **notes}
    )
    if "person--alex" in files:
        return made
    kept = {stem: one for stem, one in made.entities.items() if stem != "person--alex"}
    known = {name: one for name, one in made.memories.items() if name != "entity:person--alex"}
    tree = Overlay(made.tree, {alex: None})
    return made.replace(entities=kept, memories=known, tree=tree)


def propose(*said: str, **files: str) -> tuple[Operation, ...]:
    """What rules propose for what was said; every operation must pass the check of evidence."""
    material = make_told(*said, **files)
    found = consolidate(material)
    checked = evidence.check_operations(material, found, plain=True)
    assert [why for _, why in checked.dropped] == []
    assert list(checked.kept) == list(found)
    return found


def list_labels(operations: tuple[Operation, ...]) -> list[str]:
    """The entities that operations make or extend, in order."""
    return [one.text("entity") for one in operations if one.op == "upsert-entity"]


def list_bullets(operations: tuple[Operation, ...]) -> list[str]:
    """The bullets that operations add to core memory."""
    return [row["text"] for one in operations for row in one.rows("add")]


def apply_found(material: ReflectionMaterial) -> Tree:
    """The tree after everything that rules propose."""
    done = apply.apply_all(
        material.tree, consolidate(material), ReflectionStamp("r-001", "2026-02-03")
    )
    assert not done.dropped
    return done.tree
