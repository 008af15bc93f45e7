"""What rules draw from notes in prose."""

from __future__ import annotations

import pytest
from materials import make_material

from molt.formats.prose import notes
from molt.formats.reflections.plan import Operation
from molt.memory.reflect.rules import consolidate
from molt.memory.reflect.rules.notes import prose
from molt.memory.reflect.rules.notes.prose import UserNames

NAMES = UserNames(UserNames().user | {"mara", "voss"}, frozenset({"pip"}), "Mara Voss")


def judge(note: str) -> list[str]:
    pieces = notes.parse_pieces("memory/2026-01-20.md", note)
    return [one.kind for one in prose.list_claims(pieces, NAMES)]


@pytest.mark.parametrize(
    ("note", "kinds"),
    [
        ("- Mara prefers short answers without tables", ["preference"]),
        ("- User wants every summary in German from now on", ["preference"]),
        ("- Mara's sister is called Ilse Voss and lives in Kiel", ["user"]),
        ("- The user is a marine biologist from Kiel", ["user"]),
        ("- Mara decided to sell the old boat in spring", ["decision"]),
        ("- **Decision:** The log stays in one file for each year", ["decision"]),
        ("## Key Decisions\n- Tide tables are read from SQLite", ["decision"]),
        ("## 💡 Lessons learned (bridge)\n- Lower the mast before the bridge", ["lesson"]),
        ("- NEVER push to the main branch without a review", ["rule"]),
        ("## Rules\n- Ask before anything is sent to others", ["rule"]),
        ("## 关键决策\n- 潮汐表统一存放在数据库里，不用表格", ["decision"]),
        ("## 经验教训\n- 过桥之前必须先放下桅杆", ["lesson"]),
        ("## Lessons learned\n- Boats under sail don’t turn in a narrow harbour", ["lesson"]),
        ("- 用户喜欢简短直接的回答方式", ["preference"]),
        ("- 用户要求以后所有报告都用中文写", ["preference"]),
        ("- 用户住在基尔，从事海洋研究", ["user"]),
        ("- 永远不要在没有备份时升级数据库", ["rule"]),
        ("- 用戶要求以後所有報告都用中文寫", ["preference"]),
        ("## 關鍵決策\n- 潮汐表統一存放在資料庫裡，不用表格", ["decision"]),
        ("- Standing rule saved: charts are kept on board", ["rule"]),
        ("## Critical Lesson: the bilge\n- Check the bilge before every trip", ["lesson"]),
        ("## 重要教训：过桥\n- 过桥之前必须先放下桅杆", ["lesson"]),
        ("The mast broke at dawn. This taught me: **lower it before a bridge**.", ["lesson"]),
        ("桅杆在桥下断了。教训：过桥之前必须先放下桅杆。", ["lesson"]),
        ("- The nightly scan must always write to the harbour log", ["rule"]),
    ],
)
def test_what_will_hold_is_told_by_title_label_or_words(note: str, kinds: list[str]) -> None:
    assert judge(note) == kinds


@pytest.mark.parametrize(
    "note",
    [
        "- Mara asked for a list of all boats in the harbour",
        "- Mara approved the draft of the letter to the club",
        "- Mara is waiting for the ferry this morning",
        "- Fixed the pump, and the deck is dry again",
        "- ✅ Mara prefers tea was added to the profile",
        "- [ ] Never push to the main branch without a review",
        "## Key Decisions\n- Deployed the new tables to the server",
        "## Critical Lesson: the bilge\n- Root cause: the pump was not switched on",
        "## Lessons learned\n- Added a check of the bilge — it runs before every trip",
        "We talked of the lesson of the day: nothing was planned for it.",
        "## Decisions\n- Status: all services run as they should",
        "## Decisions\n- Sailing school: the form expired, Mara has not signed it",
        "- **Decision:** Mara hasn't confirmed the new mooring yet",
        "## Lessons learned\n- The server was already running in Docker",
        "## Lessons learned\n- What did we learn from the storm at sea?",
        "## Morning news\n- Sailors decided to never use GPS again",
        "## Morning news\n### Key takeaways\n- Always keep a chart of the shoals on board",
        "*Never edit this file, it was generated at midnight*",
        "- 用户要求创建一个新的潮汐任务",
        "- 用户今天喜欢待在港口看船",
        "## 新闻\n- 永远不要相信天气预报说的话",
    ],
)
def test_what_tells_of_its_day_or_of_others_is_nothing(note: str) -> None:
    assert judge(note) == []


def consolidate_notes(files: dict[str, str]) -> list[Operation]:
    quiet = {"memory/episodes/2026-02-02.md": "# 2026-02-02\n"}
    return list(consolidate.consolidate(make_material({**quiet, **files})))


def list_added(found: list[Operation]) -> list[tuple[str, str]]:
    core = [one for one in found if one.op == "rewrite-core"]
    return [(row["block"], row["text"]) for one in core for row in one.rows("add")]


def test_each_kind_has_its_block() -> None:
    note = (
        "- The user prefers tea without any sugar\n- Never wake the user before seven\n"
        "## Decisions\n- Tide tables are read from SQLite\n"
    )
    found = consolidate_notes({"memory/2026-01-20.md": note})
    assert list_added(found) == [
        ("Identity", "The user prefers tea without any sugar"),
        ("Active Context", "Tide tables are read from SQLite"),
        ("Persona", "Never wake the user before seven"),
    ]


