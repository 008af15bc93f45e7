"""What a claim takes from one clause and says of what another one is about: of two that are alike,
the bakery of one and the town of the other; or what something changed from for what it changed to.
"""

from __future__ import annotations

import re
from itertools import islice

from molt.memory.engines import tables
from molt.memory.reflect.evidence import claims, dated, misquotes
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TABLE = tables.load("clauses")
_CUT = re.compile(
    r"(?<![.!?;\n。！？；，])[.!?;\n。！？；，]+(?:\s|$|(?<=[。！？；，]))|,\s|\s[-–]\s|—|"
    r"\s(?:but|while|whereas|although|though|yet|and|so|because)\s|,(?=[\u3400-\u9fff])|但是|但|不过|而是",
    re.IGNORECASE,
)
_KEPT = re.compile(f"({_CUT.pattern})", re.IGNORECASE)
_DETERMINERS = frozenset(
    (
        *("the", "a", "an", "my", "our", "your", "this", "that", "these", "those"),
        *("of", "in", "for", "on", "at", "one"),
    )
)
_SPEAKERS = frozenset(("i", "we", "you"))
_SPEAKER = frozenset(("i",))
"""The subject of a clause that says I or we, and of a claim about the user."""
_SHORT = re.compile(r"'(?:m|re|s|ve|ll|d)\b", re.IGNORECASE)
_SPEAKING = re.compile(r"(?<!\w)(?:user|i|me|my|we|our|us)(?!\w)|用户|我", re.IGNORECASE)
_WHEN = re.compile(
    r"\b(?:morning|noon|afternoon|evening|night|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"s?\b|早上|上午|中午|下午|晚上|夜里|(?:周|星期|礼拜)[一二三四五六日天]",
    re.IGNORECASE,
)
"""What tells when something is, beside hours and dates."""
_PRONOUNS = frozenset(
    ("i", "we", "you", "he", "she", "it", "they", "who", "which", "that", "this", "there")
)
_BACK = (_PRONOUNS - _SPEAKERS) | frozenset(("his", "her", "its", "their", "them", "him"))
"""Words that point at what was said before; `my` and `your` point at nobody in it."""
_PAST = _TABLE.split_words("irregular")
"""Verbs that no ending tells; the others are told by theirs."""
_LONGEST = 5
"""Words of a subject: what is longer is no clause of the plain kind."""
_NAMED_ZH = re.compile(
    r"((?:(?:我|你|他|她|它|我们|他们|她们)的)?[\u3400-\u9fff]{0,6}?)"
    r"(?=[在对是有用不没从把叫住去来买卖说能会也都还爱喜想要姓当做读养学教搬开负管写画修唱])"
)
_ADVERBS_ZH = re.compile(
    r"^(?:特别|尤其|就|真|真心|主要|感觉|最近|现在|平时|其实|当然|还|也|都|更)+$"
)
"""What stands before a verb and is nobody who does it."""
_BACK_ZH = re.compile(r"^(?:我们|他们|她们|我|你|他|她|它|这|那)(?!的)")
_KIND = dict.fromkeys(("hour", "minute", "second", "ms"), "time") | dict.fromkeys(
    ("euro", "dollar", "pound", "yen"), "money"
)
"""Units of which one may stand for another: both tell how long, or how much."""
_SPOKEN = 40
"""Letters of the name of who speaks, before what is said."""
_LETTERS = 10_000
"""Letters of a memory that are looked at: what is longer is a document."""
_MANY = 40
"""Clauses of a memory that are compared, each with each."""
_FROM = re.compile(
    r"\bfrom\s+(?P<a>[$€£]?\w[\w.,:-]*)(?:\s[a-z€$%]+)?\s(?:up\s|down\s)?(?:in)?to\s+"
    r"(?P<b>[$€£]?\w[\w.:-]*)|从(?P<c>[\u3400-\u9fff0-9]{1,8}?)[搬改换调升降涨迁转移]+[到至成为]+了?"
    r"(?P<d>[\u3400-\u9fff0-9]{1,8})",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:rais|mov|chang|switch|increas|lower|cut|reschedul|postpon|shift|renam|migrat|dropp|went|"
    r"rose|fell|grew|relocat|upgrad|convert)\w*|[搬改换调升降涨迁转移]",
    re.IGNORECASE,
)
_TOWARD = re.compile(r"对([^\W的]{1,8}?)(过敏|感兴趣|负责|满意|失望|反感|生气|上瘾)")
_BEFORE = re.compile(
    r"\b(?:from|was|were|used|before|previous\w*|former\w*|until|had|old|instead)\b|"
    r"从|原|以前|之前|曾|过去|离开",
    re.IGNORECASE,
)


