"""GRAPH, PROC, SCORE: notes and their bookkeeping keep their form."""

from __future__ import annotations

from molt.formats import entity, frontmatter, paths, scores
from molt.policy.engine import Example, Fault, Judged, Rule, files, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_ENTITY = "---\nid: tool--git\ntype: tool\nlabel: Git\n---\n# Git\n\n## Facts\n- fast\n"
_STEPS = "---\nid: ship\ntype: procedure\nlabel: Ship\n---\n# Ship\n\n## Steps\n1. go\n"
_SCORES = paths.SCORES
_STATES = ("active", "fading", "dormant", "archived")


def _entity(judged: Judged) -> Iterator[Fault]:
    for change in files(judged, "entity"):
        content = text(judged.new, change.path)
        stem = change.path.removeprefix(paths.ENTITIES).removesuffix(".md")
        if "/" in stem:
            hint = f"no memory id leads into a folder; move it to {paths.ENTITIES}"
            yield Fault(change.path, 0, "an entity in a folder of its own", hint)
        if frontmatter.split_front_matter(content)[0] is None:
            if change.status == "A" or _had_front(judged, change.path):
                yield Fault(change.path, 1, "no front matter", "start with ---, id, type, label")
            continue
        fields = _front(content)
        if fields is None:
            yield Fault(change.path, 1, "the front matter is not valid YAML", "mend it")
            continue
        name = stem.rpartition("/")[2]
        if str(fields.get("id", "")) != name:
            yield Fault(change.path, 1, f"its id is not its file's name {name!r}", f"id: {name}")
        known = (*entity.ENTITY_TYPES, *judged.config.graph_types)
        if str(fields.get("type", "")) not in known:
            yield Fault(change.path, 1, f"unknown type {fields.get('type')!r}", ", ".join(known))


def _had_front(judged: Judged, path: str) -> bool:
    """Whether a file had front matter before; one that was adopted without may stay so."""
    return frontmatter.split_front_matter(text(judged.base, path))[0] is not None


def _front(content: str) -> dict[str, object] | None:
    try:
        return frontmatter.front_matter(content)
    except ValueError:
        return None


def _relations(judged: Judged) -> Iterator[Fault]:
    for change in files(judged, "entity"):
        words = set(entity.parse_relation_words(text(judged.new, paths.RELATIONS)))
        content = text(judged.new, change.path)
        known = set(entity.relations(text(judged.base, change.path)))
        for relation in entity.relations(content):
            if relation in known:
                continue
            line = _line_of(content, f"[[{relation.target}")
            if words and relation.word not in words:
                hint = f"add it to {paths.RELATIONS}"
                yield Fault(change.path, line, f"unknown relation {relation.word!r}", hint)
            if judged.new.entry(f"{paths.ENTITIES}{relation.target}.md") is None:
                yield Fault(change.path, line, f"no entity {relation.target!r}", "create it")


def _line_of(content: str, part: str) -> int:
    rows = content.split("\n")
    return next((n for n, row in enumerate(rows, 1) if row.startswith("- ") and part in row), 0)


def _projections(judged: Judged) -> Iterator[Fault]:
    for change in judged.changes:
        if change.path in paths.PROJECTIONS and change.status != "D":
            hint = f"`git rm --cached {change.path}`; molt makes it from history"
            yield Fault(change.path, 0, "a projection is not committed", hint)


def _procedure(judged: Judged) -> Iterator[Fault]:
    for change in files(judged, "procedure", "vault"):
        content = text(judged.new, change.path)
        if _front(content) is None:
            yield Fault(change.path, 1, "the front matter is not valid YAML", "mend it")
        elif frontmatter.split_front_matter(content)[0] is None and _had_front(judged, change.path):
            yield Fault(change.path, 1, "its front matter is gone", "put the two --- lines back")


def _scores(judged: Judged) -> Iterator[Fault]:
    for change in files(judged, "scores"):
        hint = "`git restore` it; molt writes this file"
        try:
            entries = scores.parse_scores(text(judged.new, change.path))["entries"]
        except ValueError as error:
            yield Fault(change.path, 0, str(error), hint)
            continue
        for name, entry in entries.items():
            if not _fits(entry):
                yield Fault(change.path, 0, f"the entry {name} does not fit the schema", hint)


