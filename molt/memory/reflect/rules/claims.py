"""What a sentence says of the one who said it that is worth keeping, and how much."""

from __future__ import annotations

from molt.formats import facts
from molt.memory.engines import rules as routing
from molt.memory.reflect.rules import claims_zh, clauses, cues
from molt.memory.reflect.rules.words import fold_words, split_words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.memory.reflect.rules.spoken import Statement
    from molt.memory.reflect.rules.words import SpokenWord

_FEWEST, _SHORTEST, _LONGEST = 3, 5, 32
"""Words of what was noted, and of a sentence that says one thing: fewer say nothing, more tell a
story."""
IDENTITY, CONTEXT, PERSONA = "Identity", "Active Context", "Persona"
_COVERED = 0.7
"""The share of the words of two texts above which they say the same."""
_ABOUT_SELF = frozenset(("i", "i'm", "i've", "im"))
_STATES = frozenset(("am", "was", "work", "live", "come", "grew", "have", "had", "own", "speak"))


_OWN_THINGS = cues.KIN | cues.PETS | cues.OWNED
_OWN_LIFE = _OWN_THINGS | cues.LASTING
"""Words of what `we` did that is somebody's life, and not a team's decision."""


class OwnClaim(Value):
    """What is worth keeping of a sentence: as a fact, the block of core memory it would belong
    to, and its weight, from 0 to 10.
    """

    fact: str
    block: str
    weight: float
    statement: Statement


def find_claim(one: Statement, *, least: float = 1.0) -> OwnClaim | None:
    """What a sentence says of its speaker; None for what is not about the speaker, is a question,
    or weighs less than `least`, such as what hangs on other sentences.
    """
    if routing.is_chinese(one.text):
        weighed = claims_zh.weigh_claim(one)
        if weighed is None or weighed[1] < least:
            return None
        return OwnClaim(claims_zh.tell_fact(one), *weighed, one)
    if "?" in one.text[-3:]:
        return None
    read = (_read_clause(one, text) for text in (one.text, *clauses.list_clauses(one.text)))
    found = [claim for claim in read if claim and claim.weight >= least]
    return max(found, key=lambda claim: claim.weight, default=None)


def _read_clause(one: Statement, text: str) -> OwnClaim | None:
    """What a part of a sentence says of its speaker."""
    words = split_words(text)
    start = _skip_fillers(words)
    rest = words[start:]
    if not rest or len(rest) > _LONGEST:
        return None
    found = _weigh_noted(one, rest)
    if found is None and len(rest) >= _SHORTEST:
        found = _weigh(rest)
    if found is None and _tells_who(rest):
        found = (IDENTITY, 3.0)
    if found is None:
        return None
    block, weight = found
    said = one.replace(text=text)
    return OwnClaim(tell_fact(said, words, start), block, weight + _weigh_words(rest), one)


def list_words(text: str) -> frozenset[str]:
    """The words of a bullet or fact, as they are compared: without what stands beside it."""
    return fold_words(facts.strip_asides(text))


