"""Bookkeeping files: decay-scores.json and critical.sha256."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    Scores = dict[str, Any]
    Member = tuple[str, int, int, int]
    """Its name, where it starts, and where its value starts and ends."""

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
    return set_entries(text, {memory: entry})


def set_entries(text: str, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The text with entries added or replaced, likewise."""
    text = text or EMPTY
    start, members = _entries(text)
    spans = {name: (value, end) for name, _, value, end in members}
    fresh = {name: entries[name] for name in sorted(entries) if name not in spans}
    changes = [
        (*spans[name], _dump(entry, "    ")) for name, entry in entries.items() if name in spans
    ]
    changes += _insertions(text, start, members, fresh)
    for at, stop, new in sorted(changes, key=lambda change: change[:2], reverse=True):
        text = text[:at] + _ends(new, text) + text[stop:]
    return text


def _insertions(
    text: str, start: int, members: list[Member], fresh: Mapping[str, Mapping[str, Any]]
) -> list[tuple[int, int, str]]:
    """Where new entries go, in sorted order: each after the last member of a smaller name."""
    import json

    places: dict[int, list[str]] = {}
    for name, entry in fresh.items():
        at = max((end for known, _, _, end in members if known < name), default=start)
        shown = json.dumps(name, ensure_ascii=False)
        places.setdefault(at, []).append(f"\n    {shown}: {_dump(entry, '    ')}")
    if not members:
        close = text.index("}", start)
        return [(start, close, ",".join(rows) + "\n  ") for rows in places.values()]
    return [
        (at, at, ",".join(rows) + "," if at == start else "," + ",".join(rows))
        for at, rows in places.items()
    ]


def changed_entries(old: str, new: str) -> dict[str, dict[str, Any] | None] | None:
    """The entries that differ from one text to another, None for those that are gone.

    None where a text does not have them one below the other as `render_scores` puts them: then
    only parsing both can tell, which takes far longer.
    """
    sides = [_pieces(text) for text in (old, new)]
    if not all(sides):
        return None
    read = [_read(side - other) for side, other in ((sides[0], sides[1]), (sides[1], sides[0]))]
    if read[0] is None or read[1] is None:
        return None
    return {**dict.fromkeys(read[0]), **read[1]}


def _pieces(text: str) -> frozenset[str]:
    """The texts of the entries without their commas; none where they stand otherwise."""
    close = text.find("\n  }")
    if not text.startswith(_OPEN + _NAME) or close < 0 or "\r" in text:
        return frozenset()
    first, *rest = text[len(_OPEN) : close].split(_NAME)
    return frozenset(piece.removesuffix(",") for piece in rest) if not first else frozenset()


def _read(pieces: Iterable[str]) -> dict[str, dict[str, Any]] | None:
    import json

    found: dict[str, dict[str, Any]] = {}
    for piece in pieces:
        # Only what has no other brace is sure to be one entry.
        if not piece.endswith("\n    }") or piece.count("{") + piece.count("}") != 2:
            return None
        try:
            found.update(json.loads(f'{{"{piece}}}'))
        except ValueError:
            return None
    return found


def remove_entry(text: str, memory: str) -> str:
    """The text without one entry; unchanged if it has none. Raises ValueError likewise."""
    return remove_entries(text, (memory,))


def remove_entries(text: str, memories: Iterable[str]) -> str:
    """The text without some entries, likewise."""
    if not text.strip():
        return text
    start, members = _entries(text)
    gone = frozenset(memories)
    kept = [at for at, member in enumerate(members) if member[0] not in gone]
    if len(kept) == len(members):
        return text
    if not kept:
        return text[:start] + text[text.index("}", members[-1][3]) :]
    # Each loses its comma with what is before it, but for those at the start.
    for at in range(len(members) - 1, kept[0], -1):
        if members[at][0] in gone:
            text = text[: members[at - 1][3]] + text[members[at][3] :]
    return text[: members[0][1]] + text[members[kept[0]][1] :]


def _ends(fresh: str, text: str) -> str:
    return fresh.replace("\n", "\r\n") if "\r\n" in text else fresh


def _entries(text: str) -> tuple[int, list[Member]]:
    """Where the object of entries opens, and its members."""
    plain = _canonical(text)
    if plain is not None:
        return plain
    parse_scores(text)
    for name, _, start, _ in _members(text, _skip(text, 0)):
        if name == "entries":
            return start + 1, _members(text, start)
    raise ValueError("no entries")


_OPEN = '{\n  "entries": {'
_NAME = '\n    "'


def _canonical(text: str) -> tuple[int, list[Member]] | None:
    """`_entries` where flat entries stand one below the other as `render_scores` puts them; None
    for any other text. Reading ten thousand of them as JSON would take ten times as long.
    """
    close = text.find("\n  }")
    if not text.startswith(_OPEN + _NAME) or close < 0 or "\r" in text:
        return None
    found: list[Member] = []
    at = len(_OPEN)
    parts = text[at:close].split(_NAME)[1:]
    for part in parts:
        name, mark, _ = part.partition('": {\n')
        comma = len(found) + 1 < len(parts)
        ended = part.endswith("\n    }," if comma else "\n    }")
        # Only what has no other brace, and no escape in its name, is sure to be one entry.
        if not mark or not ended or "\\" in name or part.count("{") + part.count("}") != 2:
            return None
        begin = at + len(_NAME) - 1
        end = at + len(_NAME) + len(part) - comma
        found.append((name, begin, begin + len(name) + 4, end))
        at += len(_NAME) + len(part)
    return len(_OPEN), found


def _members(text: str, start: int) -> list[Member]:
    import json

    decoder = json.JSONDecoder()
    found: list[Member] = []
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


def seconds(stamp: object) -> float | None:
    """The second that an ISO time means, of a date its first one; None for what is none.

    A time without a zone is UTC.
    """
    from molt.formats import ids

    text = stamp if isinstance(stamp, str) else ""
    if not ids.is_date(text[:10]):
        return None
    day = f"{text[:10]}T00:00:00Z"
    if len(text) == 20 and text[10] == "T" and text[19] == "Z" and ids.is_time(text[11:19]):
        day = text
    elif len(text) > 10:
        return _unusual(text)
    # The days-from-civil algorithm of Howard Hinnant: `datetime` takes longer to import than this.
    year, month, date = int(day[:4]), int(day[5:7]), int(day[8:10])
    year -= month < 3
    era, rest = divmod(year, 400)
    days = (153 * ((month + 9) % 12) + 2) // 5 + date - 1
    days += era * 146_097 + rest * 365 + rest // 4 - rest // 100 - 719_468
    return days * 86_400.0 + int(day[11:13]) * 3600 + int(day[14:16]) * 60 + int(day[17:19])


def _unusual(text: str) -> float | None:
    from datetime import UTC, datetime

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def stamp(second: float) -> str:
    """A second as decay-scores.json writes it: UTC, with `Z`."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


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
