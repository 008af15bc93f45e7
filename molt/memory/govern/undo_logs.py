"""Logs go back by saying so: entries that are undone stay written, hidden behind a correction."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, ids, lines, paths
from molt.formats.merge import logs
from molt.formats.meta import scores as score_file
from molt.memory import inventory
from molt.memory.decay import fold
from molt.memory.govern import undo_files
from molt.memory.govern.undo_files import Restoration
from molt.trees import DictTree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from datetime import datetime

    from molt.formats.episodes import Episode
    from molt.trees import Edits, Tree

_SHOWN = 20  # rows that are named; the others are counted
_TAG = "revert"


class LogReturn(Value):
    """What a log becomes, the ids of its entries that are taken back, and what of it stays that
    no correction can hide, if anything.
    """

    data: bytes | None
    taken: tuple[str, ...] = ()
    left: str = ""


def restore_log(one: Restoration, path: str, tree: Tree) -> LogReturn:
    """A log of a tree without what is to be undone: the entries that this brought stay, and are
    named, to be hidden; all else that it did to the log goes back. Raises Refused where what comes
    back meets what was changed since.
    """
    gone, back = (side.read(path) for side in (one.gone, one.back))
    now = tree.read(path)
    date = paths.date_of(path) or ""
    old, new = _parse(back or b"", date), _parse(gone or b"", date)
    fresh = _find_fresh(old, new)
    there = {entry.id for entry in _parse(now or b"", date)}
    hidden = frozenset(score_file.list_forgotten(trees.read_text(tree, paths.SCORES)))
    open_ = [entry for entry in fresh.values() if not _still_holds(entry, one.back)]
    taken = tuple(entry.id for entry in open_ if entry.id in there - hidden)
    if gone is not None and (now is None or _is_continued(back or b"", gone, old, new)):
        prose = gone != back and not fresh
        return LogReturn(now, taken, f"{path}: notes in prose stay" * prose)
    if gone is not None and back is not None and fresh:
        both = DictTree({path: _put_between(back, gone, date, fresh)})
        one = one.replace(back=both)
    return LogReturn(undo_files.restore_file(one, path, tree), taken)


def _find_fresh(old: tuple[Episode, ...], new: tuple[Episode, ...]) -> dict[str, Episode]:
    """The entries that are new, by id; one that has only got another time is not."""
    kept = {entry.id for entry in new}
    lost = {entry.text for entry in old if entry.id not in kept}
    known = {entry.id for entry in old}
    return {one.id: one for one in new if one.id not in known and one.text not in lost}


def _is_continued(
    back: bytes, gone: bytes, old: tuple[Episode, ...], new: tuple[Episode, ...]
) -> bool:
    """Whether a log says all that it did, as it did, and then more."""
    said = {_words_of(entry) for entry in new}
    return gone.startswith(back) and all(_words_of(entry) in said for entry in old)


def _put_between(back: bytes, gone: bytes, date: str, fresh: Container[str]) -> bytes:
    """A log as it was, with each fresh entry before the one that it stood before, or at the end."""
    before: dict[str, list[str]] = {}
    waiting: list[str] = []
    old = _split_log(back, date)
    here = {name for name, _ in old}
    for name, block in _split_log(gone, date):
        if name in fresh:
            waiting.append(block)
        elif name in here:
            before[name], waiting = waiting, []
    kept = (f"{''.join(before.get(name, ()))}{block}" for name, block in old)
    return logs.append_entries("".join(kept), waiting).encode("utf-8", "surrogateescape")


def _split_log(data: bytes, date: str) -> list[tuple[str, str]]:
    """What stands before the first entry, under no id, and each entry with what follows it."""
    text = data.decode("utf-8", "surrogateescape")
    rows = lines.split_lines(text)
    entries = episodes.parse(text, date)
    starts = [0, *(entry.start - 1 for entry in entries)]
    ends = [*starts[1:], len(rows)]
    names = ["", *(entry.id for entry in entries)]
    blocks = ("".join(rows[start:end]) for start, end in zip(starts, ends, strict=True))
    return list(zip(names, blocks, strict=True))


def _parse(data: bytes, date: str) -> tuple[Episode, ...]:
    return episodes.parse(data.decode("utf-8", "replace"), date)


def _still_holds(entry: Episode, back: Tree) -> bool:
    """Whether an entry says that others were taken back, none of which are seen in what is to come
    back.
    """
    if entry.type != "correction" or _TAG not in entry.tags:
        return False
    hidden = frozenset(score_file.list_forgotten(trees.read_text(back, paths.SCORES)))
    named = [word.strip(",") for word in entry.text.split() if word.startswith("episode:")]
    return not any(name not in hidden and inventory.has_memory(back, name) for name in named)


def _words_of(entry: Episode) -> tuple[str, str]:
    return entry.id, entry.text


def correct_entries(
    tree: Tree, taken: Iterable[str], what: str, now: datetime
) -> tuple[Edits, str]:
    """The edits that hide entries of logs, with a correction that says so in the log of today; and
    the id of that. Without entries there are none.
    """
    names = tuple(dict.fromkeys(taken))
    if not names:
        return {}, ""
    date = now.strftime("%Y-%m-%d")
    path = f"{paths.EPISODES}{date}.md"
    before = trees.read_strict(tree, path)
    shown = ", ".join(names[:_SHOWN])
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    fields = (("supersedes", names[0]),) if len(names) == 1 else ()
    entry = episodes.Episode(
        date, now.strftime("%H:%M:%S"), "correction", "high", (_TAG,), "user-explicit",
        fields, f"Taken back ({what}): {shown}{more}",
    )  # fmt: skip
    text, added = episodes.append(before or None, entry)
    scores = trees.read_strict(tree, paths.SCORES)
    hidden = score_file.edit_entries(scores, put_away(tree, scores, names))
    edits: Edits = {path: text.encode(), paths.SCORES: hidden.encode()}
    return edits, ids.episode(date, added.stamp)


def put_away(tree: Tree, scores: str, names: Iterable[str]) -> fold.Entries:
    """The entries of the scores that hide memories until `molt restore` brings them back."""
    wanted = tuple(names)
    known = score_file.find_entries(scores, wanted)
    origins = inventory.find_origins(tree, wanted)
    gone = {"current_score": 0.0, "status": "archived", "pinned": False}
    return {
        name: {**(known.get(name) or fold.make_entry(name, origins[name])), **gone}
        for name in wanted
    }
