"""Whether a sentence says how two entities hang together, and which relation it bears out."""

from __future__ import annotations

import re

from molt.memory.engines import tables
from molt.memory.reflect.evidence import claims, passages, turns
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.reflect.evidence.passages import EvidencePassage
    from molt.memory.reflect.evidence.witness import Witness

_TABLE = tables.load("relations")
_CUES = {name: _TABLE.split_cues(name) for name in _TABLE.names()}
_LOOSE = "relates-to"
"""The relation of what a sentence names together."""
_FIRST = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours)\b|[我咱]", re.IGNORECASE)
_DENIED = "the evidence denies it"
_APART = "no sentence of the evidence names both"


class TellableRelation(Value):
    """The relation that may be told of two entities: the one that was claimed, a looser one, or
    none. `wrong` is why it is not the one that was claimed.
    """

    word: str
    wrong: str = ""


class RelationEnd(Value):
    """One end of a relation: its name in the plan and the names that it is called by."""

    name: str
    forms: tuple[str, ...]


def judge_relation(
    witness: Witness, word: str, ends: tuple[str, str], evidence: Sequence[str]
) -> TellableRelation:
    """The relation that evidence bears out between two entities: `word` where a sentence says it of
    the first one, `relates-to` where one only names both of them.
    """
    first, last = (RelationEnd(name, witness.list_forms(name)) for name in ends)
    said = [one for one in witness.list_passages(evidence) if not one.is_question]
    near = [
        one
        for window in _list_windows(said)
        if all(any(_names(witness, each, end) for each in window) for end in (first, last))
        for one in window
    ]
    if not near:
        return TellableRelation("", _APART)
    if word != _LOOSE and _says(witness, word, (first, last), near):
        return TellableRelation(word)
    if all(_denies(one, last) for one in near):
        return TellableRelation("", _DENIED)
    if word == _LOOSE:
        return TellableRelation(word)
    known = witness.material.relations
    loose = _LOOSE if not known or _LOOSE in known else ""
    return TellableRelation(loose, f"no sentence of the evidence says {word!r} of {first.name}")


def _list_windows(said: Sequence[EvidencePassage]) -> Iterator[Sequence[EvidencePassage]]:
    """Each sentence, and each that points back with the one before it of the same memory."""
    for at, one in enumerate(said):
        yield said[at : at + 1]
        before = said[at - 1] if at else one
        if at and before.said.memory == one.said.memory and turns.BACK.search(one.said.text):
            yield (before, one)


def _names(witness: Witness, one: EvidencePassage, end: RelationEnd) -> bool:
    """Whether a sentence speaks of an end: by name, or as `I` where that is who speaks."""
    if any(passages.names(one.said.text, form) for form in end.forms):
        return True
    if not _FIRST.search(one.said.text):
        return False
    if not one.said.speaker:
        return witness.is_user(end.name)
    return any(passages.names(one.said.speaker, form) for form in end.forms)


def _says(
    witness: Witness,
    word: str,
    ends: tuple[RelationEnd, RelationEnd],
    near: Sequence[EvidencePassage],
) -> bool:
    """Whether one of some sentences says a relation, with its own words or others of its sense."""
    first, last = ends
    for one in near:
        for cue in _list_cues(word, one):
            for form in last.forms:
                joint = "" if not cue.isascii() else " "
                claim = f"{cue}{joint}{form}"
                if not witness.find_words(claim, (one.said.memory,), about=first.name).wrong:
                    return True
    return False


def _list_cues(word: str, one: EvidencePassage) -> Iterator[str]:
    """The words for a relation of which a sentence has some."""
    for cue in (*_CUES.get(word, ()), word.replace("-", " ")):
        words = claims.cut_words(cue) - claims.DENYING
        if cue in one.said.text or (words and all(map(one.words.has_word, words))):
            yield cue


def _denies(one: EvidencePassage, end: RelationEnd) -> bool:
    """Whether a sentence denies something of an end."""
    wanted = frozenset[str]().union(*map(claims.cut_words, end.forms))
    return any(map(claims.denies, passages.list_near(one.said.text, wanted)))
