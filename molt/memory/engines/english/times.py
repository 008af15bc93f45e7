"""When what an English sentence tells of is or was, if it says so."""

from __future__ import annotations

from molt.memory.engines import english
from molt.memory.engines.english import words as en

_TELLERS = frozenset(("i", "we", "he", "she", "they"))
_NO_PAST = frozenset(("used", "need", "feed", "liked", "loved", "hated", "wanted", "needed"))
_SPANS = frozenset(("minute", "minutes", "hour", "hours", "days", "weeks", "months", "years"))


def is_dated(one: english.Sentence) -> bool:
    """Whether a sentence says when something is or was, and not that it is so again and again."""
    if english.has_cue(one, en.HABITS):
        return False
    return english.has_cue(one, en.TIMES) or _has_date(one) or _has_clock(one) or _has_span(one)


def _has_date(one: english.Sentence) -> bool:
    words = one.flat.split()
    for at, word in enumerate(words):
        # `14 June`, `June 14`, `the 14th of June`.
        of = words[at - 2 : at - 1] if words[at - 1 : at] == ["of"] else []
        beside = words[at - 1 : at] + words[at + 1 : at + 2] + of
        numbered = any(near.strip("stndrh").isdigit() for near in beside)
        if word in en.MONTHS and (numbered or words[at - 1 : at] == ["in"]):
            return True
        if len(word) == 10 and word[4:5] == word[7:8] == "-" and word[:4].isdigit():
            return True
        year = word.isdigit() and len(word) == 4 and word[:2] in ("19", "20")
        if year and words[at - 1 : at] in (["in"], ["since"]):
            return True
    return False


def _has_clock(one: english.Sentence) -> bool:
    for word in one.flat.split():
        hour = word.removesuffix("am").removesuffix("pm")
        if hour != word and hour.replace(":", "").isdigit():
            return True
        front, colon, back = word.partition(":")
        if colon and front.isdigit() and back.isdigit() and len(back) == 2 and len(front) < 3:
            return True
    return False


def _has_span(one: english.Sentence) -> bool:
    """Whether something was for a while: `was down for about forty minutes`."""
    past, linked, rest = one.flat.partition(" for ")
    was = " was " in past or " were " in past
    return bool(linked) and was and not _SPANS.isdisjoint(rest.split()[:4])


def is_event(one: english.Sentence) -> bool:
    """Whether a sentence tells what happened or will happen."""
    words = one.flat.split()
    tells = words[1:2] and words[1].endswith("ed") and words[1] not in _NO_PAST
    return english.has_cue(one, en.EVENTS) or bool(tells and words[0] in _TELLERS)
