"""Where a Chinese sentence belongs, by classes of cues in a fixed order."""

from __future__ import annotations

from molt.index.content import variants
from molt.memory.engines.chinese import names, orders, subjects
from molt.memory.engines.chinese import words as zh
from molt.memory.engines.verdict import CREDENTIAL, NONE, UNKEPT, Facts, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_KEPT_ON = ("我都在", "我一直在", "我们都在", "我在忙", "都在忙", "我全在")
_ENDS = " 。！!，,~～…；;"


def judge_sentence(text: str) -> tuple[Verdict, Facts]:
    """Where one sentence belongs and what it names."""
    said = text.strip().strip(_ENDS)
    plain = _drop_polite(variants.simplify_signs(said))
    facts = names.find_facts(said)
    for find in _ORDER:
        if found := find(plain):
            return found, facts
    return _judge_plain(plain, facts), facts


def _drop_polite(text: str) -> str:
    for word in zh.POLITE:
        if text.startswith(word) and len(text) > len(word) + 1 and not text.startswith("请用"):
            return text[len(word) :].lstrip("，, ")
    return text


def has_cue(text: str, cues: Iterable[str]) -> bool:
    """Whether a text holds one of some phrases."""
    return any(cue in text for cue in cues)


def _find_secret(text: str) -> Verdict | None:
    for cue in zh.SECRETS:
        at = text.find(cue)
        rest = text[at + len(cue) :].lstrip(" ：:是为") if at >= 0 else ""
        word = rest.split("，")[0].split(" ")[0]
        if word.isascii() and len(word) > 3 and any(map(str.isdigit, word)):
            return Verdict(NONE, why=CREDENTIAL)
    return None


def _is_asking(text: str) -> bool:
    if text.endswith(("?", "？")):
        return True
    if text.endswith(("吗", "呢", "没有", "么")) and not text.endswith("什么"):
        return True
    asked = [cue for cue in zh.ASKING if cue in text and cue not in zh.LATE_ASKING]
    if asked and len(text) < 24 and not has_cue(text, ("：", ":")):
        return text.startswith(
            (
                "为什么",
                "为何",
                "能不能",
                "可不可以",
                "怎么",
                "几点",
                "哪",
                "你",
                "我把",
                "我的",
                "有没有",
                "是不是",
            )
        ) or (text.endswith(tuple(asked)))
    return text.endswith(
        ("什么", "谁", "如何", "多少", "哪些", "哪个", "怎样", "几个")
    ) or text.startswith(("谁", "什么时候", "哪家", "哪个", "哪些", "哪位", "哪里", "哪儿"))


def _find_no_memory(text: str) -> Verdict | None:
    if _is_asking(text):
        return Verdict(NONE, why="a question")
    if text.startswith(zh.UNKEPT):
        return Verdict(NONE, why=UNKEPT)
    if text.startswith(zh.FORGETTING):
        return Verdict(NONE, why="a request to forget")
    rest = text
    for word in zh.CHATTER:
        rest = rest.replace(word, "")
    kept = sum(map(str.isalnum, rest))
    if kept == 0 or (text.startswith(zh.CHATTER) and kept <= 5):
        return Verdict(NONE, why="small talk")
    return None


def _find_vault(text: str) -> Verdict | None:
    document = has_cue(text, zh.DOCUMENTS) and has_cue(text, zh.DOCUMENT_SAID)
    duty = has_cue(text, ("换", "办", "续签", "提醒", "记得", "申请"))
    if document and not duty:
        return Verdict("vault", why="a document of a person")
    return Verdict("vault", why="to be kept for good") if has_cue(text, zh.VAULT) else None


def _find_correction(text: str) -> Verdict | None:
    contrast = ("，不是" in text or "而不是" in text) and sum(map(str.isdigit, text)) > 1
    contrast |= text.find("不是") < text.find("，是") and "不是" in text
    started = text.startswith(zh.CORRECTION_STARTS) and len(text) > 4
    if started or has_cue(text, zh.CORRECTIONS) or (contrast and not has_cue(text, ("决定", "用"))):
        return Verdict("episodic", "correction", why="a correction")
    return None


def _find_steps(text: str) -> Verdict | None:
    found = Verdict("procedural", why="steps")
    marked = has_cue(text, ("，", "：", ":", ",", "、"))
    if has_cue(text, zh.STEPS) and marked:
        return found
    listed = text.replace(":", "：").partition("：")[2]
    if any(f"，{word}" in listed for word in ("然后", "再", "最后", "接着")):
        return found
    count = sum(verb in text for verb in zh.STEP_VERBS)
    told = "先" in text and "最后" in text and has_cue(text, ("然后", "再", "接着"))
    if told and marked:
        return found
    about_us = has_cue(text[:12], ("我", "你"))
    for first, second in zh.ORDERED:
        at = text.find(first)
        then = text.replace("再说", "  ").find(second, at + 1)
        apart = any(sign in text[at:then] for sign in "，、；,")
        if 0 <= at < then and marked and (count > 1 or (apart and not about_us)):
            return found
    named = has_cue(text[:16], zh.CONDITIONS)
    if named and marked and count > 1 and not about_us:
        return found
    return None


