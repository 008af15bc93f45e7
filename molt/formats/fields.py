"""Files made of titled sections: MEMORY.md, entities, procedures and the vault."""

from __future__ import annotations

from molt.formats import document, facts, front, ids
from molt.formats.bullets import (
    BLOCKS,
    Bullet,
    add_bullet,
    bullets,
    core_bullets,
    item_lines,
    remove_bullet,
    section,
    set_block,
)
from molt.formats.facts import add_fact, holds, supersede_fact
from molt.formats.front import metadata, set_field
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "BLOCKS",
    "ENTITY_SECTIONS",
    "ENTITY_TYPES",
    "PROCEDURE_SECTIONS",
    "Bullet",
    "Entity",
    "Procedure",
    "Relation",
    "Vault",
    "add_bullet",
    "add_fact",
    "add_relation",
    "bullets",
    "core_bullets",
    "holds",
    "item_lines",
    "metadata",
    "parse_entity",
    "parse_procedure",
    "parse_relation_words",
    "parse_vault",
    "relations",
    "remove_bullet",
    "render_entity",
    "render_procedure",
    "render_vault",
    "section",
    "set_block",
    "set_field",
    "supersede_fact",
]

ENTITY_TYPES = (
    *("person", "project", "concept", "tool", "place", "preference", "organization", "event"),
)
ENTITY_SECTIONS = facts.SECTIONS
PROCEDURE_SECTIONS = ("Trigger", "Steps", "Notes", "Learned From")


class Relation(Value):
    """An edge: its word as a slug, the stem it points to, and what is said about it."""

    word: str
    target: str
    note: str = ""


class Entity(Value):
    """A node of the graph: its front matter and its sections."""

    id: str
    type: str
    label: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    pinned: bool = False
    summary: str = ""
    facts: tuple[str, ...] = ()
    timeline: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()


class Procedure(Value):
    """A learned workflow: its front matter and its sections."""

    id: str
    label: str
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    pinned: bool = False
    trigger: str = ""
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()
    type: str = "procedure"


class Vault(Value):
    """A file pinned by the user: its front matter and its free text."""

    id: str
    label: str
    text: str = ""
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    pinned: bool = True
    type: str = "vault"


def _content(text: str, title: str) -> str:
    found = section(text, title)
    rows = [document.bare(line) for line in document.lines(text)]
    return "\n".join(rows[found.start : found.end]).strip() if found else ""


def _text(data: Mapping[str, object], key: str, default: str = "") -> str:
    value = data.get(key)
    return default if value is None or isinstance(value, list | dict) else str(value).strip()


