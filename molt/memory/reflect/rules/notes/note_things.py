"""The people and things of which notes say what they are: `Atlas is a …`, `Ann's wife is …`."""

from __future__ import annotations

import re

from molt.formats.reflections.plan import LABEL, Operation
from molt.memory.engines.gazetteer import PLACES, TOOLS
from molt.memory.reflect.rules import cues
from molt.memory.reflect.rules.notes import note_cues, prose
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.formats.prose.notes import NotePiece
    from molt.memory.reflect.rules.names.named import EntityNames
    from molt.memory.reflect.rules.notes.prose import NoteClaim, UserNames

_NAME = r"[A-Z][\w'&+-]*(?:[ .][A-Z0-9][\w'&+-]*){0,3}"
_IS = re.compile(
    rf"^(?P<name>{_NAME}) (?:is|was) (?:now )?(?P<rest>(?:a|an|the|our|my|\w+'s|{_NAME}'s) .+)$"
)
_LABELLED = re.compile(
    rf"^(?P<name>{_NAME})(?: \([^)]*\))?\s*[:—–-]\s+(?P<rest>(?:[Aa]n?|[Tt]he|[Oo]ur) .+)$"
)
_KIN = re.compile(
    rf"^(?P<owner>[A-Z]\w+|The user)'s (?P<kin>[a-z]+(?: [a-z]+)?)"
    r"(?: is| is named| is called|,|:) "
    rf"(?P<name>{_NAME})(?P<rest>.*)$"
)
_IS_ZH = re.compile(
    r"^(?P<name>[A-Za-z][\w.+-]*(?: [A-Za-z][\w.+-]*){0,2}|[\u4e00-\u9fffA-Za-z0-9]{2,10})"
    r"(?:是|：|: ?)"
    r"(?P<rest>(?:一个|一款|一家|一种|一套|我们的|用户的|老板的|基于).+)$"
)
_KIN_ZH = re.compile(
    r"^(?:用户|老板|主人)(?:的)?(?P<kin>儿子|女儿|老婆|妻子|丈夫|老公|父亲|母亲|弟弟|哥哥|姐姐|妹妹|朋友|同事)"
    r"(?:是|叫|名叫|：|:)?(?P<name>[\u4e00-\u9fff]{2,3})(?=的|，|,|。|$|（|\(|在|是)"
)
_OFTEN = 2
"""Notes that name a thing before it is one that memory knows."""
_A_NIGHT, _MOST_FACTS = 8, 2
"""Entities that one night proposes, and facts of each."""
_HEAD = 60
"""Characters behind `is a` in which it is said what something is."""


class ToldThing(Value):
    """What a line says of a thing: its name, its type, the line, and the piece that says it."""

    name: str
    kind: str
    fact: str
    piece: NotePiece
    sure: bool = False


def propose_things(
    pieces: Sequence[NotePiece],
    claims: Iterable[NoteClaim],
    known: EntityNames,
    names: UserNames,
) -> Iterator[RankedOperation]:
    """Entities for what notes say what it is, named in two notes or more, or by kinship; and for
    known entities what was decided of them.
    """
    found: dict[str, list[ToldThing]] = {}
    for one in list_things(pieces, names):
        found.setdefault(one.name.casefold(), []).append(one)
    texts = _join_notes(pieces)
    rows: list[RankedOperation] = []
    for every in found.values():
        name = every[0].name
        count = sum(name in text for text in texts.values())
        if known.find_stem(name) or every[0].sure or count >= _OFTEN:
            rows.append(_propose(every, known, count))
    rows += _list_decided(claims, known)
    rows.sort(key=lambda row: -row.weight)
    yield from rows[:_A_NIGHT]


def list_things(pieces: Iterable[NotePiece], names: UserNames) -> Iterator[ToldThing]:
    """What the lines of notes say of things; nothing of what others say, of tasks, of today."""
    for one in pieces:
        if note_cues.is_foreign((*one.titles, one.lead)) or one.box:
            continue
        text = prose.clean_text(one.text)
        if not prose.is_plain(text) or note_cues.is_fading(text):
            continue
        made = _read(one, text, names)
        if made is not None:
            yield made


