"""SCORE: relevance can be computed, and pins hold."""

from __future__ import annotations

from molt.formats import paths, scores
from molt.policy.engine import Example, Fault, Judged, Rule, changed_files, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SCORES = paths.SCORES


def _check_scores(judged: Judged) -> Iterator[Fault]:
    for change in changed_files(judged, "scores"):
        hint = "`molt doctor --fix` mends it; molt writes this file"
        before = _read_entries(read_text(judged.base, change.path))
        after = _read_entries(read_text(judged.new, change.path))
        if isinstance(after, str):
            # What was damaged before is nothing that this commit did.
            if not isinstance(before, str):
                yield Fault(change.path, 0, after, hint)
            continue
        known = {} if isinstance(before, str) else before
        for name, entry in after.items():
            if known.get(name) != entry and not _fits_schema(entry):
                yield Fault(change.path, 0, f"the entry {name} does not fit the schema", hint)


def _read_entries(content: str) -> dict[str, dict[str, Any]] | str:
    """The entries of a text, or why there are none to read."""
    try:
        entries: dict[str, dict[str, Any]] = scores.parse_scores(content)["entries"]
    except ValueError as error:
        return str(error)
    return entries


def _fits_schema(entry: dict[str, Any]) -> bool:
    """Whether an entry's fields are what readers compute with; of a time that is none they know
    nothing, and go on.
    """
    odd = entry.keys() - scores.fit_entry(entry).keys()
    return not odd - {"created", "last_accessed"}


def _check_pinned(judged: Judged) -> Iterator[Fault]:
    if judged.actor != "system:decay":
        return
    for change in judged.changes:
        if change.path != _SCORES:
            continue
        before = _score_entries(read_text(judged.base, change.path))
        after = _score_entries(read_text(judged.new, change.path))
        for name, entry in before.items():
            if _is_pinned(name, entry) and _is_decayed(entry, after.get(name)):
                yield Fault(change.path, 0, f"decay touches {name}, which is pinned", "leave it")


def _is_pinned(name: str, entry: dict[str, Any]) -> bool:
    return bool(entry.get("pinned")) or name.startswith("vault:")


def _is_decayed(before: dict[str, Any], after: dict[str, Any] | None) -> bool:
    """Whether a pinned entry is worse off; counting its accesses leaves it as it was."""
    if after is None or (before.get("pinned") and not after.get("pinned")):
        return True
    if after.get("status") not in (before.get("status"), "active"):
        return True
    try:
        return bool(after.get("current_score", 1.0) < before.get("current_score", 1.0))
    except TypeError:
        return True


def _score_entries(content: str) -> dict[str, dict[str, Any]]:
    found = _read_entries(content)
    return {} if isinstance(found, str) else found


def _score_file(score: str) -> str:
    entry = f'"pinned": true, "status": "active", "current_score": {score}'
    return '{"version": 1, "entries": {"vault:a": {' + entry + "}}}"


RULES = (
    Rule(
        "SCORE001",
        "scores form",
        "error",
        _check_scores,
        "That relevance can be computed.",
        Example({}, {_SCORES: '{"version": 1, "entries": {}}'}),
        Example({}, {_SCORES: "{"}),
    ),
    Rule(
        "SCORE002",
        "pins hold",
        "error",
        _check_pinned,
        "What the user pinned.",
        Example(
            {_SCORES: _score_file("1.0")},
            {_SCORES: _score_file("1.0") + "\n"},
            actor="system:decay",
        ),
        Example({_SCORES: _score_file("1.0")}, {_SCORES: _score_file("0.1")}, actor="system:decay"),
    ),
)
