"""graph/index.md: the seed's two tables, brought up after a change of the graph.

To draw ten thousand entities takes as long as twenty writes. So a change draws the rows of the
entities that changed, and puts them where they belong: rows are in the order of the files. Scores
change with every use; a command that shows the graph draws them anew.
"""

from __future__ import annotations

import os

from molt import trees
from molt.formats import lines, paths
from molt.formats.meta import scores as score_file
from molt.memory import drawn as drawn_files
from molt.memory.graph import entity_scores
from molt.memory.graph import graph as graphs
from molt.memory.graph import table as tables
from molt.memory.held import withheld
from molt.repo import state, tree_objects, worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
    from typing import Any

    from molt.memory.graph.graph import Graph, Node
    from molt.repo.objects import GitTree
    from molt.repo.repository import Repo
    from molt.trees import Tree

    Scores = Mapping[str, Mapping[str, Any]]

PATH = paths.GRAPH_INDEX
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
_MARK = "graph-index"
_FORM = "graph 2"
# Above so many changed entities, one look at all of them is shorter.
_MANY = 200


class _Drawn(Value):
    """What a page was drawn from: the folder of the entities, the scores, and the state of its
    file since; `sorted` says that its rows can be found by what they show.
    """

    folder: str
    scores: str
    stamp: str = ""
    sorted: bool = False

    def render(self) -> str:
        """The mark that tells it."""
        return f"{_FORM}\t{self.folder}\t{self.scores}\t{self.stamp}\t{self.sorted:d}\n"


def _read_mark(repo: Repo) -> _Drawn | None:
    form, *fields = state.read(repo.git_dir, _MARK).rstrip("\n").split("\t")
    if form != _FORM or len(fields) != 4:
        return None
    folder, scores, stamp, ordered = fields
    return _Drawn(folder, scores, stamp, ordered == "1")


def render_index(graph: Graph, entries: Scores) -> str:
    """The text of `graph/index.md`: a row for each entity that is not archived, and its edges.

    `entries` are those of decay-scores.json; scores and last accesses are as they stand there.
    """
    shown = [one for one in graph.nodes.values() if not _is_archived(entries, one.id)]
    nodes = "".join(_render_node(one, entries) for one in shown)
    edges = "".join(_render_edges(one, entries) for one in shown)
    return "".join((HEAD, _NODES, nodes, _EDGES, edges))


def _render_node(one: Node, entries: Scores) -> str:
    score = _format_score(entries, one.id, one.pinned)
    return _render_row(one.id, one.type, one.label, f"entities/{one.id}.md", score)


def _render_edges(one: Node, entries: Scores) -> str:
    used = _format_access(entries, one.id)
    return "".join(
        _render_row(
            *(edge.source, edge.word, edge.target, edge.field("confidence")),
            *(edge.field("since") or one.created, used),
        )
        for edge in one.edges
        if not _is_archived(entries, edge.target)
    )


def _render_row(*cells: str) -> str:
    return f"| {' | '.join(_show_cell(cell) or '—' for cell in cells)} |\n"


def _show_cell(text: str) -> str:
    return lines.one_line(text).replace("\\", "\\\\").replace("|", "\\|")


def _find_entry(entries: Scores, stem: str) -> Mapping[str, Any]:
    return score_file.fit_entry(entries.get(f"entity:{stem}"))


def _is_archived(entries: Scores, stem: str) -> bool:
    return _find_entry(entries, stem).get("status") == "archived"


def _format_score(entries: Scores, stem: str, pinned: bool) -> str:
    entry = _find_entry(entries, stem)
    if pinned or entry.get("pinned") is True:
        return "1.00 (pinned)"
    score = entry.get("current_score")
    return f"{score:.2f}" if isinstance(score, int | float) else ""


def _format_access(entries: Scores, stem: str) -> str:
    return str(_find_entry(entries, stem).get("last_accessed", ""))[:10]


def freshen_index(repo: Repo, *, scores: bool = False) -> bool:
    """Bring the page up if the entities changed since; gives whether it was written.

    One that is committed is left alone, and one of another tool is kept beside it.
    With `scores`, also if only the scores did: they change with every memory, and a write does
    not wait for that. Raises Failed.
    """
    tree = repo.tree(repo.tip())
    if tree.entry(PATH) is not None:
        return False
    folder, entry = tree.listed(tables.FOLDER), tree.entry(paths.SCORES)
    held = _list_held(repo)
    mark = f"+{trees.blob_oid(repr(held).encode())}" if held else ""
    wanted = _Drawn((folder.oid if folder else "none") + mark, entry.oid if entry else "none")
    kept = _read_mark(repo)
    if _is_current(repo, kept, wanted, scores=scores):
        return False
    if folder is None and not os.path.exists(os.path.join(repo.root, PATH)):
        return False
    with state.lock(repo.git_dir, "graph"):
        # Whoever held the lock may have done the same.
        kept = _read_mark(repo)
        if not _is_current(repo, kept, wanted, scores=scores):
            _write_page(repo, tree, kept, wanted, scores=scores)
    return True


