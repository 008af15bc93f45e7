"""Acknowledged checksums, line by file; and tombstones, which are lines alone."""

from __future__ import annotations

from molt.formats.merge import texts
from molt.formats.merge.result import MergeResult
from molt.formats.meta import checksums, tombstones


def merge_checksums(base: str, ours: str, theirs: str) -> MergeResult:
    """What either side has acknowledged.

    Where both have acknowledged another content of one file, that of ours stays: the merged file
    is neither, most likely, and an alert says so until it is acknowledged.
    """
    before, mine, yours = map(checksums.parse_checksums, (base, ours, theirs))
    merged: dict[str, str] = {}
    for path in {**mine, **yours}:
        sides = (before.get(path), mine.get(path), yours.get(path))
        digest = sides[texts.choose_side(*sides) or 1] or ""
        if digest:
            merged[path] = digest
    text = checksums.render_checksums(merged)
    return MergeResult(texts.match_ends(text, ours))


def merge_tombstones(base: str, ours: str, theirs: str) -> MergeResult:
    """What either side has forgotten, but for what one of them remembers again."""
    old, one, other = (
        {found.line: found for found in tombstones.parse_tombstones(text)}
        for text in (base, ours, theirs)
    )
    gone = {line for line in old if line not in one or line not in other}
    kept = [found for line, found in {**one, **other}.items() if line not in gone]
    return MergeResult(tombstones.add_tombstones("", kept) or tombstones.HEAD)
