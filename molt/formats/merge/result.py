"""What a merge gives."""

from __future__ import annotations

from molt.values import Value


class MergeResult(Value):
    """The merged text, what in it is left to a person (`conflicts`, each in words; it stands
    between markers), and the ids that theirs had to give up because ours has them: (old, new).
    """

    text: str
    conflicts: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
