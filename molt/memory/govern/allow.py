"""Allowing a line in which a secret is found, and that gives nothing away, by a person."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import message as messages
from molt.memory import workspace
from molt.policy import allowed, secrets
from molt.repo.write.plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree


def allow_line(ws: Workspace, place: str, why: str, *, dry_run: bool = False) -> Written[str]:
    """Commit that a line on disk, `PATH:LINE`, gives nothing away; `made` is its hash.

    Raises Usage for what is no place and without a reason, NotFound for a line in which nothing is
    found, Refused for who is no person, and what a write raises.
    """
    if not why.strip():
        raise errors.Usage("to allow a line takes a reason", '--why "…"')
    line = _read_line(ws.files(), place)
    if not secrets.find(line):
        raise errors.NotFound(f"no secret is found in {place}", "`molt check` names the lines")
    workspace.require_person(ws, "allow what a rule refuses")

    def make_change(tree: Tree) -> Change[str]:
        before = trees.read_text(tree, allowed.PATH)
        after = allowed.add_row(before, line, why)
        action = "EDIT" if tree.entry(allowed.PATH) else "CREATE"
        said = messages.Provenance(
            actor="manual", approval="approved", trigger="molt check --allow"
        )
        text = messages.render(action, allowed.PATH, f"allowed a line: {why}", said)
        return Change({allowed.PATH: after.encode()}, text, allowed.hash_line(line))

    return ws.commit(make_change, actor="manual", dry_run=dry_run)


def _read_line(tree: Tree, place: str) -> str:
    """The line at a place. Raises Usage and NotFound."""
    path, colon, number = place.rpartition(":")
    if not colon or not number.isdecimal() or not number.isascii():
        raise errors.Usage(f"{place!r} is no line of a file", "such as memory/notes.md:12")
    rows = trees.read_text(tree, path).split("\n")
    if tree.entry(path) is None or not 0 < int(number[:9]) <= len(rows):
        raise errors.NotFound(f"there is no {place}", "`molt check` names the lines")
    return rows[int(number) - 1]
