"""`molt-qmd`, called as OpenClaw 2026.2 to 2026.7 call QMD."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from copies import Copy

from molt.hosts import qmd
from molt.index import documents

Run = Callable[..., tuple[int, str, str]]


def make_agent(path: Path) -> None:
    """A workspace with something in it, as it lies in the state of OpenClaw."""
    from molt.cli import main

    assert main(["init", str(path), "--quiet"]) == 0
    for text in ("We chose PKCE for the mobile login", "Ada prefers tabs over spaces in Go code"):
        assert main(["--workspace", str(path), "--quiet", "remember", text]) == 0
    note = "# Notes\n\nThe staging database is in Frankfurt.\n"
    (path / "memory" / "2026-01-02.md").write_text(note)


@pytest.fixture
def agent(tmp_path: Path, copy: Copy, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the environment that OpenClaw gives."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "state/qmd/xdg-cache"))
    monkeypatch.setenv("QMD_CONFIG_DIR", str(tmp_path / "state/qmd/xdg-config/qmd"))
    path = copy(tmp_path / "workspace", make_agent)
    monkeypatch.chdir(path)
    return path


@pytest.fixture
def run(agent: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*argv: str) -> tuple[int, str, str]:
        capfd.readouterr()
        status = qmd.main(argv)
        return status, *capfd.readouterr()

    return call


@pytest.fixture
def collected(run: Run, agent: Path) -> Run:
    """With the collections that OpenClaw makes at its start."""
    root, memory = str(agent), str(agent / "memory")
    for flag, path, name, glob in (
        ("--mask", root, "memory-root-main", "MEMORY.md"),
        ("--glob", memory, "memory-dir-main", "**/*.md"),
    ):
        status, _, err = run("collection", "add", path, "--name", name, flag, glob)
        assert (status, err) == (0, "")
    return run


def search(run: Run, text: str, *more: str) -> list[dict[str, Any]]:
    status, out, err = run("search", text, "--json", "-n", "4", *more)
    assert status == 0, err
    found: list[dict[str, Any]] = json.loads(out)
    return found


def test_the_version_is_a_line(run: Run) -> None:
    status, out, _ = run("--version")
    assert status == 0
    assert out.startswith("molt-qmd ")


def test_the_help_tells_openclaw_that_one_search_takes_all_collections(run: Run) -> None:
    status, out, _ = run("--help")
    assert status == 0
    assert "one or more collections" in out


def test_collections_are_listed_and_shown_as_they_were_added(collected: Run, agent: Path) -> None:
    listed = json.loads(collected("collection", "list", "--json")[1])
    assert listed == [
        {"name": "memory-dir-main", "path": str(agent / "memory"), "pattern": "**/*.md"},
        {"name": "memory-root-main", "path": str(agent), "pattern": "MEMORY.md"},
    ]
    shown = collected("collection", "show", "memory-root-main")[1].splitlines()
    assert f"Path: {agent}" in shown
    assert "Pattern: MEMORY.md" in shown


def test_a_second_collection_of_a_name_is_refused_in_words_that_openclaw_knows(
    collected: Run, agent: Path
) -> None:
    status, _, err = collected("collection", "add", str(agent), "--name", "memory-dir-main")
    assert status == 1
    assert "collection 'memory-dir-main' already exists" in err


@pytest.mark.parametrize("verb", ["show", "remove"])
def test_a_collection_that_is_not_there_is_not_found(run: Run, verb: str) -> None:
    status, _, err = run("collection", verb, "memory-dir-main")
    assert status == 1
    assert "not found" in err


def test_a_collection_that_was_removed_is_gone_with_its_documents(collected: Run) -> None:
    assert collected("collection", "remove", "memory-dir-main")[0] == 0
    names = [one["name"] for one in json.loads(collected("collection", "list", "--json")[1])]
    assert names == ["memory-root-main"]
    assert {name for name, _ in known_documents()} == {"memory-root-main"}


def known_documents() -> set[tuple[str, str]]:
    """What OpenClaw finds in the index, asked for as it asks."""
    with closing(sqlite3.connect(f"file:{qmd.find_index()}?mode=ro", uri=True)) as con:
        return set(con.execute("SELECT collection, path FROM documents WHERE active = 1"))


def look_up(docid: str) -> tuple[str, str]:
    """Where an id leads, as OpenClaw resolves it."""
    with closing(sqlite3.connect(f"file:{qmd.find_index()}?mode=ro", uri=True)) as con:
        sql = "SELECT collection, path FROM documents WHERE hash LIKE ? AND active = 1"
        ((collection, path),) = con.execute(sql, (docid.removeprefix("#") + "%",))
        return collection, path


def test_a_search_gives_hits_that_openclaw_can_resolve(collected: Run) -> None:
    hit = search(collected, "staging database", "-c", "memory-dir-main", "-c", "memory-root-main")[
        0
    ]
    assert hit["collection"] == "memory-dir-main"
    assert hit["file"] == "qmd://memory-dir-main/2026-01-02.md"
    assert "Frankfurt" in hit["snippet"]
    assert hit["start_line"] <= 3 <= hit["end_line"]
    assert 0 < hit["score"] <= 1
    assert look_up(hit["docid"]) == ("memory-dir-main", "2026-01-02.md")


@pytest.mark.parametrize("command", ["search", "vsearch", "query"])
def test_every_mode_finds_it(collected: Run, command: str) -> None:
    status, out, _ = collected(command, "PKCE login", "--json", "-n", "4", "--no-rerank")
    assert status == 0
    assert "PKCE" in json.loads(out)[0]["snippet"]


def test_a_file_that_is_newer_than_the_last_update_is_resolved_too(
    collected: Run, agent: Path
) -> None:
    (agent / "memory/2026-01-03.md").write_text("The backup runs at four in the morning.\n")
    hit = search(collected, "when does the backup run")[0]
    assert look_up(hit["docid"]) == ("memory-dir-main", "2026-01-03.md")


def test_hits_come_without_ids_while_another_process_writes(collected: Run, agent: Path) -> None:
    (agent / "memory/2026-01-03.md").write_text("The backup runs at four in the morning.\n")
    # Another SQLite in this process would not see its locks.
    with closing(apsw.Connection(qmd.find_index())) as other:
        other.execute("BEGIN IMMEDIATE")
        hit = search(collected, "when does the backup run")[0]
        other.execute("ROLLBACK")
    assert "docid" not in hit
    assert hit["file"] == "qmd://memory-dir-main/2026-01-03.md"


def test_two_files_that_say_the_same_keep_their_own_ids(collected: Run, agent: Path) -> None:
    for name in ("a", "b"):
        (agent / f"memory/{name}.md").write_text("The same words in two files.\n")
    collected("update")
    ids = {documents.name_document("memory-dir-main", f"{name}.md") for name in ("a", "b")}
    assert len(ids) == 2
    assert {look_up(one)[1] for one in ids} == {"a.md", "b.md"}


def test_scores_fall_as_the_results_do(collected: Run, agent: Path) -> None:
    for number in range(4):
        (agent / f"memory/n{number}.md").write_text(f"Login {'PKCE ' * number} number {number}.\n")
    scores = [one["score"] for one in search(collected, "PKCE login")]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)


def test_only_the_collections_that_are_asked_for_answer(collected: Run) -> None:
    assert search(collected, "staging database", "-c", "memory-root-main") == []


def test_no_more_hits_than_asked_for(collected: Run, agent: Path) -> None:
    for number in range(9):
        (agent / f"memory/{number}.md").write_text(f"Parrots eat nuts, says note {number}.\n")
    assert len(search(collected, "parrots")) == 4


def test_an_unknown_collection_has_openclaw_add_it_again(run: Run) -> None:
    status, out, err = run("search", "login", "--json", "-n", "4", "-c", "memory-dir-main")
    assert (status, out) == (1, "")
    assert "collection" in err
    assert "not found" in err


def test_nothing_found_is_an_empty_list(collected: Run) -> None:
    assert search(collected, "zyzzyva quokka") == []
    assert search(collected, " ") == []


def test_what_was_forgotten_is_not_found(collected: Run, agent: Path) -> None:
    assert search(collected, "PKCE login")
    assert molt(agent, "forget", "PKCE", "--yes") == 0
    assert not [one for one in search(collected, "PKCE login") if "PKCE" in one["snippet"]]


def molt(path: Path, *argv: str) -> int:
    from molt.cli import main

    return main(["--workspace", str(path), "--quiet", *argv])


@pytest.mark.parametrize("name", ["a b.md", "ü 100%.md", "日記.md", "x#y.md"])
def test_a_name_survives_the_address(collected: Run, agent: Path, name: str) -> None:
    from urllib.parse import unquote, urlsplit

    (agent / "memory" / name).write_text("The quick parrot repeats itself.\n")
    hit = search(collected, "parrot")[0]
    address = urlsplit(hit["file"])
    assert (address.netloc, unquote(address.path)) == ("memory-dir-main", f"/{name}")
    assert not address.fragment


@pytest.mark.parametrize("command", ["update", "embed"])
def test_an_update_knows_new_files_and_forgets_old_ones(
    collected: Run, agent: Path, command: str
) -> None:
    (agent / "memory/2026-01-02.md").unlink()
    (agent / "memory/2026-01-04.md").write_text("A new day.\n")
    assert collected(command)[0] == 0
    known = known_documents()
    assert ("memory-dir-main", "2026-01-04.md") in known
    assert ("memory-dir-main", "2026-01-02.md") not in known


def test_an_update_without_a_change_writes_nothing(collected: Run) -> None:
    collected("update")
    before = Path(qmd.find_index()).stat()
    collected("update")
    search(collected, "PKCE login")
    after = Path(qmd.find_index()).stat()
    assert (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, before.st_size)


def test_links_and_hidden_files_are_no_documents(collected: Run, agent: Path) -> None:
    (agent / "memory/.dreams").mkdir()
    (agent / "memory/.dreams/x.md").write_text("hidden\n")
    (agent / "memory/link.md").symlink_to("/etc/hostname")
    collected("update")
    assert not {path for _, path in known_documents() if "dreams" in path or "link" in path}


def test_the_status_counts_vectors_in_the_line_that_openclaw_reads(collected: Run) -> None:
    collected("update")
    rows = collected("status")[1].splitlines()
    (row,) = (one for one in rows if one.startswith("Vectors: "))
    assert int(row.split()[1]) > 0


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("frobnicate",), "unknown command"),
        (("collection", "frobnicate"), "unknown command"),
        (("search", "x", "--frobnicate"), "unknown option"),
        (("search", "x", "-n"), "needs a value"),
        (("collection", "add"), "which collection"),
    ],
)
def test_a_call_that_is_none_is_a_usage_error(run: Run, argv: tuple[str, ...], said: str) -> None:
    status, out, err = run(*argv)
    assert (status, out) == (2, "")
    assert said in err


def test_without_a_workspace_openclaw_is_told_why(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run("search", "login", "--json", "-n", "4")
    assert (status, out) == (4, "")
    assert err.startswith("molt-qmd: ")


def test_the_index_of_qmd_is_put_aside(run: Run, agent: Path) -> None:
    path = Path(qmd.find_index())
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE documents(id INTEGER PRIMARY KEY, hash TEXT NOT NULL, body TEXT)")
        con.commit()
    before = path.read_bytes()
    assert run("collection", "add", str(agent), "--name", "a")[0] == 0
    assert documents.is_ours(str(path))
    assert Path(f"{path}{documents.ASIDE}").read_bytes() == before


def test_a_damaged_index_is_made_anew(run: Run, agent: Path) -> None:
    path = Path(qmd.find_index())
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database at all, but long enough to have a header" * 9)
    assert run("collection", "add", str(agent), "--name", "a")[0] == 0
    assert json.loads(run("collection", "list", "--json")[1])[0]["name"] == "a"


@pytest.mark.parametrize("foreign", [False, True])
def test_many_that_start_at_once_all_find_what_they_added(tmp_path: Path, foreign: bool) -> None:
    path, go = tmp_path / "index", tmp_path / "go"
    if foreign:
        with closing(sqlite3.connect(path)) as con:
            con.execute("CREATE TABLE documents(id INTEGER PRIMARY KEY)")
            con.commit()
    code = """if True:
        import os, sys
        from molt.index.documents import Documents, Folder
        print(flush=True)
        while not os.path.exists(sys.argv[3]): pass
        with Documents(sys.argv[1]) as known: known.add_folder(Folder(sys.argv[2], "/x", "*"))
    """
    names = [f"c{number}" for number in range(6)]
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path), name, str(go)], stdout=subprocess.PIPE
        )
        for name in names
    ]
    for one in started:
        assert one.stdout is not None
        one.stdout.readline()
    go.touch()
    for one in started:
        one.communicate()
    assert [one.returncode for one in started] == [0] * len(names)
    with documents.Documents(str(path)) as known:
        assert [one.name for one in known.folders()] == names
    assert Path(f"{path}{documents.ASIDE}").exists() == foreign


def test_by_hand_the_index_of_qmd_is_left_alone(
    agent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QMD_CONFIG_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert qmd.find_index() == "/cache/molt/qmd/index.sqlite"


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("MEMORY.md", "MEMORY.md", True),
        ("MEMORY.md", "memory/MEMORY.md", False),
        ("**/*.md", "a.md", True),
        ("**/*.md", "a/b/c.md", True),
        ("**/*.md", "a/b/c.mdx", False),
        ("*.md", "a/b.md", False),
        ("notes/**", "notes/a/b", True),
        ("**/*.{md,txt}", "a/b.txt", True),
        ("**/[ab]?.md", "x/a1.md", True),
        ("**/[!ab]?.md", "x/a1.md", False),
        ("a+b.md?", "a+b.mdx", True),
        ("{", "{", True),
    ],
)
def test_a_glob_means_what_it_means_to_qmd(pattern: str, path: str, matches: bool) -> None:
    assert qmd._make_matcher(pattern)(path) is matches


def test_nothing_that_takes_long_is_imported(agent: Path) -> None:
    slow = ("click", "pygit2", "numpy", "typing", "subprocess", "datetime", "json", "dataclasses")
    root = str(Path(qmd.__file__).parents[2])
    code = (
        f"import sys; sys.path.insert(0, {root!r}); from molt.hosts import qmd;"
        f"qmd.main(['--version']); print([one for one in {slow} if one in sys.modules])"
    )
    argv = [sys.executable, "-I", "-c", code]
    assert subprocess.check_output(argv, text=True).splitlines()[1:] == ["[]"]
