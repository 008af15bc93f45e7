"""The database in which OpenClaw keeps its conversations, read beside a host that writes it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from molt.index.content.sources import Foreign

COUNT = "SELECT count(*) FROM transcript_events"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A database as a host leaves it that was closed."""
    path = tmp_path / "agent/openclaw-agent.sqlite"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as con:
        con.execute("PRAGMA journal_mode=WAL")
        con.execute("CREATE TABLE transcript_events(session_id TEXT, seq INTEGER)")
        con.execute("INSERT INTO transcript_events VALUES('s', 0)")
        con.commit()
    return path


def count(base: Foreign) -> int:
    ((found,),) = base.rows(COUNT)
    return int(found)


def test_reading_leaves_nothing_beside_it(store: Path) -> None:
    before = sorted(store.parent.iterdir())
    base = Foreign(str(store))
    assert count(base) == 1
    base.close()
    assert sorted(store.parent.iterdir()) == before == [store]


def test_what_a_running_host_has_written_is_read(store: Path) -> None:
    with closing(sqlite3.connect(store)) as host:
        host.execute("INSERT INTO transcript_events VALUES('s', 1)")
        host.commit()
        base = Foreign(str(store))
        assert count(base) == 2
        base.close()


def test_a_host_that_begins_to_write_meanwhile_is_noticed(store: Path) -> None:
    base = Foreign(str(store))
    assert count(base) == 1
    with closing(sqlite3.connect(store)) as host:
        host.execute("INSERT INTO transcript_events VALUES('s', 1)")
        host.commit()
        assert count(base) == 2
    base.close()


def test_a_host_writes_and_cleans_up_while_it_is_read(store: Path) -> None:
    with closing(sqlite3.connect(store, timeout=0)) as host:
        host.execute("INSERT INTO transcript_events VALUES('s', 1)")
        host.commit()
        base = Foreign(str(store))
        assert count(base) == 2
        host.execute("INSERT INTO transcript_events VALUES('s', 2)")
        host.commit()
        ((busy, _, _),) = host.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert busy == 0
        base.close()


def test_a_transaction_that_is_open_is_not_seen_and_not_waited_for(store: Path) -> None:
    with closing(sqlite3.connect(store)) as host:
        host.execute("BEGIN EXCLUSIVE")
        host.execute("INSERT INTO transcript_events VALUES('s', 1)")
        base = Foreign(str(store))
        assert count(base) == 1
        base.close()
        host.rollback()


def test_a_folder_that_must_not_be_written_is_enough(store: Path) -> None:
    store.parent.chmod(0o555)
    try:
        base = Foreign(str(store))
        assert count(base) == 1
        base.close()
    finally:
        store.parent.chmod(0o755)


@pytest.mark.parametrize("data", [b"", b"junk" * 999], ids=["empty", "no database"])
def test_what_is_no_store_is_an_error_of_the_system(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "openclaw-agent.sqlite"
    path.write_bytes(data)
    base = Foreign(str(path))
    with pytest.raises(OSError, match=r"table|database"):
        base.rows(COUNT)
    base.close()
