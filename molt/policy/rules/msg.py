"""MSG: the commit message says what was done, to what, by whom."""

from __future__ import annotations

from molt import config
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.policy import append_only, sensitivity
from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from molt.formats.message import Message
    from molt.policy.shapes import Concern, Shape, Wording
    from molt.trees import FileChange

    Check = Callable[[Judged, Sequence[FileChange]], Iterator[Fault]]

_GOOD = "[CREATE] a.md — a start\n\nActor: manual\nApproval: —\nTrigger: direct human edit\n"
_BY_BOT = _GOOD.replace("manual", "bot:main").replace("—\nTrigger", "auto\nTrigger")
_PASS = Example({}, {"a.md": "a\n"}, _GOOD)
_META = "memory/meta/"


def _is_gits(judged: Judged, message: Message) -> bool:
    """Whether the words are git's or a forge's own. A bot that is named does not hide behind
    those of a merge that is none, or of a squash.
    """
    kind = messages.classify_subject(message.subject)
    if kind in ("merge", "forge"):
        return judged.merge or judged.lenient
    return bool(kind)


def _check_subject(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    if message is None:
        return
    if messages.classify_subject(message.subject) == "draft" and judged.context.publish:
        said = f"{message.subject[:60]!r} is a commit that waits for its rebase"
        yield Fault("", 1, said, "`git rebase -i --autosquash` takes it in; then push")
    complete = message.file and message.summary
    if complete or _is_gits(judged, message) or not messages.actor(message):
        # Of one that names nobody, MSG004 says so; nothing completes it any more.
        return
    if not _is_left_by_mail(judged, message):
        hint = "write [ACTION] FILE — SUMMARY; with molt's hooks, a plain summary is enough"
        said = f"the subject {message.subject[:60]!r} is not in the schema"
        # git shows no hook what a person writes in the editor of a rebase that squashes.
        yield Fault("", 1, said, hint, soft=judged.is_person)


def _is_left_by_mail(judged: Judged, message: Message) -> bool:
    """Whether it is a subject of the schema whose bracket `git am` has taken off."""
    file = messages.head(f"[EDIT] {message.subject}")[1]
    return bool(file) and _is_about(judged, file)


def _check_action(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    # A bracket of who names nobody is a word like others.
    if message and messages.actor(message) and message.action not in ("", *messages.ACTIONS):
        known = ", ".join(messages.ACTIONS)
        yield Fault("", 1, f"{message.action[:60]} is no action", f"one of {known}")


def _check_file(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    if not message or not message.file or not judged.changes or judged.merge:
        return
    if not _is_about(judged, message.file):
        said = f"{message.file[:200]} is not what this commit changes"
        # A message that was taken over (`commit -C`) may be about another file.
        hint = f"name {judged.changes[0].path}"
        yield Fault("", 1, said, hint, soft=judged.lenient)


def _is_about(judged: Judged, file: str) -> bool:
    """Whether a file, or a glob, is among what a commit changes."""
    return messages.names_any(file, [change.path for change in judged.changes])


def _check_trailers(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    if message is None or judged.context.clean:
        return
    values = {key: messages.trailer_values(message, key) for key in messages.REQUIRED}
    for key in messages.REQUIRED:
        if len(values[key]) > 1:
            said = f"the trailer {key} is there {len(values[key])} times"
            yield Fault("", 0, said, f"end the message with one `{key}: …`")
    missing = [key for key in messages.REQUIRED if not any(values[key])]
    if not missing:
        return
    named = messages.actor(message)
    guarded = not named and _needs_name(judged)
    if _is_gits(judged, message) and not named and not guarded:
        return
    lacks = f"the trailer {missing[0]} is" if len(missing) == 1 else f"{_join(missing)} are"
    hint = "end the message with `Actor: …`, `Approval: …`, `Trigger: …`; molt's hooks do"
    if judged.context.commit:
        hint += ": `molt hooks install`, then `git commit --amend --no-edit` for the last commit"
    yield Fault("", 0, f"{lacks} missing", hint, soft=not named and not guarded)


def _join(words: Sequence[str]) -> str:
    return f"the trailers {', '.join(words[:-1])} and {words[-1]}"


def _needs_name(judged: Judged) -> bool:
    """Whether something changes that only a person, or who has a person's leave, may change."""
    free = (sensitivity.STANDARD, sensitivity.BOOKKEEPING)
    for change in judged.changes:
        if judged.sensitivity(change) not in free or change.path == layout.CHECKSUMS:
            return True
    return any(not fault.soft for fault in append_only.check_append_only(judged))


def _check_actor(judged: Judged) -> Iterator[Fault]:
    actor = messages.actor(judged.message) if judged.message else ""
    if actor and not messages.is_valid_actor(actor):
        kinds = ", ".join(kind for kind in messages.ACTOR_TYPES if kind != "manual")
        hint = (
            f"manual, or TYPE:ID with a type of {kinds}, and an id of letters a to z, digits, - _ ."
        )
        yield Fault("", 0, f"{actor[:60]!r} is no actor", hint)


def _check_approval(judged: Judged) -> Iterator[Fault]:
    approval = messages.approval(judged.message) if judged.message else ""
    if approval and approval not in messages.APPROVALS:
        hint = f"one of {', '.join(messages.APPROVALS)}"
        yield Fault("", 0, f"{approval[:60]!r} is no approval", hint)


def _check_surroundings(judged: Judged) -> Iterator[Fault]:
    """Who acts is what the environment says: a person alone may commit in another's name."""
    there = judged.context.environment_actor
    named = messages.actor(judged.message) if judged.message else ""
    if there and named and there not in (named, "manual"):
        hint = f"`Actor: {there}`, or unset MOLT_ACTOR and molt.actor where a person commits"
        yield Fault("", 0, f"{there} acts here, and the message says {named[:60]!r}", hint)


def _check_action_fits(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    check = _FITS.get(message.action) if message else None
    if message is None or check is None or judged.merge:
        return
    about = [one for one in judged.changes if one.path not in messages.BOOKKEEPING]
    for fault in check(judged, about or judged.changes):
        # What else a person says of a change, and what a message that is taken over says, is an
        # untrue word at most.
        soft = fault.soft or (judged.lenient and message.action not in _STRICT)
        yield fault.replace(soft=soft)


def _check_create(judged: Judged, about: Sequence[FileChange]) -> Iterator[Fault]:
    if not any(one.status == "A" for one in about):
        # Where another clone has made the file meanwhile, a rebase adds to it.
        added = not any(one.status == "D" or _loses_lines(judged, one) for one in about)
        yield Fault("", 1, "CREATE adds no file", "EDIT changes one, DELETE removes one", added)


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


def _check_rename(_judged: Judged, about: Sequence[FileChange]) -> Iterator[Fault]:
    if {"A", "D"} - {one.status for one in about}:
        yield Fault("", 1, "RENAME moves no file", "EDIT changes one, CREATE adds one")


def _check_archive(judged: Judged, about: Sequence[FileChange]) -> Iterator[Fault]:
    scored = any(one.path == layout.SCORES for one in judged.changes)
    if not scored and not any(one.status == "D" or _loses_lines(judged, one) for one in about):
        yield Fault("", 1, "ARCHIVE takes nothing out of the way", "say what it does")


def _check_import(_judged: Judged, about: Sequence[FileChange]) -> Iterator[Fault]:
    if about and all(one.status == "D" for one in about):
        yield Fault("", 1, "IMPORT brings nothing in", "DELETE removes files")


def _stay_in(place: str, said: str) -> Check:
    """The check of an action that changes a file, or what is below a folder, and nothing else."""

    def check(_judged: Judged, about: Sequence[FileChange]) -> Iterator[Fault]:
        for one in about:
            if not (one.path == place or (place.endswith("/") and one.path.startswith(place))):
                yield Fault(
                    one.path, 0, f"{said} changes {place} only", "commit this apart from it"
                )

    return check


def _check_commit(judged: Judged, _about: Sequence[FileChange]) -> Iterator[Fault]:
    if not any(one.path == layout.PROPOSALS for one in judged.changes):
        hint = "`molt review` takes the proposal out with the same commit; EDIT changes a file"
        yield Fault("", 1, "COMMIT takes no proposal", hint)


_FITS: dict[str, Check] = {
    "CREATE": _check_create,
    "DELETE": _check_delete,
    "APPEND": _check_append,
    "ARCHIVE": _check_archive,
    "RENAME": _check_rename,
    "IMPORT": _check_import,
    "COMMIT": _check_commit,
    "DECAY": _stay_in(layout.SCORES, "DECAY"),
    "PROPOSE": _stay_in(layout.PROPOSALS, "PROPOSE"),
    "REJECT": _stay_in(_META, "REJECT"),
    "ACK": _check_ack,
    "INIT": _check_init,
}
"""EDIT, MERGE, RESTORE, REVERT and PIN can do anything that the other rules allow."""
_STRICT = ("ACK", "INIT")


def _fits_or_not(shape: Shape) -> bool:
    """The concern of the rule: what plainly appends is called so rightly."""
    said = shape.wording.action if shape.wording else ""
    return said in _FITS and not (said == "APPEND" and shape.plain)


def _check_critical_notice(judged: Judged) -> Iterator[Fault]:
    message = judged.message
    if message is None or judged.init:
        return
    critical = [
        one.path for one in judged.changes if judged.sensitivity(one) == sensitivity.CRITICAL
    ]
    if critical and "CRITICAL FILE CHANGED" not in message.body:
        hint = f"write `{messages.CRITICAL_NOTICE}` above the trailers"
        yield Fault(critical[0], 0, "a critical file changes without its notice", hint)


def _about_words(test: Callable[[Wording], bool]) -> Concern:
    """The concern of a rule that looks at the words of a message alone."""
    return lambda shape: shape.wording is not None and test(shape.wording)


def _fail(text: str) -> Example:
    return Example({}, {"a.md": "a\n"}, text)


RULES = (
    Rule(
        "MSG001",
        "subject",
        "error",
        _check_subject,
        "That history can be read by programs.",
        _PASS,
        _fail(_BY_BOT.replace("[CREATE] a.md — ", "")),
        needs_message=True,
        concerns=_about_words(lambda said: not said.complete),
    ),
    Rule(
        "MSG002",
        "action",
        "error",
        _check_action,
        "That actions mean one thing each.",
        _PASS,
        _fail(_GOOD.replace("CREATE", "INVENT")),
        needs_message=True,
        concerns=_about_words(lambda said: said.action not in ("", *messages.ACTIONS)),
    ),
    Rule(
        "MSG003",
        "file",
        "error",
        _check_file,
        "That a subject tells the truth about its file.",
        _PASS,
        _fail(_BY_BOT.replace("a.md", "b.md")),
        needs_message=True,
        concerns=_about_words(lambda said: not said.about),
    ),
    Rule(
        "MSG004",
        "trailers",
        "error",
        _check_trailers,
        "That every commit says who, and with whose leave.",
        _PASS,
        _fail(_GOOD.replace("Trigger: direct human edit\n", "")),
        needs_message=True,
        concerns=_about_words(lambda said: not said.required),
    ),
    Rule(
        "MSG005",
        "actor",
        "error",
        _check_actor,
        "That actors can be told apart.",
        _PASS,
        _fail(_GOOD.replace("Actor: manual", "Actor: robot:x")),
        needs_message=True,
        concerns=_about_words(lambda said: not messages.is_valid_actor(said.actor)),
    ),
    Rule(
        "MSG006",
        "approval",
        "error",
        _check_approval,
        "That approvals mean one thing each.",
        _PASS,
        _fail(_GOOD.replace("Approval: —", "Approval: perhaps")),
        needs_message=True,
        concerns=_about_words(lambda said: said.approval not in messages.APPROVALS),
    ),
    Rule(
        "MSG007",
        "action fits",
        "error",
        _check_action_fits,
        "That the action tells what happened.",
        _PASS,
        _fail(_BY_BOT.replace("CREATE", "DELETE")),
        needs_message=True,
        concerns=_fits_or_not,
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
        concerns=lambda shape: shape.weighs(sensitivity.CRITICAL),
    ),
    Rule(
        "MSG009",
        "who acts",
        "error",
        _check_surroundings,
        "That nobody commits in another's name.",
        _PASS,
        _fail(_GOOD).replace(environment="bot:main"),
        needs_message=True,
        concerns=lambda shape: shape.surrounded,
    ),
)
