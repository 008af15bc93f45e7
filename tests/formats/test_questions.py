"""Golden questions: what a file says, and that an edit changes one question alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from molt.formats import ids, lines
from molt.formats.meta import questions
from molt.formats.meta.questions import GoldenQuestion

PORT = GoldenQuestion("port", "Which port?", ("4711",))
WHO = GoldenQuestion("who", "Who signs?", ("Ada", "Ed25519"), ("entity:person--ada",), 3, ("keys",))
MINE = """\
# What must stay true.

- id: port   # of the staging box
  question: Which port?
  expect: 4711
# Keys.
- id: who
  q: >
    Who
    signs?
  answer: [Ada, Ed25519]
  ids: entity:person--ada
  k: 3
  tags: keys
"""

words = st.text(min_size=1, max_size=20).map(lines.one_line).map(str.strip)
texts = st.lists(words.filter(bool), max_size=3, unique=True).map(tuple)


@st.composite
def golden(draw: st.DrawFn) -> GoldenQuestion:
    asked = draw(words.filter(bool))
    return GoldenQuestion(
        ids.slug(asked),
        asked,
        draw(texts.filter(bool)),
        draw(texts),
        draw(st.integers(1, questions.MOST_RESULTS)),
        draw(texts),
    )


def read(text: str) -> tuple[GoldenQuestion, ...]:
    found = questions.parse_questions(text)
    assert not found.broken
    return found.questions


def test_a_file_is_read_as_people_write_it() -> None:
    found = questions.parse_questions(MINE)
    assert found.questions == (PORT, WHO)
    assert found.problems == ()


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "[]\n", "questions:\n", "questions: []\n"])
def test_a_file_may_have_no_questions(text: str) -> None:
    assert questions.parse_questions(text) == questions.QuestionFile()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- [", id="cut"),
        pytest.param("port: 1\n", id="other-mapping"),
        pytest.param("just words\n", id="words"),
        pytest.param("- &a x\n- *a\n", id="alias"),
        pytest.param("- id: a\n  id: b\n", id="key-twice"),
        pytest.param(f"- question: {'x' * 70_000}\n", id="long"),
        pytest.param("- " * 40 + "x\n", id="deep"),
    ],
)
def test_what_cannot_be_read_says_why(text: str) -> None:
    found = questions.parse_questions(text)
    assert found.broken
    assert found.questions == ()


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("Which port?", "not a mapping"),
        ("{expect: x}", "no `question`"),
        ("{question: x}", "any answer would do"),
        ("{question: x, expect: [[y]]}", "no text"),
        ("{question: x, expect: y, kk: 3}", "unknown key 'kk'"),
        ("{question: x, expect: y, k: 0}", "from 1 to 100"),
        ("{question: x, expect: y, k: true}", "from 1 to 100"),
        ("{question: x, expect: yes}", "put them in quotes"),
        ("{question: x, expect: 3.10}", "put them in quotes"),
        (f"{{question: x, expect: {'y' * 1001}}}", "more than 1,000 characters"),
        (f"{{question: x, expect: [{', '.join(map(str, range(30)))}]}}", "more than 20 texts"),
    ],
)
def test_what_is_wrong_with_one_question_is_told_and_the_others_are_asked(
    item: str, said: str
) -> None:
    found = questions.parse_questions(f"- {item}\n- {{question: Which port, expect: 4711}}\n")
    assert [one for one in found.problems if said in one and one.startswith("question 1: ")]
    assert found.questions[-1].expect == ("4711",)


def test_an_id_that_stands_twice_hides_no_question() -> None:
    item = "- {id: a, question: x, expect: y}\n"
    found = questions.parse_questions(item * 3)
    assert [one.id for one in found.questions] == ["a", "a-2", "a-3"]
    assert len(found.problems) == 2


def test_two_names_of_a_part_are_both_read() -> None:
    assert read("- {question: x, expect: y, answer: z}\n")[0].expect == ("y", "z")


def test_a_question_without_an_id_is_called_by_its_words() -> None:
    first, second = read("- {question: x, expect: y}\n- {question: z, expect: y}\n")
    assert first.id == questions.name_question("x") != second.id


@given(st.lists(golden(), max_size=4, unique_by=lambda one: one.id).map(tuple))
@settings(deadline=None, max_examples=40)
def test_what_is_written_is_what_is_read(every: tuple[GoldenQuestion, ...]) -> None:
    assert read(questions.render_questions(every)) == every


@given(st.text(max_size=80))
@settings(deadline=None, max_examples=60)
def test_any_text_is_read_without_an_error(text: str) -> None:
    questions.parse_questions(text)


def test_a_question_is_added_at_the_end() -> None:
    made = questions.add_question(MINE, PORT.replace(id="other"))
    assert made == MINE + '\n- id: other\n  question: "Which port?"\n  expect: ["4711"]\n'
    assert questions.add_question("", PORT) == questions.render_questions((PORT,))


@pytest.mark.parametrize(
    "text",
    [
        "questions:\n    - id: a\n      question: x\n      expect: y",
        "- id: a\r\n  question: x\r\n  expect: y\r\n",
        "# mine\n",
    ],
)
def test_the_form_of_a_file_stays_when_one_is_added(text: str) -> None:
    made = questions.add_question(text, PORT)
    assert made.startswith(text)
    assert read(made) == (*read(text), PORT)


@pytest.mark.parametrize(
    "text", ["- [\n", "[{id: a, question: x, expect: y}]\n", questions.render_questions((PORT,))]
)
def test_what_cannot_be_appended_to_is_left_alone(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        questions.add_question(text, PORT)


def test_a_question_is_removed_and_no_other_line() -> None:
    left = "# What must stay true.\n\n# Keys.\n" + MINE.partition("# Keys.\n")[2]
    assert questions.remove_question(MINE, "port") == left
    assert questions.remove_question(MINE, "who") == MINE.partition("- id: who")[0]


def test_a_question_that_looks_like_two_is_removed_whole() -> None:
    text = "- id: a\n  question: |\n    one\n    - two\n  expect: y\n- {id: b, q: x, expect: y}\n"
    assert [one.id for one in read(questions.remove_question(text, "a"))] == ["b"]


@pytest.mark.parametrize("text", ["- [\n", "[{id: a, question: x, expect: y}]\n", ""])
def test_what_cannot_be_taken_out_by_lines_is_left_alone(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        questions.remove_question(text, "a")
