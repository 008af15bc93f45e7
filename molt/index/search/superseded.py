"""What puts right what was said before: the later one, which says so, stands first."""

from __future__ import annotations

from molt.index.content import signs, titles, variants, words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_FIRM = (
    *("correction", "no longer", "anymore", "any more", "instead of", "moved", "switched"),
    *("replaced", "renamed", "postponed", "rescheduled", "brought forward", "pushed back"),
    *("relocated", "migrated", "upgraded", "quit ", "resigned"),
    *("nicht mehr", "stattdessen", "verschoben", "umgezogen", "korrektur"),
    *("désormais", "n'est plus", "ne sont plus", "déplacé", "ya no", "corrección", "cambiado"),
    *(
        "更正",
        "纠正",
        "订正",
        "改成",
        "改到",
        "改为",
        "改名",
        "改用",
        "换成",
        "换到",
        "换了",
        "换为",
    ),
    *("搬到", "搬去", "搬家", "不再", "而是", "推迟", "延期", "提前到", "离职", "跳槽", "升级到"),
    *("变成", "变为", "调整为", "调整到", "迁移到", "迁到", "转到", "说错", "记错", "停用", "废弃"),
)
"""How a sentence speaks that puts right what held before …"""
_LOOSE = (
    *("actually", "changed", "changes to", "delayed", "cancelled", "canceled", "from now on"),
    *("as of ", "turns out", "was wrong", "i meant", "update:", "now ", "scratch that", "is over"),
    *("jetzt", "eigentlich", "maintenant", "en fait", "ahora", "en realidad"),
    *("其实", "实际上", "现在", "取消", "离开", "已经不"),
)
"""… and how one does that may."""
_DENIALS = ("not ", "isn't ", "no more ", "nicht ", "pas ")
_DENIALS_ZH = ("不是", "不在", "并非", "不叫", "不用", "不到")
_FILLING = frozenset("的了在是和有我你他她它也都就从到把被这那个们与及吗呢吧")
"""Signs that most Chinese sentences have."""
_TELLS = {
    **dict.fromkeys(("moved", "relocated", "located", "based", "lived", "living"), "live"),
    **dict.fromkeys(("joined", "left", "quit", "resigned", "worked", "working"), "work"),
    "搬": "住",
}
"""What tells of a change of something, or of that in another form: who moved lives elsewhere."""
_TOLD = frozenset(_TELLS.values())
_MARKS = (*_FIRM, *_LOOSE, *_DENIALS, *_DENIALS_ZH)
_LEFT = ((" from ", (" to ", " into ")), ("从", ("搬", "迁", "换", "调", "改", "转")))
"""What stands before and behind what is no longer so."""
_CONTRAST = ", not "
"""What stands between what is so and what is not."""
_SPEAKERS = frozenset(("user", "用", "户", "我"))
_ROW = 240
"""Characters of what one sentence says; a longer row tells of more than one thing."""
_ROWS = 12
"""Rows of a memory; a page that has more is not put right by a sentence."""
_SAME, _SAME_FIRM = 0.6, 0.5
"""The share of a statement's words that its correction says again: all but what has changed."""
_NEAR = 3
"""How far behind a statement "actually it is Tuesday, not Monday" may stand."""


LOOKED = 60
"""The best memories of a search, among which one may put another right."""
_BEHIND = 0.999
"""So that of equals the correction is first."""


class SaidMemory(Value):
    """What a memory says: its number, unit and place, its time, and its text with the headings."""

    number: int
    unit: int
    path: str
    line: int
    date: str
    text: str


class _SaidSentence:
    """One sentence of a memory: its words, those that it denies, and how much of another sentence
    it must repeat to correct that one; 0 if it speaks of no change. Few are ever compared, so its
    words are read only when they are asked for.
    """

    __slots__ = ("_folded", "_said", "denied", "least", "low")

    def __init__(self, low: str, marks: Sequence[str]) -> None:
        self.low = low
        self.denied: frozenset[str] = frozenset()
        self.least = 0.0
        self._said: frozenset[str] | None = None
        self._folded = ""
        if marks:
            self._read_change(marks)

    def _read_change(self, marks: Sequence[str]) -> None:
        unspaced = signs.has_unspaced(self.low)
        low = f"{variants.fold_signs(self.low) if unspaced else self.low} "
        there = [mark for mark in marks if mark in low]
        if not there:
            return
        self.denied = frozenset(_list_denied(self.low))
        for mark in _DENIALS_ZH if unspaced else ():
            self.denied |= frozenset(low.partition(mark)[2][:2].strip()) - _FILLING
        firm = any(mark in _FIRM for mark in there)
        self.least = _SAME_FIRM if firm else _SAME * any(mark in _LOOSE for mark in there)

    @property
    def said(self) -> frozenset[str]:
        """Its words, as `_list_words` gives them."""
        if self._said is None:
            self._said = _list_words(self.low)
        return self._said

    def may_repeat(self, other: _SaidSentence) -> bool:
        """Whether it can share two words with another sentence, judged by its letters alone."""
        if not other._folded:
            other._folded = words.fold_text(other.low).lower()
        # Asked of hundreds of pairs: what is counted twice only lets one more be looked at.
        return sum(map(other._folded.__contains__, self.said)) + len(self.said & _TOLD) > 1

    def denies_part(self, other: _SaidSentence) -> bool:
        """Whether it denies a part of another sentence: `not Monday`."""
        return bool(self.denied) and self.denied < other.said

    def agrees_with(self, other: _SaidSentence) -> bool:
        """Whether another sentence says no more than what it brings in the place of something that
        it names and the other does not: `moved from Oslo to Bergen`, and `lives in Bergen`.
        """
        denied = self.denied if _CONTRAST in self.low else frozenset()
        left = (denied | _list_left(self.low)) - words.STOP
        more = other.said - self.said - words.STOP - _SPEAKERS
        return bool(left) and left.isdisjoint(other.said) and not more

    def repeats_most(self, other: _SaidSentence) -> bool:
        """Whether it speaks of a change and repeats most of another sentence."""
        if not self.may_repeat(other):
            return False
        least = self.least or _SAME * bool(self.denied & other.said)
        common = len(self.said & other.said)
        return bool(least) and common > 1 and common >= least * len(other.said)


