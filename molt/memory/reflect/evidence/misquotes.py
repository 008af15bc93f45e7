"""What a claim makes of words that its evidence has, and does not say so: a denial that was cut off
or put elsewhere, numbers that changed places or their unit, who did it and to whom.
"""

from __future__ import annotations

import re

from molt.memory.reflect.evidence import claims, dated
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A run of marks is tried from its beginning alone: from each of them would be a square of it.
_PARTS = re.compile(
    r"(?<![.!?;:\n。！？；，])[.!?;:\n。！？；，]+(?:\s|$|(?<=[。！？；，]))|,\s|\s[-–]\s|—|"
    r"\s(?:but|while|whereas|although|though|yet|and|so|because)\s|,(?=[\u3400-\u9fff])|但是|但|不过|而是",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"(?<![.!?;:\n。！？；])[.!?;:\n。！？；]+(?:\s|$|(?<=[。！？；]))|\s[-–]\s|—|"
    r",?\s(?:but|while|whereas|yet)\s|,\sand\s(?=(?:I|we|he|she|they|it)\b)|，|,(?=[\u3400-\u9fff])|但是|但|不过|而是",
    re.I,
)
"""Before what a denial no longer reaches: it goes on behind a comma and `and`."""
_NOT = re.compile(
    r"n't\b|\b(?:not|never|no|none|nobody|neither|nor|cannot|without)\b|不|没|未", re.I
)
_REFUSED = re.compile(
    r"\b(?:reject(?:ed)?|declin(?:e|ed)|refus(?:e|ed)|ruled out|decided against|abandon(?:ed)?|"
    r"cancell?ed|gave up|quit|"
    r"stopped(?! by\b| at\b| in\b| for\b)|turned down|fals(?:e|ely)|den(?:y|ied))\b|"
    r"拒绝|放弃|取消|戒[掉了]|不再",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"\b(?:was|were|is|are|be|been|being|got|gets?|has|have|had)\s(?:\w+\s)?$|n't\s$", re.I
)
_DOING = re.compile(r"\s+\w+ing\b")
_HEDGES = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|whether|if|unless|unsure|allegedly|supposedly|rumou?rs?|"
    r"imagine|pretend|joking|dreamt|dreamed)\b|可能|也许|或许|如果|要是|是否",
    re.IGNORECASE,
)
"""What makes the words around it no statement."""
_LIFTED = re.compile(r"\b(?:without|unless|until|except)\b|除非|之前", re.IGNORECASE)
"""Behind what a denial holds no longer."""
_RATE = re.compile(
    r"\b(?:per|each|every|an?)\s+([a-z]+)|(?<=每)(小时|分钟|天|日|周|星期|个月|月|年)", re.I
)
_UNITS = (
    ("euro", "euros", "eur", "€", "欧元"),
    ("dollar", "dollars", "usd", "bucks", "$", "美元", "美金"),
    ("pound", "pounds", "gbp", "£", "lb", "lbs", "英镑", "quid"),
    ("yen", "yuan", "rmb", "cny", "jpy", "¥", "元", "块", "日元"),
    ("km", "kilometer", "kilometers", "kilometre", "kilometres", "公里", "千米"),
    ("mile", "miles", "英里"),
    ("kg", "kilo", "kilos", "kilogram", "kilograms", "公斤", "千克"),
    ("hour", "hours", "h", "hr", "hrs", "小时"),
    ("minute", "minutes", "min", "mins", "分钟"),
    ("second", "seconds", "sec", "secs", "秒"),
    ("day", "days", "天", "日"),
    ("week", "weeks", "周", "星期"),
    ("month", "months", "个月", "月"),
    ("year", "years", "yr", "yrs", "年", "岁"),
    ("percent", "percentage", "%"),
    ("mb", "megabyte", "megabytes"),
    ("gb", "gigabyte", "gigabytes"),
    ("ms", "millisecond", "milliseconds"),
)  # fmt: skip
_UNIT_OF = {word: row[0] for row in _UNITS for word in row}
UNITS = frozenset(map(claims.stem, _UNIT_OF))
"""The stems of what numbers count, which are compared with them."""
_LONG = sorted(_UNIT_OF, key=len, reverse=True)
_COUNTED = re.compile(
    r"([$€£¥])?\s?(?<![a-z0-9.])(\d+(?:[.,]\d+)*|[a-z]+|[零〇一二两三四五六七八九十百千万]+)"
    r"(?=(?:[\s-]{0,2}([a-z]+|%|[\u3400-\u9fff]{1,2}))?)",
    re.IGNORECASE,
)
_TURNED = frozenset(
    ("by", "from", "with", "and", "or", "both", "together", "each", "was", "were", "been")
)
"""Words between two names that let either be first: `was told by`."""
_RATHER = re.compile(r"\b(?:instead of|rather than|over)\b|而不是|而非", re.IGNORECASE)
_MOST = 12
"""Names of a text that are compared, each with each."""
_FEW = 2
"""Words of a part that says something of somebody; a name alone is another name of theirs."""
_ONE = 0.75
"""Of the words of a part of a claim that some memories have, those that one of them has."""


