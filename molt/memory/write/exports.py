"""What other programs hand out, told by its content: conversations of ChatGPT and Claude, memories
of mem0, transcripts of Claude Code, OpenClaw and Codex. Each becomes the records that an import
reads.
"""

from __future__ import annotations

import datetime

from molt.formats import times
from molt.memory.talks import transcripts
from molt.memory.write import import_keys
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    Rows = Iterator[dict[str, str]]

_MOST_LINES = 20
"""Lines before the first one that names its session: summaries and snapshots of files."""


class Export(Value):
    """What was recognised: the name of its program, and its records (`id`, `text`, `date`,
    `session`, `speaker`, `title`, and `key`, the id that is the program's own), in order.
    """

    program: str
    rows: tuple[dict[str, str], ...]


def read_export(data: object, zone: datetime.tzinfo) -> Export | None:
    """The records of a JSON document; None for one of no program that is known."""
    found = data.get("results", data.get("memories", data)) if isinstance(data, dict) else data
    if not isinstance(found, list):
        return None
    items = [one for one in found if isinstance(one, dict)]
    for program, mark, read in _KNOWN:
        if items and all(mark <= one.keys() for one in items):
            rows = (row for number, one in enumerate(items, 1) for row in read(one, number, zone))
            return Export(program, tuple(row for row in rows if row["text"].strip()))
    return None


def read_transcript(lines: Sequence[str], session: str) -> Export | None:
    """The turns of a transcript, a line each; None where no line is one. Of one that an agent had
    with another there are none.
    """
    origin = transcripts.read_origin(lines[0]) if lines else None
    if origin is not None and not origin.by_user:
        return Export("a transcript", ())
    if not import_keys.find_session_id(session):
        session = _find_session(lines) or session
    turns = [transcripts.parse_turn(line, number) for number, line in enumerate(lines, 1)]
    rows = tuple(
        {
            "id": str(one.line),
            "key": import_keys.make_turn_key(session, str(one.line)),
            "text": one.text,
            "date": one.date,
            "session": session,
            "speaker": one.role,
        }
        for one in turns
        if one is not None and one.date
    )
    return Export("a transcript", rows) if rows else None


def _find_session(lines: Sequence[str]) -> str:
    """The id of a session in its own words; empty where the beginning of it says none."""
    found = (transcripts.read_session(line) for line in lines[:_MOST_LINES])
    return next((one for one in found if one), "")


def _read_chatgpt(talk: dict[str, Any], number: int, zone: datetime.tzinfo) -> Rows:
    """The turns of a conversation of ChatGPT, on the branch that was shown last."""
    mapping = talk["mapping"] if isinstance(talk["mapping"], dict) else {}
    session = str(talk.get("id") or talk.get("conversation_id") or number)
    title = str(talk.get("title") or "")
    for name, node in _follow_branch(mapping, str(talk.get("current_node") or "")):
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        author = message.get("author")
        role = author.get("role") if isinstance(author, dict) else ""
        second = message.get("create_time") or talk.get("create_time")
        if role in ("user", "assistant"):
            yield {
                "id": name,
                "key": name,
                "text": _join_parts(message.get("content")),
                "date": _render_date(second, zone),
                "session": session,
                "speaker": role,
                "title": title,
            }


def _follow_branch(mapping: dict[str, Any], last: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The nodes that lead to the last one, the first of them first; all where none is named."""
    if last not in mapping:
        yield from ((name, node) for name, node in mapping.items() if isinstance(node, dict))
        return
    way: dict[str, dict[str, Any]] = {}
    at = last
    while at in mapping and at not in way and isinstance(mapping[at], dict):
        way[at] = mapping[at]
        at = str(mapping[at].get("parent") or "")
    yield from reversed(way.items())


def _read_claude(talk: dict[str, Any], number: int, zone: datetime.tzinfo) -> Rows:
    turns = talk["chat_messages"] if isinstance(talk["chat_messages"], list) else []
    for at, turn in enumerate(turns, 1):
        if not isinstance(turn, dict):
            continue
        text = turn.get("text")
        said = text if isinstance(text, str) and text.strip() else _join_parts(turn.get("content"))
        yield {
            "id": str(turn.get("uuid") or f"{number}-{at}"),
            "key": str(turn.get("uuid") or ""),
            "text": said,
            "date": _render_date(turn.get("created_at") or talk.get("created_at"), zone),
            "session": str(talk.get("uuid") or number),
            "speaker": {"human": "user"}.get(str(turn.get("sender")), "assistant"),
            "title": str(talk.get("name") or ""),
        }


def _read_mem0(one: dict[str, Any], number: int, zone: datetime.tzinfo) -> Rows:
    yield {
        "id": str(one.get("id") or number),
        "key": str(one.get("id") or ""),
        "text": str(one["memory"] or ""),
        "date": _render_date(one.get("created_at"), zone),
        "session": str(one.get("run_id") or ""),
        "speaker": "",
        "title": "",
    }


_KNOWN: tuple[tuple[str, frozenset[str], Callable[..., Rows]], ...] = (
    ("ChatGPT", frozenset(("mapping",)), _read_chatgpt),
    ("Claude", frozenset(("chat_messages",)), _read_claude),
    ("mem0", frozenset(("memory",)), _read_mem0),
)
"""By program: the keys that each of its records has, and how one is read."""


def _join_parts(content: object) -> str:
    """The text of a message, whose parts may be images and calls of tools as well."""
    parts = content.get("parts", [content.get("text")]) if isinstance(content, dict) else content
    if isinstance(parts, str):
        return parts
    said = []
    for part in parts if isinstance(parts, list) else ():
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str) and text.strip():
            said.append(text)
    return "\n".join(said)


def _render_date(stamp: object, zone: datetime.tzinfo) -> str:
    """A time, in seconds or as ISO text, as `YYYY-MM-DDTHH:MM` of a zone; empty for none."""
    try:
        if isinstance(stamp, int | float) and not isinstance(stamp, bool):
            # A number of seconds that no year here has is one of milliseconds.
            second = stamp / 1000 if stamp > times.LATEST else stamp
            found = datetime.datetime.fromtimestamp(second, datetime.UTC)
        else:
            found = datetime.datetime.fromisoformat(str(stamp))
            found = found if found.tzinfo else found.replace(tzinfo=zone)
        return found.astimezone(zone).strftime("%Y-%m-%dT%H:%M")
    except (ValueError, OverflowError, OSError):
        return ""
