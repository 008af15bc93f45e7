"""How the things that sentences name hang together, as edges of the graph."""

from __future__ import annotations

from molt.formats.reflections.plan import Operation
from molt.memory.engines import english
from molt.memory.engines import rules as routing
from molt.memory.engines.chinese import names as chinese_names
from molt.memory.engines.english import names as english_names
from molt.memory.reflect.rules import cues
from molt.memory.reflect.rules.names.named import fold_name
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.memory.reflect.rules.words import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.reflect.material.material import ReflectionMaterial
    from molt.memory.reflect.rules.names.mentions import Mention
    from molt.memory.reflect.rules.names.named import EntityNames, NamedThing, NamedThings
    from molt.memory.reflect.rules.spoken import Statement

_A_NIGHT = 6
"""Relations that one reflection adds."""
_RELATED = "relates-to"


def propose_relations(
    material: ReflectionMaterial, found: NamedThings, known: EntityNames
) -> Iterator[RankedOperation]:
    """Relations that a sentence tells between two things it names, and of who speaks to those whom
    a sentence calls `my friend`; only with words that the workspace knows, and none that is there.
    """
    sure = {fold_name(one.label): one for one in found.list_sure()}
    said: dict[Statement, list[Mention]] = {}
    for one in sure.values():
        for mention in one.mentions:
            said.setdefault(mention.statement, []).append(mention)
    seen = {
        (stem, relation.word, relation.target)
        for stem, entity in known.entities.items()
        for relation in entity.relations
    }
    count = 0
    for statement, mentions in said.items():
        for first, word, last in _list_edges(statement, mentions):
            ends = [_name_end(sure, known, name) for name in (first, last)]
            told = (ends[0], word, ends[1])
            allowed = not material.relations or word in material.relations
            if not all(ends) or ends[0] == ends[1] or told in seen or not allowed:
                continue
            seen.add(told)
            count += 1
            if count > _A_NIGHT:
                return
            args = {"from": ends[0], "relation": word, "to": ends[1]}
            made = Operation("add-relation", args, (statement.memory,), "a sentence tells it")
            yield RankedOperation(2.5, made)


def _list_edges(one: Statement, mentions: Sequence[Mention]) -> Iterator[tuple[str, str, str]]:
    """The relations of a sentence: label, word, label."""
    if one.speaker:
        for mention in mentions:
            if mention.kind == "person" and _is_own(one, mention.label):
                yield one.speaker, _RELATED, mention.label
    if len(mentions) < 2:
        return
    if routing.is_chinese(one.text):
        edges = chinese_names.find_facts(one.text).edges
    else:
        edges = english_names.find_facts(english.parse_sentence(one.text)).edges
    for edge in edges:
        yield edge.subject, edge.word, edge.object


def _is_own(one: Statement, label: str) -> bool:
    """Whether a sentence names somebody as the speaker's: `my friend Priya`."""
    words = [word.low for word in split_words(one.text)]
    first = label.split()[0].lower()
    at = words.index(first) if first in words else 0
    near = words[max(0, at - 3) : at]
    return bool({"my", "our"} & set(near)) and not (cues.KIN | cues.PETS).isdisjoint(near)


def _name_end(sure: dict[str, NamedThing], known: EntityNames, label: str) -> str:
    """How an operation names the thing of a label; empty for what is no entity."""
    if stem := known.find_stem(label):
        return stem
    found = sure.get(fold_name(label))
    if found is None:
        return ""
    kind = "person" if found.spoken else found.kind or "concept"
    return found.stem or f"{kind}:{found.label}"
