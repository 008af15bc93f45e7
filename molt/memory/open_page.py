"""Reflections that await a person, and the copy of what they say, `pending-reflection.md`."""

from __future__ import annotations

import os

from molt import trees
from molt.formats import paths
from molt.formats.reflections import histories, record, summary
from molt.memory import open_branches
from molt.repo import ignores, state, worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.open_branches import OpenBranch
    from molt.repo.repository import Repo
    from molt.trees import Tree

PATH = paths.PENDING_REFLECTION
MARK = "pending-reflection"
_RECORDS = record.FOLDER.rstrip("/")


def list_open(repo: Repo) -> tuple[OpenBranch, ...]:
    """The branches of reflections that HEAD has not decided, by number."""
    found = open_branches.list_branches(repo)
    if not found:
        return ()
    decided = list_decided(repo.tree(repo.tip()))
    return tuple(one for one in found if one.id not in decided)


def list_decided(tree: Tree) -> frozenset[str]:
    """The reflections that a tree has a decision on, or brings in: its records and its log."""
    names = tree.names(_RECORDS)
    records = {name.removesuffix(".md") for name in names if name.endswith(".md")}
    return histories.listed_ids(trees.read_text(tree, histories.LOG)) | records


def freshen_pending(repo: Repo) -> bool:
    """Bring `pending-reflection.md` up: what awaits approval, or no file; gives whether it
    changed. One that is committed, or that git would commit, is left alone, and of what somebody
    else has written a copy is kept. Raises Failed.
    """
    every, kept = list_open(repo), state.read(repo.git_dir, MARK)
    if not every and not kept:
        return False
    asked = " ".join(f"{one.id} {one.tip}" for one in every)
    if kept == f"{asked}\n{_read_stamp(repo)}":
        return False
    if repo.tree(repo.tip()).entry(PATH) is not None or not ignores.find_ignored(repo, (PATH,)):
        return False
    if kept.partition("\n")[2] != _read_stamp(repo):
        _keep_copy(repo)
    worktree.write(repo.root, PATH, render_pending(repo, every).encode() if every else None)
    state.write(repo.git_dir, MARK, f"{asked}\n{_read_stamp(repo)}" if every else "")
    return True


def _keep_copy(repo: Repo) -> None:
    """Keep a copy of what another tool or a person has written there."""
    data, copy = worktree.read(repo.root, PATH), f"{PATH}.before-molt"
    if data is not None and not os.path.lexists(os.path.join(repo.root, copy)):
        worktree.write(repo.root, copy, data)


def _read_stamp(repo: Repo) -> str:
    """What differs once somebody else wrote the file."""
    try:
        found = os.stat(os.path.join(repo.root, PATH))
    except OSError:
        return "gone"
    return f"{found.st_size}-{found.st_mtime_ns}"


def render_pending(repo: Repo, every: tuple[OpenBranch, ...]) -> str:
    """What open reflections say, for people, one below the other."""
    found = []
    for one in every:
        text = repo.show(one.tip, record.record_path(one.id)) or b""
        said = record.parse_record(text.decode("utf-8", "replace")).summary
        fields = (("Reflection", one.id), ("Approve", f"`molt reflect approve {one.id}`"))
        known = {key for key, _ in said.fields}
        more = tuple(pair for pair in fields if pair[0] not in known)
        found.append(summary.render_summary(said.replace(fields=(*more, *said.fields))))
    return "\n".join(found)
