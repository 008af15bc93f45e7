"""Ways of doing something that were told more than once, as procedures."""

from __future__ import annotations

import re

from molt.formats.reflections.plan import LABEL, MOST_ITEMS, TEXT, Operation
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.memory.reflect.rules.spoken import LONGEST, is_assistant, split_speaker
from molt.memory.reflect.rules.words import fold_words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.memory.reflect.material.material import ReflectionMaterial

_NUMBERED = re.compile(r"(?:^|(?<=[\s:：;；。.,，]))(\d{1,2})[.)、．]\s?(?=\D)")
_BULLET = re.compile(r"^\s*[-*•] +", re.MULTILINE)
_SAME = 0.6
"""The share of the words of two lists of steps above which they tell the same way."""
_FEWEST = 2
"""Steps; one alone is a piece of advice."""


class ToldSteps(Value):
    """Steps as an episode tells them, and what they are for."""

    title: str
    steps: tuple[str, ...]
    memory: str


def propose_procedures(material: ReflectionMaterial) -> Iterator[RankedOperation]:
    """Procedures for steps that a new episode tells, and another one as well. The newest telling
    counts; one that a procedure has already is none.
    """
    fresh = [found for one in material.fresh if (found := read_steps(one.text, one.id))]
    if not fresh:
        return
    told = [
        (found, fold_steps(found.steps))
        for one in material.memories.values()
        if one.id.startswith("episode:") and (found := read_steps(one.text, one.id))
    ]
    known = [fold_steps(one.steps) for one in material.procedures.values()]
    for one in reversed(fresh):
        words = fold_steps(one.steps)
        others = [
            other for other, said in told if other.memory != one.memory and is_same(words, said)
        ]
        if not others or any(is_same(words, other) for other in known):
            continue
        known.append(words)
        bearing = tuple(dict.fromkeys((one.memory, *(other.memory for other in others))))[:8]
        args = {"title": one.title, "steps": list(one.steps)}
        reason = "it was told the same way more than once"
        yield RankedOperation(4.0, Operation("upsert-procedure", args, bearing, reason))


def read_steps(text: str, memory: str) -> ToldSteps | None:
    """The numbered or bulleted steps of a text that says before them what they are for; None for a
    text that has none.
    """
    if is_assistant(text):
        # What an assistant explains nobody has done.
        return None
    name, said = split_speaker(text[:LONGEST])
    if name and said.lstrip()[:1] in ("1", "-", "*", "•"):
        # What looks like a speaker is what the steps are for: `Release: 1. …`.
        said = text[:LONGEST]
    cuts = _find_cuts(said)
    if len(cuts) < _FEWEST:
        return None
    title = _clean_title(said[: cuts[0][0]])
    ends = [start for start, _ in cuts[1:]] + [len(said)]
    steps = [said[begin:end] for (_, begin), end in zip(cuts, ends, strict=True)]
    plain = tuple(" ".join(step.split()).strip(" ;；,，") for step in steps)
    fit = all(0 < len(step) <= TEXT for step in plain) and len(plain) <= MOST_ITEMS
    return ToldSteps(title, plain, memory) if title and fit else None


def _find_cuts(said: str) -> list[tuple[int, int]]:
    """Where the marks of steps stand: begin and end of each; numbers must count up from 1."""
    found: list[tuple[int, int]] = []
    for match in _NUMBERED.finditer(said):
        if int(match.group(1)) == len(found) + 1:
            found.append(match.span())
    if len(found) >= _FEWEST:
        return found
    return [match.span() for match in _BULLET.finditer(said)]


def _clean_title(front: str) -> str:
    """What steps are for, by the words before them."""
    row = next((row for row in reversed(front.strip().split("\n")) if row.strip()), "")
    said = row.strip().strip("#* ").rstrip(" :：，,.。")
    for lead in ("To ", "How to ", "Steps to ", "Steps for ", "The steps to "):
        said = said.removeprefix(lead)
    return said if 2 < len(said) <= LABEL and any(map(str.isalpha, said)) else ""


def fold_steps(steps: tuple[str, ...]) -> frozenset[str]:
    """The words of some steps, such that two ways of writing them are the same."""
    return fold_words(" ".join(steps))


def is_same(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two lists of steps, by their words, tell the same way."""
    return bool(words) and len(words & other) >= _SAME * max(len(words), len(other))