def _read(one: NotePiece, text: str, names: UserNames) -> ToldThing | None:
    if match := _KIN.match(text) or _KIN_ZH.match(text):
        kin = match["kin"].split()[-1]
        if kin in cues.KIN or not kin.isascii():
            return ToldThing(match["name"].removesuffix("'s"), "person", text, one, sure=True)
        return None
    match = _IS.match(text) or _LABELLED.match(text) or _IS_ZH.match(text)
    if match is None or not _may_name(match["name"], names):
        return None
    name = match["name"]
    return ToldThing(name, _find_kind(name, match["rest"]), text, one)


def _may_name(name: str, names: UserNames) -> bool:
    low = name.casefold()
    first = low.split()[0]
    plain = first in cues.NOT_NAMED or first in cues.CALENDAR or low in note_cues.LABEL_STOPS
    own = first in names.user or first in names.agent
    label = note_cues.name_kind(name) or cues.is_row_label(low.split()[-1])
    return not plain and not own and not label and 2 < len(name) <= LABEL and not name.isupper()


def _find_kind(name: str, rest: str) -> str:
    low = name.casefold()
    if low in TOOLS:
        return "tool"
    if low in PLACES:
        return "place"
    head = note_cues.pad_words(rest[:_HEAD])
    for kind, words in _KINDS:
        if any(f" {word} " in head if word.isascii() else word in head for word in words):
            return kind
    return "person" if low.split()[0] in cues.FIRST_NAMES else "concept"


_KINDS = (
    ("person", ("friend", "colleague", "founder", "ceo", "engineer", "wife", "husband", "lawyer")),
    (
        "organization",
        ("company", "agency", "startup", "club", "firm", "bank", "公司", "机构", "团队"),
    ),
    (
        "project",
        ("project", "app", "platform", "website", "dashboard", "game", "项目", "平台"),
    ),
    (
        "tool",
        ("tool", "library", "framework", "plugin", "cli", "service", "api", "工具", "插件", "框架"),
    ),
    ("place", ("city", "town", "village", "restaurant", "café", "城市", "小区")),
)


def _join_notes(pieces: Iterable[NotePiece]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for one in pieces:
        found.setdefault(one.path, []).extend((one.text, *one.titles[-1:]))
    return {path: "\n".join(rows) for path, rows in found.items()}


def _propose(every: Sequence[ToldThing], known: EntityNames, count: int) -> RankedOperation:
    first = every[0]
    told = list({one.fact: one for one in reversed(every)}.values())[:_MOST_FACTS]
    stem = known.find_stem(first.name)
    facts = [f"{one.fact} (source: {one.piece.id})" for one in told]
    bearing = tuple(dict.fromkeys(one.piece.id for one in told))
    args = {"entity": stem or f"{first.kind}:{first.name}", "facts": facts}
    reason = f"{count} notes name it" if count > 1 else "a note says who it is"
    weight = 2.0 + min(count, 8) * 0.2 + first.sure
    return RankedOperation(weight, Operation("upsert-entity", args, bearing, reason))


def _list_decided(claims: Iterable[NoteClaim], known: EntityNames) -> Iterator[RankedOperation]:
    """What was decided of a known entity, as its fact."""
    for one in claims:
        if one.kind != note_cues.DECISION:
            continue
        stem = next((stem for label, stem in _list_labels(known) if label in one.text), "")
        if stem:
            args = {"entity": stem, "facts": [f"{one.text} (source: {one.piece.id})"]}
            made = Operation("upsert-entity", args, (one.piece.id,), "it was decided")
            yield RankedOperation(2.6, made)


def _list_labels(known: EntityNames) -> Iterator[tuple[str, str]]:
    for stem, entity in known.entities.items():
        yield from ((name, stem) for name in (entity.label, *entity.aliases) if len(name) > 3)
