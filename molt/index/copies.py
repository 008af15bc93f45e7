"""Indexes that begin as another one: of the past, and in memory where no file can be written."""

from __future__ import annotations

import os

import apsw

from molt.index import db as dbs


def seed_index(path: str, other: str, fingerprint: str) -> None:
    """Let the index at `path` begin as a copy of another one of the fingerprint, if it has none
    of its own and the other has; whoever opens it makes what could not be copied.
    """
    wanted = f"{dbs.VERSION}|{fingerprint}"
    if (
        dbs.peek_meta(path, "fingerprint") == wanted
        or dbs.peek_meta(other, "fingerprint") != wanted
    ):
        return
    building = dbs.name_building(path)
    dbs.remove_files(building)
    try:
        _copy_database(other, building)
        dbs.remove_files(path)
        os.replace(building, path)
    except (apsw.Error, OSError):
        dbs.remove_files(building)


def _copy_database(source: str, target: str) -> None:
    old, new = apsw.Connection(source, flags=apsw.SQLITE_OPEN_READONLY), apsw.Connection(target)
    try:
        new.execute("PRAGMA synchronous=OFF")
        with new.backup("main", old, "main") as backup:
            backup.step(-1)
    finally:
        old.close()
        new.close()


def open_readable(path: str) -> dbs.Db | None:
    """The index at `path` for who only reads it; None where there is none that this version
    reads. One that cannot be opened where it is, as on a full disk, is read into memory.
    """
    try:
        return dbs.open_existing(path)
    except dbs.UNWRITABLE:
        version, _, fingerprint = dbs.peek_meta(path, "fingerprint").partition("|")
        return open_copy(path, fingerprint) if version == dbs.VERSION else None


def open_copy(path: str, fingerprint: str) -> dbs.Db:
    """An index in memory that begins as the one at `path`, as far as that can be read and is of
    the fingerprint; empty until `sync.freshen` has filled it.
    """
    copy = dbs.Db(dbs.IN_MEMORY, fingerprint)
    if dbs.peek_meta(path, "fingerprint") != copy.fingerprint:
        return copy
    try:
        source = dbs.connect_reading(path)
        try:
            with copy.con.backup("main", source, "main") as backup:
                backup.step(-1)
        finally:
            source.close()
    except apsw.Error:
        copy.rebuild()
    return copy
