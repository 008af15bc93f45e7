"""How often the shipped model routes a text rightly that it was not fitted to."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt.memory.engines.classify import Classification, classify_text

SETS = Path(__file__).parent / "sets"
LEAST = {"store": 0.9, "type": 0.9, "block": 0.85}
"""The least share of right answers; a block counts for the texts that belong in core memory."""


def read_places() -> list[tuple[str, str, str, str]]:
    rows = (line.split("\t") for line in (SETS / "stores.tsv").read_text("utf-8").splitlines())
    return [(store, kind, block, text) for store, kind, block, text in rows]


def test_texts_are_routed_rightly() -> None:
    rows = read_places()
    assert len(rows) >= 240
    answers = [classify_text(text) for *_, text in rows]
    pairs = list(zip(rows, answers, strict=True))
    core = [(row, answer) for row, answer in pairs if row[0] == "core"]
    shares = {
        "store": sum(row[0] == answer.store for row, answer in pairs) / len(pairs),
        "type": sum(row[1] == answer.type for row, answer in pairs) / len(pairs),
        "block": sum(row[::2][:2] == (answer.store, answer.block) for row, answer in core)
        / len(core),
    }
    for name, least in LEAST.items():
        assert shares[name] >= least, shares


def test_no_statement_is_lost() -> None:
    texts = (SETS / "statements.txt").read_text("utf-8").splitlines()
    assert len(texts) >= 60
    assert [text for text in texts if classify_text(text).store == "none"] == []


@pytest.mark.parametrize("text", ["", "?", "\ud800", "\0", "x" * 100_000, "记" * 5_000])
def test_any_text_has_a_place(text: str) -> None:
    answer = classify_text(text)
    assert isinstance(answer, Classification)
    assert answer.block or answer.store == "none"
    assert 0 <= answer.store_confidence <= 1.000001


def test_both_chinese_scripts_are_one() -> None:
    assert classify_text("我對花生過敏") == classify_text("我对花生过敏")
