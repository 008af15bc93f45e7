"""The names in a text, and the relations between them that their words say.

A name is what is known as one, a `[[link]]`, what is in quotation marks, and a capitalised run
inside a sentence of a script that has capitals. A word of relations.md between two of them relates
them; nothing else is read out of a sentence.
"""

from __future__ import annotations

import itertools
from itertools import pairwise

from molt.formats import ids
from molt.index.content import words as content_words
from molt.index.content.function_words import GERMAN
from molt.index.search.date_words import CALENDAR
from molt.memory.engines.verdict import Edge, KnownEntity, Named
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

GUESSED = "concept"
"""The type of a name of which nothing says what it is."""
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "《": "》", "「": "」", "『": "』"}
_ENDS = frozenset('.!?:;\n•。！？：；"“„«')
"""What a sentence begins behind."""
_INNER = frozenset("-.'’&+#/@_")
"""What joins the letters of one word."""
_LONGEST, _MOST_WORDS = 60, 5
"""Characters and words of a name; what has more is a title."""
_MOST_SUBJECT = 3
"""Words of what a text is about that names nothing; of a script without spaces three signs each."""
_VOWELS = frozenset("aeiouy")
_READ = 20_000
"""Characters of a text in which names are looked for: to part them takes the square of them."""


class _Span(Value):
    """Where a name stands, and what it is called; `sure` where a mark or the graph says so."""

    start: int
    end: int
    label: str
    type: str = GUESSED
    sure: bool = True


class _Word(Value):
    start: int
    end: int
    text: str
    head: bool


class GraphWords(Value):
    """The types of entities and the words of relations that a workspace has."""

    types: tuple[str, ...]
    relations: tuple[str, ...]


class TextNames(Value):
    """The names of a text in order, and the relations between them."""

    entities: tuple[Named, ...] = ()
    edges: tuple[Edge, ...] = ()


def find_names(
    text: str, known: Sequence[KnownEntity], vocabulary: GraphWords, *, subject: bool = False
) -> TextNames:
    """Return the names of a text and their relations. With `subject` the text says what something
    is, so that a capital at its head means a name too.
    """
    text = text[:_READ]
    every = _list_words(text)
    marked = [*_find_known(text, known), *_find_links(text), *_find_quoted(text)]
    free = [one for one in every if not any(_overlap(one, span) for span in marked)]
    if subject:
        free = [one.replace(head=one.head and bool(one.start)) for one in free]
    spans = _drop_inner([*marked, *_find_capitals(text, every, free)])
    spans = [_read_type(text, one, vocabulary.types) for one in spans]
    edges, ends = _relate(text, spans, _find_heads(text, free), vocabulary.relations)
    named = sorted((*spans, *ends), key=lambda one: one.start)
    # What the index knows by another form of its name is found at no place of the text.
    pairs = [*((one.label, one.type) for one in named), *((one.label, one.type) for one in known)]
    found: dict[str, Named] = {}
    for label, kind in pairs:
        found.setdefault(ids.slug(label), Named(label, kind, kind == GUESSED))
    return TextNames(tuple(found.values()), edges)


def guess_subject(text: str) -> str:
    """Return what a text that names nothing is likely about: its first words up to a function word
    (`The session timeout is …`, 会话超时时间是…); empty where these are none, or too many.
    """
    words = text.split()
    while words and words[0].lower() in content_words.STOP:
        words = words[1:]
    parts: list[str] = []
    for word in words[: _MOST_SUBJECT + 1]:
        if word.strip(".,:;'’").lower() in content_words.STOP:
            return " ".join(parts).strip(".,:;，：；") if len(parts) <= _MOST_SUBJECT else ""
        signs = "".join(itertools.takewhile(content_words.tells_something, word))
        if signs != word:
            whole = not signs or _is_letter(signs[0]) or 1 < len(signs) <= 3 * _MOST_SUBJECT
            return " ".join((*parts, signs)).strip(".,:;，：；") if whole else ""
        parts.append(word)
    return ""


def _list_words(text: str) -> list[_Word]:
    """The words of a text that are written with blanks or capitals, and which begin a sentence."""
    found: list[_Word] = []
    at, head = 0, True
    while at < len(text):
        if not _is_letter(text[at]):
            head = head or text[at] in _ENDS
            # A sign of a script without capitals is a word before what follows.
            head = head and not (text[at].isalnum())
            at += 1
            continue
        start = at
        while at < len(text) and (_is_letter(text[at]) or _joins(text, at)):
            at += 1
        found.append(_Word(start, at, text[start:at], head))
        head = False
    return found


