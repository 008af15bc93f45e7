"""The front matter of notes: read leniently, written one way, set key by key."""

from __future__ import annotations

from molt import untrusted
from molt.formats import lines, times
from molt.formats.lines import BOM

_COMMENTS = 10
"""Lines at the head of a note in which comments say what front matter would."""


def split_front_matter(text: str) -> tuple[str | None, str, int]:
    """The YAML between two `---` lines (None if there is none), the body, and how many lines
    come before the body.
    """
    end = text.find("\n")
    if end < 0 or text[:end].removeprefix(BOM).rstrip() != "---":
        return None, text, 0
    start = at = end + 1
    number = 1
    while at < len(text):
        end = text.find("\n", at)
        stop = end + 1 if end >= 0 else len(text)
        number += 1
        if text[at:stop].rstrip() == "---":
            return text[start:at], text[stop:], number
        at = stop
    return None, text, 0


def front_matter(text: str) -> dict[str, object]:
    """The front matter as a dict, dates as ISO strings; empty if there is none.

    Raises ValueError when it is no YAML that is read, or not a mapping.
    """
    block, _, _ = split_front_matter(text)
    if block is None:
        return {}
    simple = _read_simple(block)
    if simple is not None:
        return simple
    data = untrusted.parse_yaml(block, above=1)
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ValueError("the front matter is not a mapping")
    return {str(key): _make_plain(value) for key, value in data.items()}


def _read_simple(block: str) -> dict[str, object] | None:
    """Front matter of the form that molt writes; None where YAML must say what it means.

    Reading YAML takes a hundred times as long, and a graph has thousands of files.
    """
    found: dict[str, object] = {}
    if len(block) > untrusted.MOST_YAML:
        return None
    for line in lines.bare_lines(block):
        key, colon, rest = line.partition(":")
        word = key.replace("_", "a").replace("-", "a")
        if not (colon and key[:1].isalpha() and word.isascii() and word.isalnum()):
            return None
        if key.lower() in YAML_WORDS or (rest and rest[0] != " "):
            return None
        if key in found:
            return None
        value = rest.strip(" ")
        if value[:1] == "[" and value[-1:] == "]":
            inner = value[1:-1].strip(" ")
            items = [_read_scalar(item.strip(" ")) for item in inner.split(",")] if inner else []
            if None in items:
                return None
            found[key] = items
        else:
            found[key] = _read_scalar(value)
            if value and found[key] is None:
                return None
    return found


YAML_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n"))
"""What YAML takes for no text, in any case."""


# Digits of a number that is nothing else: a day without hyphens has eight.
_LONG = 8


def _read_scalar(text: str) -> object:
    """A date, a truth value, a number or a text that can be nothing else; None for all others."""
    from molt.formats import times

    if text in ("true", "false"):
        return text == "true"
    if times.is_date(text):
        return text
    if (
        text.isdecimal()
        and text.isascii()
        and len(text) < _LONG
        and (text == "0" or text[0] != "0")
    ):
        return int(text)
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        return _read_quoted(text[1:-1])
    plain = text[:1].isalpha() and all(char.isalnum() or char in " -_./" for char in text)
    return text if plain and text.lower() not in YAML_WORDS else None


def _read_quoted(inner: str) -> str | None:
    """What stands between two quotation marks; None for more escapes than of them and of `\\`."""
    if not inner.isprintable():
        return None
    parts = inner.split("\\\\")
    if any(set(part.replace('\\"', "")).intersection('"\\') for part in parts):
        return None
    return "\\".join(part.replace('\\"', '"') for part in parts)


def _make_plain(value: object) -> object:
    if isinstance(value, list):
        return [_make_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _make_plain(item) for key, item in value.items()}
    iso = getattr(value, "isoformat", None)
    return iso() if callable(iso) else value


def metadata(text: str) -> dict[str, object]:
    """The front matter, or where there is none the seed's `<!-- Key: value | … -->` comments.

    Lenient: front matter that is no YAML counts as empty; `document.front_matter` tells.
    """
    if split_front_matter(text)[0] is not None:
        try:
            return front_matter(text)
        except ValueError:
            return {}
    names = {"last updated": "updated", "learned": "created", "last used": "updated"}
    found: dict[str, object] = {}
    for row in text.split("\n")[:_COMMENTS]:
        line = row.strip()
        if line.startswith("<!--") and line.endswith("-->"):
            for part in line[4:-3].split("|"):
                key, colon, value = part.partition(":")
                name = key.strip().lower()
                if colon:
                    found.setdefault(names.get(name, name), value.strip())
    return found


def _render_scalar(value: object) -> str:
    """A YAML scalar: plain where that can mean nothing else, else in double quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = lines.one_line(str(value))
    plain = text[:1].isalpha() and all(c.isalnum() or c in " -_./" for c in text)
    if times.is_date(text) or (plain and text.lower() not in YAML_WORDS):
        return text
    import json

    return json.dumps(text, ensure_ascii=False)


def render(value: object) -> str:
    """A value as YAML on one line, a list in brackets."""
    if isinstance(value, tuple | list):
        return f"[{', '.join(_render_scalar(item) for item in value)}]"
    return _render_scalar(value)


def set_field(text: str, key: str, value: object) -> str:
    """The text with one key of its front matter set, which is made if there is none; all other
    lines stay as they are.
    """
    fresh = [f"{key}: {render(value)}"]
    block, _, before = split_front_matter(text)
    if block is None:
        return lines.splice_lines(text, 0, 0, ["---", *fresh, "---"])
    rows = lines.bare_lines(text)
    for start in range(1, before - 1):
        if rows[start].partition(":")[0].strip("\"' ") == key and rows[start][:1] not in " #":
            stop = start + 1
            while stop < before - 1 and rows[stop].startswith((" ", "\t", "- ")):
                stop += 1
            return (
                text if rows[start:stop] == fresh else lines.splice_lines(text, start, stop, fresh)
            )
    return lines.splice_lines(text, before - 1, before - 1, fresh)


def set_updated(text: str, date: str) -> str:
    """The text with `updated` set to a date: in its front matter, or where it has none in the
    comment that says `Last updated: DATE`. Unchanged where neither is there.
    """
    if not date:
        return text
    if split_front_matter(text)[0] is not None:
        return set_field(text, "updated", date)
    for at, row in enumerate(lines.bare_lines(text)[:_COMMENTS]):
        front, mark, rest = row.partition("Last updated: ")
        if mark and row.lstrip().startswith("<!--") and times.is_date(rest[:10]):
            return lines.splice_lines(text, at, at + 1, [f"{front}{mark}{date}{rest[10:]}"])
    return text
