"""What reflections have left in writing, without the words that are gone."""

from __future__ import annotations

from molt.formats import lines
from molt.formats import message as messages
from molt.formats.reflections import plan, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from molt.formats.reflections.record import ReflectionItem, ReflectionRecord

    Gone = Callable[[str], object]
    """Whether a text says what is gone; true in whatever form."""

FORGOTTEN = "forgotten"
"""The field of a record that counts the operations of which no word is left."""


def list_texts(value: object) -> Iterator[str]:
    """The texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from list_texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from list_texts(each)


def keep_rows(value: object, gone: Gone) -> object:
    """A value of JSON: of a list the rows that may stay, None for what may not."""
    if isinstance(value, list):
        return [row for row in value if not any(map(gone, list_texts(row)))]
    return None if any(map(gone, list_texts(value))) else value


def cut_rows(text: str, gone: Gone) -> str:
    """A text without the lines that say it, and without what is indented below one of them."""
    kept: list[str] = []
    depth: int | None = None
    for row in lines.split_lines(text):
        indent = len(row) - len(row.lstrip())
        if depth is not None and row.strip() and indent > depth:
            continue
        depth = indent if gone(row) else None
        if depth is None:
            kept.append(row)
    return "".join(kept)


def cut_record(text: str, gone: Gone) -> str:
    """The record of a reflection that was decided, without the operations that say it: it counts
    them, and all others stay as they were proposed and decided. As it is where nothing says it.
    """
    one = record.parse_record(text)
    items = tuple(item for item in one.items if not _says(item, gone))
    if len(items) == len(one.items) and not any(map(gone, _list_told(one, text))):
        return text
    fields = {name: keep_rows(value, gone) for name, value in one.fields}
    fields = {name: value for name, value in fields.items() if value is not None}
    left = one.replace(items=items)
    if lost := len(one.items) - len(items):
        before = fields.get(FORGOTTEN)
        fields[FORGOTTEN] = lost + (before if isinstance(before, int) else 0)
        left = left.replace(plan_hash=plan.hash_plan(filter(None, map(plan.from_item, items))))
    left = left.replace(
        by=one.by if messages.is_valid_actor(one.by) or not gone(one.by) else "",
        reason="" if gone(one.reason) else one.reason,
        fields=tuple(fields.items()),
    )
    # Keys, states and times are molt's own: a word that is one of them was not said there.
    head, rule, body = record.render_record(left).partition("\n---\n")
    return f"{head}{rule}{cut_rows(body, gone)}"


def _list_told(one: ReflectionRecord, text: str) -> Iterator[str]:
    """What a record says beside its operations: in its fields, below its front matter, and there
    in lines that molt has not written.
    """
    person = "" if messages.is_valid_actor(one.by) else one.by
    yield from list_texts([dict(one.fields), one.reason, person])
    own = frozenset(record.render_record(one).partition("\n---\n")[0].split("\n"))
    yield from (row for row in lines.bare_lines(text) if row not in own)


def _says(item: ReflectionItem, gone: Gone) -> bool:
    told = [item.summary, item.reason, list(item.evidence), list(item.files), dict(item.more)]
    return any(map(gone, list_texts(told)))