def _texts(data: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = data.get(key)
    if isinstance(value, list):
        return tuple(str(item) for item in value if item is not None)
    return (str(value),) if value else ()


def _flag(data: Mapping[str, object], default: bool = False) -> bool:
    value = data.get("pinned", default)
    return value if isinstance(value, bool) else str(value).lower() in ("yes", "true")


def _title(text: str, default: str) -> str:
    found = document.sections(text)
    return next((one.title for one in found if one.level == 1 and one.title), default)


def _items(text: str, title: str) -> tuple[str, ...]:
    return tuple(bullet.text for bullet in bullets(text, title))


def relations(text: str) -> tuple[Relation, ...]:
    """The edges of an entity's `## Relations` list; one bullet may name several targets."""
    found: list[Relation] = []
    for item in _items(text, "Relations"):
        word, _, rest = item.partition("[[")
        note = rest.rpartition("]]")[2].strip().removeprefix("(").removesuffix(")")
        for link in rest.split("[["):
            target, closed, _ = link.partition("]]")
            stem = target.partition("|")[0].partition("#")[0].strip()
            if closed and stem:
                found.append(Relation(ids.slug(word), stem.rpartition("/")[2], note))
    return tuple(found)


def parse_entity(text: str, stem: str) -> Entity:
    """The entity in a file named `stem`.md; never raises."""
    data = metadata(text)
    kind, _, name = stem.partition("--")
    return Entity(
        id=_text(data, "id", stem),
        type=_text(data, "type", kind if name else ""),
        label=_text(data, "label") or _title(text, stem),
        aliases=_texts(data, "aliases"),
        tags=_texts(data, "tags"),
        created=_text(data, "created"),
        updated=_text(data, "updated"),
        pinned=_flag(data),
        summary=_content(text, "Summary"),
        facts=_items(text, "Facts"),
        timeline=_items(text, "Timeline"),
        questions=_items(text, "Open Questions"),
        relations=relations(text),
    )


def _front(note: Entity | Procedure | Vault) -> list[str]:
    keys = ("id", "type", "label", "aliases", "tags", "created", "updated", "pinned")
    pairs = [(key, getattr(note, key)) for key in keys if hasattr(note, key)]
    rows = [
        f"{key}: {front.render(value)}" for key, value in pairs if value != "" or key == "label"
    ]
    return ["---", *rows, "---", f"# {document.one_line(note.label)}"]


def _render(front: Sequence[str], parts: Sequence[tuple[str, Sequence[str]]]) -> str:
    rows = list(front)
    for title, content in parts:
        rows += ["", f"## {title}", *content]
    return "\n".join(rows) + "\n"


def _list(items: Sequence[str]) -> list[str]:
    return [row for item in items for row in item_lines(item)]


def _words(text: str) -> list[str]:
    return text.strip().split("\n") if text.strip() else []


def render_entity(entity: Entity) -> str:
    """The canonical text of an entity."""
    edges = [_edge(relation) for relation in entity.relations]
    lists = (entity.facts, entity.timeline, entity.questions, edges)
    contents = (_words(entity.summary), *map(_list, lists))
    return _render(_front(entity), list(zip(ENTITY_SECTIONS, contents, strict=True)))


def _edge(relation: Relation) -> str:
    note = f" ({document.one_line(relation.note)})" if relation.note else ""
    return f"{relation.word} [[{relation.target}]]{note}"


def add_relation(text: str, word: str, target: str, note: str = "") -> str:
    """The entity with an edge; unchanged if it has one of that word to that target."""
    if any((known.word, known.target) == (ids.slug(word), target) for known in relations(text)):
        return text
    edge = _edge(Relation(ids.slug(word), target, note))
    return add_bullet(text, "Relations", edge, ENTITY_SECTIONS)


def parse_procedure(text: str, stem: str) -> Procedure:
    """The procedure in a file named `stem`.md; never raises."""
    data = metadata(text)
    trigger, steps, notes, learned = PROCEDURE_SECTIONS
    return Procedure(
        id=_text(data, "id", stem),
        label=_text(data, "label") or _title(text, stem),
        tags=_texts(data, "tags"),
        created=_text(data, "created"),
        updated=_text(data, "updated"),
        pinned=_flag(data),
        trigger=_content(text, trigger),
        steps=_items(text, steps),
        notes=_items(text, notes),
        learned=_items(text, learned),
        type=_text(data, "type", "procedure"),
    )


def render_procedure(procedure: Procedure) -> str:
    """The canonical text of a procedure."""
    steps = [f"{n}. {document.one_line(step)}" for n, step in enumerate(procedure.steps, 1)]
    contents = (
        _words(procedure.trigger),
        steps,
        _list(procedure.notes),
        _list(procedure.learned),
    )
    return _render(_front(procedure), list(zip(PROCEDURE_SECTIONS, contents, strict=True)))


def parse_vault(text: str, stem: str) -> Vault:
    """The vault file named `stem`.md; never raises. Its text leaves the title out."""
    data = metadata(text)
    label = _text(data, "label") or _title(text, stem)
    body = document.split_front_matter(text)[1].replace("\r\n", "\n").strip()
    body = body.removeprefix(f"# {label}").strip() if body.startswith(f"# {label}\n") else body
    return Vault(
        id=_text(data, "id", stem),
        label=label,
        text="" if body == f"# {label}" else body,
        tags=_texts(data, "tags"),
        created=_text(data, "created"),
        updated=_text(data, "updated"),
        pinned=_flag(data, True),
        type=_text(data, "type", "vault"),
    )


def render_vault(vault: Vault) -> str:
    """The canonical text of a vault file."""
    rows = _front(vault)
    return "\n".join([*rows, "", *_words(vault.text)] if vault.text.strip() else rows) + "\n"


def parse_relation_words(text: str) -> frozenset[str]:
    """The words that relations.md defines: those in backquotes before the dash of a bullet."""
    words: set[str] = set()
    for row in text.split("\n"):
        if row.startswith(("- ", "* ")):
            words.update(row.partition(" — ")[0].split("`")[1::2])
    return frozenset(words)
