"""Orders of the moment are no memories; preferences, duties and facts are."""

from __future__ import annotations

import pytest

from molt.memory.engines import moment_orders

ORDERS = """
fix it, but don't touch the fixtures
no, run the whole suite first
don't change the API, just the docs
ok looks good, now squash these commits
don't commit yet
stop, revert that last change
use a dict here instead of a list
hmm, don't use a regex here
show me the diff before you commit
I want you to look at the failing test first
no need to update the changelog for this one
before you continue, install the dependencies
do it like in the previous commit
do not change anything outside of this module
""".strip().splitlines()
KEPT = """
never touch the fixtures
always run the whole suite before you commit
from now on write the commit messages in English
don't push to main without asking me
if the tests fail, show me the log first
use British spelling in everything you write here
under no circumstances delete the backups
use tabs
keep your answers short
we keep the invoices for ten years
Update: the launch moved to May
No, the port is 8080, not 80
our policy: delete the logs after 30 days
to release: run the suite, tag it, push the tag
send the invoice to Bob by Friday
let's go with Postgres, we decided that today
remind me to call the bank
test users are in the demo table now
search queries are logged here
upload limits are 20 MB here
draft invoices have no number yet
save files from the old version can be loaded again
build logs of this project are archived now
""".strip().splitlines()


@pytest.mark.parametrize("text", ORDERS)
def test_what_points_at_the_task_at_hand_is_dropped(text) -> None:
    assert moment_orders.drop_orders(text) == ""


@pytest.mark.parametrize("text", KEPT)
def test_what_goes_further_or_is_no_order_is_kept(text) -> None:
    assert moment_orders.drop_orders(text) == text


def test_an_order_beside_something_else_goes_alone() -> None:
    said = "I prefer hemp for all of the rigging. Now fix the failing test."
    assert moment_orders.drop_orders(said) == "I prefer hemp for all of the rigging."
    assert moment_orders.drop_orders("  \n") == "  \n"