def find_corrections(found: Sequence[SaidMemory]) -> dict[int, int]:
    """For each memory (by number) the first of `found` that corrects it."""
    told = {one.number: low for one in found if (low := _list_rows(one.text))}
    marks = _list_marks(told.values())
    if not marks:
        return {}
    rows = {number: [_SaidSentence(row, marks) for row in some] for number, some in told.items()}
    telling = [
        one for one in found if any(row.least or row.denied for row in rows.get(one.number, ()))
    ]
    corrected: dict[int, int] = {}
    for later in telling:
        for one in found:
            if one.number == later.number or one.number in corrected or one.number not in rows:
                continue
            if _puts_right(later, one, rows):
                corrected[one.number] = later.number
    return corrected


def _list_marks(told: Iterable[list[str]]) -> list[str]:
    """The words for a change that occur in any of the sentences; all are searched at once."""
    every = " \n".join(row for rows in told for row in (*rows, ""))
    if signs.has_unspaced(every):
        every = variants.fold_signs(every)
    return [mark for mark in _MARKS if mark in every]


def lift_scores(corrected: Mapping[int, int], scores: dict[int, float]) -> None:
    """Give each memory that corrects another one a score just above that of the other."""
    # Twice, for what puts right may have been put right itself.
    for one, by in (*corrected.items(), *corrected.items()):
        scores[by] = max(scores[by], scores[one])
        scores[one] = min(scores[one], scores[by] * _BEHIND)


def _list_rows(text: str) -> list[str]:
    """The sentences of a memory in lower case, one a row; none for a page."""
    body = titles.split_heading(text)[1] or text
    told = [row.strip().lstrip("-*+ ") for row in body.split("\n")]
    told = [row for row in told if row and not row.startswith(("#", "<!--", "relates-to", "~~"))]
    if len(told) <= _ROWS and all(len(row) <= _ROW for row in told):
        return [row.casefold() for row in told]
    return []


def _puts_right(
    later: SaidMemory, one: SaidMemory, rows: Mapping[int, list[_SaidSentence]]
) -> bool:
    """Whether a sentence of the first memory corrects one of the second."""
    order = _compare_times(later, one)
    if order < 0:
        return False
    near = bool(later.unit) and later.unit == one.unit and later.number - one.number <= _NEAR
    return any(
        ((near and row.denies_part(old)) or row.repeats_most(old))
        and row.said != old.said
        and not row.agrees_with(old)
        for row in rows[later.number]
        if row.least or row.denied
        for old in rows[one.number]
        # Of two that speak of a change, only the time tells which is the later.
        if order or not old.least
    )


def _compare_times(later: SaidMemory, one: SaidMemory) -> int:
    """1 if the first was said after the second, -1 if before it, 0 if that is not known."""
    if later.path == one.path:
        return 1 if later.line > one.line else -1
    if not later.date or not one.date:
        return 0
    size = min(len(later.date), len(one.date))
    first, second = later.date[:size], one.date[:size]
    return (first > second) - (first < second)


def _list_words(low: str) -> frozenset[str]:
    """The words of a sentence without their endings; the single signs of runs without spaces."""
    if not signs.has_unspaced(low):
        return frozenset(map(_stem, words.split_terms(low)))
    found, spaced = signs.cut_unspaced(words.fold_text(low))
    terms = words.split_terms(spaced) if any(map(str.isalnum, spaced)) else ()
    told = (_TELLS.get(one, one) for one in found - _FILLING)
    return frozenset((*told, *map(_stem, terms)))


def _stem(word: str) -> str:
    bare = words.cut_ending(word)
    return _TELLS.get(bare, bare)


def _list_denied(low: str) -> Iterator[str]:
    """The words that a sentence says are no longer so: `not Monday`."""
    for mark in _DENIALS:
        for part in low.split(mark)[1:]:
            for word in words.split_terms(" ".join(part.split()[:2]))[:1]:
                if word not in words.STOP:
                    yield _stem(word)


def _list_left(low: str) -> frozenset[str]:
    """The words of what a sentence says is left for something else: `from Oslo to Bergen`."""
    found: set[str] = set()
    for mark, turns in _LEFT:
        _, led, rest = low.partition(mark)
        ends = [at for turn in turns if (at := rest.find(turn)) > 0]
        if led and ends:
            found |= _list_words(rest[: min(ends)])
    return frozenset(found)
