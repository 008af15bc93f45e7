"""The edits of a write, beside what a person has not committed."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import paths as layout
from molt.repo.write.journal import JournalStep
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from molt.repo.repository import Repo
    from molt.repo.write.newfiles import FoundFile
    from molt.trees import Edits, Tree


class Ground(Value):
    """What a write meets: the commit's tree, the index's blobs and the files of its paths."""

    repo: Repo
    base: Tree
    held: Mapping[str, str]
    found: Mapping[str, FoundFile]


def merge_edits(ground: Ground, edits: Edits, remake: Callable[[Tree], Edits]) -> Edits:
    """What each path becomes on disk. Raises Failed where a person's work is in the way.

    `remake` makes the edits of another tree.
    """
    base, held = ground.base, ground.held
    theirs: Edits = {}
    for path in sorted(edits):
        before, found = base.entry(path), ground.found[path].data
        untouched = found == base.read(path)
        expected = (before.oid if before else "", oid_of(edits[path]))
        if held.get(path, "") not in expected and not (untouched and _is_stale(ground, path)):
            raise errors.Failed(
                f"{path} is staged with other content",
                "commit it, or `git restore --staged` it; a conflict: `molt resolve`",
            )
        if not untouched and found != edits[path]:
            theirs[path] = found
    behind = {path: _put_behind(base, path, edits[path], theirs[path]) for path in theirs}
    logs = {path: data for path, data in behind.items() if data is not None}
    others = {path: data for path, data in theirs.items() if path not in logs}
    _require_checked_out(ground.repo, [path for path in others if others[path] is None])
    again = {**(_edit_twice(base, others, remake) if others else {}), **logs}
    return {path: again[path] if path in theirs else edits[path] for path in sorted(edits)}


def make_step(ground: Ground, path: str, data: bytes | None, after: bytes | None) -> JournalStep:
    """One path of the journal: what is committed, and what stands on disk `after` that."""
    entry, found = ground.base.entry(path), ground.found[path].data
    # To hash a large file takes longer than to compare it.
    untouched = entry is not None and found == ground.base.read(path)
    return JournalStep(
        path,
        entry.mode if entry else trees.REGULAR,
        (ground.held.get(path, ""), oid_of(data)),
        (entry.oid if entry and untouched else oid_of(found), oid_of(after)),
    )


def oid_of(data: bytes | None) -> str:
    """The blob id of some bytes; empty for no file."""
    return "" if data is None else trees.blob_oid(data)


def put_back(
    ground: Ground, last: Iterable[tuple[str, str, str]], edits: Edits
) -> Iterator[JournalStep]:
    """The paths of the last write, of which git has put the old entry back into the index.

    `git commit` reads the index before it locks it, and a write can come and go in between; then
    that commit fails, but the next one would undo the write. `last` are the blobs before and
    after it, and the paths. Files that somebody has changed since are theirs.
    """
    for step in list_behind(ground.base, ground.held, last):
        found = ground.found.get(step.path)
        if step.path not in edits and found is not None and oid_of(found.data) == step.committed[1]:
            yield step


def list_behind(
    tree: Tree, held: Mapping[str, str], last: Iterable[tuple[str, str, str]]
) -> Iterator[JournalStep]:
    """The steps from what an index holds to a tree, of the paths of a write for which that still
    has what they were given, and the index what they had before; "" is no file for both.
    """
    for old, new, path in last:
        entry = tree.entry(path)
        committed = entry.oid if entry else ""
        if held.get(path, "") == old != new == committed:
            yield JournalStep(path, entry.mode if entry else trees.REGULAR, (old, new), (new, new))


def _put_behind(base: Tree, path: str, edited: bytes | None, found: bytes | None) -> bytes | None:
    """A log with the entries that a person has not committed behind those that an edit appends.

    In the order in which they were written, theirs would stand before one that is committed
    already: to git an earlier entry would change, and nobody could commit it any more. None
    for any other file, and where the person did more than append. Raises Failed where lines
    continue the last entry, for behind another they would mean something else.
    """
    if edited is None or found is None or not layout.is_episode_path(path):
        return None
    before = base.read(path)
    if before is None:
        before = edited.partition(b"\n")[0] + b"\n"
    if not found.startswith(before) or not edited.startswith(before):
        return None
    rest = found[len(before) :]
    if rest.strip() and not rest.lstrip().startswith(b"## "):
        raise _make_error([path])
    return edited + rest


def _is_stale(ground: Ground, path: str) -> bool:
    """Whether the index holds an earlier commit's version of a file that is as HEAD has it.

    git commit reads the index before it locks it, so a commit that loses the race for the
    branch can put an old entry back over the one that a write has just published.
    """
    if path not in ground.held:
        return False
    args = ("log", "-20", "--format=", "--raw", "--no-abbrev", "--no-renames", "HEAD", "--", path)
    return ground.held[path] in ground.repo.run(*args)


def _edit_twice(
    base: Tree, theirs: Edits, remake: Callable[[Tree], Edits]
) -> Mapping[str, bytes | None]:
    """The same change on top of what a person has not committed."""
    problem = _make_error(theirs)
    if any(data is None for data in theirs.values()):
        raise problem
    try:
        again = remake(trees.Overlay(base, theirs))
    except errors.MoltError as error:
        raise problem from error
    if any(again.get(path) is None for path in theirs):
        raise problem
    return again


def _require_checked_out(repo: Repo, gone: list[str]) -> None:
    """Raises Failed where nobody deleted files that are not there: the checkout leaves them out."""
    if not gone:
        return
    rows = repo.run("ls-files", "-t", "-z", "--", *gone).split("\0")
    left_out = [row[2:] for row in rows if row.startswith("S ")]
    if left_out:
        folders = " ".join(dict.fromkeys(path.rpartition("/")[0] or "." for path in left_out))
        said = f"{', '.join(left_out)}: not in this sparse checkout"
        raise errors.Failed(said, f"`git sparse-checkout add {folders}`")


def _make_error(paths: Iterable[str]) -> errors.Failed:
    return errors.Failed(
        f"{', '.join(sorted(paths))}: uncommitted edits, and this change does not apply to them",
        "commit or stash them first",
    )
