"""What is said while a command works: to anybody what a write waits for, the rest to a terminal."""

from __future__ import annotations

import io
import sys

import pytest

from molt.cli import main, output
from molt.cli.call import Call
from molt.repo.write import lease, news


class Terminal(io.StringIO):
    """A stderr at which a person looks."""

    def isatty(self) -> bool:
        return True


def make_call(*, quiet: bool = False, json: bool = False) -> Call:
    return Call(json=json, quiet=quiet)


@pytest.mark.parametrize("stderr", [Terminal, io.StringIO], ids=["person", "agent"])
def test_who_waits_for_git_reads_what_for(agent, run, monkeypatch, stderr) -> None:
    lock = agent / ".git/index.lock"

    def end_git(text: str) -> int:
        """End the git that is waited for, once told."""
        lock.unlink()
        return int(write(text))

    seen = stderr()
    write = seen.write
    monkeypatch.setattr(seen, "write", end_git)

    lock.touch()
    monkeypatch.setattr(lease, "SILENT", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", seen)
        assert main(["remember", "--store", "episodic", "the gate is red"]) == 0
    assert "molt: waiting up to " in seen.getvalue()
    assert f"{lock} is held by git; close the editor" in seen.getvalue()


@pytest.mark.parametrize("call", [make_call(quiet=True), make_call(json=True)], ids=["q", "json"])
def test_who_wants_results_alone_reads_nothing_of_it(agent, monkeypatch, call) -> None:
    call.replace(folder=str(agent)).workspace()
    monkeypatch.setattr(sys, "stderr", seen := Terminal())
    news.tell_waiting("waiting")
    assert seen.getvalue() == ""


def test_what_was_written_is_known_until_the_call_ends(agent, run) -> None:
    call = make_call().replace(folder=str(agent))
    call.workspace()
    news.note_written("[CREATE] a note")
    call.workspace()
    assert news.list_written() == ("[CREATE] a note",)
    run("status")
    assert news.list_written() == ()


def test_a_line_stands_there_until_the_work_is_done(monkeypatch) -> None:
    monkeypatch.setattr(sys, "stderr", seen := Terminal())
    with output.WaitingLine(make_call(), "looking"):
        assert seen.getvalue() == "looking …"
    assert seen.getvalue() == "looking …\r\x1b[K"


def test_a_line_goes_once(monkeypatch) -> None:
    monkeypatch.setattr(sys, "stderr", seen := Terminal())
    with output.WaitingLine(make_call(), "looking") as line:
        line.clear_line()
    assert seen.getvalue().count("\x1b[K") == 1


@pytest.mark.parametrize("call", [make_call(quiet=True), make_call(json=True)], ids=["q", "json"])
def test_who_wants_results_alone_sees_no_line(monkeypatch, call) -> None:
    monkeypatch.setattr(sys, "stderr", seen := Terminal())
    with output.WaitingLine(call, "looking"):
        pass
    assert seen.getvalue() == ""


def test_a_file_gets_no_line(agent, run) -> None:
    assert run("doctor").err == ""
