"""A transcript: a file of JSON lines to which turns and compactions are appended."""

from __future__ import annotations

import json
import os

from molt import errors, untrusted
from molt.hosts.conversations import repair
from molt.repo import disk
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any, BinaryIO

MOST_TURN = 1 << 20
"""Bytes of one turn: the longest results of tools are cut by hosts at a tenth of it."""
MOST_BYTES = 64 << 20
"""Bytes of a transcript, from which on a new one is begun: forty times the largest window."""
_LONGEST = 8 * MOST_TURN
"""Bytes of a line: of a turn, a character may take six in JSON."""
SUMMARY = "Summary of the conversation so far:"


class TranscriptText(Value):
    """What a transcript says since the last compaction: its lines that are whole, in order, that
    compaction and what it kept first; and how many lines are broken in all of it.
    """

    entries: tuple[dict[str, Any], ...]
    broken: int


def parse_message(data: bytes) -> dict[str, Any]:
    """A turn as a host gives it: `role` (user, assistant, toolResult) and `content`, a text or
    a list of blocks with a `type`. Raises Usage for everything else.
    """
    if len(data) > MOST_TURN:
        raise errors.Usage(f"over {MOST_TURN:,} bytes in one turn", "cut what the tool said")
    try:
        found = untrusted.parse_json(data)
    except ValueError as error:
        raise errors.Usage(f"the turn is no JSON: {error}", _EXAMPLE) from error
    if not isinstance(found, dict) or not _is_message(found):
        raise errors.Usage("a turn has a role and a content", _EXAMPLE)
    return found


_EXAMPLE = 'such as {"role": "user", "content": "Good morning"}; docs/hosts.md has the others'


def _is_message(found: dict[str, Any]) -> bool:
    role, content = found.get("role"), found.get("content")
    if role not in repair.ROLES:
        return False
    if role == repair.RESULT and not isinstance(found.get("toolCallId"), str):
        return False
    if isinstance(content, list):
        return bool(content) and all(map(_is_block, content))
    return isinstance(content, str)


def _is_block(block: object) -> bool:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        return False
    return block["type"] != "toolCall" or isinstance(block.get("id"), str)


def render_entry(kind: str, now: datetime, fields: dict[str, Any]) -> bytes:
    """A line of a transcript, with an id of its own. Raises Usage for what JSON cannot say."""
    stamp = now.isoformat(timespec="milliseconds")
    entry = {"type": kind, "id": os.urandom(4).hex(), "timestamp": stamp, **fields}
    try:
        return json.dumps(entry, separators=(",", ":")).encode() + b"\n"
    except RecursionError as error:
        raise errors.Usage("the turn is nested too deeply", "give its content as a text") from error


def find_end(path: str) -> int:
    """Where the next line of a transcript begins: its size, 0 where there is none."""
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def append_line(path: str, start: int, line: bytes) -> int:
    """Append a line at the end of a transcript, which is at `start`; gives where it ends then.

    A last line without an end, by a disk that was lost or an editor, stays a line of its own.
    Raises Failed where the file cannot be written.
    """
    try:
        with open(_open_file(path, os.O_CREAT | os.O_RDWR), "r+b") as file:
            file.seek(max(0, start - 1))
            if file.read(1) not in (b"\n", b""):
                line = b"\n" + line
            file.seek(start)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise disk.unwritable_error(path, error) from error
    return start + len(line)


def cut_text(path: str, size: int) -> None:
    """Cut a transcript to a size, where it is longer. Raises Failed where that cannot be done."""
    try:
        with open(_open_file(path, os.O_RDWR), "r+b") as file:
            if os.fstat(file.fileno()).st_size > size:
                file.truncate(size)
    except FileNotFoundError:
        return
    except OSError as error:
        raise disk.unwritable_error(path, error) from error


def _open_file(path: str, how: int) -> int:
    """Open a transcript: no link to a file elsewhere, and nothing that one waits for."""
    return os.open(path, how | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)


def read_text(path: str, limit: int | None) -> TranscriptText:
    """What the lines of a transcript say, those in the first `limit` bytes where that is a number;
    nothing where there is no file. Raises Failed.
    """
    entries: list[dict[str, Any]] = []
    broken = 0
    try:
        with open(_open_file(path, os.O_RDONLY), "rb") as file:
            for row in _read_rows(file, limit):
                entry = _parse_entry(row)
                if entry is None:
                    broken += 1
                elif entry["type"] == "compaction":
                    # What a summary stands for is never asked for again.
                    entries = [entry, *_find_kept(entries, entry.get("firstKeptEntryId"))]
                else:
                    entries.append(entry)
    except FileNotFoundError:
        return TranscriptText((), 0)
    except OSError as error:
        raise errors.Failed(f"cannot read {path}: {error.strerror or error}") from error
    return TranscriptText(tuple(entries), broken)


def _read_rows(file: BinaryIO, limit: int | None) -> Iterator[bytes]:
    """The lines of a file one by one, of one that is longer than any turn its beginning."""
    place, whole = 0, True
    while row := file.readline(_LONGEST):
        place += len(row)
        if limit is not None and place > limit:
            return
        if whole and row.strip():
            yield row
        whole = row.endswith(b"\n")


def _parse_entry(row: bytes) -> dict[str, Any] | None:
    try:
        entry = untrusted.parse_json(row)
    except ValueError:
        return None
    if not isinstance(entry, dict):
        return None
    if entry.get("type") == "compaction":
        return entry if isinstance(entry.get("summary"), str) else None
    message = entry.get("message")
    if entry.get("type") != "message" or not isinstance(message, dict):
        return None
    return entry if _is_message(message) else None


def list_messages(text: TranscriptText) -> list[dict[str, Any]]:
    """The entries with the turns that go on after the last compaction; a summary of what was
    before them is the first, a user's turn.
    """
    return [_make_summary_turn(one) if one["type"] == "compaction" else one for one in text.entries]


def _make_summary_turn(mark: dict[str, Any]) -> dict[str, Any]:
    said = {"role": repair.USER, "content": f"{SUMMARY}\n\n{mark['summary']}"}
    return {**mark, "message": said}


def _find_kept(before: list[dict[str, Any]], first: object) -> list[dict[str, Any]]:
    starts = (number for number, one in enumerate(before) if one.get("id") == first)
    return [one for one in before[next(starts, len(before)) :] if one["type"] == "message"]


def find_cut(text: TranscriptText, keep: int) -> str:
    """The id of the first of so many turns at the end, empty for none; more of them where it
    would part a call from its result.
    """
    turns = [one for one in text.entries if one["type"] == "message"]
    at = max(0, len(turns) - keep)
    while 0 < at < len(turns) and turns[at]["message"]["role"] == repair.RESULT:
        at -= 1
    return str(turns[at].get("id", "")) if at < len(turns) else ""