def _is_letter(char: str) -> bool:
    return char.isalnum() and char < "\u2e80"


def _joins(text: str, at: int) -> bool:
    return text[at] in _INNER and at + 1 < len(text) and _is_letter(text[at + 1])


def _find_known(text: str, known: Sequence[KnownEntity]) -> Iterator[_Span]:
    low = text.casefold()
    if len(low) != len(text):
        return
    for one in known:
        for name in sorted((one.label, *one.aliases), key=len, reverse=True):
            at = low.find(name.casefold())
            while at >= 0 and not _stands_alone(low, at, at + len(name)):
                at = low.find(name.casefold(), at + 1)
            if at >= 0:
                yield _Span(at, at + len(name), one.label, one.type)
                break


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter of the same script goes on before or behind a part of a text."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    return not (
        (_is_letter(before or " ") and _is_letter(text[start]))
        or (_is_letter(behind or " ") and _is_letter(text[end - 1]))
    )


def _find_links(text: str) -> Iterator[_Span]:
    at = text.find("[[")
    while at >= 0:
        end = text.find("]]", at)
        if end < 0:
            return
        target, _, shown = text[at + 2 : end].partition("|")
        kind, dashes, name = target.strip().partition("--")
        # A link to an episode, or to another memory by its id, names no thing.
        if dashes and kind == ids.slug(kind):
            yield _Span(at, end + 2, shown.strip() or name.replace("-", " "), kind)
        elif ":" not in target and target.strip():
            yield _Span(at, end + 2, shown.strip() or target.strip())
        at = text.find("[[", end)


def _find_quoted(text: str) -> Iterator[_Span]:
    for opens, closes in _QUOTES.items():
        at = text.find(opens)
        while at >= 0:
            end = text.find(closes, at + 1, at + _LONGEST)
            inner = text[at + 1 : end] if end > 0 else ""
            words = inner.split()
            capitals = sum(word[:1].isupper() for word in words)
            cased = any(char.islower() or char.isupper() for char in inner)
            said = inner.strip()[-1:] in tuple(".!?,。！？，")
            if words and not said and (not cased or capitals * 2 > len(words)):
                yield _Span(at, end + 1, inner.strip())
            at = text.find(opens, (end if end > 0 else at) + 1)


def _read_type(text: str, span: _Span, types: Iterable[str]) -> _Span:
    """A name with the type that stands beside it: `project Heron`, `the Heron project`."""
    if span.type != GUESSED:
        return span
    kind, _, rest = span.label.partition(" ")
    before = text[: span.start].rsplit(None, 1)[-1:] if text[: span.start].endswith(" ") else []
    behind = text[span.end :].split(None, 1)[:1] if text[span.end :].startswith(" ") else []
    for one in types:
        if rest and kind.casefold() == one:
            return span.replace(label=rest, type=one)
        if one in (*before, *(word.rstrip(".,;:!?") for word in behind)):
            return span.replace(type=one)
    return span


def _find_capitals(text: str, every: Sequence[_Word], free: Sequence[_Word]) -> Iterator[_Span]:
    """The capitalised runs inside the sentences of a text, if its capitals mean names."""
    if _writes_nouns_so(every):
        free = [one for one in free if _is_mixed(one.text)]
    run: list[_Word] = []
    for one in (*free, _Word(len(text), len(text), "", head=False)):
        between = text[run[-1].end : one.start] if run else ""
        goes_on = (between == " " and not one.head) or (between == ". " and _is_cut(run[-1].text))
        if _is_capital(one.text) and (goes_on or not run):
            run.append(one)
            continue
        yield from _cut_run(text, run)
        run = [one] if _is_capital(one.text) else []


