"""The words of a query that ask for something, in English and in other languages."""

from __future__ import annotations

import pytest

from molt.index.content import words


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("¿Quién pintó la Capilla?", ["pintó", "Capilla"]),
        ("que medicina toma mi tia", ["medicina", "toma", "tia"]),
        ("wo hat die Oma die silbernen Loeffel vergraben", ["Oma", "silbernen", "Loeffel"]),
        ("Was ist das für ein Café?", ["Café"]),
        ("qui a joué du piano au mariage ?", ["joué", "piano", "mariage"]),
        ("l'hôtel de mon père", ["hôtel", "père"]),
        ("сколько коз у пастуха?", ["коз", "пастуха"]),
        ("quando è stato vaccinato il gatto?", ["stato", "vaccinato", "gatto"]),
        ("quem tocou piano no casamento?", ["tocou", "piano", "casamento"]),
    ],
)
def test_function_words_of_other_languages_ask_for_nothing(query: str, asked: list[str]) -> None:
    assert words.is_foreign(query)
    assert words.split_terms(query)[: len(asked)] == asked


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("where is Los Angeles", ["Los", "Angeles"]),
        ("a trip to La Paz in Los Alamos", ["trip", "La", "Paz", "Los", "Alamos"]),
        ("what was in the die casting box", ["die", "casting", "box"]),
        ("who wrote the café menu", ["wrote", "café", "menu"]),
        ("AI on AS400", ["AI", "AS400"]),
    ],
)
def test_what_looks_foreign_in_english_is_a_name(query: str, asked: list[str]) -> None:
    assert not words.is_foreign(query)
    assert words.split_terms(query) == asked


def test_two_words_apart_only_by_a_function_word_are_no_pair() -> None:
    assert words.pair_words("wo hat die Oma den Löffel vergraben") == ["Löffel vergraben"]


def test_what_asks_for_a_share_in_chinese_asks_for_no_word() -> None:
    asked = words.split_terms("磁盘用到百分之多少会报警")
    assert {"磁盘", "报警"} <= set(asked)
    assert not {"百分", "分之", "之多", "多少"} & set(asked)


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("What did the user say about gradients?", ["gradients"]),
        ("what have I told you about the red door", ["red", "door"]),
        ("do you remember what we said about gradients?", ["remember", "gradients"]),
        ("what did Ada say about gradients", ["Ada", "say", "gradients"]),
        ("what does the user say", ["user", "say"]),
        ("what did the user say about it", ["user", "say"]),
        (
            "the user says what gradients say about depth",
            ["user", "says", "gradients", "say", "depth"],
        ),
    ],
)
def test_who_asks_what_was_said_asks_for_what_it_was_about(query: str, asked: list[str]) -> None:
    assert words.split_terms(query) == asked


def test_words_that_ask_what_was_said_stand_in_no_pair() -> None:
    assert words.pair_words("what did the user say about steep gradients") == ["steep gradients"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("What breed is Nona?", ["Nona"]),
        ("when did Ana move to New York", ["Ana", "New", "York"]),
        ("Where did I keep The salt", []),
        ("what breed is nona", []),
        ("welche Farbe hat der Wagen von Nona", []),
        ("Nona 是什么品种", []),
    ],
)
def test_a_name_stands_with_a_capital_within_an_english_question(
    query: str, names: list[str]
) -> None:
    assert sorted(words.list_proper_names(query)) == names
