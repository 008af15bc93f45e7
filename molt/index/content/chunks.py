"""Memory files cut into the pieces that a search can find."""

from __future__ import annotations

from itertools import accumulate

from molt.formats import bullets, episodes, frontmatter, ids, lines, paths, scopes, sections
from molt.formats import origin as origins
from molt.formats.origin import Origin
from molt.index.content import bulk, speakers
from molt.values import Value

# Characters of a chunk: half a page of prose. A fifth is repeated in the next one, so that what
# stands at the border is whole in one of them.
MOST = 1600
OVERLAP = 320
PATH_MARK = " > "
"""What stands between the headings above a piece."""


class Chunk(Value):
    """A piece of a file: its lines (from 1, inclusive), its memory and its text.

    `unit` names the conversation or day that it is part of, where what stands beside it tells
    of it; `place` counts the memories of the file.
    """

    start: int
    end: int
    memory_id: str
    store: str
    type: str
    tags: tuple[str, ...]
    date: str
    text: str
    unit: str = ""
    place: int = 0
    speaker: str = ""
    origin: Origin = origins.UNKNOWN
    scope: str = scopes.OPEN


def chunk_file(path: str, text: str) -> tuple[Chunk, ...]:
    """The pieces of a file, in order; empty for a file without words."""
    rows = lines.bare_lines(text)
    kind = paths.kind_of(path)
    if kind == "core":
        return _chunk_core(text, rows)
    if kind == "episode":
        found = _chunk_episodes(path, text, rows)
        if found:
            return found
    stem = path.rpartition("/")[2].removesuffix(".md")
    front, before = _parse_front_matter(text)
    store = paths.store_of(path)
    memory_id = f"{kind}:{stem}" if kind in paths.FILE_KINDS else ""
    about = Chunk(
        start=1,
        end=1,
        memory_id=memory_id,
        store=store,
        type=front.get("type", kind),
        tags=_parse_list(front.get("tags", "")),
        date=_find_day(path, front),
        text="",
        origin=_read_origin(text, front, kind),
        scope=scopes.read_note(text),
    )
    heading = " ".join(
        filter(None, (front.get("label", ""), *_parse_list(front.get("aliases", ""))))
    )
    found = _chunk_sections(rows, _Outline(text, before, name=heading), about)
    if not found and kind not in ("entity", "episode"):
        # A note may be no more than its title; an empty day or entity says nothing.
        found = _chunk_title(rows, before, about)
    found = _mark_bulk(path, rows, found)
    if kind != "episode":
        return found
    # Each section of a day's notes is a memory; any other note is one.
    return tuple(piece.replace(place=place) for place, piece in enumerate(found))


def _find_day(path: str, front: dict[str, str]) -> str:
    """The day that a note is of; empty if neither its name nor its front matter tells one."""
    told = front.get("updated", "") or front.get("created", "")
    return paths.date_of(path) or told or paths.find_named_day(path)


