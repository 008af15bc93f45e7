"""Material of a reflection from a few texts."""

from __future__ import annotations

from molt.config import DEFAULT
from molt.formats import bullets, entity, episodes, origin
from molt.formats.prose import notes as formats_notes
from molt.formats.reflections import histories
from molt.memory.decay.formula import Standing
from molt.memory.reflect.material.material import KnownMemory, ReflectionMaterial
from molt.memory.reflect.material.notebook import Notebook, NoteWindow
from molt.trees import DictTree

CORE = """# MEMORY.md

## Identity
- The user is Alex Chen

## Active Context
- Writing the storage layer

## Persona
- Answer briefly
"""
ALEX = """---
id: person--alex
type: person
label: Alex
aliases: [Lex]
created: 2026-01-01
updated: 2026-01-01
---
# Alex

## Facts
- lives in Berlin
"""
DAY = """# 2026-02-02

## 09:00 | decision | high | tags:[auth] | source: user-explicit
We chose PKCE instead of the implicit flow for the mobile app; Dana will review it.

## 10:30 | fact | high | source: user-explicit
I moved to Lisbon last Friday with my two kids and pay 1,450 euros of rent.

## 11:00 | preference | high | source: user-explicit
I love dark roast coffee, but I don't drink milk.

## 12:00 | event | medium | source: user-explicit
我昨天和王小明去上海出差，住了三天酒店，花了2300元。
"""
FILES = {
    "MEMORY.md": CORE,
    "memory/graph/entities/person--alex.md": ALEX,
    "memory/episodes/2026-02-02.md": DAY,
}
IDS = tuple(f"episode:2026-02-02:{time}" for time in ("09:00", "10:30", "11:00", "12:00"))


def make_material(files: dict[str, str] | None = None, **changes: object) -> ReflectionMaterial:
    """The material of a workspace with these files, as it is read on 2026-02-03."""
    files = FILES | (files or {})
    fresh = tuple(
        one
        for path, text in sorted(files.items())
        if path.startswith("memory/episodes/")
        for one in episodes.parse(text, path[-13:-3])
    )
    notes = {
        path.rpartition("/")[2].removesuffix(".md"): text
        for path, text in files.items()
        if "/entities/" in path
    }
    texts = {one.id: one.text for one in fresh}
    texts |= {one.id: one.text for one in bullets.core_bullets(files["MEMORY.md"])}
    texts |= {f"entity:{stem}": text for stem, text in notes.items()}
    outside = {one.id: origin.read_entry_class(one) for one in fresh}
    standing = Standing(0.7, "active")
    tree = DictTree({path: text.encode() for path, text in files.items()})
    dated = sorted(path for path in files if "/" in path and formats_notes.find_date(path))
    pieces = tuple(
        one
        for path in dated
        if not path.startswith("memory/episodes/")
        for one in formats_notes.parse_pieces(path, files[path])
    )
    made = ReflectionMaterial(
        base="0" * 40,
        tree=tree,
        config=DEFAULT,
        day="2026-02-03",
        now=1_770_076_800.0,
        core=files["MEMORY.md"],
        fresh=fresh,
        entities={stem: entity.parse_entity(text, stem) for stem, text in notes.items()},
        procedures={},
        memories={
            one: KnownMemory(one, text, standing, outside=outside.get(one, ""))
            for one, text in texts.items()
        },
        proposals=(),
        log=(),
        evolution=histories.Evolution(),
        records=(),
        relations=frozenset({"uses", "prefers"}),
        notes=NoteWindow(pieces),
        notebook=Notebook(tree),
    )
    return made.replace(**changes)
