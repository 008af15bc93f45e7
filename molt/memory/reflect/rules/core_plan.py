"""What MEMORY.md gains and gives away: what was said of those who speak, and what has faded."""

from __future__ import annotations

from collections import Counter

from molt import tokens
from molt.formats import bullets, facts
from molt.formats.reflections.plan import Operation
from molt.memory.reflect.rules import claims, core_room
from molt.memory.reflect.rules.spoken import list_sentences
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.formats.bullets import Bullet
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.rules.claims import OwnClaim
    from molt.memory.reflect.rules.names.named import EntityNames
    from molt.memory.reflect.rules.spoken import Statement

_A_NIGHT = 8
"""Bullets that one reflection adds or so, the same number for each who speaks and each block."""
_FEW, _LEAST, _LEAST_OF_MANY = 20, 1.2, 2.0
"""The weight from which on what is said of somebody belongs to core memory, while it has few
bullets and when it has many."""
_MOST = {claims.IDENTITY: 16, claims.CONTEXT: 12, claims.PERSONA: 12}
"""Bullets of a block that rules fill: a page that one reads at a glance."""
_SHARE = 0.8
"""The part of the cap that rules fill; the rest is for what people say explicitly."""
_ANY = -10.0
"""Below what any statement weighs."""
_USED, _PROMOTED = 0.85, 4
"""The score that an episode has only when it was used more than once of late, and how many of
these one reflection looks at."""
_ALIKE = 2
"""Bullets that begin with the same thing of somebody: more of them tell one story."""


class _WeighedBullet(Value):
    """A bullet that may stay or go, with its weight."""

    weight: float
    bullet: Bullet


class CoreChanges(Value):
    """What other rules change in core memory: bullets that are `replaced` and those that are
    `moved` out, as rows of a rewrite, and claims that were `noted`.
    """

    replaced: tuple[dict[str, object], ...] = ()
    noted: tuple[OwnClaim, ...] = ()
    moved: tuple[dict[str, object], ...] = ()


NO_CHANGES = CoreChanges()


def rewrite_core(
    material: ReflectionMaterial,
    statements: Sequence[Statement],
    known: EntityNames,
    *,
    changes: CoreChanges = NO_CHANGES,
) -> Operation | None:
    """The changes of core memory: those of other rules, of what they noted that which weighs most,
    and what follows from the statements; None for none.
    """
    replaced, noted, moved = changes.replaced, changes.noted, changes.moved
    gone_already = {row["bullet"] for row in (*replaced, *moved)}
    every = [one for one in bullets.core_bullets(material.core) if one.id not in gone_already]
    used = _list_used(material, every)
    fresh = _choose_claims((*used, *statements), every, frozenset(used), noted)
    drop: list[dict[str, object]] = list(moved)
    add: list[dict[str, object]] = []
    for block in _MOST:
        mine = [one for one in fresh if one.block == block]
        own = [one for one in every if one.block == block and _is_own(one)]
        gone = _choose_gone(material, own, mine, known)
        drop += gone
        room = _MOST[block] - len(own) + len(gone)
        add += [
            {"block": block, "text": one.fact, "evidence": [one.statement.memory]}
            for one in mine[: max(room, 0)]
        ]
    add = _fit_cap(material, add)
    if not add and not drop and not replaced:
        return None
    args: dict[str, object] = {}
    if replaced:
        args["replace"] = list(replaced)
    if add:
        args["add"] = add
    if drop:
        args["drop"] = drop
    return Operation("rewrite-core", args, (), _tell_reason(noted, moved))


def _tell_reason(noted: Sequence[OwnClaim], moved: Sequence[dict[str, object]]) -> str:
    if moved:
        return "it is over its cap: what weighs least becomes facts of the graph"
    return "what notes say will hold" if noted else "what was said of those who speak"


def _is_own(one: Bullet) -> bool:
    """Whether a reflection wrote a bullet, and so may take it out again."""
    return "(source: episode:" in one.text or "(source: note:" in one.text


def _list_used(material: ReflectionMaterial, every: Sequence[Bullet]) -> list[Statement]:
    """The sentences of episodes that were used again and again and core memory does not cite."""
    cited = " ".join(one.text for one in every)
    often = [
        one
        for one in material.memories.values()
        if one.standing.score >= _USED and not one.pinned and f"{one.id})" not in cited
    ]
    often.sort(key=lambda one: -one.standing.score)
    return [said for one in often[:_PROMOTED] for said in list_sentences(one)]