def _find_task(text: str) -> Verdict | None:
    duty = has_cue(text, zh.TASKS)
    weak = duty and not any(cue in text for cue in zh.TASKS if cue not in zh.WEAK_TASKS)
    negated = has_cue(text, ("不需要", "不用", "要给你", "不要"))
    if duty and not negated and not (weak and has_cue(text, zh.HABITS)):
        return Verdict("episodic", "task", why="a duty")
    if orders.is_standing(text):
        return None
    due = has_cue(text, zh.DEADLINES)
    if (
        due
        and has_cue(text, zh.TASK_VERBS)
        and not has_cue(text, ("一定要先", "一定先", "必须先", "每次", "很", "了"))
    ):
        return Verdict("episodic", "task", why="due by a day")
    if _is_due(text):
        return Verdict("episodic", "task", why="due by a day")
    bare = _after_time(text)
    if bare.startswith("去") or (bare != text and text[text.find(bare) - 1 :].startswith("去")):
        away = not has_cue(text, ("了", "过", "要", "每", "会", "吗"))
        if away and not text.startswith("去年"):
            return Verdict("episodic", "task", why="an errand")
    done = text.endswith("了") or "了" in text[:8]
    # A clause of what is done while, or before, something else is done says when.
    told = done or has_cue(bare[:6], ("的时候", "之前", "以前"))
    told = told or subjects.begins_with_subject(bare, zh.TASK_VERBS)
    if bare.startswith(zh.TASK_VERBS) and not told:
        return Verdict("episodic", "task", why="an errand")
    return None


def _is_due(text: str) -> bool:
    """Whether a text begins with the day by which something is to be done, and says what."""
    ends = [(text.find(cue), cue) for cue in ("之前", "以前", "前") if cue in text[:10]]
    if not ends or has_cue(text, ("了", "不", "别", "每", "先", "过", "总")):
        return False
    at, cue = min(ends)
    front, rest = text[:at], text[at + len(cue) :].lstrip("，, ")
    if has_cue(text, zh.LIKINGS):
        return False
    timed = front.endswith(("号", "日", "月", "点", "底", "初")) or has_cue(front, zh.TIMES)
    told = rest.startswith(("我", "他", "她", "是", "在", "有", "都", "的", "没"))
    return timed and len(rest) > 1 and not told


def _after_time(text: str) -> str:
    """What stands behind a time with which a text begins."""
    for word in zh.TIMES:
        if text.startswith(word):
            return _after_time(text[len(word) :])
    return text.lstrip("0123456789号日月点半一二三四五六七八九十的我去")


def _find_standing(text: str) -> Verdict | None:
    found = Verdict("core", "preference", "Persona", "a standing order")
    if text.startswith(zh.STANDING_STARTS) and not text.startswith(
        ("别人", "别的", "优先级", "永远在", "默认的", "默认端口")
    ):
        return found
    if orders.is_standing(text):
        return found
    own = text.startswith(("我", "他", "她")) and not has_cue(
        text, ("我要", "我希望", "我想让", "我不想你")
    )
    if own and has_cue(text, zh.LIKINGS + zh.IDENTITY):
        return None
    cued = any(
        cue in text and (cue != "以后" or orders.leads_clause(text, cue)) for cue in zh.STANDING
    )
    if cued and not has_cue(text, zh.FIRM_TIMES):
        loose = text.startswith("以后") or not own
        return found if loose else None
    return None


def _find_medical(text: str) -> Verdict | None:
    if has_cue(text, zh.MEDICAL) and (has_cue(text, zh.OWN) or text.startswith(("紧急", "对"))):
        return Verdict("core", "fact", "Critical Facts", "health or an emergency")
    return None


def _find_context(text: str) -> Verdict | None:
    busy = text.startswith(("我", "咱")) and has_cue(text, zh.GOING_ON)
    while_on = text.startswith(("这", "整个", "近", "最近")) and has_cue(text, _KEPT_ON)
    if busy or while_on or has_cue(text, zh.CONTEXT):
        return Verdict("core", "fact", "Active Context", "what is going on")
    return None


