"""Anybody's own words completed to a commit message, beside the comments that git puts there."""

from __future__ import annotations

from molt.formats import message as messages
from molt.formats.lines import one_line
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.trees import FileChange

SCISSORS = "------------------------ >8 ------------------------"
NO_SUMMARY = "no summary"
_ADDED = frozenset(
    (
        *("actor", "approval", "trigger", "accepts", "memory-id", "reflection", "proposal"),
        *("reverts", "session", "signed-off-by", "co-authored-by"),
    )
)
"""Trailers that options of git or molt put into a message before a person has said a word."""


class Cleanup(Value):
    """What git takes out of a message before it commits it.

    A line that begins with `comment` is a comment; git takes comments out where it `strips`, and
    all from the line of the scissors on where it `cuts`.
    """

    comment: str = "#"
    strips: bool = True
    cuts: bool = True

    def is_comment(self, row: str) -> bool:
        """Whether git takes a line out as a comment."""
        return self.strips and row.startswith(self.comment)

    def find_end(self, rows: Sequence[str]) -> int:
        """The number of lines above the scissors: all where there are none."""
        line = f"{self.comment} {SCISSORS}"
        places = (at for at, row in enumerate(rows) if self.cuts and row.rstrip() == line)
        return next(places, len(rows))


class CommitFacts(Value):
    """What is known of a commit before it is described.

    `actor` makes it, `changes` are its files, `appended` those that only grow at their end;
    `critical` are the critical files among them, and `merges` says that it joins histories. What
    is not `certain` is on which commit this one will stand.
    """

    actor: str = "manual"
    changes: tuple[FileChange, ...] = ()
    appended: frozenset[str] = frozenset()
    critical: tuple[str, ...] = ()
    merges: bool = False
    certain: bool = True

    @property
    def about(self) -> tuple[FileChange, ...]:
        """The changes that a subject is about: bookkeeping rides along."""
        told = tuple(one for one in self.changes if one.path not in messages.BOOKKEEPING)
        return told or self.changes


PLAIN = Cleanup(strips=False, cuts=False)


def clean_message(text: str, cleanup: Cleanup = PLAIN) -> str:
    """The message as git's cleanup leaves it."""
    every = text.split("\n")
    rows: list[str] = []
    for row in every[: cleanup.find_end(every)]:
        line = row.rstrip()
        if not cleanup.is_comment(row) and (line or (rows and rows[-1])):
            rows.append(line)
    while rows and not rows[-1]:
        rows.pop()
    return "\n".join(rows) + "\n" if rows else ""


def has_words(text: str) -> bool:
    """Whether a cleaned message says something: trailers that were added to it say nothing."""
    rows = [row for row in text.split("\n") if row.strip()]
    keys = (row.partition(":")[0].lower() for row in rows if messages.is_trailer(row))
    return bool(rows) and (sum(key in _ADDED for key in keys) < len(rows))


def complete(text: str, facts: CommitFacts, cleanup: Cleanup = PLAIN) -> str:
    """A message in the schema, with its words, comments and trailers kept; twice is once.

    A subject that git or a forge wrote stays, and gets the trailers alone, but that of a revert,
    which becomes one in the schema. One that names what the commit does not do gets its true
    action and file. A message without a word stays empty,
    for git to refuse.
    """
    rows = text.split("\n")
    end = cleanup.find_end(rows)
    spoken = [at for at in range(end) if rows[at].strip() and not cleanup.is_comment(rows[at])]
    if not has_words("\n".join(rows[at] for at in spoken)):
        return text
    first, last = spoken[0], spoken[-1]
    subject = complete_subject(rows[first].strip(), facts)
    body, trailers = messages.split_trailers(
        [row.rstrip() for row in rows[first + 1 : last + 1] if not cleanup.is_comment(row)]
    )
    start = last + 1
    while trailers and start > first + 1 and rows[start - 1].strip():
        start -= 1
    reverted = messages.list_reverted("\n".join(body)) if _is_revert(rows[first], facts) else ()
    named, others = _part_trailers(rows[start : last + 1], cleanup)
    tail = [*named, *_list_missing(trailers, facts, reverted)]
    between = _drop_leftover(_drop_repeated(rows[first + 1 : start], tail), cleanup)
    if others:
        between += ["", *others] if between and between[-1].strip() else others
    notice = [] if _has_notice(body) or not facts.critical else [messages.CRITICAL_NOTICE]
    parts = (rows[:first], [subject], between, notice, tail, rows[last + 1 :])
    return _join_parts(parts)


