"""JSON as people write it, with the place of each part: comments, trailing commas, bare names."""

from __future__ import annotations

import json
import re
from typing import Any

from molt.values import Value

_DEEPEST = 200
"""How deep a file may be nested; Python's own stack ends at about five times that."""

_GAP = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.DOTALL)
_WORD = re.compile(r"""[^\s,:\[\]{}"'/\ufeff]+""")
_ESCAPED = re.compile(r"\\(.)|\"", re.DOTALL)


class Broken(Exception):
    """A text is no JSON; the first value says what is wrong, the second at which character."""


class JsonNode(Value):
    """A value with its place in the text; an object has the keys of its children, and where each
    key begins, which is where its child does for an array.
    """

    start: int
    end: int
    value: Any
    children: tuple[JsonNode, ...] = ()
    keys: tuple[str, ...] = ()
    begins: tuple[int, ...] = ()

    def find_child(self, key: str) -> int:
        """Where among the children of an object the one of a key is; -1 if there is none.

        Of two with one key, the last one holds.
        """
        found = [at for at, one in enumerate(self.keys) if one == key]
        return found[-1] if found else -1


def parse_nodes(text: str) -> JsonNode:
    """The value that a text holds. Raises Broken."""
    node = _parse_value(text, skip_gap(text, 0), 0)
    end = skip_gap(text, node.end)
    if end < len(text):
        raise Broken("there is more after its end", end)
    return node


def skip_gap(text: str, at: int) -> int:
    """The next character that is neither space nor comment."""
    found = _GAP.match(text, at)
    return found.end() if found else at


def _parse_value(text: str, at: int, depth: int) -> JsonNode:
    if depth > _DEEPEST:
        raise Broken("it is nested too deep", at)
    char = text[at : at + 1]
    if char == "{":
        return _parse_object(text, at, depth)
    if char == "[":
        return _parse_array(text, at, depth)
    return _parse_scalar(text, at)


def _parse_scalar(text: str, at: int) -> JsonNode:
    found = _STRING.match(text, at)
    if found:
        return JsonNode(at, found.end(), _decode_string(found[0], at))
    word = _WORD.match(text, at)
    if word is None:
        raise Broken("a value is missing", at)
    try:
        value = json.loads(word[0])
    except ValueError:
        value = word[0]
    return JsonNode(at, word.end(), value)


def _decode_string(quoted: str, at: int) -> str:
    if quoted[0] == "'":
        quoted = '"' + _ESCAPED.sub(_render_escape, quoted[1:-1]) + '"'
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        raise Broken("a text has an escape that JSON does not know", at) from None


def _render_escape(found: re.Match[str]) -> str:
    """A character of a text in single quotes as it stands in double ones."""
    if found[0] == '"':
        return '\\"'
    return "'" if found[1] == "'" else found[0]


def _parse_array(text: str, at: int, depth: int) -> JsonNode:
    children: list[JsonNode] = []
    here = skip_gap(text, at + 1)
    while text[here : here + 1] != "]":
        children.append(_parse_value(text, here, depth + 1))
        here = _pass_comma(text, children[-1].end, "]")
    begins = tuple(child.start for child in children)
    value = [child.value for child in children]
    return JsonNode(at, here + 1, value, tuple(children), (), begins)


def _parse_object(text: str, at: int, depth: int) -> JsonNode:
    children: list[JsonNode] = []
    keys: list[str] = []
    begins: list[int] = []
    here = skip_gap(text, at + 1)
    while text[here : here + 1] != "}":
        key = _parse_scalar(text, here)
        colon = skip_gap(text, key.end)
        if text[colon : colon + 1] != ":":
            raise Broken("a colon is missing", colon)
        keys.append(key.value if isinstance(key.value, str) else text[key.start : key.end])
        begins.append(here)
        children.append(_parse_value(text, skip_gap(text, colon + 1), depth + 1))
        here = _pass_comma(text, children[-1].end, "}")
    value = dict(zip(keys, (child.value for child in children), strict=True))
    return JsonNode(at, here + 1, value, tuple(children), tuple(keys), tuple(begins))


def _pass_comma(text: str, at: int, closing: str) -> int:
    """Where the next child, or the closing bracket, is."""
    here = skip_gap(text, at)
    if text[here : here + 1] == ",":
        return skip_gap(text, here + 1)
    if text[here : here + 1] != closing:
        raise Broken(f"a comma or `{closing}` is missing", here)
    return here