def _cut_run(text: str, run: list[_Word]) -> Iterator[_Span]:
    if run and run[0].head and not _is_mixed(run[0].text) and not _is_cut(run[0].text):
        # What is left of `Yesterday Ann` is a name, and of `Ann Berg` it is none.
        run = run[1:] if len(run) > 2 or _is_mixed(run[-1].text) else []
    while run and _is_ordinary(run[0].text):
        run = run[1:]
    while run and _is_ordinary(run[-1].text):
        run = run[:-1]
    if run and len(run) <= _MOST_WORDS and any(_has_small(one.text) for one in run):
        label = text[run[0].start : run[-1].end]
        for mark in ("'s", "’s"):
            label = label.removesuffix(mark)
        if len(label) > 2 or not _is_cut(label):
            yield _Span(run[0].start, run[-1].end, label, sure=False)


def _is_cut(word: str) -> bool:
    """Whether a word is one that a full stop cuts short: `Dr`, `Mrs`, `St`."""
    return word[1:].islower() and _VOWELS.isdisjoint(word.lower())


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def _has_small(word: str) -> bool:
    return any(map(str.islower, word))


def _is_mixed(word: str) -> bool:
    """Whether a word is written as only names are: `PostgreSQL`, `OAuth2`, `Next.js`."""
    inner = any(a.islower() and b.isupper() for a, b in pairwise(word))
    marked = any(char in ".0123456789" for char in word) and any(map(str.islower, word))
    return word[:1].isupper() and (inner or marked)


def _is_ordinary(word: str) -> bool:
    """Whether a word has its capital for another reason than that it is a name."""
    low = content_words.drop_accents(word.lower().replace("’", "'").partition("'")[0])
    return low in content_words.STOP or not CALENDAR.isdisjoint((low, low.removesuffix("s")))


def _writes_nouns_so(every: Sequence[_Word]) -> bool:
    """Whether the capitals of a text are those of German nouns, or of a title or a shout."""
    titled = sum(
        one.text[:1].isupper() and one.text.lower() in content_words.STOP
        for one in every
        if not one.head and one.text != "I"
    )
    plain = {content_words.drop_accents(one.text.lower()) for one in every}
    return titled > 1 or len(plain & GERMAN) > 1 + len((plain & content_words.STOP) - GERMAN)


def _find_heads(text: str, free: Sequence[_Word]) -> list[_Span]:
    """The capitalised runs at the heads of sentences: names where a relation follows them."""
    found: list[_Span] = []
    for at, one in enumerate(free):
        if not one.head or not _is_capital(one.text) or _is_ordinary(one.text):
            continue
        end = one.end
        for other in free[at + 1 :]:
            if text[end : other.start] != " " or not _is_capital(other.text):
                break
            end = other.end
        found.append(_Span(one.start, end, text[one.start : end], sure=False))
    return found


def _relate(
    text: str, spans: Sequence[_Span], heads: Sequence[_Span], relations: Iterable[str]
) -> tuple[tuple[Edge, ...], list[_Span]]:
    """The relations of names that follow each other, and the heads that are names by one."""
    words = sorted(relations, key=len, reverse=True)
    edges: list[Edge] = []
    ends: list[_Span] = []
    every = sorted((*spans, *(one for one in heads if not any(_overlap(one, s) for s in spans))),
                   key=lambda one: one.start)  # fmt: skip
    for first, last in pairwise(every):
        word = _find_word(text[first.end : last.start], words)
        if word and last not in heads and ids.slug(first.label) != ids.slug(last.label):
            edges.append(Edge(first.label, word, last.label))
            ends += [first] if first not in spans else []
    return tuple(dict.fromkeys(edges)), ends


def _find_word(between: str, words: Sequence[str]) -> str:
    """The relation that stands between two names, beside nothing but what has no meaning."""
    if not _ENDS.isdisjoint(between) or "," in between or len(between) > _LONGEST:
        return ""
    parts = ids.slug(between).split("-") if between.strip() else []
    for word in words:
        own = word.split("-")
        for at in range(len(parts) - len(own) + 1):
            rest = parts[:at] + parts[at + len(own) :]
            if parts[at : at + len(own)] == own and content_words.STOP.issuperset(rest):
                return word
    return ""


def _overlap(one: _Word | _Span, other: _Span) -> bool:
    return one.start < other.end and other.start < one.end


def _drop_inner(spans: Sequence[_Span]) -> list[_Span]:
    """The names that stand in no longer one; of two of one length, the one that is known."""
    kept: list[_Span] = []
    for one in sorted(spans, key=lambda one: (not one.sure, one.start - one.end)):
        if not any(_overlap(one, other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)
