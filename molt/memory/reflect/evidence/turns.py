"""Turns of a conversation and claims about them, cut into sentences and clauses: who speaks, of
whom a clause is, and what it says first.
"""

from __future__ import annotations

import re
from itertools import islice

from molt.memory.engines import tables
from molt.memory.reflect.evidence import claims, crossings, dated
from molt.memory.reflect.evidence.claims import Vocabulary
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE = tables.load("clauses")
_SPEAKER = re.compile(
    r"\s*([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}|[\u3400-\u9fff]{1,6})"
    r"(?:: |：|:(?=[\u3400-\u9fff]))"
)
"""Who speaks, where a memory is a turn of a conversation."""
_SENTENCES = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？；…])|\n|\s?[-–]\s|\s*—\s*|\s(?=\[)")
CLAUSES = re.compile(
    r"[,;]\s(?:(?:but|yet|and|so)\s)?|"
    r"\s(?:but|while|whereas|although|though|yet|and|so|because|when)\s|，|"
    r"但是|但|不过|而是",
    re.IGNORECASE,
)
_DETERMINERS = frozenset(
    (*("the", "a", "an", "my", "our", "his", "her"), *("their", "your", "its", "some", "two"))
)
_OTHERS = frozenset(("he", "she", "they", "you"))
_NOBODY = frozenset(("it", "this", "that", "who", "which", "these", "those"))
BACK = re.compile(
    r"\b(?:it|its|that|this|those|these|there|here|one|ones|then|such|both|who|which|s?he|they|"
    r"him|her|his|them|their|we)\b|[它他她]们?|这|那|其",
    re.IGNORECASE,
)
"""What points at the sentence before."""
_VOCATIVE = re.compile(
    rf"(?:^|(?<=[.!?,]\s))(?:(?i:{_TABLE.make_pattern('greetings')}),?\s)*[A-Z]\w+(?:[,!.?]|$)|"
    r",\s[A-Z]\w+(?=[.!?]|$)",
)
"""Who is spoken to: told by the comma beside the name."""
PAST = _TABLE.split_words("irregular")
_LABELS = frozenset(map(claims.stem, _TABLE.split_names("labels")))
_FIRST = re.compile(r"\b(?:i|my|we|our)\b|我", re.IGNORECASE)
_COUNTING = frozenset(map(claims.stem, claims.NUMBER_WORDS))
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_OWNED = re.compile(r"(?i)\b(?!there|it|that|he|she|who|what|here)\w+['’]s\s(?=\w+\s)")
"""Whose something is."""
_LONGEST = 6
"""Words of a subject and its verb."""
_MANY = 400
"""Sentences of a memory that are looked at: what is longer is a document."""


class SaidSentence(Value):
    """A sentence: what it says, whether the one before is needed to read it, and whether it only
    asks.
    """

    text: str
    words: Vocabulary
    linked: bool
    asks: bool


class HeardTurn(Value):
    """A memory: who speaks (lower case words; none where that is not told), and its sentences."""

    speaker: frozenset[str]
    words: Vocabulary
    sentences: tuple[SaidSentence, ...]


class ClaimPart(Value):
    """A part of a claim: its text, the words of whom it is about, those of its grammatical subject,
    what it says first of it, and all that it says.
    """

    text: str
    whom: frozenset[str]
    head: frozenset[str]
    predicate: str
    verb: str
    words: frozenset[str]
    named: bool


def read_turn(memory: str) -> HeardTurn:
    # A run of spaces is one: patterns that begin with one would try each of them.
    plain = "\n".join(" ".join(row.split()) for row in claims.normalize(memory).splitlines())
    found = _SPEAKER.match(plain)
    speaker = cut_name(found[1]) if found else frozenset[str]()
    if not speaker.isdisjoint(_LABELS):
        speaker = frozenset()
    rest = crossings.put_plainly(plain[found.end() :] if found else plain)
    return HeardTurn(speaker, Vocabulary([plain]), tuple(_read_sentences(rest)))


def speaks_unnamed(memory: str) -> bool:
    """Whether somebody speaks as `I` in a memory that does not tell who."""
    return not read_turn(memory).speaker and _FIRST.search(memory) is not None


def _read_sentences(text: str) -> Iterator[SaidSentence]:
    for part in islice(filter(None, map(str.strip, _SENTENCES.split(text))), _MANY):
        plain = _VOCATIVE.sub(" ", part)
        linked = part[0] == "[" or bool(BACK.search(part)) or _lacks_subject(plain)
        yield SaidSentence(
            plain, Vocabulary([plain]), linked, part.rstrip(" )\"'”").endswith(("?", "？"))
        )


def _lacks_subject(text: str) -> bool:
    """Whether a sentence leaves out its subject or its verb: `Helps me sleep.`"""
    first = next(iter(_WORD.findall(text)), "").lower()
    begins = (
        first in PAST or (len(first) > 3 and first.endswith(("s", "ed", "ing"))) or first == "been"
    )
    return not has_verb(text) or (begins and first not in claims.STOP)


def has_verb(text: str) -> bool:
    low = [word.lower() for word in re.findall(r"[A-Za-z']+", text)]
    return not text.isascii() or any(
        word in claims.AUXILIARIES or word in PAST or word.endswith(("ed", "s", "'m", "'re", "'ve"))
        for word in low
    )


def drop_names(text: str) -> str:
    """A text without the names of those who are spoken to."""
    return _VOCATIVE.sub(" ", text)


def cut_name(text: str) -> frozenset[str]:
    return frozenset(claims.stem(word) for word in re.findall(r"\w+", text.replace("'s", "")))


def read_parts(text: str, subject: str) -> Iterator[ClaimPart]:
    """The parts of a claim: what is said of the first part's subject goes on in the next."""
    before = cut_name(subject)
    whom = before
    for number, part in enumerate(_split_claim(text)):
        head = own = read_head(part)
        named = frozenset(claims.stem(one) for one in _list_heads(part))
        if named and (number == 0 or head):
            # `Tea is Ann's weakness` is said of Ann.
            owned = number == 0 and re.search(rf"\b{re.escape(subject)}['’]s\b", part)
            whom = cut_name(subject) if subject and owned else named
        head = head - {"i", "we"} or before
        before = head
        words = claims.cut_words(dated.cut_dates(part)) - whom - _COUNTING
        # Signs without spaces are no words: what is said in them is compared clause by clause.
        words = frozenset(filter(str.isascii, words))
        yield ClaimPart(
            part,
            whom,
            head,
            find_predicate(part, head | whom),
            find_predicate(part, head | whom, light=True),
            words,
            bool(own),
        )


def _list_heads(part: str) -> Iterator[str]:
    """The names with which a part of a claim begins: whom it is about, also where it is `Ann's`."""
    for word in _WORD.findall(part)[:3]:
        if not word[0].isupper() or word.lower() in claims.STOP or len(word) == 1:
            return
        yield word


def read_head(part: str) -> frozenset[str]:
    """The stems of the subject of a clause; `i` for who speaks, `he` for a pronoun, none where no
    verb is seen.
    """
    words = _WORD.findall(_OWNED.sub("", part.replace("n't", " not")))
    if words and words[0].islower() and claims.stem(words[0]).endswith("*"):
        return frozenset()
    for at, word in enumerate(words[:_LONGEST]):
        low = word.lower()
        start, mark, _ = low.replace("’", "'").partition("'")
        ends = word.islower() and len(low) > 3 and low.endswith(("s", "ed"))
        ends = ends and (at == 0 or words[at - 1].lower() not in _DETERMINERS)
        ends = ends and not (_is_verb(words[at + 1]) if at + 1 < len(words) else False)
        if not (mark or ends or _is_verb(word)):
            continue
        head = {one.lower() for one in words[:at]} | ({start} if mark else set())
        if not head.isdisjoint(("i", "we")):
            return frozenset(("i",) if "i" in head else ("we",))
        if not head.isdisjoint(_OTHERS):
            return frozenset(("he",))
        if "there" in head:
            return frozenset(("there",))
        return frozenset() if head & _NOBODY else frozenset(map(claims.stem, head - claims.STOP))
    return frozenset()


def _is_verb(word: str) -> bool:
    return word.lower() in claims.AUXILIARIES or word.lower() in PAST


def split_clauses(text: str) -> list[str]:
    """The clauses of a text; `Ann and her brother came` is one."""
    found: list[str] = []
    for part in filter(str.strip, CLAUSES.split(text)):
        first = next(iter(_WORD.findall(part)), "").lower()
        if found and text.isascii() and first in _NOBODY | _OTHERS:
            part = f"{found.pop()} and {part}"
        elif len(found) > 1 and text.isascii() and not has_verb(found[-1]):
            last = found.pop()
            found[-1] += f" and {last}"
        elif found and text.isascii() and not has_verb(found[-1]) and not _begins(first):
            part = f"{found.pop()} and {part}"
        found.append(part)
    return found


def _begins(word: str) -> bool:
    """Whether a clause that begins with a word leaves out its subject: `…, but had no time`."""
    return _is_verb(word) or (len(word) > 3 and word.endswith("ed"))


def _split_claim(text: str) -> list[str]:
    """The parts of a claim that say something each: `Python and C++` is no two."""
    found: list[str] = []
    for part in split_clauses(text) if text.isascii() else [text]:
        if found and not has_verb(part):
            part = f"{found.pop()} and {part}"
        found.append(part)
    return found


def find_predicate(part: str, apart: frozenset[str], *, light: bool = False) -> str:
    """The first word of a clause that tells something of its subject, or stands for what does."""
    for word in _WORD.findall(part.replace("n't", " not")):
        low = word.lower()
        root = claims.stem(word)
        bare = low.replace("’", "'").partition("'")[0]
        if (
            root in apart
            or (root in claims.LIGHT and not light)
            or bare in claims.STOP
            or len(low) == 1
        ):
            continue
        if word.isascii():
            return root
    return ""
