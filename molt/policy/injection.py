"""Planted instructions: how much a text reads like an order that a page gives to the agent.

A linear model over runs of words: each run of one to three words, and of up to four signs of
scripts without spaces, has a weight, and a sentence is an instruction where they sum up to more
than so many runs do by chance (logistic regression with hashed features: Weinberger et al., 2009,
"Feature Hashing for Large Scale Multitask Learning"). `benchmarks/make_injection_model.py` makes
it from sentences that were written for it. Letters that look alike are folded once; nothing that is
encoded is decoded.
"""

from __future__ import annotations

from itertools import accumulate

from molt import resources, runs
from molt.normal import normalize
from molt.policy import letters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

READS = "it reads like an instruction that somebody planted for the agent"
SIZE = 524_287
"""So many weights: the largest prime below 2**19, by which a run's number is divided. With half as
many a seventh of the instructions is missed: a run then shares its weight with too many.
"""
NIL = 1 << 7
"""The byte that is a weight of nothing."""
OF_SIGNS = 0.93
"""The share of the bound that is enough where words are written without spaces: every sign begins
four runs, and not three, of which more belong to no word."""
PART = 24
"""So many words are most instructions: of 16, 24 and 32, what finds most of the padded ones."""
_OVERLAP, _WINDOW = 512, 4096
"""Characters by which windows of a long line overlap, and that one has."""
# What is remembered of short lines is a few megabytes: every other line of a history is a heading
# that came before.
_MOST, _SHORT = 1 << 14, 128
_verdicts: dict[str, bool] = {}
_model: list[tuple[int, bytes]] = []
_ALIKE = str.maketrans(
    {other: plain for row in letters.ALIKE for other, plain in zip(*row, strict=True)}
)


class _Folding(dict[int, str]):
    """What `str.translate` puts for a character: its compatibility form, the letter of ASCII that
    it looks like, or nothing where no reader sees it.
    """

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in letters.IGNORABLE:
            folded = chr(code - 0xE0000) if 0xE0020 <= code < 0xE007F else ""
        else:
            # Marks of full width end sentences, which `runs` knows.
            folded = char if char in runs.FULL_WIDTH else normalize("NFKC", char)
            folded = folded.translate(_ALIKE)
        self[code] = folded
        return folded


_FOLDING = _Folding()


def fold(text: str) -> str:
    """Return a text as the model reads it."""
    return text if text.isascii() else text.translate(_FOLDING)


def find(rows: Sequence[tuple[int, str]]) -> Iterator[int]:
    """Yield the numbers of the lines, of numbered ones, that read like an instruction; of two
    lines that are one sentence, the first.
    """
    covered = -1
    for at, (number, line) in enumerate(rows):
        if _judge_line(line):
            covered = at + 1
            yield number
        elif at > covered and at + 1 < len(rows) and _goes_on(rows[at], rows[at + 1]):
            following = rows[at + 1][1]
            joined = f"{line[-_OVERLAP:]} {following[:_OVERLAP]}"
            if not _judge_line(following) and is_instruction(joined):
                covered = at + 1
                yield number


def _goes_on(row: tuple[int, str], following: tuple[int, str]) -> bool:
    """Return whether a line of prose goes on in the next one."""
    line, rest = row[1].strip(), following[1].strip()
    if following[0] != row[0] + 1 or not line or not rest:
        return False
    return rest[0].isalpha() and line[0] not in "|{}[]#`" and line[-1] not in ".:!?;|`{}>"


def _judge_line(line: str) -> bool:
    verdict = _verdicts.get(line)
    if verdict is None:
        verdict = any(map(is_instruction, _cut_windows(line)))
        if len(line) <= _SHORT:
            if len(_verdicts) >= _MOST:
                _verdicts.clear()
            _verdicts[line] = verdict
    return verdict


def _cut_windows(line: str) -> Iterator[str]:
    for at in range(0, max(1, len(line) - _OVERLAP), _WINDOW - _OVERLAP):
        yield line[at : at + _WINDOW]


def is_instruction(text: str) -> bool:
    """Return whether a text has a part whose weights sum up to more than the bound."""
    bound, weights = load_model()
    words, parts = cut_parts(fold(text))
    every = runs.WordRuns(words, SIZE)
    for at, end in parts:
        features = every.list_features(at, end)
        total = sum(map(weights.__getitem__, features)) - NIL * len(features)
        least = bound * (OF_SIGNS if every.are_of_signs(at, end) else 1)
        if total > least * runs.measure_length(features):
            return True
    return False


def cut_parts(text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the numbers of a folded text's words, and where its parts begin and end: each
    sentence, each two in a row, and halves of long ones that overlap: what is said beside an
    instruction does not hide it.
    """
    sentences = runs.split_sentences(text)
    ends = list(accumulate(map(len, sentences)))
    starts = [0, *ends[:-1]]
    parts: list[tuple[int, int]] = []
    for start, end in (*zip(starts, ends, strict=False), *zip(starts, ends[1:], strict=False)):
        parts.append((start, end))
        if end - start > PART:
            halves = range(start, end - PART // 2, PART // 2)
            parts += [(at, min(at + PART, end)) for at in halves]
    return [word for words in sentences for word in words], parts


def load_model() -> tuple[int, bytes]:
    """Return what a sentence's weights must sum up to, for the root of the number of its runs, and
    the weights, each by `NIL` too high.
    """
    if not _model:
        # Half of the size would do for so few values, and take five times as long to read.
        with open(resources.find("data/injection.u8"), "rb", buffering=0) as file:
            _model.append((int.from_bytes(file.read(4), "little"), file.read()))
    return _model[0]
