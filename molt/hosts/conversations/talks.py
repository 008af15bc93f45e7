"""What a host does with conversations: append a turn, compact, read, list."""

from __future__ import annotations

import os
from datetime import datetime

from molt import errors
from molt.hosts.conversations import repair, store, transcript
from molt.hosts.conversations.store import Conversation, StoreChange
from molt.hosts.session import moment as moments
from molt.memory.forget import erase
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo


class Appended(Value):
    """The conversation with the turn, and why a session was begun for it: `first`, `new`,
    `daily`, `idle`, `full`; empty where it goes on.
    """

    conversation: Conversation
    begun: str


class RepairedTalk(Value):
    """A conversation, its turns since the last compaction, mended, and what was mended."""

    conversation: Conversation
    turns: tuple[dict[str, Any], ...]
    repairs: tuple[str, ...]


class AppendRules(Value):
    """When a session ends besides at 04:00: after so many `idle` minutes, and `anew` at once.
    With `dry_run` nothing is written.
    """

    idle: int = 0
    anew: bool = False
    dry_run: bool = False


class CompactRules(Value):
    """How many of the last turns stay as they are; with `dry_run` nothing is written."""

    keep: int
    dry_run: bool = False


def append_turn(
    repo: Repo, key: str, message: dict[str, Any], *, now: datetime, rules: AppendRules
) -> Appended:
    """Append a turn to the session of a key, or to a new one. Raises Usage, Busy and Failed.

    Whoever dies before it is done has appended nothing.
    """
    store.require_key(key)
    line = transcript.render_entry("message", now, {"message": message})
    begun = [""]

    def plan(before: tuple[Conversation, ...]) -> StoreChange:
        held = _find_live(before, key)
        begun[0] = _explain_begin(held, now, rules)
        one = held if held is not None and not begun[0] else _begin_session(key, now)
        one = _count_usage(one, message.get("usage"))
        one = one.replace(turns=one.turns + 1, updated=now.isoformat())
        over = [held.replace(ended=begun[0])] if held is not None and begun[0] else []
        lead = _carry_summary(repo, held, now) if held is not None and begun[0] == "full" else b""
        return StoreChange((*_list_others(before, held), *over, one), one, lead + line)

    return Appended(_carry_out(repo, plan, dry_run=rules.dry_run), begun[0])


def _carry_summary(repo: Repo, held: Conversation, now: datetime) -> bytes:
    """The last summary of a session whose transcript is full, as the first line of the next one:
    the talk goes on, and nobody has asked for a new one. Empty where there is none.
    """
    text = transcript.read_text(store.find_path(repo, held.file), store.find_limit(repo, held))
    mark = next((one for one in text.entries if one["type"] == "compaction"), None)
    if mark is None:
        return b""
    fields = {"summary": mark["summary"], "firstKeptEntryId": "", "tokensBefore": 0}
    return transcript.render_entry("compaction", now, fields)


def _carry_out(
    repo: Repo, plan: Callable[[tuple[Conversation, ...]], StoreChange], *, dry_run: bool
) -> Conversation:
    if dry_run:
        return plan(store.read_store(repo)).appended
    return store.change_store(repo, plan)


def _list_others(before: tuple[Conversation, ...], held: Conversation | None) -> list[Conversation]:
    return [one for one in before if one is not held]


def _find_live(every: Iterable[Conversation], key: str) -> Conversation | None:
    return next((one for one in every if one.key == key and not one.ended), None)


def _explain_begin(held: Conversation | None, now: datetime, rules: AppendRules) -> str:
    if held is None:
        return "first"
    return "new" if rules.anew else store.explain_rotation(held, now, rules.idle)


def _begin_session(key: str, now: datetime) -> Conversation:
    return Conversation(key, os.urandom(8).hex(), now.isoformat(), now.isoformat())


