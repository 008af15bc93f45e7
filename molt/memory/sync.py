"""Several clones of one memory: what comes in is judged, merged by meaning, and ours goes out."""

from __future__ import annotations

from molt import config, errors, trees
from molt.formats import merge
from molt.formats import message as messages
from molt.formats.message import Provenance
from molt.memory import projections
from molt.memory.checks import offers, verify
from molt.memory.forget import again
from molt.memory.reflect.decisions import merged
from molt.repo import merge_driver, state
from molt.repo.history import revisions
from molt.repo.push_queue import PushQueue, ask_remote
from molt.repo.write import advance, loose, plan
from molt.repo.write.advance import Advance
from molt.repo.write.chain import CommitWriter
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from molt.memory.workspace import Workspace
    from molt.policy import Finding
    from molt.repo.repository import Repo
    from molt.repo.write.loose import Loose
    from molt.trees import Edits, Tree

ACTOR = "system:sync"
_TRIES = 50
"""Rounds in which others were faster each time: after so many something else is wrong."""
_LATE = 2
"""So often others may be faster before something keeps them off: once is chance."""
_SHOWN = 5  # rows that are named; the others are counted
_LOCKED = "cannot lock ref"
_PACK = "objects/pack/"
# What a remote, or the hook before a push, says where another was faster; git gives it no status
# of its own.
_OUTRUN = (
    "[rejected]",
    "has commits there that are not here",
    _LOCKED,
    "failed to update ref",
    "incorrect old value",
)
_DECLINED = "hook declined"
_REACH = "`git fetch` says more; what is written here stays here until it answers"
_MEND = "`molt verify @{u}..` judges what is to go out"


class RemoteBranch(Value):
    """Where a branch is kept besides: a remote by its name, the branch there, and our note of it;
    full refs.
    """

    name: str
    branch: str
    note: str


class Synced(Value):
    """What a sync did: the remote and its branch, how many commits came in and went out, the merge
    that joined them ("" where none had to), the reflections that were found merged, and what is
    to be told.
    """

    remote: str
    branch: str
    received: int = 0
    sent: int = 0
    merge: str = ""
    reflections: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def sync_workspace(ws: Workspace, now: datetime, *, remote: str = "", push: bool = True) -> Synced:
    """Fetch, judge what comes in, merge it by meaning, push, and again where another was faster.

    Nothing is lost and nothing is half done: after an error the branch is as it was, or holds what
    came in and was found good. Raises Refused for what breaks the rules, here or there, Failed for
    what only a person can merge, a remote that does not answer or is none, Busy where others
    were faster at every try.
    """
    with state.lock(ws.repo.git_dir, "sync") as lock:
        place = find_remote(ws.repo, remote)
        done = Synced(place.name, place.branch.removeprefix("refs/heads/"))
        with PushQueue(ws.repo, place.name, place.branch, lock.clock()) as queue:
            for number in range(_TRIES):
                done = _take_in(ws, place, done, queue)
                found = tuple(one.id for one in merged.finish_quietly(ws, now))
                done = done.replace(reflections=(*done.reflections, *found))
                sent = _push(ws.repo, place, queue, late=number >= _LATE) if push else 0
                if sent is not None:
                    return done.replace(sent=sent)
        raise errors.Busy("others pushed at every try", "nothing is lost: try again")


def foresee_sync(ws: Workspace, *, remote: str = "") -> Synced:
    """What a sync would do now: all but the merge and the push. Raises what that raises."""
    place = find_remote(ws.repo, remote)
    note, head = _fetch(ws.repo, place)[0], _require_head(ws.repo)
    way = _find_way(loose.Loose(ws.repo), place, (head, note)) if note else None
    made = Synced(
        place.name,
        place.branch.removeprefix("refs/heads/"),
        received=way.received if way else 0,
        sent=_count(ws.repo, f"{note}..{head}" if note else head),
        merge=way.target if way and way.target != note else "",
    )
    return made.replace(warnings=_judge(ws.repo, place, way)) if way else made


