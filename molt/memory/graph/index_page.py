"""graph/index.md: the seed's two tables, brought up after a change of the graph."""

from __future__ import annotations

import os

from molt.formats import lines, paths
from molt.formats import scores as score_file
from molt.memory.graph import graph
from molt.repo import state, worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.memory.graph.graph import Graph
    from molt.repo.repository import Repo
    from molt.trees import Tree

HEAD = """# Semantic Graph Index
<!-- Made by molt from the entities; what is written here is lost. -->
"""
_NODES = """
## Entity Registry
| ID | Type | Label | File | Decay Score |
|----|------|-------|------|-------------|
"""
_EDGES = """
## Edges
| From | Relation | To | Confidence | First Seen | Last Accessed |
|------|----------|----|------------|------------|---------------|
"""


def render_index(graph: Graph, entries: Mapping[str, Mapping[str, object]]) -> str:
    """The text of `graph/index.md`: a row for each entity that is not archived, and its edges.

    `entries` are those of decay-scores.json; scores and last accesses are as they stand there.
    """
    shown = [one for one in graph.nodes.values() if not _is_archived(entries, one.id)]
    rows = [
        _render_row(
            one.id,
            one.type,
            one.label,
            f"entities/{one.id}.md",
            _format_score(entries, one.id, one.pinned),
        )
        for one in shown
    ]
    edges = [
        _render_row(
            *(edge.source, edge.word, edge.target, edge.field("confidence")),
            *(edge.field("since") or one.created, _format_access(entries, one.id)),
        )
        for one in shown
        for edge in one.edges
        if not _is_archived(entries, edge.target)
    ]
    return "".join((HEAD, _NODES, *rows, _EDGES, *edges))


def _render_row(*cells: str) -> str:
    plain = (lines.one_line(cell).replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(cell or '—' for cell in plain)} |\n"


def _find_entry(entries: Mapping[str, Mapping[str, object]], stem: str) -> Mapping[str, object]:
    return score_file.fit_entry(entries.get(f"entity:{stem}"))


def _is_archived(entries: Mapping[str, Mapping[str, object]], stem: str) -> bool:
    return _find_entry(entries, stem).get("status") == "archived"


def _format_score(entries: Mapping[str, Mapping[str, object]], stem: str, pinned: bool) -> str:
    entry = _find_entry(entries, stem)
    if pinned or entry.get("pinned") is True:
        return "1.00 (pinned)"
    score = entry.get("current_score")
    return f"{score:.2f}" if isinstance(score, int | float) else ""


def _format_access(entries: Mapping[str, Mapping[str, object]], stem: str) -> str:
    return str(_find_entry(entries, stem).get("last_accessed", ""))[:10]


PATH = paths.GRAPH_INDEX
_MARK = "graph-index"
_FORM = "graph 1"


def freshen_index(repo: Repo, *, scores: bool = False) -> bool:
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
    mark = f"{_FORM} {entities} {_read_stamp(repo)} {weights}\n"
    kept = state.read(repo.git_dir, _MARK)
    if kept == mark if scores else kept.rpartition(" ")[0] == mark.rpartition(" ")[0]:
        return False
    if folder is None and not os.path.exists(os.path.join(repo.root, PATH)):
        return False
    with state.lock(repo.git_dir, "graph"):
        _keep_copy(repo)
        worktree.write(repo.root, PATH, draw_index(tree, repo).encode("utf-8", "replace"))
        state.write(repo.git_dir, _MARK, f"{_FORM} {entities} {_read_stamp(repo)} {weights}\n")
    return True


def _keep_copy(repo: Repo) -> None:
    """Keep a copy of an index that another tool or a person has written."""
    data = worktree.read(repo.root, PATH)
    copy = f"{PATH}.before-molt"
    ours = data is None or data.startswith(HEAD.encode())
    if not ours and not os.path.lexists(os.path.join(repo.root, copy)):
        worktree.write(repo.root, copy, data)


def _read_stamp(repo: Repo) -> str:
    """What differs once somebody else wrote the file."""
    try:
        found = os.stat(os.path.join(repo.root, PATH))
    except OSError:
        return "gone"
    return f"{found.st_size}-{found.st_mtime_ns}"


def draw_index(tree: Tree, repo: Repo) -> str:
    """The index of a tree."""
    data = (tree.read(paths.SCORES) or b"").decode("utf-8", "replace")
    try:
        entries = score_file.parse_scores(data)["entries"]
    except ValueError:
        entries = {}
    return render_index(graph.load(tree, repo.cache), entries)
