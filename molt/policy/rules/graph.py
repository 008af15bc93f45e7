"""GRAPH: entities, their relations, and files that are made from them."""

from __future__ import annotations

from molt.formats import entity, frontmatter, paths
from molt.policy import shapes
from molt.policy.engine import Example, Fault, Judged, Rule, changed_files
from molt.trees import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.entity import Relation

_GIT = "memory/graph/entities/tool--git.md"
_ENTITY = "---\nid: tool--git\ntype: tool\nlabel: Git\n---\n# Git\n\n## Facts\n- fast\n"


def _check_entity(judged: Judged) -> Iterator[Fault]:
    for change in changed_files(judged, "entity"):
        content = read_text(judged.new, change.path)
        stem = change.path.removeprefix(paths.ENTITIES).removesuffix(".md")
        if "/" in stem:
            hint = f"no memory id leads into a folder; move it to {paths.ENTITIES}"
            yield Fault(change.path, 0, "an entity in a folder of its own", hint)
        if frontmatter.split_front_matter(content)[0] is None:
            had = frontmatter.split_front_matter(read_text(judged.base, change.path))[0] is not None
            if change.status == "A" or had:
                # The form of before, with its data in comments, is read as well.
                soft = not had and _has_comment(content)
                hint = "start with ---, id, type, label"
                yield Fault(change.path, 1, "no front matter", hint, soft=soft)
            continue
        yield from _check_fields(judged, change.path, content, stem.rpartition("/")[2])


def _check_names(judged: Judged, path: str, content: str) -> Iterator[Fault]:
    """New labels and aliases that would break the links and lists that they stand in. Those that
    were there before, in any note that the commit changes, stay.
    """
    odd = {one: why for one in _list_names(content) if (why := entity.find_name_fault(one))}
    if not odd:
        return
    files = [one.path for one in judged.changes if paths.kind_of(one.path) == "entity"]
    befores = (read_text(tree, file) for tree in judged.befores for file in files)
    held = frozenset(name for text in befores for name in _list_names(text))
    for name, why in odd.items():
        if name not in held:
            said = f"the label or alias {name[:60]!r} is no name: {why}"
            yield Fault(path, 1, said, "leave that out")


def _list_names(content: str) -> tuple[str, ...]:
    node = entity.parse_node(content, "")
    return (node.label, *node.aliases)


def _check_fields(judged: Judged, path: str, content: str, name: str) -> Iterator[Fault]:
    yield from _check_names(judged, path, content)
    try:
        fields = frontmatter.front_matter(content)
    except ValueError:
        yield Fault(path, 1, "the front matter is not valid YAML", "mend it")
        return
    if str(fields.get("id", "")) != name:
        yield Fault(path, 1, f"its id is not its file's name {name!r}", f"id: {name}")
    known = (*entity.ENTITY_TYPES, *judged.config.graph_types)
    if str(fields.get("type", "")) not in known:
        yield Fault(path, 1, f"unknown type {str(fields.get('type'))[:60]!r}", ", ".join(known))


def _has_comment(content: str) -> bool:
    """Whether a note says its type in a comment above its sections."""
    head = content.partition("\n## ")[0].split("\n")[:9]
    return any(row.startswith("<!-- Type:") and row.rstrip().endswith("-->") for row in head)


def _check_relations(judged: Judged) -> Iterator[Fault]:
    entities = tuple(changed_files(judged, "entity"))
    words = entity.parse_relation_words(read_text(judged.new, paths.RELATIONS)) if entities else ()
    for change in entities:
        content = read_text(judged.new, change.path)
        known = frozenset(entity.relations(read_text(judged.base, change.path)))
        fresh = [one for one in entity.relations(content) if one not in known]
        lines = _find_lines(content) if fresh else {}
        for relation in fresh:
            line = lines.get(relation.target, 0)
            if words and relation.word not in words:
                hint = f"add it to {paths.RELATIONS}"
                yield Fault(change.path, line, f"unknown relation {relation.word!r}", hint)
            if not _exists(judged, relation):
                yield Fault(change.path, line, f"no entity {relation.target!r}", "create it")


def _exists(judged: Judged, relation: Relation) -> bool:
    return judged.new.entry(f"{paths.ENTITIES}{relation.target}.md") is not None


def _find_lines(content: str) -> dict[str, int]:
    """The first bullet that links to each target."""
    lines: dict[str, int] = {}
    for number, row in enumerate(content.split("\n"), 1):
        for link in row.split("[[")[1:] if row.startswith("- ") else ():
            stem = link.partition("]]")[0].partition("|")[0].partition("#")[0].strip()
            lines.setdefault(stem.rpartition("/")[2], number)
    return lines


def _check_projections(judged: Judged) -> Iterator[Fault]:
    for change in judged.changes:
        if change.path in paths.PROJECTIONS and change.status != "D":
            out = f"git rm -q --cached --ignore-unmatch {change.path}"
            hint = f"`{out}; echo /{change.path} >>.gitignore`; molt makes it from history"
            yield Fault(change.path, 0, "a projection is not committed", hint)


RULES = (
    Rule(
        "GRAPH001",
        "entity form",
        "error",
        _check_entity,
        "The graph: an entity's id is its file's name.",
        Example({}, {_GIT: _ENTITY}),
        Example({}, {"memory/graph/entities/tool--hg.md": _ENTITY}),
        concerns=shapes.touching("entity", but="D"),
    ),
    Rule(
        "GRAPH002",
        "relations",
        "warning",
        _check_relations,
        "That links lead somewhere.",
        Example({}, {_GIT: _ENTITY}),
        Example({}, {_GIT: _ENTITY + "\n## Relations\n- uses [[tool--gone]]\n"}),
        concerns=shapes.touching("entity", but="D"),
    ),
    Rule(
        "GRAPH003",
        "projections",
        "error",
        _check_projections,
        "That derived files never conflict.",
        Example({}, {"a.md": "a\n"}),
        Example({}, {"memory/meta/audit.log": "a\n"}),
        concerns=shapes.touching("projection", but="D"),
    ),
)
