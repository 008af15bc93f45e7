"""The reasons that rules give, in the language of a summary: the rules give them in English."""

from __future__ import annotations

import re

_DAY = r"\d{4}-\d\d-\d\d"
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
    )
)  # fmt: skip
"""What a reason is in English, as a whole, and in Chinese."""


def translate_reason(text: str, language: str) -> str:
    """A reason in the language of a summary; one that no rule gave stays as it was said."""
    if language != "zh":
        return text
    for pattern, said in _CHINESE:
        if found := pattern.fullmatch(text):
            return found.expand(said)
    return text
