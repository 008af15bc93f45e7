"""What the history costs on disk, by what it is of and by month."""

from __future__ import annotations

from datetime import UTC, datetime

from molt import errors
from molt.formats import paths
from molt.memory.clone.problems import Problem
from molt.repo.write.transaction import MANY_LOOSE
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo

COMMITS, FOLDERS = "(commits)", "(folders)"
MIB = 1 << 20
_TREE = "040000"
_SUBMODULE = "160000"


class Growth(Value):
    """Bytes on disk, compressed as git keeps them: in all, and of what is not packed; by the place
    that objects are of, and by the month (`YYYY-MM`) in which a commit first had them.
    """

    size: int
    loose: int
    places: Mapping[str, int]
    months: Mapping[str, int]


def measure_size(repo: Repo) -> tuple[int, int, int]:
    """The bytes of git's objects in this clone, those of them that are loose, and how many are."""
    words = repo.run("count-objects", "-v").split()
    said = dict(zip(words[::2], words[1::2], strict=False))
    loose, packed = (int(said.get(f"{key}:", 0)) << 10 for key in ("size", "size-pack"))
    return loose + packed, loose, int(said.get("count:", 0))


def measure_growth(repo: Repo) -> Growth:
    """The same in parts: every object of all branches, once, where it came in. An object that is
    kept as the difference to another one counts as that.
    """
    found = {oid: (place, month) for oid, place, month in _list_objects(repo)}
    sizes = repo.git(
        *("cat-file", "--batch-check=%(objectsize:disk)"),
        input="".join(f"{oid}\n" for oid in found).encode(),
    )
    if sizes.status:
        raise errors.Failed(f"git cat-file: {sizes.said}", "`git fsck` says more")
    places: dict[str, int] = {}
    months: dict[str, int] = {}
    for (place, month), row in zip(found.values(), sizes.text.splitlines(), strict=True):
        # What a shallow or partial clone has not costs nothing.
        size = int(row) if row.isdigit() else 0
        places[place] = places.get(place, 0) + size
        months[month] = months.get(month, 0) + size
    size, loose, _ = measure_size(repo)
    return Growth(size, loose, places, months)


def check_growth(ws: Workspace, *, fix: bool) -> Iterator[Problem]:
    """Whether the history is over its budget; with `fix` it is packed first, which loses nothing.

    Raises Failed where git cannot.
    """
    budget = ws.config.history_budget_mb * MIB
    before, _, count = measure_size(ws.repo)
    size = before
    if fix and (count > MANY_LOOSE or before > budget):
        pack_objects(ws.repo)
        size = measure_size(ws.repo)[0]
    if size > budget:
        said = f"the history has {format_size(size)}, over its budget of {format_size(budget)}"
        hint = "`molt doctor --growth` tells of what" + (
            "" if fix else "; `molt doctor --fix` packs it"
        )
        yield Problem(said, ".git", hint, "warning")
    elif before > budget:
        said = f"the history had {format_size(before)}, and has {format_size(size)} now"
        yield Problem(said, ".git", "", mended=True)


def pack_objects(repo: Repo) -> None:
    """Have git pack what is loose. What nothing refers to is kept as long as git keeps it."""
    done = repo.git("gc", "--quiet")
    if done.status:
        raise errors.Failed(f"git gc: {done.said}", "`git gc` says more")


def format_size(size: int) -> str:
    """A number of bytes for people."""
    return f"{size / MIB:,.1f} MiB" if size >= MIB // 10 else f"{size / 1024:,.1f} KiB"


def _list_objects(repo: Repo) -> Iterator[tuple[str, str, str]]:
    """Each object with its place and month, oldest commit last: whoever keeps them by id has the
    first commit of each.
    """
    month = ""
    shape = ("--raw", "-t", "-r", "--root", "-m", "--no-abbrev", "--no-renames", "-z")
    words = repo.words("log", "--all", *shape, "--no-show-signature", "--format=%x01%H %T %ct")
    for text in words:
        word = text.lstrip("\n")
        if word.startswith("\1"):
            commit, folder, second = word[1:].split(" ")
            month = _month_of(second)
            yield commit, COMMITS, month
            yield folder, FOLDERS, month
        elif word.startswith(":"):
            _, mode, _, oid, status = word[1:].split(" ")
            path = next(words)
            if not status.startswith("D") and mode != _SUBMODULE:
                yield oid, FOLDERS if mode == _TREE else _place_of(path), month


def _month_of(second: str) -> str:
    try:
        return datetime.fromtimestamp(int(second), UTC).strftime("%Y-%m")
    except (ValueError, OverflowError, OSError):
        return "unknown"


def _place_of(path: str) -> str:
    """What a path is counted with: a file of bookkeeping alone, a store, a folder."""
    store = paths.STORE_OF_KIND.get(paths.kind_of(path))
    if store is not None:
        return store.folder
    first, slash, _ = path.partition("/")
    return path if not slash or path.startswith("memory/meta/") else f"{first}/"
