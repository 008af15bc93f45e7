"""A history made anew without some words: beside the repository first, then in its place.

What can be interrupted is made so that it never is half done: the new history lies in a folder of
its own until it is whole; then a note says that it is to be taken over, and each step of that can
be done again.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from importlib import util

from molt import errors
from molt.repo import disk, process, state
from molt.repo.history import revisions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from molt.repo.repository import Repo

_FOLDER = "purge"
_NEW, _REMOTES = "refs/molt/purged/", "refs/remotes/"
_TOOL = "git-filter-repo"
_MODULE = "git_filter_repo"
# Nothing of the clone's own runs while its history is exchanged.
_QUIET = ("-c", "core.hooksPath=/dev/null", "-c", "maintenance.auto=false", "-c", "gc.auto=0")
_LEFTOVERS = (
    *("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "AUTO_MERGE"),
    *("TAG_EDITMSG", "NOTES_EDITMSG", "gitk.cache", "lost-found", "rr-cache", "filter-repo"),
)
_HINT = "`pip install git-filter-repo`, or molt with its extra: `pip install 'molt-memory[purge]'`"


def find_tool() -> str:
    """Where git-filter-repo is: as a module of this Python, or on PATH. Raises Failed."""
    found = util.find_spec(_MODULE)
    path = found.origin if found and found.origin else shutil.which(_TOOL)
    if path is None:
        raise errors.Failed(f"{_TOOL} is not installed", _HINT)
    return path


def require_simple(repo: Repo) -> None:
    """Raises Failed for a clone whose history cannot be exchanged: one of a part of it, one that
    borrows objects, stashes, work trees beside this one.
    """
    if repo.shallow() or repo.is_partial():
        raise errors.Failed(
            "this clone has a part of the history only",
            "purge in a whole one, or `git fetch --unshallow` first",
        )
    if os.path.exists(os.path.join(repo.common_dir, "objects", "info", "alternates")):
        hint = "`git repack -a -d && rm .git/objects/info/alternates` makes it whole"
        raise errors.Failed("this clone borrows objects of another one", hint)
    if repo.run("rev-parse", "-q", "--verify", "refs/stash", check=False).strip():
        hint = "`git stash pop` each, and commit it; `git stash list` shows them"
        raise errors.Failed("there are stashes, which hold the old history", hint)
    rows = repo.run("worktree", "list", "--porcelain", "-z").split("\0\0")
    if len([row for row in rows if row.strip("\0")]) > 1:
        hint = "`git worktree list` shows them, `git worktree remove` ends one"
        raise errors.Failed("there are further work trees, which hold the old history", hint)


def read_note(repo: Repo) -> str:
    """The note of a purge whose new history is whole, and has to be taken over; empty for none."""
    return state.read(repo.git_dir, state.PURGE)


def make_history(repo: Repo, spec: Mapping[str, object]) -> None:
    """Make the new history of all refs, beside the repository. Raises Failed."""
    import json

    folder = state.path(repo.git_dir, _FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    mirror = os.path.join(folder, "new.git")
    commits = repo.run("rev-list", "--all", "HEAD").split()
    told = {**spec, "script": find_tool(), "commits": commits, "refs": _list_refs(repo.root)}
    plan = os.path.join(folder, "spec.json")
    disk.put_new(plan, json.dumps(told).encode(), like=plan)
    url = f"file://{repo.common_dir}"
    repo.git(*_QUIET, "clone", "-q", "--mirror", url, mirror).require()
    args = (sys.executable, "-m", "molt.repo.purge_driver", mirror, plan)
    env = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    status, out, err = process.call(args, env=env)
    if status:
        said = (err or out).decode("utf-8", "replace").strip().rpartition("\n")[2]
        shutil.rmtree(folder, ignore_errors=True)
        raise errors.Failed(f"{_TOOL} stopped: {said[:200] or f'exit status {status}'}")
    process.git(mirror, "fsck", "--full", "--no-dangling", "--no-progress").require()


def note_whole(repo: Repo, note: str) -> None:
    """Say that the new history is whole, and that whoever comes next has to take it over."""
    state.write(repo.git_dir, state.PURGE, note, durable=True)


def take_over(repo: Repo, old: str) -> None:
    """Put the new history in the place of the one whose tip was `old`; again, where that was
    interrupted. Raises Failed, and nothing has moved, where somebody has moved a ref since it was
    made, or changed a file that has to follow.
    """
    folder = state.path(repo.git_dir, _FOLDER)
    mirror = os.path.join(folder, "new.git")
    if not os.path.isdir(mirror):
        return
    fetch = ("fetch", "-q", "--no-tags", "--no-write-fetch-head", f"file://{mirror}")
    repo.git(*_QUIET, *fetch, f"+refs/*:{_NEW}*").require()
    made, known = _list_refs(mirror), _read_refs(folder)
    now = {ref: oid for ref, oid in _list_refs(repo.root).items() if not ref.startswith(_NEW)}
    _note_remotes(repo, known, mirror)
    waiting = {ref: oid for ref, oid in now.items() if not _has_moved(repo, oid, made.get(ref, ""))}
    strange = sorted(ref for ref, oid in waiting.items() if known.get(ref) != oid)
    if strange:
        _delete_refs(repo, {f"{_NEW}{ref.removeprefix('refs/')}" for ref in made})
        end_purge(repo)
        said = f"{strange[0]} was moved since the new history was made, which is of no use now"
        raise errors.Failed(said, "`molt purge` begins anew")
    kept = {ref: oid for ref, oid in made.items() if not ref.startswith(_REMOTES)}
    moves = [(ref, oid, now[ref]) for ref, oid in kept.items() if waiting.get(ref, oid) != oid]
    branch = repo.branch() or ""
    # Files first: where they cannot follow, nothing has moved.
    if any(ref == branch for ref, *_ in moves):
        repo.git(*_QUIET, "read-tree", "-m", "-u", old, kept[branch]).require()
    told = "".join(f"update {ref}\0{oid}\0{was}\0" for ref, oid, was in moves)
    _update_refs(repo, told)
    _delete_refs(repo, {ref for ref in now if ref not in kept} | set(_list_spare(repo)))


def _note_remotes(repo: Repo, known: Mapping[str, str], mirror: str) -> None:
    """Note what became of what the remotes have, for the push that gives them the new history;
    of what an earlier purge has noted, too.
    """
    with open(os.path.join(mirror, "filter-repo", "commit-map"), encoding="ascii") as file:
        made = dict(row.split() for row in file)
    noted = {old: made.get(new, new) for old, new in revisions.read_rewritten(repo).items()}
    remote = (oid for ref, oid in known.items() if ref.startswith(_REMOTES))
    noted.update((oid, made[oid]) for oid in remote if made.get(oid, oid) != oid)
    if noted:
        text = "".join(f"{old} {new}\n" for old, new in noted.items())
        state.write(repo.common_dir, revisions.REWRITTEN, text, durable=True)


def _has_moved(repo: Repo, now: str, made: str) -> bool:
    """Whether a ref is in the new history already, or has gone on from there."""
    return now == made or (bool(made) and repo.is_ancestor(made, now))


def _list_spare(repo: Repo) -> Iterator[str]:
    """The refs of remotes, which know the old history, and those of the new one while it came."""
    every = repo.run("for-each-ref", "--format=%(refname)", _REMOTES, _NEW)
    yield from every.split()


def _update_refs(repo: Repo, told: str) -> None:
    args = ("update-ref", "--no-deref", "--stdin", "-z")
    repo.git(*_QUIET, *args, input=told.encode("utf-8", "surrogateescape")).require()


def _delete_refs(repo: Repo, refs: Iterable[str]) -> None:
    _update_refs(repo, "".join(f"option no-deref\0delete {ref}\0\0" for ref in sorted(refs)))


def _read_refs(folder: str) -> dict[str, str]:
    import json

    with open(os.path.join(folder, "spec.json"), encoding="utf-8") as file:
        refs: dict[str, str] = json.load(file)["refs"]
    return refs


def _list_refs(folder: str) -> dict[str, str]:
    # A symbolic ref, such as that of a remote's branch, follows the one that it names.
    form = "--format=%(objectname) %(refname) %(symref)"
    rows = process.git(folder, "for-each-ref", form).require().text.split("\n")
    found = (row.split(" ") for row in rows if row)
    return {row[1]: row[0] for row in found if not row[2]}


def drop_history(repo: Repo) -> None:
    """Delete what still leads to the old history in this clone, and its objects."""
    repo.git(*_QUIET, "reflog", "expire", "--expire=now", "--all").require()
    for name in _LEFTOVERS:
        path = os.path.join(repo.git_dir, name)
        if os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(FileNotFoundError):
                os.unlink(path)
    # The lock of writers says which files the last one wrote; who holds it may empty it.
    with suppress(FileNotFoundError):
        os.truncate(state.path(repo.git_dir, "write.lock"), 0)
    repo.close()
    now = ("-c", "gc.pruneExpire=now", "-c", "gc.cruftPacks=false", "-c", "gc.reflogExpire=now")
    repo.git(*_QUIET, *now, "gc", "-q", "--prune=now").require()
    repo.git(*_QUIET, "prune", "--expire=now").require()


def end_purge(repo: Repo) -> None:
    """Delete what was kept to go on with; the note goes last."""
    folder = state.path(repo.git_dir, _FOLDER)
    mirror = os.path.join(folder, "new.git")
    if os.path.isdir(mirror):
        # Half of a history must not look like one.
        os.rename(mirror, f"{mirror}.gone")
    shutil.rmtree(f"{mirror}.gone", ignore_errors=True)
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(folder, "spec.json"))
    shutil.rmtree(folder)


def scan_objects(repo: Repo) -> Iterator[tuple[str, str, bytes]]:
    """Id, kind and content of each object that is stored, whether anything leads to it or not,
    loose or packed.
    """
    listed = repo.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").require()
    for oid in listed.text.split():
        found = repo.reader.ask([oid])[0]
        if found is not None:
            yield found


def scan_files(repo: Repo) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each file of the git folder, but for stored objects, and of the work tree,
    whether git knows it or not.
    """
    stored = os.path.join(repo.common_dir, "objects")
    for root in dict.fromkeys((repo.root, repo.git_dir, repo.common_dir)):
        for folder, inner, names in os.walk(root):
            inner[:] = sorted(one for one in inner if os.path.join(folder, one) != stored)
            if root == repo.root:
                inner[:] = [one for one in inner if one != ".git"]
            for name in sorted(names):
                path = os.path.join(folder, name)
                with suppress(OSError):
                    # Of a link others keep the words; to open a pipe would wait for ever.
                    if os.path.isfile(path) and not os.path.islink(path):
                        with open(path, "rb") as file:
                            yield os.path.relpath(path, repo.root), file.read()


def list_notes(repo: Repo) -> tuple[str, ...]:
    """The refs of git's notes, whose files are called like commits."""
    return tuple(repo.run("for-each-ref", "--format=%(refname)", "refs/notes").split())
