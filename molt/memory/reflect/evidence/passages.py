"""The sentence of its evidence that a claim comes from: whether it can be told in the claim's own
words, and what is quoted where it cannot.

Rules do not know what a word means. So a claim is told in its own words where one sentence has all
of them, says them of the same one, and has nothing besides that turns their sense; else the memory
says in its words what it says.
"""

from __future__ import annotations

import re

from molt.formats import facts
from molt.memory.engines import tables
from molt.memory.engines.chinese import words as zh
from molt.memory.reflect.evidence import borne, claims, crossings, dated, misquotes, turns
from molt.memory.reflect.evidence.claims import Vocabulary
from molt.memory.reflect.rules import claims as telling
from molt.memory.reflect.rules import cues, spoken
from molt.memory.reflect.rules.spoken import Statement
from molt.policy import injection
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.reflect.evidence.listener import Listener

_TABLE = tables.load("clauses")
_NEAR = 0.3
"""The share of a claim's words from which on a sentence is what it comes from: of three, one."""
_LONGEST = 320
"""Characters of a sentence that is quoted; a longer one tells a story."""
_FIRST = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_SECOND = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
_STRAY = 5
"""Signs of a claim of which one may stand beside others in its evidence."""
_SIGNS = re.compile(r"[\u3400-\u9fff]")
_PARTS_ZH = re.compile(r"[，,；;、。]")
_SELF_ZH = re.compile(r"我|咱")
_OTHER_ZH = re.compile(rf"[我咱]们?的?({'|'.join(zh.KIN)})")
_TURNING = {
    name: re.compile(_TABLE.make_pattern(name), re.IGNORECASE)
    for name in ("irreal", "hearsay", "causes", "amounts")
}
_TURNING_ZH = {
    name: re.compile("|".join(_TABLE.split_cues(name)))
    for name in ("irreal_zh", "hearsay_zh", "causes_zh", "amounts_zh")
}
_ELSEWHERE = "it is said of somebody else"
_SCATTERED = "no sentence of it has all its words"
_INSTEAD = re.compile(r"\binstead\b", re.IGNORECASE)
_IF = re.compile(r"\b(?:if|unless|until)\b", re.IGNORECASE)
_DASH = re.compile(r"\s[-–]\s|—")
_VERBS = {
    "get": re.compile(r"\b(?:get|gets|got|gotten|getting)\b", re.IGNORECASE),
    "have": re.compile(r"\b(?:have|has|had|having|with|of)\b|'ve\b|\bmy\b|'s\b", re.IGNORECASE),
    "go": re.compile(r"\b(?:go|goes|went|gone|going)\b", re.IGNORECASE),
    "make": re.compile(r"\b(?:make|makes|made|making)\b", re.IGNORECASE),
}
_OWNS = re.compile(r"\b(?:has|had|have)\s+(?:an?|the|his|her|their|\d+|[a-z]+(?<!ed)(?<!en))\b")
"""Verbs that tell little, and tell of a thing whether somebody has it."""
_KIN = frozenset(map(claims.stem, cues.KIN))
_ADDED = ("causes", "amounts", "causes_zh", "amounts_zh")
"""What a claim must not add; what its evidence has of it may be left out."""


class EvidencePassage(Value):
    """A sentence of a memory, whether it is of whom a claim is about, and whether somebody speaks
    of themselves in its memory.
    """

    said: Statement
    words: Vocabulary
    concerns: bool
    own: bool = True

    @property
    def is_question(self) -> bool:
        text = self.said.text.rstrip(" )\"'”")
        return text.endswith(("?", "？")) and not _DASH.search(text)


def list_passages(
    heard: Listener, evidence: Sequence[str], forms: Sequence[str]
) -> tuple[EvidencePassage, ...]:
    """The sentences of some memories, for a claim about what is called by one of the `forms` (none
    for a claim about nobody in particular).
    """
    return tuple(_list_all(heard, evidence, forms))


def _list_all(
    heard: Listener, evidence: Sequence[str], forms: Sequence[str]
) -> Iterator[EvidencePassage]:
    for memory in dict.fromkeys(evidence):
        entry = heard.entries.get(memory)
        whole, day = heard.quote(memory)
        if entry is not None:
            every = spoken.list_statements((entry,))
        else:
            every = tuple(Statement(text, "", memory, day) for text in _split_note(whole))
        named = _names_any(whole, forms)
        own = bool(_SELF_ZH.search(whole))
        for one in every:
            yield EvidencePassage(one, Vocabulary([one.text]), _concerns(one, forms, named), own)


