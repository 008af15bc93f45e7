"""The lines of the audit log: one for each file that a commit changed, oldest commit first."""

from __future__ import annotations

from molt.formats import message as messages
from molt.formats import paths as layout
from molt.formats import times
from molt.formats.lines import one_line
from molt.memory.provenance import open_changes
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from molt.formats.message import Message
    from molt.repo.repository import LogCommit, Repo

UNSTRUCTURED, ALERT = "UNSTRUCTURED", "ALERT"
OTHER_ACTIONS = (UNSTRUCTURED, ALERT)
"""What lines say beside the actions of commits: one that says none, and a critical change."""
_ALERT = "Critical file change detected. Pending user acknowledgment."


class Line(Value):
    """One line: `time` is UTC, `YYYY-MM-DDTHH:MMZ`."""

    time: str
    action: str
    file: str
    actor: str
    approval: str
    summary: str
    commit: str

    @property
    def text(self) -> str:
        """The line as it stands in the file."""
        fields = (self.time, self.action, self.file, self.actor, self.approval, self.summary)
        plain = "".join(fields)
        # Almost every line needs no escaping, and one look at all fields tells.
        if not plain.isprintable() or "|" in plain:
            return " | ".join(map(_escape_field, fields))
        return " | ".join(fields)


NAMED = "Memory-Id"
HUSHES = "Hushes"
"""The trailer by which a commit that forgets for good names those whose words say it."""
FORGOTTEN = "(forgotten)"


class Hushed(Value):
    """What was removed from the files for good: the commits whose words say it, and the files that
    were it, whose names may say it too.
    """

    commits: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()

    def name_path(self, path: str) -> str:
        """A path, without its name where that is not to be said."""
        return f"{path.rpartition('/')[0]}/{FORGOTTEN}" if path in self.paths else path

    def hides(self, memory: str) -> bool:
        """Whether the id of a memory is the name of such a file."""
        if not self.paths:
            return False
        name = memory.partition("#")[0].partition(":")[2]
        return any(path.endswith(f"/{name}.md") for path in self.paths)


NOTHING_HUSHED = Hushed()
_NAMES = f"{NAMED}: "
_Said = tuple[str, str, tuple[str, ...]]
"""Actor, approval, and the memories that are named."""


def _escape_field(field: str) -> str:
    plain = field.replace("\\", "\\\\").replace("|", "\\|") if "|" in field else field
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in plain)


class Reading:
    """What has to be remembered from commit to commit, oldest first.

    Of the commits that are `hushed` the words are left out.

    `critical` are the critical files that the configuration of a commit names, by commit id;
    they count for its children: the base decides, and where it holds no configuration there is
    no workspace yet. `pending` are the alerts that no acknowledgement has answered which they
    lead to, `named` the memories that a commit names, each with the commit.
    """

    def __init__(self, repo: Repo, hushed: Hushed = NOTHING_HUSHED) -> None:
        self._repo = repo
        self._hushed = hushed
        self._edge = repo.shallow()
        self.critical: dict[str, tuple[str, ...]] = {}
        self.pending: list[Line] = []
        self.named: list[tuple[str, str]] = []
        # The commits since histories met or parted last: each leads to all that follow it.
        self._line: set[str] = set()
        self._last = ""
        self._trailers = TrailerCache()
        self._by_blob: dict[str, tuple[str, ...]] = {}
        self._days: dict[int, str] = {}

    def resume(self, tip: str, critical: tuple[str, ...], pending: Iterable[Line]) -> None:
        """Go on behind a commit, from the critical files that it names and the alerts up to it."""
        self.critical[tip] = critical
        self.pending = list(pending)
        self._line = {line.commit for line in self.pending}
        self._last = tip

    def lines(self, commits: Iterable[LogCommit]) -> Iterator[Line]:
        """The lines of commits, in their order; a change of a critical file adds an ALERT."""
        for commit in commits:
            yield from self._make_lines(commit)

    def _make_lines(self, commit: LogCommit) -> Iterator[Line]:
        action, file, summary, subject = messages.head(commit.message)
        actor, approval, named = self._trailers.read(commit.message)
        self.named += [(one, commit.oid) for one in named if not self._hushed.hides(one)]
        critical = self._find_inherited(commit)
        paths = [path for _, path in commit.paths]
        self.critical[commit.oid] = self._config(commit, critical)
        if commit.parents != (self._last,):
            self._line.clear()
        if action == "ACK":
            about = open_changes.acknowledged(messages.parse(commit.message))
            self._drop_answered(commit.oid, about)
        action_word, told_of = action or _name_action(subject), summary or subject
        if commit.oid in self._hushed.commits:
            told_of = FORGOTTEN
        by, approved = actor or "—", approval or "—"
        time = self._format_minute(commit.time)
        # An acknowledgement that changes no file says something of the commits before it.
        told = [path for path in paths if path != layout.SCORES] or paths
        if commit.oid in self._edge:
            # Where a shallow clone ends, git says that a commit made every file that there is.
            told = [path for path in told if path == file]
        for path in told or [file] * (action == "ACK"):
            name = self._hushed.name_path(path)
            yield Line(time, action_word, name, by, approved, told_of, commit.oid)
            if action == "DECAY" and path == layout.SCORES:
                for said in _list_transitions(commit.message):
                    yield Line(time, action, path, by, approved, said, commit.oid)
            if path in critical:
                alert = Line(time, ALERT, path, "system:audit", "—", _ALERT, commit.oid)
                # A later change stands for those of the same file that lead to it.
                self._drop_answered(commit.oid, (path,))
                self.pending.append(alert)
                yield alert
        self._line.add(commit.oid)
        self._last = commit.oid

    def _drop_answered(self, oid: str, files: Collection[str]) -> None:
        """Leave out the alerts of some files that lead to a commit."""
        self.pending = [
            line
            for line in self.pending
            if line.file not in files or not self._leads(line.commit, oid)
        ]

    def _leads(self, old: str, new: str) -> bool:
        return old in self._line or self._repo.is_ancestor(old, new)

    def _find_inherited(self, commit: LogCommit) -> tuple[str, ...]:
        """The critical files by the configuration of the parents, those of each of them."""
        for parent in commit.parents:
            if parent not in self.critical:
                self.critical[parent] = self._load_critical(parent)
        if len(commit.parents) == 1:
            return self.critical[commit.parents[0]]
        every = (path for parent in commit.parents for path in self.critical[parent])
        return tuple(dict.fromkeys(every))

    def _config(self, commit: LogCommit, inherited: tuple[str, ...]) -> tuple[str, ...]:
        """The critical files by the configuration that a commit leaves."""
        touched = any(path == layout.CONFIG for _, path in commit.paths)
        # Of a merge, git lists only what differs from all parents.
        if touched or len(commit.parents) > 1:
            return self._load_critical(commit.oid)
        return inherited

    def _load_critical(self, oid: str) -> tuple[str, ...]:
        from molt import config

        tree = self._repo.tree(oid)
        entry = tree.entry(config.PATH)
        if entry is None:
            return ()
        if entry.oid not in self._by_blob:
            self._by_blob[entry.oid] = config.load(tree, self._repo.cache)[0].policy_critical
        return self._by_blob[entry.oid]

    def _format_minute(self, seconds: int) -> str:
        day, rest = divmod(seconds, times.DAY)
        if day not in self._days:
            self._days[day] = times.render_day(day)
        return f"{self._days[day]}T{rest // 3600:02}:{rest % 3600 // 60:02}Z"


