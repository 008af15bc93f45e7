"""Words are looked up in a few texts and in many alike."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.policy.orders import gate_words, word_lists, word_lists_foreign, word_sets

TEXT = st.text(alphabet="abc dé忽略", max_size=24)
WORDS = st.lists(st.text(alphabet="abc dé忽略", min_size=1, max_size=6), max_size=5).map(tuple)


@given(st.lists(st.lists(WORDS, max_size=3).map(tuple), max_size=4), st.lists(TEXT, min_size=40))
def test_a_table_says_of_many_texts_what_it_says_of_the_first(every, texts) -> None:
    table = word_sets.WordSets(every)
    for text in texts:
        wanted = [parts for parts in every if all(any(w in text for w in one) for one in parts)]
        assert list(table.find_held(text)) == wanted


@pytest.mark.parametrize("module", [gate_words, word_lists, word_lists_foreign])
def test_no_word_of_a_list_holds_another(module: ModuleType) -> None:
    lists = [
        one
        for one in vars(module).values()
        if isinstance(one, tuple) and all(isinstance(word, str) for word in one)
    ]
    assert lists
    for words in lists:
        held = [w for w in words if any(other != w and other in w for other in words)]
        assert not held, "found by the shorter word already"
        assert len(words) == len(set(words))