_ONE_OF = re.compile(r"\b((?:the|an?|his|her|our|their|my|your)\s(?:[\w-]+\s){1,2})ones?\b", re.I)
_NAMED_THING = re.compile(r"\b(?:the|an?|his|her|our|their|my|your)\s([\w-]+)(?:\s([\w-]+))?", re.I)
_BELONGS = re.compile(
    r"\b((?:the|an?|this|that)\s[\w -]{1,60}?)\s(?:belong(?:s|ed)?\sto|(?:is|are|was)\sowned\sby)\s"
    r"((?:(?:the|his|her|our|their|my|your)\s)?\w+)|"
    r"\b((?:the|an?|this|that)\s[\w -]{1,60}?)\s(?:is|are|was)\s"
    r"((?:(?:the|his|her|our|their|my|your)\s)?\w+)['’]s(?=\s*[.,;!?]?$)",
    re.IGNORECASE,
)
"""What says of a thing whose it is."""


class _Clause(Value):
    """A clause: its words and numbers, those of its subject, its verb, whether it points back,
    whether it denies, what stands behind its first number, and what its numbers count. `inherits`:
    its subject is that of the clause before; `spaced`: it is of words between spaces.
    """

    words: frozenset[str]
    head: frozenset[str]
    verb: str
    back: bool
    denies: bool
    numbers: frozenset[str]
    behind: frozenset[str]
    units: frozenset[str]
    inherits: bool = False
    spaced: bool = True


def find_changed(text: str, said: Sequence[str]) -> str:
    """What a claim says of something that the evidence says has changed, or of something else that
    was felt of it; empty where any of the memories bears it out.
    """
    wrong = ""
    for memory in said:
        wrong = _find_turned(text[:_LETTERS], memory) or _find_object(text[:_LETTERS], memory)
        if not wrong:
            return ""
    return wrong


def put_plainly(text: str) -> str:
    """A text in which `one` is replaced by what it stands for (`the red bike and the blue one`),
    and an owner stands before what is owned (`Simon owns the bike` for `the bike is Simon's`).
    """
    every = _KEPT.split(claims.normalize(text))
    # Between two parts stands what parts them.
    for at in range(2, len(every), 2):
        if _ONE_OF.search(every[at]) and (name := _find_thing(every[at - 2])):
            every[at] = _ONE_OF.sub(rf"\g<1>{name}", every[at])
    return "".join(_BELONGS.sub(_name_owner, part) for part in every)


def _name_owner(found: re.Match[str]) -> str:
    return f"{found[2] or found[4]} owns {found[1] or found[3]}"


def _find_thing(part: str) -> str:
    """What a clause is about that has a word before it which tells it from others of its kind."""
    for found in _NAMED_THING.finditer(part):
        like, what = found[1].lower(), (found[2] or "").lower()
        verb = what in _PAST or what in claims.AUXILIARIES or what in claims.STOP
        if like not in claims.STOP and what and not verb:
            return what
    return ""


def quotes(text: str, memory: str) -> bool:
    """Whether a claim, but for who speaks, is what a memory says from where a sentence begins."""
    speaker, mark, rest = text.partition(": ")
    said = " ".join((rest if mark and len(speaker) < _SPOKEN else text).split()).strip(" .!?。！？")
    plain = " ".join(memory.split())
    at = plain.find(said) if said else -1
    return at == 0 or (at > 0 and plain[:at].rstrip()[-1:] in ".!?:;。！？：；")


def _find_turned(text: str, memory: str) -> str:
    """The earlier state of something that has changed, told as if it were the present one."""
    plain, evidence = claims.normalize(text), claims.normalize(memory[:_LETTERS])
    for found in islice(_FROM.finditer(evidence), _MANY):
        old, new = (found["a"] or found["c"]).rstrip(".,:"), (found["b"] or found["d"]).rstrip(".,")
        for mine in _FROM.finditer(plain):
            if (mine["a"] or mine["c"]).rstrip(".,:") == new != old:
                return f"it was changed from {old!r}"
        rest = evidence[: found.start()] + evidence[found.end() :]
        if _holds(rest, old) or not _holds(plain, old):
            continue
        goal = rf"(?:\b(?:in)?to\s+(?:the\s)?|[到至成]了?){re.escape(old)}"
        ago = _holds(plain, new) or _BEFORE.search(plain)
        if re.search(goal, plain, re.IGNORECASE) or (_CHANGED.search(evidence) and not ago):
            return f"it was changed from {old!r}"
    return ""


