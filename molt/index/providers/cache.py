"""Vectors that cost time or money, kept beside the index so that its rebuild costs neither."""

from __future__ import annotations

import os
from contextlib import suppress

import apsw

from molt.index import db as dbs
from molt.index.providers import provider as providers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from molt.index.providers.provider import Provider

NAME = "embeddings.sqlite"
_ASKED = 500  # far below the 32,766 parameters of a statement of SQLite
# A full cache is emptied a little further than its bound, so that not every write prunes.
_AFTER_PRUNING = 0.8
_SCHEMA = """
PRAGMA auto_vacuum=INCREMENTAL;
CREATE TABLE IF NOT EXISTS origins(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  dims INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS kept(origin INTEGER NOT NULL, hash BLOB NOT NULL,
  vector BLOB NOT NULL, used INTEGER NOT NULL, PRIMARY KEY(origin, hash));
CREATE INDEX IF NOT EXISTS kept_used ON kept(used);
"""
_READ = "SELECT hash, vector FROM kept WHERE origin=? AND hash IN (*)"
_TOUCH = "UPDATE kept SET used=? WHERE used<? AND origin=? AND hash IN (*)"


class VectorCache:
    """Vectors by origin (provider, model, what else tells them apart) and hash of the text.

    It holds no texts. One that cannot be read is thrown away: it is only ever a copy.
    """

    def __init__(self, path: str, most_mb: int) -> None:
        self.path = path
        self.most = most_mb << 20
        try:
            self._con = self._connect()
        except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError):
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(path + suffix):
                    os.unlink(path + suffix)
            self._con = self._connect()
        row = self._con.execute("SELECT max(used) FROM kept").fetchone()
        self._turn = ((row[0] if row else 0) or 0) + 1

    def _connect(self) -> apsw.Connection:
        con = apsw.Connection(self.path)
        con.set_busy_timeout(10_000)
        try:
            con.execute(f"{_SCHEMA} PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
            con.execute("SELECT name, dims FROM origins").fetchone()
            con.execute("SELECT vector, used FROM kept LIMIT 1").fetchone()
        except BaseException:
            con.close()
            raise
        return con

    def close(self) -> None:
        """Close its file."""
        self._con.close()

    def dims(self, origin: str) -> int:
        """The dimensions that an origin's vectors have; 0 for one never seen."""
        row = self._con.execute("SELECT dims FROM origins WHERE name=?", (origin,)).fetchone()
        return int(row[0]) if row else 0

    def put_dims(self, origin: str, dims: int) -> int:
        """Note the dimensions of an origin and give its number; others' vectors of it go."""
        if self.dims(origin) not in (0, dims):
            self._con.execute("DELETE FROM kept WHERE origin=?", (self._origin_number(origin),))
        self._con.execute(
            "INSERT INTO origins(name, dims) VALUES(?,?)"
            " ON CONFLICT(name) DO UPDATE SET dims=excluded.dims",
            (origin, dims),
        )
        return self._origin_number(origin)

    def _origin_number(self, origin: str) -> int:
        row = self._con.execute("SELECT id FROM origins WHERE name=?", (origin,)).fetchone()
        return int(row[0]) if row else 0

    def get(self, origin: str, hashes: Iterable[bytes]) -> dict[bytes, bytes]:
        """The vectors that are kept for some texts."""
        number, wanted = self._origin_number(origin), list(dict.fromkeys(hashes))
        found: dict[bytes, bytes] = {}
        for start in range(0, len(wanted), _ASKED):
            some = wanted[start : start + _ASKED]
            marks = f"({','.join('?' * len(some))})"
            found.update(self._con.execute(_READ.replace("(*)", marks), (number, *some)))
            with suppress(*dbs.UNWRITABLE):
                values = (self._turn, self._turn, number, *some)
                self._con.execute(_TOUCH.replace("(*)", marks), values)
        return found

    def put(self, origin: str, dims: int, vectors: Mapping[bytes, bytes]) -> None:
        """Keep vectors, and let go of those that were not asked for longest. None is kept where
        the disk takes no more.
        """
        if not vectors or not self.most:
            return
        with suppress(*dbs.UNWRITABLE), dbs.transaction(self._con):
            number = self.put_dims(origin, dims)
            rows = ((number, key, vector, self._turn) for key, vector in vectors.items())
            self._con.executemany("INSERT OR REPLACE INTO kept VALUES(?,?,?,?)", rows)
            self._prune_oldest()

    def size(self) -> int:
        """The bytes that it takes on disk, without pages that wait for reuse."""
        pages, free, page = (
            int(self._con.pragma(name)) for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * page

    def _prune_oldest(self) -> None:
        while self.size() > self.most:
            ((count,),) = self._con.execute("SELECT count(*) FROM kept")
            surplus = 1 - _AFTER_PRUNING * self.most / self.size()
            gone = min(count, max(1, int(count * surplus)))
            if not count:
                return
            self._con.execute(
                "DELETE FROM kept WHERE rowid IN"
                " (SELECT rowid FROM kept ORDER BY used, rowid LIMIT ?)",
                (gone,),
            )


class Cached:
    """A provider that is asked only for what its cache does not hold; itself a provider."""

    def __init__(self, provider: Provider, cache: VectorCache) -> None:
        self.inner = provider
        self._cache = cache
        self.name = provider.name
        self.model = provider.model
        self.variant = provider.variant
        self.latin_only = provider.latin_only
        self._origin = providers.identity(provider)

    @property
    def dims(self) -> int:
        """How many components its vectors have, asked of a remote model once."""
        known = self._cache.dims(self._origin)
        if not known:
            known = self.inner.dims
            with suppress(*dbs.UNWRITABLE):
                self._cache.put_dims(self._origin, known)
        return known

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of some texts. Raises what the provider raises."""
        return self._embed_missing([_hash_text("text", text) for text in texts], texts, query=False)

    def query(self, text: str) -> bytes:
        """The vector of a query. Raises what the provider raises."""
        return self._embed_missing([_hash_text("query", text)], [text], query=True)[0]

    def _embed_missing(
        self, keys: list[bytes], texts: Sequence[str], *, query: bool
    ) -> list[bytes]:
        found = self._cache.get(self._origin, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            wanted = list(missing.values())
            made = [self.inner.query(wanted[0])] if query else self.inner.embed(wanted)
            fresh = dict(zip(missing, made, strict=True))
            self._cache.put(self._origin, self.dims, fresh)
            found |= fresh
        return [found[key] for key in keys]

    def keep(self, made: Mapping[str, bytes]) -> None:
        """Keep the vectors of some texts that were made elsewhere."""
        fresh = {_hash_text("text", text): vector for text, vector in made.items()}
        self._cache.put(self._origin, self.dims, fresh)

    def close(self) -> None:
        """Close the cache."""
        self._cache.close()


def _hash_text(use: str, text: str) -> bytes:
    data = f"{use}\0{text}".encode("utf-8", "replace")
    return dbs.hash_bytes(data)
