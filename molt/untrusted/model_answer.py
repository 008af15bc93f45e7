"""The JSON value of a model's answer, whatever is around it and however badly it is written.

Strict JSON first; then each value in the text, repaired where it is broken. The
library that repairs takes the square of what is odd enough, so what it is given is bounded before.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from molt import untrusted

LONGEST = 1 << 20
"""Characters of an answer that are read."""
_MOST_REPAIRED = 1 << 17
_MOST_WORK = 40_000_000
"""Characters that are repaired at once, and these times the brackets in them: a plan of a hundred
operations has a third of it, and the oddest text of so much takes about two seconds."""
_MOST_STARTS, _MOST_FAILED = 32, 3
"""Places where a value is looked for, and of these that hold none: an answer of more is prose."""
_DEEPEST = 64
"""Most levels in each other in what is repaired; a plan has five."""
_THOUGHT = re.compile(r"<(/?)(?:think(?:ing)?|reasoning)>")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_START = re.compile(r"""[{\[](?=\s*(?:["'“”{\[}\]]|//|/\*|\w+["']?\s*[:：]|$))""")
_BROKEN_OFF = re.compile(r"""\s*(?:,|["'“{\[]|:)""")
_WIDE = re.compile(r"""(?<=["”}\]])([：，])(?=\s*["“{\[])""")
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


@dataclass(frozen=True)
class ModelAnswer:
    """The value of an answer, and whether the text broke off before it was closed: then the field
    or item that was being written is not part of the value.
    """

    value: object
    cut_off: bool = False


def parse_answer(text: str) -> object:
    """Return the JSON value of a model's answer: without thoughts, fences and prose, with commas,
    quotes and brackets put right, up to where it breaks off. Of several values that are objects
    or lists of objects the list of them all. Raises ValueError where there is none.
    """
    return read_answer(text).value


def read_answer(text: str) -> ModelAnswer:
    """Return the same with whether it broke off. Raises ValueError where there is no value."""
    text = text[:LONGEST].removeprefix("\ufeff").strip()
    try:
        return ModelAnswer(_open_text(untrusted.parse_json(text)))
    except (ValueError, RecursionError):
        pass
    text = _drop_thoughts(text)
    try:
        found = _scan_values(_take_fenced(text))
        if not found.value and "```" in text:
            found = _scan_values(text)
        return ModelAnswer(_open_text(_join_values(found.value)), found.cut_off)
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error


def _drop_thoughts(text: str) -> str:
    """Return a text without what stands between `<think>` and `</think>`, and without what stands
    before a `</think>` alone; a thought that is never closed stays.
    """
    kept: list[str] = []
    done, begin = 0, -1
    # One pass over the tags: to look from each opening for its end takes the square of the text.
    for found in _THOUGHT.finditer(text):
        if not found[1]:
            begin = found.start() if begin < 0 else begin
        elif begin >= 0 or not done:
            kept += [text[done : max(begin, 0)], " "]
            done, begin = found.end(), -1
    return "".join((*kept, text[done:]))


def _take_fenced(text: str) -> str:
    """Return the content of a text's fences that have a bracket; without such the text."""
    marks = [(found.start(), found.end()) for found in _FENCE.finditer(text)]
    marks += [(len(text), len(text))] * (len(marks) % 2)
    inner = [text[begin:end] for (_, begin), (end, _) in zip(marks[::2], marks[1::2], strict=True)]
    found = [one for one in inner if "{" in one or "[" in one]
    return "\n".join(found) if found else text


def _scan_values(text: str) -> ModelAnswer:
    """Return the list of the objects and lists in a text, and whether the last breaks off."""
    found: list[object] = []
    at, failed, cut_off = 0, 0, False
    for _ in range(_MOST_STARTS):
        start = _START.search(text, at)
        if start is None or failed == _MOST_FAILED:
            break
        try:
            value, at = _DECODER.raw_decode(text, start.start())
        except ValueError:
            value, at, cut_off = _repair_value(text, start.start())
            failed += value is None
        if isinstance(value, dict | list):
            found.append(value)
    else:
        # So many objects are lines of JSON, or prose.
        found += _read_lines(text[at:])
    return ModelAnswer(found, cut_off)


def _read_lines(text: str) -> list[object]:
    """Return the values of the lines that are JSON by themselves."""
    found: list[object] = []
    for line in text.splitlines():
        try:
            found.append(_DECODER.decode(line))
        except (ValueError, RecursionError):
            continue
    return found


def _repair_value(text: str, begin: int) -> tuple[object, int, bool]:
    """Return the broken value that begins at a place, where it ends, and whether the text broke
    off in it. None where it cannot be repaired; then the next place is looked at.
    """
    end = _find_end(text, begin)
    cut_off = end < 0
    piece = text[begin:end] if end >= 0 else _cut_back(text[begin:])
    while len(piece) > _MOST_REPAIRED or len(piece) * _count_brackets(piece) > _MOST_WORK:
        cut_off, piece = True, _cut_back(piece[: min(len(piece) // 2, _MOST_REPAIRED)])
    import json_repair

    piece = _WIDE.sub(lambda found: ":" if found[0] == "：" else ",", piece.replace("```", "'''"))
    try:
        value: object = json_repair.loads(piece, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError):
        value = None
    if not isinstance(value, dict | list) or not value:
        return None, begin + 1, False
    return value, len(text) if cut_off else end, cut_off


def _count_brackets(text: str) -> int:
    return sum(map(text.count, "{[("))


def _find_end(text: str, begin: int) -> int:
    """Return where the bracket that opens at a place is closed; -1 where it never is. Raises
    RecursionError where it holds too many levels.
    """
    depth, quoted = 0, False
    for found in re.compile(r'\\.|["{}\[\]]', re.DOTALL).finditer(text, begin):
        char = found[0]
        if char == '"':
            quoted = not quoted
        elif not quoted and len(char) == 1:
            depth += 1 if char in "{[" else -1
            if depth > _DEEPEST:
                raise RecursionError
            if not depth:
                return found.end()
    return -1


def _cut_back(text: str) -> str:
    """Return a text that breaks off without what it was about to say: up to its last comma or
    closed bracket outside of quotes. A text that ends well stays as it is.
    """
    closed = max(text.rfind("}"), text.rfind("]")) + 1
    if closed and not _BROKEN_OFF.match(text, closed):
        # What follows is prose: only the brackets around are missing.
        return text[:closed]
    last, quoted = 0, False
    for found in re.compile(r'\\.|[",{}\[\]]', re.DOTALL).finditer(text):
        char = found[0]
        if char == '"':
            quoted = not quoted
        elif not quoted and char == ",":
            last = found.start()
        elif not quoted and len(char) == 1:
            last = found.end()
    return text[:last]


def _join_values(found: object) -> object:
    """Return the one value of a list, or all that are objects in one list."""
    every = found if isinstance(found, list) else []
    objects = [one for one in every if _holds_object(one)]
    if len(objects) == 1 or (not objects and len(every) == 1):
        return (objects or every)[0]
    if not objects:
        raise ValueError("there is no JSON in it")
    return [one for each in objects for one in (each if isinstance(each, list) else [each])]


def _holds_object(value: object) -> bool:
    if isinstance(value, list):
        return any(isinstance(one, dict) and one for one in value)
    return isinstance(value, dict) and bool(value)


def _open_text(value: object) -> object:
    """Return a value with what no text, number or list of ours may be put right; a text that holds
    an object or a list by itself, as the arguments of a call do, is that.
    """
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            value = untrusted.parse_json(value)
        except ValueError:
            return _clean_value(value)
    return _clean_value(value)


def _clean_value(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if not value.isascii() else value
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [_clean_value(one) for one in value]
    if isinstance(value, dict):
        return {str(_clean_value(key)): _clean_value(one) for key, one in value.items()}
    return value
