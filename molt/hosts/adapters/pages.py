"""Pages that link to each other, as entities of the graph."""

from __future__ import annotations

import re

from molt.formats import frontmatter, ids, sections
from molt.formats.entity import ENTITY_TYPES, Entity, Relation, find_name_fault
from molt.formats.fields import text_field, text_list
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

_LINK = re.compile(r"(?<!!)\[\[([^\[\]\n]+)\]\]")
_RELATION = re.compile(
    r"^\s*[-*] (?P<word>[^\[\]:.,;!?\n]{1,40}?):* \[\[(?P<target>[^\[\]\n]+)\]\]|"
    r"^(?P<field>[\w -]{1,40}):: *\[\[(?P<named>[^\[\]\n]+)\]\]"
)
_MOST_WORDS = 3
"""More words before a link are a sentence, and no name of a relation."""
_MOST_SUMMARY = 300
"""Characters: a paragraph of two or three sentences."""
_ANY, _PLAIN = "concept", "relates-to"
_UNSAID = (_PLAIN, "links-to")
"""The relations of a link that says nothing of how."""


class Page(Value):
    """A note of another program: its file, what it is called, of which type, what it says of
    itself, and to what it links, each with the word of the relation. `names` are those by which
    others link to it; `more` is whether it says what is none of all that.
    """

    name: str
    title: str
    type: str = ""
    names: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    summary: str = ""
    facts: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    more: bool = True


def read_page(name: str, text: str) -> Page:
    """A note with its front matter, its first paragraph and its wikilinks."""
    front = frontmatter.metadata(text)
    stem = name.rpartition("/")[2].removesuffix(".md")
    links = [
        (key, target)
        for key, value in front.items()
        for said in (value if isinstance(value, list) else [value])
        for target in find_links(str(said))
    ]
    body = frontmatter.split_front_matter(text)[1]
    return Page(
        name,
        (text_field(front, "label") if _is_entity_name(stem) else "") or stem,
        text_field(front, "type").casefold(),
        (stem, *text_list(front, "aliases")),
        tuple(tag.removeprefix("#") for tag in text_list(front, "tags")),
        _summarise(body),
        links=(*links, *_list_relations(body)),
    )


def _is_entity_name(stem: str) -> bool:
    """Whether a note is called as molt calls an entity."""
    kind, _, slug = stem.partition("--")
    return kind in ENTITY_TYPES and slug != "" and ids.slug(slug) == slug


def find_links(text: str) -> list[str]:
    """What a text links to in double brackets; what it embeds is left out."""
    return _LINK.findall(text)


def _list_relations(body: str) -> Iterator[tuple[str, str]]:
    rows = body.split("\n")
    hidden = sections.find_fences(rows)
    for at, row in enumerate(rows):
        if hidden[at]:
            continue
        found = _RELATION.match(row)
        word = ((found["word"] or found["field"]) if found else "").strip()
        told = (found["target"] or found["named"]) if found else ""
        if told and 0 < len(word.split()) <= _MOST_WORDS:
            yield word, told
        yield from ((_PLAIN, one) for one in find_links(row) if one != told)


def _summarise(body: str) -> str:
    for part in body.split("\n\n"):
        said = " ".join(part.split())
        if said and not said.startswith(("#", "- ", "* ", "|", "```", ">", "<", "---", "![")):
            return said if len(said) <= _MOST_SUMMARY else f"{said[: _MOST_SUMMARY - 1]}…"
    return ""


def make_entities(
    pages: Sequence[Page], *, linked: bool = False
) -> tuple[tuple[Entity, ...], tuple[str, ...]]:
    """An entity for each page, and what of their links leads nowhere. With `linked` a page without
    a type is one only where a link goes out from it or comes in.
    """
    stems = _choose_stems(pages)
    named = _list_names(pages)
    edges: dict[str, dict[tuple[str, str], Relation]] = {one.name: {} for one in pages}
    reached: set[str] = set()
    lost: set[str] = set()
    for page in pages:
        for word, link in page.links:
            target = _resolve(named, link)
            if target is None:
                lost.add(link.partition("|")[0])
            elif target != page.name:
                edge = Relation(ids.slug(word) if _has_word(word) else _PLAIN, stems[target])
                edges[page.name].setdefault((edge.word, edge.target), edge)
                reached.update((page.name, target))
    chosen = [one for one in pages if one.type or not linked or one.name in reached]
    made = tuple(_make_entity(one, stems[one.name], edges[one.name].values()) for one in chosen)
    remarks = tuple(f"no note is called {name!r}, to which one links" for name in sorted(lost))
    return made, remarks


def _has_word(word: str) -> bool:
    return any(map(str.isalnum, word))


def _make_entity(page: Page, stem: str, edges: Collection[Relation]) -> Entity:
    kind = stem.partition("--")[0]
    tags = page.tags if page.type in ("", "note", kind) else (*page.tags, ids.slug(page.type))
    spoken = [name for name in page.names if name != page.title and not find_name_fault(name)]
    label = stem.partition("--")[2] if find_name_fault(page.title) else page.title
    # Two links, a plain one and one with a word, are one edge.
    worded = {edge.target for edge in edges if edge.word not in _UNSAID}
    told = [one for one in edges if one.target not in worded or one.word not in _UNSAID]
    return Entity(
        id=stem,
        type=kind,
        label=label,
        aliases=tuple(dict.fromkeys(spoken)),
        tags=tuple(dict.fromkeys(tag for tag in tags if tag)),
        summary=page.summary,
        facts=page.facts,
        relations=tuple(told),
        origin="import",
    )


def _choose_stems(pages: Sequence[Page]) -> dict[str, str]:
    """The name of each page's entity. Two pages of one title are two entities."""
    taken: set[str] = set()
    found: dict[str, str] = {}
    for page in pages:
        kind = page.type if page.type in ENTITY_TYPES else _ANY
        own = page.name.rpartition("/")[2].removesuffix(".md")
        stem = own if _is_entity_name(own) else f"{kind}--{ids.slug(page.title)}"
        if stem in taken:
            stem = f"{kind}--{ids.slug(page.name.removesuffix('.md'))}"
        number, first = 1, stem
        while stem in taken:
            number += 1
            stem = f"{first}-{number}"
        taken.add(stem)
        found[page.name] = stem
    return found


def _list_names(pages: Sequence[Page]) -> dict[str, str]:
    """The page that each name means, as links have it: its path before its name, and an alias
    where nothing else is called so.
    """
    found: dict[str, str] = {}
    for page in pages:
        found.setdefault(page.name.removesuffix(".md").casefold(), page.name)
    for page in pages:
        for name in (page.name.rpartition("/")[2].removesuffix(".md"), page.title):
            found.setdefault(name.casefold(), page.name)
    for page in pages:
        for name in page.names:
            found.setdefault(name.casefold(), page.name)
    return found


def _resolve(named: Mapping[str, str], link: str) -> str | None:
    target = link.partition("|")[0].partition("#")[0].strip().rstrip("\\").removesuffix(".md")
    return named.get(target.strip("/").casefold())
