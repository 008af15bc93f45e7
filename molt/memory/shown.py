"""The one place where text of a memory is read to be shown: without what a person wanted forgotten,
and without what a commit brought against the rules.
"""

from __future__ import annotations

from molt import trees
from molt.memory.held import quarantine, withheld
from molt.memory.visible import forgotten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace
    from molt.trees import Tree


def list_files(ws: Workspace, *, keep_lines: bool = True) -> Tree:
    """What is on disk, as somebody may see it."""
    return hide_all(ws, ws.files(), keep_lines=keep_lines)


def list_committed(ws: Workspace) -> Tree:
    """What the last commit has, as somebody may see it."""
    return hide_all(ws, ws.head())


def hide_all(ws: Workspace, tree: Tree, *, keep_lines: bool = True) -> Tree:
    """A tree as somebody may see it."""
    tree = hide_held(ws, tree, keep_lines=keep_lines)
    gone = forgotten.list_forgotten(hide_held(ws, ws.head()), ws.repo.cache)
    return forgotten.veil_tree(tree, gone, keep_lines=keep_lines)


def hide_held(ws: Workspace, tree: Tree, *, keep_lines: bool = True) -> Tree:
    """A tree without what is held back. With `keep_lines` what is behind it stays where it is."""
    held = quarantine.freshen_held(ws.repo)
    shown = withheld.veil_tree(tree, held, keep_lines=keep_lines)
    return withheld.hide_blobs(ws.repo, shown, held)


def read_text(ws: Workspace, path: str) -> str:
    """A file as somebody may see it; empty for none."""
    return trees.read_text(list_files(ws), path)
