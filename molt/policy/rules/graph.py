"""GRAPH: entities, their relations, and files that are made from them."""

from __future__ import annotations

from molt.formats import entity, frontmatter, paths
from molt.policy.engine import Example, Fault, Judged, Rule, changed_files, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTITY = "---\nid: tool--git\ntype: tool\nlabel: Git\n---\n# Git\n\n## Facts\n- fast\n"


def _check_entity(judged: Judged) -> Iterator[Fault]:
    for change in changed_files(judged, "entity"):
        content = read_text(judged.new, change.path)
        stem = change.path.removeprefix(paths.ENTITIES).removesuffix(".md")
        if "/" in stem:
            hint = f"no memory id leads into a folder; move it to {paths.ENTITIES}"
            yield Fault(change.path, 0, "an entity in a folder of its own", hint)
        if frontmatter.split_front_matter(content)[0] is None:
            if change.status == "A" or had_front(judged, change.path):
                yield Fault(change.path, 1, "no front matter", "start with ---, id, type, label")
            continue
        fields = parse_front_matter(content)
        if fields is None:
            yield Fault(change.path, 1, "the front matter is not valid YAML", "mend it")
            continue
        name = stem.rpartition("/")[2]
        if str(fields.get("id", "")) != name:
            yield Fault(change.path, 1, f"its id is not its file's name {name!r}", f"id: {name}")
        known = (*entity.ENTITY_TYPES, *judged.config.graph_types)
        if str(fields.get("type", "")) not in known:
            yield Fault(change.path, 1, f"unknown type {fields.get('type')!r}", ", ".join(known))


def had_front(judged: Judged, path: str) -> bool:
    """Whether a file had front matter before; one that was adopted without may stay so."""
    return frontmatter.split_front_matter(read_text(judged.base, path))[0] is not None


def parse_front_matter(content: str) -> dict[str, object] | None:
    try:
        return frontmatter.front_matter(content)
    except ValueError:
        return None


def _check_relations(judged: Judged) -> Iterator[Fault]:
    for change in changed_files(judged, "entity"):
        words = set(entity.parse_relation_words(read_text(judged.new, paths.RELATIONS)))
        content = read_text(judged.new, change.path)
        known = set(entity.relations(read_text(judged.base, change.path)))
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


def _check_projections(judged: Judged) -> Iterator[Fault]:
    for change in judged.changes:
        if change.path in paths.PROJECTIONS and change.status != "D":
            hint = f"`git rm --cached {change.path}`; molt makes it from history"
            yield Fault(change.path, 0, "a projection is not committed", hint)


RULES = (
    Rule(
        "GRAPH001",
        "entity form",
        "error",
        _check_entity,
        "The graph: an entity's id is its file's name.",
        Example({}, {"memory/graph/entities/tool--git.md": _ENTITY}),
        Example({}, {"memory/graph/entities/tool--hg.md": _ENTITY}),
    ),
    Rule(
        "GRAPH002",
        "relations",
        "warning",
        _check_relations,
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
        _check_projections,
        "That derived files never conflict.",
        Example({}, {"a.md": "a\n"}),
        Example({}, {"memory/meta/audit.log": "a\n"}),
    ),
)
