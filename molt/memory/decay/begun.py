"""When a workspace began: what is older became a memory of this agent on that day."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

_KEPT = "begun"


def read_begun(repo: Repo) -> float:
    """The second of the commit that made or adopted the workspace; 0 where history has none.

    It never changes, so the clone keeps it: finding it reads the whole history.
    """
    kept = (repo.cache.get(_KEPT) or b"").decode("ascii", "replace")
    if kept.isdigit() and len(kept) < 16:
        return float(kept)
    args = ("log", "--topo-order", "--reverse", "--format=%ct", "--grep=^Adopted: ", "HEAD", "--")
    found = repo.run(*args, check=False).split()
    if not found or not found[0].isdigit():
        return 0.0
    repo.cache[_KEPT] = found[0].encode()
    return float(found[0])
