from __future__ import annotations

import random

import pytest

from molt.formats.meta import scores, sorted_scores

ENTRY = {"current_score": 0.5, "status": "active", "tags": ["a", {"b": 1}]}
KINDS = ("core", "entity", "episode", "entitya", "vault")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("names", [("a", "b--c", "b"), ("é", 'q"', "back\\", "x\ty", "", ": ")])
def test_an_entry_is_found_as_the_whole_file_has_it(names, seed) -> None:
    chance = random.Random(seed)
    every = [f"{kind}:{name}{number}" for kind in KINDS for name in names for number in range(9)]
    held = {name: {**ENTRY, "access_count": at} for at, name in enumerate(every)}
    held = {name: held[name] for name in every if chance.random() < 0.5}
    text = scores.render_scores({"version": 1, "entries": held})
    part = sorted_scores.keep_kind(text, "entity")
    assert part is not None
    for name in every:
        if name.startswith("entity:"):
            alone = sorted_scores.cut_entry(b"head\n" + part, name, 5)
            assert scores.find_entries(alone, [name]) == scores.find_entries(text, [name])
            assert (name in held) == (alone != scores.EMPTY)


def test_a_file_without_such_entries_keeps_none() -> None:
    text = scores.render_scores({"version": 1, "entries": {"core:a": ENTRY}})
    assert sorted_scores.keep_kind(text, "entity") == b""
    assert sorted_scores.cut_entry(b"", "entity:a") == scores.EMPTY


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param('{"entries": {"entity:a": {}}, "version": 1}', id="one-line"),
        pytest.param(
            '{\n  "entries": {\n    "entity:b": {\n      "x": 1\n    },\n    "entity:a": {\n'
            '      "x": 1\n    }\n  },\n  "version": 1\n}\n',
            id="out-of-order",
        ),
        pytest.param('{\n  "entries": {\n    "entity:b": {}\n  },\n  "version": 1\n}\n', id="flat"),
    ],
)
def test_what_stands_otherwise_is_not_kept(text: str) -> None:
    assert sorted_scores.keep_kind(text, "entity") is None
