"""Which commits changed a file without naming a memory: those of editors, and of the time before
a workspace was adopted.

A file beside the audit log's keeps them, so that a hundred thousand commits are not read for one
question: first the commit up to which they are known, then a line each, a path, a tab and a
commit, the oldest first. Whoever asks brings it up.
"""

from __future__ import annotations

from molt import errors
from molt.formats import message as messages
from molt.memory.provenance.audit_lines import NAMED
from molt.repo import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.repo.repository import LogCommit, Repo

_FILE = "audit-unnamed"
_FORM = "unnamed 1"
_ENDING = ".md"


def find_commits(repo: Repo, path: str) -> list[str]:
    """The commits in HEAD's history that changed a file and name no memory, the newest first."""
    wanted = f"{state.escape_field(path)}\t"
    rows = _freshen_rows(repo)
    return [row[len(wanted) :] for row in reversed(rows) if row.startswith(wanted)]


def _freshen_rows(repo: Repo) -> list[str]:
    """The lines up to HEAD; kept where they can be."""
    tip = repo.tip()
    if tip is None:
        return []
    form, known, *rows = [*state.read(repo.git_dir, _FILE).split("\n"), "", ""]
    if known == tip and form == _FORM:
        return rows
    goes_on = form == _FORM and known and repo.is_ancestor(known, tip)
    rows = [row for row in rows if row] if goes_on else []
    rows += _list_rows(repo.log_raw(tip, known if goes_on else None))
    _keep_rows(repo, tip, rows)
    return rows


def _list_rows(commits: Iterable[LogCommit]) -> Iterator[str]:
    for commit in commits:
        if f"{NAMED}: " in commit.message and messages.trailer_values(
            messages.parse(commit.message), NAMED
        ):
            continue
        for _, path in commit.paths:
            if path.endswith(_ENDING):
                yield f"{state.escape_field(path)}\t{commit.oid}"


def _keep_rows(repo: Repo, tip: str, rows: list[str]) -> None:
    try:
        state.write(repo.git_dir, _FILE, "\n".join((_FORM, tip, *rows)))
    except (errors.MoltError, OSError):
        # On a disk that takes nothing the answer is as good, and costs the same again.
        return
