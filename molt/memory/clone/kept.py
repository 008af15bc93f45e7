"""What a process that answers for days keeps open from one question to the next."""

from __future__ import annotations

import os
from contextlib import contextmanager

from molt.index import db as dbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from molt.config import Config
    from molt.index.db import Db
    from molt.index.providers.provider import Provider

    Loaded = tuple[Provider | None, str]
    FileName = tuple[int, int]


class Kept:
    """The index and what makes vectors, as long as they are what the next question would open.

    One question at a time: who asks in several threads has them wait for each other. `opened`
    counts how many times an index was opened.
    """

    def __init__(self) -> None:
        self.opened = 0
        self._db: Db | None = None
        self._file: FileName | None = None
        self._config: Config | None = None
        self._loaded: Loaded | None = None

    @contextmanager
    def open_index(self, path: str, fingerprint: str) -> Iterator[Db]:
        """The index at `path` for vectors of a fingerprint. After an error, and after another has
        taken its place, it is opened anew. Raises what `db.open` raises.
        """
        db = self._take_index(path, fingerprint)
        file = self._file
        try:
            yield db
        except BaseException:
            db.close()
            raise
        if self._db is None and not db.fresh and file is not None and _name_file(path) == file:
            self._db, self._file = db, file
        else:
            db.close()

    def _take_index(self, path: str, fingerprint: str) -> Db:
        """The index that is open, or a new connection; who took it puts it back."""
        held, self._db = self._db, None
        before = _name_file(path)
        if held is not None:
            wanted = f"{dbs.VERSION}|{fingerprint}"
            if (held.path, held.fingerprint) == (path, wanted) and self._file == before:
                return held
            held.close()
        db = dbs.open(path, fingerprint)
        self.opened += 1
        # Another may have put one in its place meanwhile: then nobody knows which one this is.
        self._file = before if before == _name_file(path) else None
        return db

    def load_provider(self, config: Config, load: Callable[[Config], Loaded]) -> Loaded:
        """What makes vectors as a configuration says; one that is only the fallback is not kept, so
        that the configured one is tried again.
        """
        if self._loaded is None or self._config != config:
            self._loaded, self._config = load(config), config
        found = self._loaded
        if found[1]:
            self._loaded = None
        return found

    def close(self) -> None:
        """Close what is open; it opens again with the next question."""
        db, self._db = self._db, None
        self._loaded = None
        if db is not None:
            db.close()


def _name_file(path: str) -> FileName | None:
    """What tells a file from the one that takes its place; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
