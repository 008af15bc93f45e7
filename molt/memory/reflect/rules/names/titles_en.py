"""The works that English sentences name between quotation marks: a book, a song."""

from __future__ import annotations

import re

from molt.memory.reflect.rules import cues
from molt.memory.reflect.rules.names.mentions import Mention
from molt.memory.reflect.rules.words import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.reflect.rules.spoken import Statement
    from molt.memory.reflect.rules.words import SpokenWord

_SURE = 3
"""As `names_en` grades it: what stands before a title says that it is one."""
_QUOTED = re.compile(r'["“]([^"“”]{3,60})["”]')


def find_titles(one: Statement) -> Iterator[Mention]:
    """What stands in quotation marks with capitals, beside a word for a work: a book, a song."""
    for match in _QUOTED.finditer(one.text):
        label = match.group(1).strip(" .,!?")
        parts = [part for part in label.split() if not part[0].isdigit()]
        large = sum(part[0].isupper() for part in parts)
        near = split_words(one.text[: match.start()])[-8:]
        owned = label[:1].isupper() and _ends_with_maker(near)
        plain = (label.lower() in cues.NOT_NAMED and not owned) or label.isupper()
        before = [word.low for word in near]
        # Beside the word for a work a title may be one sentence: `we play "It takes two"`.
        led = label[:1].isupper() and not cues.TITLES.isdisjoint(before[-1:])
        if not 0 < len(parts) < 8 or (large * 2 <= len(parts) and not led) or plain:
            continue
        behind = one.text[match.end() : match.end() + 4]
        # Two words in capitals between marks, or one and a number, are a title, whatever is before.
        cued = owned or behind == " by " or not cues.TITLES.isdisjoint(before)
        if cued or large > 1 or label[-1].isdigit():
            yield Mention(label, "concept", _SURE, one)


def _ends_with_maker(words: Sequence[SpokenWord]) -> bool:
    """Whether somebody's name stands last, as whose a work is: `Ed Sheeran's "Perfect"`."""
    return bool(words) and words[-1].owner and words[-1].text[0].isupper()
