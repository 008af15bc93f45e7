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
_ADJECTIVES = ("ly", "est", "ful", "less", "ous", "able", "ible")
_NOUNS = frozenset(
    ("family", "forest", "harvest", "guest", "table", "vegetable", "assembly", "homeless")
)
"""Words that end as adjectives do, and are none."""


def find_things(one: Statement, words: Sequence[SpokenWord]) -> Iterator[Mention]:
    """The things of which a sentence tells that have a name of two words or more, or are an event
    or a place of which nobody has many: 3 where the speaker takes part in it, 2 where a name is in
    its own or a word before it says which it is, else 1.
    """
    for at, word in enumerate(words):
        kind = _find_kind(words, at)
        if not kind or word.owner or _goes_on(words, at):
            continue
        start = _begin(words, at)
        lone = start == at and word.low in cues.LONE_EVENTS | cues.LONE_PLACES
        if not (lone or start < at) or not _is_countable(words, start, at):
            continue
        taking = _takes_part(words, start)
        owned = _is_owned(words, start, kind)
        if lone and not owned and not (taking and _is_visited(words, start, kind)):
            continue
        label = " ".join(map(_spell, words[start:at]))
        sure = 3 if taking or owned else 1
        if any(_is_name(one) for one in words[start:at]) or _find_lead(words, start) < start:
            sure = max(sure, 2)
        yield Mention(f"{label} {_singular(word.low)}".strip(), kind, sure, one)


def _find_kind(words: Sequence[SpokenWord], at: int) -> str:
    """The type of the thing that a word stands for, with the one before it; empty for none."""
    before = words[at - 1].low if at and words[at].gap == " " else ""
    pair = f"{before} {_singular(words[at].low)}"
    if pair in cues.EVENT_PAIRS:
        return "event"
    return "place" if pair in cues.PLACE_PAIRS else find_head(words[at].low)


def _takes_part(words: Sequence[SpokenWord], start: int) -> bool:
    """Whether who speaks takes part in what is named at a place."""
    near = [one.low for one in words[max(0, start - _REACH) : start]]
    own = not _OWN.isdisjoint(one.low for one in words[:start])
    return own and not (cues.TAKING_PART | cues.OWN_VERBS).isdisjoint(near)


def _find_lead(words: Sequence[SpokenWord], start: int) -> int:
    """Where the word stands that determines a thing, or one that is like it: `a nearby church`;
    `start` for none.
    """
    at = start
    while at > 0 and words[at].gap == " " and words[at - 1].low in cues.PLAIN:
        at -= 1
    return next((i for i in range(at, start) if words[i].low in cues.DETERMINERS), start)


def _is_visited(words: Sequence[SpokenWord], start: int, kind: str) -> bool:
    """Whether a thing of one word is one that somebody was at: `to the museum`."""
    lead = _find_lead(words, start)
    return kind == "event" or (lead < start and words[lead - 1].low in cues.PLACE_LEADS)


def _is_owned(words: Sequence[SpokenWord], start: int, kind: str) -> bool:
    """Whether a group or an event is that of who speaks: `my book club`."""
    lead = _find_lead(words, start)
    return kind != "place" and lead < start and words[lead].low in ("my", "our")


def _spell(word: SpokenWord) -> str:
    """A word of a label: a name keeps its capital, and an owner the sign of one."""
    kept = word.bare.isupper() or word.low in cues.NATIONALITIES or _is_name(word)
    spelled = word.bare if kept else word.low
    return f"{spelled}'s" if word.owner else spelled


def _is_name(word: SpokenWord) -> bool:
    return word.text[0].isupper() and not word.begins and word.low not in cues.NOT_NAMED


def _is_countable(words: Sequence[SpokenWord], start: int, at: int) -> bool:
    """Whether a head that has another sense as well has the one of a thing: `a poetry reading`, and
    not `fantasy reading`; `a food drive`, and not `an external drive`.
    """
    head = words[at].low
    if find_head(head) and (head in cues.DETERMINED or _singular(head) in cues.DETERMINED):
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


_PROJECTS = frozenset(("startup", "program", "programme", "project", "initiative"))


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
    return _find_kind(words, at + 1) != "" and after.low not in cues.NO_MODIFIERS


def _begin(words: Sequence[SpokenWord], at: int) -> int:
    """Where the words begin that say of which kind a thing is; `at` where none does."""
    start = at
    while start > 0 and at - start < _MOST and _may_modify(words, start):
        start -= 1
        if words[start].owner:
            break
    while start < at and _is_plain(words[start].low):
        start += 1
    return start


def _is_plain(low: str) -> bool:
    """Whether a word only says what a thing is like."""
    return low in cues.PLAIN or (low.endswith(_ADJECTIVES) and low not in _NOUNS)


def _names_group(words: Sequence[SpokenWord], at: int) -> bool:
    """Whether what somebody does says which group it is: `a running group`, and not `running`."""
    led = words[at - 2].low if at > 1 else ""
    doing = words[at - 1].low.endswith("ing") and led in ("a", "our", "my", "the", "this")
    return doing and _singular(words[at].low) in cues.GROUPS


def _may_modify(words: Sequence[SpokenWord], at: int) -> bool:
    """Whether the word before a place belongs to the thing that is named there."""
    word, gap = words[at - 1], words[at].gap
    if gap not in (" ", "+ "):
        return False
    if word.owner:
        return _may_own(word)
    if _names_group(words, at):
        return True
    if word.low in cues.NO_MODIFIERS or word.low.removesuffix("s") in cues.NO_MODIFIERS:
        return False
    if word.low in cues.CALENDAR or word.text[0].isdigit() or "'" in word.bare:
        return False
    if word.begins and word.text[0].isupper() and not word.bare.isupper():
        return False
    if len(word.bare) < 2:
        return False
    return not word.low.endswith(("ed", "n't")) or word.low in ("guided", "wedding")


def _may_own(word: SpokenWord) -> bool:
    """Whether the one or those whose thing it is name it: `my cousin's wedding`, `McGee's bar`."""
    named = _is_name(word) and word.low not in cues.CALENDAR
    return named or word.low in cues.KIN | cues.PETS | cues.OWNERS
