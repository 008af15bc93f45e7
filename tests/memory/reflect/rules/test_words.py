"""Texts are compared by their words, whatever signs stand between them."""

from __future__ import annotations

import pytest

from molt.memory.reflect.rules.words import fold_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ann's dog, Bo!", {"ann", "s", "dog", "bo"}),
        ("Ann’s dog — Bo", {"ann", "s", "dog", "bo"}),
        ("Straße in Zürich", {"strasse", "in", "zürich"}),
        ("用 Docker 部署。", {"docker", "部署"}),
        ("住在上海", {"住在", "在上", "上海"}),
        ("…", set()),
    ],
)
def test_words_are_folded_by_their_script(text: str, words: set[str]) -> None:
    assert fold_words(text) == words
