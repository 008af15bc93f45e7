"""The hooks that judge what a ref is about to get: pre-push, strict mode, verify."""

from __future__ import annotations

import os
import sys

from molt.formats.lines import escape_text, render_hint
from molt.formats.reflections import refs
from molt.githooks import refnames
from molt.memory import workspace
from molt.memory.checks import labels, offers
from molt.memory.checks import verify as verifying
from molt.memory.checks.scope import Scope, Walk
from molt.repo import find
from molt.repo.history import revisions
from molt.repo.history.revisions import CommitRange
from molt.repo.repository import ZERO
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.memory.checks.offers import Cause
    from molt.memory.checks.verify import VerifyReport
    from molt.repo.ancestry import ParentRow
    from molt.repo.repository import Repo

USUAL = ("refs/heads/main", "refs/heads/master")
REPLACED = "refs/replace/"
REPLACING = (
    "error HIST001: would change what others see in history",
    "leave it here: `git push` without it, or `git replace -d`",
)
UNLABEL = "take it out, make what holds it anew or under another name, and rotate it"
# More than these nobody reads in a terminal; `molt verify` has all of them.
_SHOWN = 20


class Update(Value):
    """A ref that is about to move from one commit to another; empty for none."""

    ref: str
    old: str
    new: str


class _Remote(Value):
    """What this clone knows of where a push goes: the commits that its branches had, which of them
    (by full refs) others start from, and what those had.
    """

    known: tuple[str, ...]
    protected: tuple[str, ...]
    trusted: tuple[str, ...]


def pre_push(args: Sequence[str], text: str) -> int:
    """Judges all commits that the remote has not; returns 1 where the policy refuses one.

    `args` are the name and address of the remote, `text` is what git writes to the hook.
    """
    repo = find.here()
    remote = args[0] if args else os.environ.get("PRE_COMMIT_REMOTE_NAME", "origin")
    known = revisions.list_refs(repo, f"refs/remotes/{remote}/")
    main = known.pop(f"refs/remotes/{remote}/HEAD", "").removeprefix(f"refs/remotes/{remote}/")
    protected = (f"refs/heads/{main}",) if main else USUAL
    heads = (ref.replace("refs/heads/", f"refs/remotes/{remote}/", 1) for ref in protected)
    trusted = tuple(known[ref] for ref in heads if ref in known)
    updates = list(_pushed(repo, text))
    if not known:
        updates = _drop_adopted(repo, updates)
    return _judge_all(repo, updates, _Remote(tuple(known.values()), protected, trusted))


def _drop_adopted(repo: Repo, updates: list[Update]) -> list[Update]:
    """Those that lead to more than the history that this clone has adopted: of a remote of which
    nothing is known an old tag would bring all of it, and no adoption.
    """
    commits = {one: repo.reader.oid(f"{one.new}^{{commit}}") or "" for one in updates if one.new}
    here = repo.reader.oid("HEAD^{commit}")
    if not here or not any(oid not in ("", here) for oid in commits.values()):
        return updates
    adopted = Scope(repo, revisions.resolve_range(repo, ("HEAD",))).before_adoption()
    return [
        one
        for one in updates
        if one.ref.startswith(REPLACED)
        or not commits.get(one)
        or not any(repo.is_ancestor(commits[one], oid) for oid in adopted)
    ]


def reference_transaction(args: Sequence[str], text: str) -> int:
    """Judges what the branches are about to get; returns 1 where the policy refuses a commit.

    `args` is the state of git's transaction, `text` its lines; a commit that any branch has
    already was judged before.
    """
    if list(args) != ["prepared"]:
        return 0
    repo = find.here()
    updates = [one for one in list_moved(text) if one.ref.startswith("refs/heads/") and one.new]
    if not updates:
        return 0
    every = revisions.list_refs(repo, "refs/heads/")
    # What was judged as a proposal was not judged for any other branch.
    judged = tuple(oid for ref, oid in every.items() if not refs.find_id(ref))
    status = 0
    # What a reflection proposes is on its branch alone; of others the name does not matter.
    for branch in dict.fromkeys(map(_name_reflection, updates)):
        chosen = [one for one in updates if _name_reflection(one) == branch]
        new = tuple(one.new for one in chosen)
        onto = tuple(one.old for one in chosen if one.old)
        known = tuple(every.values()) if branch else judged
        asked = CommitRange(new[-1][:10], new, known, onto, branch=branch)
        status |= _judge_range(repo, asked, environment=workspace.find_actor(repo))
    return status


