"""What is asked to be undone, found in the history: a file, a commit, a reflection, or a day."""

from __future__ import annotations

from molt import config, errors, trees
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import scores as score_file
from molt.formats.meta import tombstones
from molt.formats.meta.tombstones import Graveyard
from molt.memory.govern import undo_past, undo_reflections
from molt.memory.govern.undo import Undo
from molt.memory.govern.undo_files import Restoration
from molt.memory.govern.undo_told import list_memories
from molt.trees import Overlay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo
    from molt.trees import Edits

_SHORT = 10  # letters of a commit's id, as elsewhere
_SUMMARY = 60
"""Letters of what is undone, so that the whole subject stays within 72."""


def find_commit(ws: Workspace, rev: str) -> Undo:
    """What undoes a commit; of a merge, all that it brought.

    Raises NotFound for one that HEAD does not lead to, and Refused for the one that made the
    workspace.
    """
    repo = ws.repo
    oid = _resolve_ancestor(repo, rev)
    (commit,) = repo.log_newest("-1", "--no-walk", oid, "--")
    said = messages.parse(commit.message)
    reflected = messages.trailer_values(said, "Reflection")
    if said.action == "MERGE" and len(reflected) == 1 and len(commit.parents) > 1:
        return find_reflection(ws, reflected[0])
    if said.action == "INIT" or not commit.parents:
        why = f"{oid[:_SHORT]} made the workspace, and there is nothing before it"
        raise errors.Refused(why, "`git log --oneline` lists what can be undone")
    step = _make_step(repo, commit.parents[0], oid)
    if not step.paths:
        hint = "what it says stands: an acceptance is answered by mending what it accepts"
        raise errors.Refused(f"{oid[:_SHORT]} changes no file", hint)
    summary = said.summary or said.subject
    told = f"undo {oid[:_SHORT]}: {_shorten(summary)}"
    return Undo((step,), said.file, told, (("Reverts", oid),), sums=True)


def _shorten(text: str) -> str:
    return text if len(text) <= _SUMMARY else f"{text[: _SUMMARY - 1].rstrip()}…"


def _resolve_ancestor(repo: Repo, rev: str) -> str:
    oid = repo.resolve(rev)
    if not repo.is_ancestor(oid, "HEAD"):
        hint = "what another branch holds is undone there"
        raise errors.NotFound(f"{oid[:_SHORT]} is not in the history of HEAD", hint)
    return oid


def _make_step(repo: Repo, back: str, gone: str) -> Restoration:
    """The step from the tree of a commit to that of another."""
    old, new = repo.tree(back), repo.tree(gone)
    changed = tuple(one.path for one in trees.diff(old, new))
    return Restoration(new, old, changed, gone[:_SHORT])


def find_reflection(ws: Workspace, reflection: str) -> Undo:
    """What undoes all that a reflection brought which was approved, or merged with git."""
    commits = undo_reflections.find_steps(ws.repo, ws.head(), reflection)
    steps = tuple(_make_step(ws.repo, one.parents[0], one.oid) for one in commits)
    trailers = (("Reflection", reflection), *(("Reverts", one.oid) for one in commits))
    said = f"reflection {reflection} taken back"
    return Undo(steps, "memory/*", said, trailers, reflections=(reflection,))


def find_file(ws: Workspace, path: str, rev: str) -> Undo:
    """What makes a file, or all of a folder, as it was at a revision.

    Raises NotFound where neither has it, and Refused for what is no file to be put back.
    """
    if path in (*paths.PROJECTIONS, paths.SCORES, paths.TOMBSTONES, paths.CHECKSUMS):
        hint = (
            "it follows what is undone; `molt revert --commit` and `molt rollback` bring it along"
        )
        raise errors.Refused(f"{path} is kept by molt", hint)
    books = (paths.SCORES, paths.TOMBSTONES)
    oid = ws.repo.resolve(rev)
    step = _make_step(ws.repo, oid, ws.repo.resolve("HEAD"))
    known = (*ws.head().entries(), *ws.repo.tree(oid).entries())
    inside = f"{path.rstrip('/')}/"
    if not any(one == path or one.startswith(inside) for one in known):
        raise errors.NotFound(f"{path} is neither in HEAD nor in {rev}", "paths are from the top")
    chosen = tuple(one for one in step.paths if one == path or one.startswith(inside))
    if not chosen:
        raise errors.Refused(f"{path} is as it was at {rev}", f"`git log -- {path}`")
    files = tuple(one for one in chosen if one not in books)
    told = f"as of {_describe(ws.repo, oid)}"
    file = path if path in files else f"{inside}*"
    return Undo((_narrow_books(step, files),), file, told, (("Restores", oid),))


def _narrow_books(step: Restoration, files: Sequence[str]) -> Restoration:
    """The step to some files alone: of scores and tombstones comes back what is about them."""
    gone, back = step.gone, step.back
    named = {name for side in (gone, back) for path in files for name in list_memories(side, path)}
    now, old = (trees.read_text(side, paths.SCORES) for side in (gone, back))
    known = score_file.find_entries(old, named)
    scores = score_file.edit_entries(now, {**dict.fromkeys(named), **known})
    stones = undo_past.list_stones(gone)
    graves = Graveyard(stones.values())
    said = [one for path in files for one in graves.find_said(trees.read_text(back, path))]
    text = trees.read_text(gone, paths.TOMBSTONES)
    rest = tombstones.remove_tombstones(text, said) if said else text
    books: Edits = {paths.SCORES: scores.encode(), paths.TOMBSTONES: rest.encode()}
    return step.replace(back=Overlay(back, books), paths=(*files, *books))


def find_moment(ws: Workspace, rev: str) -> Undo:
    """What makes all of the workspace as it was at a commit of HEAD's history.

    What was acknowledged and what became of reflections is told on, and not undone: reflections
    that were approved since are taken back, which their records say. Raises Refused for a commit
    before the adoption.
    """
    repo = ws.repo
    oid = _resolve_ancestor(repo, rev)
    head = repo.resolve("HEAD")
    if repo.tree(oid).entry(config.PATH) is None and ws.head().entry(config.PATH) is not None:
        hint = f"`molt revert FILE --to {oid[:_SHORT]}` brings single files back"
        raise errors.Refused(f"{oid[:_SHORT]} is from before this was a workspace", hint)
    step = _make_step(repo, oid, head)
    before = undo_reflections.list_held(repo.tree(oid))
    since = tuple(one for one in undo_reflections.list_held(ws.head()) if one not in before)
    files = tuple(path for path in step.paths if not undo_reflections.is_record(path))
    told = f"all as of {_describe(repo, oid)}"
    trailers = (("Restores", oid), *(("Reflection", one) for one in since))
    return Undo((step.replace(paths=files),), "*", told, trailers, reflections=since)


def _describe(repo: Repo, oid: str) -> str:
    day = repo.run("log", "-1", "--format=%cd", "--date=format:%Y-%m-%d %H:%M", oid, "--").strip()
    return f"{oid[:_SHORT]} ({day})"
