"""Make the models that say what a message asks for (`intents`) and where a text belongs (`routes`).

`python benchmarks/make_text_models.py molt/data` fits both to the labelled sentences of
`benchmarks/sets/messages`: an intent and a message in each line of `intents-*.tsv`; a store, a
type, a block and a text in each of `stores-*.tsv`. `frames-*.tsv` hold sentences with slots
(`{person}`), which are filled at random with the values that stand there.

One sentence in ten, chosen by its hash, is not fitted to; on these the bound is chosen that the
model ships with. The sentences that the tests judge by are left out wherever they stand.
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
from molt.memory.triggers import detect, phrases, sentences

HERE = Path(__file__).parent
SETS = HERE / "sets" / "messages"
TESTS = HERE.parent / "tests"
JUDGED = ("quality/sets/*.t*", "memory/data/triggers.tsv", "memory/routing/??.tsv")
"""Where the sentences are that the tests judge by."""
STEPS = 150
LEAST = 2
"""In so many texts an n-gram stands that is learned."""
MOST = 390_000
"""Bytes of a model: those n-grams are kept that have the largest weights."""
FILLED = 4
"""So many sentences are made of each frame; together they count as two."""
EVERY = 3
"""One harmless line of notes in so many is a message that asks for nothing."""
ASKING = (
    *("remember", "forget", "recall", "记", "忘", "always", "never", "whenever", "every time"),
    *("each time", "next time", "from now", "until", "unless", "by default", " rule", "stop "),
    *("no more", "do not", "don't", "must ", "use ", "please", "以后", "今后", "从现在", "从今"),
    *("每次", "每当", "凡是", "一律", "永远", "默认", "别", "不要", "下次", "必须", "请", "先"),
)
"""Whether lines with these words ask for something is not known: many are standing orders."""
JOINED = 0.5
"""The share of messages that are learned beside others, too."""
LONGEST = 160
"""Characters of a message that is joined with others."""
HELD_OUT = 10
FALSE_ALARMS = {"remember": 0.026, "forget": 0.004, "recall": 0.012, "reflect": 0.002}
"""The share of messages without a request for which an intent may be seen."""
SLOT = re.compile(r"\{(\w+)\}")


class Sample(NamedTuple):
    """A labelled sentence, how much it counts, and the writer that it is of."""

    label: str
    text: str
    weight: float
    writer: str


class FittedModel(NamedTuple):
    """The n-grams that a model knows, and its weights and biases for each class."""

    base: ngram_model.NgramModel
    places: dict[int, int]
    weights: np.ndarray
    biases: np.ndarray

    def weigh_texts(self, texts: Sequence[str]) -> np.ndarray:
        """Return the log-odds of the classes: a row for each text."""
        listed = [ngram_model.list_ngrams(text, shapes=self.base.shapes) for text in texts]
        return _measure_texts(listed, self.places).sum_weights(self.weights) + self.biases

    def share_classes(self, texts: Sequence[str]) -> np.ndarray:
        """Return the probabilities of the classes: a row for each text."""
        return softmax.share_odds(self.weigh_texts(texts))


def read_rows(pattern: str) -> list[tuple[str, list[str]]]:
    """Return the fields of each line of some files, each with the writer that the file is of."""
    paths = sorted(SETS.glob(pattern))
    return [
        (path.stem.rpartition("-")[2], row.split("\t"))
        for path in paths
        for row in path.read_text("utf-8").splitlines()
    ]


def read_judged(*patterns: str) -> set[str]:
    """Return the fields of the files by which tests judge, as `reduce_text` gives them."""
    return {
        reduce_text(field)
        for pattern in patterns
        for path in sorted(TESTS.glob(pattern))
        for line in path.read_text("utf-8").splitlines()
        for field in line.split("\t")
    }


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


def read_intents() -> list[Sample]:
    """Return messages, each with its intent. What tells something without asking for anything is a
    message, too; standing orders and duties are left out, for some of them ask.
    """
    found = [
        Sample(intent, text.replace("\\n", "\n"), 1.0, writer)
        for writer, (intent, text, *_) in read_rows("intents-*.tsv")
    ]
    told = [
        sample
        for sample in read_routes()
        if not sample.label.startswith(("core/preference", "episodic/task", classify.NONE))
    ]
    found += [sample._replace(label="none", weight=sample.weight / 2) for sample in told]
    lines = (SETS.parent / "injection" / "harmless.txt").read_text("utf-8").splitlines()[::EVERY]
    found += [
        Sample("none", line, 0.3, "lines")
        for line in lines
        if not any(word in line.lower() for word in ASKING)
    ]
    texts = [sample.text for sample in told if sample.writer != "frames"]
    for writer, wide in (("en", False), ("zh", True)):
        rows = [fields for name, fields in read_rows("frames-*.tsv") if name == writer]
        slots = defaultdict(list)
        slots["fact"] = [text for text in texts if is_short(text, wide=wide)]
        for name, text, *_ in rows:
            slots[name].append(text)
        found += fill_frames([(a, b) for a, b, *_ in rows if a in phrases.INTENTS], slots)
    return [*found, *join_messages(found)]


def join_messages(samples: Sequence[Sample]) -> list[Sample]:
    """Return messages of two or three sentences: ones that ask for something, beside others that
    ask for nothing, and as many of the others alone.
    """
    chance = random.Random(2)
    nothing: dict[bool, list[str]] = {wide: [] for wide in (False, True)}
    for sample in samples:
        if sample.label == "none" and len(sample.text) < LONGEST:
            nothing[is_wide(sample.text)].append(sample.text)
    found: list[Sample] = []
    for sample in samples:
        others = nothing[is_wide(sample.text)]
        if sample.label == "none" or len(sample.text) >= LONGEST or chance.random() > JOINED:
            continue
        beside = chance.sample(others, chance.choice((1, 1, 2)))
        at = chance.choice((0, len(beside)))
        asking = [*beside[:at], sample.text, *beside[at:]]
        found += [
            Sample(label, join_sentences(parts), 0.5, "joined")
            for label, parts in ((sample.label, asking), ("none", chance.sample(others, 3)))
        ]
    return found


def join_sentences(parts: Sequence[str]) -> str:
    """Return the text of some sentences, each with a mark at its end."""
    wide = is_wide(parts[0])
    stop = "。" if wide else "."
    return ("" if wide else " ").join(
        part if part[-1:] in ".!?。！？" else part + stop for part in parts
    )


def is_wide(text: str) -> bool:
    """Return whether a third of a text is of a script without spaces."""
    return sum(char > "\u2e80" for char in text) * 3 > len(text)


def is_short(text: str, *, wide: bool) -> bool:
    """Return whether a text is of a script without spaces or not, and short enough for a frame."""
    return is_wide(text) == wide and len(text) < (40 if wide else 90)


def fold_message(text: str) -> str:
    """Return a message as the model of intents reads it."""
    return sentences.read_words(sentences.fold_text(text))


def fill_frames(frames: Sequence[tuple[str, str]], slots: dict[str, list[str]]) -> list[Sample]:
    """Return the sentences that frames make with values of their slots, chosen at random."""
    chance = random.Random(1)
    pattern = re.compile(r"\{([\w-]+)\}")
    found: list[Sample] = []
    for label, frame in frames:
        texts = {
            pattern.sub(lambda match: chance.choice(slots[match[1]]).rstrip(".。！!"), frame)
            for _ in range(FILLED)
        }
        found += [Sample(label, text, 2 / FILLED, "frames") for text in sorted(texts)]
    return found


def is_held_out(text: str) -> bool:
    """Return whether a sentence is one of those that choose the bound."""
    return crc32(reduce_text(text).encode()) % HELD_OUT == 0


def fit_model(samples: Sequence[Sample], base: ngram_model.NgramModel) -> FittedModel:
    """Return a model with the classes and features of a shipped one, fitted to samples."""
    listed = [ngram_model.list_ngrams(sample.text, shapes=base.shapes) for sample in samples]
    counts = Counter(ngram for each in listed for ngram in each)
    known = sorted(ngram for ngram, count in counts.items() if count >= LEAST)
    places = {ngram: at for at, ngram in enumerate(known)}
    labels = np.array([base.classes.index(sample.label) for sample in samples])
    weighed = np.array([sample.weight for sample in samples])
    rows = _measure_texts(listed, places)
    weights, biases = softmax.fit(rows, labels, weighed, STEPS)
    return keep_largest(FittedModel(base, places, weights, biases))


def _measure_texts(listed: list[set[int]], places: dict[int, int]) -> softmax.FeatureRows:
    return softmax.FeatureRows(listed, places, [runs.measure_length(one) for one in listed])


def keep_largest(model: FittedModel) -> FittedModel:
    """Return a model with as many n-grams as its file has room for."""
    wide = len(model.base.classes)
    count = (MOST - 4 * (2 + 2 * wide)) // (4 + wide)
    # Only differences between classes count.
    weights = model.weights - model.weights.mean(axis=1, keepdims=True)
    kept = np.sort(np.argsort(-np.abs(weights).max(axis=1), kind="stable")[:count])
    known = list(model.places)
    places = {known[place]: at for at, place in enumerate(kept)}
    return FittedModel(model.base, places, weights[kept], model.biases)


def render_model(model: FittedModel, bounds: dict[str, float]) -> bytes:
    """Return the file of a model, as `molt.ngram_model` reads it, its largest weight 127."""
    units = 127 / np.abs(model.weights).max()
    scale = ngram_model.SCALE
    chosen = [bounds.get(one, 0.0) * scale for one in model.base.classes]
    head = [units * scale, *chosen, *(model.biases * scale), len(model.places)]
    return b"".join(
        (
            np.rint(head).astype("<i4").tobytes(),
            np.array(list(model.places)).astype("<u4").tobytes(),
            np.rint(model.weights * units).astype(np.int8).tobytes(),
        )
    )


def choose_routes_bounds(model: FittedModel, samples: Sequence[Sample]) -> dict[str, float]:
    """Return the probability from which on a text is no memory: of the statements that the model
    never saw, one in a thousand may be lost, and never where it is not nine times as likely.
    """
    shares = model.share_classes([sample.text for sample in samples])
    nothing = classify.NAMES.index(classify.NOTHING)
    lost = sorted(
        float(row[nothing])
        for row, sample in zip(shares, samples, strict=True)
        if sample.label != classify.NOTHING
    )
    return {classify.NOTHING: max(0.9, min(0.999, lost[-1 - len(lost) // 1000] + 0.001))}


def choose_intents_bounds(model: FittedModel, samples: Sequence[Sample]) -> dict[str, float]:
    """Return the log-odds from which on a message asks for something: of those that the model never
    saw and that ask for nothing, so many are false alarms.
    """
    known = phrases.load_shipped()
    texts = [
        sample.text
        for sample in samples
        if sample.label == "none" and sample.writer not in ("frames", "joined", "lines")
    ]
    margins: dict[str, list[float]] = defaultdict(list)
    for text in texts:
        verdict = detect.judge_requests(
            text,
            detect.list_requests(text, known),
            lambda part: model.weigh_texts([part])[0].tolist(),
            dict.fromkeys(phrases.INTENTS, 0.0),
        )
        if verdict:
            margins[verdict.intent].append(verdict.margin)
    return {
        intent: max(sorted(margins[intent])[-1 - int(share * len(texts))] + 0.001, 0.0)
        for intent, share in FALSE_ALARMS.items()
    }


def report_model(name: str, model: FittedModel, samples: Sequence[Sample]) -> None:
    """Print how often the likeliest class is right."""
    best = model.share_classes([sample.text for sample in samples]).argmax(axis=1)
    right = [
        model.base.classes[at] == sample.label for at, sample in zip(best, samples, strict=True)
    ]
    print(f"{name}: {100 * sum(right) / max(len(right), 1):.1f} % of {len(right)} right")


def make_model(
    name: str,
    samples: Sequence[Sample],
    base: ngram_model.NgramModel,
    choose_bounds: Callable[[FittedModel, Sequence[Sample]], dict[str, float]],
    without: str,
) -> bytes:
    """Return the file of a model of samples whose text is folded."""
    left = [sample for sample in samples if sample.writer != without]
    fitted = [sample for sample in left if not is_held_out(sample.text)]
    held_out = [sample for sample in left if is_held_out(sample.text)]
    model = fit_model(fitted, base)
    bounds = choose_bounds(model, held_out)
    report_model(f"{name}, {len(fitted)} fitted; held out", model, held_out)
    if others := [sample for sample in samples if sample.writer == without]:
        report_model(f"{name}, writer {without}", model, others)
    data = render_model(model, bounds)
    print(f"{name}: {len(data)} bytes, {len(model.places)} n-grams, bounds {bounds}")
    return data


def main() -> None:
    """Fit both models, and write them to a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", default="", metavar="WRITER")
    options = parser.parse_args()
    routes = make_model(
        "routes",
        leave_judged(read_routes(), classify.fold_text),
        classify.MODEL,
        choose_routes_bounds,
        options.without,
    )
    (options.folder / "routes.i8").write_bytes(routes)
    intents = make_model(
        "intents",
        leave_judged(read_intents(), fold_message),
        detect.MODEL,
        choose_intents_bounds,
        options.without,
    )
    (options.folder / "intents.i8").write_bytes(intents)


def leave_judged(samples: Sequence[Sample], fold: Callable[[str], str]) -> list[Sample]:
    """Return samples, folded, without the sentences that the tests judge by."""
    judged = read_judged(*JUDGED)
    return [
        sample._replace(text=fold(sample.text))
        for sample in samples
        if reduce_text(sample.text) not in judged
    ]


if __name__ == "__main__":
    main()