def _name_reflection(one: Update) -> str:
    """The ref of an update where it is the branch of a reflection."""
    return one.ref if refs.find_id(one.ref) else ""


def verify(args: Sequence[str]) -> int:
    """Judges a range, or all of HEAD's history; returns 1 where the policy refuses a commit."""
    repo = find.here()
    return _judge_range(repo, revisions.resolve_range(repo, args))


def warn_of_range(repo: Repo, *words: str) -> None:
    """Says what is wrong with what came in."""
    _judge_range(repo, revisions.resolve_range(repo, words))


def _update(old: str, new: str, ref: str) -> Update:
    return Update(ref, *("" if oid == ZERO else oid for oid in (old, new)))


def _list_rows(text: str) -> list[str]:
    """The lines that git writes to a hook: what else may end a line can stand in a name."""
    return [row for row in text.split("\n") if row]


def list_moved(text: str) -> Iterator[Update]:
    """The refs that are to move, by lines of two ids and a name."""
    return (_update(*row.split(" ", 2)) for row in _list_rows(text))


def _pushed(repo: Repo, text: str) -> Iterator[Update]:
    """What a push is about to do, by the lines that git writes to its hook."""
    # What is pushed is named as it was given: `HEAD@{one day ago}` has blanks, a branch any letter.
    rows = [row.rsplit(" ", 3) for row in _list_rows(text)]
    new = os.environ.get("PRE_COMMIT_TO_REF", "")
    if not rows and os.environ.get("PRE_COMMIT"):
        # The framework forwards no lines, and no TO_REF on a first push of the root commit.
        ref = os.environ.get("PRE_COMMIT_REMOTE_BRANCH", "")
        here = new or repo.resolve("HEAD")
        rows = [["", here, ref, os.environ.get("PRE_COMMIT_FROM_REF", ZERO)]]
    for _, here, ref, there in rows:
        yield _update(there, here, ref)


def _judge_all(repo: Repo, updates: Iterable[Update], remote: _Remote) -> int:
    """Judges what each ref gets, and refuses what would make others see another history.

    What one ref may have is nowhere new to the next, as if they were pushed one by one.
    """
    status = 0
    judged: dict[Update, str] = {}
    strays: list[Update] = []
    # The remote may have what a person has purged here: that is as if it had the new history.
    rewritten = revisions.read_rewritten(repo)
    for one in (one.replace(old=rewritten.get(one.old, one.old)) for one in updates):
        if refused := _refuse_update(repo, one, remote.protected):
            tell_refused(one.ref, *refused)
            status = 1
        elif one.new and (tip := repo.reader.oid(f"{one.new}^{{commit}}")):
            judged[one] = tip
        elif one.new:
            strays.append(one)
    here = [one.old for one in judged if one.old and revisions.has_commit(repo, one.old)]
    walk = Walk(repo, tuple(dict.fromkeys((*judged.values(), *here))), remote.known)
    for one, tip in judged.items():
        scope, rows = _find_scope(repo, one.replace(new=tip), walk, remote)
        if scope is None or not scope.is_of_memory():
            strays.append(one)
        if scope is None:
            continue
        failed = _judge_scope(scope, publish=True, environment=workspace.find_actor(repo))
        status |= failed
        # What was judged as a proposal was not judged for any other ref.
        if not failed and not refs.find_id(one.ref):
            walk.let_pass(tip, rows)
    return refuse_strays(repo, strays, (*remote.known, *here)) | status


def _refuse_update(repo: Repo, one: Update, protected: Sequence[str]) -> tuple[str, str] | None:
    """What is wrong with an update whatever its commits say, with what helps; None if nothing.

    A branch that is gone could come again with another history, of which nobody knew better.
    """
    if refused := refuse_name(repo, one, protected):
        return refused
    if one.ref not in protected or not one.old:
        return None
    if not one.new:
        said = "error HIST001: would be deleted, and its history with it"
        return said, "have another main branch there first"
    if not revisions.has_commit(repo, one.old):
        said = "error HIST001: has commits there that are not here"
        return said, "`git fetch`, and go on from them"
    return None


