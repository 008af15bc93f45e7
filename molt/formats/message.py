"""The commit message: subject, actor, approval, trailers."""

from __future__ import annotations

from molt.formats.lines import is_control, one_line
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ACTIONS = (
    *("CREATE", "EDIT", "APPEND", "DELETE", "ARCHIVE", "RESTORE", "MERGE", "REVERT", "DECAY"),
    *("RENAME", "PROPOSE", "COMMIT", "REJECT", "PIN", "ACK", "INIT", "IMPORT"),
)
APPROVALS = ("auto", "approved", "partial", "pending", "rejected", "—", "-", "none")
ACTOR_TYPES = ("bot", "reflection", "system", "manual", "skill", "subagent")
FORGETTER = "bot:trigger-forget"
"""The bot that forgets because a person has said so."""
FROM = " from "
"""What stands in the summary of an import before what its source is called."""
CRITICAL_NOTICE = "⚠️ CRITICAL FILE CHANGED"
DECIDED, BECAUSE = "Decided-By", "Proposed-Because"
"""Trailers of what was proposed and is accepted: by whom it is, and why it was proposed."""
SUPERSEDES = "Supersedes"
"""The trailer that names the memory whose place the new one takes."""
REQUIRED = ("Actor", "Approval", "Trigger")
BOOKKEEPING = ("memory/meta/decay-scores.json", "memory/meta/tombstones.txt")
_LONGEST_GLOB = 1000
"""Characters: four times what the longest name of a file has."""
_SEPARATORS = (" — ", " -- ", " - ")
_REVERTS = ('Revert "', 'Reapply "')
_TURNED = {"undo": "redo", "redo": "undo"}
_REVERTED = "This reverts commit "
DRAFTS = ("fixup! ", "squash! ", "amend! ")
"""How git begins the subject of a commit that a rebase is to take into another."""
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
    """Who made the commit, as it says; empty if it does not, or says that two did."""
    named = {value for name, value in message.trailers if name.lower() == "actor"}
    return named.pop() if len(named) == 1 else ""


def is_by(actor: str, wanted: str) -> bool:
    """Whether an actor, as a commit says it, is one that is asked for: `bot:main`, all of a type
    (`bot`), or a glob (`bot:auto-*`). A commit that does not say is by `—`.
    """
    from fnmatch import fnmatchcase

    return fnmatchcase(actor or "—", wanted) or actor.partition(":")[0] == wanted


def names_any(file: str, paths: Sequence[str]) -> bool:
    """Whether what a subject names is one of some paths, or a glob that matches one. What is longer
    than anybody writes is no glob: to take one apart takes the square of its length.
    """
    if file in paths or file == "*" or len(file) > _LONGEST_GLOB:
        return file in paths or file == "*"
    # fnmatch imports re, which a plain commit should not pay for.
    from fnmatch import fnmatchcase

    return any(fnmatchcase(path, file) for path in paths)


def approval(message: Message) -> str:
    """Its approval, as it says, with `-` and `none` as `—`; empty if it does not."""
    value = next(iter(trailer_values(message, "Approval")), "")
    return "—" if value in ("-", "none") else value


_LONGEST_ACTOR = 200
"""Letters of an actor's name: it stands in a subject's line, in the log and in tables."""


def is_valid_actor(text: str) -> bool:
    """Whether an actor is well-formed and of a known type. Its id is of ASCII words, for letters
    that look alike would let one pass for another.
    """
    if len(text) > _LONGEST_ACTOR:
        return False
    kind, colon, rest = text.partition(":")
    if kind == "manual":
        return not colon
    return kind in ACTOR_TYPES and all(map(_is_word, rest.split(":")))


def _is_word(part: str) -> bool:
    plain = part.translate(dict.fromkeys(map(ord, "-_.")))
    return plain.isascii() and plain.isalnum()


def classify_subject(text: str) -> str:
    """What git or a forge wrote a subject for: `merge`, `forge` (`Title (#12)`), `draft` (one of
    `DRAFTS`) or `revert`; empty for the words of anybody else.
    """
    subject = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if subject.startswith("Merge ") and subject[6:].startswith(_MERGES):
        return "merge"
    if subject.startswith(DRAFTS):
        return "draft"
    if subject.startswith(_REVERTS) and subject.endswith('"'):
        return "revert"
    head, found, tail = subject.rpartition(" (#")
    forged = bool(head and found) and tail.endswith(")") and tail[:-1].isdigit()
    return "forge" if forged else ""


def describe_revert(subject: str) -> str:
    """What git's own subject of a revert says, in molt's words: `undo [CREATE] Ada likes tea`, or
    `redo …` where it takes a revert back.
    """
    verb = "undo" if subject.startswith(_REVERTS[0]) else "redo"
    quoted = subject.partition('"')[2].removesuffix('"')
    action, _, summary = parse_subject(quoted)
    before, _, rest = summary.partition(" ")
    if verb == "undo" and action == "REVERT" and before in _TURNED:
        return f"{_TURNED[before]} {rest}"
    return f"{verb} [{action}] {summary}" if action and summary else f"{verb} {quoted}"


def list_reverted(body: str) -> list[str]:
    """The ids of the commits that a message of git says that it reverts, in order."""
    words = (part.split()[0].rstrip(".,") for part in body.split(_REVERTED)[1:] if part.split())
    return [word for word in words if len(word) >= 40 and not word.strip("0123456789abcdef")]


def is_revert(message: Message) -> bool:
    """Whether a message says that its commit is a revert, by molt's action or in git's words."""
    return message.action == "REVERT" or classify_subject(message.subject) == "revert"


