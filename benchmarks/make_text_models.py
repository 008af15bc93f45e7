"""Make the models that say what a message asks for (`intents`) and where a text belongs (`routes`).

`python benchmarks/make_text_models.py molt/data` fits both to the labelled sentences of
`benchmarks/sets/messages`: an intent and a message in each line of `intents-*.tsv`; a store, a
type, a block and a text in each of `stores-*.tsv`. `frames-*.tsv` hold sentences with slots
(`{person}`), which are filled at random with the values that stand there.

One sentence in ten, chosen by its hash, is not fitted to; on these the bound is chosen that the
model ships with. The sentences that `tests/quality` judges by are left out wherever they stand.
`--without b` leaves one writer's files out, and reports how well the model does on them.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
import softmax

from molt import ngram_model, runs
from molt.memory.engines import classify

HERE = Path(__file__).parent
SETS = HERE / "sets" / "messages"
JUDGED = HERE.parent / "tests" / "quality" / "sets"
STEPS = 150
LEAST = 2
"""In so many texts an n-gram stands that is learned."""
MOST = 390_000
"""Bytes of a model: those n-grams are kept that have the largest weights."""
FILLED = 4
"""So many sentences are made of each frame; together they count as two."""
HELD_OUT = 10
SLOT = re.compile(r"\{(\w+)\}")


class Sample(NamedTuple):
    """A labelled sentence, how much it counts, and the writer that it is of."""

    label: str
    text: str
    weight: float
    writer: str


class FittedModel(NamedTuple):
    """The n-grams that a model knows, and its weights and biases for each class."""

    classes: Sequence[str]
    places: dict[int, int]
    weights: np.ndarray
    biases: np.ndarray

    def share_classes(self, texts: Sequence[str]) -> np.ndarray:
        """Return the probabilities of the classes: a row for each text."""
        rows = _measure_texts([ngram_model.list_ngrams(text) for text in texts], self.places)
        return softmax.share_odds(rows.sum_weights(self.weights) + self.biases)


def read_rows(pattern: str) -> list[tuple[str, list[str]]]:
    """Return the fields of each line of some files, each with the writer that the file is of."""
    paths = sorted(SETS.glob(pattern))
    return [
        (path.stem.rpartition("-")[2], row.split("\t"))
        for path in paths
        for row in path.read_text("utf-8").splitlines()
    ]


def read_judged(name: str) -> set[str]:
    """Return the sentences by which the tests judge, as `reduce_text` gives them."""
    lines = (JUDGED / name).read_text("utf-8").splitlines()
    return {reduce_text(line.rpartition("\t")[2]) for line in lines}


def reduce_text(text: str) -> str:
    """Return the letters and numbers of a text: one with other marks is the same sentence."""
    return "".join(filter(str.isalnum, text.lower()))


def read_routes() -> list[Sample]:
    """Return texts, each with its place: store, type and block, joined by `/`."""
    found = [
        Sample("/".join((fields[0], fields[1] or "fact", fields[2])), fields[3], 1.0, writer)
        for writer, fields in read_rows("stores-*.tsv")
    ]
    frames: list[tuple[str, str]] = []
    slots: dict[str, list[str]] = defaultdict(list)
    for writer, fields in read_rows("places-*.tsv"):
        if fields[0] == "slot":
            slots[f"{writer}-{fields[1]}"].append(fields[3])
        else:
            label = "/".join((fields[0], fields[1] or "fact", fields[2]))
            frames.append((label, SLOT.sub(rf"{{{writer}-\1}}", fields[3])))
    return [*found, *fill_frames(frames, slots)]


def fill_frames(frames: Sequence[tuple[str, str]], slots: dict[str, list[str]]) -> list[Sample]:
    """Return the sentences that frames make with values of their slots, chosen at random."""
    chance = random.Random(1)
    pattern = re.compile(r"\{([\w-]+)\}")
    found: list[Sample] = []
    for label, frame in frames:
        texts = {
            pattern.sub(lambda match: chance.choice(slots[match[1]]), frame) for _ in range(FILLED)
        }
        found += [Sample(label, text, 2 / FILLED, "frames") for text in sorted(texts)]
    return found


def is_held_out(text: str) -> bool:
    """Return whether a sentence is one of those that choose the bound."""
    return crc32(reduce_text(text).encode()) % HELD_OUT == 0


def fit_model(samples: Sequence[Sample], classes: Sequence[str]) -> FittedModel:
    """Return the model that is fitted to samples."""
    listed = [ngram_model.list_ngrams(sample.text) for sample in samples]
    counts = Counter(ngram for each in listed for ngram in each)
    known = sorted(ngram for ngram, count in counts.items() if count >= LEAST)
    places = {ngram: at for at, ngram in enumerate(known)}
    labels = np.array([classes.index(sample.label) for sample in samples])
    weighed = np.array([sample.weight for sample in samples])
    rows = _measure_texts(listed, places)
    weights, biases = softmax.fit(rows, labels, weighed, STEPS)
    return keep_largest(FittedModel(classes, places, weights, biases))


def _measure_texts(listed: list[set[int]], places: dict[int, int]) -> softmax.FeatureRows:
    return softmax.FeatureRows(listed, places, [runs.measure_length(one) for one in listed])


def keep_largest(model: FittedModel) -> FittedModel:
    """Return a model with as many n-grams as its file has room for."""
    wide = len(model.classes)
    count = (MOST - 4 * (3 + wide)) // (4 + wide)
    # Only differences between classes count.
    weights = model.weights - model.weights.mean(axis=1, keepdims=True)
    kept = np.sort(np.argsort(-np.abs(weights).max(axis=1), kind="stable")[:count])
    known = list(model.places)
    places = {known[place]: at for at, place in enumerate(kept)}
    return FittedModel(model.classes, places, weights[kept], model.biases)


def render_model(model: FittedModel, bound: float) -> bytes:
    """Return the file of a model, as `molt.ngram_model` reads it, its largest weight 127."""
    units = 127 / np.abs(model.weights).max()
    scale = ngram_model.SCALE
    head = [units * scale, bound * scale, *(model.biases * scale), len(model.places)]
    return b"".join(
        (
            np.rint(head).astype("<i4").tobytes(),
            np.array(list(model.places)).astype("<u4").tobytes(),
            np.rint(model.weights * units).astype(np.int8).tobytes(),
        )
    )


def choose_routes_bound(model: FittedModel, samples: Sequence[Sample]) -> float:
    """Return the probability from which on a text is no memory: of the statements that the model
    never saw, one in a thousand may be lost, and never where it is not nine times as likely.
    """
    shares = model.share_classes([sample.text for sample in samples])
    nothing = [place.startswith(classify.NONE) for place in model.classes]
    lost = sorted(
        float(row[nothing].sum())
        for row, sample in zip(shares, samples, strict=True)
        if not sample.label.startswith(classify.NONE)
    )
    return max(0.9, min(0.999, lost[-1 - len(lost) // 1000] + 0.001))


def report_model(name: str, model: FittedModel, samples: Sequence[Sample]) -> None:
    """Print how often the likeliest class is right."""
    best = model.share_classes([sample.text for sample in samples]).argmax(axis=1)
    right = [model.classes[at] == sample.label for at, sample in zip(best, samples, strict=True)]
    print(f"{name}: {100 * sum(right) / max(len(right), 1):.1f} % of {len(right)} right")


def make_model(
    name: str,
    samples: Sequence[Sample],
    classes: Sequence[str],
    choose_bound: Callable[[FittedModel, Sequence[Sample]], float],
    without: str,
) -> bytes:
    """Return the file of a model of samples whose text is folded."""
    left = [sample for sample in samples if sample.writer != without]
    fitted = [sample for sample in left if not is_held_out(sample.text)]
    held_out = [sample for sample in left if is_held_out(sample.text)]
    model = fit_model(fitted, classes)
    bound = choose_bound(model, held_out)
    report_model(f"{name}, {len(fitted)} fitted; held out", model, held_out)
    if others := [sample for sample in samples if sample.writer == without]:
        report_model(f"{name}, writer {without}", model, others)
    data = render_model(model, bound)
    print(f"{name}: {len(data)} bytes, {len(model.places)} n-grams, bound {bound:.3f}")
    return data


def main() -> None:
    """Fit both models, and write them to a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", default="", metavar="WRITER")
    options = parser.parse_args()
    judged = read_judged("stores.tsv")
    samples = [
        sample._replace(text=classify.fold_text(sample.text))
        for sample in read_routes()
        if reduce_text(sample.text) not in judged
    ]
    routes = make_model("routes", samples, classify.NAMES, choose_routes_bound, options.without)
    (options.folder / "routes.i8").write_bytes(routes)


if __name__ == "__main__":
    main()