def _fits(entry: dict[str, Any]) -> bool:
    """Whether an entry's fields are what readers compute with."""
    try:
        return bool(
            entry.get("status", "active") in _STATES
            and 0 <= entry.get("current_score", 0) <= 1
            and 0 <= entry.get("base_relevance", 0) <= 1
            and entry.get("access_count", 0) >= 0
            and entry.get("type_weight", 0) >= 0
            and entry.get("pinned", False) in (True, False)
        )
    except TypeError:
        return False


def _pinned(judged: Judged) -> Iterator[Fault]:
    if judged.actor != "system:decay":
        return
    for change in judged.changes:
        if change.path != _SCORES:
            continue
        before = _score_entries(text(judged.base, change.path))
        after = _score_entries(text(judged.new, change.path))
        for name, entry in before.items():
            if _is_pinned(name, entry) and _decays(entry, after.get(name)):
                yield Fault(change.path, 0, f"decay touches {name}, which is pinned", "leave it")


def _is_pinned(name: str, entry: dict[str, Any]) -> bool:
    return bool(entry.get("pinned")) or name.startswith("vault:")


def _decays(before: dict[str, Any], after: dict[str, Any] | None) -> bool:
    """Whether a pinned entry is worse off; counting its accesses leaves it as it was."""
    if after is None or (before.get("pinned") and not after.get("pinned")):
        return True
    if after.get("status") not in (before.get("status"), "active"):
        return True
    try:
        return bool(after.get("current_score", 1.0) < before.get("current_score", 1.0))
    except TypeError:
        return True


def _score_entries(content: str) -> dict[str, dict[str, Any]]:
    try:
        entries: dict[str, dict[str, Any]] = scores.parse_scores(content)["entries"]
    except ValueError:
        return {}
    return entries


def _score_file(score: str) -> str:
    entry = f'"pinned": true, "status": "active", "current_score": {score}'
    return '{"version": 1, "entries": {"vault:a": {' + entry + "}}}"


RULES = (
    Rule(
        "GRAPH001",
        "entity form",
        "error",
        _entity,
        "The graph: an entity's id is its file's name.",
        Example({}, {"memory/graph/entities/tool--git.md": _ENTITY}),
        Example({}, {"memory/graph/entities/tool--hg.md": _ENTITY}),
    ),
    Rule(
        "GRAPH002",
        "relations",
        "warning",
        _relations,
        "That links lead somewhere.",
        Example({}, {"memory/graph/entities/tool--git.md": _ENTITY}),
        Example(
            {},
            {
                "memory/graph/entities/tool--git.md": _ENTITY
                + "\n## Relations\n- uses [[tool--gone]]\n"
            },
        ),
    ),
    Rule(
        "GRAPH003",
        "projections",
        "error",
        _projections,
        "That derived files never conflict.",
        Example({}, {"a.md": "a\n"}),
        Example({}, {"memory/meta/audit.log": "a\n"}),
    ),
    Rule(
        "PROC001",
        "front matter",
        "error",
        _procedure,
        "That procedures and vault files parse.",
        Example({}, {"memory/procedures/ship.md": _STEPS}),
        Example({}, {"memory/procedures/ship.md": _STEPS.replace("id: ship", "id: [ship")}),
    ),
    Rule(
        "SCORE001",
        "scores form",
        "error",
        _scores,
        "That relevance can be computed.",
        Example({}, {_SCORES: '{"version": 1, "entries": {}}'}),
        Example({}, {_SCORES: "{"}),
    ),
    Rule(
        "SCORE002",
        "pins hold",
        "error",
        _pinned,
        "What the user pinned.",
        Example(
            {_SCORES: _score_file("1.0")},
            {_SCORES: _score_file("1.0") + "\n"},
            actor="system:decay",
        ),
        Example({_SCORES: _score_file("1.0")}, {_SCORES: _score_file("0.1")}, actor="system:decay"),
    ),
)
