"""How like a text is to the orders that people plant: a linear model over runs of words.

Each run of one to three words, and of up to four signs of scripts without spaces, has a weight; a
sentence is an order where they sum up to more than so many runs do by chance. The weights were
learned from sentences that were written for it, orders and harmless ones that are like them, by
`benchmarks/make_orders_model.py` (logistic regression, its features hashed: Weinberger et al.,
2009, "Feature Hashing for Large Scale Multitask Learning").
"""

from __future__ import annotations

from itertools import accumulate

from molt import resources, runs

SIZE = 524_287
"""So many weights: the largest prime below 2**19, by which a run's number is divided. With half as
many a seventh of the orders that are found is missed: a run then shares its weight with too many.
"""
NIL = 1 << 7
"""The byte that is a weight of nothing: to look one up among bytes takes two thirds of the time."""
OF_SIGNS = 0.93
"""The share of the bound that is enough where words are written without spaces: every sign begins
four runs, and not three, of which more belong to no word. Of 60 orders in Chinese by a writer whose
others were not learned from 45 are then told for 39, and of 150 harmless texts one."""
PART = 24
"""So many words are most orders: of 16, 24 and 32, that by which most padded ones are found."""
_model: list[tuple[int, bytes]] = []


def is_like_order(text: str, share: float = 1.0) -> bool:
    """Whether a text has a part that reads like an order to an agent: its weights sum up to more
    than this share of the bound.
    """
    bound, weights = load_model()
    words, parts = cut_parts(text)
    every = runs.WordRuns(words, SIZE)
    for at, end in parts:
        features = every.list_features(at, end)
        total = sum(map(weights.__getitem__, features)) - NIL * len(features)
        least = share * bound * (OF_SIGNS if every.are_of_signs(at, end) else 1)
        if total > least * runs.measure_length(features):
            return True
    return False


def cut_parts(text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """The numbers of a text's words, and where its parts begin and end: each sentence, each two in
    a row, and the parts of long ones, which overlap by half: what is said beside an order hides it
    no more than what stands around it.
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
    """What a sentence's weights must sum up to, for the root of the number of its runs; and the
    weights, each by `NIL` too high.
    """
    if not _model:
        # Half of the size would do for so few values, and take five times as long to read.
        with open(resources.find("data/orders.u8"), "rb", buffering=0) as file:
            _model.append((int.from_bytes(file.read(4), "little"), file.read()))
    return _model[0]
