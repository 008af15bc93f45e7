"""Exports of other programs are told by their content, and a second run adds nothing."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import errors
from molt.hosts.adapters import intake
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.write import exports, import_notes

UTC = datetime.UTC
CHATGPT = [
    {
        "id": "c1",
        "title": "Harbour",
        "create_time": 1770000000.5,
        "current_node": "n3",
        "mapping": {
            "n0": {"message": None, "parent": None},
            "n1": {
                "message": {
                    "author": {"role": "user"},
                    "create_time": 1770000060,
                    "content": {"content_type": "text", "parts": ["When does the gate open?"]},
                },
                "parent": "n0",
            },
            "n2": {
                "message": {"author": {"role": "assistant"}, "content": {"parts": ["At one."]}},
                "parent": "n1",
            },
            "n3": {
                "message": {
                    "author": {"role": "assistant"},
                    "content": {"parts": ["At nine.", {"image": 1}]},
                },
                "parent": "n1",
            },
        },
    }
]
CLAUDE = [
    {
        "uuid": "u1",
        "name": "Keys",
        "created_at": "2026-02-02T10:00:00Z",
        "chat_messages": [
            {"uuid": "m1", "sender": "human", "text": "Where is the key?", "created_at": None},
            {"uuid": "m2", "sender": "assistant", "content": [{"type": "text", "text": "There."}]},
        ],
    }
]
MEM0 = {"results": [{"id": "a", "memory": "Ada likes tea", "created_at": "2026-02-01T08:00:00Z"}]}
TRANSCRIPT: list[dict[str, object]] = [
    {
        "type": "user",
        "timestamp": "2026-02-03T09:00:00Z",
        "message": {"role": "user", "content": "the hull is painted"},
    },
    {"type": "summary", "summary": "x"},
]


@pytest.mark.parametrize(
    ("data", "program", "texts"),
    [
        (CHATGPT, "ChatGPT", ["When does the gate open?", "At nine."]),
        (CLAUDE, "Claude", ["Where is the key?", "There."]),
        (MEM0, "mem0", ["Ada likes tea"]),
    ],
)
def test_an_export_is_told_by_its_content(data, program, texts) -> None:
    found = exports.read_export(data, UTC)
    assert found is not None
    assert found.program == program
    assert [row["text"] for row in found.rows] == texts
    assert all(row["date"].startswith("2026-02-0") for row in found.rows)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(["mapping", "chat_messages", "memory", "message", "parts", "id"]), x
            )
        ),
    )
)
def test_nothing_that_is_json_breaks_it(data) -> None:
    exports.read_export(data, UTC)
    exports.read_export([{"mapping": data}, {"mapping": data}], UTC)
    exports.read_export([{"chat_messages": [data]}], UTC)
    exports.read_transcript([json.dumps(data)], "s")


@pytest.fixture
def ws(tmp_path: Path) -> workspace.Workspace:
    setup.init(str(tmp_path / "ws"), name="A", email="a@example.org")
    return workspace.find(str(tmp_path / "ws"), "manual")


@pytest.mark.parametrize("data", [CHATGPT, CLAUDE, MEM0])
def test_a_second_run_adds_nothing(ws, tmp_path, data) -> None:
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert import_notes.import_source(ws, str(file)).memories
    assert import_notes.import_source(ws, str(file)).commit is None


def test_a_transcript_is_read_turn_by_turn(ws, tmp_path) -> None:
    file = tmp_path / "s-1.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in TRANSCRIPT), encoding="utf-8")
    done = import_notes.import_source(ws, str(file))
    assert list(done.memories) == ["1"]


def test_what_an_agent_said_to_another_is_no_memory() -> None:
    meta = {"type": "session_meta", "payload": {"thread_source": "subagent"}}
    rows = [json.dumps(row) for row in (meta, *TRANSCRIPT)]
    assert exports.read_transcript(rows, "s") == exports.Export("a transcript", ())


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}', "[{}]"])
def test_what_is_no_export_says_what_is_read(ws, tmp_path, text) -> None:
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(errors.Usage) as caught:
        import_notes.import_source(ws, str(file))
    assert "ChatGPT" in caught.value.hint


def test_a_workspace_is_not_imported_into_itself(ws) -> None:
    for path in ("", "memory", "MEMORY.md"):
        with pytest.raises(errors.Usage):
            import_notes.import_source(ws, str(Path(ws.repo.root, path)))


UNDATED = [{"id": "0b6c1f1e-7d1e-4b1a-9a53-6f7f1d2c3b4a", "memory": "Ada likes tea"}]


@pytest.mark.parametrize("data", [CHATGPT, CLAUDE, MEM0, UNDATED])
def test_the_same_export_under_another_name_adds_nothing(ws, tmp_path, data) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new" / "conversations.json"
    new.parent.mkdir()
    for file in (old, new):
        file.write_text(json.dumps(data), encoding="utf-8")
    assert import_notes.import_source(ws, str(old)).memories
    assert import_notes.import_source(ws, str(new)).commit is None
    assert import_notes.import_source(ws, str(new.parent)).commit is None


SESSION = "7d1f0c6a-2f0e-4c55-9b1e-0a4f6c2d8e11"


@pytest.mark.parametrize("name", [SESSION, f"rollout-2026-02-03-{SESSION}", "copied"])
def test_a_transcript_elsewhere_adds_nothing(ws, tmp_path, name) -> None:
    rows = "".join(json.dumps({"sessionId": SESSION, **row}) + "\n" for row in TRANSCRIPT)
    old, new = tmp_path / f"{SESSION}.jsonl", tmp_path / "talks" / "more" / f"{name}.jsonl"
    new.parent.mkdir(parents=True)
    for file in (old, new):
        file.write_text(rows, encoding="utf-8")
    assert import_notes.import_source(ws, str(old)).memories
    assert import_notes.import_source(ws, str(new)).commit is None
    assert import_notes.import_source(ws, str(tmp_path / "talks")).commit is None


@pytest.mark.parametrize(
    ("name", "instead"), [("0b6c1f1e-7d1e-4b1a-9a53-6f7f1d2c3b4a", True), ("a", False)]
)
def test_only_an_id_that_is_surely_the_same_has_newer_words(ws, tmp_path, name, instead) -> None:
    for number, text in enumerate(("Ada likes tea", "Ada likes coffee")):
        file = tmp_path / f"{number}.json"
        row = {"id": name, "memory": text, "created_at": "2026-02-01T08:00:00Z"}
        file.write_text(json.dumps([row]), encoding="utf-8")
        assert import_notes.import_source(ws, str(file)).memories
    said = (ws.head().read("memory/episodes/2026-02-01.md") or b"").decode()
    assert ("supersedes:" in said) is instead


def test_a_folder_brings_its_exports_and_names_what_is_none(ws, tmp_path) -> None:
    files = {"conversations.json": json.dumps(CLAUDE), "b.md": "A note.\n", "other.json": "{}"}
    (tmp_path / "mix").mkdir()
    for name, text in files.items():
        (tmp_path / "mix" / name).write_text(text, encoding="utf-8")
    asked = intake.BringRequest(str(tmp_path / "mix"))
    _, done = intake.bring_in(ws, asked, datetime.datetime(2026, 2, 3, tzinfo=UTC))
    assert {*done.memories} == {"m1", "m2", "b"}
    assert done.skipped == ("other.json",)


def test_of_a_folder_whose_format_is_one_file_the_others_are_named(ws, tmp_path) -> None:
    # What stands among the conversations and is none is as little in the way as without --from.
    text = json.dumps([*CHATGPT, "odd"])
    (tmp_path / "conversations.json").write_text(text, encoding="utf-8")
    (tmp_path / "b.md").write_text("A note.\n", encoding="utf-8")
    asked = intake.BringRequest(str(tmp_path), "chatgpt")
    _, done = intake.bring_in(ws, asked, datetime.datetime(2026, 2, 3, tzinfo=UTC))
    assert "b.md" in done.skipped
    whole = intake.BringRequest(str(tmp_path / "conversations.json"), "chatgpt", dry_run=True)
    assert intake.bring_in(ws, whole, datetime.datetime(2026, 2, 3, tzinfo=UTC))[0] == "chatgpt"
