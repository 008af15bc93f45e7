"""What other programs write into a workspace: known by where it stands and by its form, and
committed in their name.
"""

from __future__ import annotations

import os

from molt import errors, policy
from molt.formats import frontmatter, lines, paths
from molt.formats import message as messages
from molt.memory import workspace
from molt.repo import worktree
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import TypeGuard

    from molt.memory.workspace import Workspace
    from molt.policy import Finding
    from molt.trees import Tree

DREAMING, SESSION_MEMORY, AUTO_MEMORY = (
    "bot:openclaw-dreaming",
    "bot:openclaw-session-memory",
    "bot:claude-auto-memory",
)
_DREAMS = ("memory/.dreams/", "memory/dreaming/")
_DIARIES = ("DREAMS.md", "dreams.md")
_NEAR = 900.0
"""Seconds between a rewritten core memory and the dreaming's own files for both to be of one
night: its phases take minutes."""
_SESSION_HEAD = b"# Session"
_TYPES = ("user", "feedback", "project", "reference")
"""What Claude Code's notes say in `metadata.type`."""
_LARGEST = 1 << 20
"""Bytes of a file that is read as a note; what is larger nobody has written."""
_TRIGGER = "molt adopt-changes"


class AdoptedChange(Value):
    """One commit in a foreign writer's name: who, which files, and the commit, empty where it was
    only tried.
    """

    actor: str
    files: tuple[str, ...]
    commit: str = ""


class KeptChange(Value):
    """A foreign writer's file that was not committed: whose it is, why, and what to do."""

    actor: str
    file: str
    why: str
    hint: str = ""


class Adopted(Value):
    """What foreign writers left: what was committed, and what was not."""

    done: tuple[AdoptedChange, ...] = ()
    kept: tuple[KeptChange, ...] = ()

    def render_kept(self) -> str:
        """What was not committed, as a part of the block that a session begins with."""
        rows = [f"- {one.file} ({one.actor}): {one.why}" for one in self.kept]
        return "\n".join(("## Left uncommitted", "", *rows, "")) if rows else ""


def try_adopt(ws: Workspace, now: datetime) -> Adopted:
    """What `adopt_changes` does, where nothing may fail for it: what cannot be committed now is
    told as kept.
    """
    try:
        return adopt_changes(ws, now)
    except (errors.MoltError, OSError) as error:
        return Adopted(kept=(KeptChange("molt", "what others wrote", str(error)),))


def adopt_changes(ws: Workspace, now: datetime, *, dry_run: bool = False) -> Adopted:
    """Commit what known foreign writers left uncommitted, one commit for each of them. A file that
    breaks a rule stays as it is, and so does every file that is not known to be theirs.

    Raises what a write raises, but for a refusal.
    """
    done: list[AdoptedChange] = []
    kept: list[KeptChange] = []
    for actor, files in find_foreign(ws).items():
        for group in _try_commit(ws, now, (actor, files), dry_run=dry_run):
            if isinstance(group, KeptChange):
                kept.append(group)
            else:
                done.append(group)
    return Adopted(tuple(done), tuple(kept))


def adopt_own(
    ws: Workspace, now: datetime, files: Sequence[str], *, dry_run: bool = False
) -> Adopted:
    """Commit those of some files that are uncommitted, and not empty, in the name of the bot that
    acts, which says that it wrote them. Raises Usage where a person acts, and what `adopt_changes`
    raises.
    """
    actor = workspace.find_actor(ws.repo, ws.named)
    if not actor.startswith("bot:"):
        raise errors.Usage(
            "which bot wrote these files is not said",
            "a bot says who it is, MOLT_ACTOR=bot:NAME; a person commits with git",
        )
    found = worktree.dirty(ws.repo)
    changed = [one for one in dict.fromkeys(files) if one in found and not _is_blank(ws, one)]
    theirs = [one for one in changed if found[one] in _UNSTAGED]
    staged = (one for one in changed if one not in theirs)
    kept = [KeptChange(actor, one, "somebody has staged it or it is gone") for one in staged]
    done: list[AdoptedChange] = []
    for group in _try_commit(ws, now, (actor, theirs), dry_run=dry_run) if theirs else ():
        if isinstance(group, KeptChange):
            kept.append(group)
        else:
            done.append(group)
    return Adopted(tuple(done), tuple(kept))


def _is_blank(ws: Workspace, path: str) -> bool:
    """Whether a file is empty, as a host lays it out for what is to be written."""
    try:
        return os.lstat(os.path.join(ws.repo.root, path)).st_size == 0
    except OSError:
        return False


def find_foreign(ws: Workspace) -> dict[str, tuple[str, ...]]:
    """The uncommitted files of known foreign writers, by actor. What a person has staged is the
    person's.
    """
    found = {path: state for path, state in worktree.dirty(ws.repo).items() if state in _UNSTAGED}
    writers: dict[str, list[str]] = {}
    noted = _list_noted(ws, found)
    for path in sorted(found):
        actor = _find_writer(ws, path, found[path]) or AUTO_MEMORY * (path in noted)
        if actor:
            writers.setdefault(actor, []).append(path)
    dreams = writers.get(DREAMING, [])
    if paths.CORE in found and dreams and _is_of_one_night(ws, dreams):
        dreams.append(paths.CORE)
    return {actor: tuple(writers[actor]) for actor in sorted(writers)}


