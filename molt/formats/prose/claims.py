"""What a sentence claims, and whether another one says otherwise of the same thing."""

from __future__ import annotations

from molt.formats import facts
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_LONGEST = 1000
"""Characters that are looked at: a claim is a sentence, and a page makes many."""
_MARKS = (": ", "：", " = ")
_VERBS = (" is ", " are ", " was ", " were ", "是")
# What has one value at a time: who works at two places is told to, rather than two silently.
_SINGLE = (
    *("works at", "works for", "lives in", "moved to", "reports to", "owned by", "led by"),
    *("based in", "hosted on", "hosted by", "hosted at", "assigned to", "belongs to", "runs on"),
    *("managed by", "married to", "born in", "born on", "listens on", "due on", "due by"),
    *("written in", "named", "called", "住在", "任职于", "就职于", "位于", "属于"),
)
_ARTICLES = ("the", "a", "an")
_EMPTY = frozenset(
    (
        *_ARTICLES,
        *("do", "does", "did", "longer", "anymore", "any", "more", "yet", "still", "now", "已经"),
    )
)
"""Words that change nothing of what is claimed."""
_STOPS = frozenset(
    (
        *("is", "are", "was", "were", "be", "of", "in", "on", "at", "to", "for", "by", "and", "or"),
        *("it", "its", "this", "that", "we", "i", "our", "my", "with", "has", "have", "will"),
    )
)
_NOT = frozenset(("not", "no", "never", "without", "cannot"))
_NOT_ZH = ("不再", "没有", "并非", "并不", "不", "没", "未", "別", "别")
_CUT = {"ca": "can", "wo": "will", "sha": "shall", "cannot": "can"}
_COUNTED = frozenset(
    (
        *("january", "february", "march", "april", "june", "july", "august", "september"),
        *("october", "november", "december", "monday", "tuesday", "wednesday", "thursday"),
        *("friday", "saturday", "sunday", "today", "tomorrow", "yesterday", "one", "two"),
        *("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
        *("hundred", "thousand", "million", "half", "twice", "once", "noon", "midnight"),
        *("零一二三四五六七八九十百千万亿两半"),
    )
)
_SLOT = ""
"""What stands in a frame for a number or a date."""


class Claim(Value):
    """What a sentence says: `attribute` and `value` where it is of the form `X is Y`, `X: Y`; the
    words of the whole with their numbers and dates taken out (`frame`, `slots`), and whether it
    denies them. `bare` tells that the attribute is a name alone, of which much can be true at once.
    """

    attribute: str = ""
    value: str = ""
    denied: bool = False
    bare: bool = False
    frame: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    negated: bool = False


def parse_claim(text: str) -> Claim:
    """What a sentence claims, in words that two ways to write it share; never raises."""
    plain = " ".join(facts.strip_asides(text)[:_LONGEST].split()).rstrip(".!。！")
    words, negated = _strip_negation(split_words(plain))
    frame, slots = _take_slots(words)
    attribute, value, bare = split_value(plain)
    held, denied = _strip_negation(split_words(value))
    denied_zh = attribute.endswith(_NOT_ZH[2:])
    kept = _join_words(split_words(attribute)) if attribute else ""
    for word in _NOT_ZH:
        kept = kept.removesuffix(word)
    return Claim(kept, _join_words(held), denied != denied_zh, bare, frame, slots, negated)


def contradicts(
    one: Claim, other: Claim, *, subjects: Collection[str] = (), related: bool = False
) -> bool:
    """Whether two claims cannot both hold: another value of one attribute, another number or date
    in the same words, or one denies what the other says.

    Only what is plain is told. With `related` both are about one thing, and a short attribute tells
    enough; `subjects` are the names of that thing, which are no attribute of it.
    """
    if one.attribute and one.attribute == other.attribute:
        named = one.attribute in subjects or (one.bare and other.bare)
        told = related or _tells_itself(one.attribute)
        if told and not named and _differ(one, other):
            return True
    return _differ_in_frame(one, other, 1 if related else 2)


def _differ(one: Claim, other: Claim) -> bool:
    if one.denied or other.denied:
        return one.denied != other.denied and one.value == other.value
    # Who says more says nothing else.
    short, long = sorted((one.value.split(), other.value.split()), key=len)
    if not one.value.isascii() or not other.value.isascii():
        return not (other.value.startswith(one.value) or one.value.startswith(other.value))
    return long[: len(short)] != short


def _differ_in_frame(one: Claim, other: Claim, least: int) -> bool:
    if one.frame != other.frame:
        return False
    told = [word for word in one.frame if word != _SLOT and word not in _STOPS]
    weight = len(told) if all(map(str.isascii, told)) else len(told) // 2
    same = one.slots == other.slots
    return weight >= least and same == (one.negated != other.negated)


def _tells_itself(attribute: str) -> bool:
    """Whether an attribute says of what it is one. Scripts without spaces have words in letters."""
    return len(attribute.split()) > 1 or (not attribute.isascii() and len(attribute) > 3)


def split_value(plain: str) -> tuple[str, str, bool]:
    """Attribute and value of `X is Y` in small letters, and whether X is a name alone; empty for
    another form.
    """
    low = plain.casefold()
    if len(low) != len(plain):
        plain = low
    found = [(at, len(mark), False) for mark in _MARKS if (at := low.find(mark)) > 0]
    found += [(at, len(verb), True) for verb in _VERBS if (at := low.find(verb)) > 0]
    for word in _SINGLE:
        said = f" {word} " if word.isascii() else word
        if (at := low.find(said)) > 0:
            # What is one at a time is told with what it is one of: `ada works at`.
            found.append((at + len(said), 0, False))
    if not found:
        return "", "", False
    single = [one for one in found if not one[1]]
    at, size, verb = min(single or found)
    attribute, value = plain[:at].strip(), plain[at + size :].strip()
    bare = verb and _is_name(attribute)
    return (
        (attribute.casefold(), value.casefold(), bare) if attribute and value else ("", "", False)
    )


def leads_by_verb(attribute: str) -> bool:
    """Whether a verb ends an attribute, such as `ada lives in`: what more is said behind its value
    is of the same subject.
    """
    return attribute.endswith(_SINGLE)


def _is_name(attribute: str) -> bool:
    """Whether words are a name: each begins with a capital."""
    words = [word for word in attribute.split() if word.casefold() not in _ARTICLES]
    return bool(words) and all(word[:1].isupper() for word in words)


def _join_words(words: Sequence[str]) -> str:
    """Words in one spelling: those of scripts without spaces together."""
    kept = [word for word in words if word not in _ARTICLES]
    return "".join(kept) if any(map(_is_wide, kept)) else " ".join(kept)


def _strip_negation(words: Sequence[str]) -> tuple[list[str], bool]:
    """The words without those that deny, and whether an odd number of them did."""
    kept: list[str] = []
    denials = 0
    at = 0
    while at < len(words):
        word = words[at]
        wide = next((one for one in _NOT_ZH if "".join(words[at : at + len(one)]) == one), "")
        if wide and _is_wide(word):
            denials += 1
            at += len(wide)
            continue
        if word.endswith("n't") and len(word) > 3:
            denials += 1
            kept.append(_CUT.get(word[:-3], word[:-3]))
        elif word in _NOT:
            denials += 1
            kept += [_CUT[word]] if word in _CUT else []
        else:
            kept.append(word)
        at += 1
    return kept, bool(denials % 2)


def _take_slots(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words with one mark for each run of numbers and dates, and these runs."""
    frame: list[str] = []
    slots: list[str] = []
    for number, word in enumerate(words):
        following = words[number + 1] if number + 1 < len(words) else ""
        counted = _has_digit(word) or word in _COUNTED or (word == "may" and _has_digit(following))
        if not counted:
            frame += [_strip_plural(word)] if word not in _EMPTY else []
        elif frame and frame[-1] == _SLOT:
            slots[-1] = f"{slots[-1]} {word}"
        else:
            frame.append(_SLOT)
            slots.append(word)
    return tuple(frame), tuple(slots)


def _strip_plural(word: str) -> str:
    # `uses`, and `does not use`.
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _is_wide(word: str) -> bool:
    return "\u3040" <= word[:1] <= "\u9fff" or "\uac00" <= word[:1] <= "\ud7a3"


def split_words(text: str) -> list[str]:
    """The words of a text in lower case; of scripts without spaces each letter is one."""
    return list(_cut_words(text.casefold().replace("’", "'")))


def _cut_words(text: str) -> Iterator[str]:
    word = ""
    for at, char in enumerate(text):
        if char.isalnum() and not _is_wide(char):
            word += char
            continue
        inner = word and char in "'.-_@:/" and text[at + 1 : at + 2].isalnum()
        # `10:30` and `3/4` are one word, `deadline:Friday` is two.
        if inner and (char in "'.-_@" or (word[-1].isdigit() and text[at + 1].isdigit())):
            word += char
            continue
        if word:
            yield word
        word = ""
        if _is_wide(char):
            yield char
    if word:
        yield word


class Correction(Value):
    """A sentence that corrects: what holds by it, and what it says does not; empty where it says
    only the first.
    """

    statement: str
    denied: str = ""


def read_correction(text: str) -> Correction | None:
    """What a sentence puts right: `actually, X is Y`, `X is Y, not Z`, `X is not Z but Y`, `其实…`,
    `X不是Z，是Y`. None for one that corrects nothing.
    """
    plain, led = _strip_leads(" ".join(text[:_LONGEST].split()).rstrip(".!。！"))
    for mark in _CONTRASTS:
        at = plain.casefold().find(mark)
        if at > 0:
            return Correction(plain[:at].strip(), plain[at + len(mark) :].strip())
    for deny, turn, verb in _TURNS:
        front, found, rest = plain.partition(deny)
        denied, turned, value = rest.partition(turn)
        if front and found and turned and denied and value:
            return Correction(f"{front}{verb}{value.strip()}", denied.strip(" ,，"))
    return Correction(plain) if led and plain else None


def _strip_leads(plain: str) -> tuple[str, bool]:
    """A sentence without the words that announce a correction, and whether it had any."""
    led = False
    for _ in range(3):
        low = plain.casefold()
        for lead in _LEADS:
            rest = plain[len(lead) :]
            bounded = not lead.isascii() or rest[:1] in _AFTER_LEAD
            if low.startswith(lead) and rest and bounded:
                plain, led = rest.lstrip(_AFTER_LEAD), True
                break
        else:
            break
    return plain, led


_AFTER_LEAD = " ,:;.!-—，：；。！"
_LEADS = (
    *("actually", "correction", "in fact", "i was wrong", "i misspoke", "i meant", "my mistake"),
    *("my bad", "scratch that", "small correction", "let me correct", "to correct myself"),
    *("turns out", "it turns out", "sorry", "oops", "wait", "no", "update", "that is wrong"),
    *("that's wrong", "to be precise", "rather"),
    *("其实", "更正一下", "更正", "纠正一下", "纠正", "不对", "不是的", "错了", "我说错了"),
    *("说错了", "我记错了", "准确地说"),
)
_CONTRASTS = (", not ", "; not ", " instead of ", " rather than ", "，而不是", "，不是", ",不是")
_TURNS = (
    (" is not ", " but ", " is "),
    (" isn't ", " but ", " is "),
    (" are not ", " but ", " are "),
    ("不是", "，而是", "是"),
    ("不是", "，是", "是"),
    ("不是", "而是", "是"),
)
