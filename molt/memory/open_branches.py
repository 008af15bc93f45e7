"""The branches of reflections, looked up as files: every write asks whether there are any."""

from __future__ import annotations

import os

from molt.formats.reflections import refs
from molt.repo import branches
from molt.repo.repository import Repo
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class OpenBranch(Value):
    """The branch of a reflection: its id, full ref and commit."""

    id: str
    ref: str
    tip: str


def list_branches(repo: Repo) -> tuple[OpenBranch, ...]:
    """The branches of reflections that this clone has, by number. What only a remote has counts
    too; a branch of one's own goes before it.
    """
    found = {one.id: one for one in _read_branches(repo)}
    return tuple(sorted(found.values(), key=lambda one: int(one.id.removeprefix("r-"))))


def _read_branches(repo: Repo) -> Iterator[OpenBranch]:
    try:
        names = sorted(os.listdir(os.path.join(repo.common_dir, "refs", "remotes")))
    except OSError:
        names = []
    for prefix in (*(f"refs/remotes/{name}/reflect/" for name in names), refs.BRANCHES):
        for name, tip in branches.list_below(repo.common_dir, prefix).items():
            if refs.find_id(f"{prefix}{name}"):
                yield OpenBranch(name, f"{prefix}{name}", tip)
