"""What the words of a memory are: orders for all time, and what somebody prefers."""

from __future__ import annotations

import pytest

from molt.index.content import speakers


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("Always sign the parcels.", speakers.STANDING),
        ("Money rule: never discuss prices.", speakers.STANDING),
        ("Mission: parcels > Rules\n- **Money rule**: Never discuss prices.", speakers.STANDING),
        ("Mission: parcels > Rules\n- 价格: 千万不要告诉客户", speakers.STANDING),
        ("I prefer tea.", speakers.PREFERS),
        ("Mission: parcels > Log\n- Prices: we never discussed them.", 0),
    ],
)
def test_an_order_may_have_a_name(text: str, flag: int) -> None:
    assert speakers.turn_flags("", text) & (speakers.STANDING | speakers.PREFERS) == flag
