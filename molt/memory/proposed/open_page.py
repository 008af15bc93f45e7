"""Reflections that await a person, and the copy of what they say, `pending-reflection.md`."""

from __future__ import annotations

from molt.formats import paths
from molt.formats.reflections import record, summary
from molt.memory import drawn
from molt.memory.proposed import open_branches
from molt.memory.proposed.open_branches import OpenBranch
from molt.repo import ignores, state, worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

PATH = paths.PENDING_REFLECTION
MARK = "pending-reflection"


def freshen_pending(repo: Repo) -> bool:
    """Bring `pending-reflection.md` up: what awaits approval, or no file; gives whether it
    changed. One that is committed, or that git would commit, is left alone, and of what somebody
    else has written a copy is kept. Raises Failed.
    """
    every, kept = open_branches.list_open(repo), state.read(repo.git_dir, MARK)
    if not every and not kept:
        return False
    asked = " ".join(f"{one.id} {one.tip}" for one in every)
    if kept == f"{asked}\n{drawn.read_stamp(repo, PATH)}":
        return False
    if repo.tree(repo.tip()).entry(PATH) is not None:
        return False
    # What stands there as it was drawn last, git ignored then, and is not asked about again.
    if kept.partition("\n")[2] != drawn.read_stamp(repo, PATH):
        if not ignores.is_ignored(repo, PATH):
            return False
        drawn.keep_copy(repo, PATH)
    worktree.write(repo.root, PATH, render_pending(repo, every).encode() if every else None)
    state.write(repo.git_dir, MARK, f"{asked}\n{drawn.read_stamp(repo, PATH)}" if every else "")
    return True


def tells_otherwise(repo: Repo, reflection: str, tip: str) -> bool:
    """Whether `pending-reflection.md` is there and says something else than the branches do, or
    did when it was written, this one at its tip: who has read it has read that. Raises Failed
    where it cannot be read.
    """
    text = worktree.read(repo.root, PATH)
    if text is None or text == render_pending(repo, open_branches.list_open(repo)).encode():
        return False
    words = state.read(repo.git_dir, MARK).partition("\n")[0].split()
    noted = tuple(map(OpenBranch, words[::2], words[::2], words[1::2]))
    known = any((one.id, one.tip) == (reflection, tip) for one in noted)
    return not known or text != render_pending(repo, noted).encode()


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
