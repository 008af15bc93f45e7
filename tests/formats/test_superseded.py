from __future__ import annotations

import pytest

from molt.formats import facts
from molt.formats.prose import superseded

ADA = """---
id: person--ada
---
# Ada

## Facts
- Ada works at the Harbour Bakery (source: episode:2026-02-02:09:00)
- Ada plays chess with Bob

## Relations
- relates-to [[organization--harbour-bakery]] (confidence: medium, since: 2026-02-02)
- knows [[person--bob]]
- lives-in [[place--harbour]]
"""
OLD = "Ada works at the Harbour Bakery"


def list_relations(text: str) -> list[str]:
    return [row for row in text.partition("## Relations\n")[2].split("\n") if row]


def test_a_relation_to_what_a_fact_said_goes_with_it() -> None:
    after = superseded.supersede_fact(ADA, OLD, "2026-03-03", "Ada works at the mill")
    assert list_relations(after) == ["- knows [[person--bob]]", "- lives-in [[place--harbour]]"]
    assert "- Ada works at the mill" in after


@pytest.mark.parametrize(
    ("fact", "by"),
    [
        pytest.param(OLD, "Ada works at the Harbour Bakery on Mondays", id="named again"),
        pytest.param(OLD, "", id="named by another fact that holds"),
        pytest.param("Ada plays chess with Bob", "Ada plays go", id="no value"),
        pytest.param("Ada plays cards", "Ada plays go", id="no such fact"),
    ],
)
def test_other_relations_stay(fact: str, by: str) -> None:
    text = ADA if by else facts.add_fact(ADA, "The Harbour Bakery pays Ada well", "2026-02-03")
    after = superseded.supersede_fact(text, fact, "2026-03-03", by)
    assert list_relations(after) == list_relations(ADA)
    assert after == facts.supersede_fact(text, fact, "2026-03-03", by)
