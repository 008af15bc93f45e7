"""Who asks that nothing be kept is heard; an order of that kind for good is kept itself."""

from __future__ import annotations

import pytest

from molt.memory.engines import rules
from molt.memory.engines.verdict import UNKEPT

UNKEPT_TEXTS = """
Don't remember this
please don't save that anywhere
do not store this conversation
don't write that down
Don't make a note of that, please
you don't need to remember this
No need to save this.
Off the record: I'm quitting
I'm quitting. Don't write that down.
别记这个
不要记录这段对话
我要辞职了。别记下来
""".strip().splitlines()
KEPT = """
Don't store passwords in plain text
never store dates as strings
do not record meetings without asking me
I can't remember that song, but I like the singer
He did not write that down on Monday
""".strip().splitlines()


@pytest.mark.parametrize("text", UNKEPT_TEXTS)
def test_what_is_not_to_be_kept_is_no_memory(text: str) -> None:
    found = rules.answer_text(text)
    assert (found.store, found.why) == ("none", UNKEPT)


@pytest.mark.parametrize("text", KEPT)
def test_what_only_speaks_of_keeping_is_a_memory(text: str) -> None:
    assert rules.answer_text(text).store != "none"
