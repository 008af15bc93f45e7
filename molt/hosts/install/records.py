"""What `molt install` changed, kept in the user's state folder so that it can be taken back."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from molt import untrusted
from molt.hosts.install.splices import Splice
from molt.repo import disk
from molt.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.hosts.install.targets import Path

_FORMAT = 1  # goes up when what is written changes


class FileRecord(Value):
    """A file that was changed: digests of it before (empty if there was none) and after, how the
    one became the other, and the containers that were made in it.

    The splices hold what molt put there and what of its own it took away, nothing else of the file:
    what a host's configuration keeps secret is not copied.
    """

    path: str
    before: str
    after: str
    splices: tuple[Splice, ...] = ()
    made: tuple[Path, ...] = ()


class Record(Value):
    """What one installation changed: files, and folders that had to be made, the outer first."""

    files: tuple[FileRecord, ...] = ()
    folders: tuple[str, ...] = ()

    def find_file(self, path: str) -> FileRecord | None:
        """What is known of a file."""
        return next((one for one in self.files if one.path == path), None)


def digest(text: str | None) -> str:
    """What tells a text from every other one; empty for a file that is not there."""
    return "" if text is None else sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def state_folder(environment: Mapping[str, str]) -> str:
    """The folder of what molt keeps of a user outside of every workspace."""
    base = environment.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(environment.get("HOME") or os.path.expanduser("~"), ".local/state")
    return os.path.join(base, "molt")


def record_path(state: str, host: str, place: str) -> str:
    """The file of an installation: of a host, for the user (an empty place) or a project."""
    suffix = "project-" + sha256(os.fsencode(place)).hexdigest()[:16] if place else "user"
    return os.path.join(state, "install", f"{host}-{suffix}.json")


def read_record(path: str) -> Record | None:
    """What is known of an installation; None if nothing is, or nothing that can be read."""
    try:
        with open(path, "rb") as file:
            found: Any = untrusted.parse_json(file.read())
        if found["format"] != _FORMAT:
            return None
        files = tuple(map(_read_file, found["files"]))
        return Record(files, tuple(map(str, found["folders"])))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _read_file(found: dict[str, Any]) -> FileRecord:
    splices = [Splice(int(at), str(old), str(new)) for at, old, new in found["splices"]]
    made = [tuple(map(str, path)) for path in found["made"]]
    path, before, after = (str(found[key]) for key in ("path", "before", "after"))
    return FileRecord(path, before, after, tuple(splices), tuple(made))


def list_state_folders(path: str) -> tuple[str, ...]:
    """The folders that other installations had to make for their records, the outer first: the
    last one that ends removes them.
    """
    folder = os.path.dirname(path)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return ()
    others = (read_record(os.path.join(folder, name)) for name in names)
    found = {one for other in others if other is not None for one in other.folders}
    return tuple(sorted(one for one in found if path.startswith(one + os.sep)))


def write_record(path: str, record: Record) -> None:
    """Keep what an installation changes; an empty one is forgotten. Raises OSError."""
    if record == Record():
        if os.path.lexists(path):
            os.unlink(path)
        return
    files = [
        {**one.asdict(), "splices": [[cut.at, cut.removed, cut.inserted] for cut in one.splices]}
        for one in record.files
    ]
    told = {"format": _FORMAT, "files": files, "folders": list(record.folders)}
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    disk.replace_file(path, (json.dumps(told, indent=1) + "\n").encode("ascii"), durable=True)
    os.chmod(path, 0o600)
