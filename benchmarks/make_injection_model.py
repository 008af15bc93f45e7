"""Make the model that tells planted instructions from texts that are like them.

`python benchmarks/make_injection_model.py molt/data/injection.u8` learns from the files of
`benchmarks/sets/injection`, a text in each line; `talk.txt` has choices in brackets, of which some
are drawn. It is a logistic regression (`logistic.py`) over the features of
`molt.policy.injection`. `SHA256SUMS` then names what the model was made of, and a test compares.
What judges the model, `tests/policy/data/injection-*.txt`, is by other writers, and nothing is
learned from it.

What a text is about says little: an owner who builds agents writes of agents, prompts and keys all
day. So each harmless text is learned from again with some of its words exchanged for words of
planted ones: words alone are then no sign, and what stands together is.

The file begins with the bound as a little-endian int32; a byte follows for each feature, its weight
by `injection.NIL` too high.
"""

from __future__ import annotations

import hashlib
import random
import re
import sys
from pathlib import Path

import exchange
import logistic
import numpy as np

from molt import runs
from molt.policy import injection

HERE = Path(__file__).parent
SETS = HERE / "sets" / "injection"
DRAWN = 10
"""So many texts are drawn of each line of `talk.txt`."""
EXCHANGED = (0.2, 0.4, 0.6)
"""The shares of words that are exchanged, one for each time that a harmless text is learned."""
STEPS = 250
"""With half as many no text that is learned is judged otherwise."""
STYLES = 6
"""So many times the planted texts of `planted-styles.txt` are learned: each was once missed."""
SEEDS = 4
"""So many models are made, and their mean is taken: which words are exchanged is chance."""
BOUND = -0.07
"""The log-odds above which a text counts as planted: of turns of ordinary talk at most one in two
hundred then does."""
LEVELS = 16
"""So many values a weight can have: with 256 of them no more is found, and the file packs to less
than half.
"""
ROUNDS = 400
"""After so many the values of weights stay where they are."""


def read_texts(path: Path) -> list[str]:
    """The texts of a file, one a line, but for its headings: a word behind `#`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    texts = [line for line in lines if line.strip() and not re.fullmatch(r"# \w+", line)]
    return [text.replace("\\n", "\n") for text in texts]


def draw_talk(seed: int) -> list[str]:
    """Ordinary talk: of each line of `talk.txt` some texts, each choice made by chance."""
    chance = random.Random(seed)
    lines = read_texts(SETS / "talk.txt")
    pick = re.compile(r"\[([^\[\]]*)\]")
    return [
        pick.sub(lambda choice: chance.choice(choice[1].split("|")), line)
        for line in lines
        for _ in range(DRAWN)
    ]


def list_parts(text: str) -> list[tuple[int, ...]]:
    """The numbers of the words of a text, and of each of its parts as `injection` cuts them."""
    words, parts = injection.cut_parts(injection.fold(text))
    every = (words, *(words[at:end] for at, end in parts))
    return list(dict.fromkeys(tuple(one) for one in every if one))


def list_samples(seed: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """What is learned: the words of orders, and of harmless texts and their parts, as they are and
    with words of orders in them, by a `seed` of chance.
    """
    orders = STYLES * read_texts(SETS / "planted-styles.txt") + read_texts(SETS / "planted.txt")
    harmless = read_texts(SETS / "harmless-styles.txt") + read_texts(SETS / "harmless.txt")
    chance = random.Random(seed)
    words = [exchange.split_words(text) for text in orders]
    every = list(harmless)
    for share in EXCHANGED:
        every += [exchange.exchange_words(text, words, share, chance) for text in harmless]
    # Ordinary talk stays as it is: with words of orders in it, it is none.
    every += draw_talk(seed)
    told = [list_parts(text)[0] for text in orders]
    return told, [part for text in every for part in list_parts(text)]


def choose_values(weights: np.ndarray) -> np.ndarray:
    """As many values as a weight can have, from which the weights are least far in the square: each
    the mean of those that it stands for (Lloyd, 1982, "Least squares quantization in PCM").
    """
    ordered = np.sort(weights)
    sums = np.concatenate(([0], np.cumsum(ordered)))
    values = np.quantile(ordered, (np.arange(LEVELS) + 0.5) / LEVELS)
    for _ in range(ROUNDS):
        between = np.searchsorted(ordered, (values[1:] + values[:-1]) / 2)
        ends = np.concatenate(([0], between, [len(ordered)]))
        values = np.diff(sums[ends]) / np.maximum(np.diff(ends), 1)
    return values


def render_model(weights: np.ndarray, bias: float) -> bytes:
    """The file of a model, its numbers scaled so that the largest value is 127."""
    values = choose_values(weights)
    scale = 127 / np.abs(values).max()
    codes = np.searchsorted((values[1:] + values[:-1]) / 2, weights)
    table = (np.rint(values * scale) + injection.NIL).astype(np.uint8)
    bound = round((BOUND - bias) * scale)
    return bound.to_bytes(4, "little") + table[codes].tobytes()


def main(target: Path) -> None:
    """Learn the weights, and write them to `target`."""
    fitted = []
    for seed in range(SEEDS):
        orders, harmless = list_samples(seed)
        labels = np.concatenate((np.ones(len(orders)), np.zeros(len(harmless))))
        features = (runs.list_runs([*words], injection.SIZE) for words in orders + harmless)
        samples = logistic.Samples(features, injection.SIZE, runs.FEWEST)
        fitted.append(logistic.fit(samples, labels, STEPS))
        print(f"{len(orders)} orders, {len(harmless)} harmless, bias {fitted[-1][1]:.2f}")
    weights = np.mean([weights for weights, _ in fitted], axis=0)
    target.write_bytes(render_model(weights, sum(bias for _, bias in fitted) / SEEDS))
    write_hashes(target)


def write_hashes(target: Path) -> None:
    """Write the hashes of the model and of what it was made of, as `sha256sum` does."""
    root = HERE.parent
    files = sorted((*SETS.glob("*.txt"), target.resolve()))
    rows = (
        f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.relative_to(root)}" for one in files
    )
    (SETS / "SHA256SUMS").write_text("".join(f"{row}\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
