"""The items of a plan in whatever text a model gave: fenced, in prose, with commas too many, cut
off in the middle.
"""

from __future__ import annotations

import json
import re

from molt import untrusted
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LIST = re.compile(
    r"""["']?(?:operations|plan|ops|actions|items|changes|steps|proposals)["']?\s*[:=]\s*\[""",
    re.IGNORECASE,
)
_YAML = re.compile(r"^(?:operations|plan):\s*$|^- op:", re.MULTILINE)
_TRAILING = re.compile(r",(?=\s*[}\]])")
_THOUGHT = re.compile(r"<(/?)think(?:ing)?>")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "：": ":", "，": ","})
_NEXT = re.compile(r"""\{\s*["'](?:op|operation)["']""")
_INNER = re.compile(r"""["'](?:op|operation|operations)["']\s*:""")
_MOST_OBJECT = 1 << 16
_MOST_BROKEN = 64
"""Characters of an object whose end is looked for, and how many such: a plan of more is none."""
_DECODER = json.JSONDecoder(strict=False)


class LooseItems(Value):
    """What was found: items with their places from 0, and what is wrong at other places."""

    items: tuple[tuple[int, Any], ...]
    faults: tuple[tuple[int, str], ...] = ()


def read_items(text: str) -> LooseItems:
    """The items of a plan, in order; takes time in proportion to the text. Never raises."""
    text = _drop_thoughts(text.removeprefix("\ufeff"))
    text = _find_inner(text) if '\\"' in text else text
    starts = [found.end() for found in _LIST.finditer(text)]
    # The objects inside of an item in YAML may be written as in JSON: they are no items.
    if not starts and (rows := _read_yaml(text)):
        return LooseItems(tuple(enumerate(rows)))
    best = LooseItems(())
    at = -1
    for start in starts[-4:] if starts else (0,):
        if start <= at:
            continue
        found, at = _read_from(text, start)
        if len(found.items) >= len(best.items) and (found.items or found.faults or not best.items):
            best = found
    if not best.items and any(text[start:].lstrip()[:1] == "]" for start in starts[-4:]):
        return LooseItems(())
    if not best.items and starts:
        best = _read_from(text, 0)[0] if not best.faults else best
    items = _unwrap(best.items)
    if items or best.faults:
        return LooseItems(items, best.faults)
    if starts:
        return best
    said = "there is no JSON in it" if "{" not in text else "there is no list `operations` in it"
    return LooseItems((), ((-1, f'{said}; a plan is `{{"operations": [{{"op": …}}, …]}}`'),))


def _read_yaml(text: str) -> list[Any]:
    """The items of a plan that a model wrote as YAML; none where it is none."""
    start = _YAML.search(text)
    if start is None or len(text) > _MOST_OBJECT:
        return []
    try:
        found = untrusted.parse_yaml(text[start.start() :].split("```")[0])
    except ValueError:
        return []
    every = next(iter(found.values()), None) if isinstance(found, dict) else found
    return every if isinstance(every, list) else []


def _find_inner(text: str) -> str:
    """The plan that stands in a text of an object, as the arguments of a call and answers of a
    server do; else the text.
    """
    begin = text.find("{")
    value, end = _read_object(text, begin) if begin >= 0 else (None, -1)
    waiting = [value] if end >= 0 else []
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and "{" in one and _INNER.search(one):
            return _find_inner(one) if '\\"' in one else one
        if isinstance(one, dict | list):
            waiting += one.values() if isinstance(one, dict) else one
    return text


def _drop_thoughts(text: str) -> str:
    """A text without what stands between `<think>` and the next `</think>`; one that is never
    closed stays.
    """
    kept: list[str] = []
    done, begin = 0, -1
    # One pass over the tags: to look from each opening for its end takes the square of the text.
    for found in _THOUGHT.finditer(text):
        if not found[1]:
            begin = found.start() if begin < 0 else begin
        elif begin >= 0:
            kept += [text[done:begin], " "]
            done, begin = found.end(), -1
    return "".join((*kept, text[done:]))


def _unwrap(items: tuple[tuple[int, Any], ...]) -> tuple[tuple[int, Any], ...]:
    """The items of a plan that stands in an object by itself."""
    while len(items) == 1 and isinstance(items[0][1], dict):
        inner = items[0][1]
        lists = [value for key, value in inner.items() if isinstance(value, list | dict)
                 and key.lower() in ("operations", "plan", "ops", "actions", "items")]  # fmt: skip
        if not lists:
            break
        found = lists[0] if isinstance(lists[0], list) else _list_numbered(lists[0])
        items = tuple(enumerate(found))
    return items


def _list_numbered(value: dict[str, Any]) -> list[Any]:
    """The items of a list that is written as an object with numbers; else the object alone."""
    numbered = value and all(key.isdecimal() for key in value)
    return list(value.values()) if numbered else [value]


def _read_from(text: str, start: int) -> tuple[LooseItems, int]:
    """The objects from a place on, up to the end of their list, and where that is."""
    items: list[tuple[int, Any]] = []
    faults: list[tuple[int, str]] = []
    at, number = start, 0
    while (begin := text.find("{", at)) >= 0:
        if start and "]" in text[at:begin]:
            break
        value, at = _read_object(text, begin)
        following = _NEXT.search(text, begin + 1) if at < 0 else None
        if at < 0 and following is None:
            said = f"the plan is cut off in its item {number + 1}; the {len(items)} before it were"
            faults.append((number, f"{said} read: send the others as a further plan"))
            at = len(text)
        elif value is None:
            at = following.start() if following else at
            faults.append(
                (number, "it is no JSON: " + " ".join(text[begin : begin + 160].split())[:80])
            )
            at = len(text) if len(faults) > _MOST_BROKEN else at
        else:
            items.append((number, value))
        number += 1
    if start and not faults and items and "]" not in text[at:]:
        faults.append(
            (number, "the plan ends before its list does: send what is missing as another")
        )
    return LooseItems(tuple(items), tuple(faults)), at if at > start else len(text)


def _read_object(text: str, begin: int) -> tuple[Any, int]:
    """The object that begins at a place, None where it is none, and where it ends: -1 where the
    text ends before.
    """
    try:
        return _DECODER.raw_decode(text, begin)
    except RecursionError:
        return None, len(text)
    except ValueError:
        end = _find_end(text, begin)
    if end < 0:
        return None, -1
    return _mend_object(text[begin:end]), end


def _find_end(text: str, begin: int) -> int:
    """Where the brace that opens at a place is closed; -1 where it never is."""
    depth, quoted, escaped = 0, False, False
    for at in range(begin, min(len(text), begin + _MOST_OBJECT)):
        char = text[at]
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if not depth:
                return at + 1
    return -1


def _mend_object(text: str) -> Any:
    """An object that is nearly JSON: with commas too many, typographic quotes, comments, or as
    Python writes it.
    """
    bare = re.sub(r"(?m)^[^\S\n]*//.*$", "", text)
    for form in (bare, bare.translate(_QUOTES)):
        try:
            return json.loads(_TRAILING.sub("", form), strict=False)
        except (ValueError, RecursionError):
            continue
    import ast

    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    return value if isinstance(value, dict) else None
