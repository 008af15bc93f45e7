"""The commit message: subject, actor, approval, trailers; and a person's text completed to it."""

from __future__ import annotations

from molt.formats.lines import is_control, one_line
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from molt.trees import FileChange

ACTIONS = (
    *("CREATE", "EDIT", "APPEND", "DELETE", "ARCHIVE", "RESTORE", "MERGE", "REVERT", "DECAY"),
    *("RENAME", "PROPOSE", "COMMIT", "REJECT", "PIN", "ACK", "INIT", "IMPORT"),
)
APPROVALS = ("auto", "approved", "partial", "pending", "rejected", "—", "-", "none")
ACTOR_TYPES = ("bot", "reflection", "system", "manual", "skill", "subagent")
CRITICAL_NOTICE = "⚠️ CRITICAL FILE CHANGED"
REQUIRED = ("Actor", "Approval", "Trigger")
BOOKKEEPING = ("memory/meta/decay-scores.json",)
SCISSORS = "------------------------ >8 ------------------------"
_SEPARATORS = (" — ", " -- ", " - ")
_MERGES = (
    "branch ",
    "branches ",
    "pull request ",
    "remote-tracking ",
    "commit ",
    "commits ",
    "tag ",
)


class Message(Value):
    """A message taken apart; action, file and summary are empty where the subject is no schema."""

    action: str
    file: str
    summary: str
    body: str
    trailers: tuple[tuple[str, str], ...]
    subject: str
    text: str


def trailer_values(message: Message, key: str) -> tuple[str, ...]:
    """The values of a trailer, in order; the case of its key does not matter."""
    wanted = key.lower()
    return tuple(value for name, value in message.trailers if name.lower() == wanted)


def actor(message: Message) -> str:
    """Who made the commit, as it says; empty if it does not."""
    return next(iter(trailer_values(message, "Actor")), "")


def is_by(actor: str, wanted: str) -> bool:
    """Whether an actor, as a commit says it, is one that is asked for: `bot:main`, all of a type
    (`bot`), or a glob (`bot:auto-*`). A commit that does not say is by `—`.
    """
    from fnmatch import fnmatchcase

    return fnmatchcase(actor or "—", wanted) or actor.partition(":")[0] == wanted


def approval(message: Message) -> str:
    """Its approval, as it says, with `-` and `none` as `—`; empty if it does not."""
    value = next(iter(trailer_values(message, "Approval")), "")
    return "—" if value in ("-", "none") else value


def is_valid_actor(text: str) -> bool:
    """Whether an actor is well-formed and of a known type."""
    kind, colon, rest = text.partition(":")
    if kind == "manual":
        return not colon
    if kind not in ACTOR_TYPES or any(map(is_control, text)):
        return False
    return all(part and not any(char.isspace() for char in part) for part in rest.split(":"))


def is_merge_or_forge(text: str) -> bool:
    """Whether git or a forge wrote the subject, of a merge or (`Title (#12)`) of a squash."""
    subject = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if subject.startswith("Merge "):
        return subject[6:].startswith(_MERGES)
    head, found, tail = subject.rpartition(" (#")
    return bool(head and found) and tail.endswith(")") and tail[:-1].isdigit()


def parse(text: str) -> Message:
    """A cleaned message taken apart; never raises."""
    rows = [line.rstrip() for line in text.split("\n")]
    while rows and not rows[0]:
        rows.pop(0)
    subject = rows[0].strip() if rows else ""
    action, file, summary = _parse_subject(subject)
    body, trailers = _split_trailers(rows[1:])
    pairs = tuple((row.partition(":")[0], _trailer_value(row)) for row in trailers)
    if not summary:
        action = file = ""
    return Message(action, file, summary, "\n".join(body), pairs, subject, text)


def head(text: str) -> tuple[str, str, str, str]:
    """Action, file, summary and subject of a message, as `parse` gives them."""
    subject = text.lstrip("\n").partition("\n")[0].strip()
    if not subject:
        message = parse(text)
        return message.action, message.file, message.summary, message.subject
    action, file, summary = _parse_subject(subject)
    return (action, file, summary, subject) if summary else ("", "", "", subject)


