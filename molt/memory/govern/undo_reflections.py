"""A reflection that was approved is taken back: the steps of it, and what its records then say."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import message as messages
from molt.formats.reflections import histories, record
from molt.formats.reflections.histories import ReflectionEntry
from molt.formats.reflections.record import Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from molt.formats.reflections.record import ReflectionRecord
    from molt.repo.repository import LogCommit, Repo
    from molt.trees import Edits, Tree

REVERTED = "reverted"
_HELD = ("approved", "partial")


def find_steps(repo: Repo, tree: Tree, reflection: str) -> tuple[LogCommit, ...]:
    """The commits on the line of first parents that brought what a reflection proposed, newest
    first, however it was merged.

    Raises Usage for what is no id, NotFound for one that is not there, and Refused for one of
    which nothing holds.
    """
    one = _read_record(tree, reflection)
    if one.status not in _HELD:
        said = f"reflection {reflection} is {one.status or 'pending'}: nothing of it holds"
        hint = f"`molt reflect reject {reflection}`" if one.status == "pending" else ""
        raise errors.Refused(said, hint or "`molt reflect list` has all")
    line = ("--first-parent", "-m")
    named = repo.log_newest("HEAD", *line, "-F", f"--grep=Reflection: {reflection}", "--")
    found = {each.oid: each for each in named if _is_about(each, reflection)}
    brought = ("--diff-filter=A", "-1", "HEAD", "--", record.record_path(reflection))
    for each in repo.log_newest(*line, *brought):
        found.setdefault(each.oid, each)
    order = repo.run("rev-list", "--first-parent", "HEAD", "--").split()
    return tuple(found[oid] for oid in order if oid in found)


def _is_about(commit: LogCommit, reflection: str) -> bool:
    said = messages.parse(commit.message)
    about = reflection in messages.trailer_values(said, "Reflection")
    return about and said.action not in ("REVERT", "REJECT") and bool(commit.parents)


def _read_record(tree: Tree, reflection: str) -> ReflectionRecord:
    try:
        path = record.record_path(reflection)
    except ValueError:
        raise errors.Usage(f"{reflection!r} is no reflection", "such as r-001") from None
    if tree.entry(path) is None:
        raise errors.NotFound(f"there is no reflection {reflection}", "`molt reflect list`")
    return record.parse_record(trees.read_text(tree, path))


def list_held(tree: Tree) -> dict[str, ReflectionRecord]:
    """The reflections of a tree of which something holds, by id."""
    names = tree.names(record.FOLDER.rstrip("/"))
    found = (trees.read_text(tree, f"{record.FOLDER}{name}") for name in sorted(names))
    every = (record.parse_record(text) for text in found)
    return {one.id: one for one in every if one.id and one.status in _HELD}


def is_record(path: str) -> bool:
    """Whether a file says what became of reflections: it is never taken back, but goes on."""
    return path.startswith(record.FOLDER) or path == histories.LOG


def mark_reverted(tree: Tree, reflections: Iterable[str], why: str, now: datetime) -> Edits:
    """The records, which say of reflections that they were taken back, and the log, which says it
    at its end.
    """
    edits: Edits = {}
    log = trees.read_strict(tree, histories.LOG)
    decided = now.isoformat(timespec="seconds")
    for reflection in reflections:
        path = record.record_path(reflection)
        decision = Decision(REVERTED, decided, "manual", why)
        edits[path] = record.set_decision(trees.read_strict(tree, path), decision).encode()
        said = (("Reason", why),)
        count = len(record.parse_record(trees.read_strict(tree, path)).items)
        entry = ReflectionEntry(reflection, decided[:10], REVERTED, 0, count, "manual", fields=said)
        log = histories.append_reversal(log, entry)
    if edits:
        edits[histories.LOG] = log.encode()
    return edits
