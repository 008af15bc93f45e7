"""Which memory a .gitignore keeps out of git, by what gitignore(5) says of its lines."""

from __future__ import annotations

from molt.formats import paths

_DAY = "2999-12-31"
_WILD = "*?[\\"
_MOST, _LONGEST = 1000, 1000
"""Lines with wildcards, of a tenth of a millisecond each, and characters of one; who writes more
may hide anything behind it.
"""


def list_hidden(text: str, folder: str, day: str) -> list[str]:
    """Files that molt may write which a .gitignore in `folder` (empty for the top, or ending in a
    slash) has git leave out; `day` is the one that it is.
    """
    rows = [row for row in map(_parse_row, text.split("\n")) if row is not None]
    samples = [path for path in _list_samples(day) if path.startswith(folder)]
    wild = [pattern for *_, pattern in rows if _is_wild(pattern)]
    if len(wild) > _MOST or any(len(one) > _LONGEST for one in wild):
        return samples
    return [path for path in samples if _is_hidden(rows, path[len(folder) :])]


def _list_samples(day: str) -> list[str]:
    days = dict.fromkeys((day, _DAY))
    logs = (f"{folder}{one}.md" for one in days if one for folder in (paths.EPISODES, "memory/"))
    kinds = (f"{paths.ENTITIES}{kind}--x.md" for kind in ("person", "project", "tool"))
    folders = (f"{folder}x.md" for folder in (paths.PROCEDURES, paths.VAULT))
    return [paths.CORE, *paths.PERSONA, paths.CHECKSUMS, *logs, *kinds, *folders]


_Row = tuple[bool, bool, bool, str]
"""A line: whether it takes back, is for folders alone, and is for one place; and its pattern."""


def _parse_row(row: str) -> _Row | None:
    text = row.rstrip("\r").rstrip(" ")
    back = text.startswith("!")
    text = text.removeprefix("!").removeprefix("\\")
    if not text or row.startswith("#"):
        return None
    folder = text.endswith("/")
    text = text.rstrip("/")
    return back, folder, "/" in text, text.removeprefix("/")


def _is_hidden(rows: list[_Row], path: str) -> bool:
    """Whether a path, or a folder above it, is left out: what is in such a one stays out."""
    parts = path.split("/")
    ends = range(1, len(parts) + 1)
    return any(_is_left_out(rows, "/".join(parts[:end]), end < len(parts)) for end in ends)


def _is_left_out(rows: list[_Row], path: str, is_folder: bool) -> bool:
    """What the last line says that is of a path."""
    name = path.rpartition("/")[2]
    for back, folders, placed, pattern in reversed(rows):
        if (is_folder or not folders) and _matches(pattern, path if placed else name):
            return not back
    return False


def _is_wild(pattern: str) -> bool:
    return any(char in pattern for char in _WILD)


def _matches(pattern: str, path: str) -> bool:
    """Whether a path is of a pattern: `*` and `?` are no slash, `**` is any folders."""
    if not _is_wild(pattern):
        return pattern == path
    wanted, parts = pattern.split("/"), path.split("/")
    return _match_parts(wanted, parts)


def _match_parts(wanted: list[str], parts: list[str]) -> bool:
    from fnmatch import fnmatchcase

    # Where each pattern may have come to: never more places than the path has parts.
    places = {0}
    for number, one in enumerate(wanted, 1):
        if one == "**":
            # At the end it is what is in a folder, and not that itself.
            places = set(range(min(places) + (number == len(wanted)), len(parts) + 1))
        else:
            fits = (at for at in places if at < len(parts) and fnmatchcase(parts[at], one))
            places = {at + 1 for at in fits}
        if not places:
            return False
    return len(parts) in places
