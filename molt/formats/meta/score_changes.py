"""What differs from one text of decay-scores.json to another, of which only that is parsed."""

from __future__ import annotations

from molt.formats.meta import scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_HEAD, _, _ = scores.EMPTY.partition("}")
_NAME = '\n    "'


def changed_entries(old: str, new: str) -> dict[str, dict[str, Any] | None] | None:
    """The entries that differ from one text to another, None for those that are gone.

    None where a text does not have them one below the other as `render_scores` puts them: then
    only parsing both can tell, which takes far longer.
    """
    found = compare_entries(old, new)
    return None if found is None else {name: after for name, (_, after) in found.items()}


def compare_entries(
    old: str, new: str
) -> dict[str, tuple[dict[str, Any] | None, dict[str, Any] | None]] | None:
    """The same, each as it was and as it is."""
    before, after = _split_entries(old), _split_entries(new)
    if not before or not after:
        return None
    was, made = _parse_pieces(before - after), _parse_pieces(after - before)
    if was is None or made is None:
        return None
    return {name: (was.get(name), made.get(name)) for name in {**was, **made}}


def _split_entries(text: str) -> frozenset[str]:
    """The texts of the entries without their commas; none where they stand otherwise."""
    close = text.find("\n  }")
    if not text.startswith(_HEAD + _NAME) or close < 0 or "\r" in text:
        return frozenset()
    first, *rest = text[len(_HEAD) : close].split(_NAME)
    return frozenset(piece.removesuffix(",") for piece in rest) if not first else frozenset()


def _parse_pieces(pieces: Iterable[str]) -> dict[str, dict[str, Any]] | None:
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
