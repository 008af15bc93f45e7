"""Whether one place of a memory says a claim: by whoever the claim is about, all of it together,
and as something that is so, not as what somebody asks or wishes.
"""

from __future__ import annotations

import re
from itertools import pairwise

from molt.memory.engines import tables
from molt.memory.reflect.evidence import claims, crossings, dated, turns
from molt.memory.reflect.evidence.claims import Vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.memory.reflect.evidence.turns import ClaimPart, HeardTurn, SaidSentence

_TABLE = tables.load("clauses")
_MINE = re.compile(r"\b(?:my|our|mine|ours)\b|我们?的", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:i|me|myself|we|us|ourselves)\b|我们?", re.IGNORECASE)
_SECOND = re.compile(r"\b(?:you|your|yours|yourself)\b|你们?|您", re.IGNORECASE)
_YOURS = re.compile(r"\byour\s\w+(?:\s\w+)?", re.IGNORECASE)
_IRREAL = re.compile(_TABLE.make_pattern("irreal"), re.IGNORECASE)
_IRREAL_ZH = re.compile("|".join(_TABLE.split_cues("irreal_zh")))
_ASKS = re.compile(r"\b(?:ask|asks|asked|wonder\w*|question\w*)\b|[问疑]", re.IGNORECASE)
_AGAIN = re.compile(r"(?<!so)(?<!if)\s(?:I|we)\s(?!can\b|could\b|might\b|will\b)")
_NEAR = 12
"""Letters behind a wish in which `I` is who wishes: `hope I can`."""
_STOPS = re.compile(r"[,;:]\s|\s(?:but|while|though|although|yet)\s|[，；]|但|不过")
"""What a wish no longer reaches behind."""
_ANY_VERB = "|".join(sorted(claims.AUXILIARIES | turns.PAST))
_VERB = re.compile(rf"\b(?:{_ANY_VERB}|[a-z]{{3,}}(?:s|ed))\b")
_GAP_VERB = re.compile(
    r"^\s*(?:and\s)?(?:that|those)\b|"
    rf"\b(?:{_ANY_VERB}|[a-z]{{3,}}ed)\b"
)
"""What tells that a clause has a verb, or stands for more than its words."""
_NO_GAP = re.compile(r"\s*(?:and\s)?(?:[\d$€£]|(?:for|on|in|at|to|with|from|by|of|about|as)\b)")
"""How a clause begins that goes on with the one before, without a subject of its own."""
_PLACED = re.compile(r"\d|\b(?:for|on|in|at|to|with|from|by|of|about|over)\b")
"""What stands behind the subject of a clause without a verb."""
_PASSIVE = re.compile(r"\bby\b|被|由", re.IGNORECASE)
_ORDERED = re.compile(r"\b(?:before|after)\b", re.IGNORECASE)
_WHEN = re.compile(
    r"\b(?:until|till|once|when|while|then|since|following|prior|ago|without|first|finally|wait\w*)\b",
    re.IGNORECASE,
)
"""What tells in other words which of two was first."""
_ORDERS = (
    (re.compile(r"\bbefore\b|\bprior\b|之前|以前", re.I), re.compile(r"\bafter\b|之后|以后", re.I)),
    (re.compile(r"\bafter\b|之后|以后", re.I), re.compile(r"\bbefore\b|\bprior\b|之前|以前", re.I)),
)
_AHEAD = re.compile(
    r"\b(?:next\s(?:week|month|year|weekend|spring|summer|autumn|fall|winter|\w+day)|tomorrow|"
    r"upcoming|soon)\b",
    re.IGNORECASE,
)
"""What tells that something is still to come."""
DONE = re.compile(rf"\b(?:{'|'.join(sorted(_TABLE.split_words('past')))}|[a-z]{{3,}}ed)\b")
"""Verbs of what is over."""
_REACH = 3
"""Sentences that one which points back is read with."""


def find_unborne(
    text: str, said: Sequence[str], subject: str = "", before: Sequence[int] = ()
) -> str:
    """What of a claim no place of any memory says; empty where all of it is said. `subject` is
    whom it is about, where it does not begin with a name; `before` has for each memory the place
    of the one that was said just before it, or -1.
    """
    heard = [turns.read_turn(memory) for memory in said]
    plain = crossings.put_plainly(claims.normalize(text))
    for part in turns.read_parts(plain, subject):
        if wrong := _judge_turns(part, heard, (subject, plain), before):
            return wrong
    return crossings.find_changed(text, said)


def cut_stance(text: str, said: Iterable[str]) -> str:
    """A claim without the words by which it is somebody's wish, where the evidence has others."""
    wished = any(_IRREAL.search(claims.normalize(one)) for one in said)
    return _IRREAL.sub(" ", text) if wished else text


