"""Sets of claims over the memories of a small workspace, and what the check makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from materials import make_material

from molt.formats import entity, episodes
from molt.formats.episodes import Episode
from molt.formats.reflections.plan import EvidenceQuote, Operation
from molt.memory.reflect import draft
from molt.memory.reflect.material.material import ReflectionMaterial
from molt.memory.reflect.meta import Guidance

TOKEN, KEY = "ghp_" + "Zk8LqW3nTxV5bRj7YcFdM2aHs9UeGp1N4oQi", "AKIA" + "Q7XZ4PLM2NBV6TRC"
"""What `{token}` and `{key}` stand for in a set: no file is to hold what looks like a secret."""
KINDS: dict[str, tuple[str, str]] = {
    "fact": ("add-fact", "fact"),
    "core": ("rewrite-core", "text"),
    "insight": ("insight", "text"),
    "step": ("upsert-procedure", "steps"),
    "summary": ("upsert-entity", "summary"),
    "question": ("question", "text"),
    "reason": ("add-fact", "reason"),
}
"""The operation of each kind of claim, and the field in which it stands."""


def load(path: Path) -> dict[str, Any]:
    """Return a set of claims."""
    text = path.read_text("utf-8").replace("{token}", TOKEN).replace("{key}", KEY)
    data: dict[str, Any] = yaml.safe_load(text)
    return data


def make_ground(data: dict[str, Any]) -> tuple[ReflectionMaterial, dict[str, str]]:
    """Return the material of a set, and the ids of its memories by their keys."""
    files = {"MEMORY.md": data["core"]}
    for stem, one in data["entities"].items():
        made = entity.Entity(
            stem,
            stem.partition("--")[0],
            one["label"],
            tuple(one["aliases"]),
            facts=tuple(one["facts"]),
        )
        files[f"memory/graph/entities/{stem}.md"] = entity.render_entity(made)
    days: dict[str, list[Episode]] = {}
    named: dict[str, str] = {}
    for key, one in data["memories"].items():
        day, time = one["at"].split()
        entry = Episode(day, time, one["type"], tags=tuple(one["tags"]), text=one["text"])
        days.setdefault(day, []).append(entry)
        named[key] = f"episode:{day}:{time}"
    for day, every in days.items():
        files[f"memory/episodes/{day}.md"] = episodes.render(day, tuple(every))
    return make_material(files), named


def make_operation(row: dict[str, Any], named: dict[str, str], said: str) -> Operation:
    """Return the operation of a claim; `said` is what its evidence says."""
    op, field = KINDS[row["as"]]
    text, of = row["text"], row.get("of", "project--billing")
    args: dict[str, Any] = {field: text}
    if op == "add-fact":
        args = {"entity": of, "fact": text if field == "fact" else said}
    elif op == "upsert-entity":
        args = {"entity": of, "summary": text}
    elif op == "rewrite-core":
        args = {"add": [{"block": "Active Context", "text": text}]}
    elif op == "upsert-procedure":
        args = {"title": "Routine", "steps": [text]}
    memories = tuple(named.get(key, key) for key in row["from"])
    given = tuple(EvidenceQuote(memory, row["quote"]) for memory in memories if "quote" in row)
    return Operation(op, args, memories, text if field == "reason" else "", quotes=given)


def judge(data: dict[str, Any], row: dict[str, Any]) -> tuple[bool, str]:
    """Return whether a claim comes out of the check as written, and why something does not."""
    material, named = make_ground(data)
    said = next((data["memories"][key]["text"] for key in row["from"] if key in named), "")
    one = make_operation(row, named, said)
    made = draft.make_draft(material, Guidance(), [one], "host")
    found = [text for kept in made.operations for text in (*list_texts(kept.args), kept.reason)]
    return row["text"] in found, "; ".join(why for _, why in made.dropped)


def list_texts(value: object) -> list[str]:
    """Return all texts in a value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    every = value if isinstance(value, list | tuple) else ()
    return [text for one in every for text in list_texts(one)]