def _trailer_value(row: str) -> str:
    return one_line(row.partition(":")[2])


def _parse_subject(line: str) -> tuple[str, str, str]:
    """Action, file and summary; those that are not there are empty."""
    if not line.startswith("["):
        return "", "", ""
    action, closed, rest = line[1:].partition("]")
    if not closed or not action.strip() or (rest and not rest.startswith(" ")):
        return "", "", ""
    rest = f"{rest.strip()} "
    for separator in _SEPARATORS:
        file, found, summary = rest.partition(separator)
        if found and file.strip():
            return action.strip(), file.strip(), summary.strip()
    return action.strip(), "", rest.strip()


def _is_trailer(row: str) -> bool:
    key, colon, value = row.partition(":")
    if not colon or not key or (value and not value.startswith((" ", "\t"))):
        return False
    return key.isascii() and key.replace("-", "").isalnum()


def _split_trailers(rows: Sequence[str]) -> tuple[list[str], list[str]]:
    """Body lines and trailer lines (continued ones joined) of what follows the subject.

    Trailers are the last paragraph, if it holds nothing else. One that names an actor may hold
    other lines, as the design's own example does: those count as body.
    """
    every = _trim_blank_lines(rows)
    start = len(every)
    while start and every[start - 1]:
        start -= 1
    trailers: list[str] = []
    others: list[str] = []
    for row in every[start:]:
        if row[0] in " \t" and trailers and not others:
            trailers[-1] += f" {row.strip()}"
        elif _is_trailer(row):
            trailers.append(row)
        else:
            others.append(row)
    names = {row.partition(":")[0].lower() for row in trailers}
    if others and "actor" not in names:
        return every, []
    return _trim_blank_lines([*every[:start], *others]), trailers


def _trim_blank_lines(rows: Iterable[str]) -> list[str]:
    kept = list(rows)
    while kept and not kept[0].strip():
        kept.pop(0)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def render(
    action: str,
    file: str,
    summary: str,
    *,
    body: str = "",
    actor: str,
    approval: str,
    trigger: str,
    trailers: Sequence[tuple[str, str]] = (),
) -> str:
    """A message in the schema. Raises ValueError for an action, approval or actor outside it."""
    if action not in ACTIONS:
        raise ValueError(f"unknown action {action!r}")
    if approval not in APPROVALS:
        raise ValueError(f"unknown approval {approval!r}")
    if not is_valid_actor(actor):
        raise ValueError(f"not an actor: {actor!r}")
    subject = f"[{action}] {_escape_path(file)} — {one_line(summary).strip() or 'no summary'}"
    required = (("Actor", actor), ("Approval", approval), ("Trigger", trigger))
    rows = [f"{key}: {one_line(value).strip() or '—'}" for key, value in (*required, *trailers)]
    text = _trim_blank_lines(line.rstrip() for line in body.split("\n"))
    return _join_paragraphs(subject, text, rows)


def _join_paragraphs(subject: str, body: Sequence[str], trailers: Sequence[str]) -> str:
    parts = [[subject], list(body), list(trailers)]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _escape_path(path: str) -> str:
    """A path for a subject; what would break the line or end the path becomes `?`, as in a glob."""
    path = path.replace(_SEPARATORS[0], "?—?")
    return "".join("?" if is_control(char) else char for char in path)


def strip_comments(text: str, comment: str = "#", scissors: bool = True) -> str:
    """The message as git's cleanup leaves it; an empty `comment` keeps all lines."""
    rows: list[str] = []
    for row in text.split("\n"):
        if scissors and comment and row.rstrip() == f"{comment} {SCISSORS}":
            break
        if comment and row.startswith(comment):
            continue
        line = row.rstrip()
        if line or (rows and rows[-1]):
            rows.append(line)
    kept = _trim_blank_lines(rows)
    return "\n".join(kept) + "\n" if kept else ""


