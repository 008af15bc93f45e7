from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats.meta import score_changes, scores, sorted_scores

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


@pytest.mark.parametrize(
    ("number", "gone"),
    [
        *((zero, True) for zero in ("0", "0.0", "-0.0", "0e5", "1e-400", "0.00")),
        *((other, False) for other in ("0.0001", "1e-4", "1", "0.1000")),
        (f"0.{'0' * 400}1", True),
    ],
)
@pytest.mark.parametrize(
    "mark", ['"current_score": ', '"current_score":', '"current\\u005fscore": ']
)
def test_what_was_forgotten_is_found_however_its_score_is_written(mark, number, gone) -> None:
    scored = [
        {"status": "archived", "current_score": 0.0312, "pinned": False},
        {"status": "archived", "current_score": 0.7, "pinned": False},
    ]
    entries = {f"episode:2026-01-0{n}:10:00:00": one for n, one in enumerate(scored, 1)}
    text = scores.render_scores({"version": 1, "entries": entries})
    text = text.replace('"current_score": 0.7', f"{mark}{number}")
    assert scores.list_forgotten(text) == ["episode:2026-01-02:10:00:00"] * gone


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), max_size=8), st.data())
def test_entries_are_set_as_if_all_were_rendered(before, data) -> None:
    after = data.draw(st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 3)))
    old, new = ({name: {"n": n} for name, n in side.items()} for side in (before, after))
    text = scores.render_scores({"version": 1, "entries": old})
    wanted = scores.render_scores({"version": 1, "entries": {**old, **new}})
    assert scores.set_entries(text, new) == wanted
    changed = score_changes.compare_entries(text, wanted)
    if changed is not None:
        assert changed == {n: (old.get(n), new[n]) for n in new if old.get(n) != new[n]}
