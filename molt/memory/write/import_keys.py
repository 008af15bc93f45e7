"""By what a record is known again, from whatever file it comes: the id that its program gave it."""

from __future__ import annotations

import re

from molt import trees
from molt.formats import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from molt.formats.episodes import Episode

TOLD = ("speaker", "session", "title")
"""What a record tells beside its words: who said it where, under which title."""

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_SURE = 16
"""Characters of an id that nobody gives twice: a UUID has 36, and mem0's shortest 20."""


def find_session_id(name: str) -> str:
    """The id at the end of what a transcript is called; empty where there is none."""
    found = _UUID.search(name)
    return found[0] if found else ""


def make_turn_key(session: str, line: str) -> str:
    """By what a line of a transcript is known; empty where the session has no id."""
    found = find_session_id(session)
    return f"{found}:{line}" if found else ""


def list_by_key(known: Iterable[Episode]) -> dict[str, Episode]:
    """What was imported, by each key that its fields tell; the last one of a key."""
    return {key: one for one in known for key in _list_keys(dict(one.fields))}


def _list_keys(fields: Mapping[str, str]) -> Iterator[str]:
    name = find_name(fields.get("imported", ""))
    if name:
        yield name
        line = name.rpartition(":")[2]
        if line.isdigit():
            yield make_turn_key(fields.get("session", ""), line)


def digest_note(data: bytes) -> str:
    """What a note says, whichever source has brought it, as a digest."""
    text = data.decode("utf-8", "replace")
    front = text.partition("\n---")[0] if text.startswith("---\n") else ""
    rows = (row for row in front.split("\n") if not row.startswith("imported:"))
    said = "\n".join((*rows, text[len(front) :]))
    return trees.sha256(said.encode("utf-8")).hexdigest()


def find_name(label: str) -> str:
    """The id at the source in the label of what was imported, which is `SOURCE#ID`."""
    return label.rpartition("#")[2]


def is_same(key: str, text: str, known: str) -> bool:
    """Whether what has the same key in another file is the same record, perhaps in newer words. A
    short id may be another's as well, and the line of a session that was resumed: they need the
    same words.
    """
    sure = len(key) >= _SURE and not key.rpartition(":")[2].isdigit()
    return sure or ids.digest(text) == ids.digest(known)


def find_known(key: str, text: str, by_key: Mapping[str, Episode]) -> Episode | None:
    """What another file brought of a record; None for one that no id of its own tells."""
    found = by_key.get(key) if key else None
    return found if found and is_same(key, text, found.text) else None
