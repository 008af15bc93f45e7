"""A commit that git is about to make: its tree, its message, on what, and by whom."""

from __future__ import annotations

import os

from molt import config, errors, policy, surroundings, trees
from molt.formats import completion
from molt.formats import message as messages
from molt.formats.completion import Cleanup, CommitFacts
from molt.formats.reflections import refs
from molt.githooks import invocation as invocations
from molt.memory import judging
from molt.policy import sensitivity
from molt.repo import staged, state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.config import Config
    from molt.githooks.invocation import Invocation
    from molt.repo.staged import Staged
    from molt.trees import Tree

_BUSY = ("rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD")
_PICKING = ("rebase", "cherry-pick", "revert", "am")
_COMMENTS = "#;@!$%^&|:"
"""The characters that git tries for `core.commentChar=auto`, in its order."""


class MergeFacts(Value):
    """A merge that is being concluded: git's own one, with the marks of its conflicts, the trees
    of all parents and of what they have in common, and whether the commit is just git's own. What
    that has carried into guarded files from under other names is for somebody to answer for.
    """

    base: Tree
    parents: tuple[Tree, ...]
    bases: tuple[Tree, ...]
    clean: bool
    carried: tuple[trees.FileChange, ...] = ()


class Attempt:
    """What a hook knows of the commit; all but the tree is looked at when it is asked for.

    `path` is the file with the message, empty in a hook that has none.
    """

    def __init__(self, found: Staged, path: str = "") -> None:
        self.found = found
        self.path = path
        self.invocation: Invocation = invocations.find_invocation()
        self.has_editor = os.environ.get("GIT_EDITOR") != ":"
        self.awaits_signature = False
        self._bases: tuple[Tree, ...] = ()
        self._merge: MergeFacts | None = None

    @property
    def environment_actor(self) -> str:
        """The actor that this environment names, or tells of; empty for none."""
        return surroundings.find_actor("", lambda: self.found.config_values.get("molt.actor"))

    @property
    def is_replay(self) -> bool:
        """Whether a rebase, cherry-pick or revert is going on."""
        picking = self.invocation.command in _PICKING
        return picking or any(os.path.exists(self._place(name)) for name in _BUSY)

    @property
    def is_rebase(self) -> bool:
        """Whether a rebase is going on, which a person goes on with."""
        return any(os.path.exists(self._place(name)) for name in _BUSY[:2])

    @property
    def is_verified(self) -> bool:
        """Whether commit-msg looks at the message when it is final."""
        if self.invocation.command == "commit":
            return self.invocation.verifies
        return self.invocation.command == "merge" or not self.is_replay

    @property
    def is_own_author(self) -> bool:
        """Whether git keeps an author that only reflections have, as a rebase does."""
        return os.environ.get("GIT_AUTHOR_EMAIL") == refs.ADDRESS

    def find_branch(self) -> str:
        """The full name of HEAD's branch; empty where it is detached."""
        with open(self._place("HEAD"), encoding="utf-8", errors="replace") as file:
            text = file.read().strip()
        return text.removeprefix("ref: ") if text.startswith("ref: ") else ""

    def _place(self, name: str) -> str:
        return os.path.join(self.found.git_dir, name)

    # On what

    def bases(self) -> tuple[Tree, ...]:
        """What the commit may follow, likeliest first; more than one where git cannot be seen.

        git tells its hooks nothing of `--amend -m`, which replaces the commit of HEAD.
        """
        self._bases = self._bases or self._find_bases()
        return self._bases

    def _find_bases(self) -> tuple[Tree, ...]:
        known = self.invocation
        if known.command == "rebase" and self._is_melding():
            return (self._parent(),)
        amends = known.command == "commit" and known.amends
        if known.command and (known.exact or not amends):
            return (self._parent(),) if amends else (self.found.head,)
        # As long as a merge or pick is not concluded, git refuses to amend.
        if self.found.merge_heads or self.found.reader.ask(["HEAD"])[0] is None:
            return (self.found.head,)
        pair = (self.found.head, self._parent())
        return pair[::-1] if amends or self._keeps_author() else pair

    def _is_melding(self) -> bool:
        """Whether a rebase melds this pick into the last one, which it does without a process."""
        try:
            with open(self._place("rebase-merge/done"), encoding="utf-8", errors="replace") as file:
                last = file.read().rstrip("\n").rpartition("\n")[2]
        except OSError:
            return False
        return last.startswith(("fixup", "squash"))

    def _parent(self) -> Tree:
        """The tree before the commit of HEAD."""
        repo = self.found.repo
        try:
            return repo.tree(repo.resolve("HEAD^"))
        except errors.NotFound:
            return trees.EMPTY

    def _keeps_author(self) -> bool:
        """Whether the author and time are those of HEAD, as an amend leaves them."""
        head = self.found.reader.ask(["HEAD"])[0]
        given = [os.environ.get(f"GIT_AUTHOR_{name}", "") for name in ("NAME", "EMAIL", "DATE")]
        line = f"author {given[0]} <{given[1]}> {given[2].removeprefix('@')}\n"
        return head is not None and line.encode("utf-8", "surrogateescape") in head[2]

    def list_missing(self) -> tuple[str, ...]:
        """The files that an interrupted write of molt has committed and not put on disk, and that
        this commit would therefore take back; usually none.
        """
        if not os.path.lexists(self._place("molt/txn")):
            return ()
        from molt.repo.write import transaction

        return transaction.find_missing(self.found.repo, self.found.index)

    def require_whole(self) -> None:
        """Raises Failed where the commit would take back what an interrupted write committed."""
        missing = self.list_missing()
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise errors.Failed(
                f"this commit would take back {missing[0]}{more}, which molt committed and could "
                "not write to disk",
                "`molt status` writes the files; then commit again",
            )

    def settings(self, base: Tree) -> Config:
        """The configuration of a tree."""
        return config.load_in_force(base, state.FileCache(self.found.git_dir))[0]

    # What it says

    @property
    def encoding(self) -> str:
        """The encoding of messages; empty for UTF-8. Raises Failed for one that not every reader
        knows: such a commit could be made here, and pushed nowhere.
        """
        name = self.found.config_values.get("i18n.commitencoding", "").lower()
        if name in ("", "utf-8", "utf8"):
            return ""
        # Nobody else's hooks read it.
        from molt.repo import commits

        if not commits.is_known_encoding(name):
            hint = "`git config --unset i18n.commitEncoding`"
            raise errors.Failed(f"not every reader knows i18n.commitEncoding {name!r}", hint)
        return name

    def read_message(self) -> str:
        """The text of the message."""
        with open(self.path, "rb") as file:
            return file.read().decode(self.encoding or "utf-8", "surrogateescape")

    def write_message(self, text: str) -> None:
        """Replace the message. What its encoding has no character for is said without it."""
        try:
            data = text.encode(self.encoding or "utf-8", "surrogateescape")
        except UnicodeEncodeError:
            plain = text.replace(messages.CRITICAL_NOTICE, messages.CRITICAL_NOTICE[3:])
            data = plain.replace("—", "-").encode(self.encoding, "replace")
        with open(self.path, "wb") as file:
            file.write(data)

    def cleanup(self, text: str) -> Cleanup:
        """What git will take out of the message."""
        values = self.found.config_values
        mode = self.invocation.cleanup or values.get("commit.cleanup", "default")
        if mode == "default":
            mode = "strip" if self.has_editor else "whitespace"
        verbose = values.get("commit.verbose", "false") not in ("false", "no", "off", "0")
        shows = verbose or self.invocation.verbose or self.invocation.command != "commit"
        cuts = self.has_editor and (shows or mode == "scissors")
        return Cleanup(self._comment(text), strips=mode == "strip", cuts=cuts)

    def _comment(self, text: str) -> str:
        """What begins a comment."""
        values = self.found.config_values
        comment = values.get("core.commentstring") or values.get("core.commentchar") or "#"
        if comment != "auto":
            return comment
        last = text.rstrip().rpartition("\n")[2][:1]
        return last if last and last in _COMMENTS else "#"

    def facts(self) -> CommitFacts:
        """What the message has to tell."""
        every = [self._collect_facts(base) for base in self.bases()]
        if len(every) == 1:
            return every[0]
        # Some edit, of what every possible parent has otherwise, with all notices.
        told = min((one for one in every if one.changes), key=_count_changes, default=every[0])
        critical = tuple(dict.fromkeys(path for one in every for path in one.critical))
        certain = len({completion.describe_changes(one) for one in every}) == 1
        return every[0].replace(changes=told.changes, critical=critical, certain=certain)

    def _collect_facts(self, base: Tree) -> CommitFacts:
        changes = trees.diff(base, self.found.index)
        # What git's own merge has brought in is no change of whoever merges.
        own = changes
        if self.is_merge:
            own = (*trees.diff(self.merge().base, self.found.index), *self.merge().carried)
        touched = {one.path for one in own}
        settings = self.settings(base)
        return CommitFacts(
            actor=self.environment_actor or "manual",
            changes=changes,
            appended=frozenset(_find_appended(base, self.found.index, changes)),
            critical=tuple(path for path in sorted(touched) if _is_critical(path, settings)),
            merges=self.is_merge,
        )

    # Of a merge that is being concluded

    @property
    def is_merge(self) -> bool:
        """Whether the commit joins histories."""
        return bool(self.found.merge_heads)

    def merge(self) -> MergeFacts:
        """What git itself would make of the merge."""
        if self._merge is None:
            self._merge = self._make_merge()
        return self._merge

    def brings_reflection(self) -> bool:
        """Whether the merge brings the record of a reflection."""
        folder = refs.RECORDS.rstrip("/")
        return bool(self.found.index.names(folder) - self.found.head.names(folder))

    def _make_merge(self) -> MergeFacts:
        repo = self.found.repo
        heads = ("HEAD", *self.found.merge_heads)
        parents = (self.found.head, *map(repo.tree, self.found.merge_heads))
        bases = tuple(map(repo.tree, repo.find_bases(heads)))
        # By the driver that this clone has, if any: it was git itself that merged here.
        oid, whole = repo.merge(heads)
        if not oid:
            return MergeFacts(self.found.head, parents, bases, clean=False)
        made = repo.tree(oid)
        clean = whole and not trees.diff(made, self.found.index)
        known = judging.settings_of(parents, self.settings)
        joined = policy.Context(parents=parents, bases=bases).sides
        carried = tuple(policy.list_carried(self.found.index, joined, known))
        return MergeFacts(made, parents, bases, clean and not carried, carried)


