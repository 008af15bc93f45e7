"""MSG: the commit message says what was done, to what, by whom."""

from __future__ import annotations

from molt import config
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.trees import FileChange

_GOOD = "[CREATE] a.md — a start\n\nActor: manual\nApproval: —\nTrigger: direct human edit\n"
_PASS = Example({}, {"a.md": "a\n"}, _GOOD)


def _is_exempt(judged: Judged) -> bool:
    """Whether git or a forge wrote the message: of a merge, or of a person's squash."""
    message = judged.message
    if message is None:
        return True
    forged = messages.is_merge_or_forge(message.text)
    return forged and (len(judged.context.parents) > 1 or judged.is_person)


def _check_subject(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    if message and not (message.file and message.summary) and not _is_exempt(judged):
        hint = "write [ACTION] FILE — SUMMARY; with molt's hooks, a plain summary is enough"
        yield Fault("", 1, f"the subject {message.subject[:60]!r} is not in the schema", hint)


def _check_action(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    if message and message.action and message.action not in messages.ACTIONS:
        known = ", ".join(messages.ACTIONS)
        yield Fault("", 1, f"{message.action} is no action", f"one of {known}")


def _check_file(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    if not message or not message.file or not judged.changes or _is_exempt(judged):
        return
    paths = [change.path for change in judged.changes]
    if message.file not in paths and not _matches_any(paths, message.file):
        yield Fault("", 1, f"{message.file} is not what this commit changes", f"name {paths[0]}")


def _matches_any(paths: list[str], pattern: str) -> bool:
    # fnmatch imports re, which a plain commit should not pay for.
    from fnmatch import fnmatchcase

    return any(fnmatchcase(path, pattern) for path in paths)


def _check_trailers(judged: Judged) -> Iterator[Fault]:
    if judged.message is None or _is_exempt(judged):
        return
    for key in messages.REQUIRED:
        values = messages.trailer_values(judged.message, key)
        if len(values) != 1 or not values[0]:
            said = f"is there {len(values)} times" if len(values) > 1 else "is missing"
            yield Fault("", 0, f"the trailer {key} {said}", f"end the message with one `{key}: …`")


def _check_actor(judged: Judged) -> Iterator[Fault]:
    actor = messages.actor(judged.message) if judged.message else ""
    if actor and not messages.is_valid_actor(actor):
        kinds = ", ".join(kind for kind in messages.ACTOR_TYPES if kind != "manual")
        yield Fault("", 0, f"{actor!r} is no actor", f"manual, or TYPE:ID with a type of {kinds}")


def _check_approval(judged: Judged) -> Iterator[Fault]:
    approval = messages.approval(judged.message) if judged.message else ""
    if approval and approval not in messages.APPROVALS:
        hint = f"one of {', '.join(messages.APPROVALS)}"
        yield Fault("", 0, f"{approval!r} is no approval", hint)


def _check_action_fits(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    check = _FITS.get(message.action) if message else None
    if check is not None and len(judged.context.parents) < 2:
        about = [one for one in judged.changes if one.path not in messages.BOOKKEEPING]
        yield from check(judged, about or judged.changes)


def _check_create(_judged: Judged, about: Sequence[FileChange]) -> Iterator[Fault]:
    if not any(one.status == "A" for one in about):
        yield Fault("", 1, "CREATE adds no file", "EDIT changes one, DELETE removes one")


def _check_delete(judged: Judged, about: Sequence[FileChange]) -> Iterator[Fault]:
    if not any(one.status == "D" or _loses_lines(judged, one) for one in about):
        yield Fault("", 1, "DELETE removes nothing", "EDIT changes a file, CREATE adds one")


def _loses_lines(judged: Judged, change: FileChange) -> bool:
    """Whether lines of a file are gone: a memory is deleted from the file that it shares."""
    after = frozenset((judged.new.read(change.path) or b"").split(b"\n"))
    return not after.issuperset((judged.base.read(change.path) or b"").split(b"\n"))


def _check_append(judged: Judged, about: Sequence[FileChange]) -> Iterator[Fault]:
    for one in about:
        before = judged.base.read(one.path) or b""
        if one.status == "D" or not (judged.new.read(one.path) or b"").startswith(before):
            yield Fault(one.path, 1, "APPEND changes what was there", "say EDIT")


def _check_ack(_judged: Judged, about: Sequence[FileChange]) -> Iterator[Fault]:
    for one in about:
        if one.path != layout.CHECKSUMS:
            said = "an ACK changes checksums only"
            yield Fault(one.path, 0, said, "commit this apart from it")


def _check_init(judged: Judged, _about: Sequence[FileChange]) -> Iterator[Fault]:
    if judged.base.entry(config.PATH) is not None:
        hint = "say what it does; an INIT makes or adopts one"
        yield Fault("", 1, "INIT, and there is a workspace already", hint)


_FITS = {
    "CREATE": _check_create,
    "DELETE": _check_delete,
    "APPEND": _check_append,
    "ACK": _check_ack,
    "INIT": _check_init,
}


def _check_critical_notice(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    if message is None or judged.init or _is_exempt(judged):
        return
    critical = [one.path for one in judged.changes if one.path in judged.config.policy_critical]
    if critical and "CRITICAL FILE CHANGED" not in message.body:
        hint = f"write `{messages.CRITICAL_NOTICE}` above the trailers"
        yield Fault(critical[0], 0, "a critical file changes without its notice", hint)


def _failing_example(text: str) -> Example:
    return Example({}, {"a.md": "a\n"}, text)


RULES = (
    Rule(
        "MSG001",
        "subject",
        "error",
        _check_subject,
        "That history can be read by programs.",
        _PASS,
        _failing_example(_GOOD.replace("[CREATE] a.md — ", "")),
        needs_message=True,
    ),
    Rule(
        "MSG002",
        "action",
        "error",
        _check_action,
        "That actions mean one thing each.",
        _PASS,
        _failing_example(_GOOD.replace("CREATE", "INVENT")),
        needs_message=True,
    ),
    Rule(
        "MSG003",
        "file",
        "error",
        _check_file,
        "That a subject tells the truth about its file.",
        _PASS,
        _failing_example(_GOOD.replace("a.md", "b.md")),
        needs_message=True,
    ),
    Rule(
        "MSG004",
        "trailers",
        "error",
        _check_trailers,
        "That every commit says who, and with whose leave.",
        _PASS,
        _failing_example(_GOOD.replace("Actor: manual\n", "")),
        needs_message=True,
    ),
    Rule(
        "MSG005",
        "actor",
        "error",
        _check_actor,
        "That actors can be told apart.",
        _PASS,
        _failing_example(_GOOD.replace("Actor: manual", "Actor: robot:x")),
        needs_message=True,
    ),
    Rule(
        "MSG006",
        "approval",
        "error",
        _check_approval,
        "That approvals mean one thing each.",
        _PASS,
        _failing_example(_GOOD.replace("Approval: —", "Approval: perhaps")),
        needs_message=True,
    ),
    Rule(
        "MSG007",
        "action fits",
        "error",
        _check_action_fits,
        "That the action tells what happened.",
        _PASS,
        _failing_example(_GOOD.replace("CREATE", "DELETE")),
        needs_message=True,
    ),
    Rule(
        "MSG008",
        "critical notice",
        "error",
        _check_critical_notice,
        "That changes of critical files stand out.",
        Example(
            {},
            {"SOUL.md": "s\n"},
            _GOOD.replace("a.md", "SOUL.md").replace(
                "Actor", f"{messages.CRITICAL_NOTICE}\n\nActor", 1
            ),
        ),
        Example({}, {"SOUL.md": "s\n"}, _GOOD.replace("a.md", "SOUL.md")),
        needs_message=True,
    ),
)
