"""Find two statements about one thing that differ in one value: a date, a number or a name.

Only the form of a sentence counts: which words it has, and which values stand where. Two sentences
that name different things (`invoice 1044`, `invoice 1045`) differ in what names them.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from molt.index.content import function_words, signs, words
from molt.index.search import dates
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DATE, NUMBER, NAME, LABEL = "date", "number", "name", "label"
"""The kinds of slots. A label is a number that tells things apart: `invoice 1044`, `Python 3`."""
_TOKEN = re.compile(r"[€$£¥]?\d+(?:[.,:/-]\d+)*[^\W\d_]{0,3}%?|[^\W\d_](?:[\w'’&+-]*[^\W_])?")
_CODE = re.compile(r"://|`")
"""What a sentence has that quotes a program, or an address."""
_TITLE = re.compile(r"\b[A-Z][a-z]{0,3}\.$")
"""What is cut short before a name: `Dr.`, `Mrs.`, `J.`"""
_END = re.compile(r"(?<=[.!?]) +(?=[A-Z\"“*\[])|(?<=[。！？])")
_UNSPACED = re.compile(r"\d+(?:[.,]\d+)*(?:[年月日号號时時点點分:：]\d*)*")
_WINDOWS = ((0, 1), (-1, 1), (0, 2), (0, 3))
"""What may be a date around a number, as offsets: `2026-03-04`, `March 4`, `4 March`, `4th of
March`."""
_LONGEST = 300
"""Characters of a statement: what is longer says more than one thing."""
_SERIES = 4
"""Statements with the same words from which on they are a series of readings, not one attribute."""
_UNIT, _MORE = 2, 4
"""Signs of a script without spaces that may be the unit of a number, and by which what stands
before one value may be longer than what stands before the other."""
_CROWD = 40
"""Statements that share a word, up to which the word says what they are about."""


class ComparedSentence(Value):
    """A sentence of a memory: its words, the id of the memory, and the label of the entity whose
    fact it is, or the title that it stands below (empty for none): what differs in that is about
    two things. What is `new` is compared with everything, the rest with that.
    """

    text: str
    memory: str
    about: str = ""
    new: bool = True


class ValueSlot(Value):
    """A value in a sentence: its kind, the value in one form, the nearest word of content before it
    (else behind it), and whether only words of form lead to it: `is`, `in`, `at`.
    """

    kind: str
    value: str
    near: str = ""
    reached: bool = False


class SentenceShape(Value):
    """A statement as words of content, in order, pairs of those that stand side by side, and slots;
    of a script without spaces the signs before its first slot.
    """

    said: ComparedSentence
    words: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    slots: tuple[ValueSlot, ...]
    lead: str = ""

    def values(self, kind: str) -> frozenset[str]:
        """Return the values of a kind."""
        return frozenset(one.value for one in self.slots if one.kind == kind)


class Clash(Value):
    """Two statements of which at most one holds, the kind of value in which they differ, and the
    values: of a date as year, month and day (0 for what it does not say).
    """

    first: ComparedSentence
    second: ComparedSentence
    kind: str
    values: tuple[str, str]


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text as they are, those that stand on lines of their own too."""
    rows = (row.strip() for row in text.split("\n"))
    return [one.strip() for row in rows for one in _END.split(row) if any(map(str.isalnum, one))]


def holds_alone(text: str) -> bool:
    """Whether a sentence can be read without its day and what stood before it: it asks nothing,
    and counts no day from its own, as `yesterday` does.
    """
    asks = text.rstrip().endswith(("?", "？", ":", "：", "…"))
    return not asks and not any(one.since for one in dates.spans(text, lambda: "2000-01-01"))


def list_parts(text: str) -> list[str]:
    """Return the words of a text in order, the same for two ways of writing it; of runs without
    spaces each sign.
    """
    low = words.fold_text(text).casefold()
    plain = "".join(sign if sign.isalnum() else " " for sign in low)
    unspaced, _ = signs.cut_unspaced(plain)
    return "".join(f" {sign} " if sign in unspaced else sign for sign in plain).split()


