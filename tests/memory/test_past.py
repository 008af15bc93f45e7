"""What a search of the past gives: what was there then, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from moments import BY_HAND

from molt import errors
from molt.formats import times
from molt.formats.meta import scores as score_file
from molt.index import db as dbs
from molt.index import providers
from molt.index.fill import sync
from molt.index.providers import provider as vector_identity
from molt.index.search.filters import Filters
from molt.memory import days, touch
from molt.memory.answers import get
from molt.memory.search import at as past
from molt.memory.search import search, visible
from molt.memory.workspace import Workspace
from molt.repo import find

pytestmark = pytest.mark.slow

NOTE = "memory/procedures/gate.md"
GATE = (
    "---\nid: concept--gate\ntype: concept\nlabel: Gate\ncreated: 2026-02-02\n---\n"
    "# Gate\n\n## Facts\n- it is red\n"
)
LATER = 4_000_000_000.0


def write(ws: Workspace, text: str, path: str = NOTE) -> None:
    file = Path(ws.repo.root, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def commit(ws: Workspace, text: str, date: str = "2026-02-02T12:00:00Z", path: str = NOTE) -> str:
    write(ws, text, path)
    ws.repo.run("add", "-A")
    subprocess.run(
        ["git", "commit", "-qnm", BY_HAND],
        cwd=ws.repo.root,
        env={**os.environ, "GIT_COMMITTER_DATE": date},
        check=True,
    )
    return ws.repo.resolve("HEAD")


def at(ws: Workspace, text: str) -> past.Moment:
    return past.find_moment(ws.repo, text, days.parse_second(text, "UTC"), LATER)


def said(ws: Workspace, words: str, text: str) -> list[str]:
    return [
        one.snippet
        for one in search.search(ws, words, search.SearchOptions(at=at(ws, text))).results
    ]


def test_a_search_of_a_commit_gives_what_that_commit_holds(ws) -> None:
    first = commit(ws, "the gate is red")
    second = commit(ws, "the gate is blue")
    write(ws, "the gate is green")
    assert said(ws, "gate", first) == ["the gate is red"]
    assert said(ws, "gate", second) == ["the gate is blue"]
    assert [one.snippet for one in search.search(ws, "gate").results] == ["the gate is green"]
    assert said(ws, "gate", f"{first}~1") == []


def test_an_answer_names_the_commit_that_was_asked(ws) -> None:
    first = commit(ws, "the gate is red")
    assert search.search(ws, "gate", search.SearchOptions(at=at(ws, "HEAD"))).at == first
    assert search.search(ws, "gate").at == ""


def test_the_index_of_the_files_stays_where_it_is(ws) -> None:
    first = commit(ws, "the gate is red")
    commit(ws, "the gate is blue")
    search.search(ws, "gate")
    file = Path(ws.repo.molt_dir, "index.sqlite")
    before = file.read_bytes()
    said(ws, "gate", first)
    assert file.read_bytes() == before


def test_the_index_of_the_past_equals_a_fresh_one_wherever_it_has_been(ws) -> None:
    trees = [commit(ws, "the gate is red"), commit(ws, "the gate is blue")]
    trees.append(commit(ws, "the quay is closed", path="memory/2026-02-03.md"))
    provider, _ = providers.load(ws.config)
    rows = "SELECT c.path, first, last, text, hash, v.vector FROM chunks c LEFT JOIN vectors v"
    sql = f"{rows} ON v.id = c.id ORDER BY c.path, first"
    search.search(ws, "gate")
    for name in (trees[0], trees[2], trees[1], trees[0]):
        one = at(ws, name)
        with past.opened(ws, provider, one) as grown:
            past.freshen_index(ws, grown, provider, one)
            found = grown.rows(sql), grown.rows("SELECT * FROM files ORDER BY path")
        fresh = dbs.open(
            f"{ws.repo.molt_dir}/fresh-{name}.sqlite", vector_identity.fingerprint(provider)
        )
        sync.freshen(
            fresh, sync.Source(ws.repo.tree(one.tree)), budget_ms=60_000, provider=provider
        )
        assert found == (fresh.rows(sql), fresh.rows("SELECT * FROM files ORDER BY path"))
        fresh.close()


def test_what_was_never_committed_is_not_of_the_past(ws, tmp_path) -> None:
    commit(ws, "the gate is red")
    (tmp_path / "extra").mkdir()
    (tmp_path / "extra/note.md").write_text("the gate of another folder")
    wide = ws.replace(config=ws.config.replace(search_extra_paths=(str(tmp_path / "extra"),)))
    write(ws, "the gate is a draft", "memory/procedures/draft.md")
    assert len(search.search(wide, "gate").results) == 3
    assert said(wide, "gate", "HEAD") == ["the gate is red"]


def test_a_source_that_no_commit_has_cannot_be_asked(ws) -> None:
    with pytest.raises(errors.Usage, match="commits hold no extra files"):
        search.search(
            ws, "gate", search.SearchOptions(filters=Filters(sources=("extra",)), at=at(ws, "HEAD"))
        )


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        pytest.param("2026-02-02", "red", id="the end of a day"),
        pytest.param("2026-02-03T11:59", "red", id="before a commit"),
        pytest.param("2026-02-03T12:00", "blue", id="the second of a commit"),
        pytest.param("2026-02-03T12:30+01:00", "red", id="another zone"),
        pytest.param("2026-02-03", "blue", id="a day of a commit"),
        pytest.param("9999-12-31", "green", id="long after"),
    ],
)
def test_a_date_means_the_last_commit_up_to_it(ws, text: str, colour: str) -> None:
    # The first commit is made now, which no test should depend on: leave it out of the history.
    ws.repo.run("checkout", "-q", "--orphan", "fresh")
    commit(ws, "the gate is red", "2026-02-02T23:59:59Z")
    commit(ws, "the gate is blue", "2026-02-03T12:00:00Z")
    commit(ws, "the gate is green", "2026-02-04T00:00:00Z")
    assert said(ws, "gate", text) == [f"the gate is {colour}"]


def test_a_date_asks_the_history_of_first_parents(ws, git) -> None:
    root = Path(ws.repo.root)
    ws.repo.run("checkout", "-q", "--orphan", "fresh")
    commit(ws, "the gate is red", "2026-02-02T12:00:00Z")
    git(root, "checkout", "-qb", "side")
    commit(ws, "the quay is closed", "2026-02-03T12:00:00Z", "memory/2026-02-03.md")
    git(root, "checkout", "-q", "fresh")
    git(root, "merge", "-q", "--no-ff", "--no-verify", "-m", "[MERGE] * — side", "side")
    # As in a clone that has never had another history.
    Path(ws.repo.git_dir, "molt/quarantine").unlink()
    assert said(ws, "quay or gate", "2026-02-03") == ["the gate is red"]


@pytest.mark.parametrize("text", ["nope", "2026-02-02-fix", "HEAD~99", "-n1", "a\nb", "HEAD..HEAD"])
def test_an_unknown_revision_is_named_with_what_to_do(ws, text: str) -> None:
    with pytest.raises(errors.NotFound, match="no such revision") as caught:
        at(ws, text)
    assert "a date such as" in caught.value.hint


def test_a_date_before_the_first_commit_tells_when_that_was(ws) -> None:
    ws.repo.run("checkout", "-q", "--orphan", "fresh")
    commit(ws, "the gate is red", "2026-02-02T12:00:00Z")
    with pytest.raises(errors.NotFound, match="as old as 2026-02-01") as caught:
        at(ws, "2026-02-01")
    assert "2026-02-02T12:00:00" in caught.value.hint


def test_before_the_first_commit_nothing_can_be_asked(tmp_path, git) -> None:
    git(tmp_path, "init", "-q")
    repo = find.find_repo(str(tmp_path))
    for text in ("HEAD", "2026-02-02"):
        with pytest.raises(errors.NotFound):
            past.find_moment(repo, text, days.parse_second(text, "UTC"), LATER)


def test_decay_is_as_of_then(ws) -> None:
    entity = "memory/graph/entities/concept--gate.md"
    used = times.parse_time("2026-02-02T12:00:00Z")
    assert used is not None
    entry = {"base_relevance": 1.0, "type_weight": 1.0, "access_count": 1}
    scores = {"entity:concept--gate": {**entry, "last_accessed": times.render_time(used)}}
    text = score_file.render_scores({"version": 1, "entries": scores})
    write(ws, text, "memory/meta/decay-scores.json")
    commit(ws, GATE, path=entity)
    one = at(ws, "HEAD")
    then = search.search(
        ws, "gate", search.SearchOptions(at=one, sight=visible.Sight(one.now))
    ).results
    later = search.search(
        ws, "gate", search.SearchOptions(at=one, sight=visible.Sight(used + 30 * 86_400))
    ).results
    assert [found.signals["decay"] for found in then] == [1.0]
    assert [found.signals["decay"] < 1.0 for found in later] == [True]


def test_a_use_that_came_later_does_not_count(ws) -> None:
    commit(ws, GATE, path="memory/graph/entities/concept--gate.md")
    touch.touch_memories(ws, ["entity:concept--gate"], LATER)
    now = search.search(ws, "gate red", search.SearchOptions(sight=visible.Sight(LATER))).results
    then = search.search(
        ws, "gate red", search.SearchOptions(at=at(ws, "HEAD"), sight=visible.Sight(LATER))
    ).results
    assert [one.signals["decay"] for one in now] == [1.0]
    assert then == ()


def test_a_memory_is_read_as_it_was(ws) -> None:
    first = commit(ws, "the gate is red\n")
    Path(ws.repo.root, NOTE).unlink()
    assert get.get_passage(ws, NOTE, at=at(ws, first)).text == "the gate is red\n"
    with pytest.raises(errors.NotFound, match=f"no file {NOTE} at "):
        get.get_passage(ws, NOTE, at=at(ws, f"{first}~1"))


def test_a_link_of_the_past_is_not_read(ws) -> None:
    Path(ws.repo.root, "memory/procedures").mkdir(parents=True)
    Path(ws.repo.root, "memory/procedures/link.md").symlink_to("../../molt.yaml")
    commit(ws, "the gate is red")
    with pytest.raises(errors.NotFound):
        get.get_passage(ws, "memory/procedures/link.md", at=at(ws, "HEAD"))


def test_two_that_ask_for_different_commits_get_each_its_own(ws) -> None:
    commits = {colour: commit(ws, f"the gate is {colour}") for colour in ("red", "blue")}
    command = [sys.executable, "-m", "molt", "-q", "search", "gate", "--json", "--at"]

    def ask(colour: str) -> bool:
        args = [*command, commits[colour]]
        done = subprocess.run(args, cwd=ws.repo.root, capture_output=True, text=True)
        return f"the gate is {colour}" in done.stdout and done.stdout.count("the gate is") == 1

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, ["red", "blue"] * 6))


def test_a_damaged_index_of_the_past_is_made_anew(ws) -> None:
    commit(ws, "the gate is red")
    said(ws, "gate", "HEAD")
    Path(ws.repo.molt_dir, "index-at.sqlite").write_bytes(b"SQLite format 3\0" + b"\xff" * 9000)
    assert said(ws, "gate", "HEAD") == ["the gate is red"]


def test_a_rebuild_forgets_the_past(ws) -> None:
    commit(ws, "the gate is red")
    said(ws, "gate", "HEAD")
    past.delete_index(ws)
    assert not list(Path(ws.repo.molt_dir).glob("index-at*.sqlite*"))
    assert said(ws, "gate", "HEAD") == ["the gate is red"]


def test_a_long_way_begins_at_the_index_of_the_files(ws) -> None:
    old = commit(ws, "the gate is red")
    for number in range(90):
        write(ws, f"the gate has {number} bars", f"memory/notes/{number}.md")
    commit(ws, "the gate is blue")
    said(ws, "gate", old)
    search.search(ws, "gate")
    provider, _ = providers.load(ws.config)
    one = at(ws, "HEAD")
    with past.opened(ws, provider, one) as index:
        assert past.freshen_index(ws, index, provider, one).updated == 0
    assert said(ws, "gate", old) == ["the gate is red"]
