"""The front matter of notes: read leniently, written one way, set key by key."""

from __future__ import annotations

from molt.formats import document, ids


def metadata(text: str) -> dict[str, object]:
    """The front matter, or where there is none the seed's `<!-- Key: value | … -->` comments.

    Lenient: front matter that is no YAML counts as empty; `document.front_matter` tells.
    """
    if document.split_front_matter(text)[0] is not None:
        try:
            return document.front_matter(text)
        except ValueError:
            return {}
    names = {"last updated": "updated", "learned": "created", "last used": "updated"}
    found: dict[str, object] = {}
    for row in text.split("\n")[:10]:
        line = row.strip()
        if line.startswith("<!--") and line.endswith("-->"):
            for part in line[4:-3].split("|"):
                key, colon, value = part.partition(":")
                name = key.strip().lower()
                if colon:
                    found.setdefault(names.get(name, name), value.strip())
    return found


def _scalar(value: object) -> str:
    """A YAML scalar: plain where that can mean nothing else, else in double quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = document.one_line(str(value))
    plain = text[:1].isalpha() and all(c.isalnum() or c in " -_./" for c in text)
    if ids.is_date(text) or (plain and text.lower() not in document.YAML_WORDS):
        return text
    import json

    return json.dumps(text, ensure_ascii=False)


def render(value: object) -> str:
    """A value as YAML on one line, a list in brackets."""
    if isinstance(value, tuple | list):
        return f"[{', '.join(_scalar(item) for item in value)}]"
    return _scalar(value)


def set_field(text: str, key: str, value: object) -> str:
    """The text with one key of its front matter set, which is made if there is none; all other
    lines stay as they are.
    """
    fresh = [f"{key}: {render(value)}"]
    block, _, before = document.split_front_matter(text)
    if block is None:
        return document.splice(text, 0, 0, ["---", *fresh, "---"])
    rows = [document.bare(line) for line in document.lines(text)]
    for start in range(1, before - 1):
        if rows[start].partition(":")[0].strip("\"' ") == key and rows[start][:1] not in " #":
            stop = start + 1
            while stop < before - 1 and rows[stop].startswith((" ", "\t", "- ")):
                stop += 1
            return text if rows[start:stop] == fresh else document.splice(text, start, stop, fresh)
    return document.splice(text, before - 1, before - 1, fresh)


def touch(text: str, date: str) -> str:
    """The text with `updated` set to a date, where there is one and front matter to hold it."""
    has_front = document.split_front_matter(text)[0] is not None
    return set_field(text, "updated", date) if date and has_front else text
