from __future__ import annotations

import itertools
import math
from array import array
from operator import mul

import pytest

from molt.index.providers.static import Static
from molt.index.search import rank

TEXTS = {
    "chinese": (
        "图书馆的备用钥匙放在门卫室的盒子里。",
        "外婆做红烧肉的时候先炒糖色。",
        "服务器每天凌晨自动备份数据库。",
        "他们下个月要去云南爬雪山。",
    ),
    "thai": (
        "กุญแจห้องสมุดอยู่ในกล่องสีเขียว",
        "คุณยายทำแกงเขียวหวานทุกวันอาทิตย์",
        "เซิร์ฟเวอร์สำรองข้อมูลทุกคืน",
        "พวกเขาจะไปปีนเขาเดือนหน้า",
    ),
    "english": (
        "The spare key of the library lies in a green box.",
        "Grandmother makes curry every Sunday.",
        "The server copies its database each night.",
        "They will climb a mountain next month.",
    ),
}


def measure_cosine(one: bytes, other: bytes) -> float:
    first, second = array("b", one), array("b", other)
    product = float(sum(map(mul, first, second)))
    return product / float(math.hypot(*first) * math.hypot(*second))


@pytest.mark.parametrize("language", TEXTS)
def test_texts_are_not_near_for_being_of_one_language(language: str) -> None:
    vectors = Static().embed(TEXTS[language])
    cosines = [measure_cosine(*pair) for pair in itertools.combinations(vectors, 2)]
    assert sum(cosines) / len(cosines) < rank.TOPIC / 2


def test_a_question_is_nearest_to_what_it_asks_whatever_stands_beside_it() -> None:
    model = Static()
    asked = model.query("外婆怎么做红烧肉？")
    mixed = "Session 2026-02-13: exec completed. 外婆做红烧肉的时候先炒糖色。 OK"
    other = "谁是这届世界杯的金靴？我们下个月去看比赛。"
    near, far = (measure_cosine(asked, one) for one in model.embed([mixed, other]))
    assert near > rank.TOPIC > far


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("圖書館的備用鑰匙在門衛室。", "图书馆的备用钥匙在门卫室。"),
        ("我有兩台ＰＣ電腦", "我有两台PC电脑"),
    ],
)
def test_signs_in_two_forms_are_of_one_meaning(one: str, other: str) -> None:
    first, second = Static().embed([one, other])
    assert measure_cosine(first, second) > 0.99