def _split_note(text: str) -> Iterator[str]:
    """The sentences of a memory that nobody says: its rows, without what they cite."""
    body = text.partition("\n---\n")[2] if text.startswith("---\n") else text
    for row in body.splitlines():
        bare = facts.strip_asides(row.strip().removeprefix("- "))
        if not row.startswith("#"):
            yield from spoken.split_text(bare)


def _concerns(one: Statement, forms: Sequence[str], named: bool) -> bool:
    """Whether a sentence is of what is called by one of the `forms`, which its memory names or not:
    what somebody else says of themselves is not.
    """
    if not forms or any(turns.cut_name(one.speaker) & turns.cut_name(form) for form in forms):
        return True
    own = one.speaker and _FIRST.search(one.text)
    return _names_any(one.text, forms) or (named and not own)


def _names_any(text: str, forms: Sequence[str]) -> bool:
    """Whether a text speaks of what is called by one of the `forms`, and not only to it."""
    spoken_of = turns.drop_names(text)
    return any(names(spoken_of, form) for form in forms)


def names(text: str, form: str) -> bool:
    """Whether a text has all words of a name."""
    if not form.isascii():
        return form in text
    return turns.cut_name(form) <= turns.cut_name(text)


def find_doubt(text: str, passages: Sequence[EvidencePassage], forms: Sequence[str]) -> str:
    """Why a claim about what is called by one of the `forms` cannot be told in its own words;
    empty where it can.
    """
    if any(crossings.quotes(text, one.said.text) for one in passages):
        return ""
    judge = _doubt_signs if _SIGNS.search(text) else _doubt_words
    doubts = [judge(text, one, forms) for one in passages if not one.is_question]
    if not doubts:
        return "nothing of the evidence can be quoted"
    told = [one for one in doubts if one != _SCATTERED]
    return "" if "" in doubts else (told or doubts)[0]


def _doubt_words(text: str, one: EvidencePassage, forms: Sequence[str]) -> str:
    speaker = turns.cut_name(one.said.speaker)
    whom = _find_whom(text, forms, speaker)
    plain = dated.cut_dates(text)
    stated = borne.cut_stance(plain, (one.said.text,))
    wanted = claims.cut_words(stated) - whom - speaker - claims.LIGHT - claims.DENYING
    wanted -= misquotes.UNITS
    if any(not one.words.has_word(word) for word in wanted):
        return _SCATTERED
    near = list_near(one.said.text, wanted)
    place = " ".join(near)
    if _IF.search(one.said.text) and not _IF.search(text) and not _TURNING["irreal"].search(text):
        return "it is said on a condition"
    return (
        _find_other(text, one, near, whom)
        or _find_turn(plain, place)
        or _find_verb(plain, place.lower(), whom)
    )


def _find_verb(text: str, place: str, whom: frozenset[str]) -> str:
    """What is wrong with the verb that a claim begins with: it tells of what is over, or tells
    little, and its evidence has no such verb.
    """
    words = [word for word in text.split() if not turns.cut_name(word) <= whom]
    first = " ".join(words[:1]).lower()
    if borne.DONE.fullmatch(first) and not borne.DONE.search(place):
        return "the evidence does not say it of what is over"
    for name, pattern in _VERBS.items():
        held = name == "have" and not _OWNS.search(text.lower())
        if pattern.fullmatch(first) and not held and not pattern.search(place):
            return f"the evidence does not say {first!r}"
    return ""


def _find_whom(text: str, forms: Sequence[str], speaker: frozenset[str]) -> frozenset[str]:
    """The stems of whom a claim is about: who speaks where it begins with that name, else what its
    entity is called, else the name that it begins with.
    """
    head = next(iter(text.split()), "")
    first = turns.cut_name(head)
    if first and first <= speaker:
        return speaker
    mine = frozenset[str]().union(*map(turns.cut_name, forms))
    begins = head[:1].isupper() and head.lower() not in claims.STOP
    return first if begins and not mine else mine


