"""Questions to the policy, and the one context that every door asks them in; it only reads."""

from __future__ import annotations

import os

from molt import config, policy, trees
from molt.formats.reflections import refs
from molt.memory.provenance import audit, open_changes
from molt.repo import branches, commits
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from types import ModuleType
    from typing import Any

    from molt.config import Config
    from molt.formats.message import Message
    from molt.policy import Context, Finding
    from molt.repo.repository import Repo
    from molt.repo.staged import Staged
    from molt.trees import Tree

    ProposedTrees = tuple[str, Tree, Tree]

_MANY = 4
"""Files with a fault of their bytes that are told of one by one."""


class _Pending:
    """The critical files with a pending change in the history of a revision, asked one by one."""

    def __init__(self, repo: Repo, rev: str) -> None:
        self._repo = repo
        self._rev = rev

    def __contains__(self, file: object) -> bool:
        known = audit.pending_at(self._repo, self._rev)
        if known is not None:
            return file in known
        return open_changes.look_up(self._repo, self._rev, str(file))


def context_for(repo: Repo, rev: str | None, **facts: Any) -> Context:
    """The context of a change on top of a revision (None for the first commit): the `facts` that
    its door knows, and what the history before it can be asked.
    """
    if "headers" not in facts:
        facts["headers"] = foresee_people(repo.config)
    if rev is None:
        return policy.Context(**facts)
    base = rev

    def restores(path: str, oid: str, now: str | None) -> bool:
        found: bool = _import_history().restores(repo, base, path, oid, now=now)
        return found

    def holds(texts: Collection[str]) -> frozenset[str]:
        found: frozenset[str] = _import_history().find_texts(repo, base, texts)
        return found

    asked: dict[str, Any] = {
        "alerts": lambda: _Pending(repo, base),
        "restores": restores,
        "holds": holds,
        "find_shortest": lambda path: _find_shortest(repo, base, path),
        "list_proposed": lambda: _list_proposed(repo),
        # Who writes is going to sign; a door that judges what others sign knows better.
        "signature": lambda keys: _import_signer().foresee(repo, facts.get("actor", ""), keys),
    }
    return policy.Context(**{**asked, **facts})


def foresee_people(find_setting: Callable[[str], str | None]) -> str:
    """The lines of author and committer that git is going to write, as far as the environment and
    its settings tell: once where they are one person's, and without the sign of a mail address.
    """
    rows = dict.fromkeys(_foresee_person(who, find_setting) for who in ("author", "committer"))
    return "\n".join(rows).replace("@", " ")


def _foresee_person(who: str, find_setting: Callable[[str], str | None]) -> str:
    name, address = (
        os.environ.get(f"GIT_{who}_{part}".upper())
        or find_setting(f"{who}.{part}")
        or find_setting(f"user.{part}")
        or ""
        for part in ("name", "email")
    )
    return f"{name} <{address or os.environ.get('EMAIL', '')}"


def _import_history() -> ModuleType:
    """What few commits ask, and no other should wait for."""
    from molt.repo import history

    return history


def _find_shortest(repo: Repo, rev: str, path: str) -> bytes | None:
    history = _import_history()
    adopted = history.messages(repo, "--first-parent", "--grep=^Adopted: ", rev)
    # The first one is that of the workspace: whoever says so again changes nothing.
    start = next((oid for oid, _ in reversed(list(adopted))), "")
    found: bytes | None = history.find_shortest(repo, rev, path, start)
    return found


def _list_proposed(repo: Repo) -> tuple[ProposedTrees, ...]:
    """The reflections that there are branches of, each with what its branch was made on and what
    it holds.
    """
    found = branches.list_below(repo.common_dir, refs.BRANCHES)
    return tuple(
        (name, repo.tree(_find_start(repo, tip)), repo.tree(tip))
        for name, tip in sorted(found.items())
    )


