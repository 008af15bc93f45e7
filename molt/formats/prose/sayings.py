"""What a file of the memory says, taken apart as far as somebody can want one of it gone."""

from __future__ import annotations

from molt.formats import bullets, episodes, facts, frontmatter, ids, lines, paths, sections
from molt.formats.fields import text_field, text_list, title_of
from molt.formats.meta import proposals
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ENTRY, BULLET, NOTE, ALIAS, RELATION, PROPOSAL, FACT, PARAGRAPH, HEADING = (
    *("entry", "bullet", "note", "alias", "relation", "proposal", "fact", "paragraph", "heading"),
)
WHOLE = (ENTRY, NOTE)
"""What is hidden by its score, and stays in its file; all else is taken out of it."""
_KINDS = ("core", "episode", "entity", "procedure", "vault", "proposals", "prose")
_SOURCE = " (source: "
_FREE = 3
"""The level from which on core memory and entities have headings that their formats do not need."""


class Saying(Value):
    """One thing that a file says: its id (of a memory, or the file's name and a hash for a part of
    one), what it is, its words, what else it is found by, and its lines from 1, inclusive (0 for
    what has none of its own).
    """

    id: str
    kind: str
    path: str
    text: str
    named: str = ""
    start: int = 0
    end: int = 0
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def value(self) -> str:
        """Its words without what brackets at their end say of them."""
        return facts.strip_asides(self.text)


def has_sayings(path: str) -> bool:
    """Whether a path is one of the memory that says something."""
    return paths.kind_of(path) in _KINDS and not path.startswith("memory/meta/reflections/")


def parse_sayings(path: str, text: str) -> tuple[Saying, ...]:
    """What a file says, in order."""
    kind = paths.kind_of(path)
    if kind == "proposals":
        return tuple(_list_proposals(path, text))
    if kind == "core":
        return tuple(_list_core(path, text))
    if kind == "episode":
        return tuple(_list_day(path, text))
    if kind == "entity":
        return tuple(_list_entity(path, text))
    if kind in ("procedure", "vault"):
        return (_read_note(path, text, frontmatter.split_front_matter(text)[1]),)
    return tuple(_list_paragraphs(path, path, text))


def _list_proposals(path: str, text: str) -> Iterator[Saying]:
    for one in proposals.parse_proposals(text):
        words = " ".join((*one.entities, one.content))
        name = one.id or f"{path}#{one.number}"
        place = (one.start, one.end)
        yield Saying(name, PROPOSAL, path, one.content, words, *place, one.fields)


def _list_core(path: str, text: str) -> Iterator[Saying]:
    taken: set[int] = set()
    for one in bullets.core_bullets(text):
        taken.update(range(one.start, one.end + 1))
        yield Saying(one.id, BULLET, path, one.text, "", one.start, one.end)
    yield from _list_paragraphs(path, path, text, taken)


def _list_day(path: str, text: str) -> Iterator[Saying]:
    taken: set[int] = set()
    for one in episodes.parse(text, paths.date_of(path) or ""):
        taken.update(range(one.start, one.end + 1))
        words = " ".join((*one.tags, *(value for _, value in one.fields)))
        yield Saying(one.id, ENTRY, path, one.text, words, one.start, one.end, one.fields)
    yield from _list_paragraphs(path, path, text, taken)


def _read_note(path: str, text: str, said: str) -> Saying:
    stem = path.rpartition("/")[2].removesuffix(".md")
    data = frontmatter.metadata(text)
    label = text_field(data, "label") or title_of(text, stem)
    fields = tuple((key, str(value)) for key, value in data.items())
    name = f"{paths.kind_of(path)}:{stem}"
    return Saying(name, NOTE, path, said or label, label, 1, text.count("\n"), fields)


def _list_entity(path: str, text: str) -> Iterator[Saying]:
    note = _read_note(path, text, "")
    yield note
    for alias in text_list(frontmatter.metadata(text), "aliases"):
        yield Saying(_name_part(note.id, f"alias {alias}"), ALIAS, path, alias)
    taken: set[int] = set()
    titles = dict.fromkeys(one.title for one in sections.parse_sections(text) if one.level == 2)
    for title in titles:
        kind = RELATION if title.casefold() == "relations" else FACT
        for one in bullets.bullets(text, title):
            taken.update(range(one.start, one.end + 1))
            place = (one.start, one.end)
            yield Saying(_name_part(note.id, one.text), kind, path, one.text, "", *place)
    yield from _list_paragraphs(path, note.id, text, taken)


def _list_paragraphs(
    path: str, owner: str, text: str, taken: Iterable[int] = ()
) -> Iterator[Saying]:
    """The headings, and the runs of lines between them; each item of a list is one of its own, and
    no fence is parted.
    """
    before = frontmatter.split_front_matter(text)[2]
    skipped, rows = frozenset(taken), lines.bare_lines(text)
    hidden = [*sections.find_fences(rows[before:]), False]
    start = 0
    for number in range(before + 1, len(rows) + 2):
        row = rows[number - 1] if number <= len(rows) else ""
        within = hidden[number - before - 1]
        head = None if within else sections.parse_heading(row)
        parted = not (within and start) or row.startswith("<!--")
        empty = not row.strip() or row.startswith("<!--")
        free = number in skipped or (parted and empty) or head is not None
        item = parted and row.startswith(("- ", "* ", "+ "))
        if start and (free or item):
            yield _make_paragraph(path, owner, rows[start - 1 : number - 1], start)
            start = 0
        if head and number not in skipped and _is_said(path, *head):
            name = _name_part(owner, f"heading {head[1]}")
            yield Saying(name, HEADING, path, head[1], "", number, number)
        if not free and not start:
            start = number


def _is_said(path: str, level: int, title: str) -> bool:
    """Whether a heading is of whoever wrote the file, and not of its format."""
    kind = paths.kind_of(path)
    if kind in ("core", "entity"):
        return level >= _FREE and bool(title)
    day = paths.date_of(path) if kind == "episode" else None
    return bool(title) and not (day and f"# {title}" in (f"# {day}", episodes.render_title(day)))


def _make_paragraph(path: str, owner: str, rows: list[str], start: int) -> Saying:
    said = "\n".join(rows).removeprefix("- ").removeprefix("* ").strip()
    place = (start, start + len(rows) - 1)
    return Saying(_name_part(owner, said), PARAGRAPH, path, said, "", *place)


def _name_part(owner: str, text: str) -> str:
    """The id of a part of a file: spacing does not matter, nor a source behind it."""
    said = text.rpartition(_SOURCE)[0] or text
    return f"{owner}#{ids.digest(said)}"


def is_left(path: str, text: str) -> bool:
    """Whether a file is to stay that has this text: a note, or a day, with nothing but front matter
    is not.
    """
    if paths.kind_of(path) not in ("prose", "episode"):
        return True
    return bool(frontmatter.split_front_matter(text)[1].strip())


def cut_sayings(text: str, gone: Iterable[Saying]) -> str:
    """The text of a file without some of what it says."""
    every = tuple(gone)
    for one in sorted(every, key=lambda saying: -saying.start):
        if one.kind == PROPOSAL:
            text = proposals.remove_proposal(text, one.id.rpartition("/")[2])
        elif one.start:
            text = lines.splice_lines(text, one.start - 1, one.end, ())
    named = [one.text for one in every if one.kind == ALIAS]
    if named:
        left = [one for one in text_list(frontmatter.metadata(text), "aliases") if one not in named]
        text = frontmatter.set_field(text, "aliases", left)
    return text