_HALVES = re.compile(r"(?<![.!?;\n。！？；])[.!?;\n。！？；]+(?:\s|$|(?<=[。！？；]))")


_COUNTING = frozenset(map(claims.stem, claims.NUMBER_WORDS))


class _Part(Value):
    """A part of what was said: its words, numbers, those that a denial reaches, and those that
    lift it: `not without …`.
    """

    words: frozenset[str]
    numbers: frozenset[str]
    denied: frozenset[str]
    lifted: frozenset[str] = frozenset()


def find_misquote(text: str, said: Sequence[str], subject: str = "") -> str:
    """How a claim distorts the words of some memories; empty if it does not. `subject` is whom the
    claim is about, if it does not say so itself.
    """
    evidence = "\n".join(said)
    whole = f"{subject} {text}" if subject else text
    return (
        _find_denial(text, evidence)
        or _find_refused(text, evidence)
        or _find_hedge(text, evidence)
        or _find_choice(text, evidence)
        or _find_unit(dated.cut_dates(text), dated.cut_dates(evidence))
        or _find_number(text, evidence)
        or _find_turn(whole, said)
        or _find_blend(text, said, subject)
    )


def _read_parts(text: str, cut: re.Pattern[str]) -> Iterator[_Part]:
    plain = claims.IDIOMS.sub(" ", claims.normalize(text).replace("’", "'"))
    for one in cut.split(plain):
        found = _NOT.search(one)
        reached, _, lifted = _LIFTED.sub("\0", one[found.end() :] if found else "", 1).partition(
            "\0"
        )
        denied = claims.cut_words(reached)
        if found and found.group().lower() == "no":
            denied |= claims.cut_words(one[: found.start()].rstrip().rpartition(" ")[2])
        words = claims.cut_words(one) - _COUNTING
        yield _Part(words, _read_numbers(one), denied, claims.cut_words(lifted))


def _read_numbers(text: str) -> frozenset[str]:
    """The numbers and days of a text."""
    days = (f"{one.year or ''}-{one.month}-{one.day}" for one in dated.read_dates(text))
    plain = dated.cut_dates(text)
    return claims.list_numbers(plain) | claims.list_times(plain) | frozenset(days)


def _find_denial(text: str, evidence: str) -> str:
    """Whether a claim states what was denied, or denies what was not."""
    parts = list(_read_parts(evidence, _LISTS))
    told = frozenset[str]().union(*(one.words - one.denied for one in parts))
    denied = frozenset[str]().union(*(one.denied for one in parts))
    mine = list(_read_parts(text, _LISTS))
    wanted = frozenset[str]().union(*(one.words - one.denied for one in mine))
    told |= frozenset[str]().union(*(one.denied for one in parts if one.lifted & wanted))
    plainly = bool(_NOT.search(text)) or not claims.denies(text)
    if plainly and (cut := wanted & denied - told):
        return f"the evidence denies it: {min(cut).rstrip('*')!r}"
    kept = frozenset[str]().union(*(one.denied for one in mine)) & (told | denied)
    # What a denial is made of anew was said somewhere as it is.
    if kept <= told and kept - denied and denied:
        return f"the evidence does not deny {min(kept).rstrip('*')!r}"
    return ""


