"""The record of one reflection, r-NNN.md: its items and what was decided."""

from __future__ import annotations

from molt.formats import frontmatter, lines
from molt.formats.reflections import parts, refs
from molt.formats.reflections.summary import Summary, is_number, parse_summary, render_summary
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FOLDER = refs.RECORDS
STATUSES = ("pending", "approved", "partial", "rejected", "reverted")
ANSWERS = "answers"
"""The field of an episode that says which question of a record it answers, as `r-003#4`."""
_HEAD = ("id", "status", "base", "plan_hash", "created", "decided", "by", "reason")


class ReflectionItem(Value):
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


class ReflectionRecord(Value):
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
    items: tuple[ReflectionItem, ...] = ()
    fields: tuple[tuple[str, object], ...] = ()

    @property
    def known_base(self) -> str:
        """The commit whose episodes were read. It is older than `base` where the branch was made
        anew on a later one: what came in between nobody has read.
        """
        found = dict(self.fields).get("read")
        return found if isinstance(found, str) else self.base

    summary: Summary = Summary()


def record_path(reflection: str) -> str:
    """The file of a reflection's record. Raises ValueError when it is no id `r-NNN`."""
    if not parts.is_reflection_id(reflection):
        raise ValueError(f"not the id of a reflection: {reflection!r}")
    return f"{FOLDER}{reflection}.md"


def _dump_json(value: object) -> str:
    """JSON on one line that is YAML too."""
    import json

    text = json.dumps(value, ensure_ascii=False, default=str)
    if text.isprintable():
        return text
    return "".join(f"\\u{ord(c):04x}" if lines.is_control(c) else c for c in text)


def _parse_json(text: str) -> object:
    """What a row of JSON says; None for other text."""
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _to_text(value: object) -> str:
    return "" if value is None or isinstance(value, list | dict) else parts.to_one_line(str(value))


def _to_texts(value: object) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    return tuple(text for text in map(_to_text, found) if text)


def _parse_item(data: Mapping[str, object]) -> ReflectionItem:
    number = _to_text(data.get("n"))
    return ReflectionItem(
        n=int(number) if is_number(number) else 0,
        op=_to_text(data.get("op")),
        summary=_to_text(data.get("summary")),
        evidence=_to_texts(data.get("evidence")),
        reason=_to_text(data.get("reason")),
        files=_to_texts(data.get("files")),
        decision=_to_text(data.get("decision")),
        more=tuple(
            (key, value) for key, value in data.items() if key not in ReflectionItem._fields
        ),
    )


def render_item(item: ReflectionItem) -> str:
    """An operation as one line of JSON; its own texts are one line, further values as given."""
    data: dict[str, object] = {
        "n": item.n,
        "op": parts.to_one_line(item.op),
        "summary": parts.to_one_line(item.summary),
        "evidence": list(_to_texts(list(item.evidence))),
        "reason": parts.to_one_line(item.reason),
        "files": list(_to_texts(list(item.files))),
        "decision": parts.to_one_line(item.decision),
    }
    return _dump_json(data | {key: value for key, value in item.more if key not in data})


def _find_item_lines(text: str) -> tuple[int, int]:
    """The lines of `items` in the front matter, from 0, exclusive; both 0 if there are none."""
    _, _, before = frontmatter.split_front_matter(text)
    rows = [lines.strip_newline(row) for row in lines.split_lines(text)[: max(before - 1, 0)]]
    for start in range(1, len(rows)):
        if rows[start].partition(":")[0] == "items":
            stop = start + 1
            while stop < len(rows) and rows[stop].startswith((" ", "\t", "- ")):
                stop += 1
            return start, stop
    return 0, 0


