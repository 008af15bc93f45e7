"""Members and items put into the text of JSON, and taken out, with the rest as it stands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from molt.formats import lines
from molt.hosts.install.json_nodes import JsonNode, parse_nodes, skip_gap
from molt.hosts.install.splices import Splice
from molt.values import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPACE = " \t\r\n\ufeff"


class _Style(Value):
    """How a file is laid out: the end of a line (empty if all stands on one), and a step in."""

    newline: str
    unit: str
    is_spaced: bool


def insert_child(text: str, box: JsonNode, key: str | None, value: Any) -> tuple[Splice, ...]:
    """The splices that put a value at the end of an object (with a key) or an array."""
    style = _read_style(text, box)
    close = box.end - 1
    if not box.children:
        return (_fill_empty(text, box, key, (style, value)),)
    indent = _line_indent(text, box.begins[-1])
    sep = style.newline + indent if style.newline else " " * style.is_spaced
    body = _render_child(key, value, style, indent)
    last = box.children[-1].end
    end = close - (len(text[last:close]) - len(text[last:close].rstrip(_SPACE)))
    after = skip_gap(text, last)
    if text[after] == ",":
        return (Splice(end, "", f"{sep}{body},"),)
    if end == last:
        return (Splice(last, "", f",{sep}{body}"),)
    return (Splice(end, "", sep + body), Splice(last, "", ","))


def _fill_empty(text: str, box: JsonNode, key: str | None, what: tuple[_Style, Any]) -> Splice:
    style, value = what
    inner = text[box.start + 1 : box.end - 1]
    kept = inner.rstrip(_SPACE)
    outside = _line_indent(text, box.start)
    indent = outside + style.unit
    body = _render_child(key, value, style, indent)
    if style.newline or kept:
        line = style.newline or "\n"
        body = f"{line}{indent}{body}{line}{outside}"
    return Splice(box.start + 1 + len(kept), inner[len(kept) :], body)


def _render_child(key: str | None, value: Any, style: _Style, indent: str) -> str:
    if style.newline:
        text = json.dumps(value, ensure_ascii=False, indent=style.unit)
        text = text.replace("\n", style.newline + indent)
    else:
        space = " " * style.is_spaced
        text = json.dumps(value, ensure_ascii=False, separators=(f",{space}", f":{space}"))
    if key is None:
        return text
    colon = ": " if style.is_spaced else ":"
    return json.dumps(key, ensure_ascii=False) + colon + text


def _read_style(text: str, box: JsonNode) -> _Style:
    root = parse_nodes(text) if box.start else box
    on_lines = "\n" in text[root.start : root.end] or not root.children
    newline = lines.detect_newline(text)
    unit = _line_indent(text, root.begins[0]) if root.children else ""
    if box.children:
        # A list that stands on one line stays on it.
        on_lines = "\n" in text[box.start : box.begins[0]]
    spaced = on_lines or '": ' in text or not root.children
    return _Style(newline if on_lines else "", unit or "  ", spaced)


def _line_indent(text: str, at: int) -> str:
    """The space that the line of a place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def remove_child(text: str, box: JsonNode, at: int) -> tuple[Splice, ...]:
    """The splices that take one child out of an object or array, and its comma."""
    begin, end = box.begins[at], box.children[at].end
    floor = box.children[at - 1].end if at else box.start + 1
    comma = skip_gap(text, end)
    has_comma = text[comma] == ","
    cuts: list[tuple[int, int]] = []
    if len(box.children) == 1:
        return _clear_box(text, box, comma if has_comma else end)
    start = begin - (len(text[floor:begin]) - len(text[floor:begin].rstrip(_SPACE)))
    if has_comma and not text[end:comma].strip(_SPACE):
        end = comma + 1
    elif has_comma:
        cuts.append((comma, comma + 1))
    if start == box.start + 1 and "\n" not in text[start:begin]:
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    elif "//" in text[floor:start] and not text[end:].lstrip(" \t\r").startswith("\n"):
        # The comment before it must still end where its line does.
        start = text.index("\n", start) + 1
    cuts.append((start, end))
    if not has_comma and at:
        before = skip_gap(text, floor)
        cuts.append((before, before + 1))
    return tuple(Splice(left, text[left:right], "") for left, right in cuts)


def _clear_box(text: str, box: JsonNode, end: int) -> tuple[Splice, ...]:
    """Take the only child out, with all the space around it; comments stay."""
    end += text[end] == ","
    before, after = text[box.start + 1 : box.begins[0]], text[end : box.end - 1]
    if not before.strip(_SPACE) and not after.strip(_SPACE):
        return (Splice(box.start + 1, text[box.start + 1 : box.end - 1], ""),)
    return (Splice(box.begins[0], text[box.begins[0] : end], ""),)


def find_node(root: JsonNode, path: Sequence[str]) -> JsonNode | None:
    """What stands at a path of keys; None if there is nothing."""
    node = root
    for key in path:
        at = node.find_child(key)
        if at < 0:
            return None
        node = node.children[at]
    return node
