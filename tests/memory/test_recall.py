"""What a search gives: memories, each once, best first, from the files as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from copies import Copy
from talks import fill, line

from molt.index.search.filters import Filters
from molt.memory import workspace
from molt.memory.search import index, search
from molt.memory.workspace import Workspace

from .conftest import make_workspace

pytestmark = pytest.mark.slow


@pytest.fixture
def ws(tmp_path: Path, copy: Copy) -> Workspace:
    return workspace.find(str(copy(tmp_path / "w", make_workspace)), "manual")


def ids(ws: Workspace, words: str, by: str = search.MEMORY, **options: Any) -> list[str]:
    asked = search.SearchOptions(**options)
    return [one.id for one in search.search(ws, words, asked, by=by).results]


def test_the_limit_is_that_of_results(ws) -> None:
    fill(ws, *(line(str(n), f"harbour number {n}") for n in range(9)))
    assert len(ids(ws, "harbour", limit=3)) == 3


def test_a_template_of_headings_and_comments_is_no_result(ws) -> None:
    found = search.search(
        ws, "memory identity user preferences", search.SearchOptions(limit=50)
    ).results
    assert [one.snippet for one in found if one.snippet.lstrip().startswith("#")] == []


def test_the_same_words_are_given_once_a_day(ws) -> None:
    made = fill(
        ws,
        line("a", "the red lighthouse is closed"),
        line("b", "the red lighthouse is closed"),
        line("c", "the red lighthouse is closed", "2024-03-06T10:00"),
    )
    assert set(ids(ws, "red lighthouse", limit=9)) & set(made.values()) == {made["a"], made["c"]}


def test_an_answer_follows_the_question_that_matches(ws) -> None:
    made = fill(
        ws,
        line("q", "Ann: Where do you keep the telescope?", speaker="Ann"),
        line("a", "Bob: Up in the attic, of course.", speaker="Bob"),
        line("x", "Ann: I see.", speaker="Ann"),
        *(line(str(n), f"Bob: nothing of note {n}", speaker="Bob") for n in range(9)),
    )
    assert ids(ws, "where is the telescope", limit=2) == [made["q"], made["a"]]


def test_a_user_comes_before_an_assistant(ws) -> None:
    text = "the deadline of the thesis is in June"
    made = fill(
        ws,
        line("a", f"assistant: noted, {text}", speaker="assistant"),
        line("u", f"user: well, {text}", speaker="user"),
    )
    assert ids(ws, "deadline of the thesis", limit=1) == [made["u"]]


def test_a_date_in_the_query_lifts_what_was_said_then(ws) -> None:
    days = ("2024-01-09", "2024-02-09", "2024-03-09")
    made = fill(
        ws, *(line(day, f"we walked the dog at {day[5:7]}", f"{day}T09:00") for day in days)
    )
    for words in ("walked the dog in February", "walked the dog on 9 February 2024"):
        assert ids(ws, words, limit=1) == [made["2024-02-09"]]
    assert ids(ws, "the dog last month", limit=1) == [made["2024-02-09"]]
    assert ids(ws, "dog yesterday", limit=1, today=lambda: "2024-01-10") == [made["2024-01-09"]]


def test_by_session_gives_each_conversation_once(ws) -> None:
    made = fill(
        ws,
        line("1", "rain on the ferry", session="s1"),
        line("2", "the ferry was late", session="s1"),
        line("3", "a ferry again", session="s2"),
        line("4", "no boat at all", session="s2"),
    )
    found = ids(ws, "ferry", limit=9, by=search.SESSION)
    assert len(set(found) & set(made.values())) == 2
    assert found[0] in (made["1"], made["2"])


def test_neighbours_pass_the_filters_too(ws) -> None:
    fill(
        ws,
        line("1", "the copper kettle whistles"),
        line("2", "nothing else"),
        {"id": "n", "text": "copper kettle, a note"},
    )
    only = Filters(path="memory/imported/")
    found = search.search(ws, "copper kettle", search.SearchOptions(limit=9, filters=only)).results
    assert [one.path.startswith("memory/imported/") for one in found] == [True]


def test_an_index_damaged_in_the_middle_is_rebuilt(ws) -> None:
    made = fill(ws, *(line(str(n), f"walnut number {n} " + "filler " * 60) for n in range(90)))
    ids(ws, "walnut")
    file = Path(ws.repo.molt_dir) / "index.sqlite"
    data = bytearray(file.read_bytes())
    for at in range(8 * 4096, len(data), 4096):
        data[at : at + 64] = b"\xff" * 64
    file.write_bytes(data)
    assert made["7"] in ids(ws, "walnut number 7")
    assert made["8"] in ids(ws, "walnut number 8")


def test_whichever_page_of_an_index_is_damaged_a_question_is_answered(ws) -> None:
    made = fill(ws, *(line(str(n), f"walnut number {n} " + "filler " * 60) for n in range(9)))
    ids(ws, "walnut")
    file = Path(ws.repo.molt_dir) / "index.sqlite"
    whole = file.read_bytes()
    for at in range(0, len(whole), 4096):
        file.write_bytes(whole[:at] + b"\xa5" * 4096 + whole[at + 4096 :])
        assert ids(ws, "walnut number 7")[0] == made["7"]
        file.write_bytes(whole[:at] + b"\xa5" * 4096 + whole[at + 4096 :])
        assert index.build_index(ws).stale == 0
        file.write_bytes(whole[:at] + b"\xa5" * 4096 + whole[at + 4096 :])
        assert index.read_status(ws).stale == 0


def test_whichever_bytes_of_an_index_are_damaged_a_question_is_answered(ws) -> None:
    fill(ws, *(line(str(n), f"walnut number {n} " + "filler " * 60) for n in range(9)))
    ids(ws, "walnut")
    file = Path(ws.repo.molt_dir) / "index.sqlite"
    whole = file.read_bytes()
    for at in range(100, len(whole), 1021):
        file.write_bytes(whole[:at] + b"\xb7" * 64 + whole[at + 64 :])
        assert ids(ws, "walnut number 7")


@pytest.mark.parametrize("fusion", ["min-max", "weighted-rank", "reciprocal-rank"])
def test_every_fusion_finds_it(ws, fusion: str) -> None:
    made = fill(ws, line("1", "the vault code is 7719"), line("2", "a walk"))
    other = ws.replace(config=ws.config.replace(search_fusion=fusion))
    assert ids(other, "vault code", limit=1) == [made["1"]]


def test_what_vectors_alone_find_is_kept(ws) -> None:
    made = fill(ws, line("a", "my car broke down"), line("b", "the vehicle is at the mechanic"))
    assert set(made.values()) <= set(ids(ws, "automobile repair", limit=9))


def test_a_memory_far_from_the_query_is_no_result(ws) -> None:
    fill(ws, line("a", "the harbour gate opens at nine"))
    found = search.search(ws, "qqqq wwww", search.SearchOptions(limit=9)).results
    assert all(one.score > 0 and one.signals["vector"] > 0.1 for one in found)
