"""The policy on commits that exist: every commit against its parent."""

from __future__ import annotations

from molt import config, trees
from molt.formats import message as messages
from molt.memory import audit
from molt.policy import Context, Finding, evaluate
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.repository import CommitInfo, Repo
    from molt.trees import Tree

ADOPTED = "Adopted"


class VerifyReport(Value):
    """What was verified, and what was found: (commit id, finding) pairs."""

    range: str
    commits: int
    findings: tuple[tuple[str, Finding], ...]


def verify_commits(repo: Repo, range_args: Sequence[str] = ()) -> VerifyReport:
    """The findings on a range of commits, by default all since the workspace was adopted.

    Commits from before the adoption are not judged. Raises Failed for a bad range.
    """
    args = list(range_args) or ["HEAD"]
    before = [f"{oid}^@" for oid in find_adoptions(repo)]
    if before:
        args += ["--not", *before]
    seen = 0
    pending: set[str] = set()
    found: list[tuple[str, Finding]] = []
    for commit in repo.commits(args):
        if not seen and commit.parents:
            pending = {line.file for line in audit.alerts_at(repo, commit.parents[0])}
        seen += 1
        found += [
            (commit.oid, finding) for finding in judge_commit(repo, commit, frozenset(pending))
        ]
        _update_alerts(repo, commit, pending)
    return VerifyReport(" ".join(range_args) or "HEAD", seen, tuple(found))


def _update_alerts(repo: Repo, commit: CommitInfo, pending: set[str]) -> None:
    """The alerts after a commit, from those before it; of a merge, as the audit log has them."""
    pending.difference_update(audit.list_acknowledged(messages.parse(commit.message)))
    base = repo.tree(commit.parents[0] if commit.parents else None)
    if base.entry(config.PATH) is not None:
        critical = config.load(base, repo.cache)[0].policy_critical
        new = repo.tree(commit.oid)
        sides = [trees.diff(repo.tree(parent), new) for parent in commit.parents]
        changed = [{change.path for change in side} for side in sides]
        pending.update(path for path in critical if all(path in side for side in changed))


def judge_commit(
    repo: Repo, commit: CommitInfo, alerts: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """The findings on one commit; of a merge, those on what differs from a clean merge.

    `alerts` are the critical files whose change was unacknowledged before it.
    """
    base = repo.tree(commit.parents[0] if commit.parents else None)
    settings, _ = config.load(base, repo.cache)
    parents: tuple[Tree, ...] = ()
    if len(commit.parents) > 1:
        parents = tuple(repo.tree(parent) for parent in commit.parents)
        base = repo.merged(commit.parents) or base
    context = Context(actor="manual", parents=parents, alerts=lambda: alerts)
    return evaluate(base, repo.tree(commit.oid), commit.message, context, settings)


def find_adoptions(repo: Repo) -> list[str]:
    """The commits that first made or adopted a workspace; more than one where histories met.

    One that follows another counts for nothing: who takes the configuration out and adopts
    the rest again would hide what was done before.
    """
    args = ("log", "-z", "--topo-order", "--reverse", "--format=%H %B", "--grep=^Adopted: ")
    found: list[str] = []
    for record in repo.run(*args, "HEAD", "--", check=False).split("\0"):
        oid, _, text = record.partition(" ")
        message = messages.parse(text)
        made = message.action == "INIT" and messages.actor(message) == "system:init"
        if made and not any(repo.is_ancestor(earlier, oid) for earlier in found):
            found.append(oid)
    return found
