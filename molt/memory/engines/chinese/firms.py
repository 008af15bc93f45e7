"""The firms and teams that a Chinese sentence names: by what their names end with, and as places
of work.
"""

from __future__ import annotations

from molt.memory.engines.chinese import people
from molt.memory.engines.chinese import words as zh
from molt.memory.engines.gazetteer import PLACES_ZH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
_LONGEST_PERSON = 6
"""Signs of a name with a title, at most: `欧阳明老师`."""


def find_organizations(text: str) -> Iterator[tuple[int, int, str]]:
    for end_word in zh.ORGANIZATION_ENDS:
        at = text.find(end_word)
        while at >= 0:
            end = at + len(end_word)
            start = find_begin(text, at)
            generic = at - start < 2 or text[start:at].startswith(
                (
                    "我",
                    "这",
                    "那",
                    "一家",
                    "小",
                    "某",
                    "每",
                    "各",
                    "新",
                    "你",
                    "设计",
                    "前端",
                    "后端",
                    "开发",
                    "产品",
                )
            )
            generic |= "一家" in text[start:at]
            if not generic and at - start <= 8:
                yield start, end, "organization"
            at = text.find(end_word, end)
    yield from _find_offices(text)
    for owned in ("的总部", "的offer", "的 offer", "的 Offer", "的录用"):
        seat = text.find(owned)
        start = find_begin(text, seat)
        if 2 <= seat - start <= 8 and text[start] not in zh.PRONOUNS:
            yield start, seat, "organization"
    yield from _find_employers(text)
    yield from _find_workplace(text)


def _find_offices(text: str) -> Iterator[tuple[int, int, str]]:
    """The offices that a town has one of: `税务局`, with the town before it where it is named."""
    for name in zh.OFFICES:
        at = text.find(name)
        if at < 0:
            continue
        town = next((one for one in PLACES_ZH if text[:at].endswith(one)), "")
        yield at - len(town), at + len(name), "organization"


def _find_workplace(text: str) -> Iterator[tuple[int, int, str]]:
    """X in `方敏在X管采购`: where somebody works who stands at the head."""
    begin = text.find("在", 2, _LONGEST_PERSON + 1) + 1
    if not begin or (0, begin - 1, "person") not in people.find_people(text):
        return
    ends = [at for verb in "管带教卖搞跑" if (at := text.find(verb, begin + 2)) > 0]
    end = min(ends, default=0)
    name = text[begin:end]
    if (
        2 <= len(name) <= 6
        and set(name).isdisjoint(people.MARKS + "的和这那我了")
        and not (name.startswith((*PLACES_ZH, *zh.TIMES)) or name in zh.SPOTS)
    ):
        yield begin, end, "organization"


def find_begin(text: str, at: int) -> int:
    """Where a name begins that goes on at a place: behind a mark, or a word that leads to it."""
    start = at
    while start > 0 and at - start < 9 and text[start - 1] not in people.MARKS:
        if text[start - 1] in "在从到给是去跟和与向的了被为把说叫" or text[start - 2 : start] in (
            "加入",
            "离开",
            "今天",
            "昨天",
            "负责",
            "参与",
            "接手",
            "主导",
            "启动",
        ):
            break
        start -= 1
    return start


def _find_employers(text: str) -> Iterator[tuple[int, int, str]]:
    """`从X跳槽到了Y`, `在X工作`."""
    for verb in ("跳槽到", "跳到", "离职去", "转到", "跳去"):
        at = text.find(verb)
        if at > 0:
            begin = text.rfind("从", 0, at)
            if begin >= 0 and at - begin <= 9:
                yield begin + 1, at, "organization"
            start = at + len(verb) + (text[at + len(verb) : at + len(verb) + 1] == "了")
            yield start, people.find_name_end(text, start, 8), "organization"
    begin = text.find("在")
    for verb in ("工作", "上班", "任职", "当", "做", "担任", "实习", "面试", "面了"):
        at = text.find(verb, begin + 1)
        if (
            begin >= 0
            and 2 <= at - begin - 1 <= 8
            and not any(
                word in text[begin:at] for word in ("时", "家", "里", "上", "前", "后", "线", "目")
            )
        ):
            name = text[begin + 1 : at]
            if not name.startswith(PLACES_ZH):
                yield begin + 1, at, "organization"
            return
