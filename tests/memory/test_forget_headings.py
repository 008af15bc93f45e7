"""Headings say something too: they are found, taken out alone, and come back."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from molt.formats.prose import sayings
from molt.memory import workspace
from molt.memory.checks import verify
from molt.memory.forget import forget, matches, restore
from molt.memory.forget.forget import ForgetOptions
from molt.memory.forget.matches import Wanted
from molt.memory.search import search
from molt.memory.workspace import Workspace
from molt.repo.history import revisions

pytestmark = pytest.mark.slow

NOW = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
NOTE = "memory/garden.md"
TEXT = "# Divorce with Anna\n\nThe lawyer is Bob Ferris.\n\n## The house\n\nIt is sold.\n"
SIGHT = search.SearchOptions()


def store(ws: Workspace, text: str, path: str = NOTE) -> Workspace:
    """A workspace with a note in it that a person has committed."""
    file = Path(ws.repo.root, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    ws.repo.run("add", "-A")
    body = "Actor: manual\nApproval: approved\nTrigger: test"
    ws.repo.run("commit", "-qm", f"[CREATE] {path} — a note", "-m", body)
    ws.repo.run("tag", "start")
    return workspace.find(ws.repo.root, "manual")


def put_away(ws: Workspace, text: str, *, permanently: bool = False) -> list[str]:
    """Forgets what says a text; gives the kinds of what went."""
    ws = workspace.find(ws.repo.root, ws.named)
    options = ForgetOptions(permanently=permanently)
    done = forget.forget_matches(ws, Wanted(text), NOW, options)
    judged = verify.judge_range(ws.repo, revisions.resolve_range(ws.repo, ["start..HEAD"]))
    assert judged.errors == ()
    return [one.kind for one in done.made.done if one.kind != "book"]


def read(ws: Workspace, path: str = NOTE) -> str:
    return Path(ws.repo.root, path).read_text("utf-8")


def bring_back(ws: Workspace, *names: str) -> None:
    restore.restore_memories(workspace.find(ws.repo.root, "manual"), names, NOW.timestamp())


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("divorce", TEXT.removeprefix("# Divorce with Anna\n")),
        ("the house", TEXT.replace("## The house\n", "")),
    ],
)
@pytest.mark.parametrize("permanently", [False, True])
def test_of_a_heading_its_line_goes(ws, asked: str, left: str, permanently: bool) -> None:
    full = store(ws, TEXT)
    assert put_away(full, asked, permanently=permanently) == ["heading"]
    assert read(full) == left
    found = search.search(workspace.find(full.repo.root, "manual"), asked, SIGHT)
    assert not any(asked in one.snippet.lower() for one in found.results)


def test_a_heading_is_shown_with_what_happens_to_it(ws) -> None:
    full = store(ws, TEXT)
    (found,) = matches.find_matches(full, full.head(), Wanted("Anna"))
    assert (found.text, found.effect) == ("Divorce with Anna", matches.TAKEN)


@pytest.mark.parametrize("permanently", [False, True])
def test_a_note_of_which_nothing_is_left_goes(ws, permanently: bool) -> None:
    full = store(ws, "---\ntags: [law]\n---\n# Divorce with Anna\n")
    put_away(full, "Anna", permanently=permanently)
    assert not os.path.exists(os.path.join(full.repo.root, NOTE))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("MEMORY.md", "- the divorce\n"),
        (
            "memory/graph/entities/place--a.md",
            "---\nid: place--a\ntype: place\nlabel: A\n---\ndivorce\n",
        ),
    ],
)
def test_what_a_format_needs_stays_when_it_says_nothing_more(ws, path: str, text: str) -> None:
    full = store(ws, text, path)
    forget.forget_matches(full, Wanted("divorce"), NOW, ForgetOptions())
    assert read(full, path) == text.removesuffix(text.split("\n")[-2] + "\n")


def test_a_note_goes_by_its_path_and_comes_back(ws) -> None:
    full = store(ws, TEXT)
    assert put_away(full, NOTE) == ["heading", "paragraph", "heading", "paragraph"]
    assert not os.path.exists(os.path.join(full.repo.root, NOTE))
    every = restore.list_restorable(workspace.find(full.repo.root, "manual"))
    assert len(every) == 4
    bring_back(full, *(one.id for one in every))
    assert read(full) == TEXT


def test_of_a_note_that_went_that_alone_comes_back_which_is_asked_for(ws) -> None:
    full = store(ws, TEXT)
    put_away(full, NOTE)
    every = restore.list_restorable(workspace.find(full.repo.root, "manual"))
    bring_back(full, *(one.id for one in every if one.text == "The house"))
    assert read(full).strip() == "## The house"


def test_a_bot_leaves_a_heading_of_a_person_s_day_to_them(ws) -> None:
    full = store(ws, "# 2026-02-02\n\n## Divorce\n\nrain\n", "memory/2026-02-02.md")
    bot = workspace.find(full.repo.root, "bot:trigger-forget")
    assert [one.left for one in matches.find_matches(bot, bot.head(), Wanted("divorce"))] == [True]
    assert put_away(full, "divorce") == ["heading"]
    assert read(full, "memory/2026-02-02.md") == "# 2026-02-02\n\n\nrain\n"


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("MEMORY.md", "# M\n\n## Active Context\n### Rent\n- x\n", ["Rent"]),
        (
            "memory/graph/entities/place--a.md",
            "---\nlabel: A\n---\n# A\n\n## Facts\n### B\n",
            ["B"],
        ),
        ("memory/2026-02-02.md", "# 2026-02-02 — Episode Log\n\n## Rent\n", ["Rent"]),
        ("memory/2026-02-02.md", "# 2026-02-02\n", []),
        ("memory/a.md", "---\nx: 1\n---\n# A #\n#tag\n#\n####### B\n## C\n", ["A", "C"]),
    ],
)
def test_what_a_format_needs_says_nothing(path: str, text: str, said: list[str]) -> None:
    found = sayings.parse_sayings(path, text)
    assert [one.text for one in found if one.kind == sayings.HEADING] == said


def test_a_line_that_only_begins_like_a_heading_is_a_paragraph() -> None:
    found = sayings.parse_sayings("memory/a.md", "# A\n\n#divorce\n")
    assert [(one.kind, one.text) for one in found][1:] == [(sayings.PARAGRAPH, "#divorce")]


DAY = (
    "# 2026-02-02\n\nWalked with Priya.\n\n## Divorce\n\nThe lawyer is Bob Ferris.\n\n"
    "## 14:30 | decision\nWe chose PKCE.\n"
)


@pytest.mark.parametrize(
    ("asked", "kind", "gone"),
    [
        ("priya", "paragraph", "Walked with Priya.\n"),
        ("divorce", "heading", "## Divorce\n"),
        ("ferris", "paragraph", "The lawyer is Bob Ferris.\n"),
    ],
)
@pytest.mark.parametrize("permanently", [False, True])
def test_what_stands_before_the_entries_of_a_day_goes(
    ws, asked: str, kind: str, gone: str, permanently: bool
) -> None:
    path = "memory/2026-02-02.md"
    full = store(ws, DAY, path)
    assert put_away(full, asked, permanently=permanently) == [kind]
    assert read(full, path) == DAY.replace(gone, "")
    found = search.search(workspace.find(full.repo.root, "manual"), asked, SIGHT)
    assert not any(asked in one.snippet.lower() for one in found.results)


def test_an_entry_of_a_day_with_headings_is_put_away_alone(ws) -> None:
    path = "memory/2026-02-02.md"
    full = store(ws, DAY, path)
    assert put_away(full, "PKCE") == ["entry"]
    assert read(full, path) == DAY


CODE = "# Setup\n\n```sh\n# install frob\n\n- apt install frob\n```\n\n<!-- a\n# b -->\n\nDone.\n"


def test_a_fence_is_one_thing_and_has_no_headings() -> None:
    found = sayings.parse_sayings(NOTE, CODE)
    assert [(one.kind, one.start, one.end) for one in found] == [
        ("heading", 1, 1),
        ("paragraph", 3, 7),
        ("paragraph", 10, 10),
        ("paragraph", 12, 12),
    ]


def test_what_is_wanted_of_a_fence_takes_all_of_it(ws) -> None:
    full = store(ws, CODE)
    assert put_away(full, "install frob") == ["paragraph"]
    assert read(full) == "# Setup\n\n\n<!-- a\n# b -->\n\nDone.\n"


@pytest.mark.parametrize(
    ("asked", "effect"),
    [(NOTE, matches.EMPTIED), ("the house", matches.TAKEN)],
)
def test_a_note_that_goes_whole_says_so(ws, asked: str, effect: str) -> None:
    full = store(ws, TEXT)
    found = matches.find_matches(full, full.head(), Wanted(asked))
    assert {one.effect for one in found} == {effect}


def test_a_note_of_which_a_part_was_forgotten_before_says_what_goes(ws) -> None:
    full = store(ws, "# Divorce\n\nThe lawyer.\n")
    put_away(full, "divorce")
    again = workspace.find(full.repo.root, "manual")
    (found,) = matches.find_matches(again, again.head(), Wanted("lawyer"))
    assert found.effect == matches.EMPTIED
