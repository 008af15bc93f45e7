"""The kind of answer that a question asks for, and how it looks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import molt
from molt.index.search import answers


@pytest.mark.parametrize(
    ("query", "told", "other"),
    [
        ("how much did the boat cost", "bought for €639", "bought in 2024"),
        ("¿Cuánto gana Vera?", "unos 1.900 euros", "desde 2019"),
        ("¿cuánto vale el barco?", "por 639 €", "en 2024"),
        ("combien paie le locataire ?", "750 euros par mois", "depuis 2019"),
        ("was kostet die Fähre", "12 € für zwei", "um 12 Uhr"),
        ("这艘船多少钱", "花了 3,000 元", "买了3艘船"),
        ("what time does the ferry leave", "leaves at 07:40", "leaves on 2024-05-01"),
        ("早上几点开门", "8点开门", "8月开门"),
        ("which email address is on the sign", "vera@example.com", "the address is 5 Mill Lane"),
        ("how long does the crossing take", "takes 40 minutes", "takes 40 people"),
        ("how many pages does the guide have", "312 printed pages", "page 312"),
        ("wie viele Seiten hat das Buch", "312 Seiten", "Kapitel 312"),
        ("¿cuántas órdenes hay?", "385 órdenes", "orden 385"),
        ("录像保留多少天", "超过 30天 删除", "第 30 号录像"),
        ("what percentage is taken", "takes 12.5%", "takes 12.5"),
    ],
)
def test_a_question_asks_for_a_kind_of_answer(query: str, told: str, other: str) -> None:
    kind = answers.find_kind(query)
    assert kind is not None
    assert kind.search(told)
    assert not kind.search(other)


@pytest.mark.parametrize("query", ["who steers the ferry", "谁开船", "", "why is it late"])
def test_what_may_look_like_anything_is_no_kind(query: str) -> None:
    assert answers.find_kind(query) is None


PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
from molt.index.search import above, amounts, answers, attributes
assert answers.find_kind("who steers the ferry to Vera's island") is None
assert attributes.find_fields("who steers the ferry") is None
assert amounts.list_forms("seven million people") != ()
print("re" in sys.modules)
"""


def test_a_question_for_no_kind_of_answer_compiles_no_patterns() -> None:
    command = [sys.executable, "-I", "-S", "-c", PROBE, str(Path(molt.__file__).parents[1])]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
