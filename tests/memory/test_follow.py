from __future__ import annotations

from pathlib import Path

import pytest
from copies import Copy

from molt.formats import message as messages
from molt.index import db as dbs
from molt.memory import workspace
from molt.memory.search import search
from molt.memory.workspace import Workspace
from molt.repo.write.plan import Change

from .conftest import make_workspace

pytestmark = pytest.mark.slow

PATH = "memory/procedures/tide.md"


@pytest.fixture
def ws(tmp_path: Path, copy: Copy) -> Workspace:
    return workspace.find(str(copy(tmp_path / "w", make_workspace)), "manual")


def write(ws: Workspace, text: str, path: str = PATH) -> None:
    data = f"# Tide\n\n{text}\n".encode()
    said = messages.render(
        "EDIT", path, "x", messages.Provenance(actor="manual", approval="—", trigger="t")
    )
    ws.commit(lambda _tree: Change({path: data}, said, None))


def indexed(ws: Workspace) -> set[str]:
    db = dbs.open_existing(f"{ws.repo.molt_dir}/index.sqlite")
    assert db is not None
    try:
        return {row[0] for row in db.rows("SELECT text FROM chunks WHERE path=?", (PATH,))}
    finally:
        db.close()


def test_a_write_brings_the_keywords_of_its_files_into_the_index(ws) -> None:
    write(ws, "ebb at nine")
    search.search(ws, "tide")
    write(ws, "flood at noon")
    assert indexed(ws) == {"# Tide\n\nflood at noon"}
    assert search.search(ws, "flood").stale == 0


def test_an_index_of_another_tree_is_left_to_the_next_search(ws, git) -> None:
    write(ws, "ebb at nine")
    search.search(ws, "tide")
    git(Path(ws.repo.root), "commit", "-q", "--allow-empty", "-m", "[EDIT] * — nothing")
    (Path(ws.repo.root) / "memory/note.md").write_text("a stranger\n")
    git(Path(ws.repo.root), "add", "-A")
    git(Path(ws.repo.root), "commit", "-qm", "[CREATE] memory/note.md — x")
    write(ws, "flood at noon")
    assert indexed(ws) == {"# Tide\n\nebb at nine"}
    assert {one.path for one in search.search(ws, "flood stranger").results} >= {PATH}


def test_what_a_person_has_not_committed_stays_indexed_as_it_is_on_disk(ws) -> None:
    write(ws, "ebb at nine")
    file = Path(ws.repo.root) / PATH
    file.write_text("# Tide\n\nmy own words\n")
    search.search(ws, "tide")
    write(ws, "elsewhere", "memory/procedures/other.md")
    assert indexed(ws) == {"# Tide\n\nmy own words"}


def test_a_write_makes_no_index_where_there_is_none(ws) -> None:
    write(ws, "ebb at nine")
    assert dbs.open_existing(f"{ws.repo.molt_dir}/index.sqlite") is None