def _part_trailers(rows: Sequence[str], cleanup: Cleanup) -> tuple[list[str], list[str]]:
    """The trailers of a paragraph, with git's comments, and its other lines: git reads trailers
    where nothing else stands among them.
    """
    named: list[str] = []
    others: list[str] = []
    for row in rows:
        goes_on = row[:1] in (" ", "\t") and bool(named) and not others
        plain = cleanup.is_comment(row) or messages.is_trailer(row.rstrip()) or goes_on
        (named if plain else others).append(row)
    return named, others


def _drop_leftover(rows: Sequence[str], cleanup: Cleanup) -> list[str]:
    """The lines below a subject, without a prepared one that was left there without a word."""
    kept: list[str] = []
    for at, row in enumerate(rows):
        action, file, summary = messages.parse_subject(row.strip())
        if action in messages.ACTIONS and file and not summary:
            continue
        if row.strip() and not cleanup.is_comment(row):
            return [*kept, *rows[at:]]
        kept.append(row)
    return kept


def _drop_repeated(rows: Sequence[str], trailers: Sequence[str]) -> list[str]:
    """The lines without those paragraphs of trailers that end the message anyway: of a squash."""
    kept: list[str] = []
    at = 0
    while at < len(rows):
        size = next((n for n, row in enumerate(rows[at:]) if not row.strip()), len(rows) - at)
        paragraph = rows[at : at + size]
        signed = any(row.startswith("Actor: ") for row in paragraph)
        if not (signed and set(paragraph) <= set(trailers)):
            kept.extend(rows[at : at + size + 1])
        at += size + 1
    return kept


def _join_parts(parts: Sequence[Sequence[str]]) -> str:
    """Lines, with a blank one between two parts that have none."""
    rows: list[str] = []
    for number, part in enumerate(parts):
        if number > 1 and part and part[0].strip() and rows and rows[-1].strip():
            rows.append("")
        rows.extend(part)
    text = "\n".join(rows)
    return text if text.endswith("\n") else f"{text}\n"


def _has_notice(body: Sequence[str]) -> bool:
    return any("CRITICAL FILE CHANGED" in row for row in body)


def _list_missing(
    trailers: Sequence[str], facts: CommitFacts, reverted: Sequence[str] = ()
) -> list[str]:
    """The lines of the trailers that a message must have and has not."""
    named = {row.partition(":")[0].lower(): row.partition(":")[2].strip() for row in trailers}
    actor = named.get("actor") or facts.actor
    values = list_defaults(actor)
    every = (*values, *(("Reverts", oid) for oid in reverted))
    missing = (pair for pair in every if pair[0].lower() not in named)
    return [f"{key}: {value}" for key, value in missing]


def list_defaults(actor: str) -> tuple[tuple[str, str], ...]:
    """The trailers of what somebody commits through git."""
    if actor == "manual":
        return (("Actor", actor), ("Approval", "—"), ("Trigger", "direct human edit"))
    return (("Actor", actor), ("Approval", "auto"), ("Trigger", "git commit"))


def complete_subject(first: str, facts: CommitFacts) -> str:
    """A subject in the schema from what somebody wrote on the first line."""
    if _is_revert(first, facts):
        said = one_line(messages.describe_revert(first.strip())).strip()
        return f"[REVERT] {describe_changes(facts)[1]} — {said}"
    if _is_gits(first, facts):
        return first
    typed, first = _split_typed(first)
    action, file, summary = messages.parse_subject(first)
    known = action.upper() in messages.ACTIONS
    if known and _names_file(file, facts):
        action = action.upper()
    elif known and action.isupper():
        # It is the schema, of another commit: the words count.
        file = ""
    else:
        # A bracket is anybody's way to begin a line: `[docs] readme - wording`.
        action, file, summary = "", "", first
    if not _fits(action, facts):
        action = ""
    words = " ".join(part for part in (typed, summary) if part) or NO_SUMMARY
    done, path = describe_changes(facts)
    return f"[{action or done}] {file or path} — {one_line(words).strip()}"


