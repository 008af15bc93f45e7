"""What a pattern needs is read from it: a text that it is found in holds words of some way."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.policy.orders import fakes, languages, leaks, pattern_sets, patterns

PATTERNS = [
    *patterns._CALLS,
    *(
        one
        for module in (patterns, leaks, languages, fakes)
        for one in vars(module).values()
        if isinstance(one, re.Pattern)
    ),
]
BOUND = (patterns._DEFY, patterns._ROLE, patterns._HUSH, *patterns._CALLS, patterns._SNEAKS)
FURTHER = (leaks.LEAK, leaks.TAKE, leaks.TOOL, leaks.IMAGE, leaks.FETCH, languages.ORDERS)


def _holds(text: str, way: tuple[tuple[str, ...], ...]) -> bool:
    return all(any(word in text for word in words) for words in way)


@pytest.mark.parametrize("pattern", [*BOUND, *FURTHER, fakes._FAKES])
def test_of_each_pattern_something_is_known(pattern: re.Pattern[str]) -> None:
    ways = pattern_sets.list_needs(pattern)
    assert ways
    assert all(words for way in ways for words in way)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_a_pattern_is_found_in_holds_words_of_a_way(pattern) -> None:
    ways = pattern_sets.list_needs(pattern)

    @given(st.from_regex(pattern).map(str.lower))
    def check(text: str) -> None:
        assert not ways or not pattern.search(text) or any(_holds(text, way) for way in ways)

    check()


@pytest.mark.parametrize(
    ("wording", "ways"),
    [
        ("send (?:all|any) keys?", ["send all key", "send any key"]),
        ("you(?: are|'re) now .{0,9}free", ["you are now +free", "you're now +free"]),
        ("keep|leave(?= it).*(?:out|off)", ["keep", "leave+ it+off/out"]),
        ("(?:please )?go (?!on)(?:home|away)+", ["go +away/home"]),
        ("(?:it|he) (?:is|was) told", ["it is told/it was told", "he is told/he was told"]),
        (r"\w+", []),
        ("one|.", []),
        ("(?i)one", []),
        ("致|给", ["给/致"]),
    ],
)
def test_the_words_are_those_of_the_pattern(wording: str, ways: list[str]) -> None:
    found = pattern_sets.list_needs(re.compile(wording))
    assert ["+".join("/".join(words) for words in way) for way in found] == ways


@given(st.lists(st.sampled_from(["ignore", " all", " rules", "x", " you", "send"]), max_size=4))
def test_a_set_of_patterns_names_all_that_are_found(words) -> None:
    every = [re.compile(one) for one in ("ignore(?: all)? rules", "you .*send|send.* you", "x+ ")]
    table = pattern_sets.PatternSet(*every)
    text = "".join(words)
    for _ in range(300):
        likely = table.find_likely(text)
        assert {id(one) for one in every if one.search(text)} <= likely
    assert id(every[2]) in likely, "nothing is known of it"