def _list_held(repo: Repo) -> list[str]:
    """The lines of entities that are held back, as they are known."""
    rows = withheld.read_held(repo).lines
    mine = (path for path in rows if path.startswith(paths.ENTITIES))
    return sorted(f"{path} {row}" for path in mine for row in rows[path])


def follow_commit(
    repo: Repo, commit: str, changed: Iterable[str], tree: Tree, moved: Collection[str] = ()
) -> None:
    """Bring the page up after a commit that changed some files, which `tree` holds as it has them,
    and hid or brought back the entities of some ids.

    Where the page is that of the commit before, no more is read than these files, and of `moved`
    ones the lines of those that lead to them.
    """
    before, after = repo.tree(f"{commit}^"), repo.tree(commit)
    kept, old, new = _read_mark(repo), before.listed(tables.FOLDER), after.listed(tables.FOLDER)
    page = None
    known = kept and old and kept.folder == old.oid and repo.tip() == commit
    if known and kept and new and after.entry(PATH) is None:
        with state.lock(repo.git_dir, "graph"):
            if kept == _read_mark(repo) and _is_mendable(repo, kept):
                names = (path[len(paths.ENTITIES) :] for path in changed if tables.is_entity(path))
                entries = {name: tree.entry(f"{paths.ENTITIES}{name}") for name in names}
                rows = tables.parse_files(tree, entries, tables.ROWS)
                rows |= _list_touching(repo, tree, moved)
                page = _mend_page(repo, tree, rows)
            if page is not None:
                _save_page(repo, page, _mark_mended(kept, after, new.oid))
    if page is None:
        freshen_index(repo, scores=bool(moved))


def _list_touching(repo: Repo, tree: Tree, stems: Collection[str]) -> dict[str, str]:
    """The lines of some entities and of those with a relation to one, by id."""
    if not stems:
        return {}
    graph = graphs.load(tree, repo.cache)
    return graph.list_leading(stems) | {stem: graph.rows.find_line(stem) for stem in stems}


def _is_mendable(repo: Repo, kept: _Drawn | None) -> bool:
    """Whether rows can be replaced: the page is as it was drawn, and in the order of the files."""
    return kept is not None and kept.sorted and kept.stamp == drawn_files.read_stamp(repo, PATH)


def _is_current(repo: Repo, kept: _Drawn | None, wanted: _Drawn, *, scores: bool) -> bool:
    if (
        kept is None
        or kept.stamp != drawn_files.read_stamp(repo, PATH)
        or kept.folder != wanted.folder
    ):
        return False
    return not scores or kept.scores == wanted.scores


def _write_page(
    repo: Repo, tree: GitTree, kept: _Drawn | None, wanted: _Drawn, *, scores: bool
) -> None:
    """Write the page: with the rows that changed replaced where that is possible, or anew."""
    page = None
    if kept and _is_mendable(repo, kept) and not (scores and kept.scores != wanted.scores):
        rows = _find_changes(repo, tree, kept.folder)
        page = None if rows is None else _mend_page(repo, tree, rows)
    if page is not None and kept is not None:
        wanted = _mark_mended(kept, tree, wanted.folder)
    else:
        _keep_copy(repo)
        graph = graphs.load(withheld.veil_tree(tree, withheld.read_held(repo)), repo.cache)
        page = (draw_index(graph, tree, repo.cache).encode("utf-8", "replace"),)
        wanted = wanted.replace(
            sorted="+" not in wanted.folder and all(map(_is_plain, graph.nodes))
        )
    _save_page(repo, page, wanted)


def _mark_mended(kept: _Drawn, tree: Tree, folder: str) -> _Drawn:
    """The mark of a page of which some rows were replaced: they show the scores of a tree, and all
    others those that they were drawn from. Of two scores the page is that of neither.
    """
    entry = tree.entry(paths.SCORES)
    same = kept.scores == (entry.oid if entry else "none")
    return kept.replace(folder=folder, scores=kept.scores if same else "mixed")


