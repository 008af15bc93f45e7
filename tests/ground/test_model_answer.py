from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.untrusted import model_answer

PLAN = {"operations": [{"op": "archive", "memory": "episode:1"}, {"op": "question", "text": "b"}]}
TEXT = json.dumps(PLAN)
INDENTED = json.dumps(PLAN, indent=2)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "\ufeff" + TEXT,
        f"```json\n{INDENTED}\n```",
        f"Here is the plan [1], with {{braces}}:\n\n```json\n{TEXT}\n```\nTell me what you think.",
        f"~~~\n{TEXT}\n~~~",
        f"```json\n{TEXT}",
        f'<think>Perhaps {{"operations": []}}? No.</think>\n{TEXT}',
        f'Perhaps {{"operations": []}}?\n</think>{TEXT}',
        f"<think>never closed\n{TEXT}",
        f"Sure! {TEXT} I hope that this helps: ask me.",
        TEXT.replace("}]", "},]").replace('"}', '",}'),
        INDENTED.replace("{\n", "{ // a plan\n", 1).replace('"archive",', '"archive", /* old */'),
        TEXT.replace('"', "'"),
        TEXT.replace('"op"', "op").replace('"memory"', "memory"),
        TEXT.replace('"archive"', "“archive”"),
        TEXT.removesuffix("]}"),
        TEXT.removesuffix("}"),
        json.dumps(TEXT),
        str(PLAN),
        TEXT.replace('": ', '"：').replace('"op"', "“op”"),
    ],
)
def test_the_value_is_found_whatever_is_around_it(text: str) -> None:
    assert model_answer.parse_answer(text) == PLAN


@pytest.mark.parametrize("text", ["", "   ", "I found nothing.", "{", "a [1", "see {name} there"])
def test_an_answer_without_a_value_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON"):
        model_answer.parse_answer(text)


def test_what_breaks_off_is_left_out_with_its_field() -> None:
    text = (
        '{"operations": [{"op": "question", "text": "Is it so?"}, '
        '{"op": "add-fact", "entity": "person--dana", "fact": "Dana likes no'
    )
    found = model_answer.read_answer(text)
    assert found.cut_off
    assert found.value == {
        "operations": [
            {"op": "question", "text": "Is it so?"},
            {"op": "add-fact", "entity": "person--dana"},
        ]
    }


def test_an_answer_that_is_whole_does_not_break_off() -> None:
    assert not model_answer.read_answer(f"```\n{TEXT[:-1]},}}\n```").cut_off


def test_several_objects_and_lines_of_json_are_a_list() -> None:
    rows = [{"op": "pin", "memory": f"episode:{n}"} for n in range(200)]
    lines = "\n".join(map(json.dumps, rows))
    assert model_answer.parse_answer(lines) == rows
    assert model_answer.parse_answer(f"First {rows[0]} and then {rows[1]}.") == rows[:2]
    fences = "\n".join(f"```json\n{json.dumps(row)}\n```" for row in rows[:3])
    assert model_answer.parse_answer(fences) == rows[:3]


def test_fences_inside_a_text_belong_to_it() -> None:
    value = {"steps": ["run\n```\nmake\n```\nand look", 'it\'s "done"']}
    assert model_answer.parse_answer(json.dumps(value)) == value
    assert model_answer.parse_answer(f"So:\n```json\n{json.dumps(value)}\n```") == value


def test_a_text_without_escapes_is_read_to_its_end() -> None:
    text = '{"fact": "She said "yes" to it", "reason": "so\nit is"}'
    expected = {"fact": 'She said "yes" to it', "reason": "so\nit is"}
    assert model_answer.parse_answer(text) == expected


def test_what_cannot_be_written_or_computed_with_is_not_in_the_value() -> None:
    assert model_answer.parse_answer('{"a": "x\\ud800", "b": NaN, "c": 1e999}') == {
        "a": "x?",
        "b": None,
        "c": None,
    }


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"a":[', "{a:b,", "{", "[{]}", "({"])
def test_what_is_nested_too_deeply_is_read_in_part_or_refused(opening: str) -> None:
    with contextlib.suppress(ValueError):
        model_answer.parse_answer(opening * 2000)


HOSTILE = [
    *("{", "[{", '"a",', "}", '{"a":[', "\\", "{a:b},", "[{]}", "(", "<think>", "```\n{", "{a:"),
    *("{a: ```json ", '{"a":x} ', "{a b ", '["a" "b" ', "{'a':'"),
]


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_in_part_or_refused(piece: str) -> None:
    text = '{"operations": [' + piece * ((1 << 20) // len(piece))
    with contextlib.suppress(ValueError):
        model_answer.parse_answer(text)


@given(st.text(alphabet="{}[]\"':,\\/*`#\n a1“”<>think", max_size=120))
def test_any_text_is_read_or_is_a_value_error(text: str) -> None:
    try:
        model_answer.parse_answer(text)
    except ValueError:
        return


data = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=8), data, min_size=1))
def test_strict_json_is_read_as_it_is(value: object) -> None:
    assert model_answer.parse_answer(json.dumps(value)) == value
    assert model_answer.parse_answer(f"Well:\n```json\n{json.dumps(value)}\n```\nSo.") == value
