"""What a Chinese sentence names, of which types, and how it relates that."""

from __future__ import annotations

from itertools import pairwise

from molt.index.content import variants
from molt.memory.engines import gazetteer
from molt.memory.engines.chinese import firms
from molt.memory.engines.chinese import people as chinese_people
from molt.memory.engines.chinese import words as zh
from molt.memory.engines.gazetteer import PLACES, TOOLS
from molt.memory.engines.verdict import Edge, Facts, Named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_INNER = ".+#-_"
_DENIALS = ("不", "没", "未", "别", "而非", "拒绝", "停止", "停用", "弃用")
_NO_DENIALS = ("不仅", "不但", "不只", "不断", "不错", "特别", "别的", "分别")
"""Words that deny nothing, though they have a sign that does."""
_OWN = ("我", "我的", "咱", "我家", "我家的", "")


def find_facts(said: str) -> Facts:
    """The things that a sentence names, with their types, and the relations between them."""
    text = variants.simplify_signs(said)
    # Types by the words that the text itself has; the places of both are the same.
    named: dict[str, tuple[str, int]] = {}
    for find in (
        _find_latin,
        gazetteer.find_tools,
        gazetteer.find_firms,
        firms.find_organizations,
        chinese_people.find_kin,
        chinese_people.find_people,
        _find_projects,
        _find_bare_projects,
        gazetteer.find_places,
    ):
        for start, end, kind in find(text):
            label = said[start:end]
            if not _is_covered(start, end, named):
                named[label] = (kind, start)
    about = _find_subject(text, said, named)
    if about and about not in named:
        named[about] = ("person" if about in zh.KIN else "concept", 0)
    ordered = sorted(named.items(), key=lambda item: item[1][1])
    entities = [Named(label, kind) for label, (kind, _) in ordered]
    edges = _find_edges(text, ordered)
    return Facts(tuple(_settle(entities, edges, text)), tuple(edges), about)


def _is_covered(start: int, end: int, named: dict[str, tuple[str, int]]) -> bool:
    return any(start < at + len(label) and at < end for label, (_, at) in named.items())


def _find_latin(text: str) -> Iterator[tuple[int, int, str]]:
    """Names in Latin letters, with the spaces between words of one name."""
    at = 0
    while at < len(text):
        if not (text[at].isascii() and text[at].isalnum()):
            at += 1
            continue
        end = _end_of_latin(text, at)
        word = text[at:end]
        if _is_latin_name(word, text, at):
            yield at, end, _type_of_latin(word, text, at, end)
        at = max(end, at + 1)


def _end_of_latin(text: str, at: int) -> int:
    end = at
    while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] in _INNER):
        end += 1
    while text[end - 1] in ".-_":
        end -= 1
    # Words that are parts of one name have a capital each: `VS Code`.
    rest = text[end + 1 : end + 2]
    if text[end : end + 1] == " " and text[at].isupper() and rest.isascii() and rest.isupper():
        return _end_of_latin(text, end + 1)
    return end


def _is_latin_name(word: str, text: str, at: int) -> bool:
    low = word.lower()
    if low in TOOLS:
        return True
    if (
        word[0].isdigit()
        or low in zh.NO_LATIN
        or len(word) < 2
        or "/" in text[max(0, at - 1) : at + len(word) + 1]
    ):
        return False
    if "." in word and word.islower():
        return False
    return any(map(str.isupper, word)) and not (word.isupper() and len(word) < 4 and at > 2)


def _type_of_latin(word: str, text: str, at: int, end: int) -> str:
    low = word.lower()
    if low in TOOLS or low in PLACES:
        return "tool" if low in TOOLS else "place"
    before, rest = text[:at].rstrip(), text[end : end + 16].lstrip()
    if rest.startswith(zh.PROJECT_NOUNS):
        return "project"
    return _type_by_noun(rest) or _type_by_place(before, rest) or "project"


def _type_by_noun(rest: str) -> str:
    """The type of what is said to be something: `X 是一种工具`."""
    kinds = (
        (zh.TOOL_NOUNS, "tool"),
        (zh.ORGANIZATION_ENDS, "organization"),
        (zh.PROJECT_NOUNS, "project"),
    )
    if not rest.startswith("是"):
        return ""
    return next((kind for nouns, kind in kinds if any(noun in rest for noun in nouns)), "")


def _type_by_place(before: str, rest: str) -> str:
    """The type of a name by what stands before it and behind it."""
    if rest.startswith(("的客户", "公司", "集团")) or before.endswith(("加入", "离开")):
        return "organization"
    if before.endswith("在") and rest.startswith(("工作", "上班", "做", "当", "任职")):
        return "organization"
    if rest.startswith(zh.PEOPLE) and not rest.startswith(("在线", "对", "是")):
        return "person"
    kin = any(before[-6:].rstrip("叫是 ").endswith(word) for word in zh.KIN)
    return "person" if kin or before.endswith(("和", "跟", "叫", "与")) else ""


