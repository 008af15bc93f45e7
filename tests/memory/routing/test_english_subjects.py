"""What begins with a word that may be an order, and speaks of something."""

from __future__ import annotations

import pytest

from molt.memory.engines import rules
from molt.memory.engines.verdict import NONE

TOLD = """
test users are in the demo_users table
build logs go to the archive
deploy keys expire in March
search results are cached for ten minutes
load balancers sit in front of the API
merge requests need two approvals
review comments must be answered within a day
check digits are computed modulo 11
commit hooks run in Docker
format strings aren't checked by the linter
install steps are in the README
set pieces are our weakness
Plan B is to move to the north
book club meetings are on Tuesdays
order numbers have eight digits
text messages cost 8 cents
copy editors get a week
start dates are mostly Mondays
turn signals on the van are broken
test data for the importer is in the fixtures
check digits are optional for old cards
search on the old site doesn't work
deploy to staging is broken
show notes are written by Ana
test runner needs Node 24
""".strip().splitlines()
ORDERED = """
test the users
run tests on main if builds are green
let users run the suite
make the tests run faster
list files users can read
search for files tests have made
look for files we have deleted
move files from tmp to the place where they are read
check whether builds are green
check tests are green
run tests until they are green
push to main, builds are green
write down which files are open
delete everything that is in tmp
help users start the app
start with the tests that are red
test the uses of it
""".strip().splitlines()


@pytest.mark.parametrize("text", TOLD)
def test_what_is_told_of_something_is_a_memory(text: str) -> None:
    verdict, _ = rules.judge_sentence(text)
    assert verdict.store != NONE
    assert verdict.why not in ("an errand", "an order to the agent")


@pytest.mark.parametrize("text", ORDERED)
def test_an_order_with_a_clause_of_its_own_is_an_order(text: str) -> None:
    verdict, _ = rules.judge_sentence(text)
    assert (verdict.store, verdict.why) == (NONE, "an order to the agent")
