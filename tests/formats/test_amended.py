"""A sentence puts one line of core memory right, or none."""

from __future__ import annotations

import pytest

from molt.formats import bullets
from molt.formats.prose import amended

CORE = """# M

## Identity
- The user lives in Oslo
- Works at Acme
- Manager: Carol

## Critical Facts
- User's sister is called Anna, lives in Rome
- My brother is a nurse
- 用户的生日是3月5日
- 用户住在奥斯陆
- The user's dog is called Rex.
- The database is Postgres 15 (source: user)
- Standup meeting every Monday
- Phone: 555-1234
"""


def amend(text: str, core: str = CORE) -> list[tuple[str, str]]:
    """The lines that a sentence puts right, before and after."""
    found = amended.read_change(text)
    lines = bullets.core_bullets(core)
    return [(one.old.text, one.text) for one in amended.find_amended(lines, found)] if found else []


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("no, my sister's name is Ann, not Anna", "called Anna, lives", "called Ann, lives"),
        ("My sister is Ann, not Anna.", "called Anna, lives", "called Ann, lives"),
        ("I was wrong: my sister is called Ann", "called Anna, lives", "called Ann, lives"),
        ("I moved from Oslo to Bergen.", "lives in Oslo", "lives in Bergen"),
        ("I live in Bergen now", "lives in Oslo", "lives in Bergen"),
        ("I now live in Bergen", "lives in Oslo", "lives in Bergen"),
        ("Correction: I work at Globex", "Works at Acme", "Works at Globex"),
        ("my manager is Dave now", "Carol", "Dave"),
        ("actually, my brother is a doctor", "a nurse", "a doctor"),
        ("Actually, the user's dog is called Max", "Rex.", "Max."),
        ("correction: the database is Postgres 16", "15 (source", "16 (source"),
        ("更正: 用户的生日是3月6日", "3月5日", "3月6日"),
        ("更正：我的生日是3月6日，不是3月5日", "3月5日", "3月6日"),
        ("我从奥斯陆搬到了卑尔根", "奥斯陆", "卑尔根"),
        ("我现在住在卑尔根", "奥斯陆", "卑尔根"),
    ],
)
def test_the_line_that_is_meant_reads_as_it_should(text: str, old: str, new: str) -> None:
    ((before, after),) = amend(text)
    assert old in before
    assert after == before.replace(old, new)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I live in Bergen", id="no correction"),
        pytest.param("Bob moved from Oslo to Bergen", id="of somebody else"),
        pytest.param("no, Bob's sister is Ann, not Anna", id="another's sister"),
        pytest.param("the meeting is on Tuesday, not Monday", id="a meeting of several"),
        pytest.param("it is 80, not 81", id="of nothing"),
        pytest.param("Actually I am a designer", id="of the user"),
        pytest.param("actually, my brother is in Rome", id="another attribute"),
        pytest.param("Actually, I live in Oslo, Norway", id="more of the same"),
        pytest.param("no, my sister's name is Ann, not Berta", id="denies what no line says"),
        pytest.param("my manager is Dave and he wants weekly notes now", id="a sentence"),
        pytest.param("no", id="no word more"),
        pytest.param("My brother is 。 !, not a nurse", id="no value"),
    ],
)
def test_what_names_no_line_changes_none(text: str) -> None:
    assert amend(text) == []


def test_every_line_is_told_that_may_be_meant() -> None:
    core = "## Identity\n- The dog is called Rex\n\n## Persona\n- My dog is called Fido\n"
    assert len(amend("Actually, my dog is called Max", core)) == 2


def test_a_line_of_several_rows_is_put_right_where_it_says_what_does_not_hold() -> None:
    core = "## Identity\n- The sister is Anna\n  and Anna is a nurse\n"
    ((_, after),) = amend("my sister is Ann, not Anna", core)
    assert after == "The sister is Ann\nand Ann is a nurse"


def test_what_came_from_outside_is_left_to_a_person() -> None:
    assert amend("my port is 81 now", "## Identity\n- Port: 80 (origin: web)\n") == []


@pytest.mark.parametrize(
    ("line", "text", "after"),
    [
        (
            "I live in Zürich and work at Contoso as a data engineer",
            "Actually, I live in Basel",
            "I live in Basel and work at Contoso as a data engineer",
        ),
        (
            "I live in Oslo with my wife Kari and our two cats",
            "I live in Bergen now",
            "I live in Bergen with my wife Kari and our two cats",
        ),
        (
            "I live in Oslo. I work at Acme",
            "Actually, I live in Rome",
            "I live in Rome. I work at Acme",
        ),
        (
            "Lives in Oslo; works at Acme",
            "I moved from Oslo to Rome",
            "Lives in Rome; works at Acme",
        ),
        ("用户住在奥斯陆，在Acme工作", "我现在住在卑尔根", "用户住在卑尔根，在Acme工作"),
        (
            "User lives in STRASSE 5 city",
            "User lives in Rome, not straße 5 city",
            "User lives in Rome",
        ),
        (
            "User lives in Rome, works at Rome Labs",
            "I moved from Rome to Oslo",
            "User lives in Oslo, works at Rome Labs",
        ),
    ],
)
def test_what_a_correction_does_not_speak_of_stays(line: str, text: str, after: str) -> None:
    assert amend(text, f"## Identity\n- {line}\n") == [(line, after)]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("User lives in Rome, near the river", "I moved from Rome to Oslo"),
        ("Lives in Oslo, Norway", "I live in Rome now"),
        ("Lives in Oslo - the old town", "I live in Rome now"),
        ("Lives in Oslo near the river", "I live in Rome now"),
        ("I live in Oslo and Bergen", "Actually, I live in Rome"),
        ("Works at Contoso as a data engineer", "Actually, I work at Initech"),
        ("Works at Contoso with my brother", "Actually, I work at Initech"),
        ("My manager is Carol and sits in Rome", "my manager is Dave now"),
        ("My manager is Carol, sits in Rome", "my manager is Dave, not Carol"),
        ("I live in Oslo and love it there", "Actually, I live in Rome"),
        ("I live in Oslo and work at Acme", "Actually, I live in Rome with my wife"),
        ("用户住在奥斯陆，靠近河边", "我现在住在卑尔根"),
    ],
)
def test_a_line_of_which_it_is_not_sure_what_still_holds_is_named_and_stays(
    line: str, text: str
) -> None:
    assert amend(text, f"## Identity\n- {line}\n") == [(line, "")]
