"""The pieces of notes in prose, and their ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import ids
from molt.formats.prose import notes

PATH = "memory/2026-03-04.md"
NOTE = """---
mood: calm
---
# 2026-03-04

Talked about the harbour
until late.

## Decisions
- [x] **Database**: SQLite, not Postgres
  - because it is one file
- The port is 4711

```sh
- no bullet
```

| a | b |
|---|---|

### How to release
1. Run the tests
2. Tag it
---
Who is to know:
* Ada
"""


def test_each_bullet_step_and_paragraph_is_a_piece() -> None:
    found = notes.parse_pieces(PATH, NOTE)
    assert [one.text for one in found] == [
        "Talked about the harbour until late.",
        "**Database**: SQLite, not Postgres",
        "because it is one file",
        "The port is 4711",
        "Run the tests",
        "Tag it",
        "Who is to know:",
        "Ada",
    ]
    assert [(one.start, one.end) for one in found[:3]] == [(6, 7), (10, 10), (11, 11)]


def test_a_piece_knows_what_stands_above_it() -> None:
    found = {one.text: one for one in notes.parse_pieces(PATH, NOTE)}
    assert found["The port is 4711"].titles == ("2026-03-04", "Decisions")
    assert found["because it is one file"].lead == "**Database**: SQLite, not Postgres"
    assert found["Ada"].lead == "Who is to know:"


def test_an_id_survives_what_is_written_around_the_piece() -> None:
    before = {one.id for one in notes.parse_pieces(PATH, NOTE)}
    grown = NOTE.replace("## Decisions", "More.\n\n## Decisions").replace("- [x]", "- [ ]")
    after = {one.id for one in notes.parse_pieces(PATH, f"{grown}\n## Evening\n- Rain\n")}
    assert before < after


def test_an_edited_piece_is_found_no_more() -> None:
    one = next(one for one in notes.parse_pieces(PATH, NOTE) if "4711" in one.text)
    assert notes.find_piece(PATH, NOTE, one.id) == one
    assert notes.find_piece(PATH, NOTE.replace("4711", "5000"), one.id) is None
    assert notes.find_piece("memory/2026-03-05.md", NOTE, one.id) is None


def test_an_id_names_its_file() -> None:
    found = notes.name_piece("memory/log/2026-03-04-harbour.md", "Ada")
    assert found.startswith("note:log/2026-03-04-harbour#")
    assert ids.path_of(found) == "memory/log/2026-03-04-harbour.md"


@pytest.mark.parametrize(
    "text",
    ["note:", "note:a", "note:a#123", "note:../a#12345678", "note:a#1234567g", "note:#12345678"],
)
def test_what_is_no_id_of_a_piece_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a memory id"):
        ids.parse(text)


def test_entries_of_our_own_are_no_pieces() -> None:
    text = "# 2026-03-04\n\n- Rain\n\n## 10:00 | fact | confidence:high\n- Ada came\n"
    assert [one.text for one in notes.parse_pieces(PATH, text)] == ["Rain"]


@pytest.mark.parametrize(
    ("path", "day"),
    [
        (PATH, "2026-03-04"),
        ("memory/2026-03-04-harbour.md", "2026-03-04"),
        ("memory/old/2026-03-04.md", "2026-03-04"),
        ("memory/people.md", ""),
        ("memory/2026-03-045.md", ""),
    ],
)
def test_the_day_of_a_note_is_in_its_name(path: str, day: str) -> None:
    assert notes.find_date(path) == day


@pytest.mark.parametrize(
    "path", ["memory/meta/log.md", "MEMORY.md", "memory/a (b).md", "memory/graph/entities/a--b.md"]
)
def test_what_has_a_format_of_its_own_has_no_pieces_with_ids(path: str) -> None:
    assert not notes.may_name(path)


@given(st.text(alphabet="#-*` 1.ab:|\n[]x", max_size=200))
def test_any_text_is_cut_into_lines_that_it_has(text: str) -> None:
    count = len(text.split("\n"))
    for one in notes.parse_pieces(PATH, text):
        assert 1 <= one.start <= one.end <= count
        assert notes.find_piece(PATH, text, one.id) is not None
