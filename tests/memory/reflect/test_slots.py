"""Two statements clash where they differ in one value, and in nothing that names the thing."""

from __future__ import annotations

import pytest

from molt.memory.reflect.certain import slots
from molt.memory.reflect.certain.slots import ComparedSentence


def find(first: str, second: str, about: tuple[str, str] = ("", "")) -> list[str]:
    told = [
        ComparedSentence(first, "episode:1", about[0]),
        ComparedSentence(second, "episode:2", about[1]),
    ]
    return [one.kind for one in slots.find_clashes(told)]


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("My daughter Liv has a recital on 5 May", "Liv's recital is moved to 6 May", "date"),
        ("The deadline of the grant is 5 May", "The deadline is 9 May", "date"),
        ("The deadline is 5 May", "The deadline moved to 9 May", "date"),
        ("Ann's birthday is on March 12", "Ann's birthday is March 14", "date"),
        ("The release is planned for 12 March", "We moved the release to 19 March", "date"),
        ("Acme's contract ends on 2026-05-31", "The contract with Acme ends on 2026-06-30", "date"),
        ("The standup is at 10:15", "The standup is at 9:30", "date"),
        ("The standup is on Monday", "The standup is on Tuesday", "date"),
        ("The well is 14 metres deep", "The well is 16 metres deep", "number"),
        ("I pay 1,450 euros of rent", "I pay 1,500 euros of rent", "number"),
        ("The port of the gateway is 8080", "The port of the gateway is 9090", "number"),
        ("The lease runs for 12 months", "The lease runs for 24 months", "number"),
        ("The budget is 40,000 euros", "The budget for the kitchen is 45,000 euros", "number"),
        ("The cache of Heron holds 512 MB", "The cache of Heron holds 1024 MB", "number"),
        ("I live in Berlin", "I live in Lisbon", "name"),
        ("Ann works at Google", "Ann works at Meta", "name"),
        ("My dentist is Dr. Weber", "My dentist is Dr. Klein", "name"),
        ("The team is led by Dana Whitfield", "The team is led by Priya Nair", "name"),
        ("项目的截止日期是3月5日", "项目截止日期改到3月12日", "date"),
        ("会议时间是下午3点", "会议时间是下午4点", "date"),
        ("预算是40000元", "预算是45000元", "number"),
    ],
)  # fmt: skip
def test_two_values_of_one_attribute_clash(first: str, second: str, kind: str) -> None:
    assert find(first, second) == [kind]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Invoice 1044 is due on 5 May", "Invoice 1045 is due on 9 May"),
        ("I paid invoice 1044", "I paid invoice 1045"),
        ("Ann likes tea", "Bob likes tea"),
        ("Ann's birthday is 5 May", "Bob's birthday is 6 May"),
        ("Table 4 seats 6 people", "Table 5 seats 6 people"),
        ("Flight LH 400 lands at 10:15", "Flight LH 401 lands at 11:40"),
        ("Python 3.11 is on the server", "Python 3.12 is on the server"),
        ("Ticket OPS-4712 is open", "Ticket OPS-4713 is open"),
        ("The first run took 12 minutes", "The second run took 14 minutes"),
        ("Liv visited the museum on 5 December", "Liv visited the zoo on 6 December"),
        ("Liv has a math exam on 5 Dec", "Liv has a history exam on 6 Dec"),
        ("Server alpha runs on 10.0.0.4", "Server beta runs on 10.0.0.5"),
        ("Dana manages the platform team", "Priya manages the mobile team"),
        ("We sold the boat on 12 March", "We painted the boat on 19 March"),
        ("The clinic opens on 5 May", "The clinic closes on 9 May"),
        ("I met Ann", "I met Bob"),
        ("小明的生日是5月3日", "小红的生日是6月4日"),
        ("发票1044已付款", "发票1045已付款"),
        ("3号房间住了2人", "4号房间住了2人"),
    ],
)
def test_two_things_of_one_shape_do_not_clash(first: str, second: str) -> None:
    assert find(first, second) == []
    assert find(first, first) == []


def test_facts_of_two_entities_do_not_clash() -> None:
    said = ("was founded in 2017", "was founded in 2023")
    assert find(*said, about=("Acme", "Nordquay")) == []
    assert find(*said, about=("Acme", "Acme")) == ["date"]


def test_a_series_of_readings_is_no_attribute() -> None:
    told = [ComparedSentence(f"The tank holds {at} litres", f"episode:{at}") for at in range(1, 7)]
    assert not list(slots.find_clashes(told))


def test_many_statements_in_chinese_are_no_series() -> None:
    told = [
        ComparedSentence("开业日期是5月12日", "episode:1"),
        ComparedSentence("租金是8000元", "episode:2"),
        ComparedSentence("押金是9000元", "episode:3"),
        ComparedSentence("面积是90平米", "episode:4"),
        ComparedSentence("开业日期是5月18日", "episode:5"),
    ]
    assert [one.values for one in slots.find_clashes(told)] == [("5月12", "5月18")]


def test_a_sentence_that_counts_days_from_its_own_does_not_stand_alone() -> None:
    assert slots.holds_alone("The well is 14 metres deep.")
    assert not slots.holds_alone("The well was cleaned yesterday.")
    assert not slots.holds_alone("Is the well deep?")