def _choose_claims(
    statements: Sequence[Statement],
    every: Sequence[Bullet],
    used: frozenset[Statement],
    noted: Sequence[OwnClaim],
) -> list[OwnClaim]:
    """The claims that weigh most, a few for each speaker, none that core memory has; of what was
    used often each counts.
    """
    found = list(noted)
    for spoken in dict.fromkeys(statements):
        claim = claims.find_claim(spoken, least=_ANY if spoken in used else 1.0)
        found += [claim] if claim else []
    said = [claims.list_words(one.text) for one in every]
    least = _LEAST if len(said) < _FEW else _LEAST_OF_MANY
    found = [one for one in found if one.weight >= least or one.statement in used]
    found = [one for one in found if not _is_strange(one)]
    found.sort(key=lambda one: -one.weight)
    counts: dict[tuple[str, str], int] = {}
    most = max(1, _A_NIGHT // (2 * max(1, len({one.speaker for one in statements}))))
    taken: list[OwnClaim] = []
    told = frozenset(one.statement for one in noted)
    begun = Counter(_find_begin(one.text) for one in every)
    for one in found:
        words = claims.list_words(one.fact)
        place = (one.statement.speaker, one.block)
        limit = _A_NIGHT if one.statement in told else most
        if counts.get(place, 0) >= limit or any(claims.is_same(words, old) for old in said):
            continue
        begin = _find_begin(one.fact)
        if "'s " in one.fact[: len(begin)] and begun[begin] >= _ALIKE:
            continue
        begun[begin] += 1
        counts[place] = counts.get(place, 0) + 1
        said.append(words)
        taken.append(one)
    return taken


def _is_strange(one: OwnClaim) -> bool:
    """Whether a claim is nobody's word here and would pass for the user's: it says who somebody is,
    or has no name before it.
    """
    said = one.statement
    return said.is_strange and (one.block == claims.IDENTITY or not said.speaker)


def _find_begin(text: str) -> str:
    """The first two words of a bullet: what it is about where they are `Ann's dog`."""
    return " ".join(text.split(" ", 2)[:2]) + " "


def _choose_gone(
    material: ReflectionMaterial,
    own: Sequence[Bullet],
    fresh: Sequence[OwnClaim],
    known: EntityNames,
) -> list[dict[str, object]]:
    """The bullets that make room: those that have faded, then, where the block is full, those that
    are worth less than what is new. They become facts of whom they are about; one that is about
    nobody stays.
    """
    rows = [_WeighedBullet(_find_worth(material, one), one) for one in own]
    rows.sort(key=lambda row: row.weight)
    waiting = [one.weight for one in fresh]
    spare = _MOST[own[0].block] - len(own) if own else 0
    gone: list[dict[str, object]] = []
    for row in rows:
        memory = material.memories.get(row.bullet.id)
        faded = memory is not None and memory.standing.status in ("dormant", "archived")
        first = spare + len(gone)
        better = 0 <= first < len(waiting) and waiting[first] > row.weight
        if (memory is not None and memory.pinned) or not (faded or better or first < 0):
            continue
        if stem := core_room.find_subject(row.bullet, known):
            gone.append({"bullet": row.bullet.id, "into": stem})
    return gone


_WORTH = 3.0
"""The weight of a bullet that is no sentence which rules would have chosen: a model's, a person's,
one that took the place of another."""


def _find_worth(material: ReflectionMaterial, one: Bullet) -> float:
    """What a bullet weighs today: as a claim, less the more it has faded."""
    memory = material.memories.get(one.id)
    said = facts.strip_asides(one.text)
    cited = one.text.rpartition("(source: ")[2].partition(")")[0].partition(",")[0].strip()
    source = material.memories.get(cited)
    found = (
        (claims.find_claim(part, least=_ANY) for part in list_sentences(source)) if source else ()
    )
    weight = next((claim.weight for claim in found if claim and claim.fact == said), _WORTH)
    return weight * memory.standing.score if memory and weight > 0 else min(weight, 0.0)


def _fit_cap(material: ReflectionMaterial, add: list[dict[str, object]]) -> list[dict[str, object]]:
    """The bullets that core memory has room for."""
    cap = material.config.core_cap * _SHARE
    used = tokens.count_tokens(material.core, material.config.core_encoding)
    kept: list[dict[str, object]] = []
    for row in add:
        words = f"- {row['text']} (source: {row['evidence']})\n"
        used += tokens.count_tokens(words, material.config.core_encoding)
        if used > cap:
            break
        kept.append(row)
    return kept
