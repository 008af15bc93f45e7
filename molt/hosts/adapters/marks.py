"""The mark in a note's front matter by which molt knows its own note again: which file of the
workspace it is, and which keys the export has added for the other program.
"""

from __future__ import annotations

import json

from molt.formats import frontmatter, lines
from molt.formats.fields import text_field, text_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PATH, KEYS = "molt", "molt-keys"


def add_mark(text: str, path: str, pairs: Iterable[tuple[str, str]]) -> str:
    """A note with its mark, and with those of some keys (their values in YAML) that it has not."""
    front = _read_front(text)
    fresh = [(key, value) for key, value in pairs if key not in (front or {})]
    rows = [f"{key}: {value}" for key, value in fresh]
    added = ", ".join(key for key, _ in fresh)
    rows += [f"{PATH}: {json.dumps(path, ensure_ascii=False)}", f"{KEYS}: [{added}]"]
    if front is None:
        return "\n".join(("---", *rows, "---", text))
    before = frontmatter.split_front_matter(text)[2]
    return lines.splice_lines(text, before - 1, before - 1, rows)


def _read_front(text: str) -> dict[str, object] | None:
    """The front matter of a note; None where there is none, or none to which keys can be added."""
    if frontmatter.split_front_matter(text)[0] is None or text.startswith(lines.BOM):
        return None
    try:
        found = frontmatter.front_matter(text)
    except ValueError:
        return None
    return None if PATH in found or KEYS in found or not found else found


def find_mark(text: str) -> str:
    """The file of the workspace that a note says it is; empty where it says none."""
    return find_value(text, PATH) if f"\n{PATH}:" in text else ""


def find_value(text: str, key: str) -> str:
    """What a note's front matter says under a key; empty where it says nothing."""
    return text_field(frontmatter.metadata(text), key)


def remove_mark(text: str) -> str:
    """The note without its mark and without what was added beside it."""
    front = frontmatter.metadata(text)
    for key in (*text_list(front, KEYS), KEYS, PATH):
        text = _remove_key(text, key)
    block, body, _ = frontmatter.split_front_matter(text)
    return text if block is None or block.strip() else body


def _remove_key(text: str, key: str) -> str:
    block, _, before = frontmatter.split_front_matter(text)
    if block is None:
        return text
    rows = lines.bare_lines(text)
    for start in range(1, before - 1):
        if rows[start].partition(":")[0].strip("\"' ") == key and rows[start][:1] not in " #":
            stop = start + 1
            while stop < before - 1 and rows[stop].startswith((" ", "\t", "- ")):
                stop += 1
            return lines.splice_lines(text, start, stop, ())
    return text
