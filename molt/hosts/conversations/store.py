"""Which session each key has, in one file that is replaced in one step under a lock."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta

from molt import errors, untrusted
from molt.hosts.conversations import transcript
from molt.memory.talks import ended, transcripts
from molt.repo import disk, state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from molt.repo.repository import Repo

FOLDER = transcripts.KEPT
HOUR = 4
"""The hour of the workspace's day at which a new session is begun: people sleep then."""
MOST_KEPT = 256
"""Conversations that are kept, those that have ended included."""
_LONGEST_KEY = 256
"""Letters of a key: hosts join a channel, a group and a person, some eighty of them."""
_WAIT = 10.0  # seconds: a write of another process takes some milliseconds
_FILE = "store.json"
_MOST_COUNT = 1 << 53
"""Below it every reader of JSON holds each whole number exactly (RFC 8259, section 6)."""


class Conversation(Value):
    """A session of a key: when it began and when something was last said (ISO), turns, the bytes
    of its transcript when it was last appended to, tokens that went in and came out in all, those
    of the last answer's context, compactions, and why it `ended`, empty while it goes on.
    """

    key: str
    session: str
    started: str
    updated: str
    turns: int = 0
    size: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    context_tokens: int = 0
    compactions: int = 0
    ended: str = ""

    @property
    def file(self) -> str:
        """The name of its transcript: that of a talk which is not with the owner alone has
        another end, so that no search finds it, whatever becomes of the store.
        """
        private = transcripts.is_private(f":{self.key.lower()}:")
        return f"{self.session}{'.jsonl' if private else transcripts.SHARED}"


def find_path(repo: Repo, name: str = "") -> str:
    """Where the conversations, or a file of them, lie."""
    return os.path.join(repo.molt_dir, FOLDER, name)


def require_key(key: str) -> str:
    """The key, where it can be one. Raises Usage."""
    if not key or len(key) > _LONGEST_KEY or not key.isprintable():
        said = f"a key has 1 to {_LONGEST_KEY} letters, none of them invisible"
        raise errors.Usage(said, "such as agent:main:direct:ada")
    return key


def read_store(repo: Repo) -> tuple[Conversation, ...]:
    """The conversations, as they were last put down. Raises Failed where nobody can read them."""
    path = find_path(repo, _FILE)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise errors.Failed(f"cannot read {path}: {error.strerror or error}") from error
    try:
        return tuple(map(_parse_conversation, _list_rows(data)))
    except (ValueError, TypeError) as error:
        said = f"{path} is damaged: {error}"
        raise errors.Failed(said, f"mv {path} {path}.damaged") from error


def _list_rows(data: bytes) -> list[Any]:
    if not data:
        return []
    found = untrusted.parse_json(data)
    rows = found.get("conversations") if isinstance(found, dict) else None
    if not isinstance(rows, list):
        raise ValueError("no list of conversations")
    return rows


def _parse_conversation(row: Any) -> Conversation:
    if not isinstance(row, dict):
        raise ValueError("a row is no conversation")
    one = Conversation(**row)
    texts = (one.key, one.session, one.started, one.updated, one.ended)
    counts = (one.turns, one.size, one.input_tokens, one.output_tokens)
    if not all(isinstance(text, str) for text in texts) or not one.session.isalnum():
        raise ValueError("a field is no text")
    if not all(map(is_count, (*counts, one.context_tokens, one.compactions))):
        raise ValueError("a count is none")
    return one


def is_count(value: object) -> bool:
    """Whether a value of JSON is a whole number that can be counted with."""
    return type(value) is int and 0 <= value < _MOST_COUNT


class StoreChange(Value):
    """The conversations as they are to be, and the one of them to whose transcript `line` goes."""

    conversations: tuple[Conversation, ...]
    appended: Conversation
    line: bytes