def find_clashes(
    statements: Sequence[ComparedSentence], labels: Iterable[str] = ()
) -> Iterator[Clash]:
    """Yield the pairs of statements that differ in exactly one value, in their order. `labels` are
    the names of known entities.
    """
    names = frozenset(_list_names(statements, labels))
    plain = (one for one in statements if len(one.text) <= _LONGEST and not _CODE.search(one.text))
    shapes = [read_shape(one, names) for one in plain]
    shapes = [one for one in shapes if one.slots]
    counts = Counter((one.words, one.lead) for one in shapes)
    holders: dict[str, list[int]] = {}
    for at, one in enumerate(shapes):
        if counts[one.words, one.lead] >= _SERIES:
            continue
        near: set[int] = set()
        for word in (*one.words, one.lead[:2]) if one.lead else one.words:
            crowd = holders.setdefault(word, [])
            near.update(crowd if len(crowd) <= _CROWD else ())
            crowd.append(at)
        for other in sorted(near):
            first = shapes[other].said
            same = first.memory == one.said.memory and not one.said.about
            apart = first.about and one.said.about and first.about != one.said.about
            if same or apart or not (first.new or one.said.new):
                continue
            if slots := compare_shapes(shapes[other], one):
                values = slots[0].value, slots[1].value
                yield Clash(first, one.said, slots[0].kind, values)


def _list_names(statements: Iterable[ComparedSentence], labels: Iterable[str]) -> Iterator[str]:
    """Yield the words that are written as names inside sentences, and those of labels."""
    for label in labels:
        yield from map(_fold, label.split())
    for one in statements:
        for match in _TOKEN.finditer(one.text):
            if match.group()[0].isupper() and not _begins(one.text, match.start()):
                yield _fold(match.group())


def _begins(text: str, at: int) -> bool:
    """Whether a sentence begins at a place of a text."""
    before = text[:at].rstrip(" \"'“‘(*_")
    return not before or (before[-1] in ".!?:;–—|\n" and not _TITLE.search(before))


def _fold(word: str) -> str:
    return word.lower().replace("’", "'").removesuffix("'s")


def read_shape(said: ComparedSentence, names: frozenset[str]) -> SentenceShape:
    """Return the shape of a statement; `names` are words that are names in whatever place."""
    if signs.has_unspaced(said.text):
        return _read_unspaced(said)
    text = said.text
    if said.about and said.about.casefold() not in text.casefold():
        text = f"{said.about} {text}"
    tokens = list(_TOKEN.finditer(text))
    kinds = [_name_token(text, one, names) for one in tokens]
    spans = _join_slots(text, tokens, kinds)
    taken = {at: slot for slot in spans for at in range(*slot)}
    stop = words.STOP | function_words.ELSEWHERE if words.is_foreign(text) else words.STOP
    plain = [
        "" if at in taken or _fold(one.group()) in stop else words.cut_ending(_fold(one.group()))
        for at, one in enumerate(tokens)
    ]
    slots = tuple(_make_slot(text, tokens, kinds, plain, span) for span in spans)
    pairs = tuple(pair for pair in pairwise(plain) if all(pair))
    return SentenceShape(said, tuple(filter(None, plain)), pairs, slots)


def _name_token(text: str, one: re.Match[str], names: frozenset[str]) -> str:
    word = one.group()
    if any(map(str.isdigit, word)):
        return NUMBER
    named = word[0].isupper() and len(word) > 1 and _fold(word) not in words.STOP
    first = _begins(text, one.start())
    return NAME if named and (not first or _fold(word) in names) else ""


def _join_slots(
    text: str, tokens: Sequence[re.Match[str]], kinds: list[str]
) -> list[tuple[int, int]]:
    """Return the slots as ranges of tokens; those of dates are marked so in `kinds`."""
    for at, kind in enumerate(kinds):
        for start, stop in _WINDOWS if kind == NUMBER else ((0, 1),) if kind == NAME else ():
            first, last = at + start, at + stop
            if not 0 <= first < last <= len(tokens) or DATE in kinds[first:last]:
                continue
            if _is_date(text[tokens[first].start() : tokens[last - 1].end()]):
                kinds[first:last] = [DATE] * (last - first)
                break
    spans: list[tuple[int, int]] = []
    for at, kind in enumerate(kinds):
        first, stop = spans[-1] if spans else (0, 0)
        gap = text[tokens[at - 1].end() : tokens[at].start()] if stop == at and at else ""
        joins = (kinds[first], kind) in ((DATE, DATE), (NAME, NAME), (NAME, NUMBER))
        if kind and joins and gap in (" ", ", " if kind == DATE else ". "):
            spans[-1] = (first, at + 1)
        elif kind:
            spans.append((at, at + 1))
    return spans


def _is_date(text: str) -> bool:
    clock = ":" in text and text.replace(":", "", 1).isdigit()
    return clock or bool(dates.spans(f"on {text}", lambda: "2000-01-01"))


