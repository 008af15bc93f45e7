"""The summary of a reflection for people, in pending-reflection.md."""

from __future__ import annotations

from molt.formats import frontmatter, lines, sections, times
from molt.formats.reflections import parts
from molt.formats.reflections.parts import Part
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

TITLE = "Reflection Summary"
REPLY = "Reply with `approve`, `approve with changes`, or `reject` to apply this reflection."
SECTIONS = {
    "knowledge": "🧠 New Knowledge Extracted",
    "connections": "🔗 New Connections",
    "archival": "📦 Proposed Archival",
    "contradictions": "⚠️ Contradictions Detected",
    "core": "✏️ Core Memory Changes",
    "evolution": "🌱 Philosophical Evolution",
    "questions": "❓ Questions for You",
}
"""The titles of a summary's sections, in order, by the names that `Summary.section` takes."""
_SECTIONS_ZH = {
    "knowledge": "🧠 新获得的知识",
    "connections": "🔗 新的联系",
    "archival": "📦 建议归档",
    "contradictions": "⚠️ 发现的矛盾",
    "core": "✏️ 核心记忆的改动",
    "evolution": "🌱 理解的演进",
    "questions": "❓ 想问你的问题",
}
TITLES = {"en": SECTIONS, "zh": _SECTIONS_ZH}
"""The same by language."""
HEADS = {"en": TITLE, "zh": "反思摘要"}
REPLIES = {
    "en": REPLY,
    "zh": "回复 `approve`（全部批准）、`approve with changes`（修改后批准）或 `reject`（拒绝）。",
}
_NUMBER = "Reflection #"
_FOOTER = (
    (_NUMBER, "number"),
    ("Token budget used", "budget"),
    ("Memories processed", "processed"),
    ("Reflections reviewed", "reviewed"),
    ("Next scheduled reflection", "following"),
)
_FOOTER_ZH = (
    ("反思编号", "number"),
    ("已用词元预算", "budget"),
    ("处理的记忆", "processed"),
    ("回顾的反思", "reviewed"),
    ("下一次反思", "following"),
)
_FOOTERS = {"en": _FOOTER, "zh": _FOOTER_ZH}
_KNOWN = {key.casefold(): name for key, name in (*_FOOTER, *_FOOTER_ZH)}
_CHINESE = frozenset(key for key, _ in _FOOTER_ZH)


class Summary(Value):
    """What a reflection tells the user. `fields` are further rows of the footer, `note` the text
    below them, `intro` the text above the first section, and `language` (`en` or `zh`) that of the
    footer.
    """

    date: str = ""
    sections: tuple[Part, ...] = ()
    number: int = 0
    budget: str = ""
    processed: str = ""
    reviewed: str = ""
    following: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    note: str = ""
    intro: str = ""
    title: str = TITLE
    language: str = "en"

    def section(self, name: str) -> str:
        """The body of a section by its name in SECTIONS or its title; empty if there is none.

        Neither case, nor the sign before the title, nor a bracket after it matters.
        """
        titles = [known.get(name, name) for known in TITLES.values()]
        wanted = {_normalize_title(title) for title in titles}
        return next(
            (one.body for one in self.sections if _normalize_title(one.title) in wanted), ""
        )


def _normalize_title(title: str) -> str:
    words = title.partition("(")[0].split()
    first = next((at for at, word in enumerate(words) if word[0].isalnum()), len(words))
    return " ".join(words[first:]).casefold()


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _body_rows(text: str) -> list[str]:
    """The bare lines below the front matter."""
    below = frontmatter.split_front_matter(text)[1].removeprefix("\ufeff")
    return [lines.strip_newline(row) for row in lines.split_lines(below)]


def _find_footer(rows: Sequence[str], hidden: Sequence[bool]) -> tuple[int, int]:
    """Where the last rule with a known field below it is, and where what it heads ends."""
    stop, seen = len(rows), False
    for at in range(len(rows) - 1, -1, -1):
        if hidden[at]:
            continue
        if rows[at].strip() == "---" and seen:
            return at, stop
        if parts.is_section(rows[at]):
            stop, seen = at, False
        found = parts.parse_field(rows[at])
        seen = seen or (found is not None and found[0].casefold() in _KNOWN)
    return len(rows), len(rows)


def parse_summary(text: str) -> Summary:
    """The summary in a text, that of a record too; never raises."""
    rows = _body_rows(text)
    hidden = sections.find_fences(rows)
    start, stop = _find_footer(rows, hidden)
    title, intro, found = parts.split_parts(
        rows[:start] + rows[stop:], hidden[:start] + hidden[stop:]
    )
    values, fields, note = _parse_footer(rows[start + 1 : stop])
    name, _, date = title.rpartition(" ")
    if not times.is_date(date):
        name, date = title, ""
    number = values.pop("number", "0")
    return Summary(
        date=date,
        sections=found,
        number=int(number),
        fields=fields,
        note=note,
        intro=intro,
        title=_clean_title(name, date) or TITLE,
        language=_find_language(rows[start + 1 : stop]),
        **values,
    )


def _clean_title(title: str, date: str) -> str:
    name = parts.heading_text(title)
    while date and name.endswith(("—", "–", "-", ":")):
        name = name[:-1].rstrip()
    return name


def _find_language(rows: Sequence[str]) -> str:
    """The language of a footer."""
    found = (parts.parse_field(row) for row in rows)
    return "zh" if any(one and one[0] in _CHINESE for one in found) else "en"


def _parse_footer(
    rows: Sequence[str],
) -> tuple[dict[str, str], tuple[tuple[str, str], ...], str]:
    values: dict[str, str] = {}
    fields: list[tuple[str, str]] = []
    note: list[str] = []
    for row in rows:
        found = parts.parse_field(row)
        if found is None:
            said = parts.to_one_line(row.removeprefix(">"))
            note += [said] if said and said != "---" else []
            continue
        key, value = found
        name = _KNOWN.get(key.casefold(), "")
        if not name or name in values or (name == "number" and not is_number(value)):
            fields.append(found)
        elif value:
            values[name] = value
    return values, tuple(fields), "\n".join(note)


def render_summary(summary: Summary) -> str:
    """The canonical text of a summary, with LF and a final newline.

    Raises ValueError when a field has no name.
    """
    date = parts.heading_text(summary.date)
    name = _clean_title(summary.title, date) or TITLE
    rows = [f"# {name} — {date}" if date else f"# {name}"]
    intro = parts.body(summary.intro)
    rows += ["", *intro] if intro else []
    rows += [*parts.section_rows(summary.sections), "", "---"]
    for key, attribute in _FOOTERS[summary.language]:
        value = parts.to_one_line(str(getattr(summary, attribute)))
        rows += [parts.render_field(key, value)] if value else []
    rows += [parts.render_field(key, value) for key, value in summary.fields]
    said = map(parts.to_one_line, summary.note.split("\n"))
    rows += [f"> {row}" for row in said if row not in ("", "---")]
    return "\n".join(rows) + "\n"
