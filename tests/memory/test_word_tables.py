"""The tables of words that ship: each list is read, and each entry can be met."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import molt
from molt.index.content import variants
from molt.memory.engines import english, rules, tables
from molt.memory.engines.chinese import words as zh
from molt.memory.engines.english import words as en

PACKAGE = Path(molt.__file__).parent
TABLES = sorted(one.stem for one in (PACKAGE.parent / "templates/routing").glob("*.txt"))


def list_entries(name: str, row: str) -> list[str]:
    phrases = tables.load(name).split_cues(row)
    return list(phrases) if len(phrases) > 1 else phrases[0].split()


@pytest.mark.parametrize("name", TABLES)
def test_no_list_has_an_entry_twice(name: str) -> None:
    every = {row: Counter(list_entries(name, row)) for row in tables.load(name).names()}
    twice = {row: [one for one in found if found[one] > 1] for row, found in every.items()}
    assert not {row: found for row, found in twice.items() if found}


@pytest.mark.parametrize(("alias", "module"), [("en", en), ("zh", zh)])
def test_every_list_is_read(alias: str, module: object) -> None:
    code = "\n".join(one.read_text(encoding="utf-8") for one in PACKAGE.rglob("*.py"))
    names = [name for name in vars(module) if name.isupper() and name[0] != "_"]
    assert [name for name in names if f"{alias}.{name}" not in code] == []


def test_english_phrases_are_spelt_as_sentences_are_flattened() -> None:
    lists = [one for one in vars(en).values() if isinstance(one, tuple)]
    phrases = {one for found in lists for one in found if isinstance(one, str) and one[:1] == " "}
    assert [one for one in phrases if english.parse_sentence(f"x{one}y").flat != f" x{one}y "] == []


def test_chinese_entries_are_in_the_signs_that_texts_are_read_in() -> None:
    lists = [one for one in vars(zh).values() if isinstance(one, tuple | frozenset)]
    entries = {one for found in lists for one in found if isinstance(one, str)}
    assert [one for one in entries if variants.simplify_signs(one) != one] == []


@pytest.mark.parametrize(
    ("text", "word"), [("Molt归属Acme。", "part-of"), ("Molt隶属于Acme。", "part-of")]
)
def test_a_chinese_relation_is_told_by_the_words_of_the_table(text: str, word: str) -> None:
    assert [one.word for one in rules.judge_sentence(text)[1].edges] == [word]
