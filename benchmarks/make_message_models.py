"""Make the models that say what a message asks for, and where what is told belongs.

`python benchmarks/make_message_models.py molt/data` learns from the files of
`benchmarks/sets/messages`, each by another writer, and from those that the tests know: an intent
and a message in each line of `intents-*.tsv`; a store, a type, a block and a text in each of
`stores-*.tsv`. Each model is a logistic regression for each class (`logistic.py`), over those runs
of words (`molt.linear`) that stand in two texts at least.

`frames-*.tsv` hold messages about any fact, thing, order and the like (`{fact}`, `{thing}`), which
are filled in by chance: with facts of the stores' texts, and with the others that stand there. What
a message asks for is said in a few of its words, and the others are about anything: so each that
asks for something is learned from again with some of its words exchanged for those of messages that
ask for nothing; and so is the part of it that asks, which a first model finds.

`--without b` leaves a writer's texts out, to be judged by them.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import exchange
import logistic
import numpy as np

from molt import kinds, linear, runs
from molt.memory.engines import guess as stores
from molt.memory.engines import lead
from molt.memory.engines.verdict import Verdict
from molt.memory.triggers import guess as intents
from molt.memory.triggers import phrases

HERE = Path(__file__).parent
SETS = HERE / "sets"
TESTS = HERE.parent / "tests" / "memory"
STEPS = 100
LEAST = 2
"""In so many texts a run stands that is learned: without those in one no less is found."""
MOST = {"intents": 512 * 1024, "stores": 256 * 1024}
"""Bytes of a model: of its runs those are kept that tell most; with more no more is found."""
EXCHANGED = 0.3
"""The share of words that is exchanged."""
SEEDS = 4
"""So many models are made, and their mean is taken: which words are exchanged is chance."""
FILLED = 2
"""So many messages are made of each frame: with three no more is found."""
LONGEST = (90, 40)
"""Facts in frames are shorter, in letters and in signs without spaces: nobody says more at once."""
EVERY = 4
"""One harmless line in so many is learned: people say other things in messages."""
ASKING = (
    *("remember", "forget", "recall", "记", "忘"),
    *("always", "never", "whenever", "every time", "each time", "next time", "from now", "until"),
    *("unless", "by default", " rule", "stop ", "no more", "do not", "don't", "must ", "use "),
    *("please", "以后", "今后", "从现在", "从今", "每次", "每当", "凡是", "一律", "永远", "默认"),
    *("别", "不要", "下次", "统一", "必须", "始终", "规矩", "请", "先"),
)
"""What harmless lines with these words ask for is not known: many are orders for good, and those
are to be remembered."""
SLOT = re.compile(r"\{(\w+)\}")
MARKS = (",", ".", ";", "，", "。", "；")

Labelled = list[tuple[str, str]]


class LearnedModel(NamedTuple):
    """The place of each run that a model knows, and its weights and bias for each class."""

    places: dict[int, int]
    weights: np.ndarray
    biases: np.ndarray

    def weigh(self, text: str, at: int) -> float:
        """By how much a text is likelier of the class at a place than of any other."""
        odds = self.biases.copy()
        for found, length in linear.list_features(text):
            known = [self.places[run] for run in found if run in self.places]
            odds += self.weights[:, known].sum(axis=1) / length
        return float(odds[at] - np.delete(odds, at).max())


def read_rows(folder: Path, pattern: str, without: str) -> list[list[str]]:
    """The fields of each line of some files, but for a writer's."""
    paths = [path for path in sorted(folder.glob(pattern)) if not path.stem.endswith(f"-{without}")]
    assert paths
    return [row.split("\t") for path in paths for row in path.read_text("utf-8").splitlines()]


def read_intents(without: str) -> Labelled:
    """Messages, each with what it asks for."""
    rows = read_rows(SETS / "messages", "intents-*.tsv", without)
    rows += read_rows(TESTS / "data", "triggers.tsv", without)[1:]
    found = dict.fromkeys((intent, text.replace("\\n", "\n")) for intent, text, *_ in rows)
    same = phrases.load_shipped().same
    return [(intent, intents.fold_message(text, same)) for intent, text in found]


def read_stores(without: str) -> Labelled:
    """Texts, each with where it belongs. Of those that the tests hold out none is learned from."""
    rows = read_rows(SETS / "messages", "stores-*.tsv", without)
    mended = read_rows(TESTS / "routing", "mended.tsv", without)
    rows += [[store, kind, block, text] for store, kind, block, _, text in mended]
    return [
        (stores.name_kind(Verdict(store, kind, block)), stores.fold_text(lead.cut_lead(text).text))
        for store, kind, block, text in rows
    ]


def list_messages(without: str) -> Labelled:
    """What is learned of intents: messages, and lines that ask for nothing."""
    lines = (SETS / "injection" / "harmless.txt").read_text("utf-8").splitlines()[::EVERY]
    lines += [text for _, text in read_stores(without)]
    plain = [line for line in lines if not any(word in line.lower() for word in ASKING)]
    return [*read_intents(without), *(("none", line) for line in plain)]


def draw_messages(messages: Labelled, texts: Labelled, seed: int) -> Labelled:
    """What one model learns: the messages, the frames filled, and variations of both."""
    told = [*messages, *fill_frames(texts, seed)]
    return [*told, *vary_messages(told, seed)]


