"""What follows what, against what the sets of ancestors say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from molt.repo.ancestry import Ancestry, reduce_heads

Parents = dict[str, tuple[str, ...]]


@st.composite
def histories(draw: st.DrawFn) -> Parents:
    """Commits `0`, `1`, … each on up to three earlier ones."""
    count = draw(st.integers(1, 14))
    made: Parents = {}
    for number in range(count):
        earlier = st.sampled_from(sorted(made)) if made else st.nothing()
        most = 3 if made else 0
        made[str(number)] = tuple(draw(st.lists(earlier, max_size=most, unique=True)))
    return made


def reached(parents: Parents, oid: str) -> set[str]:
    found = {oid}
    for parent in parents[oid]:
        found |= reached(parents, parent)
    return found


def best_common(parents: Parents, one: str, other: str) -> set[str]:
    both = reached(parents, one) & reached(parents, other)
    return {oid for oid in both if not any(oid in reached(parents, x) - {x} for x in both)}


@given(histories(), st.data())
def test_best_common_ancestors_are_those_that_no_better_one_covers(
    parents: Parents, data: st.DataObject
) -> None:
    one, other = (data.draw(st.sampled_from(sorted(parents))) for _ in range(2))
    found = Ancestry(parents.items()).bases(one, other)
    assert found is not None
    assert set(found) == best_common(parents, one, other)


@given(histories(), st.data())
def test_a_range_answers_for_what_lies_outside_only_if_it_is_certain(
    parents: Parents, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(parents) - 1))
    inside = {oid: given for oid, given in parents.items() if int(oid) >= cut}
    one, other = (data.draw(st.sampled_from(sorted(inside))) for _ in range(2))
    found = Ancestry(inside.items()).bases(one, other)
    assert found is None or set(found) == best_common(parents, one, other)


@given(histories(), st.data())
def test_ancestors_and_first_parents(parents: Parents, data: st.DataObject) -> None:
    tip = data.draw(st.sampled_from(sorted(parents)))
    ancestry = Ancestry(parents.items())
    assert ancestry.ancestors((tip,)) == reached(parents, tip)
    line = ancestry.first_parents(tip)
    assert all(parents[one][0] == two for one, two in pairwise(line))
    assert not parents[line[-1]]


@given(histories(), st.data())
def test_a_merge_joins_what_leads_to_nothing_else_of_it(
    parents: Parents, data: st.DataObject
) -> None:
    heads = data.draw(st.lists(st.sampled_from(sorted(parents)), min_size=1, max_size=3))
    ancestry = Ancestry(parents.items())

    def common(some: Sequence[str]) -> tuple[str, ...]:
        if len(some) > 2:
            return ("base",)
        one, other = some
        return ancestry.bases(one, other) or ()

    def independent(some: Sequence[str]) -> list[str]:
        return [one for one in some if not any(one in others[two] for two in some)]

    others = {oid: reached(parents, oid) - {oid} for oid in heads}
    left, bases = reduce_heads(heads, common, independent)
    assert set(left) == {one for one in heads if not any(one in others[two] for two in heads)}
    assert not bases if len(left) == 1 else set(bases) == set(common(left))


def test_what_leads_out_of_a_range_is_its_border() -> None:
    ancestry = Ancestry({"b": ("a",), "c": ("b", "x"), "d": ("c", "a")}.items())
    assert ancestry.border() == ("a", "x")
    assert ancestry.first_parents("d") == ["d", "c", "b"]