def find_remote(repo: Repo, name: str = "") -> RemoteBranch:
    """Where the branch that is checked out is kept besides: at its upstream, else under the same
    name at the remote of a name, the only one, or `origin`. Raises Failed, Usage, NotFound.
    """
    branch = plan.writable_head(repo).branch or ""
    form = "--format=%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)"
    told = repo.run("for-each-ref", form, branch).rstrip("\n").split("\0")
    if all(told) and len(told) == 3 and name in ("", told[0]) and told[0] != ".":
        return RemoteBranch(*told)
    known = repo.run("remote").split()
    if name and name not in known:
        hint = f"there is {', '.join(known)}" if known else "`git remote add` makes one"
        raise errors.NotFound(f"no remote is called {name}", hint)
    if not known:
        raise errors.Failed("this workspace has no remote", "`git remote add origin URL`")
    chosen = name or (known[0] if len(known) == 1 else "origin" if "origin" in known else "")
    if not chosen:
        raise errors.Usage(f"which remote: {', '.join(known)}?", "`molt sync REMOTE`")
    short = branch.removeprefix("refs/heads/")
    return RemoteBranch(chosen, branch, f"refs/remotes/{chosen}/{short}")


class _Way(Value):
    """From the commit `head` to `target`, which holds all of theirs: theirs itself, or a merge; and
    a line on each memory that was put away before, for the other side has forgotten it.
    """

    head: str
    target: str
    received: int
    notes: tuple[str, ...] = ()


def _take_in(ws: Workspace, place: RemoteBranch, done: Synced, queue: PushQueue) -> Synced:
    """Bring in what the remote has; gives what is done by then."""
    repo = ws.repo
    theirs, before = _fetch(repo, place, queue.fetched)
    if not theirs and before:
        said = f"{place.name} has no branch {done.branch} any more"
        return done.replace(warnings=(*done.warnings, said))
    if not theirs:
        return done
    if before and not repo.is_ancestor(before, theirs):
        said = f"{place.name} has another history than before; what it dropped is kept here"
        done = done.replace(warnings=(*done.warnings, said))
    for _ in range(_LATE):
        made = _advance(repo, place, theirs, done)
        if made is not None:
            return made
    # Whoever writes here without a pause is kept off for the time that it takes.
    with advance.lock_writes(repo) as lock:
        for _ in range(_TRIES):
            made = _advance(repo, place, theirs, done, held=lock)
            if made is not None:
                return made
    raise errors.Busy("the branch moved on every try", "nothing is lost: try again")


def _advance(
    repo: Repo, place: RemoteBranch, theirs: str, done: Synced, *, held: state.lock | None = None
) -> Synced | None:
    """Have the branch go on to what holds theirs; gives what is done by then, and None where it
    has moved meanwhile.
    """
    with loose.Loose(repo) as objects:
        way = _find_way(objects, place, (_require_head(repo), theirs))
        if way is None:
            return done
        told = _judge(repo, place, way)
        why = f"molt: sync with {place.name}"
        going = Advance(repo, way.head, way.target, why, _Remake(repo, way))
        left = advance.advance_branch(going, held=held)
        if left is None:
            return None
        objects.settle()
    projections.freshen_all(repo)
    return done.replace(
        received=done.received + way.received,
        merge=way.target if way.target != theirs else done.merge,
        warnings=tuple(dict.fromkeys((*done.warnings, *told, *([left] if left else [])))),
    )


def _fetch(repo: Repo, place: RemoteBranch, *more: str) -> tuple[str, str]:
    """What the remote's branch is now, and what it was by our note; empty for none. Raises Failed
    where the remote does not answer.
    """
    before = repo.reader.oid(f"{place.note}^{{commit}}") or ""
    # What comes as one pack is kept until the note leads to it; loose, a `git prune` would take it.
    words = ("-c", "fetch.unpackLimit=1", "fetch", "--quiet", "--no-tags", "--no-write-fetch-head")
    asked = (
        *words,
        "--prune",
        "--end-of-options",
        place.name,
        f"+{place.branch}:{place.note}",
        *more,
    )
    done = ask_remote(repo, *asked)
    for _ in range(_TRIES):
        # Another `git fetch` of this clone may have brought the same, and a `git prune` removes
        # the pack that a fetch is at.
        if not done.status or not any(word in done.said for word in (_LOCKED, _PACK)):
            break
        done = ask_remote(repo, *asked)
    if done.status and "couldn't find remote ref" in done.said:
        # A note of what is there no more would have us push nothing.
        if before:
            repo.run("update-ref", "-d", place.note, before)
        return "", before
    if done.status:
        raise errors.Failed(
            f"cannot fetch from {place.name}: {done.said.partition(chr(10))[0]}", _REACH
        )
    return repo.reader.oid(f"{place.note}^{{commit}}") or "", before


