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


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        ("wait; or go", "      wait\n      or go"),
        ("`git rm 'a; or b'`; or wait", "      `git rm 'a; or b'`\n      or wait"),
        ("wait; or `git rm 'a; or b'`", "      wait\n      or `git rm 'a; or b'`"),
    ],
)
def test_each_way_on_has_a_line_and_a_command_stays_whole(hint: str, shown: str) -> None:
    assert lines.render_hint(hint) == shown