def _judge_turns(
    part: ClaimPart, heard: Sequence[HeardTurn], claim: tuple[str, str], before: Sequence[int]
) -> str:
    """What of a part of a claim no turn says: one says all that any of them says, but for what
    stands in the turn before, where it points back at that.
    """
    wanted = part.words - claims.LIGHT
    told = [_list_told_words(wanted, turn.sentences) for turn in heard]
    every = frozenset[str]().union(*told)
    wrong = ""
    for at, turn in enumerate(heard):
        lent = _list_lent(wanted, heard, before, at) if told[at] else frozenset[str]()
        if every - told[at] - lent - turn.speaker:
            wrong = wrong or f"nowhere does one place say all of {part.text.strip()!r}"
            continue
        wrong = _judge_part(part, turn, claim, alone=len(heard) == 1)
        if not wrong:
            break
    return wrong


def _list_lent(
    wanted: frozenset[str], heard: Sequence[HeardTurn], before: Sequence[int], at: int
) -> frozenset[str]:
    """The words that a turn points back at: what was asked of who speaks, and what the same one
    said a turn earlier.
    """
    lent: list[SaidSentence] = []
    back = before[at] if before and any(one.linked for one in heard[at].sentences) else -1
    for _ in range(_REACH):
        if back < 0:
            break
        same = heard[back].speaker == heard[at].speaker
        lent += (one for one in heard[back].sentences if same or _SECOND.search(one.text))
        back = before[back]
    return _list_told_words(wanted, lent)


def _list_told_words(wanted: frozenset[str], said: Iterable[SaidSentence]) -> frozenset[str]:
    """Those of some words that sentences have."""
    every = [one.words for one in said]
    return frozenset(word for word in wanted if any(one.has_word(word) for one in every))


def _judge_part(part: ClaimPart, turn: HeardTurn, claim: tuple[str, str], *, alone: bool) -> str:
    """What a turn leaves unsaid of a part of a claim (whom it is about, and its text)."""
    subject, text = claim
    every = turn.sentences
    wanted = part.words - claims.LIGHT
    heard = _list_told_words(wanted, every)
    if not heard and part.text.isascii():
        return ""
    if not heard:
        place = " ".join(one.text for one in every)
        return crossings.find_mixed(f"{subject or 'user'} {part.text}", place, subject)
    lost = {word for word in wanted - heard - turn.speaker if turn.words.has_word(word)}
    if lost and not any(_SECOND.search(one.text) for one in every):
        return f"the evidence does not say {min(lost).rstrip('*')!r}"
    told = [one for one in every if _ASKS.search(text) or not (one.asks and alone)]
    windows = [window for window in _list_windows(told) if _says_all(window, heard)]
    if not windows:
        return f"nowhere does one place say all of {part.text.strip()!r}"
    owned = [window for window in windows if _is_said_of(part, window, turn)]
    if not owned:
        return f"the evidence does not say it of {' '.join(sorted(part.whom))!r}"
    wrong = ""
    for window in owned:
        near = turn.replace(sentences=tuple(window))
        wrong = _find_mixed(part, near, subject) or _find_doer(part, near)
        if not wrong:
            break
    return (
        wrong
        or _find_gap(part, turn)
        or _find_wish(part, turn, text)
        or _find_ahead(text, owned)
        or _find_order(part.text, owned)
    )


def _find_mixed(part: ClaimPart, turn: HeardTurn, subject: str) -> str:
    """What a claim takes from a clause about something else."""
    speaks = not part.whom or not part.whom.isdisjoint(turn.speaker)
    lead = " ".join(filter(None, ("user" if speaks else "", "" if part.named else subject)))
    place = " ".join(one.text for one in turn.sentences)
    return crossings.find_mixed(f"{lead} {part.text}", place, subject)


def _list_windows(every: Sequence[SaidSentence]) -> Iterator[Sequence[SaidSentence]]:
    """Each sentence, also with those before it that are needed to read it."""
    for at in range(len(every)):
        first = at
        yield every[at : at + 1]
        while first and at - first < _REACH and every[first].linked:
            first -= 1
            yield every[first : at + 1]


def _says_all(window: Sequence[SaidSentence], words: Iterable[str]) -> bool:
    return all(any(one.words.has_word(word) for one in window) for word in words)


def _is_said_of(part: ClaimPart, window: Sequence[SaidSentence], turn: HeardTurn) -> bool:
    """Whether sentences speak of somebody: of who speaks as `I`, of others by name, `you` or by
    a pronoun where the turn has named them.
    """
    near = [one for one in window if part.predicate and one.words.has_word(part.predicate)]
    text = " ".join(one.text for one in near or window)
    whom = part.whom
    if not turn.speaker or whom & turn.speaker or not whom:
        yours = claims.cut_words(" ".join(_YOURS.findall(text)))
        if turn.speaker and part.predicate in yours - claims.cut_words(_YOURS.sub(" ", text)):
            return False
        mine = _FIRST.search(text) or _MINE.search(text)
        return bool(mine) or not (turn.speaker and _SECOND.search(text))
    if _names(text, whom) or _SECOND.search(text):
        return True
    named = any(_names(one.text, whom) for one in turn.sentences)
    return named and bool(turns.BACK.search(text)) and not _FIRST.search(text)


def _names(text: str, whom: frozenset[str]) -> bool:
    return not whom.isdisjoint(turns.cut_name(text))