def _count_usage(one: Conversation, usage: object) -> Conversation:
    if not isinstance(usage, dict):
        return one
    given = {name: value for name, value in usage.items() if store.is_count(value)}
    into, out = given.get("input", 0), given.get("output", 0)
    return one.replace(
        input_tokens=one.input_tokens + into,
        output_tokens=one.output_tokens + out,
        context_tokens=given.get("totalTokens", into + out),
    )


def compact(
    repo: Repo, key: str, summary: str, *, now: datetime, rules: CompactRules
) -> Conversation:
    """Put a summary in the place of all turns but the last; nothing is removed from the
    transcript. Raises NotFound, Usage for an empty summary, Busy and Failed.
    """
    if not summary.strip():
        raise errors.Usage("the summary is empty", "write it to standard input")
    if len(summary) > transcript.MOST_TURN:
        raise errors.Usage(f"over {transcript.MOST_TURN:,} letters in a summary", "shorten it")

    def plan(before: tuple[Conversation, ...]) -> StoreChange:
        held = _require(before, key)
        if held.ended:
            raise errors.Usage(f"{key} has ended", "`molt session list` shows those that go on")
        text = transcript.read_text(store.find_path(repo, held.file), None)
        fields = {
            "summary": summary.strip(),
            "firstKeptEntryId": transcript.find_cut(text, rules.keep),
            "tokensBefore": held.context_tokens,
        }
        line = transcript.render_entry("compaction", now, fields)
        one = held.replace(compactions=held.compactions + 1, context_tokens=0)
        return StoreChange((*_list_others(before, held), one), one, line)

    return _carry_out(repo, plan, dry_run=rules.dry_run)


def delete_talk(ws: Workspace, key: str, *, dry_run: bool) -> Conversation:
    """Remove the session of a key, or the one that has this id, with all that the clone keeps of
    it: its transcript, what was found in it for a search, its marks. Gives what it was. Raises
    NotFound, Busy and Failed.
    """
    one = _require(store.read_store(ws.repo), key)
    if not dry_run:
        store.remove_session(ws.repo, one.session)
        moments.drop_state(moments.TalkMoment(ws, datetime.min, one.session))
        erase.erase_copies(ws, (), ())
    return one


def list_talks(repo: Repo) -> list[Conversation]:
    """The conversations that are kept, the newest first. Raises Failed."""
    return list(store.read_store(repo))[::-1]


def tell_conversation(ws: Workspace, one: Conversation) -> dict[str, Any]:
    """A conversation as a host is told of it: with its transcript, and the compactions there were
    at the last flush, -1 where there was none.
    """
    # Nothing of what is kept of a flush depends on the time.
    flushed = moments.read_state(moments.TalkMoment(ws, datetime.min, one.session)).flushed
    told = {**one.asdict(), "flushed": flushed}
    told["transcript"] = store.find_path(ws.repo, one.file)
    del told["size"]
    return told


def describe_turn(turn: dict[str, Any]) -> str:
    """A turn in a line: its texts, and the names of what it calls."""
    if isinstance(turn["content"], str):
        return turn["content"]
    return " ".join(str(one.get("text") or f"[{one['type']}]") for one in turn["content"])


def read_talk(repo: Repo, key: str) -> RepairedTalk:
    """The turns of a key's session, or of the one that has this id. Raises NotFound and Failed."""
    one = _require(store.read_store(repo), key)
    text = transcript.read_text(store.find_path(repo, one.file), store.find_limit(repo, one))
    messages = (entry["message"] for entry in transcript.list_messages(text))
    turns, repairs = repair.repair_turns(messages)
    broken = [f"broken lines that were left out: {text.broken}"] if text.broken else []
    return RepairedTalk(one, tuple(turns), (*broken, *repairs))


def _require(every: tuple[Conversation, ...], key: str) -> Conversation:
    found = _find_live(every, key) or next((one for one in every if one.session == key), None)
    if found is None:
        said = f"no conversation has the key or the id {key!r}"
        raise errors.NotFound(said, "`molt session list` shows them")
    return found
