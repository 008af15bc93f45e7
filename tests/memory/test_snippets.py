"""What is shown of a memory: the part that answers, below the headings above it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.memory.search import snippets

LONG = "Nothing of note was said. " * 60


def test_a_short_text_is_shown_whole() -> None:
    assert snippets.cut_snippet("the gate is green", "gate", 100) == snippets.Snippet(
        "", "the gate is green"
    )


def test_the_headings_stand_apart() -> None:
    text = f"Notes > Access > Keys\n{LONG}The key lies in the blue drawer. {LONG}"
    found = snippets.cut_snippet(text, "where does the key lie", 160)
    assert found.heading == "Notes > Access > Keys"
    assert "The key lies in the blue drawer." in found.text
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")


@pytest.mark.parametrize("query", ["harbour gates", "Harbour-Gate", "harbouring gate"])
def test_other_forms_of_a_word_are_found(query: str) -> None:
    text = f"{LONG}We shut the harbour gate at nine. {LONG}"
    assert "harbour gate" in snippets.cut_snippet(text, query, 120).text


def test_where_several_words_stand_together_counts_more() -> None:
    text = f"A gate. {LONG} The green gate of the harbour opens at six. {LONG}"
    assert "opens at six" in snippets.cut_snippet(text, "harbour gate opens", 120).text


def test_chinese_words_are_found() -> None:
    text = "没有什么可说的。" * 80 + "钥匙在蓝色抽屉里。" + "没有什么可说的。" * 80
    assert "蓝色抽屉" in snippets.cut_snippet(text, "钥匙在哪里", 60).text


@given(st.text(max_size=400), st.text(max_size=40), st.integers(20, 200))
def test_no_more_is_shown_than_asked_for(text: str, query: str, most: int) -> None:
    found = snippets.cut_snippet(text, query, most)
    assert len(found.text) <= most + 4
    # Marks that only set words off are left out: rows of nothing else, and those at the ends.
    said, plain = found.text.strip(" …"), text.replace("**", "")
    assert said in text or all(row.strip() in plain for row in said.split("\n"))


NOTES = "\n".join(f"- On day {n} the harbour was quiet." for n in range(20))


def test_what_stands_under_a_heading_that_matches_is_shown() -> None:
    text = f"{NOTES}\n\n**Crane limits (north quay):**\n- Two tons in wind, four without.\n{NOTES}"
    found = snippets.cut_snippet(text, "what are the limits at the north quay of the harbour?", 120)
    assert "Two tons in wind" in found.text


def test_a_long_line_is_shown_from_the_clause_that_answers() -> None:
    counts = "; ".join(f"pier {n} took {n}0 ferries" for n in range(12))
    text = f"Report on ferries of the harbour: {counts}; cancelled 191; {counts}; more to come."
    assert "cancelled 191" in snippets.cut_snippet(text, "how many ferries were cancelled", 90).text


def test_a_rare_word_tells_more_than_one_that_is_everywhere() -> None:
    text = f"{NOTES}\n- The pilot is Marta.\n{NOTES}"
    assert "Marta" in snippets.cut_snippet(text, "who is the pilot of the harbour", 80).text


GUIDE = f"# Cars\n\nOf engines.\n\n## Small\n\n### Otter\n{NOTES}\n- Best for short trips\n{NOTES}"


def test_the_headings_within_a_text_stand_above_what_is_shown() -> None:
    found = snippets.cut_snippet(GUIDE, "which one is best for short trips", 80)
    assert found.heading == "# Cars > Small > Otter"
    assert "short trips" in found.text
    # So they do where the text has been cut before.
    cut = snippets.cut_text(GUIDE, "which one is best for short trips", 300)
    assert snippets.cut_snippet(cut, "best for short trips", 80).heading == "# Cars > Small > Otter"


def test_a_letter_that_is_a_word_is_not_looked_for_in_others() -> None:
    assert [place[:2] for place in snippets.find_places("bad plan B, better", "plan b")] == [
        (4, 8),
        (9, 10),
    ]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("какие лимиты у наших серверов", "Лимит сервера: 300 запросов."),
        ("cuando es el cumpleanos de mi hermana", "Cumpleaños de Ana: 4 de mayo."),
        ("wem zahlen die Mieterinnen etwas", "Eine Mieterin zahlt an Frau Falk."),
    ],
)
def test_a_line_with_another_form_of_a_word_is_shown(asked: str, line: str) -> None:
    found = snippets.cut_snippet(f"{LONG}\n{line}\n{LONG}", asked, 60)
    assert line in found.text


def test_a_word_beside_signs_of_a_script_without_spaces_stands_by_itself() -> None:
    text = "用API密钥登录"
    assert (1, 4) in [place[:2] for place in snippets.find_places(text, "API 怎么登录")]


def test_what_only_sets_words_off_takes_no_room() -> None:
    text = "| **Audit** | **Grade** |\n|-------|------|\n| Harbour | **B** |\n" + "sand\n" * 40
    found = snippets.cut_snippet(text, "which grade did the harbour get", 60)
    assert found.text.startswith("Audit | Grade\nHarbour | B\nsand")


CHAIR = "The harbour board named Ines Falk as its chair on Friday, as many in town had guessed."
LINES = "- Kestrel Lines: down 14 %"


def test_a_word_that_stands_only_elsewhere_is_shown_too() -> None:
    text = f"{CHAIR} {LONG}\n{LINES}\n{LONG}"
    found = snippets.cut_snippet(text, "how did Kestrel fare after the harbour had a chair", 200)
    assert found.text.startswith(CHAIR)
    assert f"\n… {LINES}" in found.text


def test_what_stands_before_the_best_part_is_shown_before_it() -> None:
    text = f"{LINES}\n{LONG}\n{CHAIR}\n{LONG}"
    found = snippets.cut_snippet(text, "Kestrel and the chair of the harbour board", 200)
    assert found.text.startswith(f"{LINES}\n… {CHAIR}")


def test_one_word_more_elsewhere_takes_no_room() -> None:
    line = "The green gate of the old harbour opens at six every day of the week, says the board. "
    found = snippets.cut_snippet(f"{line * 2}\n{LONG}\nsix\n{LONG}", "green gate old harbour", 160)
    assert found.text.count("…") == 1


def test_what_stands_first_below_a_heading_is_shown_with_it() -> None:
    text = f"{LONG}\n## School\n- Name: La Nueva\n- Class: 1A\n- Pupil: Kylian\n{LONG}"
    found = snippets.cut_snippet(text, "which school is Kylian in", 240)
    assert "La Nueva" in found.text
    assert "Kylian" in found.text


def test_a_heading_that_matches_begins_its_own_section() -> None:
    text = f"{LONG}\n## Ferry\n- green\n## Harbour gate\n- opens at six\n{LONG}"
    found = snippets.cut_snippet(text, "harbour gate", 160)
    assert found.heading.endswith("Harbour gate")
    assert "green" not in found.text


def test_a_heading_below_a_long_line_does_not_take_its_place() -> None:
    line = (
        "Slow tides need care. The harbour pilot Marta has a bad knee, so no ladders. Call first."
    )
    text = (
        f"# Notes\n{'Nothing of note here at all. ' * 8}{line}\n\n## Else\n\n- {'calm sea, ' * 30}"
    )
    found = snippets.cut_snippet(text, "why no ladders for the harbour pilot", 120)
    assert "bad knee" in found.text
    assert found.heading == "# Notes"


def test_headings_within_take_no_room() -> None:
    text = "# Day\n- the ferry is late\n## A long heading of what follows below it\n- it rains\n"
    found = snippets.cut_snippet(f"{text}- the pier is wet\n{LONG}", "when is the ferry late", 50)
    assert found.text.startswith("- the ferry is late\n- it rains\n- the")
    assert "heading" not in found.text
