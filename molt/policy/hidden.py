"""Which memory a .gitignore keeps out of git, by what gitignore(5) says of its lines."""

from __future__ import annotations

from molt.formats import lines, paths
from molt.policy import wildmatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DAY = "2999-12-31"
_BOOKS = (
    *(paths.SCORES, paths.TOMBSTONES, paths.CHECKSUMS, paths.PROPOSALS, paths.QUESTIONS),
    *("memory/meta/reflection-log.md", "memory/meta/reflections/r-001.md"),
)
_MOST, _LONGEST = 1000, 300
"""Lines with wildcards, of a fifth of a millisecond each, and characters of one; who writes more
may hide anything behind it.
"""


def list_hidden(text: str, folder: str, day: str) -> list[str]:
    """Files that molt may write which a .gitignore in `folder` (empty for the top, or ending in a
    slash) has git leave out; `day` is the one that it is.
    """
    samples = [path for path in _list_samples(day) if path.startswith(folder)]
    patterns = [row[-1] for row in _split_rows(text)]
    wild = [one for one in patterns if wildmatch.is_wild(one)]
    if len(wild) > _MOST or any(len(one) > _LONGEST for one in wild):
        return samples
    # Many file systems take big letters for small ones, and so does git there, in named sets too.
    small = text.lower().replace("[:upper:]", "[:alpha:]")
    rows, folded = _parse_rows(text), _parse_rows(small)
    return [
        path
        for path, name in ((path, path[len(folder) :]) for path in samples)
        if _is_hidden(rows, name) or _is_hidden(folded, name.lower())
    ]


def _list_samples(day: str) -> list[str]:
    days = dict.fromkeys((day, _DAY))
    logs = (f"{folder}{one}.md" for one in days if one for folder in (paths.EPISODES, "memory/"))
    kinds = (f"{paths.ENTITIES}{kind}--x.md" for kind in ("person", "project", "tool"))
    folders = (f"{folder}x.md" for folder in (paths.PROCEDURES, paths.VAULT))
    return [paths.CORE, *paths.PERSONA, *_BOOKS, *logs, *kinds, *folders]


_Row = tuple[bool, bool, bool, wildmatch.Pattern]
"""A line: whether it takes back, is for folders alone, and is for one place; and its pattern."""


def _parse_rows(text: str) -> list[_Row]:
    return [
        (back, folder, placed, wildmatch.compile_pattern(pattern))
        for back, folder, placed, pattern in _split_rows(text)
    ]


def _split_rows(text: str) -> Iterator[tuple[bool, bool, bool, str]]:
    for line in text.removeprefix(lines.BOM).split("\n"):
        # git, which is written in C, reads no further than to a zero.
        row = line.removesuffix("\r").partition("\0")[0].rstrip(" ")
        pattern = row.removeprefix("!").removesuffix("/")
        if pattern and not row.startswith("#"):
            folder, placed = row.endswith("/"), "/" in pattern
            yield row.startswith("!"), folder, placed, pattern.removeprefix("/")


def _is_hidden(rows: list[_Row], path: str) -> bool:
    """Whether a path, or a folder above it, is left out: what is in such a one stays out."""
    parts = path.split("/")
    ends = range(1, len(parts) + 1)
    return any(_is_left_out(rows, "/".join(parts[:end]), end < len(parts)) for end in ends)


def _is_left_out(rows: list[_Row], path: str, is_folder: bool) -> bool:
    """What the last line says that is of a path."""
    name = path.rpartition("/")[2]
    for back, folders, placed, pattern in reversed(rows):
        if (is_folder or not folders) and wildmatch.matches_path(pattern, path if placed else name):
            return not back
    return False
