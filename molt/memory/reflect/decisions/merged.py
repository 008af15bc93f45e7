"""A reflection that git or a forge has merged: what was decided there is written down here."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import lines
from molt.formats import message as messages
from molt.formats.reflections import histories, plan, record, refs
from molt.formats.reflections.record import Decision
from molt.memory.checks import settled
from molt.memory.decay import formula
from molt.memory.proposed import open_branches
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import settle
from molt.memory.reflect.decisions.settle import (
    APPROVED,
    DROPPED,
    EDITED,
    ScoreEdits,
    SettledReflection,
)
from molt.memory.reflect.material.records import read_records
from molt.repo import branches
from molt.repo.commits import Commit
from molt.repo.write import ref_moves
from molt.repo.write.plan import Change
from molt.repo.write.ref_moves import RefMove
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from molt.formats.reflections.record import ReflectionRecord
    from molt.memory.reflect.operations.steps import PlannedStep
    from molt.memory.workspace import Workspace
    from molt.trees import Edits, Tree

ACTOR = "system:reflect"
_UNTAKEN = "REFL001"
"""The rule that what is proposed awaits a person."""
_LEFT_OUT = f"{DROPPED}: it was not merged"
_OTHERWISE = "it was merged with other words than were proposed"


class MergedReflection(Value):
    """A reflection that was merged elsewhere: the commit that brought its record, who made that as
    git says, and how many of how many items hold; `otherwise` are those that were merged with other
    words than were proposed: whoever merged has written these.
    """

    id: str
    commit: str
    by: str
    status: str
    applied: int
    total: int
    otherwise: tuple[int, ...] = ()


def finish_quietly(ws: Workspace, now: datetime) -> tuple[MergedReflection, ...]:
    """`finish_merged` where nobody has asked for it: what cannot be written now waits."""
    try:
        return finish_merged(ws, now)
    except (errors.MoltError, OSError):
        return ()


def finish_merged(ws: Workspace, now: datetime) -> tuple[MergedReflection, ...]:
    """Complete the log, the long arc and the scores for each reflection that HEAD's branch holds
    the record of, and no decision: in one commit each. Raises what a commit does.
    """
    return tuple(
        made for one in find_unfinished(ws.head()) if (made := _finish(ws, one, now)) is not None
    )


def find_unfinished(tree: Tree) -> tuple[ReflectionRecord, ...]:
    """The records of a tree that are pending, and that the log does not list."""
    listed = open_branches.list_logged(tree)
    # After a year there are hundreds of records, and hardly ever one that nobody has listed.
    return tuple(one for one in read_records(tree, listed) if one.status == "pending")


def _finish(ws: Workspace, one: ReflectionRecord, now: datetime) -> MergedReflection | None:
    """Complete one; None where it is no merge of a person or of a forge, or not that plan."""
    commit = _find_bringer(ws, one)
    operations = settle.read_operations(one)
    whole = len(operations) == len(one.items) and plan.hash_plan(operations) == one.plan_hash
    if commit is None or not whole or ws.repo.stamp(one.base) is None:
        return None
    merge = _Merge(ws, one, commit, now)
    done = ws.commit(merge.make_change, actor=ACTOR)
    if not done.oid:
        return None
    _drop_branch(ws, one)
    ws.freshen()
    return done.made


def _find_bringer(ws: Workspace, one: ReflectionRecord) -> Commit | None:
    """The commit on the line of first parents that brought a record; None where that is one of who
    is named and no person. Of the one that the reflection itself has made, as a fast-forward leaves
    it there, it is a person's that accepts it.
    """
    args = ("log", "-1", "--first-parent", "-m", "--format=%H", "--diff-filter=A", "HEAD")
    oid = ws.repo.run(*args, "--", record.record_path(one.id)).strip()
    found = ws.repo.reader.ask([oid])[0] if oid else None
    if found is None:
        return None
    commit = Commit(found[0], found[2])
    actor = messages.actor(messages.parse(commit.message))
    if actor in ("", "manual"):
        return commit
    if actor != f"reflection:{one.id}":
        return None
    return _find_acceptance(ws, commit.oid) if refs.is_own(commit.committer) else commit


def _find_acceptance(ws: Workspace, oid: str) -> Commit | None:
    """The commit by which a person takes on that what was proposed came without a merge."""
    pair = (oid, _UNTAKEN)
    args = ("log", "-1", "--format=%H", "-F", f"--grep={settled.TRAILER}: {' '.join(pair)}")
    found = ws.repo.run(*args, "HEAD", f"^{oid}", "--").strip()
    asked = ws.repo.reader.ask([found])[0] if found else None
    if asked is None:
        return None
    commit = Commit(asked[0], asked[2])
    return commit if pair in settled.taken_on(messages.parse(commit.message)) else None


def _drop_branch(ws: Workspace, one: ReflectionRecord) -> None:
    """Take away the branch here of the plan that was merged."""
    for each in open_branches.list_branches(ws.repo):
        if each.id != one.id or not each.ref.startswith(refs.BRANCHES):
            continue
        if branches.find_worktree(ws.repo.common_dir, each.ref):
            continue
        text = trees.read_text(ws.repo.tree(each.tip), record.record_path(one.id))
        if record.parse_record(text).plan_hash == one.plan_hash:
            try:
                move = RefMove(each.ref, each.tip, "")
                ref_moves.move_refs(ws.repo, [move], f"molt: {one.id} was merged")
            except errors.MoltError:
                return


class _Merge:
    """One reflection that was merged, as the change that completes it."""

    def __init__(self, ws: Workspace, one: ReflectionRecord, commit: Commit, now: datetime) -> None:
        self._ws = ws
        self._one = one
        self._commit = commit
        self._now = now

    def make_change(self, tree: Tree) -> Change[MergedReflection]:
        """The record with what was decided, the log, the long arc and the scores."""
        one = self._one
        if one.id in histories.listed_ids(trees.read_text(tree, histories.LOG)):
            return Change({}, "", self._tell(one.status, 0))
        items, taken = self._judge_items()
        wrong, edits = self._score(tree, taken)
        items |= {number: f"{DROPPED}: {why}" for number, why in wrong.items()}
        status = settle.choose_status(items)
        decision = Decision(status, self._now.isoformat(timespec="seconds"), self._name_person())
        done = tuple(each.operation for each in taken if items[each.operation.n] in settle.TAKEN)
        finished = SettledReflection(one, decision, items, done)
        edits |= settle.edit_books(Overlay(tree, edits), finished)
        named = [("Reflection", one.id), ("Plan", one.plan_hash), ("Base", one.base)]
        named.append(("Merged", self._commit.oid))
        by = messages.Provenance(ACTOR, status, "merged with git", named)
        text = messages.render("EDIT", histories.LOG, f"reflection {one.id} merged", by)
        otherwise = tuple(number for number, word in items.items() if word.endswith(_OTHERWISE))
        return Change(
            edits, text, self._tell(status, finished.applied).replace(otherwise=otherwise)
        )

    def _tell(self, status: str, applied: int) -> MergedReflection:
        one, by = self._one, self._name_person()
        return MergedReflection(one.id, self._commit.oid, by, status, applied, len(one.items))

    def _name_person(self) -> str:
        """Who merged, as git says: of a rebase it is who put the commits there."""
        own = refs.is_own(self._commit.author)
        line = self._commit.committer if own else self._commit.author
        name = line.partition(b" <")[0].decode("utf-8", "replace")
        return lines.one_line(name).strip() or "nobody"

    def _judge_items(self) -> tuple[dict[int, str], list[PlannedStep]]:
        """What was decided of each item, and the operations that hold: those of which the tree of
        the merge shows the effect, or that of the operation's own commit on the way there.
        """
        one, ws = self._one, self._ws
        operations = settle.read_operations(one)
        made = branch.plan_pending(ws, one.base, operations, one.id, settle.read_day(one))
        after, there = ws.repo.tree(self._commit.oid), self._list_commits()
        items = dict.fromkeys((each.n for each in operations), _LEFT_OUT)
        taken: list[PlannedStep] = []
        edits: Edits = {}
        strange = self._list_strange(made.done)
        for each in made.done:
            before = Overlay(ws.repo.tree(one.base), dict(edits))
            own = each.step.edits if each.step else {}
            edits.update(own)
            number = each.operation.n
            seen = (after, ws.repo.tree(there[number])) if number in there else (after,)
            holds = any(_shows(before, own, tree) for tree in seen)
            if holds:
                taken.append(each)
                items[number] = APPROVED
            if not strange.isdisjoint(own):
                items[number] = f"{EDITED if holds else DROPPED}: {_OTHERWISE}"
        return items, taken

    def _list_strange(self, steps: Sequence[PlannedStep]) -> frozenset[str]:
        """The files of a plan to which the merge has added lines that no operation writes."""
        before, after = (self._ws.repo.tree(oid) for oid in (self._find_start(), self._commit.oid))
        known: dict[str, set[bytes]] = {}
        for path, data in (pair for each in steps if each.step for pair in each.step.edits.items()):
            known.setdefault(path, set(_list_rows(before.read(path)))).update(_list_rows(data))
        return frozenset(
            path
            for path, rows in known.items()
            if not rows.issuperset(_list_rows(after.read(path)))
        )

    def _find_start(self) -> str:
        """The last commit of the line that is none of what was merged."""
        own = frozenset(self._list_commits().values())
        args = ("rev-list", "--first-parent", self._commit.oid, f"^{self._one.base}", "--")
        line = self._ws.repo.run(*args).split()[1:]
        return next((oid for oid in line if oid not in own), self._one.base)

    def _list_commits(self) -> dict[int, str]:
        """The operations that commits on the way there are of, by their numbers."""
        one = self._one
        args = ("log", "-z", "--format=%H%n%B", "-F", f"--grep=Reflection: {one.id}")
        out = self._ws.repo.run(*args, self._commit.oid, f"^{one.base}", "--")
        found: dict[int, str] = {}
        for row in filter(str.strip, out.split("\0")):
            oid, _, text = row.strip().partition("\n")
            message = messages.parse(text)
            numbers = messages.trailer_values(message, "Operation")
            if messages.actor(message) == f"reflection:{one.id}" and len(numbers) == 1:
                found.update({int(each): oid for each in numbers if each.isdecimal()})
        return found

    def _score(self, tree: Tree, taken: list[PlannedStep]) -> tuple[dict[int, str], Edits]:
        fading = formula.read_fading(self._ws.config)
        books = ScoreEdits(tree, self._now.timestamp(), fading)
        return settle.score_operations(books, taken), books.edits


def _shows(before: Tree, edits: Mapping[str, bytes | None], after: Tree) -> bool:
    """Whether a tree shows what edits did to another one: the lines that they add are there, and
    those that they take away are not. Of the day of a change there can be another one.
    """
    for path, data in edits.items():
        if data is None:
            if after.entry(path) is not None:
                return False
            continue
        old, new, now = (
            frozenset(_list_rows(text)) for text in (before.read(path), data, after.read(path))
        )
        if not new - old <= now or (old - new) & now:
            return False
    return True


def _list_rows(data: bytes | None) -> Iterator[bytes]:
    rows = (row.strip() for row in (data or b"").split(b"\n"))
    return (row for row in rows if row and not row.startswith(b"updated:"))
