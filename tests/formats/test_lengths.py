"""The cheap bound on tokens never says less than there are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import tokens

PROSE = "We chose PKCE for the mobile login, because the old flow kept a secret in the app. " * 20
TEXTS = st.one_of(
    st.text(max_size=200),
    st.text(st.sampled_from("ab zé\n\r\t 1²٣’'s_-.,漢字ñ🎉\u0301\u00a0Ⅷ"), max_size=80),
    st.lists(st.sampled_from(PROSE.split())).map(" ".join),
)


# As tiktoken cuts texts for cl100k_base, in the classes that Python's patterns have.
PIECES = re.compile(
    r"'(?i:[sdmt]|ll|ve|re)|(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*"
    r"|\s+\Z|\s*[\r\n]|\s+(?!\S)|\s|."
)


@given(TEXTS)
def test_a_word_is_cut_where_the_pattern_of_the_tokens_cuts_it(text: str) -> None:
    head, *words = text.split(" ")
    for word in (head, *(f" {one}" for one in words)):
        assert tokens.cut_pieces(word) == PIECES.findall(word)


@given(TEXTS)
def test_a_text_has_no_more_tokens_than_the_bound(text: str) -> None:
    assert tokens.count_tokens(text) <= tokens.at_most(text)


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "用户更喜欢使用制表符。我们决定使用 PKCE 登录。" * 20,
        "memory/episodes/2026-02-03.md#L3-L4 a828e60 ERR_CONN_REFUSED\n" * 20,
        "def at(self) -> dict[str, int]:\n    return {}\n" * 20,
    ],
)
def test_the_bound_is_near(text: str) -> None:
    assert tokens.at_most(text) < 2.5 * tokens.count_tokens(text)
    assert tokens.at_most("x" * 5000) == 5000
    assert tokens.at_most("") == 0


def test_prose_loses_little_to_the_bound() -> None:
    assert tokens.at_most(PROSE) < 1.3 * tokens.count_tokens(PROSE)
