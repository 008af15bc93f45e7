"""Extra folders and transcripts: found, followed, redacted, and told apart from the memory."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import apsw
import pytest
from moments import commit_settings

from molt import errors
from molt.index.search.filters import Filters
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.answers import get
from molt.memory.consents import wishes
from molt.memory.search import index, search, sessions
from molt.memory.workspace import Workspace

pytestmark = pytest.mark.slow

KEY = "AKIA" + "Q3EGRIBZ5TJ2WXYZ"


def made(tmp_path: Path, *lines: str) -> Workspace:
    """A workspace with these lines in the settings for search."""
    path = tmp_path / "ws"
    setup.init(str(path))
    text = "".join(f"  {line}\n" for line in lines)
    commit_settings(path, f"search:\n{text}")
    consenting = workspace.find(str(path))
    wishes.give_consent(consenting.repo, consenting.wishes)
    return workspace.find(str(path))


def found(ws: Workspace, text: str, **filters: Any) -> list[search.Result]:
    """The results whose text has the word that is searched for."""
    answer = search.search(ws, text, search.SearchOptions(filters=Filters(**filters)))
    return [one for one in answer.results if text.lower() in one.snippet.lower()]


def claude(role: str, text: str | list[dict[str, str]], **more: object) -> str:
    message = {"role": role, "content": text}
    stamp = "2026-11-21T02:42:59.927Z"
    return json.dumps({"type": role, "timestamp": stamp, "message": message, **more}) + "\n"


def openclaw(role: str, text: str) -> str:
    blocks = [{"type": "thinking", "thinking": "hidden"}, {"type": "text", "text": text}]
    message = {"role": role, "content": blocks}
    return (
        json.dumps({"type": "message", "timestamp": "2026-11-20T01:00:00Z", "message": message})
        + "\n"
    )


def with_transcript(tmp_path: Path, *lines: str) -> tuple[Workspace, Path]:
    file = tmp_path / "talks/one.jsonl"
    file.parent.mkdir()
    file.write_text("".join(lines), encoding="utf-8")
    return made(tmp_path, "sources: [memory, sessions]", "session_paths: [../talks]"), file


def test_an_extra_folder_is_searched_and_followed(tmp_path: Path) -> None:
    notes = tmp_path / "notes/deep"
    notes.mkdir(parents=True)
    (notes / "zebra.md").write_text("# Zebras\n\nStripes confuse flies.\n")
    (notes / "zebra.txt").write_text("Stripes too.\n")
    ws = made(tmp_path, "extra_paths: [../notes]")
    (one,) = found(ws, "stripes")
    assert (one.path, one.source, one.start_line) == (str(notes / "zebra.md"), "extra", 1)
    assert one.citation.startswith(f"{notes}/zebra.md#L1-L")
    (notes / "zebra.md").write_text("# Zebras\n\nHooves are loud in the morning.\n")
    assert (found(ws, "stripes"), len(found(ws, "hooves"))) == ([], 1)
    (notes / "zebra.md").unlink()
    assert found(ws, "hooves") == []


def test_what_an_answer_names_of_extra_folders_is_read(tmp_path: Path) -> None:
    ws = made(tmp_path, "extra_paths: [docs, ../notes]")
    for folder in (tmp_path / "ws/docs", tmp_path / "notes"):
        folder.mkdir()
        (folder / "zebra.markdown").write_text(f"# Zebras\n\nStripes of {folder.name}.\n")
        (folder / "zebra.txt").write_text("No stripes.\n")
    places = {one.path: one for one in found(ws, "stripes")}
    inside, outside = "docs/zebra.markdown", str(tmp_path / "notes/zebra.markdown")
    assert places.keys() == {inside, outside}
    for path, one in places.items():
        assert one.id == path
        for ref in (one.id, one.citation):
            assert "Stripes of" in get.get_passage(ws, ref).text
    for other in ("docs/zebra.txt", "molt.yaml", "docs/../docs/zebra.markdown", "docs/none.md"):
        with pytest.raises(errors.MoltError):
            get.get_passage(ws, other)
    (tmp_path / "ws/docs/away.md").symlink_to(tmp_path / "notes/zebra.txt")
    with pytest.raises(errors.Usage):
        get.get_passage(ws, "docs/away.md")


def test_links_hidden_files_and_the_memory_itself_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    (tmp_path / "else/secret.md").write_text("Stripes.\n")
    notes = tmp_path / "notes"
    (notes / ".hidden").mkdir(parents=True)
    (notes / ".hidden/a.md").write_text("Stripes.\n")
    (notes / "link.md").symlink_to(tmp_path / "else/secret.md")
    (notes / "folder").symlink_to(tmp_path / "else")
    ws = made(tmp_path, f"extra_paths: [{notes}, ., ../missing]")
    (tmp_path / "ws/memory/2026-01-01.md").write_text("Stripes of my own.\n")
    assert [one.path for one in found(ws, "stripes")] == ["memory/2026-01-01.md"]


def test_sources_can_be_chosen_and_taken_away(tmp_path: Path) -> None:
    ws, _ = with_transcript(tmp_path, claude("user", "stripes in a talk"))
    (tmp_path / "ws/memory/2026-01-01.md").write_text("Stripes of my own.\n")
    index.build_index(ws)
    assert {one.source for one in found(ws, "stripes")} == {"memory", "sessions"}
    for name in ("memory", "sessions"):
        assert {one.source for one in found(ws, "stripes", sources=(name,))} == {name}
    assert found(ws, "stripes", sources=("extra",)) == []
    only = ws.replace(config=ws.config.replace(search_sources=("memory",)))
    assert {one.source for one in found(only, "stripes")} == {"memory"}


def test_transcripts_are_left_alone_unless_asked_for(tmp_path: Path) -> None:
    ws, _ = with_transcript(tmp_path, claude("user", "stripes in a talk"))
    plain = ws.replace(config=ws.config.replace(search_sources=("memory",)))
    index.build_index(plain)
    assert found(plain, "stripes") == []
    assert not (tmp_path / "ws/.git/molt" / sessions.STATE).exists()


@pytest.mark.parametrize(
    "line",
    [
        claude("user", "zebra", isSidechain=True),
        claude("user", "zebra", isMeta=True),
        claude("user", "zebra", isCompactSummary=True),
        claude("user", "<system-reminder>zebra</system-reminder>"),
        claude("user", [{"type": "tool_result", "content": "zebra"}]),
        claude("assistant", [{"type": "thinking", "thinking": "zebra"}]),
        json.dumps({"type": "attachment", "attachment": {"content": "zebra"}}) + "\n",
        json.dumps({"type": "summary", "summary": "zebra"}) + "\n",
        openclaw("toolResult", "zebra"),
        openclaw("user", "[cron:nightly] zebra"),
        openclaw("user", "HEARTBEAT zebra"),
        "{ zebra\n",
        '"zebra"\n',
    ],
)
def test_only_what_was_said_is_indexed(tmp_path: Path, line: str) -> None:
    ws, _ = with_transcript(tmp_path, line, claude("user", "We met a giraffe."))
    index.build_index(ws)
    assert found(ws, "zebra") == []
    assert len(found(ws, "giraffe")) == 1


@pytest.mark.parametrize(
    "line", [claude("user", "zebra crossing"), openclaw("user", "zebra crossing")]
)
def test_a_result_points_at_the_lines_of_the_transcript(tmp_path: Path, line: str) -> None:
    ws, _ = with_transcript(tmp_path, json.dumps({"type": "mode"}) + "\n", line)
    index.build_index(ws)
    (one,) = found(ws, "zebra")
    assert (one.citation, one.source) == ("session:one#L2-L2", "sessions")
    assert one.snippet == "user: zebra crossing"


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        (f"my key is {KEY} ok", KEY),
        ("password: hunter2secret!", "hunter2secret"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIabcdef\n-----END RSA PRIVATE KEY-----", "MIIabcdef"),
        ("postgres://ada:tr0ub4dor@db/x", "tr0ub4dor"),
    ],
)
def test_secrets_are_taken_out(tmp_path: Path, said: str, secret: str) -> None:
    ws, _ = with_transcript(tmp_path, claude("user", f"{said} giraffe"))
    index.build_index(ws)
    (one,) = found(ws, "giraffe")
    assert "[" in one.snippet
    assert secret not in one.snippet
    files = [file for file in (tmp_path / "ws/.git").rglob("*") if file.is_file()]
    assert not any(secret.encode() in file.read_bytes() for file in files)


def test_a_growing_transcript_is_read_by_deltas(tmp_path: Path) -> None:
    ws, file = with_transcript(tmp_path, *[claude("user", f"old {n}") for n in range(120)])
    index.build_index(ws)
    before = sessions.find_sources(ws, everything=True).versions
    assert len(before) == 3
    with file.open("a") as out:
        out.write(claude("user", "a zebra came by"))
    assert found(ws, "zebra") == []
    with file.open("a") as out:
        out.writelines(claude("user", f"new {n}") for n in range(sessions.DELTA_LINES))
    (one,) = found(ws, "zebra")
    assert one.start_line <= 121 <= one.end_line
    after = sessions.find_sources(ws, everything=True).versions
    assert [after[path] == before[path] for path in before] == [True, True, False]


def test_the_end_of_a_finished_talk_needs_no_threshold(tmp_path: Path) -> None:
    ws, file = with_transcript(tmp_path, claude("user", "a zebra came by"))
    assert found(ws, "zebra") == []
    newer = file.with_name("two.jsonl")
    newer.write_text(claude("user", "hello"))
    os.utime(file, (1, 1))
    assert len(found(ws, "zebra")) == 1


@pytest.mark.parametrize(
    "again",
    [claude("user", "okapi"), claude("user", "okapi") * 20],
    ids=["shorter", "replaced"],
)
def test_a_truncated_or_replaced_transcript_is_read_anew(tmp_path: Path, again: str) -> None:
    ws, file = with_transcript(tmp_path, *[claude("user", "a zebra came by")] * 3)
    index.build_index(ws)
    file.write_text(again)
    index.build_index(ws)
    assert found(ws, "zebra") == []
    assert found(ws, "okapi")


def test_a_line_that_is_still_being_written_waits(tmp_path: Path) -> None:
    line = claude("user", "the zebra and the okapi")
    ws, file = with_transcript(tmp_path, claude("user", "hello"), line[:30])
    index.build_index(ws)
    assert found(ws, "zebra") == []
    with file.open("a") as out:
        out.write(line[30:])
    index.build_index(ws)
    assert [one.citation for one in found(ws, "zebra")] == ["session:one#L1-L2"]


def test_a_deleted_transcript_is_forgotten(tmp_path: Path) -> None:
    ws, file = with_transcript(tmp_path, claude("user", "a zebra came by"))
    index.build_index(ws)
    file.unlink()
    assert found(ws, "zebra") == []


def test_talks_that_others_heard_are_left_out(tmp_path: Path) -> None:
    ws, file = with_transcript(tmp_path, openclaw("user", "a zebra came by"))
    other = file.with_name("two.jsonl")
    other.write_text(openclaw("user", "a zebra in the group"))
    keys = {"agent:main:main": "one", "agent:main:chat:group:7": "two"}
    entries = {key: {"sessionId": name} for key, name in keys.items()}
    file.with_name("sessions.json").write_text(json.dumps(entries))
    index.build_index(ws)
    assert [one.path for one in found(ws, "zebra")] == ["session:one"]


def database(path: Path, *rows: tuple[str, int, str | None, bytes | None]) -> None:
    con = apsw.Connection(str(path))
    con.execute(
        "CREATE TABLE session_windows(session_id PRIMARY KEY, session_key);"
        "CREATE TABLE transcript_events(session_id, seq, event_json, created_at, event_zstd,"
        " navigation_json, PRIMARY KEY(session_id, seq));"
        "INSERT INTO session_windows VALUES('s1','agent:main:main'),('s2','agent:main:x:group:1')"
    )
    insert = "INSERT INTO transcript_events VALUES(?1,?2,?3,?2,?4,NULL)"
    con.executemany(insert, rows)
    con.close()


def test_a_database_of_openclaw_is_read_and_never_written(tmp_path: Path) -> None:
    ws, file = with_transcript(tmp_path)
    path = file.with_name("openclaw-agent.sqlite")
    said = openclaw("user", "a zebra came by")
    database(path, ("s1", 0, said, None), ("s2", 0, said, None), ("s1", 1, None, None))
    before = path.read_bytes()
    index.build_index(ws)
    assert [one.citation for one in found(ws, "zebra")] == ["session:s1#L1-L1"]
    assert path.read_bytes() == before


def test_a_packed_message_is_read_or_named(tmp_path: Path) -> None:
    ws, file = with_transcript(tmp_path)
    # A zstd frame with one raw block.
    said = openclaw("user", "a zebra came by").encode()
    size = (len(said) << 3 | 1).to_bytes(3, "little")
    packed = b"\x28\xb5\x2f\xfd\x20" + bytes([len(said)]) + size + said
    database(file.with_name("openclaw-agent.sqlite"), ("s1", 0, None, packed))
    outcome = index.build_index(ws)
    assert bool(found(ws, "zebra")) != bool(outcome.notes)


def test_a_database_that_is_none_is_named(tmp_path: Path) -> None:
    ws, file = with_transcript(tmp_path, claude("user", "a zebra came by"))
    file.with_name("openclaw-agent.sqlite").write_bytes(b"junk" * 999)
    outcome = index.build_index(ws)
    assert "openclaw-agent.sqlite cannot be read" in outcome.notes[0]
    assert len(found(ws, "zebra")) == 1


def test_the_hosts_own_folders_are_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    ws = made(tmp_path, "sources: [memory, sessions]")
    slug = "".join(one if one.isascii() and one.isalnum() else "-" for one in ws.repo.root)
    for folder, name in ((f".claude/projects/{slug}", "c"), (".openclaw/agents/a/sessions", "o")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / f"{name}.jsonl").write_text(claude("user", f"zebra {name}"))
    (tmp_path / ".claude/projects/-other").mkdir()
    (tmp_path / ".claude/projects/-other/x.jsonl").write_text(claude("user", "zebra"))
    index.build_index(ws)
    assert {one.path for one in found(ws, "zebra")} == {"session:c", "session:o"}


def test_transcripts_are_never_committed(tmp_path: Path) -> None:
    ws, _ = with_transcript(tmp_path, claude("user", "a zebra came by"))
    index.build_index(ws)
    assert ws.repo.run("status", "--porcelain") == ""
