"""The index file: its schema, its extension, and how a damaged or outdated one is replaced."""

from __future__ import annotations

import os
import sys

import apsw

from molt import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from contextlib import AbstractContextManager
    from types import TracebackType
    from typing import Any, TypeVar

    T = TypeVar("T")

# Of the schema and of how files are cut into chunks: with another every index is made anew.
VERSION = "22"
# Marks are parts of words: without them every vowel sign would cut a Thai or Hindi word in two.
TOKENIZE = ("porter", "unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*")
# Shorter chunks count as this long: among lines of a chat, length says nothing of what a line is
# about, and without a floor the shortest greeting beats every sentence.
FLOOR = 40
# SQLite sees damage of its pages; within one it shows by what makes no sense to who reads it.
DAMAGED = (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, UnicodeDecodeError)
_UNREADABLE = (apsw.Error, UnicodeDecodeError)
UNWRITABLE = (apsw.CantOpenError, apsw.FullError, apsw.IOError, apsw.ReadOnlyError)
# SQLite's name of a database that is no file.
IN_MEMORY = ":memory:"
# SQLite takes 32,766 values in one statement.
_MOST_VALUES = 30_000


def _tokenizer_option() -> str:
    return " ".join(f"'{word}'" if " " in word else word for word in TOKENIZE)


