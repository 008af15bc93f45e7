"""How well molt judges what people write: figures with bounds, on the labelled sets that are here.

A bound is the figure of the day that it was set, less its standard error, or what the design asks
for. It is moved up with what gets better; a change that lowers it says why in its own commit. What
a set says of a model depends on what that model has learned from: each set says so.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attacks.table import load_attacks
from copies import Copy, make_fresh
from quality.doors import Place, find_intents, find_lines, find_place, find_recall, read_rows
from quality.figures import Figure

from molt.policy.secrets.patterns import sample

HERE, TESTS = Path(__file__).parent, Path(__file__).parents[1]
SETS = TESTS.parent / "benchmarks/sets"


@pytest.fixture
def root(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "agent", make_fresh)


def read_templates(name: str) -> list[str]:
    """Lines of a file of templates, filled in; `${` and `{{` stand for themselves."""
    rows = (TESTS / "policy/data" / name).read_text("utf-8").splitlines()
    kept = (row.replace("${", "\0").replace("{{", "\1") for row in rows)
    return [sample(row).replace("\0", "${").replace("\1", "{{") for row in kept]


def test_formats_of_secrets_are_found(root: Path) -> None:
    lines = read_templates("formats.txt")
    Figure("formats found", len(find_lines(root, lines, "SEC001")), len(lines)).check_least(1.0)


def test_what_looks_like_a_secret_passes(root: Path) -> None:
    lines = read_templates("lookalike-templates.txt")
    Figure("harmless refused", len(find_lines(root, lines, "SEC001")), len(lines)).check_most(0.0)


def read_orders(name: str) -> list[str]:
    """Texts that no model has learned from, with what is escaped in them."""
    text = (TESTS / "policy/data" / name).read_text("utf-8")
    rows = [row for row in text.splitlines() if not re.fullmatch(r"# \w+", row)]
    code = r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})"
    return [
        re.sub(code, lambda one: chr(int(one[1] or one[2], 16)), row.replace("\\n", "\n"))
        for row in rows
    ]


def test_planted_instructions_are_found(root: Path) -> None:
    texts = read_orders("injection-planted.txt")
    Figure("planted found", len(find_lines(root, texts, "SEC005")), len(texts)).check_least(0.6)


def test_harmless_texts_about_instructions_pass(root: Path) -> None:
    texts = read_orders("injection-harmless.txt")
    Figure("harmless marked", len(find_lines(root, texts, "SEC005")), len(texts)).check_most(0.005)


KNOWN, UNSEEN = TESTS / "memory/data/triggers.tsv", HERE / "sets/intents.tsv"
"""The shipped model has learned from neither; kinds of errors on both were looked at."""
ALARMS = {KNOWN: 0.04, UNSEEN: 0.04}
"""Of what asks for nothing."""
INTENTS = ("remember", "forget", "recall", "reflect")
LEAST = 0.85
"""Of what is found, and of what is meant, of each intent: what the design asks for."""


def read_messages(path: Path) -> list[tuple[str, str]]:
    """Messages, each with what it asks for."""
    rows = [(label, text) for label, text, *_ in read_rows(path) if label != "label"]
    return [(label, text.replace("\\n", " ")) for label, text in rows]


@pytest.mark.parametrize("path", [KNOWN, UNSEEN], ids=["known", "unseen"])
def test_what_messages_ask_for_is_found(path: Path) -> None:
    labelled = read_messages(path)
    found = find_intents([text for _, text in labelled])
    pairs = list(zip((label for label, _ in labelled), found, strict=True))
    alarms = sum(label == "none" != got for label, got in pairs)
    Figure("alarms", alarms, sum(label == "none" for label, _ in pairs)).check_most(ALARMS[path])
    for intent in INTENTS:
        right = sum(label == got == intent for label, got in pairs)
        told = sum(got == intent for _, got in pairs)
        meant = sum(label == intent for label, _ in pairs)
        Figure(f"{intent}, precision", right, told).check_least(LEAST)
        Figure(f"{intent}, recall", right, meant).check_least(LEAST)


TUNED = {"store": 0.84, "type": 0.76, "block": 0.8, "entities": 0.5, "right entities": 0.75}
"""On sentences that rules were tuned on in part, and no model has learned from."""
NEW = {"store": 0.76, "type": 0.76, "block": 0.56}
"""On sentences that nothing has learned from: store and block are to be as above."""
STORED = 0.53
"""Of plain reports and orders worth keeping, none of which is to be lost."""


def test_labelled_sentences_go_where_they_belong(root: Path) -> None:
    wanted, found = [], []
    for name in ("en", "zh"):
        for store, kind, block, named, text in read_rows(TESTS / f"memory/routing/{name}.tsv"):
            names = tuple(one.partition(":")[2] for one in named.split("; ") if one)
            wanted.append(Place(store, kind, block, names))
            found.append(find_place(root, text))
    for figure in (*rate_places(wanted, found), *rate_names(wanted, found)):
        figure.check_least(TUNED[figure.name])


def test_new_sentences_go_where_they_belong(root: Path) -> None:
    rows = list(read_rows(HERE / "sets/stores.tsv"))
    wanted = [Place(store, kind, block, ()) for store, kind, block, _ in rows]
    found = [find_place(root, text) for *_, text in rows]
    for figure in rate_places(wanted, found):
        figure.check_least(NEW[figure.name])


def test_plain_reports_are_stored(root: Path) -> None:
    texts = (HERE / "sets/statements.txt").read_text("utf-8").splitlines()
    kept = [text for text in texts if find_place(root, text).store != "none"]
    Figure("reports stored", len(kept), len(texts)).check_least(STORED)


def rate_places(wanted: list[Place], found: list[Place]) -> list[Figure]:
    """How many stores and types are right; and of what belongs in core memory, how much of it came
    into the right block.
    """
    pairs = list(zip(wanted, found, strict=True))
    kept = [(one, got) for one, got in pairs if one.store != "none"]
    core = [(one, got) for one, got in pairs if one.store == "core"]
    right = sum((one.store, one.block) == (got.store, got.block) for one, got in core)
    return [
        Figure("store", sum(one.store == got.store for one, got in pairs), len(pairs)),
        Figure("type", sum(one.type == got.type for one, got in kept), len(kept)),
        Figure("block", right, len(core)),
    ]


def rate_names(wanted: list[Place], found: list[Place]) -> list[Figure]:
    """How many entities are found, and how many of those that are found are right."""
    named = [
        (set(map(fold_name, one.entities)), set(map(fold_name, got.entities)))
        for one, got in zip(wanted, found, strict=True)
    ]
    both = sum(len(one & got) for one, got in named)
    return [
        Figure("entities", both, sum(len(one) for one, _ in named)),
        Figure("right entities", both, sum(len(got) for _, got in named)),
    ]


def fold_name(name: str) -> str:
    """What two ways to write one name share."""
    low = name.casefold().removeprefix("the ").removesuffix("项目").removesuffix(" project")
    return "".join(sign for sign in low if sign.isalnum())


RECALL = {"assistant": 0.88, "scripts": 0.96, "talk": 0.92}
"""The least share of the questions whose answer is among the first five results."""


@pytest.mark.parametrize(("name", "least"), RECALL.items())
def test_the_search_finds_the_answers(name: str, least: float) -> None:
    share, queries = find_recall(SETS / name)
    Figure(f"R@5 of {name}", round(share * queries), queries).check_least(least)


ATTACKS = {"hooks": 313, "verify": 567, "push": 558}
"""So many attacks are tried at each door; tests/attacks shows that each is refused."""


@pytest.mark.parametrize(("door", "count"), ATTACKS.items())
def test_no_attack_is_forgotten(door: str, count: int) -> None:
    assert len(load_attacks(door)) >= count
