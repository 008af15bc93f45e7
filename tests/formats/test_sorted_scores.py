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
    assert scores.edit_entries(text, new) == wanted
    changed = score_changes.compare_entries(text, wanted)
    if changed is not None:
        assert changed == {n: (old.get(n), new[n]) for n in new if old.get(n) != new[n]}


NAMES = st.builds(
    "{}:{}".format, st.sampled_from(KINDS), st.sampled_from([*"abcdef", "é", "a b", "a0"])
)
PLAIN = st.fixed_dictionaries({"n": st.integers(0, 2), "x": st.sampled_from([True, 0.5, "a é"])})
SIDES = st.tuples(
    st.dictionaries(NAMES, PLAIN, min_size=1), st.dictionaries(NAMES, st.none() | PLAIN)
)


@given(SIDES)
def test_ordered_scores_are_read_and_edited_as_if_all_were_parsed(sides) -> None:
    old, changes = sides
    new = {name: one for name, one in {**old, **changes}.items() if one is not None}
    before, after = (scores.render_scores({"version": 1, "entries": one}) for one in (old, new))
    assert sorted_scores.is_ordered(before)
    assert sorted_scores.edit_entries(before, changes) == after
    assert scores.edit_entries(before, changes) == after
    known = {name: old[name] for name in changes if name in old}
    assert sorted_scores.find_entries(before, changes) == known
    entities = {name: one for name, one in old.items() if name.startswith("entity:")}
    assert sorted_scores.list_kind(before, "entity") == entities
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    differing = {name: (old.get(name), new.get(name)) for name in names}
    found = score_changes.compare_entries(before, after, ordered=True)
    assert found == (differing if new else None)


@given(SIDES, st.randoms(use_true_random=False))
def test_what_is_not_in_order_any_more_is_never_taken_for_it(sides, chance) -> None:
    old, changes = sides
    before = scores.render_scores({"version": 1, "entries": old})
    after = sorted_scores.edit_entries(before, changes)
    at = chance.randrange(len(after))
    after = after[:at] + chance.choice(',"}{\n x') + after[at + chance.randint(0, 2) :]
    found = score_changes.compare_entries(before, after, ordered=True)
    if found is not None:
        assert sorted_scores.is_ordered(after)
        new = scores.parse_scores(after)["entries"]
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        assert found == {name: (old.get(name), new.get(name)) for name in names}


ENTRIES = '{\n  "entries": {\n    "core:a": {\n      "n": 1\n    },\n    "core:b": {\n      '
TAIL = '\n    }\n  },\n  "version": 1\n}\n'


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(scores.EMPTY, id="none"),
        pytest.param(ENTRIES.replace("core:a", "core:c") + '"n": 1' + TAIL, id="out-of-order"),
        pytest.param(ENTRIES.replace("core:a", "core:b") + '"n": 1' + TAIL, id="twice"),
        pytest.param(ENTRIES + '"n": 1, "m": 2' + TAIL, id="two-on-a-line"),
        pytest.param(ENTRIES + '"n": 1,\n      "n": 1' + TAIL, id="field-twice"),
        pytest.param(ENTRIES + '"n": {\n      }' + TAIL, id="nested"),
        pytest.param(ENTRIES + '"n": "\\u0041"' + TAIL, id="escape"),
        pytest.param(ENTRIES.replace("},", "}") + '"n": 1' + TAIL, id="no-comma"),
        pytest.param(ENTRIES + '"n": 1' + TAIL.replace("1\n}", "{\n  }\n}"), id="two-ends"),
        pytest.param(ENTRIES + '"n": 1' + TAIL.rstrip("}\n"), id="cut-off"),
    ],
)
def test_scores_that_stand_otherwise_are_not_in_order(text: str) -> None:
    assert not sorted_scores.is_ordered(text)
    plain = scores.render_scores({"version": 1, "entries": {"core:a": {"n": 1}}})
    assert score_changes.compare_entries(plain, text, ordered=True) is None
