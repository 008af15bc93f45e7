"""Files that grow by what was done: reflection-log.md, evolution.md and audit-archive.md."""

from __future__ import annotations

from molt.formats import frontmatter, lines, months, paths, sections, times
from molt.formats.bullets import add_bullet, bullets
from molt.formats.reflections import parts
from molt.formats.reflections.parts import Part
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LOG = "memory/meta/reflection-log.md"
EVOLUTION = "memory/meta/evolution.md"
ARCHIVE = paths.AUDIT_ARCHIVE
LOG_TITLE = "# Reflection Log"
EVOLUTION_TITLE = "Evolution"
THREADS, INSIGHTS, MILESTONES = EVOLUTION_SECTIONS = ("Threads", "Insights", "Milestones")
_SUMMARY, _EVENTS = "Summary", "Notable Events"


class ReflectionEntry(Value):
    """One decided reflection: how many of its operations were applied, by whom, what was not
    (`3 (reason)`), and what it taught. `fields` are further bullets.
    """

    id: str
    date: str = ""
    status: str = ""
    applied: int = 0
    total: int = 0
    by: str = ""
    operations: str = ""
    rejected: tuple[str, ...] = ()
    insights: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()


class Insight(Value):
    """What a reflection understood; its date and reflection are empty where none is told."""

    text: str
    date: str = ""
    reflection: str = ""


class Evolution(Value):
    """The long arc. `more` are further sections, `intro` the text above the first."""

    threads: tuple[str, ...] = ()
    insights: tuple[Insight, ...] = ()
    milestones: tuple[str, ...] = ()
    more: tuple[Part, ...] = ()
    intro: str = ""
    title: str = EVOLUTION_TITLE


class Digest(Value):
    """The audit log of one month (`2026-01`) in a few lines."""

    month: str
    summary: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


def _bare_lines(text: str) -> list[str]:
    return [lines.strip_newline(row) for row in lines.split_lines(text)]


def _append_block(text: str, block: str) -> str:
    end = lines.detect_newline(text)
    before = text if text.endswith("\n") else f"{text}{end}"
    return before + f"\n{block}".replace("\n", end)


def parse_log(text: str) -> tuple[ReflectionEntry, ...]:
    """The entries of reflection-log.md, in order; what is none is left out. Never raises."""
    found: list[tuple[str, list[str]]] = []
    inside = False
    for row in _bare_lines(text):
        if parts.is_section(row):
            title = row[2:].strip()
            inside = parts.is_reflection_id(title.partition("|")[0].strip())
            found += [(title, [])] if inside else []
        elif inside:
            found[-1][1].append(row)
    return tuple(_parse_entry(title, rows) for title, rows in found)


def listed_ids(text: str) -> frozenset[str]:
    """The ids of the reflections that reflection-log.md lists."""
    return frozenset(one.id for one in parse_log(text))


def _parse_counts(text: str) -> tuple[int, int] | None:
    done, of, every = text.partition(" of ")
    numbers = (done.strip(), every.strip())
    if not of or not all(one.isascii() and one.isdigit() and len(one) < 10 for one in numbers):
        return None
    return int(numbers[0]), int(numbers[1])


def _parse_entry(title: str, rows: Sequence[str]) -> ReflectionEntry:
    reflection, *others = (parts.to_one_line(one) for one in title.split("|"))
    date, status, counts = "", "", (0, 0)
    for one in others:
        if times.is_date(one) and not date:
            date = one
        elif numbers := _parse_counts(one):
            counts = numbers
        else:
            status = status or one
    pairs = _parse_fields(rows)
    return ReflectionEntry(
        id=reflection,
        date=date,
        status=status,
        applied=counts[0],
        total=counts[1],
        by=next(iter(_values_of(pairs, "by")), ""),
        operations=next(iter(_values_of(pairs, "operations")), ""),
        rejected=_values_of(pairs, "rejected"),
        insights=_values_of(pairs, "insight"),
        fields=_other_fields(pairs),
    )


