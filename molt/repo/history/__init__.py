"""The history of a commit as its messages, and what some of its commits changed."""

from __future__ import annotations

from molt import trees
from molt.repo import objects
from molt.repo.repository import ZERO
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from molt.repo.repository import Repo

_PLAIN = tuple(f"{mode:o}" for mode in (trees.REGULAR, trees.EXECUTABLE))


class Version(Value):
    """A file as a commit leaves it: the ids of its blob and of those that it had in the parents."""

    path: str
    new: str
    old: tuple[str, ...]


def messages(repo: Repo, *args: str) -> Iterator[tuple[str, str]]:
    """Id and message of the commits that `git log ARGS` gives, newest first. Raises Failed.

    No trees are compared: a hundred thousand messages are read in less than a second, and what
    so many commits changed in ten.
    """
    # A message holds anything but NUL.
    words = repo.words("log", "-z", "--format=%H%x00%B", *args, "--")
    return zip(words, words, strict=False)


def versions(repo: Repo, commits: Sequence[str], *paths: str) -> Iterator[Version]:
    """The files below `paths` as some commits leave them, in no order of commits; links and what
    was deleted are left out, and of a merge what equals one of its parents. Raises Failed.
    """
    args = ("diff-tree", "--stdin", "--no-commit-id", "--root", "-r", "-c", "--raw", "-z")
    more = ("--no-renames", "--no-abbrev", objects.NO_IGNORE, "--", *paths)
    asked = "".join(f"{oid}\n" for oid in commits).encode()
    output = repo.git(*args, *more, input=asked).require()
    words = iter(output.text.split("\0"))
    for meta, path in zip(words, words, strict=False):
        # `:MODE MODE OID OID STATUS`; of a merge there are as many colons as parents, and as many
        # more modes and ids.
        parents = len(meta) - len(meta.lstrip(":"))
        fields = meta[parents:].split(" ")
        mode, oids = fields[parents], fields[parents + 1 : -1]
        if mode in _PLAIN:
            yield Version(path, oids[-1], tuple(oid for oid in oids[:-1] if oid != ZERO))


def restores(repo: Repo, rev: str, path: str, oid: str, *, now: str | None = None) -> bool:
    """Whether a path held a blob, or nothing where that is empty, in an earlier state on the line
    of first parents that leads to a revision; with `now`, one that this blob took the place of.
    """
    args = ("log", "-z", "--first-parent", "--format=", "--raw", "--no-renames", "--no-abbrev")
    scope = (objects.NO_IGNORE, "--root", rev, "--", f":(top,literal){path}")
    words = repo.words(*args, *scope)
    for meta, _ in zip(words, words, strict=False):
        # `:MODE MODE OID OID STATUS`
        states = meta.lstrip(":\n").split(" ")[2:4]
        if (oid or ZERO) in states and now in (None, states[-1]):
            return True
    return False


def find_shortest(repo: Repo, rev: str, path: str, start: str) -> bytes | None:
    """The shortest bytes that a file had on the line of first parents that leads to a revision,
    from the commit `start` on, which may be empty for all of it; None where there was no file.
    """
    args = ("log", "-z", "--first-parent", "--format=", "--raw", "--no-renames", "--no-abbrev")
    since = (f"^{start}",) if start else ("--root",)
    words = repo.words(*args, objects.NO_IGNORE, *since, rev, "--", f":(top,literal){path}")
    oids = {meta.split(" ")[3] for meta, _ in zip(words, words, strict=False)} - {ZERO}
    first = repo.tree(start).entry(path) if start else None
    asked = "".join(f"{oid}\n" for oid in sorted({*oids, *((first.oid,) if first else ())}))
    shape = "--batch-check=%(objectsize) %(objectname)"
    rows = repo.git("cat-file", shape, input=asked.encode()).require().text.split("\n")
    # What is not here is told of as `OID missing`.
    known = [row.partition(" ") for row in rows if row and not row.endswith(" missing")]
    _, oid = min(((int(size), oid) for size, _, oid in known), default=(0, ""))
    return repo.reader.blobs([oid]).get(oid) if oid else None


def newest_day(repo: Repo, *revs: str) -> str:
    """The newest day (`YYYY-MM-DD`, in its committer's zone) of all that leads to some revisions;
    empty where there is none.
    """
    out = repo.run("log", "--format=%cd", "--date=format:%Y-%m-%d", *revs, "--", check=False)
    return max(out.split(), default="")


# More are not looked for at once, so that what a commit brings never makes a long search.
_MOST_TEXTS = 100


def find_texts(repo: Repo, rev: str, texts: Collection[str]) -> frozenset[str]:
    """Which of some texts of one line stand in a text file of a revision; of very many only the
    first ones are looked for.
    """
    wanted = [text for text in texts if text and "\n" not in text and "\0" not in text]
    wanted = wanted[:_MOST_TEXTS]
    if not wanted:
        return frozenset()
    given = [word for text in wanted for word in ("-e", text)]
    shape = ("-I", "-h", "-o", "-F", "--no-color", "--full-name")
    found = repo.run("grep", *shape, *given, rev, "--", ":/", check=False).split("\n")
    return frozenset(text for text in wanted if any(text in row for row in found))
