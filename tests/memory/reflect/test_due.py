"""When a reflection is due."""

from __future__ import annotations

from typing import Any

import pytest

from molt import trees
from molt.cli import main
from molt.formats.reflections import record
from molt.formats.reflections.record import ReflectionRecord
from molt.memory.reflect.decisions import approve, merged
from molt.memory.reflect.material import material
from molt.memory.reflect.schedule import due
from molt.memory.talks import ended
from molt.memory.workspace import Workspace

from .conftest import DAY, NOW, commit_files

HEAD = "## {:02d}:00:00 | fact | confidence: high | source: user-explicit\n"


def write_day(ws: Workspace, day: str, count: int) -> None:
    path = f"memory/episodes/{day}.md"
    text = trees.read_text(ws.head(), path) or f"# {day}\n"
    start = text.count("\n## ")
    rows = (f"\n{HEAD.format(number)}Harbour log {number}.\n" for number in range(count))
    commit_files(ws, {path: text + "".join(list(rows)[start:])})


def of(ws: Workspace, threshold: int) -> due.DueState:
    return due.find_due(ws.replace(config=ws.config.replace(reflection_threshold=threshold)))


def keep_record(ws: Workspace, number: int, base: str) -> None:
    one = ReflectionRecord(f"r-{number:03d}", "approved", base)
    commit_files(ws, {record.record_path(one.id): record.render_record(one)})


def test_one_is_due_when_enough_episodes_have_come(ws: Workspace) -> None:
    assert (of(ws, 2).fresh, of(ws, 2).is_due) == (1, False)
    assert of(ws, 2).reason == "1 of 2 episodes wait for a reflection"
    write_day(ws, "2026-02-02", 1)
    assert of(ws, 2).is_due


def test_only_what_came_since_the_last_one_counts(ws: Workspace) -> None:
    write_day(ws, "2026-02-02", 3)
    keep_record(ws, 1, ws.repo.resolve("HEAD"))
    assert of(ws, 50).fresh == 0
    write_day(ws, "2026-02-02", 5)
    commit_files(ws, {"memory/notes.md": "No episode.\n"})
    assert of(ws, 50).fresh == 2


def test_the_newest_record_whose_base_is_here_counts(ws: Workspace) -> None:
    write_day(ws, "2026-02-02", 3)
    for number in (9, 10):
        keep_record(ws, number, ws.repo.resolve("HEAD"))
        write_day(ws, "2026-02-02", 3 + number)
    keep_record(ws, 11, "1" * 40)
    keep_record(ws, 12, "HEAD")
    assert of(ws, 50).fresh == 1


def test_it_counts_as_a_reflection_reads(ws: Workspace) -> None:
    write_day(ws, "2026-02-02", 3)
    keep_record(ws, 1, ws.repo.resolve("HEAD"))
    write_day(ws, "2026-02-02", 5)
    write_day(ws, "2026-02-03", 2)
    read = material.read_material(ws, "2026-02-04", NOW.timestamp())
    assert of(ws, 50).fresh == len(read.fresh) == 4


def test_while_one_waits_none_is_due(ws: Workspace, propose: Any) -> None:
    propose()
    assert of(ws, 1).reason == "r-001 awaits a decision"
    assert not of(ws, 1).is_due
    approve.approve_reflection(ws, "r-001", approve.ALL, NOW)
    assert of(ws, 1).reason == "0 of 1 episodes wait for a reflection"


def test_a_call_that_is_not_due_says_so_and_makes_nothing(
    ws: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    before = ws.repo.run("for-each-ref")
    assert main(["--workspace", ws.repo.root, "reflect", "--if-due"]) == 0
    assert capsys.readouterr().out == "not due: 1 of 20 episodes wait for a reflection\n"
    assert main(["--workspace", ws.repo.root, "--json", "reflect", "--if-due"]) == 0
    assert '"due": false' in capsys.readouterr().out
    assert ws.repo.run("for-each-ref") == before


def test_a_day_of_long_ago_counts_with_what_is_new_in_it(ws: Workspace) -> None:
    keep_record(ws, 1, ws.repo.resolve("HEAD"))
    text = trees.read_text(ws.head(), DAY)
    commit_files(ws, {DAY: f"{text}\n{HEAD.format(23)}Late news.\n"})
    assert of(ws, 50).fresh == 1


def test_a_year_of_records_is_not_read_to_find_none_unfinished(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = "# Reflection Log\n"
    for number in range(1, 4):
        keep_record(ws, number, ws.repo.resolve("HEAD"))
        log += f"\n## r-{number:03d} | 2026-02-02 | approved | 1 of 1\n- **By**: manual\n"
    pending = ReflectionRecord("r-004", "pending", ws.repo.resolve("HEAD"))
    text = record.render_record(pending)
    commit_files(ws, {"memory/meta/reflection-log.md": log, record.record_path("r-004"): text})
    read: list[str] = []
    parse = record.parse_record

    def note(text: str) -> ReflectionRecord:
        read.append(text)
        return parse(text)

    monkeypatch.setattr(record, "parse_record", note)
    assert [one.id for one in merged.find_unfinished(ws.head())] == ["r-004"]
    assert read == [text]


def test_what_a_conversation_has_left_asks_for_one_when_it_ends(ws: Workspace) -> None:
    write_day(ws, "2026-02-02", 4)
    assert not of(ws, 50).is_due
    ended.append_ended(ws.repo, ended.EndedSession("s-1", "2026-02-02T18:00:00+00:00"))
    assert of(ws, 50).is_due
    assert of(ws, 50).reason == "5 of 50 episodes wait for a reflection, after 1 session"


def test_a_conversation_that_has_left_little_asks_for_none(ws: Workspace) -> None:
    ended.append_ended(ws.repo, ended.EndedSession("s-1", "2026-02-02T18:00:00+00:00"))
    assert not of(ws, 50).is_due


def test_the_ends_of_five_conversations_ask_for_one(ws: Workspace) -> None:
    for number in range(5):
        assert not of(ws, 50).is_due
        one = ended.EndedSession(f"s-{number}", "2026-02-02T18:00:00+00:00")
        ended.append_ended(ws.repo, one)
    assert of(ws, 50).is_due