def _find_object(text: str, memory: str) -> str:
    """What somebody is allergic to, or glad of, if the evidence says it of something else."""
    said = _TOWARD.findall(claims.normalize(memory[:_LETTERS]))
    for what, how in _TOWARD.findall(claims.normalize(text)):
        others = [one for one, also in said if also == how]
        if others and not any(what in one or one in what for one in others):
            return f"the evidence does not say {how!r} of {what!r}"
    return ""


def _holds(text: str, word: str) -> bool:
    if not word.isascii():
        return word in text
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


def find_mixed(text: str, memory: str, subject: str = "") -> str:
    """What a claim takes from a clause about something else than it is about; `subject` is what a
    claim in Chinese is about, which may be named in another clause.
    """
    every = list(islice(_read_clauses(put_plainly(memory[:_LETTERS])), _MANY))
    if len(every) < 2:
        return ""
    text = put_plainly(text)
    wanted = _cut_all(text)
    if _SPEAKING.search(text):
        wanted |= _SPEAKER
    name = frozenset[str]() if subject.isascii() else claims.cut_words(subject)
    head = _read_clause(text.strip()).head - _SPEAKER
    own = [
        (wanted - _SPEAKER - name) & (one.words | one.numbers) - _join(every[:at] + every[at + 1 :])
        for at, one in enumerate(every)
    ]
    if sum(map(bool, own)) < 2:
        return ""
    homes = [
        at for at, one in enumerate(every) if own[at] and (one.head & wanted or own[at] & head)
    ]
    for at, one in enumerate(every):
        if not own[at]:
            continue
        for home in homes:
            if home != at and _is_anothers(every, (home, at), wanted, text, own[at]):
                whose = " ".join(sorted(one.head)) or one.verb
                return f"the evidence says {min(own[at]).rstrip('*')!r} of {whose!r}"
        if wrong := _find_number(every, at, wanted, own):
            return wrong
    return ""


def _is_anothers(
    every: Sequence[_Clause],
    pair: tuple[int, int],
    wanted: frozenset[str],
    text: str,
    taken: frozenset[str],
) -> bool:
    """Whether words come from a clause with a subject or a verb of its own that the claim lacks."""
    home, other = every[pair[0]], every[pair[1]]
    if not home.verb and home.spaced and pair[1] == pair[0] - 1:
        # `the drill is due on Monday, the ladder on Friday`
        return False
    apart = not home.back and pair[1] < pair[0]
    if apart and other.denies and not home.denies and claims.denies(text):
        return True
    alike = home.verb == other.verb and pair[1] < pair[0] and taken <= other.behind
    if alike and home.numbers & wanted and not other.numbers & wanted:
        # `one has 64 GB of memory, and the other has 128 GB`
        return False
    apart_head = other.head - home.head
    if other.head == _SPEAKER and other.back:
        return False
    if other.head and not (other.inherits and other.head & wanted):
        if apart_head & wanted or not apart_head:
            return False
        told = home.back and pair[1] < pair[0]
        return not told or other.verb in wanted
    if not (other.verb and home.verb) or other.verb in wanted or home.verb not in wanted:
        return False
    words = [claims.stem(one) for one in re.findall(r"[A-Za-z]+", text)]
    behind = words[words.index(home.verb) + 1 :] if home.verb in words else []
    first = next((one for one in behind if one not in _DETERMINERS), "")
    return first in taken


def _find_number(
    every: Sequence[_Clause], at: int, wanted: frozenset[str], own: Sequence[frozenset[str]]
) -> str:
    """What is wrong if the evidence has another number beside what the claim says; empty for
    nothing.
    """
    one = every[at]
    slots = own[at] & one.behind - one.numbers
    if not slots or not one.numbers or one.numbers & wanted or one.head & wanted:
        return ""
    others = (each for where, each in enumerate(every) if where != at and each.numbers & own[where])
    if any(one.units & each.units for each in others):
        return f"the evidence says {min(slots).rstrip('*')!r} beside {min(one.numbers)!r}"
    return ""


def _join(clauses: Sequence[_Clause]) -> frozenset[str]:
    return frozenset[str]().union(*(one.words | one.numbers for one in clauses))


