"""The file in which OpenClaw looks up what `molt-qmd` finds: collections, and documents in them."""

from __future__ import annotations

import os

import apsw

from molt.index import db as dbs
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection as Group
    from collections.abc import Iterable
    from types import TracebackType

ASIDE = ".before-molt"
"""What the index of another program is called while ours stands in its place."""
# "molt": tells our file from the index of the program that it stands for.
_APPLICATION = 0x6D6F6C74
# Where SQLite keeps that number in its header (https://www.sqlite.org/fileformat.html, 1.3).
_NUMBER = 68
_HEAD = 100
# OpenClaw gives a command four seconds; who writes meanwhile is done in much less.
_BUSY_MS = 2_000
# Half of a hash that 2**32 documents would not be told apart by.
_DIGITS = 16
_SCHEMA = """
CREATE TABLE collections(name TEXT PRIMARY KEY, path TEXT NOT NULL, pattern TEXT NOT NULL);
CREATE TABLE documents(id INTEGER PRIMARY KEY, collection TEXT NOT NULL, path TEXT NOT NULL,
  title TEXT NOT NULL, hash TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1,
  UNIQUE(collection, path));
CREATE INDEX documents_hash ON documents(hash);
"""


class Folder(Value):
    """A folder whose files are searched under a name, those that a glob matches."""

    name: str
    path: str
    pattern: str


class Documents:
    """The open file; `with Documents(path) as known:` closes it.

    A file of another program, or a damaged one, is put aside first. Raises apsw.Error where
    nothing can be written, or another process writes for too long.
    """

    def __init__(self, path: str) -> None:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with _Alone(os.path.dirname(path) or "."):
            if os.path.exists(path) and not is_ours(path):
                put_aside(path)
            self._con = apsw.Connection(path)
            self._con.set_busy_timeout(_BUSY_MS)
            try:
                if not self._con.execute("SELECT 1 FROM sqlite_schema").fetchone():
                    self._make_tables()
            except apsw.Error:
                self._con.close()
                raise

    def _make_tables(self) -> None:
        # First, and into the file itself: whose it is must never be in a log beside it.
        self._con.execute(f"PRAGMA application_id={_APPLICATION}")
        # Who reads must not wait for who writes.
        self._con.execute("PRAGMA journal_mode=WAL")
        with dbs.transaction(self._con):
            self._con.execute(_SCHEMA)

    def __enter__(self) -> Documents:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._con.close()

    def folders(self) -> list[Folder]:
        """The collections, in the order of their names."""
        rows = self._con.execute("SELECT name, path, pattern FROM collections ORDER BY name")
        return [Folder(*row) for row in rows]

    def add_folder(self, folder: Folder) -> bool:
        """Add a collection; False, and nothing changes, where one has its name."""
        with dbs.transaction(self._con):
            self._con.execute("INSERT OR IGNORE INTO collections VALUES(?,?,?)", folder._astuple())
            return bool(self._con.changes())

    def remove_folder(self, name: str) -> bool:
        """Remove a collection with its documents; False where there is none."""
        with dbs.transaction(self._con):
            self._con.execute("DELETE FROM documents WHERE collection=?", (name,))
            self._con.execute("DELETE FROM collections WHERE name=?", (name,))
            return bool(self._con.changes())

    def replace_documents(self, name: str, paths: Iterable[str]) -> None:
        """Let a collection have just these documents; without a change nothing is written."""
        wanted = set(paths)
        sql = "SELECT path FROM documents WHERE collection=?"
        before = {row[0] for row in self._con.execute(sql, (name,))}
        if before != wanted:
            with dbs.transaction(self._con):
                gone = [(name, path) for path in before - wanted]
                self._con.executemany("DELETE FROM documents WHERE collection=? AND path=?", gone)
                self._insert(name, sorted(wanted - before))

    def add_documents(self, name: str, paths: Group[str]) -> bool:
        """Let a collection have these documents too; without a new one nothing is written. False
        where that cannot be done now.
        """
        sql = "SELECT 1 FROM documents WHERE collection=? AND path=?"
        try:
            new = [one for one in paths if not self._con.execute(sql, (name, one)).fetchone()]
            if new:
                with dbs.transaction(self._con):
                    self._insert(name, new)
        except (apsw.BusyError, *dbs.UNWRITABLE):
            return False
        return True

    def _insert(self, name: str, paths: Iterable[str]) -> None:
        rows = [(name, path, path.rpartition("/")[2], name_document(name, path)) for path in paths]
        sql = "INSERT OR IGNORE INTO documents(collection, path, title, hash) VALUES(?,?,?,?)"
        self._con.executemany(sql, rows)

    def count(self) -> int:
        """How many documents there are."""
        ((count,),) = self._con.execute("SELECT count(*) FROM documents")
        return int(str(count))


def name_document(collection: str, path: str) -> str:
    """The id of a document. It is of its place, not of its text: OpenClaw remembers where an id
    led, and two files that say the same must not be one.
    """
    return dbs.hash_bytes(f"{collection}/{path}".encode("utf-8", "surrogatepass")).hex()[:_DIGITS]


class _Alone:
    """`with _Alone(folder):` no other process opens a file there that has to be made: one would
    put aside what another has made a moment before.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._fd = -1

    def __enter__(self) -> None:
        import fcntl

        self._fd = os.open(self._folder, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(self._fd, fcntl.LOCK_EX)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._fd)


def is_ours(path: str) -> bool:
    """Whether a file is one of these; an empty one is. Raises OSError where it cannot be read."""
    with open(path, "rb", buffering=0) as file:
        head = file.read(_HEAD) or b""
    number = head[_NUMBER : _NUMBER + 4]
    return not head or number == _APPLICATION.to_bytes(4, "big")


def put_aside(path: str) -> None:
    """Rename a file with all that SQLite keeps beside it."""
    for suffix in ("-wal", "-shm", "-journal", ""):
        try:
            os.replace(path + suffix, path + ASIDE + suffix)
        except FileNotFoundError:
            continue
