"""What core memory says already is shown to who writes what is near it, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from molt.formats import ids
from molt.memory.write import answers, core, near, remember

NOW = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
LINES = (
    *("The user lives in Oslo", "User's sister is called Anna", "The user prefers tea over coffee"),
    *("My nephew Bo has a match on 5 May", "Never deploy on Fridays", "User is vegan"),
    *("The gateway listens on port 8080", "用户住在奥斯陆", "Der Nutzer wohnt in Hamburg-Altona"),
    *("The staging database password is rotated every Monday", "Answer in French"),
)
CORE = "# M\n\n## Persona\n" + "".join(f"- {line}\n" for line in LINES)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("I moved to Rome, I no longer live in Oslo", "The user lives in Oslo"),
        ("Bo's match was moved to 6 May", "My nephew Bo has a match on 5 May"),
        ("my sister's name is Ann, not Anna", "User's sister is called Anna"),
        ("The gateway listens on port 9090", "The gateway listens on port 8080"),
        ("You can deploy on Fridays again", "Never deploy on Fridays"),
        ("I prefer coffee in the morning now", "The user prefers tea over coffee"),
        ("I'm not vegan any more", "User is vegan"),
        ("我搬到了卑尔根，不再住奥斯陆", "用户住在奥斯陆"),
        ("Der Nutzer wohnt jetzt in Bremen statt in Hamburg-Altona", LINES[8]),
    ],
)
def test_what_is_near_is_shown(text: str, line: str) -> None:
    assert [one.text for one in near.find_near(CORE, text)] == [line]


@pytest.mark.parametrize(
    "text",
    [
        *("The dog ate the homework on Friday", "Deploy the blog on Monday", "We met Anna"),
        *("The staging server is slow", "Decided to use Postgres for the new service"),
        *("The French team won the match", "The user lives in Oslo", "我们今天去了公园"),
        *("Die Sitzung ist am Montag", "Bob's sister lives in Rome", "A port for the boat"),
    ],
)
def test_what_is_not_near_is_not_shown(text: str) -> None:
    assert near.find_near(CORE, text) == ()


def test_of_many_two_are_shown_and_none_that_is_struck_out() -> None:
    rows = "".join(f"- The gateway of site {n} listens on port 80{n}\n" for n in range(10, 20))
    struck = "- ~~The gateway of site 9 listens on port 90~~ (until 2026-01-01)\n"
    found = near.find_near(f"# M\n\n## Persona\n{struck}{rows}", "The gateway of the site listens")
    assert len(found) == near.MOST
    assert all("~~" not in one.text for one in found)


def test_an_answer_names_the_bullet_and_how_to_replace_it(ws) -> None:
    line = "My nephew Bo has a match on 5 May"
    core.edit_core(ws, core.add_bullet("Persona", line), NOW, core.CoreOptions())

    def list_near(**flags: str) -> tuple[near.NearBullet, ...]:
        route = answers.choose_route(ws, "Bo's match was moved to 6 May", answers.Asked(), **flags)
        return near.list_near(ws, route, remember.remember_text(ws, route, NOW).made)

    own = ids.bullet("Persona", line)
    (found,) = list_near(store="episodic")
    way = f"replace it with --supersedes {own}"
    assert found.describe() == f"core already says: {line}; {way}"
    assert list_near(store="episodic", scope="private") == ()
    assert list_near(supersedes=own) == ()