def list_near(text: str, wanted: frozenset[str]) -> list[str]:
    """The clauses of a sentence that have words of a claim; all of it where none is told apart."""
    every = [one for part in _DASH.split(text) for one in turns.CLAUSES.split(part) if one.strip()]
    near = [one for one in every if any(map(Vocabulary([one]).has_word, wanted))]
    return near or [text]


def _find_other(text: str, one: EvidencePassage, near: Sequence[str], whom: frozenset[str]) -> str:
    """Of whom else the clauses are; empty where they are of whom the claim is about."""
    speaker = turns.cut_name(one.said.speaker)
    place = " ".join(near)
    named = whom <= turns.cut_name(place) if whom else True
    told = turns.cut_name(text) | whom
    if whom & speaker and _SECOND.search(place) and not _SECOND.search(text):
        return "it is said to somebody"
    head = turns.read_head(near[0])
    if whom & speaker:
        return _ELSEWHERE if head - {"i", "we"} - told else ""
    if not speaker and head & _KIN - told and not head & whom:
        return _ELSEWHERE
    if speaker and not named and (_FIRST.search(place) or not _SECOND.search(place)):
        return _ELSEWHERE
    return ""


def _find_turn(text: str, place: str) -> str:
    """What turns the sense of a passage and is not in the claim, or the other way round."""
    # What is chosen instead of another is no denial.
    if claims.denies(_INSTEAD.sub(" ", place)) != claims.denies(_INSTEAD.sub(" ", text)):
        return "one of the two denies it"
    table = _TURNING_ZH if _SIGNS.search(text) else _TURNING
    for name, pattern in table.items():
        mine, theirs = set(pattern.findall(text.lower())), set(pattern.findall(place.lower()))
        if name in _ADDED and mine - theirs:
            return f"the evidence does not say {min(mine - theirs)!r}"
        if name not in _ADDED and bool(mine) != bool(theirs):
            return f"the evidence {'says' if theirs else 'does not say'} {min(mine | theirs)!r}"
    return ""


def _doubt_signs(text: str, one: EvidencePassage, forms: Sequence[str]) -> str:
    """The same of a claim in signs without spaces: each part of it stands in a sentence that is of
    the same one.
    """
    said = "".join(one.said.text.split())
    named = any(form in said for form in forms if not form.isascii())
    latin = any(form.isascii() and form in said for form in forms)
    kin = _OTHER_ZH.search(said)
    if (not named and not latin and not one.own) or (kin and kin[1] not in text and not named):
        return _ELSEWHERE
    for part in filter(str.strip, _PARTS_ZH.split(text)):
        bare = part
        for form in (*forms, "用户", "自己"):
            bare = bare.replace(form, "")
        for run in claims.read_claim(dated.cut_dates(bare)).runs:
            every, spans = one.words.split_run(run)
            if claims.count_telling(spans) > len(every) // _STRAY:
                return _SCATTERED
        pieces = [one for one in _PARTS_ZH.split(said) if one.strip()]
        near = [
            one for one in pieces if not claims.count_telling(Vocabulary([one]).split_run(bare)[1])
        ]
        if wrong := _find_turn(part, near[0] if near else said):
            return wrong
    return ""


def quote_nearest(text: str, passages: Sequence[EvidencePassage]) -> tuple[str, str]:
    """The sentence that a claim comes from, as a fact in its own words, and the memory that it
    stands in; empty where none is near, or what is near is an order or too long to be quoted.
    """
    wanted = claims.cut_words(dated.cut_dates(text)) or claims.cut_words(text)
    foreign = bool(_SIGNS.search(text)) != any(_SIGNS.search(one.said.text) for one in passages)
    best: tuple[float, EvidencePassage] | None = None
    for one in passages:
        if one.is_question or not one.concerns or len(one.said.text) > _LONGEST:
            continue
        asked = wanted - turns.cut_name(one.said.speaker)
        have = sum(map(one.words.has_word, asked)) / max(len(asked), 1)
        if best is None or have > best[0]:
            best = (have, one)
    if best is None or (best[0] < _NEAR and not foreign):
        return "", ""
    said = best[1].said
    if any(injection.find([(1, said.text)])):
        return "", ""
    return telling.quote_statement(said), said.memory
