"""What a model is given to say where a text belongs."""

from __future__ import annotations

import os

from molt import resources, trees
from molt.formats import entity, facts, ids, paths
from molt.index.search import known as lookup
from molt.memory.engines import names, schema
from molt.memory.engines.verdict import KnownEntity
from molt.memory.graph import graph, resolve
from molt.memory.held import quarantine, withheld
from molt.memory.write import near as near_bullets
from molt.memory.write import summaries
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from molt.memory.engines.names import GraphWords
    from molt.memory.workspace import Workspace

_NEAR, _FACTS = 5, 3
"""Entities that are near a text, and facts of each."""
_SNIPPET = 160


class Brief(Value):
    """What a host's own model needs to say where a text belongs. The schema is for a server that
    binds a model to one: the prompt says all that it does.
    """

    prompt: str
    text: str
    schema: dict[str, Any]


def make_brief(ws: Workspace, text: str, words: GraphWords, today: str = "") -> Brief:
    """Return the prompt that asks where a text belongs, with what this workspace knows near it."""
    with open(resources.find("templates/prompts/route.md"), encoding="utf-8") as file:
        prompt = file.read()
    user = summaries.find_user(ws)
    rows = [
        f"Today: {today}" if today else "",
        f"User: {user}" if user else "",
        f"Types of entities: {', '.join(words.types)}",
        f"Relations: {', '.join(words.relations)}",
        *_list_entities(ws, text, words),
        *_list_bullets(ws, text),
    ]
    known = "\n".join(filter(None, rows))
    return Brief(prompt.replace("{known}", known), text, schema.make_schema(words))


def _list_entities(ws: Workspace, text: str, words: GraphWords) -> Iterator[str]:
    """The entities that a text names, or nearly does, each with its newest facts."""
    path = os.path.join(ws.repo.molt_dir, "index.sqlite")
    found = lookup.look_up(path, text).entities
    held = tuple(KnownEntity(one.label, one.type, one.aliases) for one in found)
    tree = withheld.veil_tree(ws.head(), quarantine.freshen_held(ws.repo), keep_lines=False)
    every = graph.load(tree, ws.repo.cache)
    stems = [one.stem for one in found]
    least = min(ws.config.graph_ask, ws.config.graph_similarity)
    for one in names.find_names(text, held, words).entities:
        score, near = resolve.find_similar(every, one.label, least=least)
        stems += [near] if score >= least else []
    for stem in dict.fromkeys(stems[:_NEAR]):
        one_read = entity.parse_entity(trees.read_text(tree, f"{paths.ENTITIES}{stem}.md"), stem)
        known = [fact for fact in one_read.facts if facts.holds(fact)][-_FACTS:]
        yield f"Known: {one_read.label} (`{ids.entity(stem)}`)"
        yield from (f"- {facts.strip_asides(fact)[:_SNIPPET]}" for fact in known)


def _list_bullets(ws: Workspace, text: str) -> Iterator[str]:
    """What core memory says that is near a text, by its ids."""
    tree = withheld.veil_tree(ws.head(), quarantine.freshen_held(ws.repo), keep_lines=False)
    for one in near_bullets.find_near(trees.read_text(tree, paths.CORE), text):
        yield f"Core memory says (`{one.id}`): {' '.join(one.text.split())[:_SNIPPET]}"