def fill_frames(texts: Labelled, seed: int) -> Labelled:
    """The messages that the frames of both languages make with facts, things and the like."""
    chance = random.Random(seed)
    same = phrases.load_shipped().same
    found: Labelled = []
    for wide, path in ((False, "frames-en.tsv"), (True, "frames-zh.tsv")):
        rows = [
            row.split("\t") for row in (SETS / "messages" / path).read_text("utf-8").splitlines()
        ]
        facts = [
            text
            for kind, text in texts
            if kind != "none" and exchange.is_wide(text) == wide and len(text) < LONGEST[wide]
        ]
        for label, frame in rows * FILLED:
            if label in intents.INTENTS:
                text = frame
                for name in SLOT.findall(frame):
                    fills = facts if name == "fact" else [one for each, one in rows if each == name]
                    filled = close_fact(chance.choice(fills), frame)
                    text = text.replace(f"{{{name}}}", filled, 1)
                found.append((label, intents.fold_message(text, same)))
    return found


def close_fact(fact: str, frame: str) -> str:
    """What a frame is filled with, a fact at its head as a sentence where no mark follows it."""
    bare = fact.rstrip(".。！!")
    if not frame.startswith("{fact}") or frame.startswith(MARKS, len("{fact}")):
        return bare
    return bare + ("。" if exchange.is_wide(fact) else ".")


def vary_messages(told: Labelled, seed: int) -> Labelled:
    """The messages that ask for something, with words of those that do not in them."""
    chance = random.Random(seed)
    words = {
        wide: [
            exchange.split_words(text)
            for intent, text in told
            if intent == "none" and text.strip() and exchange.is_wide(text) == wide
        ]
        for wide in (False, True)
    }
    return [
        (intent, exchange.exchange_words(text, words[exchange.is_wide(text)], EXCHANGED, chance))
        for intent, text in told
        if intent != "none"
    ]


def fit_model(drawn: Sequence[Labelled], classes: Sequence[str]) -> LearnedModel:
    """The mean of the models that learned labelled texts, each others."""
    every = dict.fromkeys(text for told in drawn for _, text in told)
    listed = {text: [found for found, _ in linear.list_features(text)] for text in every}
    counts = Counter(run for found in listed.values() for one in found for run in one)
    known = sorted(run for run, count in counts.items() if count >= LEAST)
    places = {run: at for at, run in enumerate(known)}
    weights, biases = np.zeros((len(classes), len(known))), np.zeros(len(classes))
    for told in drawn:
        parts = zip(*(listed[text] for _, text in told), strict=True)
        samples = logistic.Samples.join(
            [
                scale_part(part, places, fewest)
                for part, fewest in zip(parts, (runs.FEWEST, kinds.FEWEST), strict=True)
            ]
        )
        labels = np.array([label for label, _ in told])
        for at, one in enumerate(classes):
            found, bias = logistic.fit(samples, labels == one, STEPS)
            weights[at] += found / len(drawn)
            biases[at] += bias / len(drawn)
    return LearnedModel(places, weights, biases)


def add_parts(told: Labelled, model: LearnedModel) -> Labelled:
    """Labelled messages and some of their parts: of one that asks for something the part that says
    so best, as far as a model knows, and of one that does not all of them.
    """
    found = list(told)
    for label, text in told:
        _, *parts = intents.list_parts(text)
        if label != "none":
            weighed = [(model.weigh(part, intents.INTENTS.index(label)), part) for part in parts]
            parts = [part for _, part in sorted(weighed)[-1:]]
        found += [(label, part) for part in parts]
    return found


def scale_part(part: Sequence[set[int]], places: dict[int, int], fewest: int) -> logistic.Samples:
    """The features of a part of each text, at their places, of a length of one."""
    features = [[places[run] for run in found if run in places] for found in part]
    return logistic.Samples(features, len(places), fewest, [len(found) for found in part])


def render_model(model: LearnedModel, most: int) -> bytes:
    """The file of a model of `most` bytes, as `molt.linear` reads it, its largest weight 127."""
    known, weights, biases = np.array([*model.places]), model.weights, model.biases
    count = (most - 4 * (2 + len(weights))) // (4 + len(weights))
    kept = np.sort(np.argsort(-np.abs(weights).max(axis=0), kind="stable")[:count])
    scale = 127 / np.abs(weights).max()
    head = [scale, *(biases * scale), len(kept)]
    return b"".join(
        (
            np.rint(head).astype("<i4").tobytes(),
            known[kept].astype("<u4").tobytes(),
            np.rint(weights[:, kept].T * scale).astype(np.int8).tobytes(),
        )
    )


def main() -> None:
    """Learn both models, and write them to a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", default="", metavar="WRITER")
    said = parser.parse_args()
    messages, texts = list_messages(said.without), read_stores(said.without)
    drawn = [draw_messages(messages, texts, seed) for seed in range(SEEDS)]
    whole = fit_model(drawn, intents.INTENTS)
    parted = [add_parts(told, whole) for told in drawn]
    for name, model in (
        ("intents", fit_model(parted, intents.INTENTS)),
        ("stores", fit_model([texts], stores.KINDS)),
    ):
        data = render_model(model, MOST[name])
        (said.folder / f"{name}.i8").write_bytes(data)
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
