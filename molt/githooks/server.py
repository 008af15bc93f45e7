"""The hook of a server: what a push brings is judged before git takes it.

What the server has already is the side that is trusted. The objects of a push lie in a folder of
their own until the hook has said yes, and with a no nothing of them is left. One ref that may not
be had refuses all of a push.
"""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase

from molt import errors
from molt.formats.lines import escape_text
from molt.formats.reflections import refs
from molt.githooks import updates
from molt.memory import verify, workspace
from molt.memory.scope import Scope
from molt.repo import find, revisions
from molt.repo.revisions import CommitRange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from molt.githooks.updates import Update
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
_USUAL = ("main", "master")
_MISSING = "the history of what is pushed is not whole"


def pre_receive(text: str) -> int:
    """Judges what a push brings, by the lines that git writes to the hook; returns 1 to refuse."""
    door = _Door(find.here())
    moves = sorted(updates.list_moved(text), key=lambda one: not door.is_protected(one.ref))
    refused = [one for one in moves if door.refuse_ref(one)]
    if refused:
        return 1
    # Not `any`: who pushes hears of all at once.
    return int(sum(door.judge_ref(one) for one in moves if one.new) > 0)


class _Door:
    """What a server has, and what each ref of a push may have of what comes."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._branches = revisions.list_refs(repo, _HEADS)
        self._protected = _list_protected(repo, self._branches)
        self._passed: list[str] = []

    def is_protected(self, ref: str) -> bool:
        """Whether a ref is a branch that others start from."""
        name = ref.removeprefix(_HEADS)
        return ref != name and any(fnmatchcase(name, one) for one in self._protected)

    def refuse_ref(self, one: Update) -> bool:
        """Say what is wrong with an update whatever its commits say; whether anything is."""
        said = self._find_wrong(one)
        if said:
            sys.stderr.write(f"molt: {escape_text(one.ref)} {said[0]}\n      {said[1]}\n")
        return bool(said)

    def _find_wrong(self, one: Update) -> tuple[str, str] | None:
        if one.new and one.ref.startswith(updates.REPLACED):
            return updates.REPLACING
        if not self.is_protected(one.ref) or not one.old:
            return None
        if not one.new:
            said = "is protected and would be deleted, and its history with it"
            return said, f"whoever runs the server can name others: `git config {PROTECTED} NAMES`"
        if one.new == self._repo.config(REWRITE) or self._repo.is_ancestor(one.old, one.new):
            return None
        hint = (
            "`git pull`, and push what comes of it; if history has to change, as for a purge, "
            f"whoever runs the server says so there: `git config {REWRITE} {one.new}`"
        )
        return "error HIST001: is protected, and would lose commits that others have", hint

    def judge_ref(self, one: Update) -> int:
        """Judge what a ref is to get, print what is wrong, and return the exit status."""
        tip = self._repo.reader.oid(f"{one.new}^{{commit}}")
        if tip is None:
            if self._repo.reader.oid(one.new) is None:
                raise errors.Failed(
                    f"{one.ref}: git has no object {one.new}", "`git fsck` tells more"
                )
            # The tag of a file or a folder holds no memory.
            return 0
        asked = self._find_range(one, tip)
        if asked is None:
            return 0
        report = verify.judge_range(
            self._repo, asked, publish=True, environment=workspace.find_actor(self._repo)
        )
        updates.tell_report(report)
        if report.errors or report.missing:
            count = len(report.errors)
            why = f"{count:,} error{'s' * (count != 1)}" if count else _MISSING
            sys.stderr.write(f"molt: {escape_text(one.ref)} is not taken: {why}\n")
            return 1
        self._passed.append(tip)
        return 0

    def _find_range(self, one: Update, tip: str) -> CommitRange | None:
        """The commits that an update is judged for; None for those that have nothing to do with
        a workspace.

        A protected branch gets nothing that was not judged for it, whatever other branches have.
        Of another one only what is nowhere yet; what a reflection proposes is on its branch alone.
        """
        branch = _find_branch(one.ref)
        old = (one.old,) if one.old else ()
        if self.is_protected(one.ref):
            moved = bool(old) and one.new != self._repo.config(REWRITE)
            text = f"{one.old[:10]}..{tip[:10]}" if old else tip[:10]
            return CommitRange(text, (tip,), old, old, moved=moved, branch=branch)
        own = refs.find_id(branch)
        known = tuple(oid for ref, oid in self._branches.items() if own or not refs.find_id(ref))
        asked = CommitRange(tip[:10], (tip,), (*known, *self._passed, *old), old, branch=branch)
        return self._join_workspace(asked)

    def _join_workspace(self, asked: CommitRange) -> CommitRange | None:
        """A range with what is here already in front of it, where it has no past in common: a
        history of notes or pages is nobody's business, another memory is.
        """
        main = tuple(oid for ref, oid in self._branches.items() if self.is_protected(ref))
        scope = Scope(self._repo, asked)
        if not main or scope.start:
            return asked
        if not any(map(scope.holds_memory, scope.ancestry.parents)):
            return None
        return asked.replace(onto=main)


def _list_protected(repo: Repo, branches: Collection[str]) -> tuple[str, ...]:
    """The names and patterns of protected branches. A HEAD that names no branch yet may be that
    of who made the repository, and not of who uses it.
    """
    if named := (repo.config(PROTECTED) or "").split():
        return tuple(named)
    head = repo.branch() or ""
    name = head.removeprefix(_HEADS)
    return (name,) if head in branches else tuple(filter(None, (name, *_USUAL)))


def _find_branch(ref: str) -> str:
    """The branch that a ref is judged as: what is kept of a rejected reflection is its branch."""
    kept = ref.removeprefix(refs.REJECTED)
    return ref if kept == ref else refs.branch_ref(kept)