def _find_refused(text: str, evidence: str) -> str:
    """What a claim has of a part that says it was refused, and the claim does not."""
    if _REFUSED.search(text) or claims.denies(text):
        return ""
    parts = [one for one in _PARTS.split(claims.normalize(evidence)) if one.strip()]
    told = frozenset[str]().union(
        *(claims.cut_words(one) for one in parts if not _REFUSED.search(one))
    )
    refused = frozenset[str]().union(*map(_list_refused, parts))
    cut = claims.cut_words(text) & refused - told
    return f"the evidence refuses {min(cut).rstrip('*')!r}" if cut else ""


def _list_refused(part: str) -> frozenset[str]:
    """The words of what a part says was refused; none of who has refused it: `Mara quit …`."""
    found = _REFUSED.search(part)
    if not found:
        return frozenset()
    if not found[0].isascii() or _PASSIVE.search(part[: found.start()]):
        return claims.cut_words(part)
    behind = part[found.end() :]
    # Who stopped drinking coffee may well drink something else.
    doing = _DOING.match(behind)
    rest = claims.cut_words(behind[doing.end() :]) if doing else frozenset[str]()
    return rest or claims.cut_words(behind) or claims.cut_words(part)


def _find_hedge(text: str, evidence: str) -> str:
    """Whether a claim states as certain what was said only conditionally, or as possible."""
    wanted = claims.cut_words(text)
    if _HEDGES.search(text) or claims.denies(text):
        return ""
    told, hedged = set[str](), set[str]()
    first = ""
    for one in _HALVES.split(claims.normalize(evidence)):
        found = _HEDGES.search(one)
        (hedged if found else told).update(claims.cut_words(one))
        first = first or (found.group() if found else "")
    cut = wanted & hedged - told and not wanted & told - hedged
    return f"the evidence says only {first!r}" if cut else ""


def _read_units(text: str) -> set[tuple[str, str]]:
    """The numbers of a text with what they count."""
    found: set[tuple[str, str]] = set()
    for sign, number, behind in _COUNTED.findall(claims.normalize(text).lower()):
        unit = next((one for one in _LONG if sign == one or _counts(behind, one)), "")
        if unit:
            found.update((value, _UNIT_OF[unit]) for value in claims.list_numbers(number))
    return found


def list_units(text: str) -> Iterator[str]:
    """What the numbers of a text count: a unit by its first name, else the word behind."""
    for sign, number, behind in _COUNTED.findall(claims.normalize(text).lower()):
        if claims.list_numbers(number):
            unit = next((one for one in _LONG if sign == one or _counts(behind, one)), "")
            yield _UNIT_OF[unit] if unit else behind if behind.isascii() else behind[:1]


def _counts(behind: str, unit: str) -> bool:
    return behind == unit if unit.isascii() else behind.startswith(unit)


def _read_rates(text: str) -> set[str]:
    """By what a text counts: `a week`, `per key`, of units of time and the like."""
    found = {part for one in _RATE.findall(claims.normalize(text).lower()) for part in one if part}
    return {_UNIT_OF[one] for one in found if one in _UNIT_OF}


def _find_unit(text: str, evidence: str) -> str:
    """What is wrong with the unit of a number or a rate in a claim; empty for nothing."""
    rates = _read_rates(evidence)
    if rates and (other := _read_rates(text) - rates):
        return f"the evidence does not say {f'per {min(other)}'!r}"
    known = _read_units(evidence)
    counted = {value for value, _ in known}
    for value, unit in sorted(_read_units(text)):
        if value in counted and (value, unit) not in known:
            return f"the evidence does not say {f'{value} {unit}'!r}"
    return ""


def _find_number(text: str, evidence: str) -> str:
    """A number or day that stands beside nothing of the claim, where another one does."""
    plain = dated.cut_dates(text)
    wanted = claims.cut_words(plain) - _COUNTING
    loose = _read_numbers(text) - claims.list_numbers(plain)
    numbers = claims.read_claim(plain).numbers | loose
    if not numbers:
        return ""
    parts = [one for one in _read_parts(evidence, _PARTS) if one.numbers]
    halves = [one for one in _read_parts(evidence, _HALVES) if one.numbers]
    for number in sorted(numbers):
        asked = (number, numbers)
        if _is_elsewhere(wanted, parts, asked) or _is_less(wanted, halves, asked):
            return f"{number!r} is said of something else"
    return ""


