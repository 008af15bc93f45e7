"""Memory ids and the slugs they are made of."""

from __future__ import annotations

from molt.formats import lines
from molt.values import Value

PREFIXES = {
    "core": "core",
    "episode": "episodic",
    "entity": "semantic",
    "procedure": "procedural",
    "vault": "vault",
}
_MOST_BYTES = 160
_RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
)


class MemoryId(Value):
    """An id taken apart: its store, what follows the prefix, the file that should hold it, and
    the place in that file (time of an episode, hash of a bullet; else empty).
    """

    store: str
    key: str
    path: str
    anchor: str = ""


def slug(text: str) -> str:
    """Lower-case words joined by `-`; letters of every script are kept (NFC), never empty."""
    source = text if text.isascii() else _normalize_text(_normalize_text(text).lower())
    kept = "".join(char if _is_word(char) else " " for char in source.lower())
    words = kept.split()
    while len(words) > 1 and len("-".join(words).encode()) > _MOST_BYTES:
        words.pop()
    name = "-".join(words)
    if len(name.encode()) > _MOST_BYTES:
        name = name.encode()[:_MOST_BYTES].decode("utf-8", "ignore")
    if not name:
        return f"untitled-{_short_digest(text)}" if text.strip() else "untitled"
    return f"{name}-1" if name in _RESERVED else name


def _is_word(char: str) -> bool:
    if char.isalnum():
        return True
    if char.isascii():
        return False
    from unicodedata import category

    # Vowel signs of Indic scripts and Thai are marks; without them the words are others.
    return category(char) in ("Mn", "Mc") and not "\ufe00" <= char <= "\ufe0f"


def _normalize_text(text: str) -> str:
    from unicodedata import normalize

    return normalize("NFC", text)


def _short_digest(text: str) -> str:
    from hashlib import sha256

    return sha256(" ".join(_normalize_text(text).split()).encode("utf-8", "replace")).hexdigest()[
        :8
    ]


def core(block: str) -> str:
    """The id of a whole block of MEMORY.md."""
    return f"core:{slug(block)}"


def bullet(block: str, text: str) -> str:
    """The id of one bullet of a block; spacing does not matter."""
    return f"core:{slug(block)}#{_short_digest(text.strip().removeprefix('- '))}"


def episode(date: str, time: str) -> str:
    """The id of an entry of a daily log."""
    return f"episode:{date}:{time}"


def entity(stem: str) -> str:
    """The id of an entity by the name of its file, without `.md`."""
    return f"entity:{stem}"


def procedure(stem: str) -> str:
    """The id of a procedure by the name of its file, without `.md`."""
    return f"procedure:{stem}"


def vault(stem: str) -> str:
    """The id of a vault file by its name, without `.md`."""
    return f"vault:{stem}"


def is_date(text: str) -> bool:
    """Whether a text is a calendar date `YYYY-MM-DD`."""
    if len(text) != 10 or not text.isascii() or text[4] != "-" or text[7] != "-":
        return False
    year, month, day = text[:4], text[5:7], text[8:]
    if not (year.isdigit() and month.isdigit() and day.isdigit()) or year == "0000":
        return False
    leap = int(year) % 4 == 0 and (int(year) % 100 != 0 or int(year) % 400 == 0)
    lengths = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= int(month) <= 12 and 1 <= int(day) <= lengths[int(month) - 1]


def is_time(text: str) -> bool:
    """Whether a text is a time `HH:MM` or `HH:MM:SS`."""
    parts = text.split(":")
    if len(parts) not in (2, 3) or not text.isascii():
        return False
    if not all(len(part) == 2 and part.isdigit() for part in parts):
        return False
    return int(parts[0]) < 24 and all(int(part) < 60 for part in parts[1:])


def _is_name(text: str) -> bool:
    if text in ("", ".", "..") or text != text.strip():
        return False
    return not any(char in "/\\" or lines.is_control(char) for char in text)


def parse(text: str) -> MemoryId:
    """An id taken apart. Raises ValueError when it is none."""
    prefix, _, key = text.partition(":")
    store = PREFIXES.get(prefix, "")
    if store == "core":
        block, _, anchor = key.partition("#")
        if _is_name(block) and (anchor or "#" not in key):
            return MemoryId(store, key, "MEMORY.md", anchor)
    elif store == "episodic":
        date, _, time = key.partition(":")
        if is_date(date) and is_time(time):
            return MemoryId(store, key, f"memory/episodes/{date}.md", time)
    elif store and _is_name(key):
        folder = {"semantic": "graph/entities", "procedural": "procedures"}.get(store, store)
        return MemoryId(store, key, f"memory/{folder}/{key}.md")
    raise ValueError(f"not a memory id: {text!r}")


def path_of(text: str) -> str:
    """The file that should hold a memory, by its id. Raises ValueError when it is no id."""
    return parse(text).path
