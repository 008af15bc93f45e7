"""What installing molt into a host would change, and the change made: all of it, or none."""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING

from molt import errors
from molt.hosts.install import records
from molt.hosts.install.records import FileRecord, Record
from molt.hosts.install.splices import Stale, apply_all, undo_all
from molt.policy import secrets
from molt.repo import disk
from molt.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.hosts.install.targets import HostFile

_CUT = (".json", ".json5")
_WIDEST = 200
"""How much of a line of a host's file a difference shows: one minified file is one line."""


class HostEdit(Value):
    """A file of a host as it is and as it would be (None: not there), and what to keep of that."""

    path: str
    before: str | None
    after: str | None
    known: FileRecord | None = None
    is_private: bool = False

    @property
    def change(self) -> str:
        """What happens to it, in one word."""
        if self.before == self.after:
            return "unchanged"
        if self.before is None:
            return "created"
        return "changed" if self.after is not None else "removed"


class HostPlan(Value):
    """All edits of an installation or its end, where its record is kept, the folders that an
    earlier installation made, and what a person should know.
    """

    record: str
    edits: tuple[HostEdit, ...]
    folders: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to change."""
        return all(one.change == "unchanged" for one in self.edits)


def plan_install(targets: Sequence[HostFile], record: str) -> HostPlan:
    """What puts molt into the files of a host. Raises Failed for one that cannot take it."""
    known = records.read_record(record) or Record()
    edits: list[HostEdit] = []
    notes: list[str] = []
    for target in targets:
        edit, said = _plan_file(target, known.find_file(target.path))
        edits.append(edit)
        notes += said
    planned = {target.path for target in targets}
    # A file that an earlier version of molt changed, and this one does not.
    kept = [HostEdit(one.path, None, None, one) for one in known.files if one.path not in planned]
    return HostPlan(record, (*edits, *kept), known.folders, tuple(notes))


def _plan_file(target: HostFile, held: FileRecord | None) -> tuple[HostEdit, tuple[str, ...]]:
    """What gives one file molt's part in the place of what is there of it; and what to know."""
    text = _read_text(target.path)
    base, is_exact = (None, False) if held is None else _undo_record(text, held)
    if not is_exact:
        added = target.add_part(text or "")
        if not added.splices:
            return HostEdit(target.path, text, text, held), added.notes
        base = _take_back(target, text, held)
    added = target.add_part(base or "")
    if not added.splices:
        return HostEdit(target.path, text, base), added.notes
    after = apply_all(base or "", added.splices)
    if after != text or held is None:
        digests = (records.digest(base), records.digest(after))
        held = FileRecord(target.path, *digests, added.splices, added.made)
    return HostEdit(target.path, text, after, held, target.is_private), added.notes


def plan_uninstall(targets: Sequence[HostFile], record: str) -> HostPlan:
    """What takes molt out of the files of a host. Raises Failed for one that cannot be read."""
    known = records.read_record(record) or Record()
    edits: list[HostEdit] = []
    for target in targets:
        text = _read_text(target.path)
        held = known.find_file(target.path)
        edits.append(HostEdit(target.path, text, _take_back(target, text, held)))
    notes: list[str] = []
    planned = {target.path for target in targets}
    for one in known.files:
        if one.path not in planned:
            text = _read_text(one.path)
            base, is_exact = _undo_record(text, one)
            edits.append(HostEdit(one.path, text, base if is_exact else text))
            if not is_exact and text is not None:
                notes.append(f"{one.path} was changed by others since, and stays as it is")
    return HostPlan(record, tuple(edits), known.folders, tuple(notes))


def _undo_record(text: str | None, held: FileRecord) -> tuple[str | None, bool]:
    """The file as it was before, byte for byte, and whether that could be made of what it is."""
    if text is None or records.digest(text) != held.after:
        return None, False
    try:
        base = undo_all(text, held.splices)
    except Stale:
        return None, False
    # The record may have been damaged; what it leads to says whether.
    if held.before:
        return base, records.digest(base) == held.before
    return None, not base.strip()