def _is_revert(first: str, facts: CommitFacts) -> bool:
    """Whether a subject is git's own of a revert, of which it is known what that changes."""
    reverts = messages.classify_subject(first) == "revert"
    return reverts and bool(facts.changes) and not facts.merges


def _is_gits(first: str, facts: CommitFacts) -> bool:
    """Whether git or a forge wrote a subject: one that a bot says in its place is a word."""
    kind = messages.classify_subject(first)
    if facts.actor != "manual" and kind in ("merge", "forge"):
        return facts.merges
    return bool(kind)


# Letters that somebody types before what is prepared, and of the longest action with blanks.
_TYPED, _WIDEST = 1000, 40


def _split_typed(first: str) -> tuple[str, str]:
    """What was typed right before a prepared subject, and the subject: `words[EDIT] a.md — `."""
    at = first.find("[", 1, _TYPED)
    while at > 0:
        # What follows may be long, and need not be read where no action stands.
        word = first[at + 1 : at + _WIDEST].partition("]")[0].strip()
        begins = word in messages.ACTIONS and not first[at - 1].isspace()
        if begins and messages.parse_subject(first[at:])[1]:
            return first[:at].strip(), first[at:]
        at = first.find("[", at + 1, _TYPED)
    return "", first


def _names_file(file: str, facts: CommitFacts) -> bool:
    """Whether a subject names what is changed: a path, or a glob of some."""
    paths = [change.path for change in facts.changes]
    if not file or not paths or file in paths or file == describe_changes(facts)[1]:
        return bool(file)
    return messages.names_any(file, paths)


def _fits(action: str, facts: CommitFacts) -> bool:
    """Whether an action is what was done, as far as the changes alone tell."""
    about = facts.about
    if action == "CREATE":
        return not about or any(one.status == "A" for one in about)
    if action == "DELETE":
        changed = (one for one in about if one.path not in facts.appended)
        return not about or any(one.status != "A" for one in changed)
    if action == "APPEND":
        return all(one.status == "A" or one.path in facts.appended for one in about)
    if action == "RENAME":
        return not about or {"A", "D"} <= {one.status for one in about}
    return True


def describe_changes(facts: CommitFacts) -> tuple[str, str]:
    """The action of some changes, and the path or glob that names them."""
    about = facts.about
    action = "MERGE" if facts.merges else _derive_action(about, facts.appended)
    action = action if facts.certain else "EDIT"
    return action, messages.escape_path(_common_path([one.path for one in about]))


def _derive_action(changes: Sequence[FileChange], appended: frozenset[str]) -> str:
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


def add_prompt(text: str, facts: CommitFacts, cleanup: Cleanup, *, unsaved: str = "") -> str:
    """The text for an editor, with comments that say what a plain line will become.

    They stand where git's own comments begin; where it has none, or keeps them in the message,
    nothing is added. `unsaved` is the file with what was written for a commit that failed.
    """
    rows = text.split("\n")
    at = _find_comments(rows, cleanup)
    if not at:
        return text
    action, path = describe_changes(facts)
    named = ", ".join(f"{key}: {value}" for key, value in list_defaults(facts.actor))
    said = [
        f"A plain line is enough. molt completes it to: [{action}] {path} — …",
        f"with {named}",
        *(f"{one} is critical: `molt ack {one}` afterwards" for one in facts.critical),
        *([f"Your last message was not committed: `git commit -e -F {unsaved}`"] * bool(unsaved)),
        "",
    ]
    return "\n".join(
        (*rows[:at], *(f"{cleanup.comment} {row}".rstrip() for row in said), *rows[at:])
    )


def _find_comments(rows: Sequence[str], cleanup: Cleanup) -> int:
    """The line at which git's comments begin; 0 where it has none."""
    end = cleanup.find_end(rows)
    if not cleanup.strips:
        # What stands below the scissors begins with a word of git about them.
        ends = (at for at in range(end, len(rows)) if rows[at].rstrip() == cleanup.comment)
        return next(ends, -1) + 1
    at = end
    while at and (not rows[at - 1].strip() or cleanup.is_comment(rows[at - 1])):
        at -= 1
    while at < len(rows) and not rows[at].strip():
        at += 1
    return at if at < len(rows) else 0
