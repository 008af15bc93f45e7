"""What a ref gives away that no rule is asked of: by its name, in the messages of tags, and in the
objects of what is no memory.
"""

from __future__ import annotations

from molt.memory.checks import headers
from molt.policy import secrets, texts
from molt.repo import tree_objects
from molt.repo.history import revisions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.repository import Repo

_SIGNED = ("commit", "tag")
_AT_ONCE = 64
"""Objects that are held in memory at once."""


def find_secret(repo: Repo, ref: str, oid: str) -> str:
    """The first thing that is certain to be a secret, by its kind and where it is; empty where a
    ref that is to name an object gives nothing away.
    """
    if kind := _find_kind(ref):
        return f"its name holds what is no one's to see: {kind}"
    # A tag can be one of another, to any depth; none can lead back to itself.
    while (found := repo.reader.ask([oid])[0] if oid else None) and found[1] == "tag":
        said = headers.drop_signatures(found[2]).decode("utf-8", "replace")
        head, _, message = said.partition("\n\n")
        if kind := _find_kind(f"{head}\n{message}"):
            return f"the message of the tag holds what is no one's to see: {kind}"
        oid = head.partition("\n")[0].removeprefix("object ")
    return ""


def find_stray_secret(repo: Repo, tips: Sequence[str], known: Sequence[str]) -> str:
    """The first thing that is certain to be a secret in what some objects lead to and `known` ones
    do not, by its kind and where it is; empty where there is none.

    It is for what holds no memory, as notes and pages, or is no commit at all.
    """
    oids = revisions.list_objects(repo, tips, known)
    for start in range(0, len(oids), _AT_ONCE):
        for found in filter(None, repo.reader.ask(oids[start : start + _AT_ONCE])):
            oid, sort, data = found
            if kind := _find_kind_in(sort, data):
                return f"its {sort} {oid[:10]} holds what is no one's to see: {kind}"
    return ""


def _find_kind_in(sort: str, data: bytes) -> str:
    """The kind of secret in an object of a sort: in the names of a folder, in all else anywhere."""
    if sort == "tree":
        return _find_kind("\n".join(tree_objects.names_in(data)))
    data = texts.narrow(headers.drop_signatures(data) if sort in _SIGNED else data)
    return _find_kind(data.decode("utf-8", "replace"), binary=texts.is_binary(data))


def _find_kind(text: str, *, binary: bool = False) -> str:
    for _, matches in secrets.search(text, binary=binary):
        for _, _, kind in matches:
            if secrets.class_of(kind) == secrets.BLOCK:
                return kind
    return ""