def start(path: str = "") -> Attempt | None:
    """The commit of the hook that runs here; None where there is no workspace."""
    found = staged.here()
    return Attempt(found, path) if is_workspace(found) else None


def is_workspace(found: Staged) -> bool:
    """Whether there is a workspace, before or after the commit."""
    return any(
        tree.entry(config.PATH) is not None or tree.names("memory")
        for tree in (found.index, found.head)
    )


def _is_critical(path: str, settings: Config) -> bool:
    return sensitivity.classify(path, settings) == sensitivity.CRITICAL


def _count_changes(facts: CommitFacts) -> int:
    return len(facts.changes)


def _find_appended(base: Tree, new: Tree, changes: Sequence[trees.FileChange]) -> Iterator[str]:
    for change in changes:
        if change.status == "M":
            before, after = base.read(change.path), new.read(change.path)
            if before is not None and after is not None and after.startswith(before):
                yield change.path


def complete_message(attempt: Attempt, text: str) -> str:
    """The message completed; as it is where it says nothing, unless git was told to take that."""
    cleanup = attempt.cleanup(text)
    if not completion.has_words(completion.clean_message(text, cleanup)):
        if not attempt.invocation.allows_empty_message:
            return text
        text = f"{completion.NO_SUMMARY}\n\n{text}"
    if attempt.is_merge and messages.classify_subject(text) == "merge" and attempt.merge().clean:
        # Who merges what a reflection proposes is named, where that is no person.
        person = attempt.environment_actor in ("", "manual")
        return text if person or not attempt.brings_reflection() else _complete(attempt, text)
    return _complete(attempt, text)


def _complete(attempt: Attempt, text: str) -> str:
    return completion.complete(text, attempt.facts(), attempt.cleanup(text))
