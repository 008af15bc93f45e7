"""A folder outside the workspace to which memories are exported: nothing of others is touched, and
nothing outside it.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress

from molt import errors, untrusted
from molt.policy import growth, texts
from molt.repo import disk
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MANIFEST = ".molt-export.json"
"""In it stands which files molt wrote, as what, and of which notes."""
_MOST_NAMED = 5  # files that are named; the others are counted


class Manifest(Value):
    """What an export wrote: its format, the digests of each of its files (of two where a write was
    interrupted), and the digest of each note as it was then, by its path in the workspace.
    """

    format: str = ""
    files: Mapping[str, tuple[str, ...]] = {}
    notes: Mapping[str, str] = {}


class FolderChanges(Value):
    """The files that were written, and those that were removed because their memories are gone;
    `edited` are such that were edited since, and stay.
    """

    written: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]


def digest(data: bytes) -> str:
    """What tells the content of a file from any other."""
    return hashlib.sha256(data).hexdigest()


def is_read(name: str) -> bool:
    """Whether a name is one of a note that an import reads; hidden ones are another program's."""
    hidden = any(part.startswith(".") for part in name.split("/"))
    return name.endswith(".md") and not hidden


def read_back(files: Mapping[str, str]) -> dict[str, str]:
    """The files of an export as they are read again: without what no memory may hold, and
    without what is hidden or too large.
    """
    return {
        name: texts.strip_odd(text)[0]
        for name, text in files.items()
        if name.endswith(".json") or (is_read(name) and len(text.encode()) <= growth.LIMIT)
    }


def read_manifest(folder: str) -> Manifest:
    """What the last export to a folder noted; nothing where there was none that can be read."""
    try:
        data = untrusted.parse_json(_read_file(os.path.join(folder, MANIFEST)) or b"")
    except ValueError:
        return Manifest()
    if not isinstance(data, dict):
        return Manifest()
    files, notes = data.get("files"), data.get("notes")
    return Manifest(
        str(data.get("format") or ""),
        {str(name): tuple(map(str, sums)) for name, sums in files.items() if isinstance(sums, list)}
        if isinstance(files, dict)
        else {},
        {str(path): str(one) for path, one in notes.items()} if isinstance(notes, dict) else {},
    )


def _read_file(full: str) -> bytes | None:
    """What is in a plain file; None where there is none. Raises Failed."""
    if os.path.islink(full) or not os.path.isfile(full):
        return None
    try:
        with open(full, "rb") as file:
            return file.read()
    except OSError as error:
        raise errors.Failed(f"cannot read {full}: {error.strerror}", "is it yours?") from error


def write_files(
    folder: str, files: Mapping[str, bytes], manifest: Manifest, *, force: bool, dry_run: bool
) -> FolderChanges:
    """Write the files of an export, each in one step, and remove those of an earlier one that are
    not among them. Raises Refused, before anything is written, where a file is not this export's
    (without `force`) or its place leads out of the folder; and Failed.
    """
    known = read_manifest(folder)
    if known.format not in ("", manifest.format):
        said = f"{folder} holds an export to {known.format}"
        raise errors.Refused(said, "choose another folder for this one")
    for name in files:
        _require_inside(folder, name)
    fresh = [name for name, data in files.items() if _read_file(_join(folder, name)) != data]
    _refuse_foreign(folder, fresh, known, force)
    old = [name for name in known.files if name not in files and _is_plain(folder, name)]
    stale = [name for name in old if _is_unedited(folder, name, known)]
    kept = tuple(name for name in old if name not in stale and os.path.lexists(_join(folder, name)))
    if not dry_run:
        both = {name: (*known.files.get(name, ()), *manifest.files[name]) for name in files}
        rest = {name: known.files[name] for name in known.files if name not in files}
        try:
            _save_manifest(folder, manifest.replace(files=rest | both))
            for name in fresh:
                disk.replace_file(_join(folder, name), files[name])
            for name in stale:
                with suppress(FileNotFoundError):
                    os.unlink(_join(folder, name))
            _save_manifest(folder, manifest)
        except OSError as error:
            raise disk.unwritable_error(folder, error) from error
    return FolderChanges(tuple(sorted(fresh)), tuple(sorted(stale)), kept)


def write_single(full: str, data: bytes, *, own: bool, force: bool, dry_run: bool) -> FolderChanges:
    """Write an export that is one file. Raises Refused where there is one that is not molt's `own`
    (without `force`), and Failed.
    """
    if os.path.lexists(full) and not (own or force):
        hint = "--force writes over it, another name keeps it"
        raise errors.Refused(f"{full} is no export of molt", hint)
    name = os.path.basename(full)
    if _read_file(full) == data:
        return FolderChanges((), (), ())
    if not dry_run:
        try:
            disk.replace_file(full, data)
        except OSError as error:
            raise disk.unwritable_error(full, error) from error
    return FolderChanges((name,), (), ())


def read_text(full: str) -> str:
    """The text of a plain file; empty where there is none, or it is none. Raises Failed."""
    return (_read_file(full) or b"").decode("utf-8", "replace")


def _save_manifest(folder: str, manifest: Manifest) -> None:
    data = manifest.asdict()
    text = json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    disk.replace_file(os.path.join(folder, MANIFEST), text.encode())


def _join(folder: str, name: str) -> str:
    return os.path.join(folder, *name.split("/"))


def _is_plain(folder: str, name: str) -> bool:
    """Whether a name of a manifest, which anybody may have written, stays in its folder."""
    try:
        _require_inside(folder, name)
    except errors.Refused:
        return False
    return True


def _require_inside(folder: str, name: str) -> None:
    parts = name.split("/")
    full = os.path.abspath(folder)
    if not all(parts) or ".." in parts or "." in parts or os.path.isabs(name):
        raise errors.Refused(f"{name!r} leads out of {folder}")
    for part in parts[:-1]:
        full = os.path.join(full, part)
        if os.path.islink(full):
            raise errors.Refused(f"{full} is a link", "it may lead anywhere: remove it first")
    if os.path.isdir(_join(folder, name)) and not os.path.islink(_join(folder, name)):
        raise errors.Refused(f"{_join(folder, name)} is a folder", "choose another folder")


def _is_unedited(folder: str, name: str, known: Manifest) -> bool:
    data = _read_file(_join(folder, name))
    return data is not None and digest(data) in known.files.get(name, ())


def _refuse_foreign(folder: str, fresh: list[str], known: Manifest, force: bool) -> None:
    foreign = list(_list_foreign(folder, fresh, known))
    if foreign and not force:
        more = len(foreign) - _MOST_NAMED
        named = ", ".join(foreign[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        hint = "import what was edited there first; --force writes over it"
        raise errors.Refused(f"{folder} has files that this export did not write: {named}", hint)


def _list_foreign(folder: str, fresh: list[str], known: Manifest) -> Iterator[str]:
    for name in fresh:
        there = os.path.lexists(_join(folder, name))
        if there and not _is_unedited(folder, name, known):
            yield name
