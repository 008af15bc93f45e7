"""The index of a workspace with every kind of provider, and what becomes of trouble."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback import Server, refuse, serving
from moments import BY_HAND

from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.consents import wishes
from molt.memory.search import index, search, watch
from molt.memory.workspace import Workspace

pytestmark = pytest.mark.slow

NOTES = {
    "apples.md": "# Apples\n\nThe orchard grows red apples.\n",
    "boats.md": "# Boats\n\nThe harbour keeps wooden boats.\n",
    "clouds.md": "# Clouds\n\nRain falls out of grey clouds.\n",
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as state:
        yield state


def made(path: Path, *lines: str) -> Workspace:
    """A workspace with three notes and these lines in the settings for embeddings."""
    setup.init(str(path))
    text = "".join(f"  {line}\n" for line in lines)
    (path / "molt.yaml").write_text(f"embedding:\n{text}" if lines else "", encoding="utf-8")
    for name, note in NOTES.items():
        file = path / "memory/procedures" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(note, encoding="utf-8")
    for args in (("add", "-A"), ("commit", "-qm", BY_HAND)):
        subprocess.run(["git", *args], cwd=path, check=True, capture_output=True)
    consenting = workspace.find(str(path))
    wishes.give_consent(consenting.repo, consenting.wishes)
    return workspace.find(str(path))


def remote(path: Path, server: Server, *more: str) -> Workspace:
    return made(path, "provider: openai", f"base_url: {server.url}", *more)


def first(ws: Workspace, text: str) -> tuple[str, search.Answer]:
    answer = search.search(ws, text)
    return os.path.basename(answer.results[0].path), answer


def test_a_latin_model_is_not_asked_for_other_scripts_which_are_found_all_the_same(
    tmp_path: Path, server: Server
) -> None:
    ws = remote(tmp_path, server, "model: all-minilm")
    (tmp_path / "memory/procedures/船.md").write_text("港口里有许多木船。\n", encoding="utf-8")
    assert index.build_index(ws).stale == 0
    name, answer = first(ws, "木船")
    assert name == "船.md"
    assert answer.results[0].signals["vector"] > 0.3
    assert "船" not in str(server.requests)


def test_a_remote_provider_answers_searches(tmp_path: Path, server: Server) -> None:
    ws = remote(tmp_path, server)
    outcome = index.build_index(ws)
    assert (outcome.provider, outcome.stale, outcome.failure) == ("openai", 0, "")
    name, answer = first(ws, "wooden boats")
    assert (name, answer.provider, answer.fallback, answer.stale) == ("boats.md", "openai", "", 0)
    assert answer.results[0].signals["vector"] > 0


def test_a_rebuild_asks_for_no_vector_twice(tmp_path: Path, server: Server) -> None:
    ws = remote(tmp_path, server)
    index.build_index(ws)
    asked = len(server.requests)
    assert index.build_index(ws, rebuild=True).stale == 0
    assert len(server.requests) == asked


def test_a_query_is_asked_for_once(tmp_path: Path, server: Server) -> None:
    ws = remote(tmp_path, server)
    index.build_index(ws)
    search.search(ws, "boats")
    asked = len(server.requests)
    assert search.search(ws, "boats").provider == "openai"
    assert len(server.requests) == asked


def test_an_outage_is_bridged_by_the_fallback_and_costs_no_vector(
    tmp_path: Path, server: Server
) -> None:
    ws = remote(tmp_path, server)
    index.build_index(ws)
    server.faults.append(refuse(401, {"error": {"message": "expired"}}))
    name, answer = first(ws, "grey clouds")
    assert (name, answer.provider) == ("clouds.md", "static")
    assert "expired" in answer.fallback
    asked = len(server.requests)
    assert index.build_index(ws).stale == 0
    assert len(server.requests) == asked


def test_without_a_fallback_an_outage_leaves_keywords(tmp_path: Path, server: Server) -> None:
    ws = remote(tmp_path, server, "fallback: none")
    server.faults += [refuse(401, {"error": {"message": "expired"}})] * 9
    name, answer = first(ws, "grey clouds")
    assert (name, answer.provider) == ("clouds.md", "none")
    assert answer.fallback.endswith("keywords only")


def test_what_was_done_before_a_failure_is_kept(tmp_path: Path, server: Server) -> None:
    ws = remote(tmp_path, server, "batch_size: 2", "dims: 8")
    server.faults += [None, refuse(400, {"error": {"message": "no more"}})]
    outcome = index.build_index(ws)
    assert "no more" in outcome.failure
    left = outcome.stale
    assert left > 0
    server.requests.clear()
    assert index.build_index(ws).stale == 0


def test_no_key_is_in_what_is_kept(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", "k-verysecret123")
    ws = remote(tmp_path, server, "api_key_env: THE_KEY")
    index.build_index(ws)
    search.search(ws, "boats")
    assert "k-verysecret123" in str(server.requests)
    files = [file for file in (tmp_path / ".git").rglob("*") if file.is_file()]
    assert not any(b"k-verysecret123" in file.read_bytes() for file in files)


def test_a_deleted_memory_leaves_no_text_behind(tmp_path: Path) -> None:
    ws = made(tmp_path)
    note = tmp_path / "memory/procedures/apples.md"
    note.write_text("# Secret\n\nThe xylophonist hides quokkas.\n", encoding="utf-8")
    index.build_index(ws)
    note.unlink()
    index.build_index(ws)
    for file in (tmp_path / ".git/molt").glob("index*"):
        data = file.read_bytes()
        assert b"quokka" not in data
        assert b"xylophonist" not in data


def test_an_interrupted_build_goes_on_where_it_was(tmp_path: Path) -> None:
    ws = made(tmp_path)

    def stop(what: str, done: int, _total: int) -> None:
        if what == "files" and done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.build_index(ws, progress=stop)
    assert index.read_status(ws).files == 2
    assert index.read_status(ws).changed > 0
    outcome = index.build_index(ws)
    assert 0 < outcome.updated < len(ws.files().entries())
    assert (index.read_status(ws).changed, index.read_status(ws).stale) == (0, 0)


def test_status_tells_what_waits_and_changes_nothing(tmp_path: Path) -> None:
    ws = made(tmp_path)
    before = index.read_status(ws)
    assert (before.files, before.provider) == (0, "static")
    assert before.changed >= len(NOTES)
    assert index.read_status(ws) == before
    index.build_index(ws)
    assert index.read_status(ws).changed == 0


def test_watching_follows_changes_until_it_is_told_to_stop(tmp_path: Path) -> None:
    ws = made(tmp_path)
    told: list[int] = []

    def pause(_seconds: float) -> bool:
        (tmp_path / f"memory/2026-01-0{len(told)}.md").write_text("A zebra.\n")
        return len(told) > 2

    watch.watch_files(ws, pause, told=lambda outcome: told.append(outcome.updated))
    assert told[1:] == [1, 1]


def test_a_signal_ends_watching_cleanly(tmp_path: Path) -> None:
    ws = made(tmp_path)
    args = [
        sys.executable,
        "-m",
        "molt",
        "--workspace",
        str(tmp_path),
        "--json",
        "index",
        "--watch",
    ]
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["updated"] >= len(NOTES)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said) == (0, b"")
    assert index.read_status(ws).changed == 0
