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
        return _split_rows(rows)
    front, rest = _split_title(rows[0] if rows else "")
    if not rest:
        return StepList(front[:_LONGEST], (front,))
    return StepList(_name_title(front), tuple(_split_clauses(rest)) or (rest,))


def _split_rows(rows: list[str]) -> StepList:
    """The title and the steps of several lines: the first one is the title where it has no mark
    and others have, or it ends in a colon; a line without a mark goes on with the step before.
    """
    steps = list(map(_strip_mark, rows))
    listed = any(step != row for step, row in zip(steps[1:], rows[1:], strict=True))
    if steps[0] != rows[0] or not (listed or rows[0].endswith((":", "："))):
        return StepList(steps[0][:_LONGEST], tuple(steps))
    kept: list[str] = []
    for step, row in zip(steps[1:], rows[1:], strict=True):
        if listed and kept and step == row:
            kept[-1] += f" {step}"
        else:
            kept.append(step)
    return StepList(_name_title(rows[0].strip("#:： ")), tuple(kept))


def _strip_mark(row: str) -> str:
    """A line of a list without its mark: `1. `, `2) `, `3、`, `- `; any other line as it is."""
    bare = row.lstrip("0123456789")
    if bare != row and bare.startswith((". ", ") ", "、")):
        return bare[1:].strip()
    return row[2:].strip() if row.startswith(("- ", "* ", "• ")) else row


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
    while (found := _find_number(rest, str(number), at)) >= 0:
        if number > 1:
            parts.append(rest[at:found])
        at = found + len(str(number)) + 1
        number += 1
    return [*parts, rest[at:]] if number > 2 else []


def _find_number(rest: str, number: str, at: int) -> int:
    """Where a number with its mark stands, from a place on: `2.`, `2) `, `2、`, and not the one in
    `1.2` or `12.5`; -1 for nowhere.
    """
    found = rest.find(number, at)
    while found >= 0:
        before, behind = rest[:found][-1:], rest[found + len(number) :][:2]
        part = before.isdigit() or before == "." or (behind[:1] == "." and behind[1:].isdigit())
        if behind.startswith((".", ") ", "、")) and not part:
            return found
        found = rest.find(number, found + 1)
    return -1


def _trim_step(part: str) -> str:
    step = part.strip(" .,;。，；")
    for lead in _LEADS:
        if step.lower().startswith(lead) and len(step) > len(lead):
            return step[len(lead) :].strip(" ,，")
    return step
