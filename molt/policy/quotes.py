"""Whether some lines say what another text says: in the same words, for the most part.

Runs of letters that both have are what counts (shingles: Broder, 1997, "On the resemblance and
containment of documents"), so a word that was changed, a line that was broken otherwise, or what
stands around it hides no more than itself.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise

from molt.policy import letters, sentences
from molt.policy.budget import Budget
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from molt.policy.sentences import Sentence

_TOGETHER, _ROWS = 60, 3
"""So many letters of so many lines one after the other tell what none of these does alone."""
_RUN = 10
"""Letters in a row that are compared: two words. In a text of some thousand letters, others of its
language have one of a thousand of these by chance."""
_STEP = 3
"""Of a text that is looked through each third run is looked up: most texts share none."""
_CLOSE = 60
"""How far apart such runs are at most where the one text says what the other does."""
_MOSTLY = 0.85
"""The share of a text's letters that stand in runs which the other has, too: all but three of the
shortest one."""
_SPARSE = 40
"""Of so many letters one run is found at least where most of them stand in such runs."""
_NEAR = 0.7
"""The share of a line between the first and the last of its runs that a piece of a text has, from
which on these are all compared."""
_GRAM, _LIKE = 4, 0.6
"""Letters of which the grams are that two lines are compared by, and the share (Dice's) of these
that are in both where one is the other with a few words changed."""
_ALIKE = 50
"""With so many lines at most a line is compared by each of its grams."""
_WINDOW = 480
"""So many letters of a text are compared with a line at once: a long one has runs of any."""
_BLOCK = 8000
"""So many letters of new lines are compared at once, for the same reason."""
_DEAR = 4
"""As much as to look up so many runs takes it to note one."""
_SPLIT = 8
"""Of a line, one run is looked up in the time in which so many letters are split into sentences."""
MOST = 3_000_000
"""Runs that are looked up for one commit: about half a second."""


class Quotable(Value):
    """A text that lines are held against: its lines as they stand; each reading of each of them,
    with what it says by its letters; and what is known of it.
    """

    rows: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    label: str


def make_quotable(rows: Iterable[str], label: str) -> Quotable:
    """The passage of some lines."""
    kept = tuple(rows)
    read = ((row, letters.strip_words(row)) for _, row in _list_readings(enumerate(kept)))
    return Quotable(kept, tuple(pair for pair in read if pair[1]), label)


def find_quote(
    rows: Iterable[tuple[int, str]], told: Collection[Quotable], budget: Budget | None = None
) -> tuple[int, str] | None:
    """The first of some numbered lines that is found to say what a passage says, as `list_quotes`
    has them; and the label of that.

    Raises TooMuch for more than can be compared.
    """
    first = next(list_quotes(rows, told, budget or Budget(MOST)), None)
    return (first[0], first[2]) if first else None


def list_quotes(
    rows: Iterable[tuple[int, str]], told: Collection[Quotable], budget: Budget
) -> Iterator[tuple[int, str, str]]:
    """Those of some numbered lines that say what a passage says, each with what that is, by its
    letters, and the label of the passage: one of its lines or sentences, several short lines one
    after the other, or a part of the passage. Of long ones most has to be the same, of short ones
    all.

    Raises TooMuch for more than can be compared.
    """
    if told:
        yield from QuoteIndex(rows, budget).list_all(told)


def find_like(
    rows: Iterable[tuple[int, str]], told: Iterable[Quotable], budget: Budget | None = None
) -> tuple[int, str] | None:
    """The first of some numbered lines that is like a line of a passage: a few of its words are
    other ones; and the label of that.

    Raises TooMuch for more than can be compared.
    """
    budget = budget or Budget(MOST)
    known = [(_cut_grams(letters.strip_words(row)), one.label) for one in told for row in one.rows]
    having: dict[str, list[int]] = {}
    for at, (grams, _) in enumerate(known):
        budget.spend(2 * len(grams))
        for gram in grams:
            having.setdefault(gram, []).append(at)
    for line, row in rows:
        grams = _cut_grams(letters.strip_words(row))
        shared: dict[int, int] = {}
        for gram in grams:
            near = having.get(gram, ())[:_ALIKE]
            budget.spend(len(near) + 2)
            for at in near:
                shared[at] = shared.get(at, 0) + 1
        for at, count in shared.items():
            if 2 * count >= _LIKE * (len(grams) + len(known[at][0])):
                return line, known[at][1]
    return None


def _cut_grams(said: str) -> frozenset[str]:
    return frozenset(said[at : at + _GRAM] for at in range(max(len(said) - _GRAM + 1, 1)) if said)


def _list_readings(rows: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """What numbered lines say; each reading of all of them one after the other, as it is read."""
    others: list[tuple[int, int, str]] = []
    for line, row in rows:
        first, *more = letters.list_readings(row)
        yield line, first
        others += [(at, line, one) for at, one in enumerate(more)]
    yield from ((line, one) for _, line, one in sorted(others))


class QuoteIndex:
    """Some numbered lines by what they say: where each run of their letters stands, so that what
    they have of a passage is looked up.
    """

    def __init__(self, rows: Iterable[tuple[int, str]], budget: Budget) -> None:
        read = [(line, row) for line, row in _list_readings(rows)]
        budget.spend(_DEAR * sum(len(row) for _, row in read))
        split = [(line, sentences.split_row(row)) for line, row in read]
        self._lines = [line for line, said in split if said]
        self._whole = [sentences.join_said(said) for _, said in split if said]
        self._first = {said: at for at, said in reversed(list(enumerate(self._whole)))}
        self._blocks, self._budget = list(_cut_blocks(split)), budget
        self.parts = [part for block in self._blocks for part in block.parts]
        self._ends = list(accumulate(len(said) for _, (said, _) in self.parts))
        self._places = _place_runs(sentences.join_said(one for _, one in self.parts))
        self._has_forms = any(tells is None for _, (_, tells) in self.parts)

    def find_said(self, said: str) -> set[int]:
        """Which letters of something that is said stand in runs that the lines have, too."""
        self._budget.spend(2 * len(said))
        starts = (at for at in range(len(said) - _RUN + 1) if said[at : at + _RUN] in self._places)
        return {at for start in starts for at in range(start, start + _RUN)}

    def says_more(self, said: str, before: QuoteIndex) -> bool:
        """Whether these lines have more of what is said than others: a part that other ones stand
        around, or the last of it; or so much behind or before these as no other word has by chance.
        """
        now = self.find_said(said)
        fresh = sorted(now - before.find_said(said))
        if len(fresh) > _RUN // 2 or (fresh and len(now) == len(said)):
            return True
        return any(first - 1 in now and last + 1 in now for first, last in _join_spans(fresh))

    def list_all(self, told: Iterable[Quotable]) -> Iterator[tuple[int, str, str]]:
        """The lines that say what is in passages, each with what that is, and the label."""
        for one in told if self.parts else ():
            yield from ((line, said, one.label) for line, said in self.list_quoted(one))

    def list_quoted(self, told: Quotable) -> Iterator[tuple[int, str]]:
        """The lines that say what is in a passage, each with what that is."""
        yield from ((self._lines[at], said) for at, said in self._list_same(told.readings))
        text, places = "".join(said for _, said in told.readings), self._places
        starts = range(0, len(text) - _RUN + 1, _STEP)
        self._budget.spend(len(starts))
        hits = [at for at in starts if text[at : at + _RUN] in places]
        # Most runs that others have as well stand alone.
        close = [one for one, other in pairwise(hits) if other - one <= _CLOSE]
        if not close:
            return
        self._budget.spend(2 * len(hits))
        ends = list(accumulate(len(said) for _, said in told.readings))
        for number in sorted({bisect_right(ends, at) for at in close}):
            yield from self._list_sentences(text, hits, ends[number], told.readings[number])
        prose = (
            "".join(sentences.mask_form(*one) for one in told.readings) if self._has_forms else text
        )
        yield from self._list_windows((text, prose), hits, close)

    def _list_same(self, readings: Iterable[tuple[str, str]]) -> Iterator[tuple[int, str]]:
        """The places of lines that a text has as well, each with what it says, or several do."""
        known = [one for one in readings if one[1] in self._first]
        alone = (said for reading, said in known if sentences.tells_alone(reading, said))
        yield from sorted((self._first[said], said) for said in alone)
        start, count, row = 0, 0, ""
        for _, said in readings if known else ():
            at = self._first.get(said)
            if count and start + count < len(self._whole) and self._whole[start + count] == said:
                count, row = count + 1, row + said
            elif at is not None:
                start, count, row = at, 1, said
            else:
                count = 0
            if count >= _ROWS and len(row) >= _TOGETHER:
                yield start, row

    def _list_sentences(
        self, text: str, hits: Sequence[int], end: int, read: tuple[str, str]
    ) -> Iterator[tuple[int, str]]:
        """The lines that say most of a sentence of one line of a text, which ends at a place."""
        reading, row = read
        self._budget.spend(len(row) // _SPLIT)
        start = end - len(row)
        for said, is_whole in sentences.split_row(reading):
            line = self._find_most(text, hits, start, (said, is_whole))
            if line is not None:
                yield line, said
            start += len(said)

    def _list_windows(
        self, texts: tuple[str, str], hits: Sequence[int], close: Iterable[int]
    ) -> Iterator[tuple[int, str]]:
        """The lines that a piece of a text around some places says for the most part, or that say
        most of the middle of it. Of the two `texts` the second has no headings.
        """
        text = texts[0]
        half = _WINDOW // 2
        near = {max(at, 0) // half * half for hit in close for at in (hit, hit - half)}
        for start in sorted(near):
            window, prose = (one[start : start + _WINDOW] for one in texts)
            yield from self._list_parts((window, prose), start, hits)
            middle = window[half // 2 : -half // 2]
            line = self._find_most(text, hits, start + half // 2, (middle, True))
            if line is not None:
                yield line, middle

    def _list_parts(
        self, windows: tuple[str, str], start: int, hits: Sequence[int]
    ) -> Iterator[tuple[int, str]]:
        """The lines whose most is in a piece of a text; headings, where they are in the second one,
        which has none.
        """
        window = windows[0]
        found = hits[bisect_left(hits, start) : bisect_left(hits, start + len(window) - _RUN + 1)]
        self._budget.spend(2 * len(found))
        spans: dict[int, tuple[int, int]] = {}
        for at in found:
            place = self._places[window[at - start : at - start + _RUN]]
            number = bisect_right(self._ends, place)
            low, high = spans.get(number, (place, place))
            spans[number] = min(low, place), max(high, place)
        known: dict[bool, set[str]] = {}
        for number, (low, high) in sorted(spans.items()):
            line, (said, tells) = self.parts[number]
            if tells is False or high + _RUN - low < _NEAR * len(said):
                continue
            is_form = tells is None
            if is_form not in known:
                self._budget.spend(len(window))
                known[is_form] = _cut_runs(windows[is_form])
            self._budget.spend(len(said))
            if _covers(known[is_form], (said, True)):
                yield line, _cut_said(window, said)

    def _find_most(
        self, text: str, hits: Sequence[int], start: int, sentence: Sentence
    ) -> int | None:
        """The line where the most of a sentence stands, by what was found of it in a text."""
        size = len(sentence[0])
        end = start + size
        found = hits[bisect_left(hits, start) : bisect_left(hits, end - _RUN + 1)]
        # What only begins alike is passed over.
        few = max(size // _SPARSE, 1)
        gaps = (other - one for one, other in pairwise((start, *found, end)))
        if len(found) < few or sum(min(gap, _SPARSE) for gap in gaps) < _MOSTLY * size:
            return None
        runs = [text[one : one + _RUN] for one in found]
        for block in self._blocks:
            self._budget.spend(len(runs) // 2)
            if sum(map(block.places.__contains__, runs)) < few:
                continue
            self._budget.spend(size)
            if (line := block.find_most(sentence)) is not None:
                return line
        return None


class _Block:
    """Some sentences with the lines that they are of, as one text with the place of each run."""

    def __init__(self, parts: Sequence[tuple[int, Sentence]]) -> None:
        self.parts = parts
        self.ends = list(accumulate(len(said) for _, (said, _) in parts))
        self.places = _place_runs(sentences.join_said(one for _, one in parts))

    def find_most(self, sentence: Sentence) -> int | None:
        """The line where the most of a sentence stands."""
        if not _covers(self.places, sentence):
            return None
        said = sentence[0]
        runs = (said[at : at + _RUN] for at in range(len(said) - _RUN + 1))
        place = min(self.places[run] for run in runs if run in self.places)
        return self.parts[bisect_right(self.ends, place)][0]


def _join_spans(places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of each of some sorted places that stand side by side."""
    first = last = None
    for at in places:
        if last is None or at > last + 1:
            if first is not None and last is not None:
                yield first, last
            first = at
        last = at
    if first is not None and last is not None:
        yield first, last


def _place_runs(text: str) -> dict[str, int]:
    """Where each run of a text stands first."""
    return {text[at : at + _RUN]: at for at in range(len(text) - _RUN, -1, -1)}


def _cut_said(window: str, said: str) -> str:
    """The piece of a text from the first to the last run that a line has, too, but for half a run
    at each end: what only goes on alike for a few letters is no more of it.
    """
    runs = _cut_runs(said)
    found = [at for at in range(len(window)) if window[at : at + _RUN] in runs]
    return window[found[0] + _RUN // 2 : found[-1] + _RUN // 2]


def _cut_runs(text: str) -> set[str]:
    return {text[at : at + _RUN] for at in range(len(text) - _RUN + 1)}


def _covers(runs: Collection[str], sentence: Sentence) -> bool:
    """Whether the most of a sentence stands in some runs of letters."""
    said, is_whole = sentence
    if len(said) < sentences.ENOUGH or not is_whole:
        return False
    covered = end = 0
    for at in range(len(said) - _RUN + 1):
        if said[at : at + _RUN] in runs:
            covered += at + _RUN - max(at, end)
            end = at + _RUN
    return covered >= _MOSTLY * len(said)


def _cut_blocks(fresh: Iterable[tuple[int, Sequence[Sentence]]]) -> Iterator[_Block]:
    """The sentences of numbered lines, in blocks that are not too long."""
    block: list[tuple[int, Sentence]] = []
    size = 0
    for line, parts in fresh:
        for said, is_whole in parts:
            for at in range(0, len(said), _BLOCK):
                part = said[at : at + _BLOCK]
                if size + len(part) > _BLOCK:
                    yield _Block(block)
                    block, size = [], 0
                block.append((line, (part, is_whole)))
                size += len(part)
    if block:
        yield _Block(block)
