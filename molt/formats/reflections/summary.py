"""A reflection: the summary for people in pending-reflection.md, and its record r-NNN.md."""

from __future__ import annotations

from molt.formats import document, front, ids, parts
from molt.formats.parts import Part
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FOLDER = "memory/meta/reflections/"
STATUSES = ("pending", "approved", "partial", "rejected")
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

_NUMBER = "Reflection #"
_FOOTER = (
    (_NUMBER, "number"),
    ("Token budget used", "budget"),
    ("Memories processed", "processed"),
    ("Reflections reviewed", "reviewed"),
    ("Next scheduled reflection", "following"),
)
_KNOWN = {key.casefold(): name for key, name in _FOOTER}
_HEAD = ("id", "status", "base", "plan_hash", "created", "decided", "by", "reason")


class Summary(Value):
    """What a reflection tells the user. `fields` are further rows of the footer, `note` the text
    below them, `intro` the text above the first section.
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

    def section(self, name: str) -> str:
        """The body of a section by its name in SECTIONS or its title; empty if there is none.

        Neither case, nor the sign before the title, nor a bracket after it matters.
        """
        wanted = _said(SECTIONS.get(name, name))
        return next((one.body for one in self.sections if _said(one.title) == wanted), "")


class Item(Value):
    """One operation of a plan: its number from 1, and what was decided about it (empty while
    nothing was). `more` are further keys with JSON values.
    """

    n: int
    op: str
    summary: str = ""
    evidence: tuple[str, ...] = ()
    reason: str = ""
    files: tuple[str, ...] = ()
    decision: str = ""
    more: tuple[tuple[str, object], ...] = ()


class Record(Value):
    """A reflection as it is kept: its state, its plan, and its summary. `fields` are further
    keys of the front matter with JSON values.
    """

    id: str
    status: str = "pending"
    base: str = ""
    plan_hash: str = ""
    created: str = ""
    decided: str = ""
    by: str = ""
    reason: str = ""
    items: tuple[Item, ...] = ()
    fields: tuple[tuple[str, object], ...] = ()
    summary: Summary = Summary()


def record_path(reflection: str) -> str:
    """The file of a reflection's record. Raises ValueError when it is no id `r-NNN`."""
    if not parts.is_reflection(reflection):
        raise ValueError(f"not the id of a reflection: {reflection!r}")
    return f"{FOLDER}{reflection}.md"


def _said(title: str) -> str:
    words = title.partition("(")[0].split()
    while words and not words[0][0].isalnum():
        words = words[1:]
    return " ".join(words).casefold()


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _rows(text: str) -> tuple[list[str], int]:
    """The bare lines below the front matter, and how many lines are above them."""
    _, below, before = document.split_front_matter(text)
    return [document.bare(row) for row in document.lines(below.removeprefix("\ufeff"))], before


def _footer(rows: Sequence[str], hidden: Sequence[bool]) -> tuple[int, int]:
    """Where the last rule with a known field below it is, and where what it heads ends."""
    stop, seen = len(rows), False
    for at in range(len(rows) - 1, -1, -1):
        if hidden[at]:
            continue
        if rows[at].strip() == "---" and seen:
            return at, stop
        if parts.is_section(rows[at]):
            stop, seen = at, False
        found = parts.field(rows[at])
        seen = seen or (found is not None and found[0].casefold() in _KNOWN)
    return len(rows), len(rows)


def parse_summary(text: str) -> Summary:
    """The summary in a text, that of a record too; never raises."""
    rows, _ = _rows(text)
    hidden = document.fences(rows)
    start, stop = _footer(rows, hidden)
    title, intro, found = parts.split(rows[:start] + rows[stop:], hidden[:start] + hidden[stop:])
    values, fields, note = _footer_values(rows[start + 1 : stop])
    name, _, date = title.rpartition(" ")
    if not ids.is_date(date):
        name, date = title, ""
    number = values.pop("number", "0")
    return Summary(
        date=date,
        sections=found,
        number=int(number),
        fields=fields,
        note=note,
        intro=intro,
        title=_name(name, date) or TITLE,
        **values,
    )


def _name(title: str, date: str) -> str:
    name = parts.heading(title)
    while date and name.endswith(("—", "–", "-", ":")):
        name = name[:-1].rstrip()
    return name