def _save_page(repo: Repo, page: Sequence[bytes | memoryview], drawn: _Drawn) -> None:
    worktree.write(repo.root, PATH, page)
    state.write(
        repo.git_dir, _MARK, drawn.replace(stamp=drawn_files.read_stamp(repo, PATH)).render()
    )


def draw_index(graph: Graph, tree: Tree, cache: MutableMapping[str, bytes]) -> str:
    """The whole page of a tree's graph, with the scores of the tree."""
    targets = {edge.target for one in graph.nodes.values() for edge in one.edges}
    wanted = {f"entity:{stem}" for stem in targets.union(graph.nodes)}
    return render_index(graph, entity_scores.find_scores(tree, wanted, cache))


def _is_plain(stem: str) -> bool:
    """Whether an entity is shown by just its id."""
    return _show_cell(stem) == stem


def _find_changes(repo: Repo, tree: GitTree, before: str) -> dict[str, str] | None:
    """The lines of the entities that changed since another version of their folder, by id; None
    where that is gone.
    """
    found = repo.reader.ask([before])[0] if before != "none" else ("", "tree", b"")
    if found is None:
        return None
    changed = tree_objects.diff_folders(found[2], tables.read_folder(tree))
    return tables.parse_files(tree, changed, tables.ROWS)


def _mend_page(
    repo: Repo, tree: Tree, rows: Mapping[str, str]
) -> tuple[bytes | memoryview, ...] | None:
    """The parts of the page with the rows of some entities replaced, of which lines tell; None
    where only drawing it anew will do.
    """
    data = worktree.read(repo.root, PATH)
    if data is None or len(rows) > _MANY or not all(map(_is_plain, rows)):
        return None
    graph = graphs.hold_rows(rows.values())
    nodes = {stem: graph.find_node(stem) for stem in rows}
    named = {edge.target for one in graph.nodes.values() for edge in one.edges}
    wanted = {f"entity:{stem}" for stem in (*rows, *named)}
    entries = entity_scores.find_scores(tree, wanted, repo.cache)
    shown = {
        stem: None if one is None or _is_archived(entries, stem) else one
        for stem, one in nodes.items()
    }
    return _replace_rows(data, shown, entries)


def _replace_rows(
    page: bytes, shown: Mapping[str, Node | None], entries: Scores
) -> tuple[bytes | memoryview, ...] | None:
    """A page with the rows of some entities replaced, in parts, as bytes: to decode it and to copy
    its parts takes longer than all else.
    """
    title, middle = _NODES.encode(), _EDGES.encode()
    nodes, edges = page.find(title), page.find(middle)
    if nodes < 0 or edges < nodes:
        return None
    parts: list[tuple[int, int, str, bytes]] = []
    for start, stop, render in (
        (nodes + len(title), edges, _render_node),
        (edges + len(middle), len(page), _render_edges),
    ):
        for stem, one in shown.items():
            span = _find_rows(page, start, stop, f"{stem}.md")
            rows = render(one, entries) if one else ""
            parts.append((*span, stem, rows.encode("utf-8", "replace")))
    # Of several that are put at one place, the order is that of the files.
    parts.sort(key=lambda part: (part[0], f"{part[2]}.md"))
    # Joined, the page would be copied once more, for a tenth of what the kernel does in a write.
    kept, at = memoryview(page), 0
    found: list[bytes | memoryview] = []
    for start, stop, _, block in parts:
        found += [kept[at:start], block]
        at = stop
    return (*found, kept[at:])


def _find_rows(page: bytes, start: int, stop: int, key: str) -> tuple[int, int]:
    """From where to where the rows of an entity stand among sorted ones."""
    first = _find_row(page, start, stop, lambda other: other >= key)
    return first, _find_row(page, first, stop, lambda other: other > key)


def _find_row(page: bytes, low: int, high: int, is_behind: Callable[[str], bool]) -> int:
    """Where the first row begins of whose entity that is true; all rows behind it are such."""
    while low < high:
        start = page.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = page.index(b"\n", start) + 1
        stem = page[start + 2 : page.index(b" | ", start)].decode("utf-8", "replace")
        low, high = (low, start) if is_behind(f"{stem}.md") else (end, high)
    return low


def _keep_copy(repo: Repo) -> None:
    """Keep a copy of an index that another tool or a person has written."""
    if not (worktree.read(repo.root, PATH) or HEAD.encode()).startswith(HEAD.encode()):
        drawn_files.keep_copy(repo, PATH)