def _find_identity(text: str) -> Verdict | None:
    found = Verdict("core", "fact", "Identity", "who the user is")
    if has_cue(text[:14], zh.IDENTITY) and not has_cue(text, ("老婆叫", "女儿叫", "儿子叫")):
        return (
            None
            if has_cue(text[:8], zh.KIN) and not text.startswith(("我叫", "我是", "我有"))
            else found
        )
    settled = text.startswith("我") and has_cue(text, zh.STAYING)
    if settled or _is_role(text):
        return found
    if (
        text.startswith(("我在", "我是", "本人"))
        and has_cue(text, zh.PROFESSIONS)
        and not has_cue(text, zh.FIRM_TIMES)
    ):
        return found
    working = text.startswith("我在") and has_cue(
        text,
        ("工作", "上班", "任职", "读书", "上学", "读研", "读博", "长大", "出生", "定居", "退休"),
    )
    # `我在…做…`: a place, then what is done there.
    working |= text.startswith("我在") and any(
        text.find(verb, 4) > 0 for verb in ("做", "当", "担任", "开一", "开了家", "开了一")
    )
    return found if working and not has_cue(text, (*zh.FIRM_TIMES, "了", "家")) else None


def _is_role(text: str) -> bool:
    """Whether a text begins with what somebody is by profession: `我是助产士，…`."""
    role = text.partition("，")[0].removeprefix("我是")
    plain = set(role).isdisjoint("的了来去在被说想觉要会不") and not has_cue(role, zh.FIRM_TIMES)
    return text.startswith("我是") and 1 < len(role) <= 8 and plain and role.endswith(zh.ROLE_ENDS)


def _find_decision(text: str) -> Verdict | None:
    if not has_cue(text, zh.DECISIONS) or has_cue(text, ("航班", "预约被取消", "会议被取消")):
        return None
    return Verdict("episodic", "decision", why="a choice that was made")


def _find_feeling(text: str) -> Verdict | None:
    if not has_cue(text, zh.FEELINGS) or has_cue(text, ("喜欢", "讨厌")):
        return None
    return Verdict("episodic", "emotion", why="a feeling")


def _find_order(text: str) -> Verdict | None:
    if orders.is_standing(text):
        return None
    if (
        text.startswith("给")
        and not text.startswith(("给我", "给你"))
        and has_cue(text, zh.TASK_VERBS)
    ):
        return None if has_cue(text, ("了", "过")) else Verdict("episodic", "task", why="an errand")
    begun = text.startswith(zh.ORDERS) and not text.startswith(("给我写的", "给我发的"))
    bare = begun and not subjects.begins_with_subject(text, zh.ORDERS)
    if bare or orders.is_passing(text):
        return Verdict(NONE, why="an order to the agent")
    return None


def _find_liking(text: str) -> Verdict | None:
    if not has_cue(text, zh.LIKINGS):
        return None
    kin = has_cue(text[:7], zh.KIN) and not text.startswith("我喜欢")
    at = min(text.find(cue) for cue in zh.LIKINGS if cue in text)
    first = has_cue(text[:at], zh.LIKERS) or at == 0
    if first and not kin:
        return Verdict("episodic", "preference", why="a liking")
    return None


def _judge_plain(text: str, facts: Facts) -> Verdict:
    dated = has_cue(text, zh.FIRM_TIMES) or _has_date(text)
    habitual = has_cue(text, zh.HABITS)
    birthday = "生日" in text and "的生日" in text
    aged = "今年" in text and "岁" in text
    semantic = bool(facts.about or facts.edges)
    named = (
        facts.about in zh.KIN
        or "老婆叫" in text
        or ("叫" in text[:10] and has_cue(text[:8], zh.KIN))
    )
    if semantic and (not dated or birthday or aged or named):
        liking = has_cue(text, zh.LIKINGS)
        return Verdict("semantic", "preference" if liking else "fact", why="what something is")
    told = has_cue(text, zh.EVENTS) or text.startswith("刚") or text.count("了") > 1
    if (dated or told) and not habitual:
        return Verdict("episodic", "event", why="what happened")
    if has_cue(text, zh.LIKINGS):
        return Verdict("episodic", "preference", why="a liking")
    return Verdict("episodic", "fact", why="a fact")


def _has_date(text: str) -> bool:
    """Whether a text names a day or an hour: a number or a numeral before one of their signs."""
    if has_cue(text, zh.HABITS):
        return False
    numerals = "0123456789一二三四五六七八九十"
    for sign in ("月", "号", "日", "点"):
        at = text.find(sign)
        if at > 0 and text[at - 1] in numerals and (sign != "号" or "月" in text or at < 4):
            return True
    return has_cue(text, ("周一", "周二", "周三", "周四", "周五", "周六", "周日", "星期"))


_ORDER: tuple[Callable[[str], Verdict | None], ...] = (
    _find_secret,
    _find_vault,
    _find_correction,
    _find_steps,
    _find_no_memory,
    _find_task,
    _find_medical,
    _find_decision,
    _find_order,
    _find_context,
    _find_standing,
    _find_identity,
    _find_feeling,
    _find_liking,
)
