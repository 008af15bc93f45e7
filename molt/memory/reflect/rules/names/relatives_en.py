"""The people whom English sentences name by whose they are: `my son` of Evan is `Evan's son`."""

from __future__ import annotations

from molt.memory.reflect.rules import cues
from molt.memory.reflect.rules.names.mentions import Mention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.reflect.rules.spoken import Statement
    from molt.memory.reflect.rules.words import SpokenWord

_WHICH = frozenset(("older", "younger", "elder", "oldest", "youngest", "eldest", "little", "big"))


def find_relatives(one: Statement, words: Sequence[SpokenWord]) -> Iterator[Mention]:
    """Those of whom who speaks has one or few; with a name that stands beside it, that one is
    called so besides. None where nobody knows who speaks.
    """
    for at, word in enumerate(words[1:], 1):
        # Who is one's own boss has none.
        which = words[at - 1].low in cues.PLAIN - {"my", "own"}
        owner = words[at - 2] if which and at > 1 else words[at - 1]
        if not one.speaker or word.low not in cues.RELATIVES or owner.low != "my":
            continue
        kept = f"{words[at - 1].low} " if words[at - 1].low in _WHICH else ""
        label = f"{one.speaker}'s {kept}{word.low}"
        name = _find_name(words, at)
        if name:
            yield Mention(name, "person", 3, one, alias=label)
        else:
            yield Mention(label, "person", 3, one, relative=True)


def list_forms(label: str) -> list[str]:
    """What one may be called who is called so, the label first: `Ann's mom`, `Ann's mother`."""
    owner, _, word = label.rpartition(" ")
    same = (row.split() for row in cues.SAME_RELATIVES)
    others = next((row for row in same if word in row), [])
    return [label, *(f"{owner} {other}" for other in others if other != word)]


def _find_name(words: Sequence[SpokenWord], at: int) -> str:
    """The name behind a word for a relative, `my daughter Sara`; empty for none."""
    if at + 1 >= len(words) or words[at].owner:
        return ""
    after = words[at + 1]
    apposed = after.gap == " " or (after.gap == ", " and _is_closed(words, at + 1))
    named = after.text[0].isupper() and after.low not in cues.NOT_NAMED | cues.CALENDAR
    plain = len(after.bare) > 1 and "'" not in after.bare
    return after.bare if apposed and named and plain else ""


def _is_closed(words: Sequence[SpokenWord], at: int) -> bool:
    """Whether a name ends there, and no list goes on: `my wife, Anna, …`."""
    behind = words[at + 1].gap if at + 1 < len(words) else "."
    return behind[:1] in (",", ".", "!", "-")
