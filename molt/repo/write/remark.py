"""A commit that changes no file: what somebody says about the history before it."""

from __future__ import annotations

from molt import errors
from molt.repo.write.plan import writable_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

_TRIES = 20


def commit_remark(repo: Repo, message: str) -> str:
    """Commit a message on top of HEAD, with its tree as it is; gives the id.

    Index and files are left alone, for nothing of them changes. Raises Failed where there is no
    branch to commit on, or something is unfinished, and Busy where the branch moved on every try.
    """
    for _ in range(_TRIES):
        head = writable_head(repo)
        if head.branch is None or head.commit is None:
            raise errors.Failed("HEAD is on no branch with a commit", "`git switch main`")
        oid = _write_commit(repo, head.commit, message)
        subject = message.partition("\n")[0]
        args = ("update-ref", "-m", f"molt: {subject}", head.branch, oid, head.commit)
        output = repo.git(*args)
        if not output.status:
            return oid
        if repo.head().commit == head.commit and "cannot lock ref" not in output.said:
            raise errors.Failed(output.said)
    raise errors.Busy("the branch moved or was locked on every try", "try again")


def _write_commit(repo: Repo, parent: str, message: str) -> str:
    # git would make up a name and an address that nobody has set.
    args = ("-c", "user.useConfigOnly=true", "-c", "i18n.commitEncoding=utf-8")
    tree = ("commit-tree", f"{parent}^{{tree}}", "-p", parent, "-F", "-")
    output = repo.git(*args, *tree, input=message.encode())
    if output.status:
        repo.identity()
        raise errors.Failed(f"git commit-tree: {output.said}")
    return output.text.strip()
