"""Make the models that say what a message asks for, and where what is told belongs.

`python benchmarks/make_message_models.py molt/data` learns from the files of
`benchmarks/sets/messages`, each by another writer, and from those that the tests know: an intent
and a message in each line of `intents-*.tsv`; a store, a type, a block and a text in each of
`stores-*.tsv`. Each model is a logistic regression for each class (`logistic.py`), over those runs
of words (`molt.linear`) that stand in two texts at least.

`frames-*.tsv` hold messages about any fact or thing (`{fact}`, `{thing}`), which are filled in by
chance. What a message asks for is said in a few of its words, and the others are about anything: so
each that asks for something is learned from again with some of its words exchanged for those of
messages that ask for nothing.

`--without b` leaves a writer's texts out, to be judged by them.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

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
MOST = 256 * 1024
"""Bytes of a model: of its runs those are kept that tell most."""
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
ASKING = ("remember", "forget", "recall", "记", "忘")
"""What harmless lines with these words ask for is not known."""

Labelled = list[tuple[str, str]]


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
    lines = (SETS / "orders" / "harmless.txt").read_text("utf-8").splitlines()[::EVERY]
    lines += [text for _, text in read_stores(without)]
    plain = [line for line in lines if not any(word in line.lower() for word in ASKING)]
    return [*read_intents(without), *(("none", line) for line in plain)]


def draw_messages(messages: Labelled, texts: Labelled, seed: int) -> Labelled:
    """What one model learns: the messages, the frames filled, and variations of both."""
    told = [*messages, *fill_frames(texts, seed)]
    return [*told, *vary_messages(told, seed)]


def fill_frames(texts: Labelled, seed: int) -> Labelled:
    """The messages that the frames of both languages make with facts and things."""
    chance = random.Random(seed)
    same = phrases.load_shipped().same
    found: Labelled = []
    for wide, path in ((False, "frames-en.tsv"), (True, "frames-zh.tsv")):
        rows = [
            row.split("\t") for row in (SETS / "messages" / path).read_text("utf-8").splitlines()
        ]
        things = [text for label, text in rows if label == "thing"]
        facts = [
            text
            for kind, text in texts
            if kind != "none" and exchange.is_wide(text) == wide and len(text) < LONGEST[wide]
        ]
        for label, frame in rows * FILLED:
            if label != "thing":
                text = frame.replace("{thing}", chance.choice(things))
                text = text.replace("{fact}", close_fact(chance.choice(facts), frame))
                found.append((label, intents.fold_message(text, same)))
    return found


def close_fact(fact: str, frame: str) -> str:
    """A fact as a sentence of its own where something follows it."""
    bare = fact.rstrip(".。！!")
    return bare + ("。" if exchange.is_wide(fact) else ".") if frame.startswith("{fact}") else bare


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


def fit_model(drawn: Sequence[Labelled], classes: Sequence[str]) -> bytes:
    """The file of the mean of the models that learned labelled texts, each others."""
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
    return render_model(np.array(known), weights, biases)


def scale_part(part: Sequence[set[int]], places: dict[int, int], fewest: int) -> logistic.Samples:
    """The features of a part of each text, at their places, of a length of one."""
    features = [[places[run] for run in found if run in places] for found in part]
    return logistic.Samples(features, len(places), fewest, [len(found) for found in part])


def render_model(known: np.ndarray, weights: np.ndarray, biases: np.ndarray) -> bytes:
    """The file of a model, as `molt.linear` reads it, its largest weight 127."""
    most = (MOST - 4 * (2 + len(weights))) // (4 + len(weights))
    kept = np.sort(np.argsort(-np.abs(weights).max(axis=0), kind="stable")[:most])
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
    for name, data in (
        ("intents", fit_model(drawn, intents.INTENTS)),
        ("stores", fit_model([texts], stores.KINDS)),
    ):
        (said.folder / f"{name}.i8").write_bytes(data)
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
