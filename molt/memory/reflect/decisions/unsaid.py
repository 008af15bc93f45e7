"""Whether a reflection says what was forgotten since it was made."""

from __future__ import annotations

from molt import errors
from molt.formats.reflections import erased as erasing
from molt.formats.reflections import plan, summary
from molt.memory.reflect.decisions import settle
from molt.memory.reflect.unfit import UnfitWords
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from molt.formats.reflections.record import ReflectionRecord
    from molt.trees import Tree


class Erased(Value):
    """What was forgotten just now: whether a text `says` it, and the ids of its memories."""

    says: Callable[[str], bool] | None = None
    memories: frozenset[str] = frozenset()


NOTHING = Erased()


def find_forgotten(one: ReflectionRecord, words: UnfitWords, erased: Erased = NOTHING) -> str:
    """Why a record must not stay as it is: it says what was forgotten, or rests on it; empty where
    it may.
    """
    said = next(filter(None, map(words.find_forgotten, _list_told(one))), "")
    if said or not erased.memories:
        return said
    evidence = (plan.list_evidence(each) for each in settle.read_operations(one))
    rests = not erased.memories.isdisjoint(memory for every in evidence for memory in every)
    return "it rests on what was forgotten" if rests else ""


def require_unsaid(one: ReflectionRecord, tree: Tree) -> None:
    """Raises Refused for a record that says what a tree has forgotten."""
    if why := find_forgotten(one, UnfitWords(tree)):
        hint = f"`molt reflect rebase {one.id}` rebuilds it without that"
        raise errors.Refused(f"{one.id} is not approved as it is: {why}", hint)


def _list_told(one: ReflectionRecord) -> Iterator[str]:
    yield from summary.render_summary(one.summary).split("\n")
    yield from erasing.list_texts(
        [[item.summary, item.reason, dict(item.more)] for item in one.items]
    )
    yield from erasing.list_texts(dict(one.fields))