def _require_head(repo: Repo) -> str:
    head = plan.writable_head(repo)
    if head.commit is None:
        raise errors.Failed("there is no commit yet", "`molt init`")
    return head.commit


def _find_way(objects: Loose, place: RemoteBranch, heads: tuple[str, str]) -> _Way | None:
    """How theirs comes in, the second of two heads, the merge made but on no branch, and kept from
    who prunes; None where it is here. Raises Failed where git cannot merge it.
    """
    repo, (head, theirs) = objects.repo, heads
    bases = repo.find_bases(heads)
    if theirs in bases:
        return None
    if not bases:
        raise errors.Failed(
            f"{place.note.removeprefix('refs/remotes/')} has nothing in common with this memory",
            "it is another one: keep it under another branch",
        )
    count = _count(repo, f"{head}..{theirs}")
    if head in bases:
        return _Way(head, theirs, count)
    joined, notes = _put_away(objects, heads, bases[0])
    return _Way(head, _write_merge(objects, place, joined, count), count, notes)


def _put_away(
    objects: Loose, heads: tuple[str, str], base: str
) -> tuple[tuple[str, str], tuple[str, ...]]:
    """The two heads, each with a commit more where it says what the other one has forgotten, and a
    line for people on each such memory: no memory keeps two clones apart.
    """
    repo = objects.repo
    every: list[str] = []
    notes: tuple[str, ...] = ()
    for head, other in (heads, heads[::-1]):
        side = again.Side(*map(repo.tree, (base, head, other)))
        made = again.put_away(side, repo.cache)
        tip = head
        if made is not None:
            settings, _ = config.load_in_force(side.tree, repo.cache)
            writer = CommitWriter(repo, objects, settings)
            tip = writer.write_chain(repo.tree(head), (made.step,), (head,)) or head
            notes += made.notes if tip != head else ()
        every.append(tip)
    return (every[0], every[1]), notes


def _count(repo: Repo, commits: str) -> int:
    return int(repo.run("rev-list", "--count", commits, "--"))


def _write_merge(objects: Loose, place: RemoteBranch, heads: tuple[str, str], count: int) -> str:
    """A commit that joins two histories by meaning; no branch has it yet. Raises Failed."""
    repo = objects.repo
    by = Provenance(ACTOR, "auto", "molt sync")
    commits = "1 commit" if count == 1 else f"{count} commits"
    short = place.note.removeprefix("refs/remotes/")
    text = messages.render("MERGE", "*", f"{commits} of {short}", by)
    settings, _ = config.load_in_force(repo.tree(heads[0]), repo.cache)
    writer = CommitWriter(repo, objects, settings)
    tree = ""
    for _ in range(_TRIES):
        tree, whole = merge_driver.merge_heads(repo, heads)
        if tree and not whole:
            raise _tell_conflicts(repo, short, heads, tree)
        if tree and writer.keep_tree(tree, heads):
            made = writer.write_commit(tree, text, heads)
            if made is not None:
                objects.store()
                return made[0]
    if not tree:
        raise _tell_conflicts(repo, short, heads, tree)
    raise errors.Busy("a `git prune` runs here", "nothing is lost: try again")


def _tell_conflicts(repo: Repo, short: str, heads: tuple[str, str], tree: str) -> errors.Failed:
    paths = list(_list_marked(repo, heads, tree)) if tree else []
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    said = ", ".join(paths[:_SHOWN]) + more or "what was renamed or removed"
    hint = f"`git merge {short}`, `molt resolve`, mend what is left, `git commit`"
    return errors.Failed(f"only a person can merge {said}", hint)


