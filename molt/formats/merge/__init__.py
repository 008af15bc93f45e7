"""What two clones wrote becomes one file, by what it means: each format merges in its own way."""

from __future__ import annotations

from molt.formats import paths
from molt.formats.merge import texts
from molt.formats.merge.result import MergeResult

PATTERNS = (
    "/MEMORY.md",
    "memory/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md",
    "memory/episodes/**/*.md",
    "memory/graph/entities/**/*.md",
    "memory/graph/relations.md",
    "memory/procedures/**/*.md",
    "memory/meta/*.md",
    "memory/meta/critical.sha256",
    "memory/meta/tombstones.txt",
    "memory/meta/decay-scores.json",
)
"""The files that molt merges, as git's attributes name them."""


_KINDS = frozenset(
    (
        *("core", "episode", "entity", "relations", "procedure"),
        *("scores", "proposals", "checksums", "tombstones"),
    )
)


def is_mergeable(path: str) -> bool:
    """Whether a path is one that molt merges, one of those that the patterns mean."""
    bookkeeping = path.startswith(_META) and path.endswith(".md") and "/" not in path[len(_META) :]
    return bookkeeping or paths.kind_of(path) in _KINDS


def is_day(path: str) -> bool:
    """Whether a path is a day's log."""
    return paths.kind_of(path) == "episode"


def merge(
    path: str, base: str | None, ours: str, theirs: str, *, mark: int = texts.MARK
) -> MergeResult:
    """A file that two sides changed since `base` (None where neither had it then).

    What no rule of its format decides stands in the text between markers of `mark` characters,
    and in the result's conflicts. The lines end as those of ours do.
    """
    if ours == theirs or theirs == base:
        return MergeResult(ours)
    if ours == base:
        return MergeResult(theirs)
    old, new = texts.match_ends(base or "", ours), texts.match_ends(theirs, ours)
    return _merge(path, old, ours, new, mark)


def _merge(path: str, base: str, ours: str, theirs: str, mark: int) -> MergeResult:
    kind = paths.kind_of(path)
    if kind == "scores":
        from molt.formats.merge import scores

        return scores.merge_scores(base, ours, theirs)
    if kind in ("checksums", "tombstones"):
        from molt.formats.merge import checksums

        if kind == "tombstones":
            return checksums.merge_tombstones(base, ours, theirs)
        return checksums.merge_checksums(base, ours, theirs)
    if kind == "proposals":
        from molt.formats.merge import proposals

        return proposals.merge_proposals(base, ours, theirs, mark=mark)
    if kind == "episode":
        from molt.formats.merge import days

        return days.merge_day(path, base, ours, theirs, mark=mark)
    is_head = _HEADS.get(path)
    if is_head is not None:
        from molt.formats.merge import logs

        return logs.merge_log(base, ours, theirs, is_head=is_head, mark=mark)
    from molt.formats.merge import sections

    return sections.merge_sections(base, ours, theirs, unite=kind == "core", mark=mark)


_META = "memory/meta/"


def _is_decision(row: str) -> bool:
    """Whether a line heads an entry of the reflection log."""
    return row.startswith("## r-")


def _is_digest(row: str) -> bool:
    """Whether a line heads the digest of a month."""
    return row.startswith("# ")


_HEADS = {
    "memory/meta/reflection-log.md": _is_decision,
    "memory/meta/audit-archive.md": _is_digest,
}
