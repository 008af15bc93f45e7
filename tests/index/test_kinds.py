"""What a question asks a list of, and what a text plainly names a member of."""

from __future__ import annotations

import pytest

from molt.index.search import entities, kinds

TABLE = kinds.load_table()


@pytest.mark.parametrize(
    ("query", "kind", "more"),
    [
        ("Which animals do I have?", "animal", ()),
        ("what pets does Vera keep", "animal", ("vera",)),
        ("What are my hobbies?", "hobby", ()),
        ("List all our projects", "project", ()),
        ("Who are my colleagues?", "colleague", ()),
        ("What kind of instrument does Ines play?", "instrument", ("ines",)),
        ("Do we have any databases?", "database", ()),
        ("which large databases do we run in Riga", "database", ("large", "riga")),
        ("Welche Werkzeuge nutzen wir?", "tool", ()),
        ("¿Qué proyectos hay?", "project", ()),
        ("我有哪些宠物？", "animal", ()),
        ("我有哪些寵物？", "animal", ()),
        ("有哪些项目", "project", ()),
        ("我有什么爱好？", "hobby", ()),
        ("上海有哪些客户？", "customer", ("上海",)),
    ],
)
def test_a_question_for_a_list_names_its_kind(query: str, kind: str, more: tuple[str, ...]) -> None:
    asked = kinds.read_question(query, TABLE)
    assert entities.may_list(query)
    assert asked is not None
    assert (asked.kinds[0], asked.more) == (kind, more)


@pytest.mark.parametrize(
    "query",
    [
        "What did the vet say about the animals?",
        "what is the project about",
        "Who fixed the tools in the shed?",
        "Which animal did I see?",
        "What should I do when tools are missing?",
        "animals in the shelter",
        "How many pets are there?",
        "我穿的运动鞋是什么牌子的？",
        "这个项目是什么时候上线的？",
        "宠物医院在哪里？",
        "Which two small tools did Vera particularly praise in her talk at Riga?",
        "在上海成立并由本地银行出资支持过的有哪些公司？",
        "what",
        "",
    ],
)
def test_other_questions_ask_for_no_list(query: str) -> None:
    assert kinds.read_question(query, TABLE) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Our rabbit is called Mopsy.", ("animal",)),
        ("妹妹养了一只鹦鹉。", ("animal", "family")),
        ("I play the cello in a choir.", ("instrument", "hobby")),
        ("Run cat on the file and pipe it to grep.", ()),
        ("They sell hot dogs at the station.", ()),
        ("Ngozi is our designer.", ("colleague",)),
        ("张敏是我们的产品经理。", ("colleague",)),
        ("天猫的订单已经发货。", ()),
        ("The job is running since noon.", ()),
        ("", ()),
    ],
)
def test_a_text_is_of_the_kinds_whose_members_it_names(text: str, found: tuple[str, ...]) -> None:
    assert kinds.choose_kinds(text, TABLE) == found


def test_what_is_asked_for_by_a_name_is_of_one_kind() -> None:
    known = {*TABLE.members, *TABLE.asked.values()}
    assert all(set(within) <= known for within in TABLE.within.values())
    assert {*TABLE.members} <= {*TABLE.asked.values()}
    assert not {"leads", "between", "plain", "asking", "filling", "none"} & known


def test_a_search_without_a_list_imports_nothing_for_it() -> None:
    assert not entities.may_list("cats of the neighbours")
    assert not entities.may_list("how do I deploy the service")
    assert not entities.may_list("猫在家里")