def _find_doer(part: ClaimPart, turn: HeardTurn) -> str:
    """Who else, in a turn, does what a claim says its subject does."""
    other = ""
    mine = part.whom & turn.speaker
    if not part.predicate or not part.head:
        return ""
    for one in turn.sentences:
        before = frozenset[str]()
        for clause in turns.split_clauses(one.text):
            head = turns.read_head(clause) or before
            before = head
            if other and not _GAP_VERB.search(clause) and part.head <= claims.cut_words(clause):
                return ""
            if turns.find_predicate(clause, head) != part.predicate:
                continue
            if head == {"we"} and (mine or not turn.speaker):
                return ""
            told = (turn.speaker or part.head) if head & {"i", "we"} else head
            same = told & part.head or (head == {"he"} and not mine) or not head
            if same or bool(_PASSIVE.search(clause)) != bool(_PASSIVE.search(part.text)):
                return ""
            other = " ".join(sorted(told))
    return f"the evidence says {part.predicate.rstrip('*')!r} of {other!r}" if other else ""


def _find_gap(part: ClaimPart, turn: HeardTurn) -> str:
    """What a claim takes from a clause without a verb (`the one in Rome at nine, that in Bonn at
    ten`) for the subject of the clause before it.
    """
    mine = _cut_all(part.text)
    for one in turn.sentences:
        clauses = re.split(rf"{turns.CLAUSES.pattern}|;\s", one.text, flags=re.IGNORECASE)
        for first, last in pairwise(clauses):
            found = _VERB.search(first)
            if not found or _NO_GAP.match(last) or _GAP_VERB.search(last) or not last.isascii():
                continue
            subject, behind, whole = (
                _cut_all(first[: found.start()]),
                _cut_all(first),
                _cut_all(last),
            )
            alike = whole & behind or (_has_number(whole) and _has_number(behind))
            rival = claims.cut_words(_PLACED.split(last)[0]) - subject
            if rival & mine or not alike or not subject - whole & mine:
                continue
            if taken := (whole - behind) & mine:
                return f"the evidence says {min(taken).rstrip('*')!r} of another"
    return ""


def _cut_all(text: str) -> frozenset[str]:
    """The words, numbers and days of a text."""
    days = (f"#{one.month}-{one.day}" for one in dated.read_dates(text))
    plain = dated.cut_dates(text)
    return claims.cut_words(plain) | {*days, *(f"#{one}" for one in claims.list_numbers(plain))}


def _has_number(words: frozenset[str]) -> bool:
    return any(one[0] == "#" for one in words)


def _find_wish(part: ClaimPart, turn: HeardTurn, text: str) -> str:
    """What a claim states as a fact, although a turn only wishes it or says that it may be so."""
    if _IRREAL.search(text) or _IRREAL_ZH.search(text):
        return ""
    for root in filter(None, dict.fromkeys((part.verb, part.predicate))):
        exact = any(root in one.words.words for one in turn.sentences)
        if root in claims.LIGHT and not exact:
            continue
        has = _has_exactly if exact else Vocabulary.has_word
        told = [one for one in turn.sentences if has(one.words, root)]
        # What a picture shows, nobody says.
        told = [one for one in told if one.text[0] != "["] or told
        if told and not any(
            has(Vocabulary([piece]), root) for one in told for piece in _list_told(one.text)
        ):
            return f"the evidence does not say that {root.rstrip('*')!r} is so"
    return ""


def _find_ahead(text: str, windows: Sequence[Sequence[SaidSentence]]) -> str:
    """A claim that tells as past what the evidence says is still to come."""
    if _AHEAD.search(text) or _IRREAL.search(text) or not DONE.search(text):
        return ""
    said = [" ".join(one.text for one in window) for window in windows]
    ahead = [one for one in said if _AHEAD.search(one) and not DONE.search(one)]
    return "the evidence says it of what is to come" if said and len(ahead) == len(said) else ""


def _list_told(text: str) -> list[str]:
    """The pieces of a sentence that are not part of a wish."""
    found = _IRREAL.search(text) or _IRREAL_ZH.search(text)
    if not found:
        return [text]
    behind = _STOPS.split(text[found.end() :], maxsplit=1)
    again = _AGAIN.search(behind[0], _NEAR)
    return [text[: found.start()], *behind[1:], *([behind[0][again.start() :]] if again else ())]


def _has_exactly(words: Vocabulary, stem: str) -> bool:
    return stem in words.words


def _find_order(text: str, windows: Sequence[Sequence[SaidSentence]]) -> str:
    """What is wrong with the order in which a claim puts events; empty for nothing."""
    said = [" ".join(one.text for one in window) for window in windows]
    for mine, theirs in _ORDERS:
        if mine.search(text) and all(theirs.search(one) and not mine.search(one) for one in said):
            return "the evidence says it the other way round in time"
    if _ORDERED.search(text) and not any(_ORDERED.search(one) or _WHEN.search(one) for one in said):
        return "the evidence does not say which was first"
    return ""