def _list_marked(repo: Repo, heads: tuple[str, str], tree: str) -> Iterator[str]:
    """The files of a merge that hold git's markers."""
    merged = repo.tree(tree)
    for one in trees.diff(repo.tree(heads[0]), merged):
        if one.new and b"\n<<<<<<< " in b"\n" + (merged.read(one.path) or b""):
            yield one.path


def _judge(repo: Repo, place: RemoteBranch, way: _Way) -> tuple[str, ...]:
    """The warnings on what is about to come in. Raises Refused with what breaks the rules."""
    branch = plan.writable_head(repo).branch or ""
    asked = revisions.resolve_range(repo, [f"{way.head}..{way.target}"]).replace(branch=branch)
    report = verify.judge_range(repo, asked, everywhere=True)
    short = place.note.removeprefix("refs/remotes/")
    if report.missing:
        raise errors.Failed(verify.tell_missing(report), verify.FETCH)
    if report.errors:
        found: tuple[Finding, ...] = tuple(one for _, one in report.errors)
        hint = f"`molt verify HEAD..{short}` tells of which commits"
        if line := offers.tell_acceptance(report):
            hint += f"; to take it all the same: `git merge {short}`, then `{line}`"
        said = f"what comes in from {short} breaks the rules, and is not merged"
        raise errors.Refused(said, hint, found)
    told = dict.fromkeys(f"{one.path}: {one.message}" for _, one in report.findings)
    return (*way.notes, *told)


class _Remake:
    """What comes in, on top of files that a person has edited and not committed."""

    def __init__(self, repo: Repo, way: _Way) -> None:
        self._old, self._new = repo.tree(way.head), repo.tree(way.target)

    def __call__(self, tree: Tree) -> Edits:
        """The edits of a tree with such files. Raises Failed where that is not for us to merge."""
        edits: Edits = {}
        for one in trees.diff(self._old, self._new):
            base, theirs = self._old.read(one.path), self._new.read(one.path)
            ours = tree.read(one.path)
            edits[one.path] = theirs if ours == base else _merge_texts(one.path, base, ours, theirs)
        return edits


def _merge_texts(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes:
    if ours is None or theirs is None or not merge.is_mergeable(path):
        raise errors.Failed(f"{path} is edited here")
    try:
        texts = [(one or b"").decode("utf-8") for one in (base, ours, theirs)]
    except UnicodeDecodeError:
        raise errors.Failed(f"{path} is not UTF-8") from None
    made = merge.merge(path, texts[0] if base is not None else None, texts[1], texts[2])
    if made.conflicts:
        raise errors.Failed(f"{path}: {made.conflicts[0]}")
    return made.text.encode("utf-8")


def _push(repo: Repo, place: RemoteBranch, queue: PushQueue, *, late: bool) -> int | None:
    """Push the branch; gives how many commits went out, None where others were faster or it was
    their turn. Raises Refused for what a hook, here or there, did not take, and Failed.
    """
    head = _require_head(repo)
    known = repo.reader.oid(f"{place.note}^{{commit}}")
    count = _count(repo, f"{known}..{head}" if known else head)
    if not count:
        return 0
    if known and queue.await_turn(known, late=late):
        return None
    done = queue.push(f"{head}:{place.branch}")
    if done.status == 0:
        return count
    said = done.err.decode("utf-8", "replace")
    if any(word in said for word in _OUTRUN) and _DECLINED not in said:
        return None
    if _DECLINED in said or "[remote rejected]" in said:
        rows = [row.removeprefix("remote: ").rstrip() for row in said.split("\n")]
        told = "\n  ".join(row for row in rows if row and not row.startswith(("To ", "error: ")))
        raise errors.Refused(f"{place.name} did not take it:\n  {told}", _MEND)
    if "failed to push some refs" in said:
        raise errors.Refused(f"the hook before a push stopped it:\n{said.strip()}", _MEND)
    raise errors.Failed(f"cannot push to {place.name}: {done.said.partition(chr(10))[0]}", _REACH)