_SCHEMA = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files(path TEXT PRIMARY KEY, oid TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chunks(id INTEGER PRIMARY KEY, path TEXT NOT NULL, first INTEGER NOT NULL,
  last INTEGER NOT NULL, memory_id TEXT NOT NULL, store TEXT NOT NULL, type TEXT NOT NULL,
  tags TEXT NOT NULL, date TEXT NOT NULL, text TEXT NOT NULL, hash BLOB NOT NULL,
  written REAL, base REAL NOT NULL, pinned INTEGER NOT NULL, scope TEXT NOT NULL,
  until REAL);
CREATE INDEX chunks_path ON chunks(path);
CREATE TABLE places(id INTEGER PRIMARY KEY, memory INTEGER NOT NULL, unit INTEGER NOT NULL,
  words INTEGER NOT NULL, speaker INTEGER NOT NULL, flags INTEGER NOT NULL);
CREATE INDEX places_memory ON places(memory);
CREATE TABLE units(id INTEGER PRIMARY KEY, path TEXT NOT NULL, words INTEGER NOT NULL);
CREATE INDEX units_path ON units(path);
CREATE TABLE speakers(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE totals(chunks INTEGER, words INTEGER, units INTEGER, unit_words INTEGER);
INSERT INTO totals VALUES(0, 0, 0, 0);
CREATE TRIGGER place_in AFTER INSERT ON places BEGIN
  UPDATE totals SET chunks = chunks + 1, words = words + max(new.words, {FLOOR}); END;
CREATE TRIGGER place_out AFTER DELETE ON places BEGIN
  UPDATE totals SET chunks = chunks - 1, words = words - max(old.words, {FLOOR}); END;
CREATE TRIGGER unit_in AFTER INSERT ON units BEGIN
  UPDATE totals SET units = units + 1, unit_words = unit_words + new.words; END;
CREATE TRIGGER unit_out AFTER DELETE ON units BEGIN
  UPDATE totals SET units = units - 1, unit_words = unit_words - old.words; END;
CREATE TABLE entities(stem TEXT PRIMARY KEY, type TEXT NOT NULL, label TEXT NOT NULL,
  aliases TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE names(name TEXT, stem TEXT, PRIMARY KEY(name, stem)) WITHOUT ROWID;
CREATE INDEX names_stem ON names(stem);
CREATE TABLE edges(source TEXT NOT NULL, word TEXT NOT NULL, target TEXT NOT NULL,
  note TEXT NOT NULL);
CREATE INDEX edges_source ON edges(source);
CREATE INDEX edges_target ON edges(target);
CREATE TABLE successors(old TEXT NOT NULL, new TEXT NOT NULL, path TEXT NOT NULL);
CREATE INDEX successors_old ON successors(old);
CREATE INDEX successors_path ON successors(path);
CREATE TABLE vectors(id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE pending(id INTEGER PRIMARY KEY);
CREATE VIRTUAL TABLE fts USING fts5(text, content='', contentless_delete=1,
  tokenize="{_tokenizer_option()}");
CREATE VIRTUAL TABLE vocab USING fts5vocab(fts, row);
CREATE VIRTUAL TABLE occurrences USING fts5vocab(fts, instance);
"""  # noqa: S608 nothing but our own words goes into it


class Unwritable(errors.Failed):
    """The file of an index cannot be written; one in memory answers all the same."""


class Db:
    """An open index. `vec` says whether sqlite-vec is loaded; `fresh` that it replaces the file
    at `path` only once `publish` is called.
    """

    def __init__(self, path: str, fingerprint: str) -> None:
        self.path = path
        self.fingerprint = f"{VERSION}|{fingerprint}"
        self.fresh = False
        self.vec = False
        self.con = self._connect(path)
        try:
            matches = self.meta("fingerprint") == self.fingerprint
        except apsw.BusyError:
            raise
        except _UNREADABLE:
            matches = False
        if not matches:
            try:
                self.rebuild()
            except BaseException:
                self.close()
                _delete_empty(path)
                raise

    def _connect(self, path: str) -> apsw.Connection:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        con = apsw.Connection(path)
        con.set_busy_timeout(10_000)
        # A memory that was deleted must not be read from the pages that it left.
        con.execute("PRAGMA secure_delete=ON")
        if path == IN_MEMORY:
            con.execute("PRAGMA temp_store=MEMORY")
        self.vec = _load_vec(con)
        return con

    def rebuild(self) -> None:
        """Start an empty index beside the file; it takes its place when published."""
        self.con.close()
        self._discard_building()
        self.fresh = True
        self.con = self._connect(self._building_path)
        self.con.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
        with self.transaction():
            self.con.execute(_SCHEMA)
            if self.vec and (dims := self.dims):
                self.con.execute(f"CREATE VIRTUAL TABLE bits USING vec0(v BIT[{dims}])")
            self.set_meta("fingerprint", self.fingerprint)
            self.set_meta("vec", "1" if self.vec and self.dims else "")

    @property
    def _building_path(self) -> str:
        return IN_MEMORY if self.path == IN_MEMORY else name_building(self.path)

    @property
    def dims(self) -> int:
        """Dimensions of the vectors; 0 for an index of keywords only."""
        number = self.fingerprint.rpartition(":")[2]
        return int(number) if number.isdigit() else 0

    def publish(self) -> None:
        """Put a rebuilt index in place of the file, in one rename; SQLite has written it, so that
        what replaces files by their bytes is of no use here.
        """
        if not self.fresh:
            return
        self.fresh = False
        if self.path == IN_MEMORY:
            return
        self.con.close()
        for suffix in ("-wal", "-shm"):
            _delete_file(self.path + suffix)
        os.replace(self._building_path, self.path)
        _remove_abandoned(self.path)
        self.con = self._connect(self.path)
        self.con.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")

    def close(self) -> None:
        """Close it; one that was never published is thrown away."""
        self.con.close()
        if self.fresh:
            self._discard_building()

    def _discard_building(self) -> None:
        if self.path != IN_MEMORY:
            remove_files(self._building_path)

    def scrub(self) -> None:
        """Rewrite the keyword index without the words of deleted chunks: it only marks them."""
        if self.meta("deleted"):
            self.con.execute("INSERT INTO fts(fts) VALUES('optimize')")
            self.set_meta("deleted", "")

    def meta(self, key: str) -> str:
        """A value of the meta table; empty if it is not there."""
        row = self.con.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return row[0] if row else ""

    def set_meta(self, key: str, value: str) -> None:
        """Set a value of the meta table."""
        self.con.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (key, value))

    def rows(self, sql: str, values: Any = ()) -> list[Any]:
        """All rows of a query."""
        return list(self.con.execute(sql, values))

    def within(
        self,
        sql: str,
        wanted: Collection[object],
        *,
        before: Sequence[object] = (),
        after: Sequence[object] = (),
    ) -> list[Any]:
        """All rows of a query that says `IN (*)`, for which `wanted` stands, however many they
        are; `before` and `after` are the values of the marks on either side.
        """
        every = list(wanted)
        found: list[Any] = []
        for at in range(0, len(every), _MOST_VALUES):
            some = every[at : at + _MOST_VALUES]
            marks = ",".join("?" * len(some))
            found += self.con.execute(sql.replace("(*)", f"({marks})"), (*before, *some, *after))
        return found

    def transaction(self) -> transaction:
        """`with db.transaction():` writes all of what is in it or nothing."""
        return transaction(self.con)


class transaction:  # noqa: N801 reads as a function: `with transaction(con):`
    """All that is written meanwhile is committed at the end, or undone by an error.

    Nobody else writes meanwhile: who waited for another finds what that one has written.
    """

    def __init__(self, con: apsw.Connection) -> None:
        self._con = con

    def __enter__(self) -> None:
        self._con.execute("BEGIN IMMEDIATE")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                self._con.execute("COMMIT")
        finally:
            # Some errors, a full disk for one, have ended it already.
            if not self._con.get_autocommit():
                self._con.execute("ROLLBACK")


def ask(opens: Callable[[], AbstractContextManager[Db]], question: Callable[[Db], T]) -> T:
    """What `question` gives of the index that `opens` opens. Where that turns out to be damaged, it
    is asked once more, of an empty one that takes its place as soon as it is filled.
    """
    try:
        with opens() as db:
            return question(db)
    except (*DAMAGED, KeyError):
        # A number of a row that is damaged leads to none: what is no damage is raised once more.
        pass
    with opens() as db:
        db.rebuild()
        return question(db)


def open_existing(path: str) -> Db | None:
    """The index at `path` as it is, whatever its vectors are; None where there is none that this
    version reads.
    """
    version, _, fingerprint = peek_meta(path, "fingerprint").partition("|")
    return Db(path, fingerprint) if version == VERSION else None


def peek_meta(path: str, key: str) -> str:
    """A value of the meta table of the index at `path`; empty where it cannot be read."""
    if not os.path.exists(path):
        return ""
    try:
        con = connect_reading(path)
    except apsw.Error:
        return ""
    try:
        row = con.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
    except _UNREADABLE:
        return ""
    finally:
        con.close()
    return str(row[0] if row else "")


def connect_reading(path: str) -> apsw.Connection:
    """A connection that only reads. Without room for what SQLite keeps beside a file, the file is
    read as its last checkpoint left it; whoever compares it with what is indexed finds the rest.
    """
    con = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        con.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except UNWRITABLE:
        con.close()
        # An address of a file has these letters escaped.
        quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        return apsw.Connection(f"file:{quoted}?immutable=1", flags=flags)
    except apsw.Error:
        con.close()
        raise
    return con


def name_building(path: str) -> str:
    """Where this process builds what will be the index at `path`."""
    return f"{path}.new-{os.getpid()}"


def _remove_abandoned(path: str) -> None:
    """Delete what processes that were killed were building beside the index at `path`."""
    folder, name = os.path.split(path)
    for one in os.listdir(folder or "."):
        number = one.removeprefix(f"{name}.new-").partition("-")[0]
        if one.startswith(f"{name}.new-") and number.isdigit() and not _is_running(int(number)):
            _delete_file(os.path.join(folder, one))


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def remove_files(path: str) -> None:
    """Delete an index with all that SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        _delete_file(path + suffix)


def open(path: str, fingerprint: str) -> Db:  # noqa: A001 the room's verb
    """The index at `path`; one that is missing, damaged or of another fingerprint is empty
    until `sync.freshen` has filled it. Raises Unwritable where it cannot be written.
    """
    try:
        return Db(path, fingerprint)
    except UNWRITABLE as error:
        raise unwritable_error(path, error) from error


def unwritable_error(path: str, error: Exception) -> Unwritable:
    """What to tell of a disk that is full or must not be written."""
    hint = "`df -h` tells whether the disk is full, `mount` whether it may be written"
    return Unwritable(f"cannot write the index {path}: {error}", hint)


def _delete_file(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError:
        # A disk that must not be written says so, whether the file is there or not.
        if os.path.lexists(path):
            raise


def _delete_empty(path: str) -> None:
    """Delete the file that opening has made, where nothing could be written into it."""
    if os.path.exists(path) and not os.path.getsize(path):
        _delete_file(path)


def _load_vec(con: apsw.Connection) -> bool:
    """Load sqlite-vec by its file: importing its package would import NumPy's helpers."""
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    for folder in sys.path:
        path = os.path.join(folder, "sqlite_vec", "vec0")
        if os.path.exists(path + suffix):
            try:
                con.enable_load_extension(True)
                con.load_extension(path + suffix)
                con.enable_load_extension(False)
            except apsw.Error:
                return False
            return True
    return False


def hash_bytes(data: bytes) -> bytes:
    """The 16 bytes that tell one text from all others."""
    try:
        # `hashlib` loads OpenSSL, which takes a write longer than the indexing of its words.
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return bytes(blake2b(data, digest_size=16).digest())
