"""A backup: one file with all of the history, that was brought back once before it counts."""

from __future__ import annotations

import os
from shlex import quote

from molt import errors
from molt.memory import workspace
from molt.memory.clone import installation
from molt.repo import bundles, worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from molt.memory.workspace import Workspace
    from molt.repo.bundles import BundleReport

_END = ".bundle"


class BackupDone(Value):
    """A backup, the older ones that went for it, and what it does not hold."""

    bundle: BundleReport
    dropped: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class RestoredBackup(Value):
    """A workspace that a backup was brought back to, its branch, and what was put into it."""

    folder: str
    branch: str
    installed: tuple[str, ...] = ()


def write_backup(ws: Workspace, place: str, now: datetime, keep: int = 0) -> BackupDone:
    """Write a backup to a file, or into a folder under a name with the time; with `keep`, only so
    many of this workspace stay in that folder.

    Raises Usage for `keep` with a file, and for a file that is no bundle; NotFound where the folder
    above is not there, which may be a disk that is not; Failed where it cannot be
    written, or what comes back is not what was there.
    """
    name = os.path.basename(ws.repo.root)
    into = os.path.isdir(place) or place.endswith(("/", os.sep)) or not place.endswith(_END)
    if keep and not into:
        raise errors.Usage("--keep counts the backups of a folder", "name a folder, and no file")
    if into and os.path.isfile(place):
        said = f"{place} is there, and no folder; a bundle is called *{_END}"
        raise errors.Usage(said, f"molt backup {place}{_END}")
    inside = os.path.realpath(place)
    root = os.path.realpath(ws.repo.root)
    if inside == root or inside.startswith(f"{root}{os.sep}"):
        said = f"{place} is in the workspace, and would be lost with it"
        raise errors.Usage(said, "name a place on another disk, or at least outside")
    above = os.path.dirname(os.path.abspath(place))
    if not os.path.isdir(above):
        raise errors.NotFound(f"there is no folder {above}", f"`mkdir -p {quote(above)}` makes it")
    stamp = now.strftime("%Y%m%dT%H%M%S%f")
    full = os.path.join(place, f"{name}-{stamp}{_END}") if into else place
    report = bundles.write_bundle(ws.repo, full)
    dropped = bundles.drop_oldest(place, f"{name}-", keep) if keep else ()
    return BackupDone(report, dropped, tuple(_list_missing(ws)))


def _list_missing(ws: Workspace) -> list[str]:
    """What is nowhere in git, and so in no bundle."""
    dirty = sorted(worktree.dirty(ws.repo))
    return [f"{path} is not committed" for path in dirty]


def restore_backup(path: str, folder: str, python: str) -> RestoredBackup:
    """Bring a backup back into a new folder, with hooks and merge driver.

    Raises NotFound, Failed as `restore_bundle` does, and NotFound where it holds no workspace.
    """
    branch = bundles.restore_bundle(path, folder)
    ws = workspace.find(folder)
    installed = installation.install(ws.repo, python, strict=False, force=False)
    ws.freshen()
    return RestoredBackup(ws.repo.root, branch.removeprefix("refs/heads/"), installed)