_UNSTAGED = ("??", " M")


def _list_noted(ws: Workspace, found: Iterable[str]) -> frozenset[str]:
    """The notes of Claude Code among some files, with the index of each folder that has such."""
    notes = [one for one in found if _is_auto_memory(ws, one)]
    folders = {os.path.dirname(one) for one in notes} - {"", "memory"}
    kept = (one for one in notes if os.path.dirname(one) in folders)
    return frozenset((*kept, *(f"{one}/{paths.CORE}" for one in folders)))


def _find_writer(ws: Workspace, path: str, state: str) -> str:
    """Which other foreign writer a file is of; empty for none that is known."""
    if path in _DIARIES or path.startswith(_DREAMS):
        return DREAMING
    if state == "??" and _is_session_note(path) and _begins_with(ws, path, _SESSION_HEAD):
        return SESSION_MEMORY
    return ""


def _is_session_note(path: str) -> bool:
    """Whether a path is `memory/YYYY-MM-DD-SLUG.md`."""
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".md")
    day = paths.date_of(f"memory/{stem[:10]}.md")
    return folder == "memory" and name.endswith(".md") and bool(day) and stem[10:11] == "-"


def _is_auto_memory(ws: Workspace, path: str) -> bool:
    """Whether a file has the form of Claude Code's notes: a name, a description, and a type of its
    own four.
    """
    if not (path.startswith("memory/") and path.endswith(".md")):
        return False
    try:
        fields = frontmatter.front_matter(_read_file(ws, path).decode("utf-8", "replace"))
    except ValueError:
        return False
    if not {"name", "description"} <= fields.keys():
        return False
    metadata = fields.get("metadata")
    return isinstance(metadata, dict) and metadata.get("type") in _TYPES


def _begins_with(ws: Workspace, path: str, head: bytes) -> bool:
    return _read_file(ws, path).startswith(head)


def _read_file(ws: Workspace, path: str) -> bytes:
    """A file on disk; empty for what is none, is a link, or is too large to be a note."""
    full = os.path.join(ws.repo.root, path)
    try:
        if os.path.islink(full) or os.stat(full).st_size > _LARGEST:
            return b""
        return worktree.read(ws.repo.root, path) or b""
    except (OSError, errors.MoltError):
        return b""


def _is_of_one_night(ws: Workspace, dreams: Sequence[str]) -> bool:
    """Whether core memory was written when the dreaming wrote: what is later is somebody else's."""
    try:
        core = os.stat(os.path.join(ws.repo.root, paths.CORE)).st_mtime
        times = [os.stat(os.path.join(ws.repo.root, one)).st_mtime for one in dreams]
    except OSError:
        return False
    return min(times) - _NEAR <= core <= max(times) + _NEAR


def _try_commit(
    ws: Workspace, now: datetime, theirs: tuple[str, Sequence[str]], *, dry_run: bool
) -> list[AdoptedChange | KeptChange]:
    """Commit files together, or where that breaks a rule each that breaks none."""
    actor, files = theirs
    try:
        oid = _commit_files(ws, now, theirs, dry_run=dry_run)
    except errors.Refused as error:
        if len(files) == 1:
            broken = (f"{one.code}: {one.message}" for one in error.findings if _is_finding(one))
            return [KeptChange(actor, files[0], "; ".join(broken) or error.message, error.hint)]
        parts = (_try_commit(ws, now, (actor, [one]), dry_run=dry_run) for one in files)
        return [one for part in parts for one in part]
    except errors.Failed as error:
        return [KeptChange(actor, one, error.message, error.hint) for one in files]
    return [AdoptedChange(actor, tuple(files), oid)]


def _is_finding(one: object) -> TypeGuard[Finding]:
    return isinstance(one, policy.Finding) and one.severity == "error"


def _commit_files(
    ws: Workspace, now: datetime, theirs: tuple[str, Sequence[str]], *, dry_run: bool
) -> str:
    actor, files = theirs
    said: Mapping[str, bytes] = {one: data for one in files if (data := _read_strict(ws, one))}

    def make_change(tree: Tree) -> Change[None]:
        new = [one for one in files if tree.entry(one) is None]
        action = "CREATE" if len(new) == len(files) else "EDIT"
        where = files[0] if len(files) == 1 else "*"
        count = f"{len(files)} files" if len(files) > 1 else "a file"
        what = lines.one_line(f"what {actor.partition(':')[2]} wrote: {count}")
        by = messages.Provenance(actor, "auto", _TRIGGER, [("Origin", "agent")])
        return Change(said, messages.render(action, where, what, by), None)

    done = ws.commit(make_change, actor=actor, dry_run=dry_run, now=now.timestamp())
    return done.oid or ""


def _read_strict(ws: Workspace, path: str) -> bytes:
    """A file on disk as it is to be committed. Raises Failed where it cannot be."""
    data = worktree.read(ws.repo.root, path)
    if data is None:
        raise errors.Failed(f"{path} is gone", "")
    return data