def _mark_bulk(path: str, rows: list[str], found: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    """The pieces of a note, those that a machine wrote in bulk with that as their type."""
    whole = bulk.name_file(path, rows)
    kinds = [whole or bulk.name_piece(one.text) for one in found]
    pairs = zip(found, kinds, strict=True)
    return tuple(one.replace(type=kind) if kind else one for one, kind in pairs)


def _chunk_title(rows: list[str], before: int, about: Chunk) -> tuple[Chunk, ...]:
    """The headings of a file that has nothing below them."""
    kept = [n for n in range(before + 1, len(rows) + 1) if rows[n - 1].startswith("#")]
    text = "\n".join(rows[n - 1] for n in kept)
    if not any(map(str.isalpha, text)):
        return ()
    return (about.replace(start=kept[0], end=kept[-1], text=text[:MOST]),)


class _Outline:
    """The headings of a note, of which those of a lower level than `least` are not told. `before`
    lines of it are front matter; `name` is what it is called besides.
    """

    def __init__(self, text: str, before: int = 0, *, least: int = 1, name: str = "") -> None:
        self.before = before
        self.sections = sections.parse_sections(text)
        self._least = least
        self._name = name

    def path(self, line: int, text: str) -> str:
        """The titles above a line, the outermost first, but for those that a piece has in its own
        `text`.
        """
        over = [one for one in self.sections if one.start <= line <= one.end]
        titles = [one.title for one in over if one.title and one.level >= self._least]
        kept = [one for one in titles if f"# {one}" not in text]
        if self._name and not any(
            self._name.casefold() in one.casefold() for one in (text, *titles)
        ):
            kept.insert(0, self._name)
        return PATH_MARK.join(kept)


_PLAIN = _Outline("")


def _chunk_core(text: str, rows: list[str]) -> tuple[Chunk, ...]:
    outline = _Outline(text, least=2)
    parts = [section for section in outline.sections if section.level == 2]
    found = _chunk_outside(rows, parts)
    taken: set[int] = set()
    for place, bullet in enumerate(bullets.core_bullets(text)):
        about = Chunk(1, 1, bullet.id, "core", "core", (), "", "", place=place)
        about = about.replace(origin=origins.read_bullet(bullet.id))
        found += _chunk_lines(rows, bullet.start, bullet.end, about, outline)
        taken.update(range(bullet.start, bullet.end + 1))
    for section in parts:
        inner = [n for n in range(section.start + 1, section.end + 1) if n not in taken]
        prose = [n for n in inner if rows[n - 1].strip() and not rows[n - 1].startswith("#")]
        if prose:
            about = Chunk(1, 1, ids.core(section.title), "core", "core", (), "", "")
            about = about.replace(
                place=len(taken) + section.start, origin=origins.read_bullet(about.memory_id)
            )
            found += _chunk_lines(rows, prose[0], prose[-1], about, outline)
    return tuple(found)


def _chunk_outside(rows: list[str], parts: list[sections.Section]) -> list[Chunk]:
    """What an adopted file holds in no block: above the first one, or without any at all."""
    about = Chunk(1, 1, "", "core", "core", (), "", "")
    ends = [0, *(part.end for part in parts)]
    starts = [*(part.start for part in parts), len(rows) + 1]
    runs = zip(ends, starts, strict=True)
    return [one for end, start in runs for one in _chunk_lines(rows, end + 1, start - 1, about)]


def _chunk_episodes(path: str, text: str, rows: list[str]) -> tuple[Chunk, ...]:
    found: list[Chunk] = []
    entries = episodes.parse(text, paths.date_of(path) or "")
    # Whom a whole day is for is said above its entries.
    scope = scopes.read_note(text) if entries else scopes.OPEN
    if entries and entries[0].start > 1:
        about = Chunk(1, 1, "", "episodic", "prose", (), entries[0].date, "", scope=scope)
        head = [n for n in range(1, entries[0].start) if rows[n - 1].strip()]
        head = [n for n in head if not rows[n - 1].startswith("# ")]
        if head:
            found += _chunk_lines(rows, head[0], head[-1], about)
    for place, entry in enumerate(entries, 1):
        found += _chunk_entry(rows, entry, place, scope)
    return tuple(found)


def _chunk_entry(rows: list[str], entry: episodes.Episode, place: int, scope: str) -> list[Chunk]:
    more = dict(entry.fields)
    speaker, title = more.get("speaker", ""), more.get("title", "")
    about = Chunk(
        start=entry.start,
        end=entry.end,
        memory_id=entry.id,
        store="episodic",
        type=entry.type,
        tags=entry.tags,
        date=entry.date,
        text=speakers.prefix_speaker(speaker, entry.text),
        unit=more.get("session") or entry.date,
        place=place,
        speaker=speaker,
        origin=origins.read_entry(entry),
        scope=scopes.read_scope(entry.fields) or scope,
    )
    heading = title if title and title not in entry.text else ""
    if not entry.type and not about.text.strip():
        # Of what was forgotten the time is left, for others are told apart by it.
        return []
    if len(about.text) <= MOST:
        return [about.replace(text=f"{heading}\n{about.text}")] if heading else [about]
    outline = _Outline("", name=heading or f"{speaker}:" * bool(speaker))
    return _chunk_lines(rows, entry.start + 1, entry.end, about, outline)


def _chunk_sections(rows: list[str], outline: _Outline, about: Chunk) -> tuple[Chunk, ...]:
    """The pieces of a note: its sections, of which short ones share a piece, so that a note of a
    few lines is one result.
    """
    starts = _list_starts(rows, outline)
    found: list[Chunk] = []
    # Characters before each line.
    before_line = [0, *accumulate(len(row) + 1 for row in rows)]
    first = 0
    for at, start in enumerate(starts):
        end = starts[at + 1] - 1 if at + 1 < len(starts) else len(rows)
        first = first or start
        following = starts[at + 2] - 1 if at + 2 < len(starts) else len(rows)
        if at + 1 < len(starts) and before_line[following] - before_line[first - 1] <= MOST:
            continue
        found += _chunk_lines(rows, first, end, about, outline)
        first = 0
    return tuple(found)


def _list_starts(rows: list[str], outline: _Outline) -> list[int]:
    """The lines where sections begin; a heading with nothing below it begins one with the next."""
    every = [section.start for section in outline.sections]
    if not every or every[0] > outline.before + 1:
        every.insert(0, outline.before + 1)
    found: list[int] = []
    bare = False
    for start, following in zip(every, [*every[1:], len(rows) + 1], strict=True):
        if not bare:
            found.append(start)
        head, *below = rows[start - 1 : following - 1] or [""]
        bare = head.startswith("#") and not any(map(str.strip, below))
    return found


def _chunk_lines(
    rows: list[str], start: int, end: int, about: Chunk, outline: _Outline = _PLAIN
) -> list[Chunk]:
    found: list[Chunk] = []
    first = start
    while first <= end:
        size, last = 0, first - 1
        while last < end and (last < first or size + len(rows[last]) + 1 <= MOST):
            size += len(rows[last]) + 1
            last += 1
        text = "\n".join(rows[first - 1 : last]).strip()
        if _has_words(text):
            found += _cut_windows(about.replace(start=first, end=last), rows, text, outline)
        if last >= end:
            break
        again, back = last + 1, 0
        while again - 1 > first and back + len(rows[again - 2]) <= OVERLAP:
            again -= 1
            back += len(rows[again - 1])
        first = again
    return found


def _has_words(text: str) -> bool:
    """Whether a text holds a word besides headings and comments."""
    first, *commented = text.split("<!--")
    shown = first + "".join(part.partition("-->")[2] for part in commented)
    rows = (row for row in shown.split("\n") if row[:1] != "#")
    return any(any(map(str.isalnum, row)) for row in rows)


def _cut_windows(about: Chunk, rows: list[str], text: str, outline: _Outline) -> list[Chunk]:
    step = MOST - OVERLAP
    stops = range(0, max(1, len(text) - OVERLAP), step)
    said = (n for n in range(about.start, about.end + 1) if rows[n - 1].strip())
    line = next((n for n in said if not rows[n - 1].startswith("#")), about.start)
    windows = [text[at : at + MOST] for at in stops]
    heads = [outline.path(line, window) for window in windows]
    return [
        about.replace(text=f"{head}\n{window}" if head and head not in window else window)
        for head, window in zip(heads, windows, strict=True)
    ]


def _parse_front_matter(text: str) -> tuple[dict[str, str], int]:
    """The plain `key: value` lines of a note's front matter; a YAML parser costs too much."""
    block, _, before = frontmatter.split_front_matter(text)
    found: dict[str, list[str]] = {}
    last = ""
    for row in (block or "").splitlines():
        key, colon, value = row.partition(":")
        if row.lstrip().startswith("- ") and last:
            found[last].append(row.lstrip()[2:])
        elif colon and not key.startswith((" ", "#")):
            last = key.strip()
            found[last] = [value.strip().strip("\"'")]
    return {name: ",".join(values).strip(",") for name, values in found.items()}, before


def _read_origin(text: str, front: dict[str, str], kind: str) -> Origin:
    """The origin of a note; without front matter, by the comments that stand for it."""
    return origins.read_note(front or frontmatter.metadata(text), pinned=kind == "vault")


def _parse_list(value: str) -> tuple[str, ...]:
    inner = value.removeprefix("[").removesuffix("]")
    parts = (part.strip().strip("\"'") for part in inner.split(","))
    return tuple(part for part in parts if part)
