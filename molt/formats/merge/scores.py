"""decay-scores.json of two sides: uses add up, the latest time wins."""

from __future__ import annotations

from molt.formats import times
from molt.formats.merge import texts
from molt.formats.merge.result import MergeResult
from molt.formats.meta import scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Entry = dict[str, Any]

_DERIVED = ("current_score", "status")


def merge_scores(base: str, ours: str, theirs: str) -> MergeResult:
    """The scores with the uses of both sides. A side that cannot be read counts as the base, for
    what it held is lost already; where neither can be, ours is left to a person.
    """
    before, mine, yours = map(_read_side, (base, ours, theirs))
    if mine is None and yours is None:
        return MergeResult(ours, ("neither side can be read",))
    known = before or {}
    here, there = mine or known, yours or known
    old, one, other = (side.get("entries", {}) for side in (known, here, there))
    entries: dict[str, Entry] = {}
    for memory in {**one, **other}:
        entry = _merge_entry(old.get(memory), one.get(memory), other.get(memory))
        if entry is not None:
            entries[memory] = entry
    rest = _pick_fields(known, here, there)
    return MergeResult(scores.render_scores({**rest, "entries": entries}))


def _read_side(text: str) -> dict[str, Any] | None:
    try:
        return scores.parse_scores(text)
    except ValueError:
        return None


def _merge_entry(base: Entry | None, ours: Entry | None, theirs: Entry | None) -> Entry | None:
    chosen = texts.choose_side(base, ours, theirs)
    if chosen:
        return scores.fit_entry((base, ours, theirs)[chosen])
    if ours is None or theirs is None:
        # Taken away as without a memory, and used all the same: the use is kept.
        return scores.fit_entry(ours if theirs is None else theirs)
    sides = tuple(scores.fit_entry(side) or {} for side in (base, ours, theirs))
    merged = _pick_fields(*sides)
    merged |= _add_uses(*sides)
    first = [
        side["created"] for side in sides[1:] if times.parse_time(side.get("created")) is not None
    ]
    if first:
        merged["created"] = min(first, key=lambda stamp: times.parse_time(stamp) or 0.0)
    return merged | _choose_standing(*sides)


def _pick_fields(base: Entry, ours: Entry, theirs: Entry) -> Entry:
    """The fields by which side changed them; ours where both did."""
    merged: Entry = {}
    for key in {**ours, **theirs}:
        sides = (base.get(key), ours.get(key), theirs.get(key))
        value = sides[texts.choose_side(*sides) or 1]
        if value is not None:
            merged[key] = value
    return merged


def _add_uses(base: Entry, ours: Entry, theirs: Entry) -> Entry:
    """How often and when last: both sides' uses over the base; being written is a use."""
    counts = [int(side.get("access_count", 1)) for side in (base, ours, theirs)]
    found: Entry = {"access_count": max(0, counts[1] + counts[2] - counts[0])}
    stamps = [
        side["last_accessed"]
        for side in (ours, theirs)
        if times.parse_time(side.get("last_accessed")) is not None
    ]
    if stamps:
        found["last_accessed"] = max(stamps, key=lambda stamp: times.parse_time(stamp) or 0.0)
    return found


def _choose_standing(base: Entry, ours: Entry, theirs: Entry) -> Entry:
    """Score and status: those of a side that forgot or restored it, else of the one used last."""
    changed = [
        side for side in (ours, theirs) if scores.is_forgotten(side) != scores.is_forgotten(base)
    ]
    later = max((ours, theirs), key=lambda side: times.parse_time(side.get("last_accessed")) or 0.0)
    side = changed[0] if changed else later
    found = {key: side[key] for key in _DERIVED if key in side}
    if any(one.get("pinned") is True and base.get("pinned") is not True for one in (ours, theirs)):
        found["pinned"] = True
    return found
