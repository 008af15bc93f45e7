"""What a commit does to the past of a log, and whether who made it may do that."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, ids, paths, times
from molt.formats import message as messages
from molt.formats.meta import tombstones
from molt.policy import logs
from molt.policy.engine import Fault, Judged
from molt.policy.logs import APPENDED, CHANGED, INSERTED, REMOVED, SPACED, Difference
from molt.policy.sides import find_contenders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.trees import Entry

_CORRECT = "leave it as it was and append a correction entry"


def check_append_only(judged: Judged) -> Iterator[Fault]:
    """What is done to the past that may not be done, or not by who does it."""
    for path in list_changed_logs(judged):
        found = _compare_merged(judged, path) if judged.merge else _compare_edited(judged, path)
        fault = _weigh_difference(judged, path, found)
        if fault is not None and not _is_forgotten(judged, path):
            fault = _forgive_restored(judged, fault)
            if fault is not None:
                yield fault


def list_changed_logs(judged: Judged) -> list[str]:
    """The logs that are not as they were; of a merge, as any parent has them: one that drops what
    a parent has written changes nothing against another.
    """
    if not judged.merge:
        changed = [one.path for one in judged.changes if one.status != "A"]
    else:
        sides = (trees.diff(parent, judged.new) for parent in judged.context.parents)
        changed = sorted({one.path for side in sides for one in side})
    return [path for path in changed if paths.is_episode_path(path)]


def _compare_edited(judged: Judged, path: str) -> Difference:
    before, after = judged.base.read(path), judged.new.read(path)
    if after is None:
        return _tell_removed(judged, before or b"")
    return logs.compare(before or b"", after)


def _tell_removed(judged: Judged, before: bytes) -> Difference:
    """A log that is gone, and where to, if it is elsewhere."""
    oid = trees.blob_oid(before)
    added = (one for one in judged.changes if one.status == "A" and one.new)
    place = next((one.path for one in added if one.new and one.new.oid == oid), "")
    said = f"the log is moved to {place}" if place else "the log is removed"
    entries = episodes.parse(before.decode("utf-8", "replace"))
    return Difference(REMOVED, 0, said, bool(entries))


def _compare_merged(judged: Judged, path: str) -> Difference:
    """What a merge has done to a log beyond what its parents did."""
    context, after = judged.context, judged.new.read(path)
    contenders = find_contenders(context.sides, path)
    if contenders == (judged.new.entry(path),):
        return Difference(APPENDED)
    # What git brings in from under another name, to where one side alone has written, is no more
    # than an edit.
    if len(contenders) > 1 and _is_gits_own(judged, path):
        return Difference(APPENDED)
    sides = (parent.read(path) for parent in context.parents)
    present = [data for data in dict.fromkeys(sides) if data is not None]
    if after is None:
        return _tell_removed(judged, max(present, key=len, default=b""))
    if len(contenders) == 1:
        # Only one side has changed it: all else is an edit of that.
        return logs.compare(_read_entry(judged, path, contenders[0]), after)
    own = path.startswith(paths.EPISODES) and any(map(_has_entries, present))
    found = logs.unite(after, present, own=own)
    if found.kind == APPENDED and not after.startswith(_share_start(present)):
        return Difference(SPACED, 1, "line ends, or blanks, of what was there change")
    return found


def _is_gits_own(judged: Judged, path: str) -> bool:
    """Whether git itself has merged a log so, without a conflict.

    Where it merged nothing, the base is a parent: that says nothing of the others.
    """
    result = judged.new.entry(path)
    if judged.context.clean:
        return True
    if result is None or result != judged.base.entry(path) or is_of_a_parent(judged, path, result):
        return False
    rows = (judged.new.read(path) or b"").split(b"\n")
    return not any(row.startswith(b"<<<<<<< ") for row in rows)


def _read_entry(judged: Judged, path: str, entry: Entry | None) -> bytes:
    """The bytes of a log as the parent has it that has this entry."""
    for parent in judged.context.parents:
        if parent.entry(path) == entry:
            return parent.read(path) or b""
    return b""


def _share_start(sides: list[bytes]) -> bytes:
    """The whole lines that all sides begin with."""
    first = min(sides, key=len, default=b"")
    low, high = 0, len(first)
    while low < high:
        middle = (low + high + 1) // 2
        if all(side.startswith(first[:middle]) for side in sides):
            low = middle
        else:
            high = middle - 1
    return first[: first.rfind(b"\n", 0, low) + 1]


def _has_entries(data: bytes) -> bool:
    return bool(episodes.parse(data.decode("utf-8", "replace")))


def _weigh_difference(judged: Judged, path: str, found: Difference) -> Fault | None:
    """What is wrong with what was done to a log, for who did it; None if nothing is."""
    if found.kind == APPENDED:
        return None
    prose = not path.startswith(paths.EPISODES) or not _held_entries(judged, path)
    if prose and found.kind != REMOVED and _is_draft(judged, path):
        return None
    said = found.said if found.mend else f"{found.said}; episodes are only appended to"
    mend = found.mend or _CORRECT
    if not judged.is_person:
        return Fault(path, found.line, said, mend)
    if found.kind in (SPACED, INSERTED):
        return None
    kept = prose or (found.kind == CHANGED and not found.touched)
    return Fault(path, found.line, said, mend, soft=kept)


def _held_entries(judged: Judged, path: str) -> bool:
    return any(_has_entries(tree.read(path) or b"") for tree in judged.befores)


def _is_draft(judged: Judged, path: str) -> bool:
    """Whether a log is of the day of the commit, of the day before, or of one to come: the clock
    of who writes it may be in another zone.
    """
    date, today = paths.date_of(path), judged.context.today()
    return bool(date and times.is_date(today)) and str(date) >= times.day_before(today)


def _forgive_restored(judged: Judged, fault: Fault) -> Fault | None:
    """The fault, unless a person puts back what was there before; a plain `git revert`, which
    names nobody and undoes one change, is told of.
    """
    if judged.merge:
        # What takes one side whole is as it was there: that drops the other.
        return fault
    restores, message = judged.context.restores, judged.message
    reverts = message is None or message.action == "REVERT"
    plain = message is not None and messages.classify_subject(message.subject) == "revert"
    if restores is None or not (judged.is_person or (plain and not judged.actor)):
        return fault
    if fault.soft and not (plain or (message is not None and reverts)):
        # To look for it reads history: where no more than a warning comes of it, only if asked.
        return fault
    entry = judged.new.entry(fault.path)
    # Every log was absent once: to remove one takes it back only where that is what is said.
    if entry is None and not (reverts or plain):
        return fault
    before = judged.base.entry(fault.path)
    undone = None if judged.is_person else before.oid if before else ""
    if not restores(fault.path, entry.oid if entry else "", undone):
        return fault
    if judged.is_person:
        return None
    # Who is bound to a key is nobody without it, whatever git has written.
    return fault if _binds_people(judged) else fault.replace(soft=True)


def _binds_people(judged: Judged) -> bool:
    """Whether what a person does is told by a signature."""
    return any(actor == "manual" for actor, _ in judged.config.actors_keys)


def _is_forgotten(judged: Judged, path: str) -> bool:
    """Whether entries are only taken away, whole, and those that the commit names: what the user
    has asked to forget. Without a message it is not known yet which. That a bot was told to it
    cannot say itself: a person merges its commit.
    """
    told = judged.actor == messages.FORGETTER and judged.context.approved
    if not (judged.is_person or told) or not is_removal(judged):
        return False
    message = judged.message
    before, after = judged.base.read(path), judged.new.read(path)
    if before is None or after is None:
        return False
    gone = _list_gone(before, after)
    if message is None:
        return bool(gone)
    date = paths.date_of(path) or ""
    named = frozenset(messages.trailer_values(message, "Memory-Id"))
    return bool(gone) and all(ids.episode(date, stamp) in named for stamp in gone)


def is_removal(judged: Judged) -> bool:
    """Whether a commit removes what was forgotten for good, as far as its message says; without
    one it may.
    """
    message = judged.message
    removes = message is None or (message.action, messages.approval(message)) == (
        *("DELETE", "approved"),
    )
    return removes and not judged.merge


def is_burial(judged: Judged) -> bool:
    """Whether a person's commit is such a removal, and leaves tombstones, as molt's own does."""
    if not judged.is_person or not is_removal(judged):
        return False
    return bool(tombstones.parse_tombstones(trees.read_text(judged.new, paths.TOMBSTONES)))


def _list_gone(before: bytes, after: bytes) -> tuple[str, ...]:
    """The times of the entries that were taken away; none where anything else was done."""
    old, new = _split_entries(before), _split_entries(after)
    gone, rest = [], iter([words for _, words in new])
    wanted = next(rest, None)
    for stamp, words in old:
        if words == wanted:
            wanted = next(rest, None)
        elif not stamp:
            return ()
        else:
            gone.append(stamp)
    return tuple(gone) if wanted is None else ()


def _split_entries(data: bytes) -> list[tuple[str, str]]:
    """The text before the first entry, and each entry with the time in its id."""
    content = data.decode("utf-8", "replace")
    rows = content.split("\n")
    entries = episodes.parse(content)
    first = entries[0].start - 1 if entries else len(rows)
    pieces = [("", "\n".join(rows[:first]).rstrip())]
    return pieces + [(one.stamp, "\n".join(rows[one.start - 1 : one.end])) for one in entries]


def is_of_a_parent(judged: Judged, path: str, entry: Entry) -> bool:
    """Whether a merge has a file just as one of its parents has it."""
    return any(parent.entry(path) == entry for parent in judged.context.parents)