def _make_slot(
    text: str,
    tokens: Sequence[re.Match[str]],
    kinds: Sequence[str],
    plain: Sequence[str],
    span: tuple[int, int],
) -> ValueSlot:
    start, stop = span
    said = [_fold(one.group()) for one in tokens[start:stop]]
    before = next(filter(None, reversed(plain[:start])), "")
    near = before or next(filter(None, plain[stop:]), "")
    reached = start > 0 and not plain[start - 1] and not kinds[start - 1]
    kind = kinds[start]
    if kind == DATE:
        whole = text[tokens[start].start() : tokens[stop - 1].end()]
        days = dates.spans(f"on {whole}", lambda: "2000-01-01")
        day = next((day for day in days if day.month), None)
        value = f"{day.year}-{day.month}-{day.day}" if day else " ".join(said)
        return ValueSlot(kind, value, near, reached)
    follows = "".join((*plain[stop : stop + 1], *kinds[stop : stop + 1]))
    # What it counts stands behind it, and more than its name before: `holds 512 MB`.
    counted = bool(follows) and sum(map(bool, plain[:start])) > 1
    counts = start == 0 or reached or counted or _is_amount(said[0])
    if NUMBER in kinds[start:stop] and (kind == NAME or not counts):
        kind = LABEL
    return ValueSlot(kind, " ".join(said), near, reached)


def _is_amount(value: str) -> bool:
    """Whether a number is written as an amount: `1,450`, `€30`, `40%`."""
    return not value[0].isalnum() or "," in value or value.endswith("%")


def _read_unspaced(said: ComparedSentence) -> SentenceShape:
    slots: list[ValueSlot] = []
    lead = ""
    for match in _UNSPACED.finditer(said.text):
        value, before = match.group(), said.text[: match.start()]
        bare = "".join(filter(_tells, before))
        lead = lead or bare
        rest = sum(map(str.isalnum, said.text[match.end() :]))
        dated = any(mark in value for mark in "月日时時点點:：年")
        reached = bool(before) and not _tells(before[-1])
        counts = reached or 0 < rest <= _UNIT
        kind = DATE if dated else NUMBER if counts and value[-1] not in "号號" else LABEL
        slots.append(ValueSlot(kind, value.rstrip("日号號"), bare[-2:], reached))
    return SentenceShape(said, (), (), tuple(slots), lead)


def _tells(sign: str) -> bool:
    return sign.isalnum() and words.tells_something(sign)


def compare_shapes(one: SentenceShape, other: SentenceShape) -> tuple[ValueSlot, ...]:
    """Return the two slots in which statements about one thing differ; nothing where they differ in
    more, in what names the thing, or not at all.
    """
    kinds = (DATE, NUMBER, NAME, LABEL)
    own = {kind: one.values(kind) - other.values(kind) for kind in kinds}
    new = {kind: other.values(kind) - one.values(kind) for kind in kinds}
    both = [kind for kind in kinds if own[kind] and new[kind]]
    if len(both) != 1 or both[0] == LABEL or len(own[both[0]]) + len(new[both[0]]) != 2:
        return ()
    kind = both[0]
    slots = tuple(
        next(slot for slot in shape.slots if slot.kind == kind and slot.value in values[kind])
        for shape, values in ((one, own), (other, new))
    )
    more = any(own[each] or new[each] for each in kinds if each != kind)
    if one.lead or other.lead:
        same = _is_one_lead(one.lead, other.lead)
    elif kind == NAME:
        same = one.words == other.words and bool(one.words) and not more
        same = same and all(slot.reached for slot in slots)
    else:
        same = _is_one_thing(one, other, slots, more=more)
    return slots if same else ()


def _is_one_lead(one: str, other: str) -> bool:
    """Whether what stands before two values names one thing: one goes on where the other ends."""
    short, long = sorted((one, other), key=len)
    return len(short) > 1 and long.startswith(short) and len(long) - len(short) <= _MORE


def _is_one_thing(
    one: SentenceShape, other: SentenceShape, slots: Sequence[ValueSlot], *, more: bool
) -> bool:
    """Whether two statements have so many words in common that they are about one thing: all words
    of the shorter, or where both have more, the thing itself beside one of two dates. One of them
    may name `more` than the other where they share a name, or several words.
    """
    first, second = frozenset(one.words), frozenset(other.words)
    shared = first & second
    named = one.values(NAME) & other.values(NAME)
    if not shared or 2 * len(shared) < min(len(first), len(second)):
        return False
    near = [slot.near in shared for slot in slots]
    if not (first - shared and second - shared):
        few = len(shared) < 2
        return any(near) and not (few and (len(first | second) > 3 or (more and not named)))
    # A word right before a shared one tells which thing is meant: `math exam`, `history exam`.
    pairs = (*one.pairs, *other.pairs)
    modified = any(before not in shared and word in shared for before, word in pairs)
    return slots[0].kind == DATE and not more and near[0] != near[1] and not modified