def _cut_all(text: str) -> frozenset[str]:
    plain = dated.cut_dates(text)
    return claims.cut_words(plain) | _read_numbers(text)


def _read_numbers(text: str) -> frozenset[str]:
    """The numbers, times and days of a text, each marked as what it is."""
    plain = dated.cut_dates(text)
    days = (f"{one.month}-{one.day}" for one in dated.read_dates(text))
    numbers = claims.read_claim(plain).numbers | claims.list_times(plain)
    when = (one[0].lower() for one in _WHEN.finditer(text))
    return frozenset(f"#{one}" for one in (*numbers, *days, *when))


def _read_clauses(memory: str) -> Iterator[_Clause]:
    before = frozenset[str]()
    for part in filter(None, map(str.strip, _CUT.split(claims.normalize(memory)))):
        one = _read_clause(part)
        if one.verb and not one.head and not _SPEAKERS & set(part.lower().split()[:2]):
            # Who did one thing and did another is named once.
            one = one.replace(head=before, inherits=True)
        before = one.head
        yield one


def _read_clause(part: str) -> _Clause:
    numbers = _read_numbers(part)
    start = re.search(r"\d|[零〇一二两三四五六七八九十百千万]+", part)
    number = next(
        (one for one in re.finditer(r"[a-z]+", part) if one[0] in claims.NUMBER_WORDS), None
    )
    found_when = _WHEN.search(part)
    first = min((one.end() for one in (start, number, found_when) if one), default=len(part))
    behind = claims.cut_words(part[first:])
    words = claims.cut_words(dated.cut_dates(part))
    units = frozenset(_KIND.get(one, one) for one in misquotes.list_units(part))
    units |= frozenset(("when",) if found_when else ())
    if re.match(r"[\u3400-\u9fff]", part):
        found = None if _BACK_ZH.match(part) else _NAMED_ZH.match(part)
        name = _ADVERBS_ZH.sub("", found[1]) if found and len(found[1]) > 1 else ""
        head = claims.cut_words(name) or frozenset((name,) if name else ())
        back = bool(_BACK_ZH.match(part))
        if back and part[0] == "我":
            back, head = False, _SPEAKER
        read = (claims.denies(part), numbers, behind, units)
        return _Clause(words, head, "", back, *read, spaced=False)
    plain = part.replace("’", "'").replace("n't", " not")
    spoken = re.findall(r"[A-Za-z][\w-]*", _SHORT.sub(" am", plain))
    low = [one.lower() for one in spoken]
    counted = part[0].isdigit() or (number is not None and number.start() == 0)
    head, verb = (frozenset[str](), "") if counted else _read_subject(spoken, low)
    back = not _BACK.isdisjoint(low)
    return _Clause(words, head, verb, back, claims.denies(part), numbers, behind, units)


def _read_subject(spoken: Sequence[str], low: Sequence[str]) -> tuple[frozenset[str], str]:
    """The words of the subject of a clause, and its verb; no subject where that is not told."""
    if "one" in low[1:4] and low[0] in ("the", "that"):
        # `the weekly one at noon`: what it says of it was said before.
        rest = low[1 : low.index("one")] if low[0] == "the" else low[1:6]
        return frozenset(map(claims.stem, rest)) - _DETERMINERS, ""
    if low and low[0] in _SPEAKERS - {"you"}:
        first = next((one for one in low[1:] if one not in claims.STOP), "")
        first = next((one for one in low[1:] if one in claims.AUXILIARIES), first)
        return _SPEAKER, claims.stem(first)
    for at, word in enumerate(spoken[: _LONGEST + 1]):
        ends = len(word) > 3 and word.endswith(("s", "ed")) and not word.endswith("ss")
        # `plays chess`, where no other verb comes: `docs may change` begins with its subject.
        ends = ends and (at > 0 or claims.AUXILIARIES.isdisjoint(low[1:_LONGEST]))
        if low[at] in claims.AUXILIARIES or low[at] in _PAST or (word.islower() and ends):
            head = {one for one in low[:at] if one not in _DETERMINERS}
            if not head.isdisjoint(_SPEAKERS - {"you"}) and low[0] in _SPEAKERS:
                return _SPEAKER, claims.stem(word)
            if not head or not head.isdisjoint(_PRONOUNS):
                return frozenset(), claims.stem(word)
            named = frozenset(map(claims.stem, head - claims.STOP - _BACK))
            return named, claims.stem(word)
    return frozenset(), ""
