"""The hook of a server: what a push brings is judged before git takes it.

What the server has already is the side that is trusted. The objects of a push lie in a folder of
their own until the hook has said yes, and with a no nothing of them is left. One ref that may not
be had refuses all of a push.
"""

from __future__ import annotations

import sys

from molt import errors
from molt.formats.lines import escape_text
from molt.formats.reflections import refs
from molt.githooks import refnames, updates
from molt.memory import workspace
from molt.memory.checks import verify
from molt.memory.checks.scope import Scope, Walk
from molt.repo import find
from molt.repo.commits import Commit
from molt.repo.history import revisions
from molt.repo.history.revisions import CommitRange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from molt.githooks.updates import Update
    from molt.repo.ancestry import ParentRow
    from molt.repo.repository import Repo

PROTECTED = "molt.protected"
"""The branches that are protected, by names and patterns with blanks between; the default is what
HEAD names.
"""
REWRITE = "molt.rewrite"
"""The one commit to which a protected branch may be moved though it does not contain what the
branch has.
"""
_HEADS = "refs/heads/"
_LINKS = 5
"""Symbolic refs that git follows one after the other."""
_LOSING = "error HIST001: is protected, and would lose commits that others have"
_MISSING = "the history of what is pushed is not whole"


def pre_receive(text: str) -> int:
    """Judges what a push brings, by the lines that git writes to the hook; returns 1 to refuse."""
    door = _Door(find.here())
    moves = sorted(door.list_moved(text), key=lambda one: not door.is_protected(one.ref))
    refused = [one for one in moves if door.refuse_ref(one)]
    if refused:
        return 1
    return door.judge_refs([one for one in moves if one.new])


