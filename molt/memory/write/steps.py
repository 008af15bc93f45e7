"""A way of doing something, told in a sentence, as a title and steps."""

from __future__ import annotations

from molt.values import Value

_LONGEST = 60
"""Characters of a title: what is longer is a sentence of its own, and no heading."""
_BEGINS = (
    "how to ",
    "steps to ",
    "steps for ",
    "the way to ",
    "our process for ",
    "procedure for ",
)
_BREAKS = (
    *(
        ", and then ",
        ", and finally ",
        ", then ",
        ", finally ",
        ", after that ",
        "; ",
        ", and ",
        ", ",
    ),
    *("，然后", "，再", "，最后", "，接着", "；", "，"),
)
_LEADS = (
    "first ",
    "then ",
    "finally ",
    "and ",
    "next ",
    "首先",
    "然后",
    "最后",
    "接着",
    "先",
    "再",
)


class StepList(Value):
    """A title, and what is to be done one after the other."""

    title: str
    steps: tuple[str, ...]


def split_steps(text: str) -> StepList:
    """The title and the steps of a procedure: its lines, or the parts of its sentence."""
    rows = [row.strip() for row in text.split("\n") if row.strip()]
    if len(rows) > 1:
        return StepList(rows[0][:_LONGEST], tuple(rows))
    front, rest = _split_title(rows[0] if rows else "")
    if not rest:
        return StepList(front[:_LONGEST], (front,))
    return StepList(_name_title(front), tuple(_split_clauses(rest)) or (rest,))


def _split_title(row: str) -> tuple[str, str]:
    """What a sentence is about, and what it says to do; no second part where it has none."""
    for mark in ("：", ": "):
        front, found, rest = row.partition(mark)
        if found and rest.strip() and len(front) <= _LONGEST:
            return front.strip(), rest.strip()
    low = row.lower()
    if low.startswith(("to ", "if ", "when ", "before ", "after ", "如果", "要是")):
        for mark in (", ", "，"):
            front, found, rest = row.partition(mark)
            if found and rest.strip() and len(front) <= _LONGEST:
                return front.strip(), rest.strip()
    return row, ""


def _name_title(front: str) -> str:
    low = front.lower()
    for begin in _BEGINS:
        if low.startswith(begin):
            front = front[len(begin) :]
            break
    return (front[:1].upper() + front[1:])[:_LONGEST]


def _split_clauses(rest: str) -> list[str]:
    parts = _split_numbers(rest)
    if len(parts) < 2:
        parts = [rest]
        for mark in _BREAKS:
            parts = [piece for part in parts for piece in part.split(mark)]
    return [step for step in map(_trim_step, parts) if step]


def _split_numbers(rest: str) -> list[str]:
    """The parts of a list that numbers itself: `1. go 2. stop`."""
    parts, number, at = [], 1, 0
    while True:
        spots = [rest.find(f"{number}{mark}", at) for mark in (". ", ".", ") ", "、")]
        found = min((spot for spot in spots if spot >= 0), default=-1)
        if found < 0:
            break
        if number > 1:
            parts.append(rest[at:found])
        at = found + len(str(number)) + 1
        number += 1
    return [*parts, rest[at:]] if number > 2 else []


def _trim_step(part: str) -> str:
    step = part.strip(" .,;。，；")
    for lead in _LEADS:
        if step.lower().startswith(lead) and len(step) > len(lead):
            return step[len(lead) :].strip(" ,，")
    return step