def _find_projects(text: str) -> Iterator[tuple[int, int, str]]:
    at = text.find("项目")
    start = firms.find_begin(text, at) if at > 0 else at
    if at - start >= 2 and not text.startswith(
        ("这个", "那个", "我们", "一个", "新", "整个", "目前", "开源"), start
    ):
        yield start, at, "project"


def _find_bare_projects(text: str) -> Iterator[tuple[int, int, str]]:
    """Projects that nothing calls so: X in `X的日志写到 Kafka 里`, and in `X昨晚上线了`."""
    front, linked, rest = text.partition("的")
    kinds = [kind for _, _, kind in _find_latin(rest)]
    if linked and "tool" in kinds and _stores(rest) and _may_be_project(front):
        yield 0, len(front), "project"
    live = min((at for cue in zh.GONE_LIVE if (at := text.find(cue)) > 0), default=0)
    times = (at for word in zh.TIMES if 0 < (at := text.find(word)) < live)
    end = min(times, default=live)
    if _may_be_project(text[:end]):
        yield 0, end, "project"


def _stores(rest: str) -> bool:
    """Whether what follows the name of a project says where that keeps its data."""
    return any(verb in rest[:8] for verb in zh.STORING)


def _may_be_project(name: str) -> bool:
    plain = set(name).isdisjoint(chinese_people.MARKS) and not name.startswith(
        (*zh.PRONOUNS, *zh.TIMES, *zh.KIN, *zh.COMMON_THINGS)
    )
    return 2 <= len(name) <= 4 and plain and not name.endswith((*zh.TECHNICAL, *zh.COMMON_THINGS))


def _find_subject(text: str, said: str, named: dict[str, tuple[str, int]]) -> str:
    """What a sentence is about that says what something is; empty for one that does not."""
    first = min(((at, label) for label, (_, at) in named.items()), default=(99, ""))
    people = [label for label, (kind, _) in named.items() if kind == "person"]
    if people and text.startswith(("他叫", "她叫", "他是", "她是")):
        return people[0]
    if text.startswith(("他", "她", "它", "你", "这", "那")):
        return ""
    if first[0] == 0:
        rest = text[len(first[1]) :].lstrip().removeprefix("项目").removeprefix("团队")
        tells = rest.startswith(
            (
                *zh.PEOPLE,
                *zh.USING,
                *zh.DEPENDING,
                *zh.REPLACING,
                "总部",
                "从",
                "由",
                "和",
                "位于",
                "有",
                "的",
            )
        )
        kind = named[first[1]][0]
        lasts = set(rest[:4]).isdisjoint("了过着")
        heads = kind == "person" and rest.startswith(zh.HEADING) and lasts
        return first[1] if tells or heads or (kind == "project" and _stores(rest)) else ""
    if any(
        label for label, (kind, at) in named.items() if kind == "person" and at < 9
    ) and text.startswith(("我", "咱", *(word for word in zh.KIN))):
        return next(label for label, (kind, _) in named.items() if kind == "person")
    if (
        text.startswith(
            ("我们用", "我们使用", "我们的", "咱们用", "公司用", "产品负责人", "团队用")
        )
        and named
    ):
        return first[1]
    if (
        named
        and "是" in text[:12]
        and next(iter(named.values()))[0] == "person"
        and not text.startswith("我")
    ):
        return next(iter(named))
    return _find_relative(text) or _find_user(text, said, first) or _find_concept(text, said)


def _find_user(text: str, said: str, first: tuple[int, str]) -> str:
    """X in `X用Y写成`, where Y is a name."""
    front = text[: first[0]].rstrip()
    verb = next((cue for cue in (*zh.USING, *zh.DEPENDING) if front.endswith(cue)), "")
    head = front[: len(front) - len(verb)].rstrip()
    plain = set(head).isdisjoint(chinese_people.MARKS) and not head.startswith(
        (*zh.PRONOUNS, *zh.TIMES, *zh.ORDERS)
    )
    return said[: len(head)].strip() if verb and 1 < len(head) < 10 and plain else ""


def _find_relative(text: str) -> str:
    """Whom a sentence is about by what that person is to the user: `我婶婶的生日是…`."""
    at, found = min(
        ((text.find(word), word) for word in zh.KIN if word in text[:8]), default=(-1, "")
    )
    if at < 0 or text[:at] not in _OWN:
        return ""
    return (
        found
        if text.startswith(("的", "叫", "今年", "住", "在", "喜欢", "是", "身高"), at + len(found))
        else ""
    )