def _name_action(subject: str) -> str:
    """What a commit without the schema did: git says of its own reverts what they are."""
    return "REVERT" if messages.classify_subject(subject) == "revert" else UNSTRUCTURED


def _list_transitions(text: str) -> Iterator[str]:
    """What a run of decay says of single memories."""
    for row in text.split("\n"):
        if row.startswith("- ") and " → " in row:
            yield row[2:]


class TrailerCache:
    """What trailers say, kept by paragraph: but for the memories, many commits end in the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Said, bool]] = {}

    def read(self, text: str) -> _Said:
        """What the trailers of a message say."""
        body, _, tail = text.rstrip().rpartition("\n\n")
        if not body.strip():
            return _read_trailers(messages.parse(text))
        if _NAMES not in tail:
            return self._read_rest(tail)[0]
        ids, others = [], []
        for row in tail.split("\n"):
            if row.startswith(_NAMES):
                ids.append(one_line(row[len(_NAMES) :]))
            else:
                others.append(row)
        said, plain = self._read_rest("\n".join(others))
        if not plain or not said[0] or said[2]:
            return _read_trailers(messages.parse(f"x\n\n{tail}"))
        return said[0], said[1], tuple(ids)

    def _read_rest(self, rest: str) -> tuple[_Said, bool]:
        """What a paragraph without memories says, and whether no line of it goes on another."""
        found = self._known.get(rest)
        if found is None:
            if len(self._known) > 10_000:
                self._known.clear()
            plain = not any(row[:1].isspace() or not row for row in rest.split("\n"))
            found = _read_trailers(messages.parse(f"x\n\n{rest}")), plain
            self._known[rest] = found
        return found


def _read_trailers(message: Message) -> _Said:
    named = messages.trailer_values(message, NAMED)
    return messages.actor(message), messages.approval(message), named


def find_hushed(repo: Repo) -> Hushed:
    """What later commits have removed from the files for good."""
    tip = repo.tip()
    if tip is None or repo.tree(tip).entry(layout.TOMBSTONES) is None:
        return NOTHING_HUSHED
    form = f"--format=%(trailers:key={HUSHES},valueonly)"
    asked = ("log", f"--grep=^{HUSHES}: ")
    commits = frozenset(repo.run(*asked, form, tip, "--", check=False).split())
    if not commits:
        return NOTHING_HUSHED
    names = ("-z", "--format=", "--name-only", "--diff-filter=D", "--no-renames")
    return Hushed(commits, frozenset(repo.words(*asked, *names, tip, "--")))


def make_newest(repo: Repo, commits: Iterable[LogCommit]) -> Iterator[Line]:
    """The lines of commits that come newest first, the last line of each commit first. Nothing is
    read of commits that nobody asks for.
    """
    reading = Reading(repo, find_hushed(repo))
    for commit in commits:
        # Which alerts are still pending is no part of a line.
        reading.pending.clear()
        yield from reversed(list(reading.lines((commit,))))


def make_lines(repo: Repo, commits: Iterable[LogCommit]) -> Iterator[Line]:
    """The lines of commits, which come oldest first as `Repo.log_raw` gives them."""
    return Reading(repo, find_hushed(repo)).lines(commits)
