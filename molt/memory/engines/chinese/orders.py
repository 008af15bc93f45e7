"""Chinese sentences without a subject that are orders, by their form: those of the moment, and
those that stand.
"""

from __future__ import annotations

from molt.memory.engines.chinese import words as zh

_COMMAS = "，,；;"
_SUBJECTS = ("我", "你", "您", "他", "她", "它", "咱", "大家", "谁")
_SHORTLY = ("一下", "一遍", "一会")
"""What makes an order of a verb that stands before it."""
_FORBIDDING = ("不要", "不许", "不准", "不得", "禁止", "一律", "别再", "切勿", "请勿")
_FRAMES = ("时候", "时", "里", "中", "前", "后", "上", "聊天", "说话", "我")
_ASKED_OF_YOU = ("不要", "别", "不用", "不必", "不许", "不准", "少用", "多用", "尽量", "请")
_TO_ME = ("给我", "跟我", "和我", "对我", "回我", "替我")
_TELLING = ("告诉我", "给我", "问我", "提醒我", "让我", "要先", "都先")
"""Said of what is done each time by whom one speaks to."""
_PUT = ("写", "表示", "显示", "标注", "命名", "回答", "回复", "称呼", "计算", "记录", "说")


def is_passing(text: str) -> bool:
    """Whether a sentence asks for a deed now: `把…`, `再…一遍`, `…一下`, `让我想想`, `我们…吧`."""
    if has_ended(text) or any(cue in text for cue in zh.HABITS):
        return False
    if text.startswith("让我"):
        return "的" not in text and not any(cue in text for cue in zh.FEELINGS)
    if text.endswith("吧"):
        return True
    if text.startswith("再"):
        return not text.startswith(("再也", "再说", "再见"))
    if text.startswith("把"):
        return True
    if text.startswith(_SUBJECTS):
        return False
    led = text.startswith(("对", "用", "从", "按", "给", "在", "为"))
    at = min((text.find(cue) for cue in _SHORTLY if cue in text), default=-1)
    return 0 < at <= 4 or (led and at > 0)


def has_ended(text: str) -> bool:
    """Whether a sentence tells of what is done: `把门锁了`."""
    return text.endswith(("了", "过")) or "了，" in text


def is_standing(text: str) -> bool:
    """Whether a sentence says how things are to be done from now on, by a clause that forbids or
    by its frame: `…的时候不要…`, `跟我…不用…`, `…都用…写`.
    """
    clauses = _split_clauses(text)
    if any(clause.startswith(_FORBIDDING) for clause in clauses[1:]):
        return True
    to_me = text.startswith(_TO_ME)
    if to_me and any(cue in text[2:] for cue in _ASKED_OF_YOU):
        return True
    general = text.startswith("每") or any(word in text for word in ("任何", "所有", "前都"))
    if general and any(cue in text for cue in _TELLING):
        return True
    first = clauses[0] if clauses else ""
    if not first.startswith(_SUBJECTS) and any(_has_frame(first, cue) for cue in _ASKED_OF_YOU):
        return True
    return any(
        cue in first and first.endswith(_PUT) and not first.startswith("我们")
        for cue in ("都用", "统一用", "一律用")
    )


def _has_frame(clause: str, cue: str) -> bool:
    at = clause.find(cue)
    return at > 1 and clause[:at].endswith(_FRAMES[:-1])


def _split_clauses(text: str) -> list[str]:
    for sign in _COMMAS:
        text = text.replace(sign, "\n")
    return [one.strip() for one in text.split("\n") if one.strip()]


def leads_clause(text: str, cue: str) -> bool:
    """Whether one of the clauses of a text begins with a word, perhaps behind `从今`."""
    return any(
        clause.startswith((cue, f"从今{cue}", f"从{cue}", f"那{cue}"))
        for clause in _split_clauses(text)
    )
