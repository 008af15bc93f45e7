"""The hooks around a commit: projections after it, and what a branch or remote is to get."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.repo.repository import Repo

NOTHING = "0" * 40


def freshen_log(name: str) -> int:
    """Brings the audit log up; after a merge, warns of what came in against the rules."""
    from molt.memory import audit
    from molt.repo import find

    repo = find.here()
    if not audit.is_started(repo) and not _is_workspace(repo, "HEAD"):
        return 0
    audit.freshen_log(repo)
    if name == "post-merge":
        _verify_range(repo, ["ORIG_HEAD..HEAD"])
    return 0


def _is_workspace(repo: Repo, rev: str) -> bool:
    """Whether a commit holds a workspace."""
    from molt.repo import process

    listed = process.run_git(repo.root or repo.git_dir, "ls-tree", "--name-only", rev)
    return bool({b"molt.yaml", b"memory"}.intersection(listed.split(b"\n")))


def pre_push(args: Sequence[str], text: str) -> int:
    """Judges all commits that the remote has not; returns 1 where the policy refuses one.

    `args` are the name and address of the remote, `text` is what git writes to the hook.
    """
    from molt.repo import find

    repo = find.here()
    remote = args[0] if args else os.environ.get("PRE_COMMIT_REMOTE_NAME", "origin")
    status = 0
    for new, old in _pushed_refs(text.splitlines()):
        if not _is_workspace(repo, new):
            continue
        known = [old] if old != NOTHING and _has_commit(repo, old) else []
        status |= _verify_range(repo, [new, "--not", *known, f"--remotes={remote}"])
    return status


def reference_transaction(args: Sequence[str], text: str) -> int:
    """Judges what the branches are about to get; returns 1 where the policy refuses a commit.

    `args` is the state of git's transaction, `text` its lines; a commit that any branch has
    already is not judged again.
    """
    from molt.repo import find

    if list(args) != ["prepared"]:
        return 0
    repo = find.here()
    rows = [line.split() for line in text.splitlines()]
    new = [oid for _, oid, ref in rows if ref.startswith("refs/heads/") and oid != NOTHING]
    wanted = [oid for oid in new if _is_workspace(repo, oid)]
    return _verify_range(repo, [*wanted, "--not", "--branches"]) if wanted else 0


def _pushed_refs(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """New and old commit of each ref that is pushed and not deleted."""
    rows = [row for row in (line.split() for line in lines) if len(row) == 4]
    new = os.environ.get("PRE_COMMIT_TO_REF", "")
    if not rows and os.environ.get("PRE_COMMIT"):
        # The framework forwards no lines, and no TO_REF on a first push of the root commit.
        rows = [["", new or "HEAD", "", os.environ.get("PRE_COMMIT_FROM_REF", NOTHING)]]
    for _, here, _, there in rows:
        if here != NOTHING:
            yield here, there


def _has_commit(repo: Repo, oid: str) -> bool:
    from molt.errors import MoltError
    from molt.repo import process

    try:
        process.run_git(repo.root or repo.git_dir, "cat-file", "-e", f"{oid}^{{commit}}")
    except MoltError:
        return False
    return True


def verify(args: Sequence[str]) -> int:
    """Judges a range, or all of HEAD's history; returns 1 where the policy refuses a commit."""
    from molt.repo import find

    repo = find.here()
    return _verify_range(repo, list(args) or ["HEAD"]) if _is_workspace(repo, "HEAD") else 0


def _verify_range(repo: Repo, range_args: list[str]) -> int:
    """Judges commits, prints what is wrong, and returns the exit status."""
    from molt.githooks.judge import escape_text
    from molt.memory.verify import verify_commits as judge_range

    report = judge_range(repo, range_args)
    errors = 0
    for commit, finding in report.findings:
        errors += finding.severity == "error"
        where = f" {escape_text(finding.place)}" if finding.place else ""
        said = f"{finding.severity} {finding.code}{where}: {escape_text(finding.message)}"
        sys.stderr.write(f"molt: {commit[:10]} {said}\n")
    return 1 if errors else 0