def _find_start(repo: Repo, tip: str) -> str | None:
    """The commit that a branch of a reflection was made on: the first one that no reflection wrote;
    None where there is none.
    """
    at: str | None = tip
    while at is not None and (found := repo.reader.ask([at])[0]) is not None:
        one = commits.Commit(at, found[2])
        if not refs.is_own(one.author):
            return at
        at = next(iter(one.parents), None)
    return None


def settings_of(parents: Sequence[Tree], load: Callable[[Tree], Config]) -> Config:
    """The configuration that a commit on some parents is judged by: the strictest of those that
    are workspaces; the defaults where none is.
    """
    found = [load(tree) for tree in parents if tree.entry(config.PATH) is not None]
    return policy.strictest(found or [config.DEFAULT])


class Place(Value):
    """Where git is about to put a commit: on which revision (None for none), with which tree; who
    the environment says acts, empty for nobody, which day it is, on which branch (a full ref, empty
    for none), whether somebody else than its author puts there what a reflection wrote, whether
    that is its author at all, and whether git is going to sign it, as far as that can be seen.
    """

    rev: str | None
    tree: Tree
    environment: str = ""
    today: str = ""
    branch: str = ""
    carried: bool = False
    by_reflection: bool = False
    signs: Callable[[], bool] | None = None


def judge_staged(
    repo: Repo, found: Staged, place: Place, message: Message | None
) -> tuple[Finding, ...]:
    """The findings on what git is about to commit; without a message those on the files alone."""
    cache = repo.cache
    base, parents, facts = _merging(repo, found, place.tree)
    facts["history"] = (*facts.get("history", ()), *tell_unsound(found.unsound))
    context = context_for(
        repo,
        place.rev,
        actor=place.environment or "manual",
        environment_actor=place.environment,
        today=lambda: place.today,
        staged=True,
        branch=place.branch,
        onto=place.tree if found.merge_heads else None,
        arrival=policy.MOVED if place.carried else "",
        by_reflection=place.by_reflection,
        headers=foresee_people(found.config_values.get),
        signature=lambda _: _import_signer().expect(place.signs),
        **facts,
    )
    settings = settings_of(parents, lambda tree: config.load_in_force(tree, cache)[0])
    return policy.evaluate(base, found.index, message, context, settings)


def tell_unsound(paths: Sequence[str]) -> tuple[str, ...]:
    """What is said of the first ones of some paths that git never writes so."""
    said = "twice, out of order, too deep, or as git writes no file"
    return tuple(f"its tree has {path!r} {said}" for path in paths[:_MANY])


def _import_signer() -> ModuleType:
    """What only a workspace with keys asks."""
    from molt.repo.keys import signer

    return signer


def _merging(
    repo: Repo, found: Staged, head: Tree
) -> tuple[Tree, tuple[Tree, ...], dict[str, Any]]:
    """What the commit is judged on, the trees of its parents, and what there is to know of them
    where it concludes a merge.
    """
    if not found.merge_heads:
        return head, (head,), {}
    from molt.repo import ancestry, merge_driver

    heads = (repo.resolve("HEAD"), *found.merge_heads)
    left, common = ancestry.reduce_heads(heads, repo.find_bases, repo.find_independent)
    if len(left) == 1:
        return (tree := repo.tree(left[0])), (tree,), {}
    parents = tuple(map(repo.tree, left))
    merged, whole = merge_driver.merge_heads(repo, left)
    base = repo.tree(merged) if merged else parents[0]
    facts: dict[str, Any] = {"parents": parents, "bases": tuple(map(repo.tree, common))}
    facts["clean"] = whole and not trees.compare(base.entries(), found.index.entries())
    facts["history"] = () if common else (policy.UNRELATED,)
    return base, parents, facts


def judge_files(repo: Repo, actor: str) -> tuple[Finding, ...]:
    """The findings on what is on disk, as if `actor` committed it now."""
    from molt.repo import worktree

    head = repo.tree(repo.head().commit)
    new = worktree.Worktree(repo, head)
    context = context_for(repo, repo.tip(), actor=actor or "manual", environment_actor=actor)
    return policy.evaluate(head, new, None, context, config.load_in_force(head, repo.cache)[0])
