"""A merge that stands in conflict, taken on by what its files mean."""

from __future__ import annotations

from molt import errors
from molt.formats import merge
from molt.formats.merge.days import rename_episodes
from molt.repo import conflicts, find, state
from molt.trees import REGULAR
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.repo.conflicts import Conflict
    from molt.repo.repository import Repo

_NEXT = {
    "merge": "git commit",
    "rebase": "git rebase --continue",
    "am": "git am --continue",
    "cherry-pick": "git cherry-pick --continue",
    "revert": "git revert --continue",
    "": "commit it; of a stash, `git stash drop` is the end",
}


class Left(Value):
    """A file that is left to a person, and why."""

    path: str
    why: str


class Resolved(Value):
    """The files that are merged and staged, those that are left, the ids that entries of theirs
    had to give up (old, new), and what to do next; empty while something is left.
    """

    paths: tuple[str, ...]
    left: tuple[Left, ...]
    moved: tuple[tuple[str, str], ...]
    next: str


def resolve_conflicts(repo: Repo, paths: Sequence[str] = (), *, start: str = "") -> Resolved:
    """Merge what is in conflict, or of that some paths, seen from the folder `start` or the top.

    What a person has begun to mend is theirs. Raises NotFound for a path that is in no conflict,
    and Failed where a file cannot be written.
    """
    with state.lock(repo.git_dir, "write"):
        found = conflicts.list_conflicts(repo)
        chosen = _choose(repo, found, paths, start or repo.root)
        moved: dict[str, str] = {}
        done: list[str] = []
        left: list[Left] = []
        # Days come first: what names an entry follows it to its new id.
        for one in sorted(chosen, key=lambda one: (not merge.is_day(one.path), one.path)):
            why = _resolve(repo, one, moved)
            if why:
                left.append(Left(one.path, why))
            else:
                done.append(one.path)
        waiting = [one for one in found if one.path not in done]
        after = "" if waiting or not found else _NEXT.get(repo.state(), "git status")
        return Resolved(tuple(done), tuple(left), tuple(moved.items()), after)


def _choose(
    repo: Repo, found: Sequence[Conflict], paths: Sequence[str], start: str
) -> tuple[Conflict, ...]:
    if not paths:
        return tuple(found)
    known = {one.path: one for one in found}
    chosen = []
    for path in paths:
        one = known.get(find.name_path(repo.root, start, path)) or known.get(path)
        if one is None:
            raise errors.NotFound(f"{path} is not in conflict", "`git status` lists what is")
        chosen.append(one)
    return tuple(dict.fromkeys(chosen))


def _resolve(repo: Repo, one: Conflict, moved: dict[str, str]) -> str:
    """Merge one file; gives why it is left to a person, empty where it is not."""
    why = next(_find_obstacles(one), "")
    if why:
        return why
    versions = conflicts.read_versions(repo, one)
    try:
        base, ours, theirs = (data.decode("utf-8") for data in versions)
    except UnicodeDecodeError:
        return "it is not UTF-8"
    theirs = _rename_added(base, theirs, moved)
    made = merge.merge(one.path, base if one.base else None, ours, theirs)
    if not conflicts.is_untouched(repo, one, made.text.encode(), versions[1]):
        return "it was edited since: `git add` it once it is right"
    moved.update(made.moved)
    if made.conflicts:
        # What has an answer has it now; the rest stands between markers.
        conflicts.write_file(repo, one.path, made.text)
        return "; ".join(dict.fromkeys(made.conflicts))
    conflicts.settle_file(repo, one.path, made.text)
    return ""


def _find_obstacles(one: Conflict) -> Iterator[str]:
    """Why a file is nothing that can be merged by meaning."""
    if one.ours is None or one.theirs is None:
        gone, other = ("ours", "theirs") if one.ours is None else ("theirs", "ours")
        if one.ours is None and one.theirs is None:
            yield "both sides moved it"
        yield f"{gone} took it away, {other} changed it: `git add` or `git rm` it"
    elif not merge.is_mergeable(one.path):
        yield "only a person can say what it is to be"
    elif {one.ours.mode, one.theirs.mode} != {REGULAR}:
        yield "it is no plain file"


def _rename_added(base: str, theirs: str, moved: dict[str, str]) -> str:
    """Theirs, naming by new ids what it has added to the base."""
    if not moved:
        return theirs
    known = set(base.split("\n"))
    rows = theirs.split("\n")
    return "\n".join(row if row in known else rename_episodes(row, moved) for row in rows)
