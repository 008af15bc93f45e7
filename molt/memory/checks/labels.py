"""What a ref gives away beside its commits: by its name, and in the messages of tags."""

from __future__ import annotations

from molt.policy import secrets
from molt.policy.secrets import ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

_DEEPEST = 5
"""Tags of tags that are followed; git makes one of another at most by hand."""


def find_secret(repo: Repo, ref: str, oid: str) -> str:
    """The first thing that is certain to be a secret, by its kind and where it is; empty where a
    ref that is to name an object gives nothing away.
    """
    if kind := _find_kind(ref):
        return f"its name holds what is no one's to see: {kind}"
    for _ in range(_DEEPEST):
        found = repo.reader.ask([oid])[0] if oid else None
        if found is None or found[1] != "tag":
            break
        head, _, message = found[2].decode("utf-8", "replace").partition("\n\n")
        if kind := _find_kind(f"{head}\n{message}"):
            return f"the message of the tag holds what is no one's to see: {kind}"
        oid = head.partition("\n")[0].removeprefix("object ")
    return ""


def _find_kind(text: str) -> str:
    rows = text.split("\n")
    for at, few in secrets.narrow(rows, secrets.suspects(text)):
        for _, _, kind in secrets.find(rows[at], few):
            if ranks.rank_kind(kind) == ranks.BLOCK:
                return kind
    return ""