class _Door:
    """What a server has, and what each ref of a push may have of what comes."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._branches = revisions.list_refs(repo, _HEADS)
        self._protected = _list_protected(repo, self._branches)
        self._folded = {ref.casefold(): ref for ref in self._branches}
        self._folds = repo.config("core.ignorecase") == "true"

    def list_moved(self, text: str) -> list[Update]:
        """What a push is about to do: what it moves under a symbolic name is what that names."""
        moves = list(updates.list_moved(text))
        for _ in range(_LINKS):
            there = self._list_there([one.ref for one in moves if one.old])
            named = {ref: to for ref, to in there.items() if to.startswith("refs/")}
            if not named:
                break
            moves = [one.replace(ref=named.get(one.ref, one.ref)) for one in moves]
        return moves

    def _list_there(self, asked: Sequence[str]) -> dict[str, str]:
        """What some refs name here; the branches are known."""
        known = {ref: self._branches[ref] for ref in asked if ref in self._branches}
        other = [ref for ref in asked if ref not in known]
        return known | (revisions.list_refs(self._repo, *other) if other else {})

    def is_protected(self, ref: str) -> bool:
        """Whether a ref is a branch that others start from."""
        return refnames.is_among(ref, self._protected)

    def refuse_ref(self, one: Update) -> bool:
        """Say what is wrong with an update whatever its commits say; whether anything is."""
        said = self._find_wrong(one)
        if said:
            updates.tell_refused(one.ref, *said)
        return bool(said)

    def _find_wrong(self, one: Update) -> tuple[str, str] | None:
        if refused := updates.refuse_name(self._repo, one, self._protected):
            return refused
        other = self._folded.get(one.ref.casefold(), one.ref) if self._folds else one.ref
        if one.ref not in self._branches and other != one.ref:
            said = f"error SEC004: is {other} in other letters, which are one file here"
            return said, refnames.HINT
        if not self.is_protected(one.ref) or not one.old:
            return None
        if not one.new:
            said = "error HIST001: is protected and would be deleted, and its history with it"
            return said, f"whoever runs the server can name others: `git config {PROTECTED} NAMES`"
        if self._goes_on(one):
            return None
        # What was let through once is in it, and what goes on from that would be lost.
        if self._repo.is_ancestor(one.new, one.old):
            move = f"git update-ref {one.ref} {one.new}"
            hint = f"`git revert` takes back what it says; whoever runs the server: `{move}` there"
            return _LOSING, hint
        if one.new == self._repo.config(REWRITE):
            return None
        hint = (
            "`git pull`, and push what comes of it; if history has to change, as for a purge, "
            f"whoever runs the server says so there: `git config {REWRITE} {one.new}`"
        )
        return _LOSING, hint

    def _goes_on(self, one: Update) -> bool:
        """Whether what a ref is to get has in its history what it had: a parent is seen at once."""
        found = self._repo.reader.ask([one.new])[0]
        if found and found[1] == "commit" and one.old in Commit(one.new, found[2]).parents:
            return True
        return self._repo.is_ancestor(one.old, one.new)

    def judge_refs(self, moves: Sequence[Update]) -> int:
        """Judge what some refs are to get, print what is wrong, and return the exit status: who
        pushes hears of all at once.
        """
        tips = self._find_tips(moves)
        known = self._list_lasting()
        olds = (one.old for one in tips if one.old and one.ref not in self._branches)
        walk = Walk(self._repo, tuple(dict.fromkeys((*tips.values(), *olds))), known)
        strays = [one for one in moves if one not in tips]
        status = 0
        for one, tip in tips.items():
            if self.is_protected(one.ref) or refs.find_id(_find_branch(one.ref)):
                scope, rows = self._find_scope(one, tip, walk), walk.list_new(tip)
            else:
                rows = walk.list_new(tip, *filter(None, (one.old,)))
                scope = self._join_workspace(self._make_range(one, tip), rows) if rows else None
            if scope is None or not scope.is_of_memory():
                strays.append(one)
            failed = self._judge_scope(one, scope) if scope else 0
            status |= failed
            # What was judged as a proposal was not judged for any other ref.
            if scope and not failed and not refs.find_id(scope.asked.branch):
                walk.let_pass(tip, rows)
        there = revisions.list_refs(self._repo).values() if strays else ()
        held = [oid for oid in there if not oid.startswith("refs/")]
        return updates.refuse_strays(self._repo, strays, held) | status

    def _find_tips(self, moves: Sequence[Update]) -> dict[Update, str]:
        """The commit that each of some refs is to have; the tag of a file or a folder holds no
        memory.
        """
        tips: dict[Update, str] = {}
        found = self._repo.reader.ask([f"{one.new}^{{commit}}" for one in moves])
        for one, commit in zip(moves, found, strict=True):
            if commit is not None:
                tips[one] = commit[0]
            elif self._repo.reader.oid(one.new) is None:
                said = f"{one.ref}: git has no object {one.new}"
                raise errors.Failed(said, "`git fsck` tells more")
        return tips

    def _judge_scope(self, one: Update, scope: Scope) -> int:
        actor = workspace.find_actor(self._repo)
        report = verify.judge_scope(scope, publish=True, environment=actor)
        updates.tell_report(report)
        if not (report.errors or report.missing):
            return 0
        count = len(report.errors)
        why = f"{count:,} error{'s' * (count != 1)}" if count else _MISSING
        sys.stderr.write(f"molt: {escape_text(one.ref)} is not taken: {why}\n")
        return 1

    def _find_scope(self, one: Update, tip: str, walk: Walk) -> Scope | None:
        """The commits that a protected branch or a proposal is judged for; None for those that
        have nothing to do with a workspace.

        A protected branch gets nothing that was not judged for it, whatever other branches have.
        Of another one only what is nowhere yet; what a reflection proposes is on its branch alone.
        """
        asked = self._make_range(one, tip)
        if self.is_protected(one.ref) and one.old:
            moved = one.new != self._repo.config(REWRITE)
            text = f"{one.old[:10]}..{tip[:10]}"
            asked = asked.replace(text=text, known=asked.onto, moved=moved)
            return Scope(self._repo, asked, walk.list_since(tip, one.old))
        if self.is_protected(one.ref):
            return self._join_workspace(asked.replace(known=self._list_trusted()))
        known = (*self._list_lasting(), *walk.passed, *asked.onto)
        return self._join_workspace(asked.replace(known=known))

    def _make_range(self, one: Update, tip: str) -> CommitRange:
        """What a ref is to get. Wherever it starts from, what the protected branches forbid today
        is forbidden: who pushes chooses an old commit to go on from as easily as a new one.
        """
        old = (one.old,) if one.old else ()
        branch, trusted = _find_branch(one.ref), self._list_trusted()
        return CommitRange(tip[:10], (tip,), (), old, branch=branch, trusted=trusted)

    def _list_lasting(self) -> tuple[str, ...]:
        """What the branches have, but those of reflections: what one of these proposes is not
        judged for any other ref.
        """
        return tuple(oid for ref, oid in self._branches.items() if not refs.find_id(ref))

    def _list_trusted(self) -> tuple[str, ...]:
        """What the protected branches have, that of reflections apart."""
        heads = self._branches.items()
        return tuple(oid for ref, oid in heads if self.is_protected(ref) and not refs.find_id(ref))

    def _join_workspace(
        self, asked: CommitRange, rows: Sequence[ParentRow] | None = None
    ) -> Scope | None:
        """A range with what is here already in front of it, where what it goes on from is no
        workspace: a history of notes or pages is nobody's business, another memory is.
        """
        main = self._list_trusted()
        scope = Scope(self._repo, asked, rows)
        if not main or scope.established:
            return scope
        if not any(map(scope.holds_memory, scope.ancestry.parents)):
            return None
        return Scope(self._repo, asked.replace(onto=(*asked.onto, *main)), rows)


def _list_protected(repo: Repo, branches: Collection[str]) -> tuple[str, ...]:
    """The protected branches, by full names and patterns. A HEAD that names no branch yet may be
    that of who made the repository, and not of who uses it.
    """
    if named := (repo.config(PROTECTED) or "").split():
        return tuple(f"{_HEADS}{name}" for name in named)
    head = repo.branch() or ""
    return (head,) if head in branches else tuple(filter(None, (head, *updates.USUAL)))


def _find_branch(ref: str) -> str:
    """The branch that a ref is judged as: what is kept of a rejected reflection is its branch."""
    kept = ref.removeprefix(refs.REJECTED)
    return ref if kept == ref else refs.branch_ref(kept)
