"""The events, places and groups that English sentences tell of in plain words: `charity race`."""

from __future__ import annotations

from molt.memory.reflect.rules import cues
from molt.memory.reflect.rules.names.mentions import Mention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.reflect.rules.spoken import Statement
    from molt.memory.reflect.rules.words import SpokenWord

_MOST = 3
"""Words that say of which kind a thing is; what has more is no name any more."""
_REACH = 8
"""Words before a thing among which somebody takes part in it."""
_OWN = frozenset(("i", "we", "my", "our", "i'm", "i've", "we're", "i'll", "we've", "gonna", "just"))


def find_things(one: Statement, words: Sequence[SpokenWord]) -> Iterator[Mention]:
    """The things of which a sentence tells that have a name of two words or more, or are an event
    of which nobody has many: 3 where the speaker takes part in it, 2 where a name is in its own,
    else 1.
    """
    for at, word in enumerate(words):
        kind = find_head(word.low)
        if not kind or word.owner or _goes_on(words, at):
            continue
        start = _begin(words, at)
        lone = start == at and word.low in cues.LONE_EVENTS
        if not (lone or start < at) or not _is_countable(words, start, at):
            continue
        label = " ".join(map(_spell, words[start:at]))
        near = [one.low for one in words[max(0, start - _REACH) : start]]
        taking = not cues.TAKING_PART.isdisjoint(near) and not _OWN.isdisjoint(
            one.low for one in words[:start]
        )
        group = _singular(word.low) in cues.GROUPS
        owned = group and start > 0 and words[start - 1].low in ("my", "our")
        named = any(_is_name(one) for one in words[start:at])
        sure = 3 if taking or owned else 2 if named else 1
        if taking or not lone:
            yield Mention(f"{label} {_singular(word.low)}".strip(), kind, sure, one)


def _spell(word: SpokenWord) -> str:
    """A word of a label: a name keeps its capital."""
    return word.bare if word.bare.isupper() or _is_name(word) else word.low


def _is_name(word: SpokenWord) -> bool:
    return word.text[0].isupper() and not word.begins and word.low not in cues.NOT_NAMED


def _is_countable(words: Sequence[SpokenWord], start: int, at: int) -> bool:
    """Whether a head that has another sense as well has the one of a thing: `a poetry reading`, and
    not `fantasy reading`; `a food drive`, and not `an external drive`.
    """
    head = words[at].low
    if head in ("drive", "drives"):
        return not cues.DRIVES.isdisjoint(word.low for word in words[start:at])
    if head in cues.DETERMINED or _singular(head) in cues.DETERMINED:
        led = ("a", "an", "the", "my", "our", "your", "this", "that", "another", "new", "of")
        near = words[max(0, start - 2) : start]
        return head in cues.DETERMINED and any(word.low in led for word in near)
    return True


def find_head(word: str) -> str:
    """The type of things that a word stands for; empty for none."""
    low = _singular(word)
    if low in cues.GROUPS:
        return "project" if low in _PROJECTS else "organization"
    if low in cues.EVENTS:
        return "event"
    return "place" if low in cues.PLACES else ""


_PROJECTS = frozenset(("startup", "program", "programme"))


def make_singular(label: str) -> str:
    """A name of several words with the last one in the singular, where it is one of a thing."""
    before, space, head = label.rpartition(" ")
    return f"{before} {_singular(head)}" if space and find_head(head) else label


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _goes_on(words: Sequence[SpokenWord], at: int) -> bool:
    """Whether the word behind is the head: `art show host`, `beach house`."""
    after = words[at + 1] if at + 1 < len(words) else None
    if after is None or after.gap != " ":
        return False
    return find_head(after.low) != "" and after.low not in cues.NO_MODIFIERS


def _begin(words: Sequence[SpokenWord], at: int) -> int:
    """Where the words begin that say of which kind a thing is; `at` where none does."""
    start = at
    while start > 0 and at - start < _MOST and _may_modify(words, start):
        start -= 1
    while start < at and (
        words[start].low in cues.PLAIN or words[start].low.endswith(("ly", "est"))
    ):
        start += 1
    return start


def _names_group(words: Sequence[SpokenWord], at: int) -> bool:
    """Whether what somebody does says which group it is: `a running group`, and not `running`."""
    led = words[at - 2].low if at > 1 else ""
    doing = words[at - 1].low.endswith("ing") and led in ("a", "our", "my", "the", "this")
    return doing and _singular(words[at].low) in cues.GROUPS


def _may_modify(words: Sequence[SpokenWord], at: int) -> bool:
    """Whether the word before a place belongs to the thing that is named there."""
    word, gap = words[at - 1], words[at].gap
    if gap not in (" ", "+ ") or word.owner:
        return False
    if _names_group(words, at):
        return True
    if word.low in cues.NO_MODIFIERS or word.low.removesuffix("s") in cues.NO_MODIFIERS:
        return False
    if word.low in cues.CALENDAR or word.text[0].isdigit() or "'" in word.bare:
        return False
    if word.begins and word.text[0].isupper() and not word.bare.isupper():
        return False
    return not word.low.endswith(("ed", "n't")) or word.low in ("guided", "wedding")