def _footer_values(
    rows: Sequence[str],
) -> tuple[dict[str, str], tuple[tuple[str, str], ...], str]:
    values: dict[str, str] = {}
    fields: list[tuple[str, str]] = []
    note: list[str] = []
    for row in rows:
        found = parts.field(row)
        if found is None:
            said = parts.line(row.removeprefix(">"))
            note += [said] if said and said != "---" else []
            continue
        key, value = found
        name = _KNOWN.get(key.casefold(), "")
        if not name or name in values or (name == "number" and not _digits(value)):
            fields.append(found)
        elif value:
            values[name] = value
    return values, tuple(fields), "\n".join(note)


def render_summary(summary: Summary) -> str:
    """The canonical text of a summary, with LF and a final newline.

    Raises ValueError when a field has no name.
    """
    date = parts.line(summary.date)
    name = _name(summary.title, date) or TITLE
    rows = [f"# {name} — {date}" if date else f"# {name}"]
    intro = parts.body(summary.intro)
    rows += ["", *intro] if intro else []
    rows += [*parts.section_rows(summary.sections), "", "---"]
    for key, attribute in _FOOTER:
        value = parts.line(str(getattr(summary, attribute)))
        rows += [parts.field_row(key, value)] if value else []
    rows += [parts.field_row(key, value) for key, value in summary.fields]
    said = map(parts.line, summary.note.split("\n"))
    rows += [f"> {row}" for row in said if row not in ("", "---")]
    return "\n".join(rows) + "\n"


def set_footer(text: str, key: str, value: str) -> str:
    """The summary or record with a field of its footer set, which is made if there is none.

    Raises ValueError when the field has no name.
    """
    fresh = [parts.field_row(key, value)]
    name, _ = wanted = parts.field(fresh[0]) or (key, value)
    rows, before = _rows(text)
    start, stop = _footer(rows, document.fences(rows))
    if start == len(rows):
        # Without a known field a rule is none of a footer.
        number = [] if name.casefold() in _KNOWN else [parts.field_row(_NUMBER, "0")]
        gap = [""] if rows and rows[-1].strip() else []
        end = before + len(rows)
        return document.splice(text, end, end, [*gap, "---", *number, *fresh])
    after = start + 1
    for at in range(start + 1, stop):
        found = parts.field(rows[at])
        after = at + 1 if found else after
        if found and found[0].casefold() == name.casefold():
            at += before
            return text if found == wanted else document.splice(text, at, at + 1, fresh)
    return document.splice(text, before + after, before + after, fresh)


def _json(value: object) -> str:
    """JSON on one line that is YAML too."""
    import json

    text = json.dumps(value, ensure_ascii=False, default=str)
    if text.isprintable():
        return text
    return "".join(f"\\u{ord(c):04x}" if document.is_control(c) else c for c in text)


def _from_json(text: str) -> object:
    """What a row of JSON says; None for other text."""
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _text(value: object) -> str:
    return "" if value is None or isinstance(value, list | dict) else parts.line(str(value))


def _texts(value: object) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    return tuple(text for text in map(_text, found) if text)


def _item(data: Mapping[str, object]) -> Item:
    number = _text(data.get("n"))
    return Item(
        n=int(number) if _digits(number) else 0,
        op=_text(data.get("op")),
        summary=_text(data.get("summary")),
        evidence=_texts(data.get("evidence")),
        reason=_text(data.get("reason")),
        files=_texts(data.get("files")),
        decision=_text(data.get("decision")),
        more=tuple((key, value) for key, value in data.items() if key not in Item._fields),
    )


def render_item(item: Item) -> str:
    """An operation as one line of JSON; its own texts are one line, further values as given."""
    data: dict[str, object] = {
        "n": item.n,
        "op": parts.line(item.op),
        "summary": parts.line(item.summary),
        "evidence": list(_texts(list(item.evidence))),
        "reason": parts.line(item.reason),
        "files": list(_texts(list(item.files))),
        "decision": parts.line(item.decision),
    }
    return _json(data | {key: value for key, value in item.more if key not in data})


