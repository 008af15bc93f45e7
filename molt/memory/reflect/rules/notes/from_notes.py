"""From what notes say that will hold to bullets of core memory and insights."""

from __future__ import annotations

from molt import trees
from molt.formats import paths, times
from molt.formats.reflections.plan import Operation
from molt.memory.engines import rules as routing
from molt.memory.reflect.rules import claims
from molt.memory.reflect.rules.claims import OwnClaim
from molt.memory.reflect.rules.notes import note_cues, prose
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.memory.reflect.rules.spoken import Statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.rules.names.named import EntityNames
    from molt.memory.reflect.rules.notes.prose import NoteClaim, UserNames

_INSIGHTS = 5
"""Lessons that one night proposes: more of them nobody weighs."""
_SHORT = 12
"""Signs of a line that says anything."""
_RECENT = 30
"""Days for which a decision is of what goes on; one of before is found where it stands."""
_BLOCKS = {
    note_cues.PREFERENCE: claims.IDENTITY,
    note_cues.USER: claims.IDENTITY,
    note_cues.DECISION: claims.CONTEXT,
    note_cues.RULE: claims.PERSONA,
}
_TYPES = {note_cues.PREFERENCE: "preference", note_cues.DECISION: "decision"}
_THREADS = {
    "en": {
        note_cues.LESSON: "Lessons learned",
        note_cues.RULE: "Standing rules",
        note_cues.PREFERENCE: "What the user wants",
        note_cues.USER: "Who the user is",
    },
    "zh": {
        note_cues.LESSON: "经验教训",
        note_cues.RULE: "长期规则",
        note_cues.PREFERENCE: "用户的偏好",
        note_cues.USER: "用户是谁",
    },
}
_PERSON = 12
"""Facts of the user that one night proposes besides core memory."""


def list_note_claims(material: ReflectionMaterial, names: UserNames) -> tuple[NoteClaim, ...]:
    """What the new notes say that will hold, each once and in its newest words; nothing that the
    files say already which the agent reads in every conversation.
    """
    said = _list_said(material)
    found: dict[frozenset[str], NoteClaim] = {}
    for one in prose.list_claims(material.notes.pieces, names):
        words = claims.list_words(one.text)
        if not any(claims.is_covered(words, old) for old in said):
            known = next((key for key in found if claims.is_same(words, key)), words)
            found.pop(known, None)
            found[words] = one
    return tuple(found.values())


def _list_said(material: ReflectionMaterial) -> list[frozenset[str]]:
    """The words of each line of the files at the top, and of the insights that there are."""
    texts = [trees.read_text(material.tree, path) for path in (paths.CORE, *paths.PERSONA)]
    rows = [row for text in texts for row in text.split("\n") if len(row) > _SHORT]
    rows += [one.text for one in material.evolution.insights]
    return list(dict.fromkeys(map(claims.list_words, rows)))


def make_statement(one: NoteClaim) -> Statement:
    """A line of a note as a sentence that was said."""
    piece = one.piece
    return Statement(one.text, "", piece.id, piece.date, _TYPES.get(one.kind, "fact"))


def list_own(material: ReflectionMaterial, found: Iterable[NoteClaim]) -> Iterator[OwnClaim]:
    """What belongs to core memory: what the user is and wants, how the agent is to work, and what
    was decided of late.
    """
    today = times.parse_time(material.day) or material.now
    for one in found:
        block = _BLOCKS.get(one.kind, "")
        when = times.parse_time(one.piece.date)
        old = when is None or today - when > _RECENT * times.DAY
        if block and not (one.kind == note_cues.DECISION and old):
            yield OwnClaim(one.text, block, one.weight, make_statement(one))


def propose_insights(found: Sequence[NoteClaim]) -> Iterator[RankedOperation]:
    """The lessons that notes name as such, those first that order something."""
    lessons = [one for one in found if one.kind == note_cues.LESSON]
    lessons.sort(key=lambda one: (-one.weight, one.piece.date))
    for one in lessons[:_INSIGHTS]:
        yield _make_insight(one, f"the note of {one.piece.date} calls it a lesson")


def propose_rest(
    found: Sequence[NoteClaim], names: UserNames, known: EntityNames, rewritten: Operation | None
) -> Iterator[RankedOperation]:
    """What core memory has no room for: of the user, where the notes say the name, facts of that
    entity; and else an insight.
    """
    taken = {row["text"] for row in rewritten.rows("add")} if rewritten else set()
    kept = (note_cues.PREFERENCE, note_cues.USER, note_cues.RULE)
    rest = [one for one in found if one.kind in kept and one.text not in taken]
    rest.sort(key=lambda one: -one.weight)
    name = next((one for one in _list_names(names) if _count_named(rest, one)), "")
    own = [one for one in rest if name and name in one.text and one.kind != note_cues.RULE]
    if own:
        yield _make_person(own[:_PERSON], name, known)
    others = [one for one in rest if one not in own]
    for one in others[:_INSIGHTS]:
        yield _make_insight(one, f"the note of {one.piece.date} says that it holds")


def _list_names(names: UserNames) -> list[str]:
    """The name of the user as notes may have it: all of it, or its first word."""
    return [names.label, names.label.partition(" ")[0]] if names.label else []


def _count_named(found: Iterable[NoteClaim], name: str) -> int:
    return sum(name in one.text for one in found)


def _make_person(own: Sequence[NoteClaim], name: str, known: EntityNames) -> RankedOperation:
    told = [f"{one.text} (source: {one.piece.id})" for one in own]
    bearing = tuple(dict.fromkeys(one.piece.id for one in own))
    args = {"entity": known.find_stem(name) or f"person:{name}", "facts": told}
    reason = "what notes say of the user"
    return RankedOperation(4.5, Operation("upsert-entity", args, bearing, reason))


def _make_insight(one: NoteClaim, reason: str) -> RankedOperation:
    language = "zh" if routing.is_chinese(one.text) else "en"
    args: dict[str, object] = {"text": one.text, "thread": _THREADS[language][one.kind]}
    return RankedOperation(2.0, Operation("insight", args, (one.piece.id,), reason))
