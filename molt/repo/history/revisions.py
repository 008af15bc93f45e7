"""What a range means: git resolves its words and lists its commits; nothing else is believed."""

from __future__ import annotations

from molt import errors
from molt.repo import state
from molt.repo.commits import Commit
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.repository import Repo

REWRITTEN = "rewritten"
"""Of the file that says what became of the commits that remotes had, when history was purged."""
_TWICE = "' is ambiguous."
_HINT = "such as main..HEAD; see `git log --oneline`"


class CommitRange(Value):
    """The commits that `tips` lead to and `known` ones do not, on top of what was there, `onto`.
    Those `moved` from A to B, which is what `A..B` says, were to contain A. `branch` is the full
    name of the ref that the last one is of, as far as that is known. What the configuration of
    `trusted` ones forbids is forbidden, too.
    """

    text: str
    tips: tuple[str, ...]
    known: tuple[str, ...] = ()
    onto: tuple[str, ...] = ()
    moved: bool = False
    branch: str = ""
    trusted: tuple[str, ...] = ()


def resolve_range(repo: Repo, words: Sequence[str]) -> CommitRange:
    """What the words of a range mean, by default all of HEAD.

    Raises Usage for an option, which git would obey, and NotFound for what names no commit.
    """
    tips: list[str] = []
    known: list[str] = []
    for word in words or ("HEAD",):
        if word.startswith("-"):
            raise errors.Usage(f"{word!r} is an option of git, and no range", _HINT)
        output = repo.git("-c", "core.warnAmbiguousRefs=true", "rev-parse", "--revs-only", word)
        _refuse_ambiguous(word, output.said)
        found = output.out.decode("ascii", "replace").split()
        # A full id is taken for a commit that is here, whether it is or not.
        oids = [_find_commit(repo, one.lstrip("^")) for one in found]
        if not found or None in oids:
            raise errors.NotFound(f"no such range of commits: {word}", _find_hint(repo))
        for one, oid in zip(found, filter(None, oids), strict=True):
            (known if one.startswith("^") else tips).append(oid)
    moved = len(words) == len(tips) == len(known) == 1 and _is_move(words[0])
    text, below = " ".join(words) or "HEAD", tuple(known)
    return CommitRange(text, tuple(tips), below, below, moved, _find_branch(repo, text))


def _find_branch(repo: Repo, text: str) -> str:
    """The ref that a range leads to, by the last name in it."""
    name = text.rpartition(" ")[2].rpartition("..")[2].lstrip(".")
    return repo.branch() or "" if name in ("", "HEAD", "@") else name


def _find_commit(repo: Repo, oid: str) -> str | None:
    """The commit that an object is or a tag leads to; None for others, of which git would
    complain by itself.
    """
    kind = repo.reader.ask([oid])[0]
    if kind is None or kind[1] not in ("commit", "tag"):
        return None
    return repo.reader.oid(f"{oid}^{{commit}}")


def _refuse_ambiguous(word: str, said: str) -> None:
    """Raises Usage where a name is that of two refs, of which git takes the tag: who may push tags
    would say where a range begins.
    """
    rows = (row.partition("refname '")[2] for row in said.split("\n") if row.endswith(_TWICE))
    names = [row.removesuffix(_TWICE) for row in rows]
    # What git itself keeps under a name goes before all refs.
    name = next((name for name in names if name and not name.endswith("HEAD")), "")
    if name:
        hint = "write the whole name, such as refs/remotes/origin/main, or delete the other ref"
        raise errors.Usage(f"{word}: {name} names two refs, or a ref and a commit", hint)


def _is_move(word: str) -> bool:
    return ".." in word and "..." not in word


def _find_hint(repo: Repo) -> str:
    if repo.shallow():
        return "the clone is shallow: `git fetch --unshallow` brings all of its history"
    return _HINT


def list_commits(
    repo: Repo, tips: Sequence[str], known: Sequence[str]
) -> list[tuple[str, tuple[str, ...]]]:
    """The commits of a range with their parents, parents before children. Raises Failed."""
    # By name, for a second `--not` would turn the first around.
    asked = "".join(f"{oid}\n" for oid in (*tips, *(f"^{oid}" for oid in known)))
    args = ("rev-list", "--topo-order", "--reverse", "--parents", "--stdin")
    output = repo.git(*args, input=asked.encode()).require()
    rows = (row.split(" ") for row in output.text.splitlines())
    return [(row[0], tuple(row[1:])) for row in rows]


def find_fork(repo: Repo, tip: str, other: str) -> str:
    """The last commit that is on the lines of first parents of two; empty where none is."""
    args = ("rev-list", "--first-parent", "--end-of-options")
    line = frozenset(repo.run(*args, other, "--").split())
    return next((oid for oid in repo.run(*args, tip, "--").split() if oid in line), "")


def list_objects(repo: Repo, tips: Sequence[str], known: Sequence[str]) -> list[str]:
    """The ids of all objects that some lead to and `known` ones do not. Raises Failed."""
    asked = "".join(f"{oid}\n" for oid in (*tips, *(f"^{oid}" for oid in known)))
    args = ("rev-list", "--objects", "--no-object-names", "--stdin")
    return repo.git(*args, input=asked.encode()).require().text.split()


def find_parents(repo: Repo, oid: str) -> tuple[str, ...]:
    """The parents of a commit, as its object names them. Raises NotFound where it is lost."""
    found = repo.reader.ask([oid])[0]
    if found is None or found[1] != "commit":
        raise errors.NotFound(f"no commit {oid}", _find_hint(repo))
    return Commit(oid, found[2]).parents


def has_commit(repo: Repo, oid: str) -> bool:
    """Whether a commit is here."""
    return repo.reader.oid(f"{oid}^{{commit}}") is not None


def read_rewritten(repo: Repo) -> dict[str, str]:
    """What became of the commits that remotes had, when a person purged the history of them."""
    rows = (row.split(" ") for row in state.read(repo.common_dir, REWRITTEN).splitlines())
    return {row[0]: row[1] for row in rows if len(row) == 2}


def list_refs(repo: Repo, *patterns: str) -> dict[str, str]:
    """The commits of refs that match, by name; of symbolic ones the ref that they name."""
    form = "--format=%(refname)%00%(objectname)%00%(symref)"
    out = repo.run("for-each-ref", form, *patterns)
    # A name can hold what other readers take for the end of a line.
    rows = (row.split("\0") for row in out.split("\n") if row)
    return {name: symbolic or oid for name, oid, symbolic in rows}
