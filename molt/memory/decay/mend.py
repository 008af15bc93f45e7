"""Damaged scores, mended: what can be read of them stays, else the last version that could be."""

from __future__ import annotations

import os

from molt.formats import paths
from molt.formats.meta import scores
from molt.repo import state, worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo
    from molt.trees import Tree

_KEPT = "decay-scores.damaged"
# Versions of the file that are looked at: one a day, so that these are more than a year.
_VERSIONS = 500


def find_damage(tree: Tree) -> str:
    """What is wrong with the scores of a tree, in words; empty for nothing."""
    try:
        text = (tree.read(paths.SCORES) or b"").decode("utf-8")
    except UnicodeDecodeError:
        return "it is not UTF-8"
    return scores.find_faults(text)


def mend_text(repo: Repo, data: bytes) -> str:
    """Scores that can be read: what can be of some bytes, else those of the last commit that has
    such, else none. The uses that no commit holds yet are in the journal, and stay there.
    """
    found = scores.salvage_scores(data.decode("utf-8", "replace"))
    if found is not None:
        return found
    args = ("log", f"-{_VERSIONS}", "--format=%H", "HEAD", "--", paths.SCORES)
    for commit in repo.run(*args, check=False).split():
        text = (repo.tree(commit).read(paths.SCORES) or b"").decode("utf-8", "replace")
        found = scores.salvage_scores(text) if text else None
        if found is not None:
            return found
    return scores.EMPTY


def restore_file(repo: Repo) -> str:
    """Put the committed scores back on disk and into the index, where these are damaged and no
    commit holds them; gives the file that keeps what was there. Raises Failed.
    """
    data = worktree.read(repo.root, paths.SCORES) or b""
    state.write(repo.git_dir, _KEPT, data.decode("utf-8", "surrogateescape"))
    if repo.tree(repo.tip()).entry(paths.SCORES) is not None:
        repo.run("restore", "--source=HEAD", "--staged", "--worktree", "--", paths.SCORES)
    else:
        repo.run("rm", "-q", "--cached", "--ignore-unmatch", "--", paths.SCORES)
        worktree.write(repo.root, paths.SCORES, None)
    return os.path.relpath(state.path(repo.git_dir, _KEPT), repo.root)
