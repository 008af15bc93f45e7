"""Who wrote each line of a file last, and where that was found before."""

from __future__ import annotations

from molt import errors
from molt.repo.repository import ZERO
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.repo.repository import Repo

# The repository has no say in what is told of it: which commits to pass over, how to show files.
_BLAME = ("-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--no-textconv", "-M")


class BlamedLine(Value):
    """A line of a file and the commit that wrote it; `commit` is empty where none has yet.

    `number` counts from 1, `time` is in seconds since 1970, UTC; `path` is what the file was called
    in that commit, `before` the commit and the path at which it stood before, empty where it was
    made there.
    """

    number: int
    text: str
    commit: str
    path: str
    author: str
    time: int
    before: tuple[str, ...]


def read_blame(
    repo: Repo, path: str, rev: str = "", *, span: tuple[int, int] | None = None
) -> tuple[BlamedLine, ...]:
    """The lines of a file at a revision, or as it is on disk; those of a span of lines, from 1,
    inclusive, where one is given. A rename of the file is followed.

    Raises NotFound for a path that the revision does not have, Failed for what git cannot do.
    """
    lines = (f"-L{span[0]},{span[1]}",) if span else ()
    output = repo.git(*_BLAME, *lines, *((rev,) if rev else ()), "--", path)
    if output.status and "no such path" in output.said:
        raise errors.NotFound(f"no commit has {path}", "`git ls-files` lists what there is")
    if output.status and "has only" in output.said:
        raise errors.NotFound(f"{path} has no such lines: {output.said.removeprefix('fatal: ')}")
    rows = output.require().out.decode("utf-8", "replace").split("\n")
    return tuple(_parse_rows(iter(rows)))


def _parse_rows(rows: Iterator[str]) -> Iterator[BlamedLine]:
    """Lines from what git prints: a head for each, more where a commit comes first, the text."""
    known: dict[str, dict[str, str]] = {}
    for row in rows:
        if not row:
            continue
        oid, _, number, *_ = row.split(" ")
        told = known.setdefault(oid, {})
        text = _read_head(rows, told)
        written = oid != ZERO
        before = told.get("previous", "").partition(" ")
        yield BlamedLine(
            int(number),
            text,
            oid if written else "",
            _unquote_path(told.get("filename", "")),
            told.get("author", "") if written else "",
            int(told.get("author-time", "0")),
            (before[0], _unquote_path(before[2])) if before[0] else (),
        )


def _read_head(rows: Iterable[str], told: dict[str, str]) -> str:
    """Keep what the head of a line says of its commit; gives the text of the line."""
    for row in rows:
        if row.startswith("\t"):
            return row[1:].removesuffix("\r")
        key, _, value = row.partition(" ")
        told[key] = value
    return ""


def _unquote_path(path: str) -> str:
    """A path as git quotes it in a line, taken out of its quotes (git's own quote.c)."""
    if not path.startswith('"'):
        return path
    inner = path[1:-1].encode("utf-8", "surrogateescape")
    return inner.decode("unicode_escape").encode("latin-1").decode("utf-8", "replace")
