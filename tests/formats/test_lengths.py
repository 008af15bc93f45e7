"""Tokens are counted as tiktoken counts them, and the cheap bound never says less."""

from __future__ import annotations

from base64 import b64decode
from functools import cache

import pytest
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st

from molt import resources, tokens

PROSE = "We chose PKCE for the mobile login, because the old flow kept a secret in the app. " * 20
TEXTS = st.one_of(
    st.text(max_size=200),
    st.text(
        st.sampled_from("ab zé\n\r\t 1²٣’'s_-.,漢字ñ🎉\u0301\u00a0Ⅷ½\x1c\x85\u3000ſ一\ud800"),
        max_size=80,
    ),
    st.lists(st.sampled_from(PROSE.split())).map(" ".join),
)


@cache
def load_encoding() -> tiktoken.Encoding:
    """cl100k_base as tiktoken has it, but for the download."""
    with open(resources.find("data/cl100k_base.tiktoken"), "rb") as file:
        rows = map(bytes.split, file)
        ranks = {b64decode(token): int(rank) for token, rank in rows}
    return tiktoken.Encoding(
        name="cl100k_base",
        pat_str=(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|"
            r" ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
        ),
        mergeable_ranks=ranks,
        special_tokens={},
    )


@given(TEXTS)
@example("x" * 1000)
@example("\ud83c\udf89 \udc00")
@example("<|endoftext|>'LL²½ 12345  \n")
def test_a_text_has_as_many_tokens_as_tiktoken_counts(text: str) -> None:
    assert tokens.count_tokens(text) == len(load_encoding().encode_ordinary(text))


def test_no_ranks_ship_for_other_encodings() -> None:
    with pytest.raises(ValueError, match="no ranks ship for the encoding o200k_base"):
        tokens.count_tokens("a", "o200k_base")


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
