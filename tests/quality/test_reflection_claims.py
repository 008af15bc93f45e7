"""True claims in a model's words come out of the check as written, and no invention does."""

from __future__ import annotations

from pathlib import Path

import claim_sets
import pytest

FOLDER = Path(__file__).parent
SETS = {"reflection_claims": (60, 60, 57), "reflection_claims_2": (40, 40, 38),
        "reflection_claims_3": (40, 40, 37), "reflection_claims_4": (30, 30, 28),
        "reflection_claims_5": (30, 30, 28), "reflection_claims_6": (60, 60, 54),
        "reflection_claims_7": (30, 30, 27)}  # fmt: skip
KNOWN = (
    "和红杉资本开会前一天列问题清单",
    "通宵攀岩由红牛赞助，票价88元",
    "小雅离职以后前台一直缺人手",
    "Mark helps her to prepare.",
    "Faith and April share the mornings",
    "Redo the ablation of chapter 5",
    "First delivery on Thursday",
)
"""Inventions that pass: a name in Chinese that is in no list; one at the beginning of a sentence
that is mostly an ordinary word; a number that the evidence has of another thing; the day of it.
"""


@pytest.mark.parametrize("name", SETS)
def test_what_is_true_stands_as_written_and_what_is_invented_is_out(name: str) -> None:
    data = claim_sets.load(FOLDER / f"{name}.yaml")
    true, invented, least = SETS[name]
    assert (len(data["true"]), len(data["invented"])) == (true, invented)
    lost = [row["text"] for row in data["true"] if not claim_sets.judge(data, row)[0]]
    passed = [row["text"] for row in data["invented"] if claim_sets.judge(data, row)[0]]
    assert [text for text in passed if text not in KNOWN] == []
    assert true - len(lost) >= least, lost


def test_what_was_forgotten_or_is_secret_is_out_whatever_its_evidence_says() -> None:
    data = claim_sets.load(FOLDER / "reflection_claims.yaml")
    data["memories"]["tokens"]["text"] += f" The deploy token is {claim_sets.TOKEN}."
    row = {"as": "fact", "from": ["tokens"], "text": f"The deploy token is {claim_sets.TOKEN}"}
    assert claim_sets.judge(data, row) == (False, "it holds a secret")