def parse(text: str) -> Message:
    """A cleaned message taken apart; never raises."""
    rows = [line.rstrip() for line in text.split("\n")]
    first = next((number for number, row in enumerate(rows) if row), len(rows))
    subject = rows[first].strip() if first < len(rows) else ""
    action, file, summary = parse_subject(subject)
    body, trailers = split_trailers(rows[first + 1 :])
    pairs = tuple(_read_trailer(row)[:2] for row in trailers)
    if not summary:
        action = file = ""
    return Message(action, file, summary, "\n".join(body), pairs, subject, text)


def head(text: str) -> tuple[str, str, str, str]:
    """Action, file, summary and subject of a message, as `parse` gives them."""
    subject = text.lstrip("\n").partition("\n")[0].strip()
    if not subject:
        message = parse(text)
        return message.action, message.file, message.summary, message.subject
    action, file, summary = parse_subject(subject)
    return (action, file, summary, subject) if summary else ("", "", "", subject)


def _read_trailer(row: str) -> tuple[str, str, bool | None]:
    """Key and value of a trailer line, and whether it is well-formed; those of a history are few,
    again and again.
    """
    found = _known.get(row)
    if found is None:
        key, _, text = row.partition(":")
        value = one_line(text)
        found = key, value, _is_well_formed(key, value)
        if len(_known) >= _MOST:
            _known.clear()
        if len(row) <= _LONG:
            _known[row] = found
    return found


_known: dict[str, tuple[str, str, bool | None]] = {}
# What is kept of trailers is less than a megabyte.
_MOST, _LONG = 4096, 120


def parse_subject(line: str) -> tuple[str, str, str]:
    """Action, file and summary of a subject; those that are not there are empty."""
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
    # A word that is typed right behind the dash.
    file, found, summary = rest.partition(_SEPARATORS[0].rstrip())
    if found and file.strip():
        return action.strip(), file.strip(), summary.strip()
    return action.strip(), "", rest.strip()


def is_trailer(row: str) -> bool:
    """Whether a line is `Key: value`."""
    key, colon, value = row.partition(":")
    if not colon or not key or (value and not value.startswith((" ", "\t"))):
        return False
    return key.isascii() and key.replace("-", "").isalnum()


def split_trailers(rows: Sequence[str]) -> tuple[list[str], list[str]]:
    """Body lines and trailer lines (continued ones joined) of what follows the subject.

    Trailers are the last paragraph, if it names an actor or an approval that there can be: other
    lines in it, as the design's own example has them, count as body then. If it names neither, it
    is trailers where it holds nothing else. `Actor: Tom Hanks` is prose.
    """
    every = _trim_blank_lines(rows)
    start = len(every)
    while start and every[start - 1]:
        start -= 1
    pieces: list[list[str]] = []
    others: list[str] = []
    for row in every[start:]:
        if row[0] in " \t" and pieces and not others:
            pieces[-1].append(row.strip())
        elif row in _known or is_trailer(row):
            pieces.append([row])
        else:
            others.append(row)
    trailers = [" ".join(rows) for rows in pieces]
    decided = [_read_trailer(row)[2] for row in trailers]
    if True in decided:
        return _trim_blank_lines([*every[:start], *others]), trailers
    prose = others or False in decided
    return (every, []) if prose else (_trim_blank_lines(every[:start]), trailers)


def _is_well_formed(key: str, value: str) -> bool | None:
    """Whether an actor or an approval is one that there can be; None for any other trailer."""
    key = key.lower()
    if key == "actor":
        return is_valid_actor(value)
    return value in APPROVALS if key == "approval" else None


def _trim_blank_lines(rows: Iterable[str]) -> list[str]:
    kept = list(rows)
    while kept and not kept[-1].strip():
        kept.pop()
    first = next((number for number, row in enumerate(kept) if row.strip()), 0)
    return kept[first:]


class Provenance(Value):
    """Who makes a commit, with whose approval, what made them, and what else its trailers say."""

    actor: str
    approval: str
    trigger: str
    trailers: Sequence[tuple[str, str]] = ()

    def rows(self) -> list[str]:
        """The trailers, required ones first. Raises ValueError for what is outside the schema."""
        if self.approval not in APPROVALS:
            raise ValueError(f"unknown approval {self.approval!r}")
        if not is_valid_actor(self.actor):
            raise ValueError(f"not an actor: {self.actor!r}")
        required = (("Actor", self.actor), ("Approval", self.approval), ("Trigger", self.trigger))
        pairs = (*required, *self.trailers)
        return [f"{key}: {one_line(value).strip() or '—'}" for key, value in pairs]


def render(action: str, file: str, summary: str, by: Provenance, *, body: str = "") -> str:
    """A message in the schema. Raises ValueError for an action, approval or actor outside it."""
    if action not in ACTIONS:
        raise ValueError(f"unknown action {action!r}")
    rows = by.rows()
    subject = f"[{action}] {escape_path(file)} — {one_line(summary).strip() or 'no summary'}"
    text = _trim_blank_lines(line.rstrip() for line in body.split("\n"))
    return _join_paragraphs(subject, text, rows)


def _join_paragraphs(subject: str, body: Sequence[str], trailers: Sequence[str]) -> str:
    parts = [[subject], list(body), list(trailers)]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def escape_path(path: str) -> str:
    """A path for a subject; what would break the line or end the path becomes `?`, as in a glob."""
    path = path.replace(_SEPARATORS[0], "?—?")
    return "".join("?" if is_control(char) else char for char in path)
