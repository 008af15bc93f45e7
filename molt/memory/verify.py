"""The policy on commits that exist: every commit against its parent."""

from __future__ import annotations

from molt.formats import message as messages
from molt.policy import Context, Finding, evaluate
from molt.repo import process
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.git import CommitInfo, Repo

ADOPTED = "Adopted"


class Report(Value):
    """What was verified, and what was found: (commit id, finding) pairs."""

    range: str
    commits: int
    findings: tuple[tuple[str, Finding], ...]


def verify(repo: Repo, range_args: Sequence[str] = ()) -> Report:
    """The findings on a range of commits, by default all since the workspace was adopted.

    Commits from before the adoption are not judged. Raises Failed for a bad range.
    """
    args = list(range_args) or ["HEAD"]
    start = adoption(repo)
    if start:
        args += ["--not", f"{start}^@"]
    seen = 0
    found: list[tuple[str, Finding]] = []
    for commit in repo.commits(args):
        seen += 1
        found += [(commit.oid, finding) for finding in judge(repo, commit)]
    return Report(" ".join(range_args) or "HEAD", seen, tuple(found))


def judge(repo: Repo, commit: CommitInfo) -> tuple[Finding, ...]:
    """The findings on one commit; of a merge, those on what differs from a clean merge."""
    base = repo.tree(commit.parents[0] if commit.parents else None)
    parents = tuple(repo.tree(parent) for parent in commit.parents)
    context = Context(actor="manual", parents=parents if len(parents) > 1 else ())
    if len(parents) == 2:
        args = ("merge-tree", "--write-tree", *commit.parents)
        status, out, _ = process.call((*process.GIT, *args), cwd=repo.root)
        clean = out.decode().split("\n")[0]
        if status == 0:
            base = repo.tree(clean)
    return evaluate(base, repo.tree(commit.oid), commit.message, context)


def adoption(repo: Repo) -> str | None:
    """The newest commit that made or adopted a workspace here; None if there is none."""
    args = ("log", "--format=%H%x1f%B%x1e", "--grep=^Adopted: ", "HEAD", "--")
    for record in repo.run(*args, check=False).split("\x1e"):
        oid, _, text = record.strip("\n").partition("\x1f")
        message = messages.parse(text)
        if message.action == "INIT" and messages.actor(message) == "system:init":
            return oid
    return None
