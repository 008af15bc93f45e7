"""What a message asks of the memory: phrases, payload, and what bounds the work.

How often the model is right is measured in `tests/quality/test_intents.py`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from molt import errors, resources
from molt.memory import triggers
from molt.memory.triggers import detect, phrases, sentences

NASTY = (
    *("remember ", "remember, ", "don't forget ", "please ", "forget ", "from now on ", "what "),
    *("can you ", "keep ", "in mind", "\n", "\n\n", ". ", "? ", "!", ":", "- ", "```\n", "`", '"'),
    *("'", "“", "「", "    ", "> ", "记住", "你还记得", "我之前", "什么", "，", "。", "把", "忘掉"),
    *("İ", "\u0301", "\0", "\ufffc", "\ud7ff", "😀", "x" * 300, "that ", "my memory "),
)


@pytest.mark.parametrize(
    ("text", "intent", "phrase", "payload"),
    [
        ("remember that we chose PKCE", "remember", "remember that", "we chose PKCE"),
        ("please remember that we chose PKCE.", "remember", "remember that", "we chose PKCE."),
        ("记住：测试服务器在三楼", "remember", "记住", "测试服务器在三楼"),
        ("請記住：測試伺服器在三樓", "remember", "記住", "測試伺服器在三樓"),
        ("We chose PKCE, please remember that.", "remember", "remember that", "We chose PKCE"),
        ("We chose PKCE.\nRemember this!", "remember", "Remember this", "We chose PKCE."),
        ("Remember:\n- tabs\n- no emoji\n\nThanks", "remember", "Remember", "- tabs\n- no emoji"),
        ("请记住，我们用 PKCE。", "remember", "记住", "我们用 PKCE。"),
        ("please remember\nthe wifi is abc", "remember", "remember", "the wifi is abc"),
        ("forget what I said about Oslo", "forget", "forget what I said about", "Oslo"),
        ("忘掉我之前的地址", "forget", "忘掉", "我之前的地址"),
        ("Reflect on this week.", "reflect", "Reflect on", "this week."),
        ("do you remember where I parked?", "recall", "do you remember", "where I parked"),
        ("你还记得我叫什么吗？", "recall", "你还记得", "我叫什么吗"),
    ],
)
def test_the_payload_is_cut_out(text: str, intent: str, phrase: str, payload: str) -> None:
    found = triggers.detect_intent(text)
    assert (found.intent, found.phrase, found.payload) == (intent, phrase, payload)
    assert text[slice(*found.span)] == phrase


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my keys",
        "never mind the noise",
        "remember when we sailed to Bergen?",
        "Remember, kids, winter is coming",
        "Forget about the meeting, let's finish this first",
        "From now on I'll run every morning",
        "记得小时候我们常去河边",
        'He wrote "remember that we chose PKCE"',
        "He wrote “remember that we chose PKCE”",
        "他写了“记住测试服务器在三楼”",
        "```\nremember that we chose PKCE\n```",
        "run `remember that` and see",
        "Here:\n\n    remember that we chose PKCE\n",
        "2026-02-02 12:00:01 remember: the session was stored",
        "> remember that we chose PKCE",
        "",
        "?!.,",
    ],
)
def test_what_is_no_request_is_none(text: str) -> None:
    assert triggers.detect_intent(text) == detect.NONE


def test_what_is_asked_in_no_phrase_has_the_message_for_its_payload() -> None:
    text = "Never push to the main branch without asking me"
    assert triggers.detect_intent(text) == detect.Trigger("remember", "", (0, 0), text)


@pytest.mark.parametrize("rest", ["\nFix the bug now.", " Is that clear?", "\n\nThanks"])
def test_what_goes_on_in_the_line_belongs_to_the_payload_and_a_question_does_not(rest: str) -> None:
    found = triggers.detect_intent(f"Remember that Ann is vegan. She eats no eggs.{rest}")
    assert found.payload == "Ann is vegan. She eats no eggs."


@pytest.mark.parametrize(
    "text",
    [
        "Remember:\n- tabs\n- no emoji\n\nThanks",
        "Tea is out.\n\nWe chose PKCE.\nIt is safe.\n\nRemember this!",
        "Remember that Ann is vegan.\n\nShe eats no eggs.",
        "Remember this:\n\nAnn is vegan.\nBob is not.\n\nNow fix it.",
    ],
)
def test_either_kind_of_line_ends_means_the_same(text: str) -> None:
    found = triggers.detect_intent(text)
    other = triggers.detect_intent(text.replace("\n", "\r\n"))
    assert found.intent == other.intent == "remember"
    assert other.payload.replace("\r\n", "\n") == found.payload
    assert other.phrase == found.phrase


def test_a_request_stands_before_or_behind_what_is_pasted() -> None:
    pasted = "他说你记得我。The tea was cold. " * 300
    for text in (f"记住：密码本在三楼。\n{pasted}", f"{pasted}\n记住：密码本在三楼。"):
        assert triggers.detect_intent(text).intent == "remember"


def test_a_phrase_of_a_workspace_is_taken_at_its_word() -> None:
    text = "Forget about the kiln, look at this vase!"
    own = phrases.parse('forget:\n  - "forget about the kiln"\n', "own.yaml")
    assert triggers.detect_intent(text) == detect.NONE
    assert triggers.detect_intent(text, phrases.load_shipped().join(own)).intent == "forget"


def test_a_sense_that_is_no_request_is_one_of_a_workspace_too() -> None:
    text = "Remember that we chose PKCE"
    own = phrases.parse('none:\n  - "remember that"\n', "own.yaml")
    assert triggers.detect_intent(text, phrases.load_shipped().join(own)) == detect.NONE


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(NASTY) | st.text(max_size=5), max_size=60).map("".join))
def test_any_text_has_an_intent_that_stands_in_it(text: str) -> None:
    found = triggers.detect_intent(text)
    assert found.intent in phrases.INTENTS
    assert text[slice(*found.span)] == found.phrase
    assert found.payload in text
    assert found.phrase == "" or found.intent != "none"


@settings(deadline=None, max_examples=40)
@example("    你还记得please ")
@given(st.lists(st.sampled_from(NASTY), min_size=1, max_size=4).map("".join))
def test_the_work_has_an_end(piece: str) -> None:
    long = count_calls(piece * (4_000 // len(piece) + 1))
    huge = count_calls(piece * (200_000 // len(piece) + 1))
    assert huge <= 2 * long + 4_000


def count_calls(text: str) -> int:
    """Return how many functions are called to find the intent of a text."""
    count = 0

    def hear(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(hear)
    try:
        triggers.detect_intent(text)
    finally:
        sys.setprofile(before)
    return count


def test_the_sentences_of_a_text() -> None:
    text = "先看：\n- a.b。好！\n\n是 x？不. no\n好: \n\n"
    folded = sentences.fold_text(text)
    found = [one.plain.strip() for one in sentences.list_sentences(folded)]
    assert found == ["先看:\n- a.b。", "好！", "是 x？", "不.", "no", "好:"]
    assert [text[one.start : one.stop] for one in sentences.list_sentences(folded)][1] == "好！"


@pytest.mark.parametrize("name", phrases.SHIPPED)
def test_the_files_are_read_as_yaml_reads_them(name: str) -> None:
    text = resources.path(f"templates/triggers/{name}.yaml").read_text("utf-8")
    found: dict[str, list[str]] = {}
    for _, key, item in phrases.read_items(text):
        found.setdefault(key, []).append(item)
    assert found == yaml.safe_load(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('remember:\n  - "merke', 2),
        ("remember: [a]\n", 1),
        ('  - "a"\n', 1),
        ('leads:\n  - "bitte"\n', 2),
        ('remember:\n  - "a"b"\n', 2),
        ("#\n" * 70_000, 0),
    ],
)
def test_what_is_no_phrase_is_named_with_file_and_line(text: str, line: int) -> None:
    with pytest.raises(errors.Usage) as raised:
        phrases.parse(text, "triggers/de.yaml")
    assert str(raised.value).startswith(f"triggers/de.yaml:{line}: " if line else "triggers/de")


def test_the_page_tells_what_is_so() -> None:
    page = (Path(__file__).parents[2] / "docs/triggers.md").read_text("utf-8")
    shown = page.split("```console\n")[1].split("```")[0].splitlines()
    for command, said in zip(shown[::2], shown[1::2], strict=True):
        found = triggers.detect_intent(command.split('"')[1])
        assert said in (json.dumps(found.asdict()), found.intent)
    example = next(part for part in page.split("```yaml\n") if part.startswith("# triggers/de"))
    known = phrases.load_shipped().join(phrases.parse(example.split("```")[0], "de.yaml"))
    found = triggers.detect_intent("Bitte merk dir, dass Ann kein Fleisch isst", known)
    assert (found.intent, found.payload) == ("remember", "Ann kein Fleisch isst")
    assert triggers.detect_intent("Vergiss es einfach", known) == detect.NONE
