"""Refs beside the branch of HEAD, moved together or not at all, from where they are known to be."""

from __future__ import annotations

from molt import errors
from molt.repo.repository import ZERO
from molt.repo.write.loose import DURABLE
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.repository import Repo


class RefMove(Value):
    """A ref that goes from one commit to another; empty for none."""

    ref: str
    old: str
    new: str


def move_refs(repo: Repo, moves: Sequence[RefMove], why: str) -> None:
    """Move refs, all or none. Raises Busy where one is elsewhere meanwhile, Failed where git or a
    hook of the repository refuses.
    """
    rows = [f"update {one.ref}\0{one.new or ZERO}\0{one.old or ZERO}\0" for one in moves]
    # A name that leads to another one, which somebody has put there, is not followed.
    args = (*DURABLE, "update-ref", "--no-deref", "-m", why, "--create-reflog", "--stdin", "-z")
    output = repo.git(*args, input="".join(rows).encode("utf-8", "surrogateescape"))
    if not output.status:
        return
    names = ", ".join(one.ref for one in moves)
    if "cannot lock ref" in output.said:
        raise errors.Busy(f"{names}: somebody else has moved it", "look again: `molt reflect list`")
    raise errors.Failed(f"{names}: {output.said}")
