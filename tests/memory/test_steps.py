"""A way of doing something, told in a sentence, becomes a title and steps."""

from __future__ import annotations

import pytest

from molt.memory.write.steps import StepList, split_steps


@pytest.mark.parametrize(
    ("text", "title", "steps"),
    [
        ("To ship: 1. test 2. tag 3. push", "To ship", ("test", "tag", "push")),
        ("How to ship: 1.test 2.tag", "Ship", ("test", "tag")),
        ("发布步骤：1、测试2、打标签", "发布步骤", ("测试", "打标签")),
        ("To moor, slow down, then throw the line", "To moor", ("slow down", "throw the line")),
        ("To retry: wait 1.5 s, then 2.5 s", "To retry", ("wait 1.5 s", "2.5 s")),
        ("To upgrade: install 1.2, then 2.0", "To upgrade", ("install 1.2", "2.0")),
        ("To dial: 1. press 0.2. wait 2. hang up", "To dial", ("press 0.2. wait", "hang up")),
    ],
)
def test_a_sentence_is_a_title_and_steps(text: str, title: str, steps: tuple[str, ...]) -> None:
    assert split_steps(text) == StepList(title, steps)


@pytest.mark.parametrize(
    ("text", "title", "steps"),
    [
        ("To ship:\n1. test\n2. push", "To ship", ("test", "push")),
        ("# How to ship\n- test\n  all of it\n- push", "Ship", ("test all of it", "push")),
        ("1. test\n2. push", "test", ("test", "push")),
        ("发布：\n1、测试\n2、打标签", "发布", ("测试", "打标签")),
        ("Shipping:\ntest it\npush it", "Shipping", ("test it", "push it")),
        ("Test it\npush it", "Test it", ("Test it", "push it")),
    ],
)
def test_lines_are_steps_without_their_marks(text: str, title: str, steps: tuple[str, ...]) -> None:
    assert split_steps(text) == StepList(title, steps)