def _take_back(target: HostFile, text: str | None, held: FileRecord | None) -> str | None:
    """The file without molt's part: as it was, byte for byte, if nobody has changed it since."""
    if text is None:
        return None
    if held is not None:
        base, is_exact = _undo_record(text, held)
        if is_exact:
            return base
    splices = target.remove_part(text, None if held is None else held.made)
    rest = apply_all(text, splices)
    was_made = held is not None and not held.before
    return None if splices and was_made and target.is_bare(rest) else rest


def carry_out(plan: HostPlan) -> None:
    """Make the changes, each file in one step; after an error all are as they were.

    What is needed to take them back is written first, and forgotten last. Raises Failed where a
    file cannot be written, and Busy where one changed since the plan was made.
    """
    for one in plan.edits:
        if one.change != "unchanged":
            _require_same(one)
    before = records.read_record(plan.record) or Record()
    homes = [one.path for one in plan.edits if one.before is None and one.after is not None]
    kept = tuple(one.known for one in plan.edits if one.known is not None)
    homes += [plan.record] if kept else []
    made = tuple(dict.fromkeys(folder for path in homes for folder in _list_missing(path)))
    shared = records.list_state_folders(plan.record)
    folders = tuple(dict.fromkeys((*plan.folders, *shared, *made)))
    if kept:
        _keep_record(plan.record, Record(kept, folders))
    done: list[HostEdit] = []
    try:
        for one in plan.edits:
            if one.change != "unchanged":
                _put_file(one)
                done.append(one)
    except BaseException:
        for one in reversed(done):
            _put_file(one.replace(before=one.after, after=one.before))
        _keep_record(plan.record, before)
        _remove_folders(made)
        raise
    if not kept:
        _keep_record(plan.record, Record())
        _remove_folders(plan.folders)


def _keep_record(path: str, record: Record) -> None:
    try:
        records.write_record(path, record)
    except OSError as error:
        raise disk.unwritable_error(path, error) from error


def _put_file(one: HostEdit) -> None:
    """Write or remove a file, unless it is not what it was. Raises Failed and Busy."""
    real = os.path.realpath(one.path)
    _require_same(one)
    try:
        if one.after is None:
            os.unlink(one.path)
            return
        data = one.after.encode("utf-8", "surrogateescape")
        fresh = disk.put_beside(real, data)
        if one.before is None and one.is_private:
            os.chmod(fresh, 0o600)
        os.replace(fresh, real)
    except OSError as error:
        raise disk.unwritable_error(one.path, error) from error


def _require_same(one: HostEdit) -> None:
    """Raises Busy where a file is not what it was when the plan was made."""
    if _read_text(one.path) != one.before:
        raise errors.Busy(f"{one.path} changed just now", "run this again")


def _list_missing(path: str) -> list[str]:
    """The folders that have to be made for a file, the outer first."""
    missing: list[str] = []
    folder = os.path.dirname(os.path.realpath(path))
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing[::-1]


def _remove_folders(folders: Sequence[str]) -> None:
    """Remove folders that were made, the inner first, where nothing else came into them."""
    for folder in reversed(folders):
        try:
            os.rmdir(folder)
        except OSError:
            continue


def _read_text(path: str) -> str | None:
    """What a file holds, its bytes one by one kept; None if there is none. Raises Failed."""
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise errors.Failed(
            f"cannot read {path}: {error.strerror or error}",
            "`ls -l` tells whose it is and what; then run this again",
        ) from error


def render_diff(plan: HostPlan) -> Iterator[str]:
    """The lines of what changes, as `diff -u` has them; secrets in lines beside it are hidden."""
    for one in plan.edits:
        if one.change == "unchanged":
            continue
        old, new = (one.path if text is not None else "" for text in (one.before, one.after))
        rows = [list(_list_rows(one.path, text or "")) for text in (one.before, one.after)]
        names = {"fromfile": old or os.devnull, "tofile": new or os.devnull}
        for row in difflib.unified_diff(rows[0], rows[1], n=2, lineterm="", **names):
            yield secrets.redact(row)


def _list_rows(path: str, text: str) -> Iterator[str]:
    """The lines of a text, in JSON those that are too long for people cut at their commas: of all
    other files a cut would show what nobody writes.
    """
    for row in text.splitlines():
        wide = len(row) > _WIDEST and path.endswith(_CUT)
        yield from row.replace(",", ",\n").split("\n") if wide else (row,)
