"""`molt session`: the moments of a conversation, for hosts of one's own."""

from __future__ import annotations

from molt import errors
from molt.cli import clock, output
from molt.cli.call import Call
from molt.cli.spec import FLAG, NUMBER, TEXT, Option, Spec, SpecGroup, text_of
from molt.formats.lines import escape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from molt.hosts.session.moment import TalkMoment
    from molt.memory.workspace import Workspace

_SOURCES = ("startup", "resume", "clear", "compact")
_SPEAKERS = ("user", "host")


def _make_moment(call: Call, session: str) -> TalkMoment:
    from molt.hosts.session.moment import TalkMoment

    ws = call.workspace()
    return TalkMoment(ws, clock.now(ws.config.workspace_timezone), session)


def _start(call: Call, session: str, source: str, max_tokens: int) -> int:
    from molt.hosts.session import start

    done = start.start_session(
        _make_moment(call, session), source=source or "startup", max_tokens=max_tokens
    )
    if call.json:
        output.print_json(done.asdict())
        return 0
    output.echo(done.context, end="")
    return 0


def _prompt(call: Call, text: str, session: str, speaker: str) -> int:
    from molt.hosts.session import prompt

    message = prompt.UserMessage(text_of(text), speaker != "host")
    done = prompt.notice_prompt(_make_moment(call, session), message)
    if call.json:
        output.print_json(done.asdict())
    else:
        output.echo(done.context, end="")
    return 0


def _turn(call: Call, text: str, session: str) -> int:
    from molt.hosts.session import turn

    done = turn.note_turn(_make_moment(call, session), text_of(text))
    if call.json:
        output.print_json(done.asdict())
    else:
        output.echo("".join(f"{escape_text(one)}\n" for one in done.used), end="")
    return 0


def _flush(call: Call, session: str, transcript: str, **given: Any) -> int:
    from molt.hosts.session import flush

    usage = flush.ContextUsage(**_read_usage(given))
    done = flush.plan_flush(_make_moment(call, session), usage, transcript=transcript)
    if call.json:
        output.print_json({**done.asdict(), "silent": flush.SILENT})
        return 0
    if done.flush:
        output.echo(done.prompt)
    output.note(call, done.reason)
    for one in done.proposed:
        output.note(call, f"proposed #{one.number}: {escape_text(one.content)}")
    return 0


def _read_usage(given: dict[str, Any]) -> dict[str, Any]:
    """What is told of a conversation's usage, by the names of its fields; the rest has defaults."""
    skips = (("heartbeat", "a heartbeat"), ("read_only", "the workspace is read-only here"))
    told = {name: value for name, value in given.items() if name not in dict(skips)}
    told = {name: value for name, value in told.items() if value != _UNTOLD}
    if ("tokens" in told) != ("window" in told):
        raise errors.Usage("--tokens and --window belong together", "give both, or neither")
    return {**told, "skip": next((why for name, why in skips if given[name]), "")}


def _end(call: Call, session: str, reason: str, transcript: str) -> int:
    from molt.hosts.session import end

    done = end.end_session(_make_moment(call, session), reason=reason, transcript=transcript)
    if call.json:
        output.print_json(done.asdict())
    else:
        output.note(
            call, f"waiting for a reflection: {output.render_count(done.waiting, 'session')}"
        )
    return 0


def _append(call: Call, key: str, idle: int, new: bool, dry_run: bool) -> int:
    from molt.hosts.conversations import talks, transcript

    message = transcript.parse_message(_read_stdin(transcript.MOST_TURN + 1))
    rules = talks.AppendRules(idle, anew=new, dry_run=dry_run)
    ws = call.workspace()
    done = talks.append_turn(ws.repo, key, message, now=_read_now(ws), rules=rules)
    if call.json:
        output.print_json({**talks.tell_conversation(ws, done.conversation), "begun": done.begun})
    elif dry_run:
        turn = output.render_count(done.conversation.turns, "turn")
        output.note(call, f"{done.begun and f'a new session ({done.begun}), '}{turn}")
    else:
        output.echo(done.conversation.session)
    return 0


def _read_now(ws: Workspace) -> datetime:
    return clock.now(ws.config.workspace_timezone)


def _read_stdin(size: int) -> bytes:
    import sys

    return sys.stdin.buffer.read(size)


def _compact(call: Call, key: str, keep: int, dry_run: bool) -> int:
    from molt.hosts.conversations import talks

    ws = call.workspace()
    rules = talks.CompactRules(keep, dry_run=dry_run)
    done = talks.compact(ws.repo, key, text_of("-"), now=_read_now(ws), rules=rules)
    if call.json:
        output.print_json(talks.tell_conversation(ws, done))
    else:
        output.note(call, f"{escape_text(key)}: compaction {done.compactions}")
    return 0


def _list(call: Call) -> int:
    from molt.hosts.conversations import talks

    ws = call.workspace()
    found = talks.list_talks(ws.repo)
    if call.json:
        output.print_json({"conversations": [talks.tell_conversation(ws, one) for one in found]})
        return 0
    for one in found:
        turns = output.render_count(one.turns, "turn")
        ended = f", ended: {one.ended}" if one.ended else ""
        output.echo(f"{one.session}  {one.updated[:16]}  {escape_text(one.key)}  {turns}{ended}")
    return 0


