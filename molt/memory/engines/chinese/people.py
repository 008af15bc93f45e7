"""The people that a Chinese sentence names: by kinship, by title, by surname."""

from __future__ import annotations

from molt.memory.engines.chinese import words as zh
from molt.memory.engines.gazetteer import PLACES_ZH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MARKS = '，。；：！？、,;:!?（）()「」“”" '
_NAME_ENDS = "，。；、,; 今是的在和了也会很，：岁"
_LEADS = "和与跟给找叫由是向对"
_NO_FAMILIAR = frozenset(
    (
        *(
            "小时",
            "小心",
            "小学",
            "小区",
            "小孩",
            "小于",
            "小组",
            "小型",
            "小说",
            "小吃",
            "小米",
            "小朋",
        ),
        *(
            "老师",
            "老板",
            "老婆",
            "老公",
            "老家",
            "老是",
            "老人",
            "老爸",
            "老妈",
            "老年",
            "老鼠",
            "老版",
        ),
        *("阿里", "阿姨", "阿拉", "小程", "小数", "小狗", "小猫", "老旧", "老大", "小费", "小雨"),
        *("小车", "小路", "小包", "小石", "小方", "小池", "老路", "老车", "老房", "老石", "老单"),
        *("阿根", "阿尔", "阿富", "阿司", "阿莫", "阿拉", "老方", "老管", "老成", "小成", "小管"),
    )
)
_MEETINGS = ("碰到", "遇到", "见到", "碰见", "遇见", "见了", "我和", "我跟", "我与")
"""Behind these stands a person, whatever is said of them next."""
_NEAR = (
    *("隔壁", "楼下", "楼上", "对门", "同事", "邻居", "朋友", "听", "欠", "帮", "问", "陪", "等"),
    *("替", "借", "送", "约", "见", "把", "为", "要", "对", "答应"),
)
"""Behind these stands a nickname, or a surname and a title."""
_NICK = "老小阿"
_NO_REPEATS = frozenset(
    "常刚天慢偏往仅渐明早好多人处年时次个星谢哈看想等太点爸妈哥姐弟妹爷奶叔舅姑"
)
_JOINED = ("和", "跟", "与")
_NO_COMPANY = ("大家", "别人", "团队", "公司", "孩子", "家人", "自己", "对方", "客人", "父母")
_LEAD_WORDS = (
    *("发给", "告诉", "通知", "采访", "联系", "提醒", "今天", "昨天", "明天"),
    *_MEETINGS,
)

_TAUGHT = ("语文", "历史", "人文", "作文")
_TOTAL = tuple("是共量数体有会算觉得之结计额和部务")
_ADVERBS = (
    *("现在", "目前", "最近", "正在", "已经", "一直", "一起", "今年", "去年", "今天", "昨天"),
    *("明天", "上周", "下周", "以前", "从前", "刚刚", "曾经", "终于", "马上", "即将"),
)
"""What tells when or how stands right behind a name, and is no part of it."""


def find_name_end(text: str, start: int, most: int) -> int:
    end = start
    while end < len(text) and end - start < most and text[end] not in _NAME_ENDS:
        end += 1
    return end


def find_kin(text: str) -> Iterator[tuple[int, int, str]]:
    """Those who are named as somebody's: `我弟弟叫小军`, `我女儿朵朵今年七岁`, `我的上司是赵敏`."""
    for word in zh.KIN:
        at = text.find(word)
        if at < 0:
            continue
        rest = at + len(word)
        for link in ("的名字叫", "的名字是", "名字叫", "名叫", "叫做", "叫", "是"):
            if text.startswith(link, rest):
                start = rest + len(link)
                end = find_name_end(text, start, 6)
                surnamed = text[start : start + 1] in zh.SURNAMES and _is_person(text[start:end])
                if (
                    2 <= end - start <= 4
                    and (link != "是" or surnamed)
                    and not text[start].isascii()
                ):
                    yield start, end, "person"
                break
        else:
            owned = text[max(0, at - 2) : at].endswith(("我", "我的", "家", "们"))
            for size in (2, 3):
                follows = text[rest + size : rest + size + 1]
                name = text[rest : rest + size]
                plain = len(name) == size and not set(name) & set(
                    MARKS + "的在是叫对喜讨爱今昨明不很也都要会和生有去说每了把上下"
                )
                if owned and plain and follows and follows in zh.FOLLOWERS and not name.isascii():
                    yield rest, rest + size, "person"
                    break


def _is_person(name: str) -> bool:
    """Whether a text has the form of a person's name, and is no other word."""
    if not 2 <= len(name) <= 4 or name.startswith((*zh.NO_NAMES, *PLACES_ZH)):
        return False
    familiar = len(name) == 2 and name[0] in "小老阿" and name not in _NO_FAMILIAR
    return familiar or name[0] in zh.SURNAMES or name.startswith(zh.COMPOUND) or _is_given(name)


def _is_given(name: str) -> bool:
    """Whether a text is a given name of two signs, by what such names are made of: `雅婷`."""
    telling = not zh.GIVEN.isdisjoint(name)
    return len(name) == 2 and telling and (zh.GIVEN | zh.GIVEN_BESIDE).issuperset(name)