def _find_concept(text: str, said: str) -> str:
    """The subject of a definition, or of a value that some technical thing has."""
    for mark in ("：", ":", "，"):
        front = text.partition(mark)[0]
        if mark in text and front.startswith(zh.CORRECTION_STARTS):
            return _find_concept(text[len(front) + 1 :], said[len(front) + 1 :])
    if front := _find_owner(text) or _find_defined(text):
        return said[: len(front)].strip()
    for cue in zh.DEFINING:
        at = text.find(cue)
        if (
            2 <= at <= min(12, len(text) - len(cue) - 1)
            and not any(mark in text[:at] for mark in chinese_people.MARKS)
            and not text.startswith(("我", "今", "昨", "明"))
        ):
            return said[:at].strip()
    ends = [
        text.find(link)
        for link in ("的", "是", "有", "每", "为", "在", "最多", "最大", "设", "改", "支持", "只")
    ]
    for end in sorted(end for end in ends if end >= 2):
        head = text[:end].rstrip()
        if head.startswith(
            ("我", "你", "他", "今", "昨", "明", "这", "那")
        ) and not head.startswith("我们的"):
            return ""
        if (
            head.endswith(zh.TECHNICAL)
            and end <= 14
            and set(head).isdisjoint(chinese_people.MARKS)
            and not (text[end] == "每" and "每秒" not in text and "每分" not in text)
        ):
            return said[:end].strip().removeprefix("我们的")
    return ""


def _find_defined(text: str) -> str:
    """X in `X是…的共生体`: what a sentence says the kind of that it is."""
    front = text.partition("是")[0]
    ends = text.endswith(zh.DEFINED_AS) and "的" in text[len(front) :]
    plain = set(front).isdisjoint(chinese_people.MARKS) and not front.startswith(zh.PRONOUNS)
    return front if ends and plain and 2 <= len(front) < 8 else ""


def _find_owner(text: str) -> str:
    """X in `X的Y是Z`, where Y is a short word for what X has."""
    front, linked, rest = text.partition("的")
    attribute = rest.partition("是")[0] if "是" in rest else rest.partition("为")[0]
    short = (
        linked
        and 1 < len(attribute) < 6
        and len(attribute) < len(rest)
        and not set(attribute) & set(chinese_people.MARKS)
    )
    plain = (
        1 < len(front) < 16
        and not set(front) & set(chinese_people.MARKS)
        and not front.startswith(zh.PRONOUNS)
    )
    told = short and plain and not attribute.startswith(("就", "都", "时候"))
    return front.removesuffix("用") if told else ""


def _find_edges(text: str, ordered: list[tuple[str, tuple[str, int]]]) -> list[Edge]:
    """The relations between neighbours of a sentence, by the words that stand between them."""
    found: list[Edge] = []
    for (first, (kind, at)), (second, (other, then)) in pairwise(ordered):
        between, behind = text[at + len(first) : then], text[then + len(second) :]
        if word := _relate(between, behind, kind == "person" or other == "person"):
            ends = (second, first) if word.startswith("-") else (first, second)
            found.append(Edge(ends[0], word.lstrip("-"), ends[1]))
    return found


def _is_denied(between: str) -> bool:
    """Whether what stands between two names denies what it says of them."""
    for word in _NO_DENIALS:
        between = between.replace(word, "")
    return any(word in between for word in _DENIALS)


def _relate(between: str, behind: str, person: bool) -> str:
    """The word of a relation for what stands between and behind two names; `-` turns it round."""
    if len(between) > 14 or _is_denied(between):
        return ""
    table = (
        ("supersedes", zh.REPLACING), ("depends-on", zh.DEPENDING), ("part-of", zh.BELONGING),
        ("prefers", ("喜欢", "偏好")), ("avoids", ("讨厌",)), ("develops", zh.DEVELOPING),
    )  # fmt: skip
    for word, cues in table:
        if any(cue in between for cue in cues):
            return word
    if behind.startswith(("的维护者", "的作者", "的开发者")):
        return "develops"
    if between.strip() == "由" and behind.startswith(("维护", "开发", "编写")):
        return "-develops"
    if any(cue in between for cue in zh.USING) and not person:
        return "uses"
    joined = between.strip() in ("和", "与", "跟") and any(
        word in behind for word in ("夫妻", "兄弟", "姐妹", "同事", "朋友", "同学", "结婚")
    )
    near = any(
        cue in between
        for cue in (
            "在",
            "是",
            "负责",
            "从",
            "跳槽",
            "来自",
            "加入",
            "管理",
            "总部",
            "毕业",
            "位于",
            "住",
        )
    )
    return "relates-to" if joined or near else ""


def _settle(entities: list[Named], edges: list[Edge], text: str) -> Iterator[Named]:
    """The entities with the types that their relations say."""
    used = {edge.object for edge in edges if edge.word == "uses"}
    for one in entities:
        if (
            one.label in used
            and one.type == "project"
            and "项目" not in text[text.find(one.label) :][:20]
        ):
            yield one.replace(type="tool")
        else:
            yield one
