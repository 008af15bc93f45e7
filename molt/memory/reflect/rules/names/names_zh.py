"""The people, places, events and things that Chinese sentences name."""

from __future__ import annotations

import re

from molt.memory.engines import gazetteer
from molt.memory.engines.chinese import people as chinese_people
from molt.memory.engines.chinese import words as zh
from molt.memory.reflect.rules import cues
from molt.memory.reflect.rules.names.mentions import Mention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.memory.reflect.rules.spoken import Statement

_NAME = r"[^\s，。；：！？、,;:!?（）()「」“”《》的]"


def _join(words: Iterable[str]) -> str:
    """Alternatives of a pattern, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_EVENT = re.compile(rf"(?:{_join(cues.JOINING_ZH)})(?:了|过)?的?({_NAME}{{3,20}})")
_SAYS = re.compile(rf"^({_NAME}{{3,20}})的(?:{_join(cues.EVENT_SAYS_ZH)})(?:是|为|在|定在)")
_PERSON = re.compile(rf"^({_NAME}{{2,4}})是我的?({_join(zh.KIN)})(?![\u4e00-\u9fff])")
_CALLED = re.compile(rf"^我的?({_join(zh.KIN)})(?:的名字)?(?:名叫|叫做|叫|名字是)({_NAME}{{2,4}})")
_PLACE = re.compile(
    rf"(?:{_join(cues.PLACE_NOUNS_ZH)})[，,]?(?:名叫|叫做|叫|是)(?:一家|一个|一座|个|家)?"
    rf"({_NAME}{{2,12}})"
)
_PLACE_FIRST = re.compile(
    rf"(?:路过|去|到|在|住)(?:了|过)?({_NAME}{{2,10}})(?:那个|那家|这个|这家)(?:{_join(cues.PLACE_NOUNS_ZH)})"
)
_ITEM = re.compile(
    rf"^我(?:家|平时|家里|手里|手头|手头上|现在|常)?(?:{_join(cues.ITEM_VERBS_ZH)})的"
    rf"[^，。是]{{0,8}}是(?:一款|一台|一个)?({_NAME}(?:[^\s，。；！？]){{1,19}})"
)
_PLACED = ("在", "去", "到", "住", "是", "从", "来")


def find_names(one: Statement) -> Iterator[Mention]:
    """The names in a sentence, each with its kind and how sure it is that it names something."""
    text = one.text.rstrip("。.！!")
    found: dict[str, Mention] = {}
    for made in (*_find_events(one, text), *_find_people(one, text), *_find_places(one, text)):
        found.setdefault(made.label, made)
    if item := _ITEM.match(text):
        label = item.group(1).removesuffix("手机") if item.group(1)[0].isascii() else item.group(1)
        # A brand that ends in 的 is followed by the one that joins: 美的的电饭煲 is 美的电饭煲.
        label = label.removesuffix("的").replace("的的", "的")
        if label and not label.startswith(cues.NO_STARTS_ZH):
            found.setdefault(label, Mention(label, "concept", 3, one))
    yield from found.values()


def _find_events(one: Statement, text: str) -> Iterator[Mention]:
    for match in _EVENT.finditer(text):
        label = match.group(1)
        ends = label.endswith(cues.EVENT_ENDS_ZH)
        whole = match.end() == len(text) or text[match.end()] in "，。"
        if (ends or (whole and len(label) > 4)) and not label.startswith(cues.NO_STARTS_ZH):
            yield Mention(label, "event", 3, one)
    said = _SAYS.match(text)
    if said is not None and not said.group(1).startswith(cues.NO_STARTS_ZH):
        label = said.group(1)
        if not label.endswith(zh.KIN):
            yield Mention(label, "event", 3 if label.endswith(cues.EVENT_ENDS_ZH) else 2, one)


def _find_people(one: Statement, text: str) -> Iterator[Mention]:
    if (known := _PERSON.match(text)) and _may_name(known.group(1)):
        yield Mention(known.group(1), "person", 3, one, alias=known.group(2))
    if (called := _CALLED.match(text)) and _may_name(called.group(2)):
        yield Mention(called.group(2), "person", 3, one, alias=called.group(1))
    for start, end, _ in chinese_people.find_people(text):
        if _may_name(text[start:end]):
            yield Mention(text[start:end], "person", 1, one)


def _may_name(label: str) -> bool:
    """Whether signs may be the name of a person: a surname first, and nothing that is a word."""
    compound = label[:2] in zh.COMPOUND
    if not compound and label[0] not in zh.SURNAMES:
        return False
    return not label.startswith(zh.NO_NAMES) and 2 <= len(label) <= (4 if compound else 3)


def _find_places(one: Statement, text: str) -> Iterator[Mention]:
    for match in (*_PLACE.finditer(text), *_PLACE_FIRST.finditer(text)):
        label = match.group(1).removeprefix("在")
        # `是专门的医院` says what it is like, and not what it is called.
        if text.startswith("的", match.end()):
            continue
        if not label.startswith(cues.NO_STARTS_ZH) and label not in cues.PLACE_NOUNS_ZH:
            yield Mention(label, "place", 3, one)
    for start, end, _ in gazetteer.find_places(text):
        before, behind = text[:start], text[end:]
        led = before.endswith((*_PLACED, *gazetteer.PLACES_ZH))
        if led or behind.startswith(("上班", "工作", "出差")):
            yield Mention(text[start:end], "place", 2, one)