def _item_lines(text: str) -> tuple[int, int]:
    """The lines of `items` in the front matter, from 0, exclusive; both 0 if there are none."""
    _, _, before = document.split_front_matter(text)
    rows = [document.bare(row) for row in document.lines(text)[: max(before - 1, 0)]]
    for start in range(1, len(rows)):
        if rows[start].partition(":")[0] == "items":
            stop = start + 1
            while stop < len(rows) and rows[stop].startswith((" ", "\t", "- ")):
                stop += 1
            return start, stop
    return 0, 0


def _data(text: str) -> dict[str, object]:
    """The front matter, its items read as the JSON they are where they are; empty if broken."""
    start, stop = _item_lines(text)
    rows = document.lines(text)
    found = [_from_json(row.strip().removeprefix("-")) for row in rows[start + 1 : stop]]
    ours = bool(found) and all(isinstance(one, dict) for one in found)
    try:
        if not ours:
            return document.front_matter(text)
        data = document.front_matter("".join(rows[:start] + rows[stop:]))
    except ValueError:
        return {"items": found} if ours else {}
    return data | {"items": found}


def parse_record(text: str) -> Record:
    """The record in a text; never raises. Front matter that is no YAML counts as empty, but for
    the items that can be read.
    """
    data = _data(text)
    items = data.get("items")
    known = items if isinstance(items, list) else []
    head = {key: _text(data.get(key)) for key in _HEAD}
    return Record(
        **head | {"status": head["status"] or "pending"},
        items=tuple(_item(one) for one in known if isinstance(one, dict)),
        fields=tuple((key, data[key]) for key in data if key not in (*_HEAD, "items")),
        summary=parse_summary(text),
    )


def _field_name(key: str) -> str:
    word = key.replace("_", "a").replace("-", "a")
    plain = key[:1].isalpha() and word.isascii() and word.isalnum()
    # YAML takes no key of more than 1024 characters.
    return key if plain and key.lower() not in document.YAML_WORDS else _json(key[:500])


def render_record(record: Record) -> str:
    """The canonical text of a record, with LF and a final newline.

    Raises ValueError when its id is none, or a field of its summary has no name.
    """
    record_path(record.id)
    rows = [f"{key}: {front.render(parts.line(getattr(record, key)))}" for key in _HEAD]
    rows += [f"{_field_name(key)}: {_json(value)}" for key, value in record.fields]
    rows += _items(record.items)
    return "\n".join(["---", *rows, "---", render_summary(record.summary)])


def _items(items: Sequence[Item]) -> list[str]:
    return ["items:", *(f"  - {render_item(one)}" for one in items)] if items else ["items: []"]


def set_decision(
    text: str,
    status: str,
    decided: str,
    by: str,
    reason: str = "",
    decisions: Mapping[int, str] | None = None,
) -> str:
    """The record with what was decided: about all of it, and about items by their number.

    Items that are not named stay as they are. Raises ValueError for an unknown status.
    """
    if status not in STATUSES:
        raise ValueError(f"unknown status {status!r}; one of {', '.join(STATUSES)}")
    values = {"status": status, "decided": decided, "by": by, "reason": reason}
    for key, value in values.items():
        text = front.set_field(text, key, parts.line(value))
    return _decide(text, decisions or {})


def _decide(text: str, decisions: Mapping[int, str]) -> str:
    wanted = {one.n: one for one in parse_record(text).items if one.n in decisions}
    start, stop = _item_lines(text)
    rows = document.lines(text)
    for at in range(start + 1, stop):
        row = document.bare(rows[at])
        mark = row[: row.find("{")]
        data = _from_json(row[len(mark) :])
        if not isinstance(data, dict) or mark.strip() != "-" or _item(data).n not in wanted:
            continue
        decision = parts.line(decisions[wanted.pop(_item(data).n).n])
        if _item(data).decision != decision:
            fresh = f"{mark}{_json(data | {'decision': decision})}"
            text = document.splice(text, at, at + 1, [fresh])
    return _rewrite(text, decisions) if wanted else text


def _rewrite(text: str, decisions: Mapping[int, str]) -> str:
    """The record with all items in the canonical form, where they are in another form of YAML."""
    items = parse_record(text).items
    decided = [one.replace(decision=decisions.get(one.n, one.decision)) for one in items]
    start, stop = _item_lines(text)
    return document.splice(text, start, stop, _items(decided)) if start else text
