"""What a person answered to the questions of earlier reflections, carried out."""

from __future__ import annotations

from molt.formats import ids
from molt.formats.reflections import plan, record
from molt.formats.reflections.plan import Operation
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.memory.reflect.rules.words import fold_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.episodes import Episode
    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.rules.names.named import EntityNames

_WEIGHT = 9.5
"""A person took the time to answer: nothing goes before it."""
_YES = ("yes", "yep", "yeah", "right", "correct", "true", "same", "是", "对", "没错", "同一")
_NO = ("no", "nope", "not", "different", "wrong", "不", "否", "没有")
_ASKED, _AS = "Is ", " as "


def is_answer(one: Episode) -> bool:
    """Whether an episode is an answer, which holds its question too and so is no plain evidence."""
    return any(key == record.ANSWERS for key, _ in one.fields)


def list_asked(material: ReflectionMaterial) -> frozenset[str]:
    """All that was asked before, in one line each: it is not asked again in the same words."""
    return frozenset(
        plan.describe_operation(one)
        for record in material.records
        for item in record.items
        if item.op in plan.ASKS and (one := plan.from_item(item))
    )


def apply_answers(material: ReflectionMaterial, known: EntityNames) -> Iterator[RankedOperation]:
    """What follows from the new answers: two names of one thing, a new thing, a fact that no longer
    holds. An answer from which nothing follows for sure is left to who reads it.
    """
    items = {f"{record.id}#{item.n}": item for record in material.records for item in record.items}
    for episode in material.fresh:
        ref = next((value for key, value in episode.fields if key == record.ANSWERS), "")
        asked = plan.from_item(items[ref]) if ref in items else None
        if asked is None:
            continue
        question = plan.describe_operation(asked)
        said = episode.text.removeprefix(question).strip()
        if asked.op == "contradiction":
            made = _settle(asked, said, known)
        else:
            made = _unite(asked, said, known)
        if made is not None:
            reason = f"it was answered, as {ref}"
            yield RankedOperation(_WEIGHT, made.replace(evidence=(episode.id,), reason=reason))


def _unite(asked: Operation, said: str, known: EntityNames) -> Operation | None:
    """What an answer to `Is A the same person as B?` says."""
    text, other = asked.text("text"), asked.text("about")
    name, _, rest = text.removeprefix(_ASKED).partition(" the same ")
    kind, _, second = rest.removesuffix("?").partition(_AS)
    stem = known.find_stem(second) or known.find_stem(other)
    verdict = _read_verdict(said)
    if not text.startswith(_ASKED) or not kind or not stem or verdict is None:
        return None
    known_first = known.find_stem(name)
    if verdict and known_first and known_first != stem:
        args: dict[str, object] = {"into": stem, "other": known_first}
        return Operation("merge-entities", args, asked.evidence)
    if verdict:
        return Operation("upsert-entity", {"entity": stem, "aliases": [name]})
    return None if known_first else Operation("upsert-entity", {"entity": f"{kind}:{name}"})


def _read_verdict(said: str) -> bool | None:
    """Whether an answer is a yes; None for one that is neither. One that is both is a no: `not the
    same`, `不是`.
    """
    low = said.casefold()
    words = "".join(char if char.isalnum() else " " for char in low).split()
    no = any(word in words if word.isascii() else word in low for word in _NO)
    yes = any(word in words if word.isascii() else word in low for word in _YES)
    return None if not (yes or no) else not no


def _settle(asked: Operation, said: str, known: EntityNames) -> Operation | None:
    """The old fact struck through where the answer names what the new one says."""
    first, second = asked.text("first"), asked.text("second")
    answer = _list_telling(said)
    old = (answer & _list_telling(first)) - _list_telling(second)
    new = (answer & _list_telling(second)) - _list_telling(first)
    stem = known.find_stem(asked.text("about"))
    for memory in asked.evidence:
        stem = memory.removeprefix("entity:") if memory.startswith("entity:") else stem
    entity = known.entities.get(stem)
    if len(new) <= len(old) or entity is None or ids.entity(stem) not in asked.evidence:
        return None
    args = {"entity": stem, "fact": first, "by": second}
    return Operation("supersede-fact", args)


def _list_telling(text: str) -> frozenset[str]:
    """The words of a text without the small ones of a script with spaces."""
    words = fold_words(text)
    return frozenset(one for one in words if len(one) > 2 or one.isdigit() or not one.isascii())
