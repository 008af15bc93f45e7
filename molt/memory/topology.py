"""`graph/index.md`, brought up to the entities of the last commit."""

from __future__ import annotations

import os

from molt.formats import paths
from molt.formats import scores as score_file
from molt.memory import drawing, graph
from molt.repo import state, worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo
    from molt.trees import Tree

PATH = "memory/graph/index.md"
_MARK = "graph-index"
_FORM = "graph 1"


def bring_up(repo: Repo, *, scores: bool = False) -> bool:
    """Write the index anew if the entities changed since; gives whether it was written.

    One that is committed is left alone, and one of another tool is kept beside it.
    With `scores`, also if only the scores did: they change with every memory, and a write does
    not wait for that. Raises Failed.
    """
    tree = repo.tree(repo.tip())
    if tree.entry(PATH) is not None:
        return False
    folder = repo.reader.oid(f"HEAD:{paths.ENTITIES.rstrip('/')}")
    entry = tree.entry(paths.SCORES)
    entities, weights = folder or "none", entry.oid if entry else "none"
    mark = f"{_FORM} {entities} {_stamp(repo)} {weights}\n"
    kept = state.read(repo.git_dir, _MARK)
    if kept == mark if scores else kept.rpartition(" ")[0] == mark.rpartition(" ")[0]:
        return False
    if folder is None and not os.path.exists(os.path.join(repo.root, PATH)):
        return False
    with state.lock(repo.git_dir, "graph"):
        _keep(repo)
        worktree.write(repo.root, PATH, text(tree, repo).encode("utf-8", "replace"))
        state.write(repo.git_dir, _MARK, f"{_FORM} {entities} {_stamp(repo)} {weights}\n")
    return True


def _keep(repo: Repo) -> None:
    """Keep a copy of an index that another tool or a person has written."""
    data = worktree.read(repo.root, PATH)
    copy = f"{PATH}.before-molt"
    ours = data is None or data.startswith(drawing.HEAD.encode())
    if not ours and not os.path.lexists(os.path.join(repo.root, copy)):
        worktree.write(repo.root, copy, data)


def _stamp(repo: Repo) -> str:
    """What differs once somebody else wrote the file."""
    try:
        found = os.stat(os.path.join(repo.root, PATH))
    except OSError:
        return "gone"
    return f"{found.st_size}-{found.st_mtime_ns}"


def text(tree: Tree, repo: Repo) -> str:
    """The index of a tree."""
    data = (tree.read(paths.SCORES) or b"").decode("utf-8", "replace")
    try:
        entries = score_file.parse_scores(data)["entries"]
    except ValueError:
        entries = {}
    return drawing.index(graph.load(tree, repo.cache), entries)
