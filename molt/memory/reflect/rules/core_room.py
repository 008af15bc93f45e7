"""Room in a MEMORY.md that is over its cap: what weighs least becomes facts of the graph."""

from __future__ import annotations

import re

from molt import tokens
from molt.formats import bullets, ids
from molt.formats.reflections.plan import LABEL, MOST_ITEMS, TEXT, Operation
from molt.memory.reflect.rules import claims
from molt.memory.reflect.rules.notes import prose
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.memory.reflect.unfit import UnfitWords
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.formats.bullets import Bullet
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.rules.names.named import EntityNames

_LEFT = 0.9
"""The share of the cap at which the rest may stay: what a few days add still fits."""
_KEPT = (claims.IDENTITY, claims.PERSONA, "Critical Facts")
"""The blocks that say who is who and what must not be forgotten: they stay whole."""
_PAST = re.compile(
    r"\b(?:log|history|archive|archived|completed|done|past|changelog|milestones|timeline|events)\b"
    r"|历史|已完成|归档|日志|记录|进展|里程碑|完成",
    re.IGNORECASE,
)
_DAY = re.compile(r"\b20\d\d-\d\d(?:-\d\d)?\b")
_WEIGHT = 6.0
"""Before most else: without the entity nothing can move, and what is over its cap grows no more."""


class CoreMoves(Value):
    """Rows of a rewrite of core memory that take bullets out, each with the entity that gets it,
    and the operations that make those entities.
    """

    rows: tuple[dict[str, object], ...] = ()
    operations: tuple[RankedOperation, ...] = ()


NONE = CoreMoves()


def make_room(material: ReflectionMaterial, known: EntityNames) -> CoreMoves:
    """What leaves a MEMORY.md that is over its cap, the least relevant first: each bullet becomes a
    fact of the entity that it begins with, or of one that is called like its block. Nothing where
    it is within its cap.
    """
    cap, encoding = material.config.core_cap, material.config.core_encoding
    if len(material.core.encode()) <= cap:
        return NONE
    spare = tokens.count_tokens(material.core, encoding) - cap * _LEFT
    if spare <= cap * (1 - _LEFT):
        return NONE
    rows: list[dict[str, object]] = []
    made: dict[str, RankedOperation] = {}
    for one in _rank_bullets(material):
        if spare <= 0 or len(rows) == MOST_ITEMS:
            break
        stem = find_subject(one, known) or known.find_stem(_name_block(one))
        name = stem or f"concept:{_name_block(one)}"
        if not stem and name not in made:
            made[name] = _make_entity(one, name)
        rows.append({"bullet": one.id, "into": name})
        spare -= tokens.count_tokens(one.text, encoding) + 2
    return CoreMoves(tuple(rows), tuple(made.values()))


def _rank_bullets(material: ReflectionMaterial) -> list[Bullet]:
    """The bullets that may leave, the least relevant first, block by block so that what belongs
    together stays so: by their score, then those below a title that tells of the past, the block
    of the oldest days, and their order.
    """
    every = bullets.core_bullets(material.core)
    # What holds a secret would be one in another file too.
    words = UnfitWords(material.tree)
    days: dict[str, str] = {}
    for one in every:
        said = _DAY.findall(one.block) or _DAY.findall(one.text)
        days[one.block] = max(days.get(one.block, ""), *said, "")
    found = []
    for one in every:
        memory = material.memories.get(one.id)
        stays = memory is None or memory.pinned or one.block in _KEPT
        if memory is None or stays or not _name_block(one) or len(one.text) > TEXT:
            continue
        if words.find_fault(one.text):
            continue
        score = round(memory.standing.score, 1)
        past = _PAST.search(one.block) is None
        found.append(((score, past, days[one.block] or "9", one.start), one))
    found.sort(key=lambda row: row[0])
    return [one for _, one in found]


def _name_block(one: Bullet) -> str:
    """The title of a bullet's block as the name of an entity; empty where it cannot be one."""
    name = prose.clean_text(one.block.partition("(")[0].partition("（")[0])
    name = "".join(char for char in name if char.isprintable() and char not in "[]|#").strip()
    return name if 2 < len(name) <= LABEL and any(map(str.isalpha, name)) else ""


def find_subject(one: Bullet, known: EntityNames) -> str:
    """The entity with whose name a bullet begins, by its label or first word; empty for none."""
    begins = (prose.split_label(one.text)[0], one.text.partition(" ")[0])
    names = (begin.strip(" *_:：").removesuffix("'s") for begin in begins)
    return next((stem for name in names if name and (stem := known.find_stem(name))), "")


def _make_entity(one: Bullet, name: str) -> RankedOperation:
    reason = "MEMORY.md is over its cap: what weighs least of this block becomes its facts"
    made = Operation("upsert-entity", {"entity": name}, (ids.core(one.block),), reason)
    return RankedOperation(_WEIGHT, made)