def _is_elsewhere(
    wanted: frozenset[str], parts: Sequence[_Part], asked: tuple[str, frozenset[str]]
) -> bool:
    """Whether nothing of the claim stands beside its number, and something beside another one."""
    number, numbers = asked
    holding = [one for one in parts if number in one.numbers]
    if not holding or any(wanted & one.words for one in holding):
        return False
    return any(wanted & one.words and not numbers & one.numbers for one in parts)


def _is_less(
    wanted: frozenset[str], parts: Sequence[_Part], asked: tuple[str, frozenset[str]]
) -> bool:
    """Whether all of the claim that stands beside its number stands beside another, and more."""
    number, numbers = asked
    holding = [wanted & one.words for one in parts if number in one.numbers]
    others = [wanted & one.words for one in parts if not numbers & one.numbers]
    return bool(holding) and any(all(one < other for one in holding) for other in others)


def _find_choice(text: str, evidence: str) -> str:
    """What is wrong if a claim swaps what was chosen with what was left; empty if it does not."""
    mine, theirs = _RATHER.search(text), _RATHER.search(evidence)
    if not mine or not theirs:
        return ""
    left = claims.cut_words(_PARTS.split(evidence[theirs.end() :])[0])
    mine_left = claims.cut_words(_PARTS.split(text[mine.end() :])[0])
    turned = claims.cut_words(text[: mine.start()]) & left and not mine_left & left
    return "it was the other way round" if turned else ""


def _find_turn(text: str, said: Sequence[str]) -> str:
    """What is wrong if two names of a claim have changed places around what one of them did; empty
    if they have not.
    """
    mine = list(_read_between(text))
    if not mine:
        return ""
    theirs = [
        one
        for memory in said
        for part in re.split(r"[.!?;\n]", memory)
        for one in _read_between(part)
    ]
    for first, last, words in mine:
        same = [one for one in theirs if one[:2] == (first, last)]
        turned = any(one[:2] == (last, first) and one[2] & words for one in theirs)
        if turned and not same:
            return f"it is {last.title()} who did it, and not {first.title()}"
    return ""


def _read_between(text: str) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Each two names of a text with the words between them; none where a word there says that both
    did it, or that the second one did.
    """
    plain = claims.normalize(text).replace("’s", "").replace("'s", "")
    capitals = re.finditer(r"\b[A-Z][a-z]+\b", plain)
    found = [one for one in capitals if one[0].lower() not in claims.STOP][:_MOST]
    for at, first in enumerate(found):
        for last in found[at + 1 :]:
            between = plain[first.end() : last.start()]
            plainly = {word.lower() for word in re.findall(r"[A-Za-z]+", between)}
            if plainly and _TURNED.isdisjoint(plainly) and "," not in between:
                yield first[0].lower(), last[0].lower(), claims.cut_words(between)


def _find_blend(text: str, said: Sequence[str], subject: str) -> str:
    """A part of a claim that no memory says alone: its names and most of its words are of two."""
    if len(said) < 2:
        return ""
    heard = [claims.Vocabulary([one]) for one in said]
    whom = frozenset(re.findall(r"\w+", subject.lower()))
    for part in _PARTS.split(text):
        names = claims.read_claim(part).names - whom
        cut = claims.cut_words(part)
        cut -= frozenset(map(claims.stem, names))
        words = {word for word in cut if any(one.has_word(word) for one in heard)}
        bearing = [one for one in heard if all(one.has_name(name) for name in names)]
        spoken = any(one.has_name(name) for one in heard for name in names)
        best = max((sum(map(one.has_word, words)) for one in bearing), default=0)
        if words and spoken and best < _ONE * len(words):
            return f"no memory says by itself: {part.strip()!r}"
        if len(words) < _FEW:
            continue
        about = [one for one in heard if whom and all(map(one.has_name, whom))]
        told = max((sum(map(one.has_word, words)) for one in about), default=best)
        # Where one of the memories names whom it is about, it says so of that one.
        if subject.isascii() and told < best / 2:
            return f"no memory says of {subject}: {part.strip()!r}"
    return ""
