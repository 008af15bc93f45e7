"""What puts right what was said before stands first, and nothing else moves."""

from __future__ import annotations

import pytest

from molt.index.content import signs
from molt.index.search import superseded


def _say(*texts: str, days: tuple[str, ...] = ()) -> list[superseded.SaidMemory]:
    """Memories of one day, or of so many days, in the order in which they were said."""
    return [
        superseded.SaidMemory(
            number,
            unit=0 if days else 1,
            path=f"{days[number - 1]}.md" if days else "day.md",
            line=0 if days else 3 * number,
            date=days[number - 1] if days else "2026-03-01",
            text=text,
        )
        for number, text in enumerate(texts, 1)
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("the choir meets on Monday", "actually the choir meets on Tuesday, not Monday"),
        ("Vera works at Initech", "Vera no longer works at Initech, she is at Hooli"),
        ("the archive is in the cellar", "the archive moved from the cellar to the attic"),
        ("my aunt lives in Turin", "my aunt has moved to Genoa"),
        ("the fee is 20 euros a year", "the fee is now 25 euros a year"),
        ("we print with the Epson", "we replaced the Epson, we print with the Brother"),
        ("the exam is on 4 May", "the exam was postponed to 11 May"),
        ("der Kurs ist im Saal", "der Kurs ist nicht mehr im Saal"),
        ("例会在星期一", "例会改到星期四了"),
        ("仓库在苏州", "仓库从苏州搬到了无锡"),
        ("老王在百度工作", "老王离职了，不再在百度工作"),
        ("倉庫在蘇州", "仓库已从苏州迁到无锡"),
    ],
)
def test_what_puts_right_is_found(before: str, after: str) -> None:
    assert superseded.find_corrections(_say(before, "the cat sleeps", after)) == {1: 3}
    # In whichever order a search has found them.
    assert superseded.find_corrections(_say(before, "the cat sleeps", after)[::-1]) == {1: 3}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the choir meets on Monday", "the orchestra moved to Friday"),
        ("Vera works at Initech", "Otto no longer plays the flute"),
        ("the fee is 20 euros a year", "the fee is paid in June"),
        ("例会在星期一", "现在下雨了"),
        ("the choir meets on Monday", "the choir meets on Monday"),
    ],
)
def test_what_says_something_else_puts_nothing_right(one: str, other: str) -> None:
    assert superseded.find_corrections(_say(one, other)) == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("The user lives in Bergen", "I moved from Oslo to Bergen"),
        ("The user lives in Bergen", "no, I live in Bergen, not Oslo"),
        ("the archive is in the attic", "the archive moved from the cellar to the attic"),
        ("仓库在无锡", "仓库从苏州搬到了无锡"),
    ],
)
def test_what_has_been_put_right_is_not_put_right_again(line: str, said: str) -> None:
    assert superseded.find_corrections(_say(line, said)) == {}


def test_what_was_said_later_is_not_put_right() -> None:
    said = _say(
        "the archive moved to the attic", "the archive is in the attic", days=("2026-01-02",) * 2
    )
    later = [said[0], said[1].replace(date="2026-04-01", path="late.md")]
    assert superseded.find_corrections(later) == {}


def test_a_correction_of_a_correction_counts_by_time() -> None:
    said = _say(
        "the photo archive is in the cellar",
        "the photo archive moved to the attic",
        "the photo archive moved to the garage",
        days=("2026-01-01", "2026-02-01", "2026-03-01"),
    )
    found = superseded.find_corrections(said)
    assert found[2] == 3
    assert found[1] in (2, 3)


def test_it_that_is_put_right_stands_just_before() -> None:
    said = _say("the train leaves on Friday", "bring a coat", "no, it is Saturday, not Friday")
    assert superseded.find_corrections(said) == {1: 3}
    far = [said[0], said[2].replace(number=9)]
    assert superseded.find_corrections(far) == {}


def test_a_page_is_put_right_by_no_sentence() -> None:
    page = "\n".join(f"- the archive of room {n} is in the cellar" for n in range(30))
    assert superseded.find_corrections(_say(page, "the archive moved from the cellar")) == {}


def test_signs_of_words_without_spaces_are_those_of_the_ranges() -> None:
    every = "".join(map(chr, range(0x30000)))
    found, rest = signs.cut_unspaced(every)
    assert found == {one for one in every if signs.lies_in(signs.SIGNS + signs.LETTERS, one)}
    assert len(rest) == len(every)
    assert not signs.has_unspaced(rest)
