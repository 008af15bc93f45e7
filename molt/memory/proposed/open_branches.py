"""The branches of reflections, looked up as files: every write asks whether there are any."""

from __future__ import annotations

import os

from molt import trees
from molt.formats.reflections import parts, refs
from molt.repo import branches
from molt.repo.repository import Repo
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.trees import Tree


_LOG = "memory/meta/reflection-log.md"


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


def list_open(repo: Repo) -> tuple[OpenBranch, ...]:
    """The branches of reflections that HEAD has not decided, by number."""
    found = list_branches(repo)
    decided = list_decided(repo.tree(repo.tip())) if found else ()
    return tuple(one for one in found if one.id not in decided)


def list_decided(tree: Tree) -> frozenset[str]:
    """The reflections that a tree has a decision on, or brings in: its records and its log."""
    return list_records(tree) | list_logged(tree)


def list_records(tree: Tree) -> frozenset[str]:
    """The reflections that a tree has a record of."""
    names = tree.names(refs.RECORDS.rstrip("/"))
    found = (name.removesuffix(".md") for name in names if name.endswith(".md"))
    return frozenset(filter(parts.is_reflection_id, found))


def list_logged(tree: Tree) -> frozenset[str]:
    """The reflections that the log of a tree lists, by the headings of its entries."""
    rows = trees.read_text(tree, _LOG).split("\n")
    heads = (row[3:].partition("|")[0].strip() for row in rows if row.startswith("## "))
    return frozenset(filter(parts.is_reflection_id, heads))