def _show(call: Call, key: str) -> int:
    from molt.hosts.conversations import talks

    ws = call.workspace()
    found = talks.read_talk(ws.repo, key)
    if call.json:
        told = talks.tell_conversation(ws, found.conversation)
        output.print_json({**told, "messages": found.turns, "repairs": found.repairs})
        return 0
    for turn in found.turns:
        output.echo(f"{turn['role']}: {escape_text(talks.describe_turn(turn))}")
    for one in found.repairs:
        output.note(call, escape_text(one))
    return 0


def _delete(call: Call, key: str, dry_run: bool) -> int:
    from molt.hosts.conversations import talks

    ws = call.workspace()
    done = talks.delete_talk(ws, key, dry_run=dry_run)
    if call.json:
        output.print_json({"key": done.key, "session": done.session, "turns": done.turns})
    else:
        turns = output.render_count(done.turns, "turn")
        said = "would be deleted" if dry_run else "deleted"
        output.note(call, f"{said}: {escape_text(done.key)} ({done.session}), {turns}")
    return 0


_UNTOLD = -1  # no number of tokens or bytes


def _number(flag: str, text: str) -> Option:
    return Option((flag,), flag[2:].replace("-", "_"), text, NUMBER, default=_UNTOLD)


_SESSION = Option(("--session",), "session", "The host's own id of the conversation.")
_DRY_RUN = Option(("--dry-run",), "dry_run", "Show what would be kept, and keep nothing.", FLAG)
_TRANSCRIPT = Option(("--transcript",), "transcript", "The file in which the host keeps it.")

session = SpecGroup(
    "session",
    "The moments of a conversation, for hosts: docs/hosts.md says when each is called.",
    (
        Spec(
            "start",
            _start,
            "What a conversation begins with: alerts, core memory, what is pending, today and "
            "yesterday. What known foreign writers left uncommitted is committed first.",
            options=(
                _SESSION,
                Option(("--source",), "source", "What kind of start.", TEXT, _SOURCES),
                Option(
                    *(("--max-tokens",), "max_tokens", "The most it may hold.", NUMBER),
                    low=1,
                    default=4000,
                ),
            ),
        ),
        Spec(
            "prompt",
            _prompt,
            "What a person's message asks of the memory, and what is near to it. What it surely "
            "asks to remember is stored; `-` reads the message from standard input.",
            "text",
            options=(
                _SESSION,
                Option(
                    *(("--speaker",), "speaker"),
                    "Who speaks: the user, or the host in the user's place, for whom nothing is "
                    "stored.",
                    TEXT,
                    _SPEAKERS,
                ),
            ),
        ),
        Spec(
            "turn",
            _turn,
            "Count the memories as used that an answer of the agent cites or quotes; `-` reads it "
            "from standard input.",
            "text",
            options=(_SESSION,),
        ),
        Spec(
            "flush",
            _flush,
            "Whether it is time to save what is not in memory yet, before a compaction, and the "
            "prompts for the agent. With a transcript, what the user said there is proposed.",
            options=(
                _SESSION,
                _TRANSCRIPT,
                _number("--tokens", "Tokens in the conversation; without, it is about to happen."),
                _number("--window", "Tokens of the model's window."),
                _number("--reserve", "Tokens that the host keeps free: 20000, a quarter at most."),
                _number("--soft", "Tokens before that at which it is time: 4000."),
                _number("--compaction", "How many compactions there were, where the host counts."),
                Option(("--heartbeat",), "heartbeat", "Nobody has said anything.", FLAG),
                Option(("--read-only",), "read_only", "The agent cannot write here.", FLAG),
            ),
        ),
        Spec(
            "end",
            _end,
            "The conversation is over: it waits for a reflection.",
            options=(_SESSION, _TRANSCRIPT, Option(("--reason",), "reason", "Why it ended.")),
        ),
        Spec(
            "append",
            _append,
            "Keep a turn of the conversation KEY, JSON on standard input, for a host without a "
            "store of its own; a new session begins at 04:00.",
            "key",
            options=(
                Option(
                    *(("--idle",), "idle", "Minutes without a turn after which one begins, too."),
                    kind=NUMBER,
                ),
                Option(("--new",), "new", "A new session begins with this turn.", FLAG),
                _DRY_RUN,
            ),
        ),
        Spec("list", _list, "The conversations that are kept, the newest first."),
        Spec(
            "show",
            _show,
            "The turns of the conversation KEY (or of a session's id) as a model takes them: since "
            "the last compaction, and mended.",
            "key",
        ),
        Spec(
            "compact",
            _compact,
            "Put the summary on standard input in the place of all turns of the conversation KEY "
            "but the last.",
            "key",
            options=(
                Option(("--keep",), "keep", "Turns that stay as they are.", NUMBER, default=8),
                _DRY_RUN,
            ),
        ),
        Spec(
            "delete",
            _delete,
            "Remove the conversation KEY (or a session's id) with its transcript, for good.",
            "key",
            options=(Option(("--dry-run",), "dry_run", "Show what would go, and keep it.", FLAG),),
        ),
    ),
)