def find_people(text: str) -> Iterator[tuple[int, int, str]]:
    """The people of a text by surname, where a name may stand: at the begin, and behind words that
    lead to one.
    """
    yield from _find_surnames_with_title(text)
    for start in _find_nicknames(text):
        yield from _find_titled(text, start)
        if _is_nickname(text, start):
            yield start, start + 2, "person"
            yield from _find_company(text, start + 2)
    if text[:1] == text[1:2] != "" and _is_repeated(text):
        yield 0, 2, "person"
    for start in _find_starts(text):
        long = 4 if text.startswith(zh.COMPOUND, start) else 3
        for size in (long, long - 1):
            if _is_name_at(text, start, size, may_be_cut=size == long):
                yield start, start + size, "person"
                break


def _find_nicknames(text: str) -> list[int]:
    """Where a nickname may begin: where a name may, and behind a few words more."""
    heads = (at for at, char in enumerate(text) if char in _NICK or char in zh.SURNAMES)
    return [*_find_starts(text), *(at for at in heads if text.endswith(_NEAR, 0, at))]


def _is_nickname(text: str, start: int) -> bool:
    """Whether `老魏`, `小周` or `阿杰` stands at a place, and is no part of another word."""
    name, after = text[start : start + 2], text[start + 2 :]
    if len(name) < 2 or name[0] not in _NICK or name in _NO_FAMILIAR or name[1] in MARKS:
        return False
    if name[0] != "阿" and name[1] not in zh.SURNAMES:
        return False
    whole = not text.startswith(zh.NO_NAMES, start + 1)
    follows = after[:1] in zh.FOLLOWERS or after[:1] in MARKS or after[:1] in "是在的了一两三"
    return whole and (not after or follows or after.startswith((*_ADVERBS, *zh.TIMES)))


def _find_company(text: str, at: int) -> Iterator[tuple[int, int, str]]:
    """Who is named with somebody: `阿杰和思琪周末订婚了`."""
    if not text.startswith(_JOINED, at):
        return
    for size in (3, 2):
        name, after = text[at + 1 : at + 1 + size], text[at + 1 + size :]
        plain = set(name).isdisjoint(MARKS) and not name.startswith(
            (*zh.PRONOUNS, *zh.KIN, *_NO_COMPANY)
        )
        if plain and after.startswith((*_ADVERBS, *zh.TIMES)):
            yield at + 1, at + 1 + size, "person"
            return


def _is_repeated(text: str) -> bool:
    """Whether a text begins with a name that says one sign twice: `豆豆`."""
    known = text[0] in _NO_REPEATS or not "\u4e00" <= text[0] <= "\u9fff"
    return not known and text[2:3] in zh.FOLLOWERS and text[2:3] != ""


def _find_starts(text: str) -> list[int]:
    starts = [0]
    for at, char in enumerate(text):
        if char in MARKS or char in _LEADS or char in "让请被":
            starts.append(at + 1)
        if text[at : at + 2] in _LEAD_WORDS:
            starts.append(at + 2)
    return starts


def _is_name_at(text: str, start: int, size: int, *, may_be_cut: bool) -> bool:
    """Whether a name of so many signs stands at a place, by what follows and what leads to it."""
    name, after = text[start : start + size], text[start + size :]
    odd = set(name) & set(MARKS) or name[-1:] in tuple("是在的和了有总都就也")
    if len(name) < size or not _is_person(name) or odd:
        return False
    if not after or after[0] in "，。；、,.）) ":
        before = text[max(0, start - 2) : start]
        return before in _LEAD_WORDS or (before != "" and before[-1] in _LEADS)
    if text[max(0, start - 2) : start] in _MEETINGS and not may_be_cut:
        return True
    followed = after[0] in zh.FOLLOWERS or after.startswith(_ADVERBS)
    return followed and not (may_be_cut and _is_cut(name, after))


def _is_cut(name: str, after: str) -> bool:
    """Whether a name of three signs is one of two and a word: `吴涛住|在`."""
    joined = name[-1] + after[:1]
    if joined in _ADVERBS:
        return True
    return joined in zh.PEOPLE or joined in zh.VERBS or name[-1] in "是在的和会从吃爱住说要已不也只"


def _is_title(text: str, at: int) -> bool:
    """Whether `总` stands behind a name, and is none of `总是`, `总共`, `总量`."""
    signs = text[at + 1 : at + 2]
    return text[at] != "总" or (text[at - 1] not in "车钱水包房路费时单管" and signs not in _TOTAL)


def _find_surnames_with_title(text: str) -> Iterator[tuple[int, int, str]]:
    """`褚老师` wherever it stands: of what is taught, as in `语文老师`, the last sign may be a
    surname.
    """
    for title in zh.TITLES:
        at = text.find(title, 1) if len(title) > 1 else -1
        start = at - 1
        if at > 0 and text[start] in zh.SURNAMES and not text.endswith(_TAUGHT, 0, at):
            yield start, at + len(title), "person"


def _find_titled(text: str, start: int) -> Iterator[tuple[int, int, str]]:
    if text[start : start + 1] not in zh.SURNAMES or text.startswith(zh.NO_NAMES, start):
        return
    for title in zh.TITLES:
        for size in (1, 2, 3)[: 1 if len(title) == 1 else 3]:
            if text.startswith(title, start + size) and _is_title(text, start + size):
                yield start, start + size + len(title), "person"
                return
