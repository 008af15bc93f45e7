"""What a write would commit: its edits of HEAD's tree, its message, and what the policy says."""

from __future__ import annotations

import os

from molt import config, errors, trees
from molt.repo import worktree
from molt.values import Value, ValueOf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeVar

    from molt.config import Config
    from molt.policy import Context, Finding
    from molt.repo.objects import GitTree
    from molt.repo.repository import Head, Repo
    from molt.trees import Edits, Tree

    T = TypeVar("T")
    MakeChange = Callable[[Tree], "Change[T]"]
else:
    T = None


class CommitStep(Value):
    """One commit of several: its edits of what the one before has made, and its message."""

    edits: Mapping[str, bytes | None]
    message: str


class Change(ValueOf[T]):
    """What a write makes of a tree: its edits, the message of the commit, and whatever its caller
    wants back of what was made. With `steps` the edits are made by commits of their own, which
    the commit of this message joins to the branch as a merge.
    """

    edits: Mapping[str, bytes | None]
    message: str
    made: T
    steps: tuple[CommitStep, ...] = ()


class Plan(ValueOf[T]):
    """A change that the policy allows: on which HEAD, with those edits alone that change
    something, and the warnings. Each of `steps` changes something. `settings` are those by which it
    was judged.
    """

    head: Head
    base: GitTree
    edits: Edits
    message: str
    made: T
    findings: tuple[Finding, ...] = ()
    steps: tuple[CommitStep, ...] = ()
    settings: Config = config.DEFAULT


def make_plan(repo: Repo, make_change: MakeChange[T], context: Context) -> Plan[T]:
    """The write on HEAD as it is now; without edits where they would change nothing.

    Raises Refused with the policy's findings, Failed where the repository is in no state for it.
    """
    from molt import policy

    head = writable_head(repo)
    base = repo.tree(head.commit)
    change = make_change(base)
    edits = {path: data for path, data in change.edits.items() if base.read(path) != data}
    settings, _ = config.load_in_force(base, repo.cache)
    plan = Plan(head, base, edits, change.message, change.made, settings=settings)
    if not edits:
        return plan
    for path in edits:
        worktree.safe_path(path)
    if change.steps:
        found = judge_steps(base, change.steps, context.replace(approved=True), settings)
        found += policy.judge_signature(base, plan.message, context, settings)
        plan = plan.replace(steps=tuple(find_changing(base, change.steps)))
    else:
        tree = trees.Overlay(base, edits)
        found = policy.evaluate(base, tree, plan.message, context, settings)
    if any(finding.severity == "error" for finding in found):
        raise errors.Refused("the policy refuses this", findings=found)
    return plan.replace(findings=found)


def find_changing(base: Tree, steps: Iterable[CommitStep]) -> Iterator[CommitStep]:
    """The steps with those edits alone that change something; without those that change nothing."""
    done: Edits = {}
    for step in steps:
        before = trees.Overlay(base, done)
        edits = {path: data for path, data in step.edits.items() if before.read(path) != data}
        if edits:
            done.update(edits)
            yield step.replace(edits=edits)


def judge_steps(
    base: Tree, steps: Iterable[CommitStep], context: Context, settings: Config
) -> tuple[Finding, ...]:
    """The findings of the policy on commits one after the other."""
    from molt import policy

    done: Edits = {}
    found: list[Finding] = []
    for step in find_changing(base, steps):
        before = trees.Overlay(base, done)
        after = trees.Overlay(before, dict(step.edits))
        found += policy.evaluate(before, after, step.message, context, settings)
        done.update(step.edits)
    return tuple(found)


def writable_head(repo: Repo) -> Head:
    """HEAD, if a commit can be put on its branch. Raises Failed."""
    head = repo.head()
    said, hint = find_hindrance(head)
    if said or head.branch is None:
        raise errors.Failed(said, hint)
    if os.path.isdir(os.path.join(repo.common_dir, "worktrees")):
        _refuse_shared(repo, head.branch)
    return head


def find_hindrance(head: Head) -> tuple[str, str]:
    """What keeps every commit from the branch of HEAD, and the way on; both empty for nothing."""
    if head.state:
        return describe_state(head.state), _tell_way_on(head.state)
    if head.branch is None:
        hint = "`git switch -c NAME` makes a branch of it"
        return "HEAD is detached: a commit would be on no branch", hint
    return "", ""


def describe_state(unfinished: str) -> str:
    """That an operation of git is unfinished, in words."""
    article = "an" if unfinished.startswith("a") else "a"
    return f"{article} {unfinished} is in progress"


def _tell_way_on(unfinished: str) -> str:
    if unfinished == "bisect":
        return "`git bisect reset` ends it"
    return f"`molt resolve` merges what it can; then `git {unfinished} --continue`"


def _refuse_shared(repo: Repo, branch: str) -> None:
    out = repo.run("worktree", "list", "--porcelain", "-z")
    for block in out.split("\0\0"):
        lines = block.split("\0")
        place = lines[0].removeprefix("worktree ")
        if f"branch {branch}" in lines and os.path.realpath(place) != os.path.realpath(repo.root):
            raise errors.Failed(f"{branch} is checked out in {place} too", "work there")


def _read_attributes(repo: Repo) -> bytes:
    """The attributes of files that only this clone has; empty where it has none."""
    try:
        with open(f"{repo.common_dir}/info/attributes", "rb") as file:
            return file.read()
    except OSError:
        return b""


def refuse_filters(repo: Repo, base: GitTree, edits: Edits) -> None:
    """Raises Failed for files that a filter changes on their way into git: molt runs none."""
    folders = {path.rpartition("/")[0] for path in edits}
    names = {".gitattributes", *(f"{folder}/.gitattributes" for folder in folders if folder)}
    texts = [base.read(name) or b"" for name in sorted(names)]
    texts.append(_read_attributes(repo))
    if not any(word in text for text in texts for word in (b"filter", b"working-tree-encoding")):
        return
    out = repo.run("check-attr", "-z", "filter", "working-tree-encoding", "--", *edits)
    words = out.split("\0")
    for path, name, value in zip(words[::3], words[1::3], words[2::3], strict=False):
        if value not in ("unspecified", "unset"):
            raise errors.Failed(
                f"{path} has the attribute {name}={value}, and molt runs no filters",
                "take memories out of it in .gitattributes",
            )