def _parse_fields(rows: Sequence[str]) -> list[tuple[str, str]]:
    """The bullets of an entry; an indented line goes on with the bullet before it."""
    pairs: list[tuple[str, str]] = []
    for row in rows:
        found = parts.parse_field(row[2:].lstrip()) if row.startswith(("- ", "* ", "+ ")) else None
        if found:
            pairs.append(found)
        elif pairs and row.startswith((" ", "\t")) and row.strip():
            pairs[-1] = (pairs[-1][0], parts.to_one_line(f"{pairs[-1][1]} {row}"))
    return pairs


def _values_of(pairs: Iterable[tuple[str, str]], name: str) -> tuple[str, ...]:
    return tuple(value for key, value in pairs if key.casefold() == name and value)


def _other_fields(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Bullets of unknown keys, and what is said a second time where it can be said once."""
    seen: set[str] = set()
    kept: list[tuple[str, str]] = []
    for key, value in pairs:
        name = key.casefold()
        if name in ("rejected", "insight") or (name in ("by", "operations") and not value):
            continue
        if name in ("by", "operations") and name not in seen:
            seen.add(name)
        else:
            kept.append((key, value))
    return tuple(kept)


def render_entry(entry: ReflectionEntry) -> str:
    """The canonical text of an entry; each value is one line.

    Raises ValueError when its id is none, or a field has no name.
    """
    if not parts.is_reflection_id(entry.id):
        raise ValueError(f"not the id of a reflection: {entry.id!r}")
    words = (parts.heading_text(one.replace("|", "/")) for one in (entry.date, entry.status))
    counts = f"{entry.applied} of {entry.total}"
    pairs = [("By", entry.by), ("Operations", entry.operations)]
    pairs += [("Rejected", one) for one in entry.rejected]
    pairs += [("Insight", one) for one in entry.insights]
    rows = [f"## {' | '.join(one for one in (entry.id, *words, counts) if one)}"]
    rows += [
        f"- {parts.render_field(key, value)}" for key, value in pairs if parts.to_one_line(value)
    ]
    rows += [f"- {parts.render_field(key, value)}" for key, value in entry.fields]
    return "\n".join(rows) + "\n"


def render_log(entries: Sequence[ReflectionEntry]) -> str:
    """The canonical text of reflection-log.md. Raises ValueError as `render_entry` does."""
    return "\n".join((f"{LOG_TITLE}\n", *map(render_entry, entries)))


def append_entry(text: str | None, entry: ReflectionEntry) -> str:
    """The log with an entry at its end; the text before is its prefix, and all of it when the
    reflection is listed. Raises ValueError as `render_entry` does.
    """
    fresh = render_entry(entry)
    text = text or f"{LOG_TITLE}\n"
    return text if entry.id in listed_ids(text) else _append_block(text, fresh)


def append_reversal(text: str, entry: ReflectionEntry) -> str:
    """The log with an entry at its end that says of a reflection which it lists that it was taken
    back. Raises ValueError as `render_entry` does.
    """
    return _append_block(text or f"{LOG_TITLE}\n", render_entry(entry))


def parse_evolution(text: str) -> Evolution:
    """The long arc in evolution.md; never raises. Only the bullets of its sections count."""
    _, below, _ = frontmatter.split_front_matter(text)
    rows = _bare_lines(below.removeprefix("\ufeff"))
    title, intro, found = parts.split_parts(rows, sections.find_fences(rows))
    lists = {name: _section_items(below, name) for name in EVOLUTION_SECTIONS}
    return Evolution(
        threads=lists[THREADS],
        insights=tuple(map(_parse_insight, lists[INSIGHTS])),
        milestones=lists[MILESTONES],
        more=_further_sections(found),
        intro=intro,
        title=parts.heading_text(title) or EVOLUTION_TITLE,
    )


def _section_items(text: str, title: str) -> tuple[str, ...]:
    said = (parts.to_one_line(one.text) for one in bullets(text, title))
    return tuple(one for one in said if one)


def _further_sections(found: Iterable[Part]) -> tuple[Part, ...]:
    known = {name.casefold() for name in EVOLUTION_SECTIONS}
    more: list[Part] = []
    for one in found:
        if one.title.casefold() in known:
            known.remove(one.title.casefold())
        else:
            more.append(one)
    return tuple(more)


def _parse_insight(text: str) -> Insight:
    head, colon, said = text.partition(":")
    date, _, source = head.strip().partition(" ")
    reflection = source.strip().removeprefix("(").removesuffix(")")
    fits = times.is_date(date) and (not source or parts.is_reflection_id(reflection))
    return Insight(parts.to_one_line(said), date, reflection) if colon and fits else Insight(text)


def _render_insight(one: Insight) -> str:
    source = f" ({one.reflection})" if parts.is_reflection_id(one.reflection) else ""
    # Without a date there is no place for the reflection either.
    head = f"{one.date}{source}: " if times.is_date(one.date) else ""
    return parts.to_one_line(f"{head}{one.text}") if parts.to_one_line(one.text) else ""


def render_evolution(evolution: Evolution) -> str:
    """The canonical text of evolution.md, with LF and a final newline; bullets are one line."""
    rows = [f"# {parts.heading_text(evolution.title) or EVOLUTION_TITLE}"]
    intro = parts.body(evolution.intro)
    rows += ["", *intro] if intro else []
    insights = map(_render_insight, evolution.insights)
    for title, said in zip(
        EVOLUTION_SECTIONS, (evolution.threads, insights, evolution.milestones), strict=True
    ):
        rows += ["", f"## {title}", *(f"- {one}" for one in map(parts.to_one_line, said) if one)]
    return "\n".join([*rows, *parts.section_rows(evolution.more)]) + "\n"


def _add_item(text: str | None, title: str, item: str) -> str:
    text = text or render_evolution(Evolution())
    said = parts.to_one_line(item)
    # Looked up as a row too: below an open code block no list is found, and the row would be
    # added each time.
    if not said or f"- {said}" in _bare_lines(text):
        return text
    return add_bullet(text, title, said, EVOLUTION_SECTIONS)


def add_insight(text: str | None, insight: Insight) -> str:
    """The file with an insight at the end of its list; unchanged if it is known or empty."""
    return _add_item(text, INSIGHTS, _render_insight(insight))


def add_thread(text: str | None, thread: str) -> str:
    """The file with a thread at the end of its list; unchanged if it is known or empty."""
    return _add_item(text, THREADS, thread)


def add_milestone(text: str | None, milestone: str) -> str:
    """The file with a milestone at the end of its list; unchanged if it is known or empty."""
    return _add_item(text, MILESTONES, milestone)


def parse_archive(text: str) -> tuple[Digest, ...]:
    """The digests of audit-archive.md, in order; what is none is left out. Never raises."""
    found: list[tuple[str, list[str]]] = []
    for row in _bare_lines(text):
        if row.startswith("# "):
            found.append((months.parse_heading(row), []))
        elif found:
            found[-1][1].append(row)
    digests = ((month, "\n".join(rows)) for month, rows in found if month)
    return tuple(
        Digest(one, _section_items(said, _SUMMARY), _section_items(said, _EVENTS))
        for one, said in digests
    )


def render_digest(digest: Digest) -> str:
    """The canonical text of a digest. Raises ValueError when its month is none."""
    if not times.is_date(f"{digest.month}-01"):
        raise ValueError(f"not a month: {digest.month!r}")
    rows = [months.render_heading(digest.month)]
    for title, said in ((_SUMMARY, digest.summary), (_EVENTS, digest.events)):
        rows += ["", f"## {title}", *(f"- {one}" for one in map(parts.to_one_line, said) if one)]
    return "\n".join(rows) + "\n"


def append_digest(text: str | None, digest: Digest) -> str:
    """The archive with a digest at its end; the text before is its prefix, and all of it when
    it has one of that month. Raises ValueError as `render_digest` does.
    """
    fresh = render_digest(digest)
    if not text:
        return fresh
    known = {one.month for one in parse_archive(text)}
    return text if digest.month in known else _append_block(text, fresh)
