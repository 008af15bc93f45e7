"""The hooks after a commit: projections early, and a warning of what a merge has brought."""

from __future__ import annotations

from molt.githooks import marks
from molt.repo import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo


def freshen_log(name: str) -> int:
    """Brings the audit log up; after a merge, warns of what came in against the rules."""
    from molt.memory import projections
    from molt.memory.provenance import audit
    from molt.repo import find

    repo = find.here()
    if not audit.is_started(repo) and not _is_workspace(repo):
        return 0
    audit.freshen_log(repo)
    projections.freshen_page(repo)
    if name == "post-merge":
        from molt.githooks import updates

        updates.warn_of_range(repo, "HEAD", "^ORIG_HEAD")
    if name == "post-commit" and state.read(repo.git_dir, marks.UNSURE):
        from molt.githooks import updates

        # Now that there is a commit, there is no doubt about its parents.
        state.write(repo.git_dir, marks.UNSURE, "")
        updates.warn_of_range(repo, "HEAD^!")
    return 0


def _is_workspace(repo: Repo) -> bool:
    """Whether the last commit holds a workspace."""
    listed = repo.run("ls-tree", "--name-only", "HEAD")
    return bool({"molt.yaml", "memory"}.intersection(listed.split("\n")))
