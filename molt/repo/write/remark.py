"""A commit that changes no file: what somebody says about the history before it."""

from __future__ import annotations

from molt import config, errors
from molt.repo.write import news
from molt.repo.write.chain import CommitWriter
from molt.repo.write.loose import Loose
from molt.repo.write.plan import writable_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

# Each lost try is a commit of somebody else; as many in a row are no chance.
_TRIES = 20


def commit_remark(repo: Repo, message: str) -> str:
    """Commit a message on top of HEAD, with its tree as it is; gives the id.

    Index and files are left alone, for nothing of them changes. Raises Failed where there is no
    branch to commit on, or something is unfinished, Busy where the branch moved on every try, and
    Refused where who is bound to sign cannot.
    """
    for _ in range(_TRIES):
        head = writable_head(repo)
        if head.branch is None or head.commit is None:
            raise errors.Failed("HEAD is on no branch with a commit", "`git switch BRANCH`")
        with Loose(repo) as objects:
            oid = _write_commit(repo, objects, head.commit, message)
            if not oid:
                continue
            subject = message.partition("\n")[0]
            args = ("update-ref", "-m", f"molt: {subject}", head.branch, oid, head.commit)
            output = repo.git(*args)
            if not output.status:
                news.note_written(subject)
                objects.settle()
                return oid
        if repo.head().commit == head.commit and "cannot lock ref" not in output.said:
            raise errors.Failed(output.said)
    raise errors.Busy("the branch moved or was locked on every try", "try again")


def _write_commit(repo: Repo, objects: Loose, parent: str, message: str) -> str:
    """The new commit; empty where a `git prune` was faster."""
    settings, _ = config.load_in_force(repo.tree(parent), repo.cache)
    made = CommitWriter(repo, objects, settings).write_commit(
        f"{parent}^{{tree}}", message, (parent,)
    )
    objects.store()
    return made[0] if made else ""