def change_store(
    repo: Repo, plan: Callable[[tuple[Conversation, ...]], StoreChange]
) -> Conversation:
    """Append a line to a transcript and give the store other conversations, also beside other
    processes; over `MOST_KEPT` the oldest go. Gives the conversation that was appended to. Raises
    Busy where another process does not let go, Failed where nothing is written.

    What is about to be appended, and where, stands in the lock meanwhile: who takes over a lock
    from a process that died undoes what that had not finished. Conversations that end wait for a
    reflection before the store says so.
    """
    with state.lock(repo.common_dir, FOLDER, _WAIT) as held:
        _make_folder(find_path(repo))
        disk.sweep_folder(find_path(repo))
        before = read_store(repo)
        if held.noted:
            _undo_unfinished(repo, before, held.noted)
        change = plan(before)
        one, path = change.appended, find_path(repo, change.appended.file)
        start = transcript.find_end(path)
        _note_append(held, one.file, start)
        one = one.replace(size=transcript.append_line(path, start, change.line))
        after = (one if other is change.appended else other for other in change.conversations)
        _write_store(repo, before, sorted(after, key=_read_second))
        held.note("")
    return one


def remove_session(repo: Repo, session: str) -> None:
    """Remove a conversation: its transcript, that it waits for a reflection, and it itself. Raises
    Busy and Failed; who dies meanwhile has left it in the store, to be removed again.
    """
    with state.lock(repo.common_dir, FOLDER, _WAIT) as held:
        before = read_store(repo)
        if held.noted:
            _undo_unfinished(repo, before, held.noted)
            held.note("")
        for one in before:
            if one.session == session:
                disk.remove_file(find_path(repo, one.file))
                ended.drop_session(repo, session)
        _write_store(repo, before, [one for one in before if one.session != session])


def _undo_unfinished(repo: Repo, before: tuple[Conversation, ...], noted: str) -> None:
    """Take back the line that a process appended which died before the store knew of it."""
    file, start = _parse_note(noted)
    owner = next((one for one in before if one.file == file), None)
    if owner is None and start == 0:
        disk.remove_file(find_path(repo, file))
    elif owner is not None and owner.size <= start:
        transcript.cut_text(find_path(repo, file), start)


def _note_append(held: state.lock, file: str, start: int) -> None:
    try:
        held.note(state.render_row((file, str(start))))
    except OSError as error:
        raise disk.unwritable_error(file, error) from error


def _parse_note(noted: str) -> tuple[str, int]:
    """The file that somebody was appending to, and where; `-1` where the note says nothing."""
    file, _, rest = noted.partition("\t")
    start, end, _ = rest.partition("\n")
    known = file.partition(".")[0].isalnum() and os.path.basename(file) == file
    return (file, int(start)) if known and end and start.isdecimal() else ("", -1)


def find_limit(repo: Repo, one: Conversation) -> int | None:
    """The bytes of a transcript that count while somebody appends to it, or died over that; None
    where all of it does. No lock is needed for it: a line counts once the store knows of it.
    """
    file, start = _parse_note(state.read(repo.common_dir, f"{FOLDER}.lock"))
    return start if file == one.file and one.size <= start else None


def _write_store(repo: Repo, before: tuple[Conversation, ...], after: list[Conversation]) -> None:
    for one in after:
        if one.ended and not any(other.session == one.session and other.ended for other in before):
            path = find_path(repo, one.file)
            ended.append_ended(repo, ended.EndedSession(one.session, one.updated, one.ended, path))
    for one in after[:-MOST_KEPT]:
        # Before the store forgets it: nothing else would ever remove it.
        disk.remove_file(find_path(repo, one.file))
    rows = [one.asdict() for one in after[-MOST_KEPT:]]
    data = json.dumps({"version": 1, "conversations": rows}).encode()
    path = find_path(repo, _FILE)
    try:
        # A file takes the mode of the one that it replaces.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
        disk.replace_file(path, data, durable=True)
    except OSError as error:
        raise disk.unwritable_error(path, error) from error


def _make_folder(path: str) -> None:
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise disk.unwritable_error(path, error) from error


def _read_second(one: Conversation) -> float:
    try:
        return datetime.fromisoformat(one.updated).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def explain_rotation(one: Conversation, now: datetime, idle: int) -> str:
    """Why a session is over at a time: `daily`, `idle` (so many minutes, 0 for any) or `full`;
    empty where it goes on. A clock that was set back ends nothing.
    """
    last = _read_second(one)
    if last < _find_morning(now).timestamp():
        return "daily"
    if idle and now.timestamp() - last > idle * 60:
        return "idle"
    return "full" if one.size >= transcript.MOST_BYTES else ""


def _find_morning(now: datetime) -> datetime:
    """The last time that it was 04:00 by the clock on the wall."""
    morning = now.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    return morning if morning.timestamp() <= now.timestamp() else morning - timedelta(days=1)
