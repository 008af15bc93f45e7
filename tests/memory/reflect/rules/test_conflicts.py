"""What changes takes the place of what was; what only contradicts it is asked."""

from __future__ import annotations

import pytest
from told import CORE, apply_found, make_told, propose

from molt import trees
from molt.memory.reflect.rules import attributes

ANN = "---\nid: person--ann\ntype: person\nlabel: Ann\n---\n# Ann\n\n## Facts\n- {fact}\n"
PATH = "memory/graph/entities/person--ann.md"


@pytest.mark.parametrize(
    ("text", "subject", "name", "value"),
    [
        ("I live in Turin", "Ann", "home", "turin"),
        ("Priya moved to New Delhi last year", "Priya", "home", "newdelhi"),
        ("I moved from Hamburg to New Delhi last week", "Ann", "home", "newdelhi"),
        ("I'm working at Brightwater", "Ann", "work", "brightwater"),
        ("Tomas is 31 years old", "Tomas", "age", "31"),
        ("My birthday is 4 May", "Ann", "birthday", "4may"),
        ("Priya's favourite tea is oolong", "Priya", "favourite-tea", "oolong"),
        ("The budget of Halcyon is 4,000 euros", "Halcyon", "budget", "4000euros"),
        ("城市摄影大会的地点是苏州", "城市摄影大会", "地点", "苏州"),
        ("我将要参加的摄影大会的地点是苏州", "摄影大会", "地点", "苏州"),
        ("我下周要去的诊所的电话是021", "诊所", "电话", "021"),
        ("我的妹妹的生日是五月四日", "妹妹", "生日", "五月四日"),
        ("我的生日是五月四日", "Ann", "生日", "五月四日"),
        ("陈静是我的表姐，其年龄是31岁", "陈静是我的表姐", "年龄", "31岁"),
        ("我现在住在云杉花园", "Ann", "home", "云杉花园"),
        ("我住的那个小区，叫云杉花园。", "Ann", "home", "云杉花园"),
    ],
)
def test_an_attribute_is_read(text: str, subject: str, name: str, value: str) -> None:
    found = attributes.read_attribute(text, "Ann")
    assert found is not None
    assert (found.subject, found.name, found.value) == (subject, name, value)


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Turin?",
        "I have 3.",
        "I lived in Turin as a child",
        "My favourite is the green one",
        "我很喜欢苏州",
        "We were 3",
    ],
)
def test_what_there_may_be_several_of_is_no_attribute(text: str) -> None:
    assert attributes.read_attribute(text, "Ann") is None


def test_what_has_changed_takes_the_place_of_what_was() -> None:
    material = make_told(
        "Ann: I moved to Turin.", **{"person--ann": ANN.format(fact="lives in Oslo")}
    )
    text = trees.read_text(apply_found(material), PATH)
    assert "- ~~lives in Oslo~~ (until 2026-02-03; now: Ann moved to Turin" in text
    assert "- Ann moved to Turin (source: episode:2026-02-02:09:00)" in text


def test_what_contradicts_is_asked_and_is_no_fact() -> None:
    found = propose("Ann: I live in Turin.", **{"person--ann": ANN.format(fact="lives in Oslo")})
    (asked,) = [one for one in found if one.op == "contradiction"]
    assert (asked.text("first"), asked.text("about")) == ("lives in Oslo", "Ann")
    assert "Turin" in asked.text("second")
    assert [one.op for one in found] == ["contradiction"]


def test_two_episodes_of_a_day_may_contradict_each_other() -> None:
    found = propose("城市摄影大会的地点是苏州。", "城市摄影大会的地点是无锡。")
    assert "contradiction" in [one.op for one in found]
    assert not any("无锡" in fact for one in found for fact in one.texts("facts"))


def test_what_one_memory_says_contradicts_nothing_in_it() -> None:
    found = propose("Ann: I live in Oslo. I live in Turin with Bo.")
    assert "contradiction" not in [one.op for one in found]


def test_the_same_value_in_other_words_contradicts_nothing() -> None:
    found = propose(
        "Ann: I live in New Delhi.", **{"person--ann": ANN.format(fact="lives in New Delhi.")}
    )
    assert "contradiction" not in [one.op for one in found]


def test_a_bullet_that_has_changed_is_reworded() -> None:
    core = CORE.replace("## Identity\n", "## Identity\n- I live in Oslo\n")
    text = trees.read_text(apply_found(make_told("I moved to Turin.", core=core)), "MEMORY.md")
    assert "I live in Oslo" not in text
    assert "- I moved to Turin (source: episode:2026-02-02:09:00)" in text
