"""What a terminal is shown of a text."""

from __future__ import annotations

import pytest

from molt.formats import lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("SOUL\u200d.md", "SOUL\\x200d.md"),
        ("\u200cx", "\\x200cx"),
        ("é\x85\u200d", "é\\x85\\x200d"),
        ("é\u202ex\x1b[31m", "é\\x202ex\\x1b[31m"),
    ],
)
def test_the_joiners_of_a_script_stay_and_what_steers_does_not(text: str, shown: str) -> None:
    assert lines.escape_text(text) == shown
