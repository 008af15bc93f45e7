"""The merge driver: git's three versions of a file become one, by what they mean."""

from __future__ import annotations

import sys

from molt import errors
from molt.formats import merge
from molt.formats.lines import escape_text
from molt.repo import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.formats.merge.result import MergeResult

DONE, CONFLICT = 10, 11
"""The exit statuses: all is merged, or something is left to a person and stands between markers.

A molt that knows no driver, or a program that fails, gives neither of them.
"""

_SHOWN = 3  # rows that are named; the others are counted


def merge_driver(args: Sequence[str]) -> int:
    """Merges the files `%O %A %B` of a path `%P` into the second, with markers of `%L` characters.

    Gives DONE or CONFLICT. Raises what makes git's own merge the better one: a text that is no
    UTF-8, a file that cannot be read or written.
    """
    if len(args) != 5:
        raise errors.Usage("merge-driver takes %O %A %B %L %P")
    base, ours, theirs, mark, path = args
    before, mine, yours = (_read_text(file) for file in (base, ours, theirs))
    # git gives an empty file where neither side had one.
    merged = merge.merge(path, before or None, mine, yours, mark=int(mark))
    _print_result(path, merged)
    # Where anything fails, git's merge of lines needs ours as it was.
    disk.replace_file(ours, merged.text.encode("utf-8"))
    return CONFLICT if merged.conflicts else DONE


def _read_text(path: str) -> str:
    with open(path, "rb") as file:
        return file.read().decode("utf-8")


def _print_result(path: str, merged: MergeResult) -> None:
    rows = [f"theirs {old} is {new} now" for old, new in merged.moved]
    more = [f"and {len(rows) - _SHOWN} more have new ids"] * (len(rows) > _SHOWN)
    for row in (*rows[:_SHOWN], *more, *merged.conflicts):
        # A file is called, and holds, what anybody likes.
        sys.stderr.write(f"molt: {escape_text(f'{path}: {row}')}\n")
