"""Bullets of one section of core memory that were found are one result for who reads it."""

from __future__ import annotations

from pathlib import Path

from molt.index.search.candidates import Candidate
from molt.memory.search import search, siblings, snippets
from molt.memory.workspace import Workspace

MAIL = "Security > Mail"


def make(line: int, text: str, *, heading: str = MAIL, corrected: str = "") -> Candidate:
    words = f"{heading}\n{text}"
    place = ("MEMORY.md", line, line, f"core:security#{line}")
    return Candidate(line, *place, "core", "core", (), "", words, corrected=corrected)


def merge(*found: Candidate) -> list[str]:
    return [one.text for one, _ in siblings.merge_siblings([(one, 1.0) for one in found])]


def test_bullets_under_the_same_headings_are_shown_together_in_their_order() -> None:
    found = merge(make(7, "- Keys need the word."), make(6, "- The word is heron."))
    assert found == [f"{MAIL}\n- The word is heron.\n- Keys need the word."]


def test_what_stands_elsewhere_or_is_put_right_keeps_its_place() -> None:
    first = make(7, "- Keys need the word.")
    others = (
        make(9, "- The ferry is green.", heading="Ferry"),
        make(8, "- The word is gull.", corrected="core:security#6"),
    )
    assert len(merge(first, *others)) == 3


def test_there_are_as_many_as_are_printed() -> None:
    found = merge(*(make(at, f"- bullet {at} {'of many words ' * 4}") for at in range(1, 9)))
    assert len(found) > 1
    assert all(len(text) - len(MAIL) - 1 <= snippets.PRINTED for text in found)
    assert sum(text.count("bullet") for text in found) == 8


def test_a_bullet_of_a_section_that_stands_before_it_takes_no_place() -> None:
    prose = make(3, "The mail server is old.").replace(end=8, memory_id="core:security")
    assert len(merge(prose, make(7, "- Keys need the word."))) == 1
    assert len(merge(make(7, "- Keys need the word."), prose)) == 2


def test_who_reads_sees_them_together_and_who_counts_sees_each(ws: Workspace) -> None:
    rows = "- Code word of the mail: heron\n- The code word guards keys and mail\n"
    Path(ws.repo.root, "MEMORY.md").write_text(f"# MEMORY.md\n\n## Mail\n\n{rows}", "utf-8")
    asked = "which code word guards the mail"
    (read,) = search.search_marked(ws, asked).results
    assert "heron" in read.snippet
    assert "keys and mail" in read.snippet
    assert len(search.search(ws, asked).results) == 2
