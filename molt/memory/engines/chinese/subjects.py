"""Whether a Chinese sentence begins with what it speaks of, which only looks like an order:
`搜索结果在 …`, `下载链接过期了`.
"""

from __future__ import annotations

from molt.memory.engines.chinese import words as zh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_BREAKS = "，,。；;：:！!？?、\n"
_MOST = 12
"""Signs of what a sentence speaks of, behind its first word."""
_GAP = "\0"


def begins_with_subject(text: str, verbs: Iterable[str]) -> bool:
    """Whether of the verbs each with which a sentence begins is part of a name that has a verb of
    its own behind it.
    """
    begun = [verb for verb in verbs if text.startswith(verb)]
    return bool(begun) and all(_is_named(text, verb) for verb in begun)


def _is_named(text: str, verb: str) -> bool:
    if not zh.NO_NAMING.isdisjoint(verb) or len(verb) != len(set(verb)):
        # `帮我 …`, `写个 …`, `看看 …` make no name.
        return False
    rest = _cut_clause(text[len(verb) :])
    if _is_noun(rest):
        return True
    told = len(verb) < len(text) and (rest.startswith("的") or _has_verb(rest))
    return told and (verb not in zh.CLAUSE_VERBS or rest.startswith(zh.NAMED_AFTER))


def _is_noun(rest: str) -> bool:
    """Whether a verb is one no more by what follows: `生成|器用…`, `总结|会在…`, `部署|会触发…`."""
    if rest[:1] in zh.NOUN_ENDS and len(rest) > 2:
        return not rest.startswith(zh.NO_NOUN_ENDS)
    asked = any(word in rest for word in (*zh.NO_VERBS, *zh.ASKING) if rest.startswith(word[:1]))
    return rest.startswith(zh.SAID_OF) and "的" not in rest and not asked and len(rest) > 2


def _cut_clause(text: str) -> str:
    end = min((text.find(sign) for sign in _BREAKS if sign in text), default=len(text))
    return text[:end].rstrip()


def _has_verb(rest: str) -> bool:
    """Whether behind a name stands what is said of it, and not what an order is to do to it."""
    if not rest or rest.startswith(zh.NO_OBJECTS) or any(cue in rest for cue in zh.ASKING):
        return False
    for word in zh.NO_VERBS:
        rest = rest.replace(word, _GAP * len(word))
    if rest.endswith("了"):
        return len(rest) > 2 and not rest.endswith(("好了", "行了", "完了", _GAP + "了"))
    if "用" in rest[1:] and rest.endswith(zh.MADE_WITH):
        return True
    found = (rest.find(verb, 1, _MOST) for verb in zh.FINITE)
    at = min((place for place in found if place > 0), default=0)
    if not at or rest[: at + 1].startswith(zh.FINITE):
        # `删除有问题的 …`: what begins with a verb is a clause before a name.
        return False
    behind = rest[at + 1 :].replace("的是", "")
    if behind.startswith(zh.TIMES) and rest[at] == "在":
        return False
    last = behind.rfind("的")
    # `列出大小是零的文件`: the verb is one of a clause before a name.
    return last < 0 or last == len(behind) - 1 or behind.endswith(zh.INSIDE)
