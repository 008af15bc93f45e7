"""Vectors by batch: handed in, waited for, fetched, and what becomes of trouble in between."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from loopback import Server, hang_up, refuse, run_gemini, run_openai, serving
from moments import BY_HAND

from molt import errors
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.search import batch, index, search
from molt.memory.workspace import Workspace

pytestmark = pytest.mark.slow

Run = Callable[..., None]
BOTH = pytest.mark.parametrize(("name", "run"), [("openai", run_openai), ("gemini", run_gemini)])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as state:
        yield state


def made(path: Path, server: Server, name: str = "openai", model: str = "m") -> Workspace:
    """A workspace with some notes, whose vectors come from the server."""
    setup.init(str(path))
    lines = (f"provider: {name}", f"base_url: {server.url}", "dims: 8", f"model: {model}")
    text = "".join(f"  {line}\n" for line in lines)
    (path / "molt.yaml").write_text(f"embedding:\n{text}", encoding="utf-8")
    for number, word in enumerate(("apples", "boats", "clouds")):
        (path / f"memory/2026-01-0{number + 1}.md").write_text(f"We like {word}.\n")
    for args in (("add", "-A"), ("commit", "-qm", BY_HAND)):
        subprocess.run(["git", *args], cwd=path, check=True, capture_output=True)
    return workspace.find(str(path))


@BOTH
def test_a_batch_is_handed_in_waited_for_and_fetched(
    tmp_path: Path, server: Server, name: str, run: Run
) -> None:
    ws = made(tmp_path, server, name)
    first = batch.backfill_vectors(ws)
    assert (first.state, first.taken, first.stale >= 3) == ("submitted", 0, True)
    assert batch.backfill_vectors(ws).state == "running"
    run(server, first.job)
    done = batch.backfill_vectors(ws)
    assert (done.state, done.taken, done.stale) == ("done", first.stale, 0)
    assert batch.backfill_vectors(ws).state == "nothing"
    server.requests.clear()
    assert search.search(ws, "boats").results[0].path == "memory/2026-01-02.md"
    assert len(server.requests) == 1


@BOTH
def test_the_vectors_of_a_batch_are_kept_for_a_rebuild(
    tmp_path: Path, server: Server, name: str, run: Run
) -> None:
    ws = made(tmp_path, server, name)
    run(server, batch.backfill_vectors(ws).job)
    batch.backfill_vectors(ws)
    server.requests.clear()
    assert index.build_index(ws, rebuild=True).stale == 0
    assert server.requests == []


def test_a_batch_of_a_latin_model_is_joined_with_the_model_in_the_package(
    tmp_path: Path, server: Server
) -> None:
    ws = made(tmp_path, server, model="all-minilm")
    run_openai(server, batch.backfill_vectors(ws).job)
    done = batch.backfill_vectors(ws)
    assert (done.state, done.stale) == ("done", 0)
    server.requests.clear()
    index.build_index(ws, rebuild=True)
    assert server.requests == []
    found = search.search(ws, "boats").results[0]
    assert found.path == "memory/2026-01-02.md"
    assert found.signals["vector"] > 0.3


@BOTH
def test_texts_that_failed_are_told_and_handed_in_again(
    tmp_path: Path, server: Server, name: str, run: Run
) -> None:
    ws = made(tmp_path, server, name)
    run(server, batch.backfill_vectors(ws).job, failing=2)
    done = batch.backfill_vectors(ws)
    assert (done.state, done.stale, done.troubles) == ("done", 2, ("too long",) * 2)
    again = batch.backfill_vectors(ws)
    assert (again.state, again.detail) == ("submitted", "2 texts")


@BOTH
def test_an_expired_job_gives_what_it_made(
    tmp_path: Path, server: Server, name: str, run: Run
) -> None:
    ws = made(tmp_path, server, name)
    status = "expired" if name == "openai" else "EXPIRED"
    run(server, batch.backfill_vectors(ws).job, status=status, failing=1)
    done = batch.backfill_vectors(ws)
    assert (done.state, done.stale) == ("failed", 1)
    assert "expired" in done.detail
    assert batch.backfill_vectors(ws).state == "submitted"


def test_a_call_that_was_killed_hands_nothing_in_twice(tmp_path: Path, server: Server) -> None:
    ws = made(tmp_path, server)
    job = batch.backfill_vectors(ws).job
    state = tmp_path / ".git/molt/batch.json"
    state.write_text(state.read_text().replace(job, ""))
    assert batch.backfill_vectors(ws).job == job
    assert (len(server.jobs), len(server.files)) == (1, 1)


def test_a_job_that_is_gone_is_told_and_let_go(tmp_path: Path, server: Server) -> None:
    ws = made(tmp_path, server)
    batch.backfill_vectors(ws)
    server.jobs.clear()
    assert batch.backfill_vectors(ws).state == "failed"
    assert batch.backfill_vectors(ws).state == "submitted"


def test_trouble_on_the_way_leaves_the_job_as_it_was(tmp_path: Path, server: Server) -> None:
    ws = made(tmp_path, server)
    job = batch.backfill_vectors(ws).job
    server.faults.append(refuse(401, {"error": {"message": "expired key"}}))
    with pytest.raises(errors.Unavailable, match="expired key"):
        batch.backfill_vectors(ws)
    server.faults.append(hang_up)
    assert (batch.backfill_vectors(ws).state, batch.backfill_vectors(ws).job) == ("running", job)


def test_an_account_without_batches_is_told_what_to_do(tmp_path: Path, server: Server) -> None:
    ws = made(tmp_path, server, "gemini")
    server.faults += [None, refuse(404, {"error": {"message": "not here"}})]
    with pytest.raises(errors.Unavailable) as caught:
        batch.backfill_vectors(ws)
    assert "without --batch" in caught.value.hint
    assert not (tmp_path / ".git/molt/batch.json").exists()


def test_a_search_does_not_pay_for_what_was_handed_in(tmp_path: Path, server: Server) -> None:
    ws = made(tmp_path, server)
    job = batch.backfill_vectors(ws)
    server.requests.clear()
    answer = search.search(ws, "boats")
    assert (answer.stale, len(server.requests)) == (job.stale, 1)
    assert answer.results[0].path == "memory/2026-01-02.md"
    assert index.read_status(ws).batch == job.job


def test_vectors_of_another_model_are_let_go(tmp_path: Path, server: Server) -> None:
    ws = made(tmp_path, server)
    run_openai(server, batch.backfill_vectors(ws).job)
    other = ws.replace(config=ws.config.replace(embedding_model="other"))
    report = batch.backfill_vectors(other)
    assert (report.state, report.taken) == ("submitted", 0)


def test_a_provider_without_batches_says_so(tmp_path: Path, server: Server) -> None:
    ws = made(tmp_path, server, "ollama")
    with pytest.raises(errors.Usage, match="ollama has no batches"):
        batch.backfill_vectors(ws)


def test_lines_of_a_result_that_are_wrong_are_told(tmp_path: Path, server: Server) -> None:
    ws = made(tmp_path, server)
    job = batch.backfill_vectors(ws).job
    run_openai(server, job)
    rows = server.files[f"out-{job}"].splitlines()
    server.files[f"out-{job}"] = b"\n".join([b"{", b'{"custom_id": "x"}', *rows[2:]])
    done = batch.backfill_vectors(ws)
    assert (done.stale, done.troubles) == (2, ("a line that is none of its API", "no answer"))
