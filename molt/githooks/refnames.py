"""Names of refs that git, a clone or a file system takes for those of other refs."""

from __future__ import annotations

from fnmatch import fnmatchcase

from molt.policy import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HEADS, _TAGS = "refs/heads/", "refs/tags/"
_KINDS = (_HEADS, _TAGS, "refs/notes/", "refs/replace/", "refs/remotes/")
_PARTS = ("refs/", "heads/", "tags/", "remotes/")
_IDS = (40, 64)
"""Digits of an object's id: by SHA-1, and by SHA-256."""
HINT = "give it another name"


def is_among(ref: str, chosen: Iterable[str]) -> bool:
    """Whether a ref is one of the chosen ones, which are full names and patterns of such."""
    return any(fnmatchcase(ref, one) for one in chosen)


def find_misread(ref: str, protected: Sequence[str]) -> str:
    """What a new ref is taken for that it is not; empty for nothing. `protected` are the branches
    that others start from, by full names and patterns.
    """
    folded = names.fold_path(ref)
    if folded.startswith(_KINDS) and not ref.startswith(_KINDS):
        return "is below a folder of git in other letters, which are one on some file systems"
    if not is_among(ref, protected) and is_among(folded, map(names.fold_path, protected)):
        return "is a protected branch in other letters, which are one on some file systems"
    kind = next((one for one in (_HEADS, _TAGS) if ref.startswith(one)), "")
    if kind == _TAGS and _hides_branch(ref.removeprefix(kind), protected):
        return "is a tag, which git takes before the protected branch of that name"
    return _find_other(folded.removeprefix(kind)) if kind else ""


def _hides_branch(name: str, protected: Sequence[str]) -> bool:
    """Whether the name of a tag is that of one of some branches, here or as a clone has it."""
    _, _, rest = name.partition("/")
    return not {f"{_HEADS}{name}", f"{_HEADS}{rest}"}.isdisjoint(protected)


def _find_other(name: str) -> str:
    """What else the short name of a branch or tag is, in small letters."""
    # To fetch a branch HEAD is to write through the symbolic ref of a clone into its main branch.
    if name in ("@", "head") or ("/" not in name and name.endswith("_head")):
        return "is what git calls where it stands"
    if name.startswith("-"):
        return "is an option where a command is given it"
    if name.startswith(_PARTS):
        return "begins as the full name of a ref does"
    if len(name) in _IDS and all(char in "0123456789abcdef" for char in name):
        return "is the id of an object"
    return ""
