"""Logs go back by saying so: what is undone stays written, and is hidden behind a correction."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, ids, merge, paths
from molt.formats.meta import scores as score_file
from molt.memory import inventory
from molt.memory.decay import fold
from molt.memory.govern import undo_files
from molt.memory.govern.undo_files import Restoration
from molt.trees import DictTree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
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
    """A log of a tree with what comes back, and all that it has; entries that are to be undone are
    named, to be hidden. Raises Refused where what comes back meets what was changed since.
    """
    gone, back = (side.read(path) or b"" for side in (one.gone, one.back))
    now = tree.read(path)
    date = paths.date_of(path) or ""
    there = {entry.id for entry in _parse(now or b"", date)}
    kept = {_words_of(entry) for entry in _parse(back, date)}
    fresh = [entry for entry in _parse(gone, date) if _words_of(entry) not in kept]
    hidden = frozenset(score_file.list_forgotten(trees.read_text(tree, paths.SCORES)))
    open_ = [entry for entry in fresh if not _still_holds(entry, one.back)]
    taken = tuple(entry.id for entry in open_ if entry.id in there - hidden)
    if gone.startswith(back) or now is None:
        prose = gone != back and not fresh
        return LogReturn(now, taken, f"{path}: notes in prose stay" * prose)
    union = merge.merge(
        path, None, gone.decode("utf-8", "replace"), back.decode("utf-8", "replace")
    )
    if union.conflicts:
        return LogReturn(now, taken, f"{path}: what was edited in it stays as it is")
    both = DictTree({path: union.text.encode()})
    step = Restoration(one.gone, both, (path,), one.named)
    return LogReturn(undo_files.restore_file(step, path, tree), taken)


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