def is_same(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two bullets, by their words, say the same."""
    return len(words & other) > _COVERED * min(len(words), len(other))


def is_covered(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a text has most words of another one."""
    return len(words & other) > _COVERED * len(words)


_JOINTS = frozenset(("and", "but", "so", "well", "also", "plus"))


def _skip_fillers(words: Sequence[SpokenWord]) -> int:
    """Where a sentence begins to say something: behind `Yeah, ` and `Thanks, Ann! `."""
    at = 0
    while at < len(words) - 1 and at < 4:
        marked = words[at + 1].gap.strip()[:1] in (",", "!", ".", "-", "–", "—", "…")
        called = marked and words[at].text[0].isupper() and not words[at].initial
        joined = words[at].low in _JOINTS and words[at + 1].low in _ABOUT_SELF
        if not called and not joined and not (marked and words[at].low in cues.FILLERS):
            break
        at += 1
    return at


def _weigh(words: Sequence[SpokenWord]) -> tuple[str, float] | None:
    """The block and the weight of what the words say of the speaker; None for something else."""
    first, low = words[0].text.lower(), [word.text.lower() for word in words]
    if not cues.SECOND_PERSON.isdisjoint(low) or _asks_for_help(low):
        return None
    if first == "my" and len(low) > 3:
        return _weigh_owned(low)
    if first == "we":
        own = low[1] in cues.OWN_VERBS and not _OWN_LIFE.isdisjoint(low)
        return (CONTEXT, 1.5) if own else None
    if first not in _ABOUT_SELF:
        return None
    head = [word for word in low[1:5] if word not in ("really", "also", "just", "always", "super")]
    verb = head[0] if head else ""
    if first in ("i'm", "im") or verb == "am":
        return _weigh_being(low)
    if verb in ("love", "like", "enjoy", "prefer", "hate", "adore", "dislike"):
        return IDENTITY, 2.5
    if any(word in cues.PLANS for word in head[:3]) or low[1:3] == ["want", "to"]:
        return _weigh_plan(low)
    if verb in _STATES or first == "i've":
        return _weigh_having(low, verb)
    if verb in cues.OWN_VERBS:
        return CONTEXT, 2.0
    return (IDENTITY, 2.0) if verb in cues.HABITS else None


_NEAR = 3
"""Words between `my` and a relative or pet: `my second oldest sister`."""


def _tells_who(words: Sequence[SpokenWord]) -> bool:
    """Whether words name a relative, friend or pet of the speaker: `my puppy Toby`, `Toby, my
    puppy`, `Max is my dog`.
    """
    if not cues.SECOND_PERSON.isdisjoint(word.low for word in words):
        return False
    for at, word in enumerate(words):
        if word.low not in ("my", "our"):
            continue
        near = words[at + 1 : at + 1 + _NEAR]
        kin = next((n for n, one in enumerate(near) if one.low in cues.KIN | cues.PETS), -1)
        if kin < 0 or any(one.gap.strip() for one in near[: kin + 1]):
            continue
        before = words[at - 1 : at] if word.gap.strip() == "," else ()
        if at == 2 and words[1].low == "is":
            before = words[:1]
        behind = words[at + kin + 2 : at + kin + 3]
        if any(_is_name(one) for one in (*before, *behind)):
            return True
    return False


def _is_name(word: SpokenWord) -> bool:
    return word.text[0].isupper() and word.low not in cues.NOT_NAMED


_WHERE = frozenset(("at", "in", "on", "with", "of", "for", "to", "by", "from", "near"))
_HAS_VERB = frozenset(("is", "are", "was", "were", "has", "have", "had"))


def _weigh_owned(low: Sequence[str]) -> tuple[str, float] | None:
    """`My sister …`: what is so weighs more than what would or will be; what somebody did together
    with another is what they did.
    """
    owned = [at for at, word in enumerate(low[1:4], 1) if word.removesuffix("'s") in _OWN_THINGS]
    if not owned:
        return None
    behind = low[owned[-1] + 1 : owned[-1] + 2]
    if not behind or (behind[0] in _WHERE and _HAS_VERB.isdisjoint(low)):
        return None
    if low[2:4] == ["and", "i"] or "and i " in f"{' '.join(low[3:7])} ":
        verbs = low[low.index("i", 2) + 1 :][:2]
        if not cues.PLANS.isdisjoint(verbs):
            return CONTEXT, 2.0
        return (CONTEXT, 1.5) if not cues.OWN_VERBS.isdisjoint(verbs) else (IDENTITY, 2.0)
    return (IDENTITY, 3.0) if cues.MODALS.isdisjoint(low[2:6]) else (CONTEXT, 0.5)


def _weigh_plan(low: Sequence[str]) -> tuple[str, float] | None:
    """What somebody is about to do; nothing for what they are only glad of."""
    flat = f" {' '.join(low[:6])} "
    if "don't" in low[1:4] or "not" in low[1:4]:
        return None
    if " looking forward " in flat or " look forward " in flat:
        return None
    soon = " gonna " in flat or " going to " in flat or " hope " in flat or " wish " in flat
    return CONTEXT, 1.0 if soon else 2.0


def _asks_for_help(low: Sequence[str]) -> bool:
    """Whether somebody says what an assistant is to do, and nothing that is so."""
    flat = f" {' '.join(low)} "
    return any(cue in flat for cue in (" make sure ", " not sure ", " need help ", " i need to "))


_NOTED = {"preference": (IDENTITY, 2.2), "decision": (CONTEXT, 2.2)}


def _weigh_noted(one: Statement, words: Sequence[SpokenWord]) -> tuple[str, float] | None:
    """The block and the weight of what was noted of the user, who is named so, or of whom all
    preferences and decisions are that nobody else says.
    """
    low = [word.low for word in words[:2]]
    if one.speaker or len(words) < _FEWEST:
        return None
    if low[:1] == ["user"] or low == ["the", "user"]:
        return _NOTED.get(one.type, (IDENTITY, 2.2))
    return _NOTED.get(one.type)


def _weigh_being(low: Sequence[str]) -> tuple[str, float] | None:
    near = low[1:5]
    if near[:1] in (["a"], ["an"], ["from"]) or near[:2] in (["am", "a"], ["am", "an"]):
        return IDENTITY, 3.0
    if not (cues.LIKINGS - {"into"}).isdisjoint(near) or "into" in near[:2]:
        return IDENTITY, 2.5
    if not cues.PLANS.isdisjoint(near):
        return _weigh_plan(low)
    return (CONTEXT, 2.0) if near[:1] in (["starting"], ["working"], ["learning"]) else None


def _weigh_having(low: Sequence[str], verb: str) -> tuple[str, float] | None:
    """`I have …`, `I've …`, `I live …`, by the first word behind that is no adverb, if any is."""
    if low[0] == "i" and not cues.OWNED.isdisjoint(low[2:6]):
        return IDENTITY, 3.0
    if low[0] == "i've" and not cues.OWNED.isdisjoint(low[1:9]):
        return IDENTITY, 2.0
    if low[0] == "i've" and (low[1:2] == ["been"] or verb == "had"):
        return IDENTITY, 1.5
    if verb in ("work", "live", "own", "speak", "grew", "come"):
        return IDENTITY, 3.0
    return (CONTEXT, 1.0) if low[0] == "i've" and verb in cues.OWN_VERBS else None


_RESOLVED = 5
"""Words before one that stands for another: behind fewer, the other one is in another sentence."""


def _weigh_words(words: Sequence[SpokenWord]) -> float:
    """How much the words tell by themselves: names and numbers and things add to it, and what will
    be so for long; what stands for words of other sentences takes from it.
    """
    low = [word.low for word in words]
    told = sum(_is_name(word) and not word.begins for word in words[1:])
    numbers = sum(word.text[0].isdigit() for word in words)
    things = sum(is_told_of(word) for word in low)
    early = any(word in cues.PRONOUNS for word in low[:_RESOLVED])
    hollow = early + sum(word in cues.ANAPHORS for word in low)
    vague = sum(word in cues.VAGUE for word in low)
    dated = sum(word in cues.RELATIVE for word in low)
    lasts = any(word in cues.LASTING for word in low)
    flat = f" {' '.join(low)} "
    empty = any(phrase in flat for phrase in cues.EMPTY)
    good = min(told, 2) + min(numbers, 1) + 0.5 * min(things, 2) + lasts - 2.0 * empty
    return good - 1.2 * hollow - 0.4 * min(vague, 4) - 0.3 * dated - 0.02 * len(low)


def is_told_of(word: str) -> bool:
    """Whether a word is one of a thing, a relative or a pet."""
    return word in cues.OWNED or word in cues.EVENTS or word in cues.PLACES or word in cues.PETS


_TURNED = {"i'm": "is", "i am": "is", "i've": "has", "i have": "has", "i was": "was"}


def tell_fact(one: Statement, words: Sequence[SpokenWord], start: int = 0) -> str:
    """A sentence as a fact. What a named speaker says as `I` is told of this name where that needs
    no other words; else it is quoted behind the name. Without a name it is what was said.
    """
    said = _cut_front(one.text, words, start)
    if not one.speaker:
        return said
    rest = [word.text.lower() for word in words[start:]]
    if (turned := _turn(rest, said, one.speaker)) is not None:
        return turned
    return f"{one.speaker}: {said}"


def quote_statement(one: Statement) -> str:
    """A sentence as a fact of what it names."""
    if routing.is_chinese(one.text):
        return claims_zh.tell_fact(one)
    words = split_words(one.text)
    return tell_fact(one, words, _skip_fillers(words)) if words else one.text


def _cut_front(text: str, words: Sequence[SpokenWord], start: int) -> str:
    """A sentence from a word on, without a stop at its end."""
    at = 0
    plain = text.replace("’", "'")
    for word in words[:start]:
        at = plain.find(word.text, at) + len(word.text)
    said = plain[at:].lstrip(" ,!.-–—:;…") if start else plain
    said = said.rstrip()
    return said[:-1] if said.endswith(".") and not said.endswith("..") else said


def _turn(rest: Sequence[str], said: str, speaker: str) -> str | None:
    """`I went to Rome` as `Ann went to Rome`; None where other words would have to change."""
    pair = " ".join(rest[:2])
    if rest[0] in _TURNED:
        verb, left = _TURNED[rest[0]], said[len(rest[0]) :]
        skipped = 1
    elif pair in _TURNED:
        verb, left = _TURNED[pair], said[len(pair) :]
        skipped = 2
    elif rest[0] == "i" and len(rest) > 1 and rest[1] in cues.OWN_VERBS:
        verb, left = rest[1], said[len(pair) :]
        skipped = 2
    elif rest[0] == "my":
        verb, left, skipped = "", said[2:], 1
    else:
        return None
    others = cues.FIRST_PERSON | cues.SECOND_PERSON
    if not others.isdisjoint(rest[skipped:]):
        return None
    return f"{speaker}'s{left}" if not verb else f"{speaker} {verb}{left}"
