"""What a message asks of the memory: how often that is found, what is cut out, what bounds it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from molt import errors, resources
from molt.memory import triggers
from molt.memory.triggers import detect, guess, pattern, phrases, sentences

SET = Path(__file__).parent / "data" / "triggers.tsv"
LEAST = {"remember": 0.95, "forget": 0.9, "recall": 0.9, "reflect": 0.9}
"""Least precision, and least recall, of each intent on the labelled set."""
MOST_ALARMS = 0.02
NASTY = (
    *("remember ", "remember, ", "don't forget ", "please ", "forget ", "from now on ", "what "),
    *("can you ", "keep ", "in mind", "\n", "\n\n", ". ", "? ", "!", ":", "- ", "```\n", "`", '"'),
    *("'", "“", "「", "    ", "> ", "记住", "你还记得", "我之前", "什么", "，", "。", "把", "忘掉"),
    *("İ", "\u0301", "\0", "\ufffc", "\ud7ff", "😀", "x" * 300, "that ", "my memory "),
)


def read_set() -> list[tuple[str, str]]:
    rows = (line.split("\t") for line in SET.read_text("utf-8").splitlines()[1:])
    return [(label, text.replace("\\n", "\n")) for label, text in rows]


def test_the_labelled_set_is_found() -> None:
    rows = read_set()
    assert len(rows) >= 250
    found = Counter((label, triggers.detect_intent(text).intent) for label, text in rows)
    wrong = sum(count for (label, got), count in found.items() if label == "none" != got)
    assert wrong <= MOST_ALARMS * sum(label == "none" for label, _ in rows)
    for intent, least in LEAST.items():
        right = found[intent, intent]
        assert right >= least * sum(count for (_, got), count in found.items() if got == intent)
        assert right >= least * sum(label == intent for label, _ in rows)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("what was the name of the hotel I mentioned last month?", "recall"),
        ("Look in your notes for the code of the garage", "recall"),
        ("上个月我提到的那本书叫什么名字？", "recall"),
        ("forget what I just said", "forget"),
        ("please review and tidy up your memory", "reflect"),
        ("你記著，會議改到星期三", "remember"),
        ("translate to German: do you remember the war?", "none"),
        ("幫我把這段翻成英文：你還記得我嗎？", "none"),
        ("review your notes before the exam", "none"),
        ("Flush your memory of the sandbox account", "forget"),
        ("Forget me. I'm closing my account", "forget"),
        ("forget me not is a flower", "none"),
        ("We meet at ten. Retain that.", "remember"),
        ("忘了它", "forget"),
        ("你忘了我的生日", "none"),
        ("你忘了我的生日吧", "forget"),
        ("restore what I said about the garden", "recall"),
        ("un-forget my address", "recall"),
        ("undo the forgetting of my address", "recall"),
        ("restore the database from the last backup", "none"),
        ("恢复我说的关于花园的内容", "recall"),
        ("恢复关于花园的记忆", "recall"),
        ("恢复数据库", "none"),
    ],
)
def test_an_intent_in_other_words(text: str, intent: str) -> None:
    assert triggers.detect_intent(text).intent == intent


@pytest.mark.parametrize(
    ("text", "intent", "phrase", "payload"),
    [
        ("remember that we chose PKCE", "remember", "remember that", "we chose PKCE"),
        ("记住：测试服务器在三楼", "remember", "记住", "测试服务器在三楼"),
        ("請記住：測試伺服器在三樓", "remember", "記住", "測試伺服器在三樓"),
        ("We chose PKCE, please remember that.", "remember", "remember that", "We chose PKCE"),
        ("We chose PKCE.\nRemember this!", "remember", "Remember this", "We chose PKCE."),
        ("don't forget to ask Ann", "remember", "don't forget to", "ask Ann"),
        ("Keep the cap of 3,000 in mind", "remember", "Keep the cap of 3,000 in mind", "the cap"),
        ("Call me Ann from now on", "remember", "Call me Ann from now on", "Call me Ann"),
        ("Remember:\n- tabs\n- no emoji\n\nThanks", "remember", "Remember", "- tabs\n- no emoji"),
        (
            "remember: https://example.org/a?b=c!d",
            "remember",
            "remember",
            "https://example.org/a?b=c!d",
        ),
        ("please remember\nthe wifi is abc", "remember", "please remember", "the wifi is abc"),
        ("你好吗？Remember that I left", "remember", "Remember that", "I left"),
        ("could you note that 4.5 is the pH, ok?", "remember", "note that", "4.5 is the pH"),
        ("forget what I said about Oslo", "forget", "forget what I said about", "Oslo"),
        ("the rule on tabs is no longer valid", "forget", "is no longer valid", "the rule on tabs"),
        ("忘掉我之前的地址", "forget", "忘掉", "我之前的地址"),
        ("Reflect on this week.", "reflect", "Reflect on this week", ""),
        ("do you remember where I parked?", "recall", "do you remember", "where I parked?"),
        ("Please never book flights before nine", "remember", "never book", "never book flights"),
        ("Don't ever send it unread", "remember", "Don't ever send", "Don't ever send it unread"),
        (
            "whenever I paste a log, give me the cause first",
            "remember",
            "whenever I paste a log, give",
            "whenever I paste a log, give me the cause first",
        ),
        ("House rule: no phones at dinner", "remember", "House rule", "no phones at dinner"),
        ("I live in York, fix your notes", "remember", "fix your notes", "I live in York"),
        ("what did we decide on tabs?", "recall", "what did we decide", "what did we decide on"),
        ("你还记得我叫什么吗", "recall", "你还记得", "我叫什么"),
    ],
)
def test_the_payload_is_cut_out(text: str, intent: str, phrase: str, payload: str) -> None:
    found = triggers.detect_intent(text)
    assert found.intent == intent
    assert found.phrase == phrase == text[slice(*found.span)]
    assert payload in found.payload
    assert found.payload in text


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my keys",
        "never mind the noise",
        "remember when we sailed to Bergen?",
        "I can't forget that evening",
        "I never said to remember this",
        'He wrote "remember that we chose PKCE"',
        "He wrote “remember that we chose PKCE”",
        "他写了“记住测试服务器在三楼”",
        "```\nremember that we chose PKCE\n```",
        "run `remember that` and see",
        "Here:\n\n    remember that we chose PKCE\n",
        "2026-02-02 12:00:01 remember: the session was stored",
        "> remember that we chose PKCE",
        "remember",
        "",
        "?!.,",
    ],
)
def test_what_is_no_request_is_none(text: str) -> None:
    assert triggers.detect_intent(text) == detect.NONE


@pytest.mark.parametrize(
    "text",
    [
        "Remember:\n- tabs\n- no emoji\n\nThanks",
        "Tea is out.\n\nWe chose PKCE.\nIt is safe.\n\nRemember this!",
        "Remember that Ann is vegan.\n\nShe eats no eggs.",
        "We chose PKCE, please remember that.\nThanks",
        "Remember this:\n\nAnn is vegan.\nBob is not.\n\nNow fix it.",
        f"Remember that {'a long way ' * 6}\ngoes on here. Fix it.",
    ],
)
def test_either_kind_of_line_ends_means_the_same(text: str) -> None:
    found = triggers.detect_intent(text)
    other = triggers.detect_intent(text.replace("\n", "\r\n"))
    assert found.intent == other.intent == "remember"
    assert other.payload.replace("\r\n", "\n") == found.payload
    assert other.phrase == found.phrase


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("You'll need this later: the roofer is called Ruben", "remember"),
        ("I would feel better if my address were gone from your notes", "forget"),
        ("The caterer I told you of, how is she called?", "recall"),
        ("这条留着以后用：锁匠周一不上班", "remember"),
        ("那条关于锁匠的可以删了", "forget"),
        ("我之前存的锁匠号码是几", "recall"),
    ],
)
def test_what_is_asked_in_no_phrase_is_guessed(text: str, intent: str) -> None:
    found = triggers.detect_intent(text)
    assert detect.find_trigger(text, phrases.load_shipped()) == detect.NONE
    assert (found.intent, found.phrase, found.span) == (intent, "", (0, 0))
    assert found.payload == text


@pytest.mark.parametrize(
    "text",
    [
        "No more emojis in your answers, ever",
        "Treat me as a beginner whenever we do maths",
        "I moved last month, overwrite the old address with 3 Mill Lane",
        "My locker is number 4471, keep that for me",
        "每次我贴报错，都先讲原因",
        "永远不要直接推到主分支",
        "不是周三，是周四，你记错了，改过来",
        "今天開會定了，用方案B，記錄在案",
    ],
)
def test_orders_for_good_and_corrections_are_to_be_remembered(text: str) -> None:
    assert triggers.detect_intent(text).intent == "remember"


@pytest.mark.parametrize(
    "text",
    [
        "Always look on the bright side of life",
        "Never say never",
        "Whenever I see her, she is on the phone",
        "Stop asking me, he yelled",
        "My boss wants us to always use tabs",
        "Should I always use tabs?",
        "Use tabs in this file",
        "Every time I run the tests they fail",
        "Fix the second line",
        "每次编译都报这个错",
        "这次用表格就行",
    ],
)
def test_what_only_sounds_like_an_order_for_good_is_none(text: str) -> None:
    assert triggers.detect_intent(text) == detect.NONE


def test_what_is_asked_in_one_of_many_clauses_is_heard() -> None:
    text = (
        "The roof was mended in May, by two men from Hull, and the bill was 900, which we paid in"
        " two parts, the second in June, so please hang on to that."
    )
    assert triggers.detect_intent(text).intent == "remember"


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("keep it", []),
        ("it is 1,000 at 8:30, keep it", ["it is 1,000 at 8:30,", "keep it"]),
        ("well - keep it! ok?", ["well -", "keep it!", "ok?"]),
        ("密码是a.b,记下。谢谢", ["密码是a.b,", "记下。", "谢谢"]),
        ("我在三楼 记下", ["我在三楼", "记下"]),
        ("?!", []),
        ("", []),
    ],
)
def test_the_clauses_of_a_message(text: str, clauses: list[str]) -> None:
    assert guess.list_parts(text) == [text, *clauses]


@pytest.mark.parametrize(
    "text",
    [
        "Forget the kiln, look at this vase!",
        "Sure, I'll note that down and we will call you back",
        "I remember that album came out in 1998",
        "好的，都记下了，谢谢推荐",
        "Hold on to the railing",
        "recall",
    ],
)
def test_what_only_sounds_like_a_request_is_none(text: str) -> None:
    assert triggers.detect_intent(text) == detect.NONE


@pytest.mark.parametrize(
    "text",
    [
        "Don't write that down",
        "do not record this anywhere",
        "please don't make a note of that",
        "There is no need to remember that.",
        "don't keep it in memory",
        "This is off the record.",
        "Off the record: I'm quitting",
    ],
)
def test_what_is_not_to_be_kept_is_not_guessed_to_be(text: str) -> None:
    assert triggers.detect_intent(text).intent == "forget"


def test_what_phrases_of_a_workspace_say_is_no_guess() -> None:
    text = "Forget the kiln, look at this vase!"
    own = phrases.load_text('forget:\n  - "forget the kiln TEXT"\n', "own.yaml")
    assert triggers.detect_intent(text, phrases.load_shipped().join(own)).intent == "forget"


def test_of_a_long_message_nothing_is_guessed() -> None:
    text = "You'll need this later: the roofer is called Ruben"
    assert triggers.detect_intent(f"{text}. {'The tea was cold. ' * 18}") == detect.NONE


def test_what_goes_on_belongs_to_the_payload_and_another_order_does_not() -> None:
    found = triggers.detect_intent("Remember that Ann is vegan. She eats no eggs. Fix the bug now.")
    assert found.payload == "Ann is vegan. She eats no eggs."


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("please remember that we chose PKCE", "we chose PKCE"),
        ("Hey, could you note that tea is out?\nIt was Ann.", "tea is out?\nIt was Ann."),
        ("请记住，我们用 PKCE。", "我们用 PKCE。"),
        ("We chose PKCE, please remember that.", "We chose PKCE"),
        ("Ann is here. Remember that she is vegan.", "Ann is here. Remember that she is vegan."),
        ("we chose PKCE", "we chose PKCE"),
        ("remember", "remember"),
        ("do you remember PKCE?", "do you remember PKCE?"),
    ],
)
def test_the_phrase_at_the_head_or_the_end_is_cut(text: str, cut: str) -> None:
    assert triggers.cut_phrase(text) == cut


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(NASTY) | st.text(max_size=5), max_size=60).map("".join))
def test_any_text_has_an_intent_that_stands_in_it(text: str) -> None:
    found = triggers.detect_intent(text)
    assert found.intent in phrases.INTENTS
    assert text[slice(*found.span)] == found.phrase
    assert found.payload in text
    assert found.phrase == "" or found.intent != "none"
    assert triggers.cut_phrase(text) in text


@settings(deadline=None, max_examples=40)
@example("    你还记得please ")
@given(st.lists(st.sampled_from(NASTY), min_size=1, max_size=4).map("".join))
def test_the_work_grows_with_the_text_and_has_an_end(piece: str) -> None:
    known = phrases.load_shipped()
    short = count_calls(piece * (1_000 // len(piece) + 1), known)
    long = count_calls(piece * (4_000 // len(piece) + 1), known)
    huge = count_calls(piece * (1_000_000 // len(piece) + 1), known)
    assert long <= 6 * short + 2_000
    assert huge <= 6 * long + 40_000


def test_of_a_sentence_without_a_request_no_other_sense_is_looked_for() -> None:
    known = phrases.load_shipped()
    text = "我忘了带钥匙，你说这件事怎么办。我记得他们上次也是这样，以后再说吧。" * 60
    assert count_calls(text[:2_000], known) <= 3 * 2_000


@pytest.mark.parametrize(
    "piece",
    [
        pytest.param("记住了吗。", id="phrases in another sense"),
        pytest.param("他说你记得我。", id="words of phrases"),
        pytest.param("do not forget me. ", id="English"),
    ],
)
def test_of_many_sentences_that_ask_for_nothing_the_first_and_the_last_are_read(piece: str) -> None:
    known = phrases.load_shipped()
    text = piece * 300
    assert count_calls(text, known) <= 12_000
    for asked in (f"记住：密码本在三楼。{text}", f"{text}\n记住：密码本在三楼。"):
        assert triggers.detect_intent(asked).intent == "remember"


def test_sentences_of_a_text_are_told_apart_whatever_stands_between_them() -> None:
    text = "先看：\n- a.b。好！\n\n是 x？不. no\n好: \n\n"
    folded = sentences.fold_text(text, {})
    found = list(sentences.read_sentences(folded.plain, folded.chars, 5))
    assert [one.words[one.first : one.stop] for one in found] == [
        ["先", "看", ":", "\0", "-", "a.b"],
        ["好"],
        ["是", "x"],
        ["不"],
        ["no"],
        ["好", ":", "\0"],
    ]
    assert [one.asked for one in found] == [False, False, True, False, False, False]
    begin, end = found[3].find_places()[found[3].first]
    assert text[begin - 5 : end - 5] == "不"


@pytest.mark.parametrize(
    ("text", "endings"),
    [
        ("please", {("please",)}),
        ("(can|could) you [please]", {("can", "you"), ("could", "you"), ("you", "please")}),
        ("by the way", {("the", "way")}),
        ("hey _ ,", {("", ",")}),
        ("so ...", {("", "")}),
    ],
)
def test_the_last_words_of_what_leads_to_a_request(
    text: str, endings: set[tuple[str, ...]]
) -> None:
    assert pattern.find_endings(pattern.parse(text, {})) == endings


def count_calls(text: str, known: phrases.Phrases) -> int:
    """How many functions are called to find the intent of a text."""
    count = 0

    def hear(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(hear)
    try:
        triggers.detect_intent(text, known)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", phrases.SHIPPED)
def test_the_files_are_read_as_yaml_reads_them(name: str) -> None:
    text = resources.path(f"templates/triggers/{name}.yaml").read_text("utf-8")
    found: dict[str, list[str]] = {}
    for _, key, item in phrases.read_items(text):
        found.setdefault(key, []).append(item)
    assert found == yaml.safe_load(text)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('remember:\n  - "merke TEXT', 2, "neither"),
        ("remember: [a]\n", 1, "neither"),
        ('  - "a"\n', 1, "neither"),
        ('remember:\n\n  - "(merke TEXT"\n', 3, "not closed"),
        ('remember:\n  - "merke) TEXT"\n', 2, "closes nothing"),
        ('remember:\n  - "<dir> TEXT"\n', 2, "<dir>"),
        ('remember:\n  - "... TEXT"\n', 2, "a word of its own"),
        ('remember:\n  - "Merke TEXT"\n', 2, "small letters"),
        ('remember:\n  - "a\\"b"\n', 2, "backslash"),
        ('leads:\n  - "... bitte"\n', 2, "begins with a word"),
        ('same:\n  - "abc"\n', 2, "pairs"),
        ("#\n" * 70_000, 0, "65,536 bytes"),
        ("\n" * 2_001 + "a:\n", 2_002, "2,000 lines"),
    ],
)
def test_what_is_no_phrase_is_named_with_file_and_line(text: str, line: int, why: str) -> None:
    with pytest.raises(errors.Usage, match=why) as raised:
        phrases.parse(text, "triggers/de.yaml")
    assert str(raised.value).startswith(
        f"triggers/de.yaml:{line}: " if line else "triggers/de.yaml"
    )


def test_a_phrase_that_would_grow_without_end_is_refused() -> None:
    classes = "".join(f'c{at}:\n  - "<c{at - 1}> <c{at - 1}>"\n' for at in range(1, 30))
    with pytest.raises(errors.Usage, match="too long"):
        phrases.parse(f'c0:\n  - "a b"\n{classes}none:\n  - "<c29>"\n', "de.yaml")


def test_what_the_cache_keeps_means_the_same() -> None:
    cache: dict[str, bytes] = {}
    text = 'leads:\n  - "bitte"\nremember:\n  - "merke dir [,] (dass|=ich) TEXT ."\n'
    first = phrases.load_text(text, "de.yaml", cache)
    again = phrases.load_text(text, "de.yaml", cache)
    assert first == again
    (key,) = cache
    cache[key] = b"damaged"
    assert phrases.load_text(text, "de.yaml", cache) == first
    assert detect.find_trigger("Bitte merke dir, ich bin da", again).payload == "ich bin da"


def test_the_page_tells_what_is_so() -> None:
    page = (Path(__file__).parents[2] / "docs/triggers.md").read_text("utf-8")
    shown = page.split("```console\n")[1].split("```")[0].splitlines()
    for command, said in zip(shown[::2], shown[1::2], strict=True):
        found = triggers.detect_intent(command.split('"')[1])
        assert said in (json.dumps(found.asdict()), found.intent)
    example = next(part for part in page.split("```yaml\n") if part.startswith("# triggers/de"))
    known = phrases.load_shipped().join(phrases.parse(example.split("```")[0], "de.yaml"))
    found = triggers.detect_intent("Bitte merke dir, dass Ann kein Fleisch isst", known)
    assert (found.intent, found.payload) == ("remember", "Ann kein Fleisch isst")
    assert triggers.detect_intent("Vergiss es einfach", known) == detect.NONE


@given(
    st.text(alphabet="ab，：；“乾干幹后後", max_size=40),
    st.dictionaries(
        st.sampled_from("ab，乾干幹后後"), st.sampled_from("abxyz乾干幹") | st.just("")
    ),
)
def test_characters_are_put_as_python_puts_them(text: str, table: dict[str, str]) -> None:
    codes = {ord(char): other for char, other in table.items()}
    put = sentences.FoldedText(text, frozenset(text)).put(codes)
    assert put == sentences.FoldedText(text.translate(codes), frozenset(text.translate(codes)))


def test_a_packed_table_finds_what_all_phrases_find() -> None:
    cache: dict[str, bytes] = {}
    packed = phrases.load_table(cache)
    assert phrases.load_table(cache) == packed
    known = phrases.load_shipped()
    texts = [text for _, text in read_set()]
    pasted = [f"{text}\n{'word ' * 4000}\n{text}" for text in texts[:40]]
    for text in (*texts, *pasted, *NASTY):
        assert detect.find_in_table(text, packed) == detect.find_trigger(text, known), text


def test_a_damaged_table_is_made_again() -> None:
    cache: dict[str, bytes] = {}
    packed = phrases.load_table(cache)
    for name in cache:
        cache[name] = b"\x00no table"
    assert phrases.load_table(cache) == packed
