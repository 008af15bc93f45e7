"""Who and what is named in Chinese without a surname, and which words only look like names."""

from __future__ import annotations

import pytest

from molt.memory.engines import rules


def find_entities(text: str) -> set[str]:
    return {f"{one.type}:{one.label}" for one in rules.find_route(text).facts.entities}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("隔壁老魏是退休的锁匠", {"person:老魏"}),
        ("明天中午前把发票给赵姐", {"person:赵姐"}),
        ("王总监在管预算", {"person:王总监"}),
        ("阿杰和思琪周末订婚了", {"person:阿杰", "person:思琪"}),
        ("方敏在博世管采购", {"person:方敏", "organization:博世"}),
        ("月底前要去杭州税务局交材料", {"organization:杭州税务局"}),
        ("志豪跟雅婷上周六登记了", {"person:志豪", "person:雅婷"}),
        ("报销归廖会计管", {"person:廖会计"}),
        ("鄭主任管我們整個復健科", {"person:鄭主任"}),
        ("我们昨天到了漠河", {"place:漠河"}),
        ("弟弟上周入职了宁德时代", {"organization:宁德时代"}),
        ("青鸟昨晚十一点多上线了", {"project:青鸟"}),
        ("云雀的事件都存在 Postgres 里", {"project:云雀", "tool:Postgres"}),
    ],
)
def test_a_name_is_found(text: str, named: set[str]) -> None:
    assert find_entities(text) == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("钱总是不够花", set()),
        ("方案总体不错", set()),
        ("高管都在开会", set()),
        ("老路不通了", set()),
        ("小车被撞了", set()),
        ("天天加班", set()),
        ("新来的语文老师很严", set()),
        ("明晨有雨", set()),
        ("他在阳台管花", set()),
        ("新版本昨天发布了", set()),
        ("日志的格式放在 Redis 里", {"tool:Redis"}),
        ("小周和大家昨天去爬山了", {"person:小周"}),
    ],
)
def test_a_word_that_looks_like_a_name_is_none(text: str, named: set[str]) -> None:
    assert find_entities(text) == named
