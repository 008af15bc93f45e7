"""Whether some lines say what another text says: in the same words, for the most part.

Runs of letters that both have are what counts (shingles: Broder, 1997, "On the resemblance and
containment of documents"), so a word that was changed, a line that was broken otherwise, or what
stands around it hides no more than itself.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise

from molt.policy import letters
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    Sentence = tuple[str, bool]
    """What a sentence says by its letters, and whether it has words enough to be one."""

LEAST = 12
"""So many letters of a line tell where it is from, if all of them are the same; `## Steps` is in
every note."""
_ENOUGH = 24
"""So many do so if most of them are the same: about five words."""
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
_GRAM, _LIKE = 4, 0.6
"""Letters of which the grams are that two lines are compared by, and the share (Dice's) of these
that are in both where one is the other with a few words changed."""
_ALIKE = 50
"""With so many lines at most a line is compared by each of its grams."""
_WINDOW = 480
"""So many letters of a text are compared with a line at once: a long one has runs of any."""
_BLOCK = 8000
"""So many letters of new lines are compared at once, for the same reason."""
_MOST = 40_000_000
"""Letters that are looked through, once for each block of new lines: about a second; forty where
most of their runs are those of new lines, and none of their sentences is."""


class Quotable(Value):
    """A text that lines are held against: its lines as they stand; what each of them says, and the
    sentences of all of them, by their letters; and what is known of it.
    """

    rows: tuple[str, ...]
    lines: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    label: str


def make_quotable(rows: Iterable[str], label: str) -> Quotable:
    """The passage of some lines."""
    kept = tuple(rows)
    parted = [letters.split_sentences(row) for _, row in _list_readings(enumerate(kept))]
    lines = tuple(said for said in map(_join, parted) if len(said) >= LEAST)
    return Quotable(kept, lines, tuple(one for some in parted for one in some), label)


def find_quote(rows: Iterable[tuple[int, str]], told: Iterable[Quotable]) -> tuple[int, str] | None:
    """The first of some numbered lines that says what a passage says: one of its lines or
    sentences, or a part of the passage; and the label of that. Of long ones most has to be the
    same, of short ones all.

    Raises ValueError for more than can be compared.
    """
    fresh = [(line, letters.split_sentences(row)) for line, row in _list_readings(rows)]
    whole = {_join(said): line for line, said in reversed(fresh)}
    blocks = list(_cut_blocks(fresh))
    left = _MOST
    for one in told if blocks else ():
        same = [whole[said] for said in one.lines if said in whole]
        if same:
            return min(same), one.label
        left -= sum(len(said) for said, _ in one.sentences) * len(blocks)
        if left < 0:
            raise ValueError("too much at once to be compared with what came from outside")
        for block in blocks:
            if (line := block.find_in(one)) is not None:
                return line, one.label
    return None


def find_like(rows: Iterable[tuple[int, str]], told: Iterable[Quotable]) -> tuple[int, str] | None:
    """The first of some numbered lines that is like a line of a passage: a few of its words are
    other ones; and the label of that.
    """
    known = [(_cut_grams(letters.strip_words(row)), one.label) for one in told for row in one.rows]
    having: dict[str, list[int]] = {}
    for at, (grams, _) in enumerate(known):
        for gram in grams:
            having.setdefault(gram, []).append(at)
    for line, row in rows:
        grams = _cut_grams(letters.strip_words(row))
        shared: dict[int, int] = {}
        for gram in grams:
            for at in having.get(gram, ())[:_ALIKE]:
                shared[at] = shared.get(at, 0) + 1
        for at, count in shared.items():
            if 2 * count >= _LIKE * (len(grams) + len(known[at][0])):
                return line, known[at][1]
    return None


def _join(sentences: Iterable[Sentence]) -> str:
    return "".join(said for said, _ in sentences)


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


class _Block:
    """Some sentences with the lines that they are of, as one text with the place of each run."""

    def __init__(self, parts: Sequence[tuple[int, Sentence]]) -> None:
        self.parts = parts
        self.ends = list(accumulate(len(said) for _, (said, _) in parts))
        text = _join(one for _, one in parts)
        self.places = {text[at : at + _RUN]: at for at in range(len(text) - _RUN, -1, -1)}

    def find_in(self, told: Quotable) -> int | None:
        """The first line that says what is in a passage."""
        text, places = _join(told.sentences), self.places
        starts = range(0, len(text) - _RUN + 1, _STEP)
        hits = [at for at in starts if text[at : at + _RUN] in places]
        # Most runs that others have as well stand alone.
        close = [one for one, other in pairwise(hits) if other - one <= _CLOSE]
        if not close:
            return None
        ends = list(accumulate(len(said) for said, _ in told.sentences))
        found = {bisect_right(ends, at) for at in close}
        near = (self._find_most(told.sentences[number]) for number in sorted(found))
        line = next((one for one in near if one is not None), None)
        return self._find_window(text, close) if line is None else line

    def _find_window(self, text: str, hits: Iterable[int]) -> int | None:
        """The first line that a piece of a text around some places says for the most part, or that
        says most of the middle of it.
        """
        half = _WINDOW // 2
        for start in sorted(
            {max(at, 0) // half * half for hit in hits for at in (hit, hit - half)}
        ):
            window = text[start : start + _WINDOW]
            runs = dict.fromkeys(window[at : at + _RUN] for at in range(len(window) - _RUN + 1))
            shared = {
                bisect_right(self.ends, self.places[run]) for run in runs if run in self.places
            }
            for number in sorted(shared):
                line, one = self.parts[number]
                if _covers(runs, one):
                    return line
            most = self._find_most((window[half // 2 : -half // 2], True))
            if most is not None:
                return most
        return None

    def _find_most(self, sentence: Sentence) -> int | None:
        """The line where the most of a sentence stands."""
        if not _covers(self.places, sentence):
            return None
        said = sentence[0]
        runs = (said[at : at + _RUN] for at in range(len(said) - _RUN + 1))
        place = min(self.places[run] for run in runs if run in self.places)
        return self.parts[bisect_right(self.ends, place)][0]


def _covers(runs: Collection[str], sentence: Sentence) -> bool:
    """Whether the most of a sentence stands in some runs of letters."""
    said, is_whole = sentence
    if len(said) < _ENOUGH or not is_whole:
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
    for line, sentences in fresh:
        for said, is_whole in sentences:
            for at in range(0, len(said), _BLOCK):
                part = said[at : at + _BLOCK]
                if size + len(part) > _BLOCK:
                    yield _Block(block)
                    block, size = [], 0
                block.append((line, (part, is_whole)))
                size += len(part)
    if block:
        yield _Block(block)


def tells(row: str) -> bool:
    """Whether a line says enough to tell where it is from."""
    return len(letters.strip_words(row)) >= LEAST