def _read_front_matter(text: str) -> dict[str, object]:
    """The front matter, its items read as the JSON they are where they are; empty if broken."""
    start, stop = _find_item_lines(text)
    rows = lines.split_lines(text)
    found = [_parse_json(row.strip().removeprefix("-")) for row in rows[start + 1 : stop]]
    ours = bool(found) and all(isinstance(one, dict) for one in found)
    try:
        if not ours:
            return frontmatter.front_matter(text)
        data = _read_head(rows[:start] + rows[stop:])
    except ValueError:
        return {"items": found} if ours else {}
    return data | {"items": found}


def _read_head(rows: list[str]) -> dict[str, object]:
    """Front matter, of which lists and mappings on a line are read as the JSON they are: YAML takes
    longer to import than all else to be read. Raises ValueError when the rest is no YAML.
    """
    known: dict[str, object] = {}
    for at, row in enumerate(rows):
        key, _, rest = row.partition(": ")
        if key.isidentifier() and rest.startswith(("[", "{")):
            value = _parse_json(rest)
            if value is not None:
                known[key], rows[at] = value, f"{key}: 0\n"
        elif row.startswith("---") and at:
            break
    return frontmatter.front_matter("".join(rows)) | known


def parse_record(text: str) -> ReflectionRecord:
    """The record in a text; never raises. Front matter that is no YAML counts as empty, but for
    the items that can be read.
    """
    data = _read_front_matter(text)
    items = data.get("items")
    known = items if isinstance(items, list) else []
    head = {key: _to_text(data.get(key)) for key in _HEAD}
    return ReflectionRecord(
        **head | {"status": head["status"] or "pending"},
        items=tuple(_parse_item(one) for one in known if isinstance(one, dict)),
        fields=tuple((key, data[key]) for key in data if key not in (*_HEAD, "items")),
        summary=parse_summary(text),
    )


def _render_key(key: str) -> str:
    word = key.replace("_", "a").replace("-", "a")
    plain = key[:1].isalpha() and word.isascii() and word.isalnum()
    # YAML takes no key of more than 1024 characters.
    return key if plain and key.lower() not in frontmatter.YAML_WORDS else _dump_json(key[:500])


def render_record(record: ReflectionRecord) -> str:
    """The canonical text of a record, with LF and a final newline.

    Raises ValueError when its id is none, or a field of its summary has no name.
    """
    record_path(record.id)
    rows = [
        f"{key}: {frontmatter.render(parts.to_one_line(getattr(record, key)))}" for key in _HEAD
    ]
    rows += [f"{_render_key(key)}: {_dump_json(value)}" for key, value in record.fields]
    rows += _render_items(record.items)
    return "\n".join(["---", *rows, "---", render_summary(record.summary)])


def _render_items(items: Sequence[ReflectionItem]) -> list[str]:
    return ["items:", *(f"  - {render_item(one)}" for one in items)] if items else ["items: []"]


class Decision(Value):
    """What was decided about a record, when (an ISO time), by whom and why; the fields are called
    like those of the record that hold them.
    """

    status: str
    decided: str
    by: str
    reason: str = ""


def set_decision(text: str, decision: Decision) -> str:
    """The record with what was decided about all of it. Raises ValueError for an unknown status."""
    if decision.status not in STATUSES:
        raise ValueError(f"unknown status {decision.status!r}; one of {', '.join(STATUSES)}")
    for key, value in decision.asdict().items():
        text = frontmatter.set_field(text, key, parts.to_one_line(value))
    return text


def set_answer(text: str, number: int, answer: str, day: str) -> str:
    """The record with what a person answered to an item on a day, in place of an older answer;
    as it is where no item has that number.
    """
    items = parse_record(text).items
    fresh = (("answer", parts.to_one_line(answer)), ("answered", day))
    answered = [
        one.replace(more=tuple({**dict(one.more), **dict(fresh)}.items()))
        if one.n == number
        else one
        for one in items
    ]
    start, stop = _find_item_lines(text)
    if not start or answered == list(items):
        return text
    return lines.splice_lines(text, start, stop, _render_items(answered))
