"""Memories of a workspace, written in the format of another program."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.hosts.adapters import folder, gather
from molt.hosts.adapters.shape import Lack
from molt.memory import inventory
from molt.memory.write import put_back
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.hosts.adapters.shape import Format, Note
    from molt.memory.workspace import Workspace


class ExportRequest(Value):
    """To what an export goes: a folder, or a file for formats that are one; whether the vault goes
    along, and whether files of others are written over.
    """

    target: str
    vault: bool = False
    force: bool = False
    dry_run: bool = False


class Exported(Value):
    """What was written: how many notes and memories, the files that are new or changed and those
    that were removed, what stays behind in the workspace (`left`), what the format cannot hold
    (`lacks`), and files that were edited since an earlier export and are of no memory any more.
    """

    format: str
    target: str
    notes: int
    memories: int
    written: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]
    left: tuple[Lack, ...]
    lacks: tuple[Lack, ...]


def export_memories(ws: Workspace, form: Format, asked: ExportRequest) -> Exported:
    """Write what may leave a workspace to a folder or file. Raises Refused for a place within the
    workspace and for files of others, Usage for a format that is only read, and Failed.
    """
    if form.pack is None or form.unpack is None:
        raise errors.Usage(f"{form.title} is read and never written", "choose another format")
    found = gather.gather_notes(ws, vault=asked.vault)
    target = os.path.abspath(os.path.expanduser(asked.target))
    _require_outside(ws, target)
    files = form.pack(found.notes)
    back = form.unpack(folder.read_back(files))
    changed = tuple(_list_changed(found.notes, back))
    done = (_write_file if form.whole else _write_folder)(form, target, files, found.notes, asked)
    lacks = (*form.lacks, *(form.measure(files) if form.measure else ()), *changed)
    return Exported(
        form.name,
        asked.target,
        len(found.notes),
        len(list_memories(found.notes)),
        *(done.written, done.removed, done.edited),
        found.left,
        lacks,
    )


def _write_folder(
    form: Format, target: str, files: dict[str, str], notes: Sequence[Note], asked: ExportRequest
) -> folder.FolderChanges:
    if os.path.lexists(target) and not os.path.isdir(target):
        raise errors.Usage(f"{asked.target} is no folder", f"{form.title} is a folder of notes")
    data = {name: text.encode() for name, text in files.items()}
    manifest = folder.Manifest(
        form.name,
        {name: (folder.digest(one),) for name, one in data.items()},
        {one.path: put_back.digest_note(one.text) for one in notes},
    )
    return folder.write_files(target, data, manifest, force=asked.force, dry_run=asked.dry_run)


def _write_file(
    form: Format, target: str, files: dict[str, str], _notes: Sequence[Note], asked: ExportRequest
) -> folder.FolderChanges:
    full = os.path.join(target, form.whole) if os.path.isdir(target) else target
    known = folder.read_text(full)
    own = bool(known and form.unpack and form.unpack({form.whole: known}))
    data = files[form.whole].encode()
    return folder.write_single(full, data, own=own, force=asked.force, dry_run=asked.dry_run)


def list_memories(notes: Sequence[Note]) -> tuple[str, ...]:
    """The ids of the memories in some notes."""
    return tuple(inventory.list_ids(trees.DictTree({one.path: one.text.encode() for one in notes})))


def _require_outside(ws: Workspace, target: str) -> None:
    root = os.path.realpath(ws.repo.root)
    real = os.path.realpath(target)
    if os.path.commonpath((root, real)) == root:
        raise errors.Refused(f"{target} is within the workspace", "choose a folder outside it")


def _list_changed(notes: Sequence[Note], back: Sequence[Note]) -> Iterator[Lack]:
    """Notes that would not come back the same."""
    held = {one.path: one.text for one in back}
    for one in notes:
        if one.path not in held:
            yield Lack(one.path, "it does not come back: its name or its size is none that is read")
        elif held[one.path] != one.text:
            yield Lack(one.path, "its text does not come back the same to the letter")
