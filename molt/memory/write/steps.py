"""A way of doing something, in a sentence or a list, as a title, steps and notes."""

from __future__ import annotations

from molt import resources
from molt.values import Value

_LONGEST = 60
"""Characters of a title: what is longer is a sentence."""
_ENDS = (". ", "! ", "。", "！")
_MARKS = (". ", ") ", "、")


class StepList(Value):
    """A title, what is to be done one after the other, and what is said after that."""

    title: str
    steps: tuple[str, ...]
    notes: tuple[str, ...] = ()


def split_steps(text: str) -> StepList:
    """Return the title and the steps of a procedure: its lines, or the parts of its sentence."""
    rows = [row.strip() for row in text.split("\n") if row.strip()]
    if len(rows) > 1:
        return _split_rows(rows)
    front, rest = _split_title(rows[0] if rows else "")
    if not rest:
        return StepList(front[:_LONGEST], (front,))
    numbered = _split_numbers(rest)
    body, notes = _split_notes(numbered[-1] if numbered else rest)
    parts = [*numbered[:-1], body] if numbered else _split_clauses(body)
    steps = tuple(filter(None, map(_trim_step, parts)))
    return StepList(_name_title(front), steps or (rest,), notes)


def has_words(told: tuple[str, ...], text: str) -> bool:
    """Return whether all words of a text that begins with a title of its own are told otherwise,
    but for those that lead to a step.
    """
    front = text.strip().split("\n")[0] if "\n" in text.strip() else _split_title(text.strip())[0]
    begin = next((one for one in _words("titles") if front.lower().startswith(one)), "")
    wanted, held = (set(_fold_words(one)) for one in (front[len(begin) :], " ".join(told)))
    return wanted <= held


def _fold_words(text: str) -> list[str]:
    return "".join(one if one.isalnum() else " " for one in text.casefold()).split()


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
    if bare != row and bare.startswith(_MARKS):
        return bare[1:].strip()
    return row[2:].strip() if row.startswith(("- ", "* ", "• ")) else row


def _split_title(row: str) -> tuple[str, str]:
    """What a sentence is about, and what it says to do; no second part where it has none."""
    marks = ["：", ": "]
    if row.lower().startswith(_words("conditions")):
        marks += [", ", "，"]
    for mark in marks:
        front, found, rest = row.partition(mark)
        if found and rest.strip() and len(front) <= _LONGEST:
            return front.strip(), rest.strip()
    return row, ""


def _name_title(front: str) -> str:
    begin = next((one for one in _words("titles") if front.lower().startswith(one)), "")
    front = front[len(begin) :]
    return (front[:1].upper() + front[1:])[:_LONGEST]


def _split_notes(rest: str) -> tuple[str, tuple[str, ...]]:
    """The sentence of steps, and the sentences behind it."""
    ends = [at + len(mark) for mark in _ENDS if (at := rest.find(mark)) >= 0]
    if not ends:
        return rest, ()
    body, behind = rest[: min(ends)], rest[min(ends) :].strip()
    return body, (behind,) if behind else ()


def _split_clauses(rest: str) -> list[str]:
    parts = [rest]
    for mark in _words("breaks"):
        parts = [piece for part in parts for piece in part.split(mark)]
    return parts


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
    lead = next((one for one in _words("leads") if step.lower().startswith(one)), "")
    return step[len(lead) :].strip(" ,，") if len(step) > len(lead) else step


def _words(name: str) -> tuple[str, ...]:
    """A list of the words that part steps; `_` is a blank."""
    if not _lists:
        _lists.update(resources.load_lists("templates/routing/steps.txt"))
    return tuple(_lists[name].strip().replace("_", " ").split("|"))


_lists: dict[str, str] = {}
