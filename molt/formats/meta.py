"""Bookkeeping files: decay-scores.json and critical.sha256."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Scores = dict[str, Any]

EMPTY = '{\n  "entries": {},\n  "version": 1\n}\n'


def parse_scores(text: str) -> Scores:
    """The file as a dict with `version` and `entries`; empty text has no entries.

    Raises ValueError when it is no JSON object with an object of entries.
    """
    import json

    if not text.strip():
        return {"version": 1, "entries": {}}
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(data, dict) or not isinstance(data.setdefault("entries", {}), dict):
        raise ValueError("not an object with an object of entries")
    if not all(isinstance(entry, dict) for entry in data["entries"].values()):
        raise ValueError("an entry is not an object")
    return data


def render_scores(scores: Mapping[str, Any]) -> str:
    """The canonical text: keys sorted, two spaces of indent, a final newline."""
    return f"{_dump(scores)}\n"


def _dump(value: object, indent: str = "") -> str:
    import json

    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    return text.replace("\n", f"\n{indent}")


def set_entry(text: str, memory: str, entry: Mapping[str, Any]) -> str:
    """The text with one entry added or replaced, in sorted place; every other byte stays.

    Raises ValueError as `parse_scores` does.
    """
    start, members = _entries(text or EMPTY)
    text = text or EMPTY
    found = next((member for member in members if member[0] == memory), None)
    if found:
        return text[: found[2]] + _ends(_dump(entry, "    "), text) + text[found[3] :]
    import json

    name = json.dumps(memory, ensure_ascii=False)
    fresh = _ends(f"\n    {name}: {_dump(entry, '    ')}", text)
    before = [member for member in members if member[0] < memory]
    if before:
        at = before[-1][3]
        return f"{text[:at]},{fresh}{text[at:]}"
    if members:
        return f"{text[:start]}{fresh},{text[start:]}"
    close = text.index("}", start)
    return text[:start] + fresh + _ends("\n  ", text) + text[close:]


def remove_entry(text: str, memory: str) -> str:
    """The text without one entry; unchanged if it has none. Raises ValueError likewise."""
    if not text.strip():
        return text
    start, members = _entries(text)
    at = next((n for n, member in enumerate(members) if member[0] == memory), None)
    if at is None:
        return text
    if at > 0:
        return text[: members[at - 1][3]] + text[members[at][3] :]
    if len(members) > 1:
        return text[: members[0][1]] + text[members[1][1] :]
    return text[:start] + text[text.index("}", members[0][3]) :]


def _ends(fresh: str, text: str) -> str:
    return fresh.replace("\n", "\r\n") if "\r\n" in text else fresh


def _entries(text: str) -> tuple[int, list[tuple[str, int, int, int]]]:
    """Where the object of entries opens, and its members: name, start, value's start and end."""
    parse_scores(text)
    for name, _, start, _ in _members(text, _skip(text, 0)):
        if name == "entries":
            return start + 1, _members(text, start)
    raise ValueError("no entries")


def _members(text: str, start: int) -> list[tuple[str, int, int, int]]:
    import json

    decoder = json.JSONDecoder()
    found: list[tuple[str, int, int, int]] = []
    at = _skip(text, start + 1)
    while text[at] != "}":
        name, colon = decoder.raw_decode(text, at)
        value = _skip(text, _skip(text, colon) + 1)
        _, end = decoder.raw_decode(text, value)
        found.append((name, at, value, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n\ufeff":
        at += 1
    return at


def parse_checksums(text: str) -> dict[str, str]:
    """Path to SHA-256 as `sha256sum` writes them; lines that are none are left out."""
    found: dict[str, str] = {}
    for line in text.split("\n"):
        digest, _, path = line.rstrip("\r").partition(" ")
        name = path[1:] if path[:1] in (" ", "*") else path
        if len(digest) == 64 and name and not digest.strip("0123456789abcdefABCDEF"):
            found[name] = digest.lower()
    return found


def render_checksums(checksums: Mapping[str, str]) -> str:
    """The text that `sha256sum -c` reads, sorted by path."""
    return "".join(f"{checksums[path]}  {path}\n" for path in sorted(checksums))