def refuse_name(repo: Repo, one: Update, protected: Sequence[str]) -> tuple[str, str] | None:
    """What is wrong with the name of a ref, or with what a tag says, and what helps; None if
    nothing, or if the ref is to go.
    """
    if not one.new:
        return None
    if one.ref.startswith(REPLACED):
        return REPLACING
    if told := labels.find_secret(repo, one.ref, one.new):
        return f"error SEC001: {told}", UNLABEL
    if not one.old and (said := refnames.find_misread(one.ref, protected)):
        return f"error SEC004: {said}", refnames.HINT
    return None


def _find_scope(
    repo: Repo, one: Update, walk: Walk, remote: _Remote
) -> tuple[Scope | None, Sequence[ParentRow]]:
    """The commits that an update is judged for, and those of them that are nowhere yet; None for
    none.

    The branch that all others start from gets nothing that was not judged for it, whatever other
    branches have, and goes on from where it was. Of another branch only what is nowhere yet.
    """
    here = one.old and revisions.has_commit(repo, one.old)
    old = (one.old,) if here else ()
    asked = CommitRange(one.new[:10], (one.new,), old, old, branch=one.ref, trusted=remote.trusted)
    rows = walk.list_new(one.new, *old)
    if one.ref not in remote.protected:
        return (Scope(repo, asked, rows) if rows else None), rows
    if not old:
        rows = walk.list_all(one.new)
        return (Scope(repo, asked, rows) if rows else None), rows
    text = f"{one.old[:10]}..{one.new[:10]}"
    asked = asked.replace(text=text, moved=True)
    return Scope(repo, asked, walk.list_since(one.new, one.old)), rows


def _judge_range(repo: Repo, asked: CommitRange, *, environment: str = "") -> int:
    """Judges commits, prints what is wrong, and returns the exit status."""
    return _judge_scope(Scope(repo, asked), environment=environment)


def _judge_scope(scope: Scope, *, publish: bool = False, environment: str = "") -> int:
    report = verifying.judge_scope(scope, publish=publish, environment=environment)
    tell_report(report)
    return 1 if report.errors else 0


def refuse_strays(repo: Repo, moves: Sequence[Update], known: Sequence[str]) -> int:
    """Refuses what gives a secret away though it holds no memory, and so no rule was asked of it;
    returns 1 where anything does. What `known` objects lead to was there before.
    """
    tips = [one.new for one in moves]
    if not tips or not labels.find_stray_secret(repo, tips, known):
        return 0
    for one in moves:
        if said := labels.find_stray_secret(repo, (one.new,), known):
            tell_refused(one.ref, f"error SEC001: {said}", UNLABEL)
            break
    return 1


def tell_refused(ref: str, said: str, hint: str) -> None:
    """Prints why a ref may not be had, and what helps."""
    sys.stderr.write(f"molt: {escape_text(ref)} {said}\n      {hint}\n")


def tell_report(report: VerifyReport) -> None:
    """Prints the findings, of very many the errors first, and last the line that goes on."""
    write = sys.stderr.write
    found = offers.list_causes(report)
    many = len(found) > _SHOWN
    shown = sorted(found, key=_is_warning)[:_SHOWN] if many else found
    advice = [cause.finding.advice for cause in shown]
    for cause, following in zip(shown, (*advice[1:], ""), strict=False):
        one = cause.finding
        where = f" {escape_text(one.place)}" if one.place else ""
        write(f"molt: {cause.named} {one.severity} {one.code}{where}: {escape_text(one.message)}\n")
        # What helps with several in a row is said once, after the last.
        if one.hint and one.advice != following:
            write(f"{render_hint(one.hint)}\n")
    if many:
        write(f"molt: and {len(found) - _SHOWN:,} more: `molt verify {report.range}`\n")
    if report.missing:
        write(f"molt: {verifying.tell_missing(report)}; {verifying.FETCH}\n")
    if said := offers.tell_way_on(report):
        write(f"molt: {said}\n")


def _is_warning(cause: Cause) -> bool:
    return cause.finding.severity != "error"
