"""The reasons why something is proposed, or left out, in the language of a summary: they are given
in English.
"""

from __future__ import annotations

import re

_DAY = r"\d{4}-\d\d-\d\d"
_SAID = r"""['"](.+)['"]"""
"""Words that a reason quotes, as Python writes them."""
_CHINESE = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"it was answered, as (\S+)", r"你对 \1 的回答"),
        ("what was said later says that it has changed", "后来说的话表明已经改变"),
        ("both cannot be true at once", "两者不能同时成立"),
        (r"(.+) speaks in these episodes", r"\1在这些记录里说话"),
        (r"named in (\d+) episodes", r"有\1条记录提到"),
        ("named in an episode", "有一条记录提到"),
        (r"(.+) is named again", r"又提到了\1"),
        (r"(.+) is called so", r"\1也这样称呼"),
        ("their names are alike", "两个名字相近"),
        ("their names are nearly the same", "两个名字几乎相同"),
        (rf"said by (.+) on ({_DAY})", r"\1在\2说过"),
        (r"said by (.+) on (\d+) days", r"\1在\2天里说过"),
        (rf"said on ({_DAY})", r"\1说过"),
        (r"said on (\d+) days", r"在\1天里说过"),
        (r"said by (.+)", r"\1说过"),
        ("a sentence tells it", "有一句话这样说"),
        ("it was told the same way more than once", "不止一次这样说过"),
        ("it has faded, and nobody has used it", "已经淡忘，也没有人用过"),
        ("health may hang on it, so it must not fade", "事关健康，不应淡忘"),
        ("small talk that has faded", "已经淡忘的闲谈"),
        ("new episodes speak of them", "新的记录又说到"),
        (r"(.+) is sure of it, and nothing contradicts it", r"\1很确定，也没有矛盾"),
        ("what was said of those who speak", "说话的人谈到自己"),
        ("what notes say will hold", "笔记里说会长期有效的内容"),
        ("it is over its cap: what weighs least becomes facts of the graph",
         "超出上限：最不重要的移入知识图谱"),
        ("MEMORY.md is over its cap: what weighs least of this block becomes its facts",
         "MEMORY.md 超出上限：这一节里最不重要的成为它的事实"),
        ("what notes say of the user", "笔记里关于用户的内容"),
        ("notes say where it is and what it is made with", "笔记里写了它在哪里、用什么做的"),
        (rf"the note of ({_DAY}) calls it a lesson", r"\1的笔记称之为教训"),
        (rf"the note of ({_DAY}) says that it holds", r"\1的笔记说这是长期有效的"),
        ("more than one note tells it", "不止一篇笔记这样写"),
        ("the note says that it is done so", "笔记里说是这样做的"),
        (r"(\d+) notes name it", r"有\1篇笔记提到"),
        ("a note says who it is", "有一篇笔记说明是谁"),
        ("it was decided", "这是决定"),
        (rf"the evidence does not say {_SAID} of it", r"依据没有这样说“\1”"),
        (rf"the evidence does not say {_SAID} of {_SAID}", r"依据没有说“\2”是“\1”"),
        (rf"the evidence does not say it of {_SAID}", r"依据没有说这是“\1”的事"),
        (rf"the evidence does not say that {_SAID} is so", r"依据没有说“\1”属实"),
        ("the evidence does not say it of what is over", "依据没有说这已经过去"),
        ("the evidence does not say which was first", "依据没有说先后"),
        (rf"the evidence does not (?:say|name) {_SAID}", r"依据没有提到“\1”"),
        (rf"the evidence does not deny {_SAID}", r"依据没有否认“\1”"),
        ("the evidence denies nothing", "依据什么都没有否认"),
        (rf"the evidence denies it(?:: {_SAID})?", "依据否认了它"),
        (rf"the evidence refuses {_SAID}", r"依据拒绝了“\1”"),
        ("the evidence says it of what is to come", "依据说的是将来的事"),
        ("the evidence says it the other way round in time", "依据里的先后相反"),
        (rf"the evidence says {_SAID} of another", r"依据里“\1”说的是别的"),
        (rf"the evidence says {_SAID} of {_SAID}", r"依据里“\1”说的是“\2”"),
        (rf"the evidence says {_SAID} beside {_SAID}", r"依据里“\2”说的是“\1”"),
        (rf"the evidence says it of {_SAID}", r"依据里说的是“\1”"),
        (rf"the evidence says only {_SAID}", r"依据只说“\1”"),
        (rf"the evidence says {_SAID}", r"依据里还有“\1”"),
        (rf"nowhere does one place say all of {_SAID}", r"没有一处完整地说“\1”"),
        (rf"no memory says by itself: {_SAID}", r"没有一条记忆单独说“\1”"),
        (rf"no memory says of (.+?): {_SAID}", r"没有一条记忆说\1“\2”"),
        ("no memory says what it takes for granted", "没有记忆说过它当作已知的事"),
        (rf"no memory (?:speaks|is) of {_SAID}", r"没有记忆说到“\1”"),
        ("no sentence of it has all its words", "没有一句话包含全部的词"),
        ("no sentence of the evidence names both", "依据里没有一句同时说到两者"),
        ("nothing of the evidence can be quoted", "依据里没有可以引用的话"),
        ("nothing of it is in its evidence", "依据里完全没有"),
        ("none of its changes is borne out", "没有一处改动有依据"),
        ("it names no memory as its evidence", "没有写明依据"),
        (r"its evidence is for (.+) alone", r"它的依据只给\1看"),
        (r"there is no memory (.+)", r"没有\1这条记忆"),
        (r"the note says this no longer, for it was edited since: (.+)",
         r"笔记后来改过，不再这样说：\1"),
        (rf"it was changed from {_SAID}", r"它是从“\1”改来的"),
        (rf"{_SAID} is said of something else", r"“\1”说的是别的"),
        ("it was the other way round", "情况正好相反"),
        (r"it is (.+) who did it, and not (.+)", r"这样做的是\1，不是\2"),
        ("it is said of somebody else", "说的是别人"),
        ("it is said to somebody", "这是对别人说的"),
        ("it is said on a condition", "这是有条件的话"),
        ("one of the two denies it", "两者之一否认了它"),
        ("it has no name", "它没有名字"),
        (rf"no entity {_SAID}, and no operation before it makes one",
         r"没有“\1”这个实体，前面也没有新建"),
        (rf"no entity {_SAID}.*", r"没有“\1”这个实体"),
        (rf"(.+) has no fact {_SAID} that holds", r"\1没有“\2”这条现行的事实"),
        (rf"no proposal {_SAID} .+", r"没有待定的提议“\1”"),
        (rf"MEMORY.md has no bullet {_SAID}(?: any more)?", r"MEMORY.md里没有“\1”这一条"),
        (r"MEMORY.md would hold ([\d,]+) tokens, over its cap of ([\d,]+)",
         r"MEMORY.md会有\1词元，超出上限\2"),
        (r"(.+) is pinned: it never fades", r"\1已固定，永不淡忘"),
        ("it is there already", "已经有了"),
        ("memory has it already", "记忆里已经有了"),
        ("the plan says it twice", "计划里说了两次"),
        (r"asked already, as (\S+)", r"已经问过：\1"),
        (r"rejected in (\S+) on the same evidence", r"\1里同样的依据已被拒绝"),
        (r"rejected in (\S+) on the same evidence: (.+)", r"\1里同样的依据已被拒绝：\2"),
        ("it holds a secret", "其中有秘密"),
        ("it says what was forgotten", "说的是已被遗忘的内容"),
        (rf"it says what was forgotten on ({_DAY})", r"说的是\1遗忘的内容"),
    )
)  # fmt: skip
"""What a reason is in English, as a whole, and in Chinese."""
_LED = {
    "quoted instead: ": "改为引用：",
    "proposed with a plain reason: ": "理由改为平实的说法：",
    "proposed without its thread: ": "没有归入主题：",
}
"""What was done, in front of the reason for it."""


def translate_reason(text: str, language: str) -> str:
    """A reason in the language of a summary; one that molt did not give stays as it was said."""
    if language != "zh":
        return text
    led = next((words for words in _LED if text.startswith(words)), "")
    return _LED.get(led, "") + _translate(text.removeprefix(led))


def _translate(text: str) -> str:
    for pattern, said in _CHINESE:
        if found := pattern.fullmatch(text):
            return found.expand(said)
    return text
