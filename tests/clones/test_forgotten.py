"""What one clone forgets and another says again: the tombstone wins, and nothing is ever stuck."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from molt.memory import workspace
from molt.memory.checks import verify

pytestmark = pytest.mark.slow
PLUMS = "Gus likes plums"
AGAIN = "Today Gus said that Gus likes plums and figs"
VAN = "The van needs oil"
STORES = {
    "semantic": ("--store", "semantic", "--entity", "person:Gus"),
    "episodic": ("--store", "episodic"),
    "core": ("--store", "core", "--block", "Persona"),
    "procedural": ("--store", "procedural", "--title", "Feed Gus"),
}


def sync(clone: Any, status: int = 0) -> Any:
    return json.loads(clone.molt("sync", "--json", status=status).splitlines()[0])


def forget(clone: Any, text: str = PLUMS, *more: str) -> None:
    clone.molt("--actor", "manual", "forget", text, "--yes", *more)


def settle(*clones: Any) -> list[str]:
    """Sync until nothing is new; gives all that was said of it."""
    said: list[str] = []
    for clone in (*clones, *clones):
        said += sync(clone)["warnings"]
    trees = {clone.git("rev-parse", "HEAD^{commit}") for clone in clones}
    assert len(trees) == 1
    for clone in clones:
        assert clone.git("status", "--porcelain") == ""
        assert not verify.verify_commits(workspace.find(str(clone.root)).repo).errors
        clone.git("push", "-q", "origin", "HEAD")
    return said


def finds(clone: Any, words: str, text: str) -> bool:
    return text in clone.molt("search", words)


def begin(clones: Any) -> tuple[Any, Any]:
    """Two clones that know of plums, and both have it from the hub."""
    a, b = clones("a", "b")
    a.molt("--actor", "manual", "remember", PLUMS, *STORES["semantic"])
    settle(a, b)
    return a, b


@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("store", STORES)
def test_what_repeats_the_forgotten_is_archived_and_the_rest_is_joined(
    clones, store, first
) -> None:
    a, b = begin(clones)
    forget(a)
    b.molt("--actor", "manual", "remember", AGAIN, *STORES[store])
    b.remember(VAN)
    order = (a, b) if first == "a" else (b, a)
    said = settle(*order)
    (line,) = [row for row in said if row.startswith("archived ")]
    for clone in (a, b):
        assert finds(clone, "van oil", VAN)
        assert not finds(clone, "plums figs", "plums")
        assert "plums" not in clone.molt("context")
    b.molt("--actor", "manual", *line.split("`")[1].split()[1:])
    assert finds(b, "plums figs", "figs")
    settle(b, a)
    assert finds(a, "plums figs", "figs")


def test_the_words_of_relations_are_cut_too(clones) -> None:
    a, b = begin(clones)
    forget(a)
    path = "memory/graph/relations.md"
    b.put(path, f"{b.read(path)}- `feeds`: {PLUMS}\n- `sees`: looks at\n", "words")
    settle(b, a)
    assert "plums" not in a.read(path)
    assert "sees" in a.read(path)


def test_what_is_said_otherwise_in_the_same_words_is_archived_too(clones) -> None:
    a, b = begin(clones)
    forget(a)
    path = "memory/graph/entities/person--gus.md"
    b.put(path, b.read(path).replace(PLUMS, f"{PLUMS} very much"), "more")
    settle(b, a)
    assert "plums" not in a.read(path)
    assert "plums" not in b.read(path)


@pytest.mark.parametrize("kind", ["vault", "day", "pinned", "document"])
def test_what_only_a_person_takes_away_stops_nobody(clones, kind) -> None:
    a, b = begin(clones)
    forget(a)
    if kind == "pinned":
        name = b.remember(AGAIN)
        b.molt("--actor", "manual", "pin", name)
    else:
        path = {
            "vault": "memory/vault/gus.md",
            "day": "memory/2026-02-03.md",
            "document": "projects/gus.md",
        }[kind]
        b.put(path, f"# Gus\n\n{AGAIN}\n", "a note")
    b.remember(VAN)
    said = settle(b, a)
    assert finds(a, "van oil", VAN)
    assert kind == "document" or any("brings back what was forgotten" in row for row in said)


def test_what_a_person_brings_back_on_one_side_is_back_on_both(clones) -> None:
    a, b = begin(clones)
    forget(a)
    settle(a, b)
    a.molt("--actor", "manual", "remember", AGAIN, *STORES["semantic"])
    b.molt("--actor", "manual", "restore", "entity:person--gus#6c433860")
    assert not [row for row in settle(a, b) if row.startswith("archived ")]
    for clone in (a, b):
        assert finds(clone, "plums", PLUMS)


@pytest.mark.parametrize("how", ["", "--permanently"])
@pytest.mark.parametrize("what", ["entity:person--gus", PLUMS])
def test_a_file_that_goes_here_and_grows_there_keeps_no_clones_apart(clones, how, what) -> None:
    a, b = begin(clones)
    words = ["--id", what] if what.startswith("entity:") else [what]
    a.molt("--actor", "manual", "forget", *words, "--yes", *([how] if how else []))
    b.molt("--actor", "manual", "remember", "plays chess", *STORES["semantic"])
    b.remember(VAN)
    settle(b, a)
    assert finds(a, "van oil", VAN)
    assert not finds(a, "plums", PLUMS)


@pytest.mark.parametrize("seed", range(2))
def test_any_order_of_forgetting_and_saying_again_ends_alike(clones, seed) -> None:
    chosen = random.Random(seed)
    every = clones("a", "b", "c")
    things = ("plums", "figs", "pears")
    for number in range(14):
        clone, thing = chosen.choice(every), chosen.choice(things)
        if chosen.random() < 0.4:
            clone.molt("--actor", "manual", "remember", VAN, "--store", "episodic")
        store = chosen.choice(list(STORES))
        text = f"Gus likes {thing} since day {number}"
        clone.molt("--actor", "manual", "remember", text, *_name(STORES[store], number))
        if chosen.random() < 0.4:
            forget(clone, f"Gus likes {thing}")
        if chosen.random() < 0.5:
            sync(chosen.choice(every))
    settle(*every, every[0], every[1])


def _name(words: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Each procedure under a name of its own."""
    return tuple(f"{word} {number}" if word == "Feed Gus" else word for word in words)
