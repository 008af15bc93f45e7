"""The scores of what comes back and of what goes: uses that happened stay counted."""

from __future__ import annotations

from molt import trees
from molt.formats import paths
from molt.formats.meta import scores as score_file
from molt.memory import inventory
from molt.memory.decay import formula

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from molt.memory.decay.formula import Fading
    from molt.trees import Tree

    Entry = dict[str, Any]

_COUNTED = ("access_count", "last_accessed")


def restore_scores(gone: Tree, back: Tree, text: str) -> str:
    """The scores with what was decided of memories (pins, what was put away, what they are worth)
    as it was before what is undone; what was decided since stays.
    """
    old, new = (_read_entries(trees.read_text(side, paths.SCORES)) for side in (gone, back))
    now = _read_entries(text)
    changed: dict[str, Entry | None] = {}
    for name in old.keys() | new.keys():
        if old.get(name) == new.get(name):
            continue
        if name not in new and not inventory.has_memory(back, name):
            # A log keeps what is taken back, which only this entry hides.
            continue
        made = _restore_entry(old.get(name), new.get(name), now.get(name))
        if made != now.get(name):
            changed[name] = made
    return score_file.edit_entries(text, changed)


def _restore_entry(old: Entry | None, new: Entry | None, now: Entry | None) -> Entry | None:
    """One entry; None for none."""
    if new is None:
        decided = now is not None and (now.get("pinned") is True or score_file.is_forgotten(now))
        return None if decided and now == old else now
    if now is None or old is None:
        return {**new, **{key: now[key] for key in _COUNTED if now and key in now}}
    keys = (old.keys() | new.keys()) - set(_COUNTED)
    taken = {key for key in keys if now.get(key) == old.get(key)}
    kept = {key: value for key, value in now.items() if key not in taken}
    return {**kept, **{key: new[key] for key in taken if key in new}}


def _read_entries(text: str) -> dict[str, Entry]:
    try:
        return dict(score_file.parse_scores(text)["entries"])
    except ValueError:
        return {}


def renew_scores(
    text: str, gone: Collection[str], back: Collection[str], now: float, fading: Fading
) -> str:
    """The scores without memories that are gone, and with what those that are back stand at."""
    known = score_file.find_entries(text, (*gone, *back))
    fresh = {name: _renew_entry(name, known[name], now, fading) for name in back if name in known}
    dropped = dict.fromkeys(name for name in gone if name in known)
    return score_file.edit_entries(text, {**dropped, **fresh})


def _renew_entry(name: str, entry: Entry, now: float, fading: Fading) -> Entry:
    if score_file.is_forgotten(entry):
        return entry
    standing = formula.compute_standing(formula.weigh(name, entry), None, now, fading)
    return {**entry, "current_score": round(standing.score, 4), "status": standing.status}
