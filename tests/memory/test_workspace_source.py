"""The Markdown at the top of a workspace is searched too, behind the memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from molt.formats import scopes
from molt.index.search.filters import Filters
from molt.memory import workspace
from molt.memory.answers import get
from molt.memory.search import search
from molt.memory.workspace import Workspace

USER = "# USER.md\n\n## Travel\n\n- Flies with Condor only, from Bremen.\n"


def put(ws: Workspace, path: str, text: str) -> None:
    full = Path(ws.repo.root, path)
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_text(text, encoding="utf-8")


def ask(ws: Workspace, words: str, **filters: Any) -> list[tuple[str, str]]:
    options = search.SearchOptions(filters=Filters(**filters), min_score=0.0)
    return [(one.path, one.source) for one in search.search(ws, words, options).results]


def test_what_stands_at_the_top_is_found_and_read(ws) -> None:
    put(ws, "USER.md", USER)
    assert ask(ws, "Condor Bremen") == [("USER.md", "workspace")]
    (one,) = search.search(ws, "Condor Bremen").results
    assert "Condor only" in get.get_passage(ws, one.id).text
    put(ws, "USER.md", USER.replace("Condor", "Iberia"))
    assert ask(ws, "Condor") == []


def test_a_source_may_be_asked_alone(ws) -> None:
    put(ws, "TOOLS.md", "# TOOLS.md\n\n- The plotter listens on port 9100.\n")
    put(ws, "memory/plotter.md", "# Plotter\n\nThe plotter came in May.\n")
    assert ask(ws, "plotter", sources=("workspace",)) == [("TOOLS.md", "workspace")]
    assert ask(ws, "plotter", sources=("memory",)) == [("memory/plotter.md", "memory")]
    assert len(ask(ws, "plotter")) == 2


def test_the_configuration_may_leave_it_out(ws) -> None:
    put(ws, "USER.md", USER)
    bare = ws.replace(config=ws.config.replace(search_sources=("memory",)))
    assert ask(bare, "Condor") == []
    assert ask(bare, "Condor", sources=("workspace",)) == [("USER.md", "workspace")]


def test_of_equals_the_memory_is_first(ws) -> None:
    said = "The kiln is fired on the first Monday of a month.\n"
    put(ws, "KILN.md", f"# Kiln\n\n{said}")
    put(ws, "memory/kiln.md", f"# Kiln\n\n{said}")
    found = search.search(ws, "when is the kiln fired", search.SearchOptions(limit=1))
    assert [one.path for one in found.results] == ["memory/kiln.md"]


def test_what_a_new_workspace_holds_answers_nothing(ws) -> None:
    assert ask(ws, "who writes SOUL.md, and what is core memory") == []
    put(ws, "IDENTITY.md", "# IDENTITY.md\n\n- Name: Quill\n- Role: keeps the ledger\n")
    assert ask(ws, "who is Quill") == [("IDENTITY.md", "workspace")]


def test_others_do_not_see_it(ws) -> None:
    put(ws, "USER.md", USER)
    assert ask(ws, "Condor", view=scopes.choose_view((), "family")) == []


@pytest.mark.parametrize("path", ["skills/USER.md", "docs/user.txt", "user.txt"])
def test_nothing_else_is_of_it(ws, path: str) -> None:
    put(ws, path, USER)
    assert ask(ws, "Condor Bremen") == []


def test_a_commit_holds_it_too(ws, git) -> None:
    root = Path(ws.repo.root)
    put(ws, "USER.md", USER)
    git(root, "add", "-A")
    git(
        root,
        "commit",
        "-qm",
        "[EDIT] USER.md — who I am",
        "-m",
        "Actor: manual\nApproval: approved\nTrigger: test",
    )
    put(ws, "USER.md", "# USER.md\n")
    mine = workspace.find(str(root), "manual")
    from molt.memory.search import at as past

    then = past.find_moment(mine.repo, "HEAD", None, 4e9)
    options = search.SearchOptions(filters=Filters(sources=("workspace",)), at=then)
    assert [one.path for one in search.search(mine, "Condor", options).results] == ["USER.md"]
    assert ask(mine, "Condor") == []


AT = "2026-03-04T10:00:00Z"
TALK = "# Session: 2026-03-04 10:00:00 UTC\n\n- **Session Key**: agent:main:main\n\n"


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("memory/2026-03-04-boat.md", f"{TALK}user: the boat is blue\n", "dump"),
        ("memory/dreaming/light/2026-03-04.md", "# Light\n\nThe boat is blue.\n", "dream"),
        ("memory/boat.md", "# Boats\n\n| boat | blue |\n" + "| pier | grey |\n" * 9, "table"),
        (
            "memory/boat.md",
            f"# Boats\n\n{AT} the boat is blue\n" + f"{AT} the pier is grey\n" * 9,
            "log",
        ),
        ("memory/boat.md", "<!-- auto-generated -->\n# Boats\n\nThe boat is blue.\n", "report"),
        (
            "memory/boat.md",
            "# Boats\n\nuser: the boat is blue\n" + "assistant: noted\n" * 9,
            "dump",
        ),
    ],
)
def test_what_a_machine_wrote_in_bulk_stands_behind(ws, path: str, text: str, kind: str) -> None:
    put(ws, path, text)
    put(ws, "memory/ida.md", "# Boats\n\nThe boat is blue, as Ida said.\n")
    assert [one for one, _ in ask(ws, "boat blue")] == ["memory/ida.md", path]
    assert [one for one, _ in ask(ws, "boat blue", types=(kind,))] == [path]


@pytest.mark.parametrize(
    "text",
    ["| boat | blue |\n| --- | --- |\n", "user: is it blue?\n", "10:00 - the boat is blue\n" * 9],
)
def test_a_small_table_or_a_diary_is_no_bulk(ws, text: str) -> None:
    put(ws, "memory/boat.md", f"# Boats\n\n{text}")
    assert ask(ws, "boat blue", types=("table", "dump", "log")) == []
    assert ask(ws, "boats blue") == [("memory/boat.md", "memory")]


def test_one_word_of_a_question_among_unknown_ones_is_no_answer(ws) -> None:
    """That all which the memory knows of a question stands in a text says nothing of the rest."""
    put(ws, "memory/meetings.md", "# Meetings\n\nEverybody may say what they like.\n")
    for number in range(60):
        put(ws, f"memory/crate-{number}.md", f"# Crate {number}\n\nIt was painted.\n")
    assert search.search(ws, "what did Bonaparte say at Austerlitz").results == ()
    assert search.search(ws, "who may say what they like").results


def test_bullets_of_one_section_do_not_take_every_place(ws) -> None:
    bullets = "".join(f"- The harbour crane has {n} hooks.\n" for n in ("two", "six", "ten"))
    put(ws, "MEMORY.md", f"# MEMORY.md\n\n## Harbour crane\n\n{bullets}")
    put(ws, "memory/log.md", "# Log\n\nThe harbour crane was painted green, hooks and all.\n")
    found = [path for path, _ in ask(ws, "harbour crane hooks")]
    assert found.count("MEMORY.md") == 3
    scores = [
        one.score
        for one in search.search(ws, "harbour crane hooks").results
        if one.id[:5] == "core:"
    ]
    assert scores[0] * 0.97 > scores[1] > scores[2]


_SAID = [
    f"{who}在{where}{what}。"
    for who in ("张伟", "李娜", "王芳", "赵磊")
    for where in ("仓库", "会议室", "机房", "前台")
    for what in ("盘点打印纸", "修好了投影仪", "换了路由器的密码", "登记访客", "整理合同")
]


@pytest.mark.parametrize("mark", ["?", "？"])
def test_a_chinese_question_about_something_else_has_no_answer(ws, mark: str) -> None:
    for at, said in enumerate(_SAID):
        put(ws, f"memory/note-{at}.md", f"# 记录\n\n{said}\n")
    asked = search.search(ws, f"李娜在机房换了什么密码{mark}", search.SearchOptions(limit=3))
    assert any("路由器" in one.snippet for one in asked.results)
    assert not search.search(ws, f"红楼梦的作者是谁{mark}").results
    assert not search.search(ws, f"感冒了应该吃什么药{mark}").results


def test_a_copy_of_a_note_takes_no_place_whatever_its_day(ws) -> None:
    said = "Send each skipper the tide table by hand, one after the other, and never in bulk."
    for day in ("2026-05-05", "2026-05-12", "2026-05-19"):
        put(ws, f"memory/drafts/skippers-{day}.md", f"# Skippers\n\n{said}\n")
        put(ws, f"memory/{day}.md", f"# {day}\n\nWe swam to the second buoy and back again.\n")
    put(ws, "memory/drafts/fees.md", f"# Fees\n\n{said} The fee is paid by each skipper.\n")
    notes = [
        path for path, _ in ask(ws, "who sends the skippers the tide table", path="memory/drafts")
    ]
    assert sorted(path.partition("-")[0] for path in notes) == [
        "memory/drafts/fees.md",
        "memory/drafts/skippers",
    ]
    days = [path for path, _ in ask(ws, "when did we swim to the second buoy")]
    assert sum(path.startswith("memory/2026") for path in days) == 3