def test_an_old_decision_is_no_context() -> None:
    note = "## Decisions\n- Tide tables are read from SQLite\n"
    assert list_added(consolidate_notes({"memory/2025-01-20.md": note})) == []


def test_what_the_agent_reads_already_is_not_proposed() -> None:
    note = "- Mara prefers tea without any sugar\n"
    files = {
        "USER.md": "- Name: Mara\n- prefers tea, without any sugar\n",
        "memory/2026-01-20.md": note,
    }
    assert consolidate_notes(files) == []


def test_the_same_in_two_notes_is_proposed_once() -> None:
    note = "- The user prefers tea without any sugar\n"
    days = {"memory/2026-01-20.md": note, "memory/2026-01-21.md": note.replace("any ", "")}
    assert list_added(consolidate_notes(days)) == [
        ("Identity", "The user prefers tea without sugar")
    ]


def test_lessons_are_insights_of_a_thread() -> None:
    note = "## Lessons learned\n- Always lower the mast before the bridge\n"
    found = consolidate_notes({"memory/2026-01-20.md": note})
    assert [(one.op, one.text("thread")) for one in found] == [("insight", "Lessons learned")]


def test_what_core_memory_has_no_room_for_is_said_elsewhere() -> None:
    core = "# MEMORY.md\n\n## Identity\n" + "- one more word of it\n" * 700
    note = "- Mara prefers tea without any sugar\n- Never wake the user before seven\n"
    files = {"USER.md": "- Name: Mara Voss\n", "MEMORY.md": core, "memory/2026-01-20.md": note}
    found = {one.op: one for one in consolidate_notes(files)}
    assert found["upsert-entity"].text("entity") == "person:Mara"
    assert found["insight"].text("thread") == "Standing rules"
    assert "rewrite-core" not in found


def test_people_and_things_are_entities_where_notes_say_what_they_are() -> None:
    files = {
        "memory/2026-01-20.md": "- Mara's sister is Ilse Voss\n- Tidewatch is a tool for tables\n",
        "memory/2026-01-21.md": "- Asked Ilse about Tidewatch and about Gullbase\n"
        "- Gullscan is a list of birds\n",
    }
    found = consolidate_notes(files)
    made = {one.text("entity") for one in found if one.op == "upsert-entity"}
    assert made == {"person:Ilse Voss", "tool:Tidewatch"}


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("a client of the harbour office", "concept"),
        ("the firmware of both winches", "concept"),
        ("a way to see the capacity of the tanks", "concept"),
        ("a small app, made by Mara", "project"),
        ("the API of the harbour office", "tool"),
        ("an engineer from Kiel", "person"),
    ],
)
def test_what_a_thing_is_is_told_by_whole_words(said: str, kind: str) -> None:
    files = {
        "memory/2026-01-20.md": f"- Gullscan is {said}\n",
        "memory/2026-01-21.md": "- Asked Ilse about Gullscan and about the tides\n",
    }
    (one,) = consolidate_notes(files)
    assert one.text("entity") == f"{kind}:Gullscan"


@pytest.mark.parametrize(
    "title",
    [
        "Project: Tidewatch",
        "Tidewatch project",
        "潮汐项目 (Tidewatch)",
        "新项目：Tidewatch（潮汐表）",
    ],
)
def test_a_title_names_a_project_of_which_lines_below_tell(title: str) -> None:
    rows = "- **Stack:** Python and SQLite\n- 位置: ~/code/tides\n- **Status:** it runs\n"
    found = consolidate_notes({"memory/2026-01-20.md": f"## {title}\n### Data\n{rows}"})
    (one,) = found
    assert one.text("entity") == "project:Tidewatch"
    said = [fact.partition(" (source")[0] for fact in one.texts("facts")]
    assert said == ["Stack: Python and SQLite", "位置: ~/code/tides"]


@pytest.mark.parametrize("line", ["[" * 150_000, "**" * 80_000, "- " * 80_000, "a: " * 60_000])
def test_a_line_without_end_says_nothing(line: str) -> None:
    assert judge(f"## Decisions\n- {line}\n") == []


STEPS = "\n1. Run all of the tests\n2. Tag the commit\n3. Push the tag\n"


@pytest.mark.parametrize(
    ("title", "days", "count"),
    [
        ("How to release", 1, 1),
        ("发布流程", 1, 1),
        ("Release", 1, 0),
        ("Release", 2, 1),
        ("Next steps", 2, 0),
    ],
)
def test_steps_are_a_procedure_where_they_are_a_way_of_doing(
    title: str, days: int, count: int
) -> None:
    files = {f"memory/2026-01-1{day}.md": f"## {title}\n{STEPS}" for day in range(days)}
    found = [one for one in consolidate_notes(files) if one.op == "upsert-procedure"]
    assert len(found) == count
    for one in found:
        assert one.texts("steps") == ("Run all of the tests", "Tag the commit", "Push the tag")


def test_a_note_that_says_otherwise_than_memory_asks() -> None:
    entity = "---\nid: person--mara\ntype: person\nlabel: Mara\ncreated: 2026-01-01\n"
    entity += "updated: 2026-01-01\n---\n# Mara\n\n## Facts\n- lives in Berlin\n"
    files = {
        "USER.md": "- Name: Mara\n",
        "memory/graph/entities/person--mara.md": entity,
        "memory/2026-01-20.md": "- Mara lives in Kiel with two cats\n",
    }
    found = [one for one in consolidate_notes(files) if one.op == "contradiction"]
    assert [one.text("first") for one in found] == ["lives in Berlin"]
