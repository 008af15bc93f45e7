"""An entity gets another name, or is found to be another one: what becomes of the files."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import bullets, fields, frontmatter, ids, paths, sections
from molt.formats import entity as entity_notes
from molt.formats import lines as textlines
from molt.formats.merge import fields as front_blocks
from molt.formats.merge import sections as section_merge
from molt.formats.meta import scores as score_file
from molt.memory.graph import links
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from molt.trees import Edits, Tree

    MayEdit = Callable[[str], bool]

_REWRITTEN = ("core", "entity", "procedure", "relations")
"""The kinds of files that say what is so now; the others say what was said."""


class Moved(Value):
    """What becomes of an entity: the edits, its memory id and file, the files whose links follow,
    and those that name it and stay as they are. Its old names lead to it, so that these do too.
    `note` is what else is good to know of its name.
    """

    edits: Edits
    id: str
    path: str
    followed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    note: str = ""


def may_point_links(path: str, *, person: bool) -> bool:
    """Whether links in a file follow an entity: in what is written anew as things change, and for
    a person in the vault too. Logs and proposals stay as they were written.
    """
    kind = paths.kind_of(path)
    return kind in _REWRITTEN or (person and kind in ("vault", "prose"))


def rename_entity(tree: Tree, stem: str, name: str, date: str, *, may_edit: MayEdit) -> Moved:
    """The edits that call an entity by another label (`LABEL` or `TYPE:LABEL`), its file too, on a
    day (`YYYY-MM-DD`).

    Raises Usage where the name is none, and where another entity has it.
    """
    text = _give_front(_read_entity(tree, stem), stem)
    one = entity_notes.parse_entity(text, stem)
    kind, label = _parse_name(name, one.type)
    plain = f"{ids.slug(kind)}--{ids.slug(label)}"
    fresh = stem if stem == plain else entity_notes.find_stem(tree, kind, label)
    path = f"{paths.ENTITIES}{fresh}.md"
    if fresh != stem and tree.entry(path) is not None:
        raise errors.Usage(f"{fresh} is there already", f"`molt graph merge {fresh} {stem}`")
    for key, value in (("id", fresh), ("type", kind), ("label", label)):
        text = frontmatter.set_field(text, key, value)
    former = (one.label,) if fresh == stem else (one.label, stem)
    text = add_aliases(_set_title(text, one.label, label), former, but=label)
    text = frontmatter.set_updated(text, date)
    if fresh == stem:
        return Moved({path: text.encode()}, ids.entity(fresh), path)
    edits: Edits = {
        f"{paths.ENTITIES}{stem}.md": None,
        path: links.point_links(text, stem, fresh).encode(),
    }
    return _lead_here(tree, edits, stem, fresh, may_edit)


def merge_entity(tree: Tree, into: str, other: str, date: str, *, may_edit: MayEdit) -> Moved:
    """The edits by which one entity becomes part of another one, on a day.

    It has the names, tags, facts, questions and relations of both, each once; what both say in
    prose stands one below the other. Raises Usage where both are one.
    """
    if into == other:
        raise errors.Usage(f"{into} is the same entity", "name two")
    path = f"{paths.ENTITIES}{into}.md"
    ours = links.point_links(_give_front(_read_entity(tree, into), into), other, into)
    theirs = _give_front(_read_entity(tree, other), other)
    one = entity_notes.parse_entity(ours, into)
    known = (entity_notes.parse_entity(theirs, other).label, other)
    theirs = _settle_front(ours, links.point_links(theirs, other, into))
    merged = section_merge.merge_sections("", ours, theirs, unite=True).text
    text = _drop_answered(_thin_relations(merged, into), into)
    text = add_aliases(text, known, but=one.label)
    text = frontmatter.set_updated(text, date)
    edits: Edits = {f"{paths.ENTITIES}{other}.md": None, path: text.encode()}
    return _lead_here(tree, edits, other, into, may_edit)


def _read_entity(tree: Tree, stem: str) -> str:
    return trees.read_strict(tree, f"{paths.ENTITIES}{stem}.md")


def _parse_name(name: str, kind: str) -> tuple[str, str]:
    """Type and label of a new name; a type counts that has the form of one."""
    before, colon, rest = name.partition(":")
    label = (rest if colon and before.strip().isidentifier() else name).strip(" \"'")
    if not any(map(str.isalnum, label)):
        raise errors.Usage(f"{name!r} is no name", 'such as "OAuth2 PKCE", or tool:"Git"')
    if why := entity_notes.find_name_fault(label):
        raise errors.Usage(f"{name[:60]!r} is no name: {why}", "leave that out")
    return (before.strip().lower() if label != name.strip(" \"'") else kind), label


def strip_type(name: str) -> str:
    """The label of a new name (`LABEL` or `TYPE:LABEL`)."""
    return _parse_name(name, "")[1]


def _give_front(text: str, stem: str) -> str:
    """The note with front matter, which is made of what it says of itself if it has none."""
    if frontmatter.split_front_matter(text)[0] is not None:
        return text
    one = entity_notes.parse_entity(text, stem)
    front = fields.front_fields(one, one.label)[:-1]
    end = textlines.detect_newline(text)
    return "".join(f"{row}{end}" for row in front) + text


def _set_title(text: str, old: str, new: str) -> str:
    """The text with its title worded anew, where that was the label."""
    for one in sections.parse_sections(text):
        if one.level == 1:
            same = one.title == old
            rows = [f"# {textlines.one_line(new)}"]
            return textlines.splice_lines(text, one.start - 1, one.start, rows) if same else text
    return text


def add_aliases(text: str, names: Sequence[str], *, but: str) -> str:
    """The text with further names, but for the one that it has anyway."""
    known = fields.text_list(frontmatter.metadata(text), "aliases")
    taken = {name.casefold() for name in (*known, but)}
    fresh = [name for name in dict.fromkeys(names) if name.casefold() not in taken]
    kept = [name for name in known if name.casefold() != but.casefold()]
    return frontmatter.set_field(text, "aliases", [*kept, *fresh])


def _settle_front(ours: str, theirs: str) -> str:
    """The text of theirs with those fields of ours that only one can be: id, type, and whatever
    molt knows no way to unite.
    """
    united = ("label", "aliases", "tags", "created", "updated", "pinned")
    block, _, before = frontmatter.split_front_matter(theirs)
    rows = textlines.split_lines(theirs)
    mine = _read_blocks(ours)
    if block is None or mine is None:
        return theirs
    yours = front_blocks.parse_blocks(rows[1 : before - 1]) or {}
    for key in mine:
        if key not in united and key in yours:
            yours[key] = mine[key]
    kept = [row for lines in yours.values() for row in lines]
    return "".join((rows[0], *kept, *rows[before - 1 :]))


def _read_blocks(text: str) -> Mapping[str, tuple[str, ...]] | None:
    _, _, before = frontmatter.split_front_matter(text)
    return front_blocks.parse_blocks(textlines.split_lines(text)[1 : before - 1])


def _thin_relations(text: str, stem: str) -> str:
    """The text without relations of the entity to itself, and with each edge once."""
    seen: set[tuple[str, str]] = set()
    gone: list[tuple[int, int]] = []
    for one in bullets.bullets(text, "Relations"):
        edges = entity_notes.relations(f"## Relations\n- {one.text}\n")
        keys = {(edge.word, edge.target) for edge in edges}
        if keys and (keys <= seen or all(target == stem for _, target in keys)):
            gone.append((one.start - 1, one.end))
        seen |= keys
    for start, end in reversed(gone):
        text = textlines.splice_lines(text, start, end, ())
    return text


def _drop_answered(text: str, stem: str) -> str:
    """The text without the question whether the entity is the same as itself."""
    return bullets.remove_bullet(text, "Open Questions", f"Same as [[{stem}]]?")


def _lead_here(tree: Tree, edits: Edits, old: str, new: str, may_edit: MayEdit) -> Moved:
    """The edits with the links and the score of an entity that is to be found under another id."""
    followed: list[str] = []
    left: list[str] = []
    for path, text in links.find_mentions(Overlay(tree, edits), old).items():
        if may_edit(path):
            edits[path] = links.point_links(text, old, new).encode()
            followed.append(path)
        elif paths.kind_of(path) != "projection":
            left.append(path)
    own = f"{paths.ENTITIES}{new}.md"
    edits.update(move_score(tree, ids.entity(old), ids.entity(new)))
    others = tuple(path for path in followed if path != own)
    return Moved(edits, ids.entity(new), own, others, tuple(left))


def move_score(tree: Tree, old: str, new: str) -> Edits:
    """The scores with what they say of one memory said of another one too."""
    text = trees.read_text(tree, paths.SCORES)
    try:
        found = score_file.find_entries(text, (old, new)) if text else {}
        if old not in found:
            return {}
        entry = _add_uses(found.get(new), found[old])
        moved = score_file.edit_entries(text, {old: None, new: entry})
    except ValueError:
        # Damaged scores stop no write; `molt doctor --fix` mends them.
        return {}
    return {paths.SCORES: moved.encode()}


def _add_uses(one: Mapping[str, Any] | None, other: Mapping[str, Any]) -> dict[str, Any]:
    """One entry for what was two memories: uses add up, and the better counts."""
    if one is None:
        return dict(other)
    merged = {**other, **one}
    for key in ("last_accessed", "base_relevance", "current_score"):
        if key in one and key in other:
            merged[key] = max(one[key], other[key])
    if "access_count" in one and "access_count" in other:
        merged["access_count"] = one["access_count"] + other["access_count"]
    if one.get("pinned") or other.get("pinned"):
        merged["pinned"] = True
    if score_file.is_forgotten(one) != score_file.is_forgotten(other):
        # What one of them says still holds.
        alive = other if score_file.is_forgotten(one) else one
        merged["status"] = alive.get("status", "active")
    return merged
