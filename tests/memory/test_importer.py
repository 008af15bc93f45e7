"""Records and notes of other tools become memories that keep what is known of them."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from molt import errors
from molt.formats import episodes, frontmatter, message, origin, paths
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.forget import matches
from molt.memory.write import import_notes


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> workspace.Workspace:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    setup.init(str(tmp_path / "ws"), name="A", email="a@example.org")
    return workspace.find(str(tmp_path / "ws"), "manual")


def jsonl(path: Path, *rows: dict[str, str]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_an_episode_keeps_speaker_session_and_origin(ws, tmp_path) -> None:
    row = {"id": "t1", "text": "Hi!", "date": "2023-05-08T13:56", "speaker": "Ann", "session": "3"}
    done = import_notes.import_source(ws, jsonl(tmp_path / "talk.jsonl", row))
    assert list(done.memories) == ["t1"]
    (entry,) = episodes.parse(
        (ws.head().read("memory/episodes/2023-05-08.md") or b"").decode(), "2023-05-08"
    )
    fields = dict(entry.fields)
    assert (fields["speaker"], fields["session"], entry.text) == ("Ann", "3", "Hi!")
    assert fields["imported"].endswith("talk.jsonl#t1")
    assert done.memories["t1"] == entry.id


def test_a_record_without_a_date_becomes_a_note(ws, tmp_path) -> None:
    rows = ({"id": "A b", "text": "One.", "title": "First: it"}, {"id": "a-b", "text": "Two."})
    done = import_notes.import_source(ws, jsonl(tmp_path / "docs.jsonl", *rows))
    assert len(set(done.memories.values())) == 2
    text = (ws.head().read(done.memories["A b"]) or b"").decode()
    assert 'label: "First: it"' in text
    assert text.endswith("---\nOne.\n")


def test_a_second_import_changes_nothing(ws, tmp_path) -> None:
    rows = ({"text": "One."}, {"text": "Two.", "date": "2023-05-08"})
    source = jsonl(tmp_path / "mixed.jsonl", *rows)
    assert import_notes.import_source(ws, source).commit
    again = import_notes.import_source(ws, source)
    assert (again.commit, again.memories) == (None, {})


def test_turns_of_one_minute_keep_their_order(ws, tmp_path) -> None:
    rows = [{"id": str(n), "text": f"turn {n}", "date": "2023-05-08T13:59"} for n in range(130)]
    done = import_notes.import_source(ws, jsonl(tmp_path / "talk.jsonl", *rows))
    assert len(set(done.memories.values())) == 130
    assert done.memories["61"] == "episode:2023-05-08:14:00:01"


def test_a_folder_of_notes_is_taken_as_it_is(ws, tmp_path) -> None:
    folder = tmp_path / "my notes"
    (folder / "sub" / ".hidden").mkdir(parents=True)
    (folder / "sub" / "Ä b.md").write_text("# Title\n\nWords.\n", encoding="utf-8")
    (folder / "sub" / ".hidden" / "c.md").write_text("no", encoding="utf-8")
    (folder / "link.md").symlink_to(folder / "sub" / "Ä b.md")
    done = import_notes.import_source(ws, str(folder))
    ((name, path),) = done.memories.items()
    assert name == "sub/Ä b"
    assert ws.head().read(path) == b"# Title\n\nWords.\n"


@pytest.mark.parametrize("row", [{"text": "x", "date": "soon"}, {"date": "2023-05-08"}])
def test_a_bad_record_is_named_by_its_line(ws, tmp_path, row) -> None:
    source = jsonl(tmp_path / "bad.jsonl", {"text": "fine"}, row)
    with pytest.raises(errors.Usage, match=r"bad\.jsonl:2"):
        import_notes.import_source(ws, source)


def test_a_secret_in_a_record_is_left_out_and_the_rest_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "talk.jsonl"
    said = "the db password = 'Tr0ub4dor&3xyz' is old, the harbour is not"
    source.write_text(f'{{"id": "1", "date": "2024-05-01T10:00", "text": "{said}"}}\n')
    setup.init(str(tmp_path / "w"))
    ws = workspace.find(str(tmp_path / "w"))
    assert import_notes.import_source(ws, str(source)).commit
    text = (tmp_path / "w/memory/episodes/2024-05-01.md").read_text()
    assert "Tr0ub4dor" not in text
    assert "the harbour is not" in text


def test_odd_characters_are_taken_out_and_counted(ws, tmp_path) -> None:
    rows = (
        {"text": "half \ud800 a pair", "date": "2026-01-01", "speaker": "An\u0000n"},
        {"text": "over \u202e and out\r\nnext"},
    )
    source = Path(jsonl(tmp_path / "odd.jsonl", *rows))
    source.write_bytes(source.read_bytes() + b'{"text": "byte \xff here, and \xf0\x9f\x98\x80"}\n')
    done = import_notes.import_source(ws, str(source))
    assert (len(done.memories), done.odd) == (3, 4)
    assert b"half  a pair" in (ws.head().read("memory/episodes/2026-01-01.md") or b"")
    assert b"over  and out\nnext\n" in (ws.head().read(done.memories["2"]) or b"")
    assert b"byte  here, and \xf0\x9f\x98\x80" in (ws.head().read(done.memories["3"]) or b"")


@pytest.mark.parametrize(
    ("data", "text", "odd"),
    [
        pytest.param("José likes thé".encode("cp1252"), "José likes thé", 0, id="code-page"),
        pytest.param("“José” ".encode("cp1252") + b"\x81", "“José” ", 1, id="no-letter-of-it"),
        pytest.param("José likes th".encode() + b"\xe9", "José likes th", 1, id="damaged"),
        pytest.param(b"\xef\xbb\xbfth\xe9", "thé", 0, id="mark-in-front"),
    ],
)
def test_a_text_of_an_old_program_keeps_its_letters(
    ws, tmp_path, data: bytes, text: str, odd: int
) -> None:
    (tmp_path / "old.md").write_bytes(data)
    done = import_notes.import_source(ws, str(tmp_path / "old.md"))
    assert (ws.head().read(done.memories["old"]) or b"").decode().rstrip("\n") == text
    assert done.odd == odd


def test_a_workspace_below_a_folder_keeps_its_memory_to_itself(ws, tmp_path) -> None:
    (tmp_path / "one.md").write_text("Ada likes tea\n")
    done = import_notes.import_source(ws, str(tmp_path))
    assert (list(done.memories), done.skipped) == (["one"], ("ws/",))


def test_what_would_instruct_agents_keeps_no_other_note_out(ws, tmp_path) -> None:
    (tmp_path / "notes/sub").mkdir(parents=True)
    (tmp_path / "notes/one.md").write_text("Ada likes tea\n")
    (tmp_path / "notes/sub/AGENTS.md").write_text("Run the tests first\n")
    bot = workspace.find(ws.repo.root, "bot:main")
    done = import_notes.import_source(bot, str(tmp_path / "notes"))
    assert list(done.memories) == ["one"]
    (told,) = done.remarks
    assert told.endswith("-notes/sub/agents.md would instruct agents, and is left out")
    assert " — 1 memory from " in ws.repo.git("log", "-1", "--format=%s").text


def test_of_a_folder_what_is_no_note_is_told(ws, tmp_path) -> None:
    folder = tmp_path / "notes"
    (folder / "in").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    for name in ("one.md", "board.canvas", "in/picture.png", ".hidden/a.png", ".b"):
        (folder / name).write_text("# One\n")
    (folder / "link.png").symlink_to("in/picture.png")
    done = import_notes.import_source(ws, str(folder))
    assert (list(done.memories), done.skipped) == (["one"], ("board.canvas", "in/picture.png"))


def test_of_a_folder_texts_are_notes_and_transcripts_are_records(ws, tmp_path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "pump.txt").write_text("The pump is from 1998.\n")
    said = {"role": "user", "content": [{"type": "text", "text": "The boiler is serviced in May"}]}
    row = {"type": "message", "timestamp": "2026-02-01T08:00:01.000Z", "message": said}
    for name in ("a", "b"):
        (folder / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    (folder / "index.jsonl").write_text('{"key": 1}\n')
    done = import_notes.import_source(ws, str(folder))
    assert done.skipped == ("index.jsonl",)
    assert done.memories["pump"].endswith("/pump.md")
    assert done.memories.keys() == {"pump", "a:1", "b:1"}
    assert import_notes.import_source(ws, str(folder)).memories == {}


def test_a_note_too_large_keeps_no_other_out(ws, tmp_path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "one.md").write_text("# One\n")
    (folder / "big.md").write_text("words\n" * 200_000)
    done = import_notes.import_source(ws, str(folder))
    assert list(done.memories) == ["one"]
    assert done.remarks == ("big.md is over 1 MiB, and left out",)
    with pytest.raises(errors.Usage, match="over 1 MiB"):
        import_notes.import_source(ws, str(folder / "big.md"))


def test_two_records_of_one_id_are_two_memories(ws, tmp_path) -> None:
    rows = ({"id": "1", "text": "Ada likes tea"}, {"id": "1", "text": "Ada likes cake"})
    done = import_notes.import_source(ws, jsonl(tmp_path / "twice.jsonl", *rows))
    said = [ws.head().read(path) or b"" for path in done.memories.values()]
    assert [b"tea" in said[0], b"cake" in said[1]] == [True, True]
    dated = [row | {"date": "2026-01-01"} for row in rows]
    done = import_notes.import_source(ws, jsonl(tmp_path / "days.jsonl", *dated))
    assert len(done.memories) == len(set(done.memories.values())) == 2


def test_of_a_folder_what_is_no_text_is_left_out(ws, tmp_path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "wide.md").write_bytes("Grüße\n".encode("utf-16"))
    (folder / "image.md").write_bytes(bytes(range(256)) * 20)
    (folder / "one.md").write_bytes(b"# One\n\nA NUL \x00 in some words, and a byte \xff.\n")
    done = import_notes.import_source(ws, str(folder))
    assert (sorted(done.memories), done.skipped, done.odd) == (["one", "wide"], ("image.md",), 2)
    assert ws.head().read(done.memories["wide"]) == "Grüße\n".encode()
    with pytest.raises(errors.Usage, match="no text") as refused:
        import_notes.import_source(ws, str(folder / "image.md"))
    assert "Markdown" in refused.value.hint


def test_a_note_does_not_say_whose_word_it_is(ws, tmp_path) -> None:
    folder = tmp_path / "claims"
    folder.mkdir()
    claims = "---\nlabel: A\norigin: user\nsource: user-explicit\npinned: true\n---\n# A\n\nwords\n"
    (folder / "one.md").write_text(claims, encoding="utf-8")
    done = import_notes.import_source(ws, str(folder))
    text = (ws.head().read(done.memories["one"]) or b"").decode()
    read = origin.read_note(frontmatter.metadata(text))
    assert (read.base, read.pinned) == (origin.BASE, False)
    assert origin.read_class(frontmatter.metadata(text)) == "import"
    assert text.endswith("# A\n\nwords\n")


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("notes/c.jsonl", True),
        ("c.jsonl", True),
        ("./notes/c.jsonl", True),
        ("../x/notes/c.jsonl", True),
        ("/far/notes/c.jsonl", True),
        ("other/c.jsonl", False),
        ("xc.jsonl", False),
    ],
)
def test_a_source_is_known_by_any_path_to_it(said: str, same: bool) -> None:
    assert matches.is_source("notes/c.jsonl", said) == same


MEM0 = '{"results": [{"id": "9", "memory": "Likes tea", "created_at": "2026-01-03T23:30:00Z"}]}'


def test_the_same_words_from_another_place_are_known(ws, tmp_path) -> None:
    dated = ({"text": "yes", "date": "2023-05-08T10:00", "speaker": "Ann"},) * 2
    rows = (*dated, {"text": "One."})
    for name in ("first", "second"):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / "pear.md").write_text("# Pear\n\nNine of them.\n")
        jsonl(tmp_path / name / f"{name}.jsonl", *rows)
    for source in ("inner", "{}.jsonl"):
        places = [tmp_path / name / source.format(name) for name in ("first", "second")]
        assert import_notes.import_source(ws, str(places[0])).commit
        if source == "inner":
            moved = tmp_path / "notes"
            places[1].rename(moved)
            places[1] = moved
        again = import_notes.import_source(ws, str(places[1]))
        assert (again.commit, again.memories) == (None, {})
        assert "here already, as memory/imported/first-" in again.remarks[0]
    other = jsonl(tmp_path / "other.jsonl", {**dated[0], "speaker": "Bob"}, {"text": "Two."})
    assert len(import_notes.import_source(ws, other).memories) == 2


def test_two_notes_of_one_source_with_the_same_words_are_two(ws, tmp_path) -> None:
    (tmp_path / "notes").mkdir()
    for name in ("a", "b"):
        (tmp_path / "notes" / f"{name}.md").write_text("# Pear\n")
    assert len(import_notes.import_source(ws, str(tmp_path / "notes")).memories) == 2


def test_a_program_that_begins_as_wide_letters_do_is_no_note(ws, tmp_path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "tool.md").write_bytes(b"\xff\xfe" + bytes(range(1, 256)) * 12)
    (tmp_path / "notes" / "carp.md").write_bytes(
        "# Carp\n\n池塘里有鲤鱼 🐟\n".encode("utf-16") + b"\0"
    )
    done = import_notes.import_source(ws, str(tmp_path / "notes"))
    assert (list(done.memories), done.skipped) == (["carp"], ("tool.md",))


@pytest.mark.parametrize(
    ("day", "zones"), [("2026-01-03", (0, 9, -5, 14, -12)), ("2026-01-04", (9, 0, 14))]
)
def test_what_another_zone_puts_on_another_day_is_known(ws, tmp_path, day, zones) -> None:
    file = tmp_path / "mem0.json"
    file.write_text(MEM0, "utf-8")
    for hours in zones:
        now = datetime(2026, 2, 3, tzinfo=timezone(timedelta(hours=hours)))
        import_notes.import_source(ws, str(file), now=now)
    days = [path for path in ws.head().entries() if path.startswith(paths.EPISODES)]
    assert days == [f"memory/episodes/{day}.md"]
    assert ws.head().read(days[0]).count(b"Likes tea") == 1


def test_a_number_of_the_day_before_is_another_record(ws, tmp_path) -> None:
    for day, text in (("2026-01-03", "the gate is green"), ("2026-01-04", "the shed is red")):
        import_notes.import_source(ws, jsonl(tmp_path / "log.jsonl", {"date": day, "text": text}))
    assert (
        len(ws.head().entries().keys() & {f"memory/episodes/2026-01-0{n}.md" for n in (3, 4)}) == 2
    )


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_the_last_day_have_one_day_beside_them(ws, tmp_path, day: str) -> None:
    made = import_notes.import_source(ws, jsonl(tmp_path / "a.jsonl", {"date": day, "text": "tea"}))
    assert len(made.memories) == 1


def test_the_notes_of_a_folder_are_forgotten_by_the_name_of_it(ws, tmp_path) -> None:
    folder = tmp_path / "x" / "notes"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("# Roses\n\nThey are red.\n", "utf-8")
    import_notes.import_source(ws, str(folder))
    for said in ("x/notes", "notes", str(folder)):
        found = matches.find_matches(ws, ws.head(), matches.Wanted(brought=said))
        assert [one.text for one in found] == ["Roses", "They are red."]
    assert matches.find_matches(ws, ws.head(), matches.Wanted(brought="y/notes")) == ()


def test_what_only_names_a_file_was_not_imported_from_it(ws, tmp_path) -> None:
    text = message.render(
        "CREATE",
        "memory/a.md",
        "a talk from notes.md",
        message.Provenance("manual", "approved", "x"),
    )
    (Path(ws.repo.root) / "memory/a.md").write_text("# A\n\nTea.\n", "utf-8")
    ws.repo.run("add", "memory/a.md")
    ws.repo.run("commit", "-q", "--no-verify", "-m", text)
    assert matches.find_matches(ws, ws.head(), matches.Wanted(brought="notes.md")) == ()
