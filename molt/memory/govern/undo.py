"""Undoing: a file, a commit, a reflection or everything since a day, always as one new commit."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import message as messages
from molt.formats import paths
from molt.memory import workspace
from molt.memory.decay import formula
from molt.memory.govern import undo_files, undo_logs, undo_past, undo_reflections, undo_scores
from molt.memory.govern.undo_files import Restoration
from molt.memory.govern.undo_told import UndoTale, tell_undo
from molt.policy import sensitivity
from molt.repo.write.plan import Change
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from molt.memory.govern.undo_past import ErasedWords
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree

_MEMORIES = 500
"""How many memories the trailers of one commit name."""
_BOOKS = (paths.SCORES, paths.TOMBSTONES, paths.CHECKSUMS)


class Undo(Value):
    """What is to be undone: the steps back, newest first, what the subject calls it, and how the
    trailers name it. `reflections` are taken back as a whole; what an acknowledgement said is
    taken back only where that alone is asked for (`sums`).
    """

    steps: tuple[Restoration, ...]
    file: str
    said: str
    trailers: tuple[tuple[str, str], ...] = ()
    reflections: tuple[str, ...] = ()
    sums: bool = False

    @property
    def brief(self) -> str:
        """What is undone, without the words of it."""
        return self.said.partition(": ")[0]


class UndoOptions(Value):
    """How it is undone: out of the logs too, and whether it is only shown."""

    hard: bool = False
    dry_run: bool = False


def undo(ws: Workspace, what: Undo, now: datetime, options: UndoOptions) -> Written[UndoTale]:
    """Undo it in one commit.

    Raises Refused for who is no person, where what is undone was changed since, and where nothing
    is left to undo; and what a commit does.
    """
    actor = workspace.require_person(ws, "take back what was committed")
    erased = undo_past.find_erased(ws.repo, ws.head())

    def make_change(tree: Tree) -> Change[UndoTale]:
        made = _Undoing(ws, what, erased, now, hard=options.hard)
        tale = made.restore(tree)
        if not made.edits:
            raise errors.Refused(_tell_nothing(what, tale), _hint_nothing(tale, options))
        return Change(made.edits, _render(ws, what, tale, made.edits, tree), tale)

    return ws.commit(make_change, dry_run=options.dry_run, actor=actor, now=now.timestamp())


def _tell_nothing(what: Undo, tale: UndoTale) -> str:
    said = f"nothing is left to undo: {what.said}"
    return f"{said} ({'; '.join(tale.left)})" if tale.left else said


def _hint_nothing(tale: UndoTale, options: UndoOptions) -> str:
    if tale.erased:
        return "what was forgotten for good stays gone; `molt remember` says it anew"
    if tale.left and not options.hard:
        return "`--hard` takes it out of the log"
    return "`molt log` says what changed"


class _Undoing:
    """One undoing of a tree: what it edits, file by file."""

    def __init__(
        self, ws: Workspace, what: Undo, erased: ErasedWords, now: datetime, *, hard: bool
    ) -> None:
        self._ws = ws
        self._what = what
        self._erased = erased
        self._now = now
        self._hard = hard
        self.edits: Edits = {}
        self._taken: list[str] = []
        self._left: list[str] = []
        self._cut: list[str] = []

    def restore(self, tree: Tree) -> UndoTale:
        """Make the edits; gives what they do."""
        for step in self._what.steps:
            for path in step.paths:
                if path not in (*_BOOKS, *paths.PROJECTIONS):
                    self._restore_path(step, path, Overlay(tree, dict(self.edits)))
        self._restore_books(tree)
        self._keep_changing(tree)
        correction = self._correct_logs(tree)
        tale = tell_undo(tree, self.edits, self._taken)
        self._renew_scores(tree, tale)
        self._mark_records(tree)
        self._keep_changing(tree)
        return tale.replace(
            back=tuple(name for name in tale.back if name != correction),
            left=tuple(dict.fromkeys(self._left)),
            erased=tuple(dict.fromkeys(self._cut)),
            correction=correction,
        )

    def _restore_path(self, step: Restoration, path: str, now: Tree) -> None:
        books = dict(self._erased.books)
        if undo_reflections.is_record(path) and (self._what.reflections or path in books):
            return
        if path in books:
            hide = self._erased.hide
            step = step.replace(gone=hide(step.gone), back=hide(step.back))
        if undo_files.is_log(path) and not self._hard:
            found = undo_logs.restore_log(step, path, now)
            data = found.data
            self._taken += found.taken
            self._left += [found.left] * bool(found.left)
        else:
            data = undo_files.restore_file(step, path, now)
        before = now.read(path)
        if data == before:
            return
        kept = self._erased.cut(path, data) if data is not None else None
        if kept != data:
            self._cut.append(path)
        self.edits[path] = kept

    def _restore_books(self, tree: Tree) -> None:
        scores = before = trees.read_strict(tree, paths.SCORES)
        for step in self._what.steps:
            if paths.SCORES in step.paths:
                scores = undo_scores.restore_scores(step.gone, step.back, scores)
            if paths.TOMBSTONES in step.paths:
                now = Overlay(tree, dict(self.edits))
                stones = undo_past.restore_stones(step.gone, step.back, now, self._erased)
                if stones is not None:
                    self.edits[paths.TOMBSTONES] = stones
            if paths.CHECKSUMS in step.paths and self._what.sums:
                found = undo_files.restore_file(step, paths.CHECKSUMS, tree)
                self.edits[paths.CHECKSUMS] = found
        if scores != before:
            self.edits[paths.SCORES] = scores.encode()

    def _correct_logs(self, tree: Tree) -> str:
        now = Overlay(tree, dict(self.edits))
        more, correction = undo_logs.correct_entries(now, self._taken, self._what.brief, self._now)
        self.edits.update(more)
        return correction

    def _renew_scores(self, tree: Tree, tale: UndoTale) -> None:
        after = Overlay(tree, dict(self.edits))
        text = trees.read_strict(after, paths.SCORES)
        gone = [name for name in tale.gone if name not in self._taken]
        fading = formula.read_fading(self._ws.config)
        fresh = undo_scores.renew_scores(text, gone, tale.back, self._now.timestamp(), fading)
        if fresh != text:
            self.edits[paths.SCORES] = fresh.encode()

    def _mark_records(self, tree: Tree) -> None:
        held = undo_reflections.list_held(tree)
        named = [one for one in self._what.reflections if one in held]
        self.edits.update(undo_reflections.mark_reverted(tree, named, self._what.said, self._now))

    def _keep_changing(self, tree: Tree) -> None:
        self.edits = {path: data for path, data in self.edits.items() if tree.read(path) != data}


def _render(ws: Workspace, what: Undo, tale: UndoTale, edits: Edits, tree: Tree) -> str:
    touched = [path for path in edits if path not in (paths.SCORES, paths.TOMBSTONES)]
    weights = {sensitivity.classify(path, ws.config) for path in touched}
    rows = [f"- {one}" for one in tale.left]
    if sensitivity.CRITICAL in weights:
        rows += ["", messages.CRITICAL_NOTICE]
    named = [("Memory-Id", one) for one in (tale.correction, *tale.back, *tale.gone) if one]
    trailers = [*what.trailers, *dict.fromkeys(named[:_MEMORIES])]
    if any(_is_rewritten(tree, path, edits[path]) for path in touched):
        trailers.append(("Accepts", f"EPI001 — {what.said}"))
    by = messages.Provenance("manual", "approved", "molt revert", trailers)
    every = touched or [paths.SCORES]
    file = what.file if what.file in every else (every[0] if len(every) == 1 else "*")
    return messages.render("REVERT", file, what.said, by, body="\n".join(rows))


def _is_rewritten(tree: Tree, path: str, data: bytes | None) -> bool:
    """Whether a log loses some of what a tree has of it."""
    return undo_files.is_log(path) and not (data or b"").startswith(tree.read(path) or b"")
