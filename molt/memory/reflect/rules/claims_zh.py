"""What a Chinese sentence says of the one who said it that is worth keeping, and how much."""

from __future__ import annotations

from molt.memory.engines.chinese import words as zh
from molt.memory.reflect.rules import cues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.reflect.rules.spoken import Statement

_NOTED = ("preference", "decision")
_SHORTEST, _LONGEST = 6, 80
"""Signs of a sentence that says one thing."""


def weigh_claim(one: Statement) -> tuple[str, float] | None:
    """The block of core memory that a sentence about its speaker would belong to, and its weight
    from 0 to 10; None for what is not about the speaker.
    """
    text = one.text.rstrip("。.！!").removeprefix("：")
    if text.endswith(("？", "?")) or not _SHORTEST <= len(text) <= _LONGEST:
        return None
    other = sum(text.count(mark) for mark in ("你", "这个", "那里", "那儿"))
    vague = sum(text.count(word) for word in cues.OPINIONS_ZH)
    noted = not one.speaker and (text.startswith("用户") or one.type in _NOTED)
    if not noted and not text.startswith("我") and "是我的" not in text[:10]:
        return None
    weight = (2.5 if noted else _weigh_start(text)) - 1.2 * other - 0.7 * vague - 0.02 * len(text)
    plan = one.type == "decision" or any(word in text[:8] for word in cues.PLANS_ZH)
    return "Active Context" if plan else "Identity", weight


def _weigh_start(text: str) -> float:
    """The weight by how a sentence begins: who somebody is and whom they know weighs most, what
    they have and pass by least.
    """
    head = text[:10]
    if any(word in head for word in zh.KIN) or any(word in text for word in cues.LIKINGS_ZH):
        return 3.0
    if head.startswith(zh.IDENTITY):
        return 3.2
    if any(word in text[:8] for word in cues.PLANS_ZH):
        return 2.5
    return 1.3 if text.startswith(cues.SELF_ZH) else 0.0


def tell_fact(one: Statement) -> str:
    """A sentence as a fact: what was said, behind the name of who said it where there is one."""
    said = one.text.rstrip("。").lstrip("：: ")
    return f"{one.speaker}：{said}" if one.speaker else said