def complete(
    text: str,
    changes: tuple[FileChange, ...],
    actor: str,
    critical: Collection[str] = (),
    appended: Collection[str] = frozenset(),
    *,
    comment: str = "#",
) -> str:
    """A person's message in the schema, with its comments and trailers kept; twice is once.

    Merges, squashes of forges and `fixup!` commits are left alone. An empty message gets a
    subject without a summary, which the policy refuses: the person still has to say something.
    """
    head, tail = _cut_comments(text, comment)
    rows = [row for row in head if not (comment and row.startswith(comment))]
    asides = [row for row in head if comment and row.startswith(comment)]
    rows = _trim_blank_lines(row.rstrip() for row in rows)
    first = rows[0] if rows else ""
    if is_merge_or_forge(first) or first.startswith(("fixup! ", "squash! ", "amend! ")):
        return text
    body, trailers = _split_trailers(rows[1:])
    if any(change.path in critical for change in changes) and not _has_notice(body):
        body = [*body, "", CRITICAL_NOTICE] if body else [CRITICAL_NOTICE]
    names = {row.partition(":")[0].lower() for row in trailers}
    person = actor == "manual"
    defaults = (actor, "—" if person else "auto", "direct human edit" if person else "git commit")
    missing = zip(REQUIRED, defaults, strict=True)
    trailers += [f"{key}: {value}" for key, value in missing if key.lower() not in names]
    done = _join_paragraphs(_complete_subject(first, changes, appended), body, trailers)
    rest = "\n".join((*asides, *tail))
    return f"{done}\n{rest}" if rest.strip() else done


def _has_notice(body: Sequence[str]) -> bool:
    return any("CRITICAL FILE CHANGED" in row for row in body)


def _cut_comments(text: str, comment: str) -> tuple[list[str], list[str]]:
    """The lines a person wrote, and the comments (or all below the scissors) that git added."""
    rows = text.split("\n")
    if not comment:
        return rows, []
    end = next((n for n, row in enumerate(rows) if row.rstrip() == f"{comment} {SCISSORS}"), None)
    end = len(rows) if end is None else end
    while end and (not rows[end - 1].strip() or rows[end - 1].startswith(comment)):
        end -= 1
    start = end
    while start < len(rows) and not rows[start].strip():
        start += 1
    return rows[:end], rows[start:]


def _complete_subject(
    first: str, changes: tuple[FileChange, ...], appended: Collection[str]
) -> str:
    action, file, summary = _parse_subject(first.strip())
    if action.upper() in ACTIONS:
        action = action.upper()
    elif action and not (file and summary):
        action, summary = "", first.strip()
    elif not action:
        summary = first.strip()
    if not action and first.startswith('Revert "'):
        action = "REVERT"
    about = [change for change in changes if change.path not in BOOKKEEPING] or list(changes)
    action = action or _derive_action(about, appended)
    file = file or _escape_path(_common_path([change.path for change in about]))
    return f"[{action}] {file} — {summary}".rstrip()


def _derive_action(changes: Sequence[FileChange], appended: Collection[str]) -> str:
    statuses = {change.status for change in changes}
    if statuses == {"A"}:
        return "CREATE"
    if statuses == {"D"}:
        return "DELETE"
    if statuses == {"M"} and all(change.path in appended for change in changes):
        return "APPEND"
    if statuses == {"A", "D"}:
        gone = sorted(change.old.oid for change in changes if change.status == "D" and change.old)
        new = sorted(change.new.oid for change in changes if change.status == "A" and change.new)
        if gone == new:
            return "RENAME"
    return "EDIT"


def _common_path(paths: Sequence[str]) -> str:
    """The one path, or a glob of the folder that all of them are in."""
    if len(paths) == 1:
        return paths[0]
    folders = [path.split("/")[:-1] for path in paths]
    shared: list[str] = []
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return "/".join((*shared, "*"))
