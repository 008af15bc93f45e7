"""The last step of a write: index, branch and files change together, under git's own lock.

Everything that takes long is done before, beside what is there. The lock is held for two or
three renames and two lines in the reflogs: git waits for nobody who holds it, and a person's
`git add` that meets it fails.

`git commit` reads HEAD before it reads the index, and locks neither for it. The index therefore
goes first: who finds the new commit finds the index that belongs to it, and who found the old
commit is refused by git. The other way round a commit would take back what was just written.
"""

from __future__ import annotations

import contextlib
import os

from molt import errors
from molt.repo import state
from molt.repo.write import journal, lease, news, signals
from molt.repo.write.branch import begin_move
from molt.repo.write.journal import Journal
from molt.repo.write.newfiles import find_files
from molt.repo.write.newindex import NewIndex
from molt.repo.write.uncommitted import Ground, list_behind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType

    from molt.repo.repository import Head, Repo
    from molt.repo.write.branch import GitMove, PlainMove, Target
    from molt.repo.write.journal import JournalStep
    from molt.repo.write.lease import Published, WriteTurn
    from molt.repo.write.newfiles import NewFiles
    from molt.trees import Tree


class Publication:
    """The place where a write becomes visible: an index, a branch, and files.

    As a context manager it removes what lies beside them and gives the lock back, however it
    ends, and lets no signal interrupt it once it has begun. What the branch holds and the files
    do not is for the journal, which stays then.
    """

    def __init__(self, repo: Repo, turn: WriteTurn) -> None:
        self.turn = turn
        self._repo = repo
        self._index = NewIndex(repo)
        self._journal = Journal("", "", "", ())
        self._files: NewFiles | None = None
        self._begun = self._locked = self._moved = False
        self._kept_open: list[int] = []
        self.left: list[str] = []

    def seize(self) -> bool:
        """Take git's lock before anything is made; False where somebody is committing.

        For a write that has lost again and again, to something that commits all the time.
        """
        self._begin()
        journal.save(self._repo, self._journal)
        self._locked = self._index.lock() and not lease.claimed(self._repo, self.turn)
        self._index.look()
        return self._locked

    def _begin(self) -> None:
        if not self._begun:
            signals.hold()
            self._begun = True
            self._index.begin()
            self._journal = Journal("", "", self._index.mark, ())

    def survey(self, base: Tree, paths: Iterable[str]) -> Ground:
        """What stands in git's index and on disk at some paths, and at those of the last write,
        if git has changed the index since.
        """
        if not self._locked:
            self._index.look()
        last = self.turn.last
        since = [path for _, _, path in last.entries] if last.mark != self._index.before else []
        every = list(dict.fromkeys((*paths, *since)))
        found = find_files(self._repo.root, every)
        return Ground(self._repo, base, self._index.held(every), found)

    def holds(self, head: Head) -> bool:
        """Whether HEAD, and the index since `survey`, are still as they were."""
        return self._index.unchanged and self._repo.head() == head

    def publish(
        self,
        target: Target,
        steps: Sequence[JournalStep],
        files: NewFiles,
        folders: Mapping[str, tuple[str, str]],
    ) -> bool:
        """Bring a commit to its branch, and the index and the files along; False where something
        came in between, or somebody is committing. `folders` has the ids of those that the commit
        changes, before and after it, as far as they are known.

        Raises Failed where nothing can be written, or git refuses to move the branch.
        """
        self._begin()
        self._files = files
        self._journal = Journal(target.branch, target.new, self._index.mark, tuple(steps))
        journal.save(self._repo, self._journal)
        self._prepare(steps, files, folders)
        if lease.claimed(self._repo, self.turn):
            return False
        move = begin_move(self._repo, target)
        try:
            self._keep_open()
            return self._move(move, target, files)
        finally:
            move.close()
            for fd in self._kept_open:
                os.close(fd)

    def _prepare(
        self,
        steps: Sequence[JournalStep],
        files: NewFiles,
        folders: Mapping[str, tuple[str, str]],
    ) -> None:
        """Write the files and the index, where nobody sees them yet."""
        files.prepare(os.path.dirname(state.path(self._repo.git_dir, "")))
        # An entry knows of a file only where that holds what the commit does.
        same = {step.path for step in steps if step.committed[1] == step.working[1] != ""}
        self._index.fill(steps, {path: one for path, one in files.known() if path in same}, folders)

    def _keep_open(self) -> None:
        """Keep open what renames will replace.

        A file that nobody has open is taken off the disk by the rename itself, which takes a
        hundred times as long as the rename, and that under the lock.
        """
        paths = [os.path.join(self._repo.root, step.path) for step in self._journal.steps]
        for path in (*paths, os.path.join(self._repo.common_dir, self._journal.branch)):
            with contextlib.suppress(OSError):
                self._kept_open.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))

    def _move(self, move: PlainMove | GitMove, target: Target, files: NewFiles) -> bool:
        if said := move.prepare():
            return self._has_arrived(target, said)
        if lease.claimed(self._repo, self.turn) or self._repo.state():
            return False
        if not self._locked and not self._index.lock():
            return False
        if not self._is_current(target, files):
            return False
        self._index.publish()
        if self._is_overtaken():
            self._take_back()
            return False
        self._moved = True
        if (said := move.commit()) and not self._end_failed_move(target, said):
            return False
        news.note_written(target.why.removeprefix("molt: "))
        self._follow(files)
        return True

    def _is_current(self, target: Target, files: NewFiles) -> bool:
        """Whether index, files and HEAD are what this was made for.

        No merge can have begun since `state` was asked, without a change of the index.
        """
        same = self._repo.branch() == target.branch and self._index.unchanged
        return same and files.untouched and not self._is_overtaken()

    def _is_overtaken(self) -> bool:
        """Whether a git may hold the index that was there, and put it back."""
        return not self._locked and self._index.was_read

    def _end_failed_move(self, target: Target, said: str) -> bool:
        """Whether the branch moved although that failed; if not, the index is as it was."""
        self._moved = False
        try:
            self._moved = self._has_arrived(target, said)
        finally:
            if not self._moved:
                self._take_back()
        return self._moved

    def _has_arrived(self, target: Target, said: str) -> bool:
        """Whether the branch is at the commit although git failed. Raises Failed where another
        try is in vain.
        """
        self.turn.said = said
        return journal.branch_moved(self._repo, target.old, self._journal, said)

    def _take_back(self) -> None:
        """Give git its index back. Raises Failed where the disk refuses that; the journal stays."""
        try:
            self._index.take_back()
        except OSError as error:
            self.left.append(f"cannot write the index: {error.strerror}")
            raise errors.Failed(self.left[-1]) from error

    def _follow(self, files: NewFiles) -> None:
        """The files follow the branch, which cannot go back: what fails is left to do."""
        self.left += files.apply()
        try:
            self._index.release()
            if files.late:
                self._index.refresh()
            lease.note_published(self._repo, self.turn, self._journal.steps)
        except OSError as error:
            self.left.append(f"cannot unlock the index: {error.strerror}")

    def __enter__(self) -> Publication:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._begun:
            self._index.close()
            return
        with contextlib.suppress(OSError):
            self._index.release()
        with contextlib.suppress(OSError):
            if self._files:
                self._files.discard()
        self._index.close()
        # Last, for without a journal nobody could tell whose a lock is.
        if not self.left and (kind is None or not self._moved):
            with contextlib.suppress(OSError):
                journal.clear(self._repo)
        signals.free()


def mend_entries(repo: Repo, last: Published) -> None:
    """What `put_back` is for, at once: set the entries that a git has put back to what HEAD has.

    Others keep theirs, and where git has the index just now, or changes it meanwhile, all do. It is
    for who holds the lock of writes. Raises Failed.
    """
    index, mended = NewIndex(repo), False
    signals.hold()
    try:
        index.begin()
        journal.save(repo, Journal("", "", index.mark, ()))
        index.look()
        held = index.held([path for *_, path in last.entries])
        steps = tuple(list_behind(repo.tree("HEAD"), held, last.entries))
        index.fill(steps, {}, {})
        mended = bool(steps) and index.lock() and index.unchanged
        if mended:
            index.publish()
    finally:
        with contextlib.suppress(OSError):
            index.release()
        index.close()
        with contextlib.suppress(OSError):
            journal.clear(repo)
        signals.free()
    if mended:
        index.refresh()
