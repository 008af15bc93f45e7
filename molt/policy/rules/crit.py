"""CRIT: who may change the files that define the agent, and what was acknowledged of them."""

from __future__ import annotations

from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import checksums
from molt.policy import hidden, names, sensitivity, shapes
from molt.policy.engine import Example, Fault, Judged, Rule
from molt.trees import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.trees import FileChange, Tree

_SUMS = paths.CHECKSUMS


def _check_critical_files(judged: Judged) -> Iterator[Fault]:
    if judged.is_person:
        return
    merged = judged.actor.startswith("reflection:") and judged.context.approved
    for change in judged.changes:
        if judged.sensitivity(change) != sensitivity.CRITICAL:
            continue
        if merged and change.path.lower() not in sensitivity.CONFIGURATION:
            continue
        hint = "a person commits it, or merges the reflection that proposes it"
        yield Fault(change.path, 0, f"{judged.who} changes a critical file", hint)


def _check_high_files(judged: Judged) -> Iterator[Fault]:
    if judged.is_person or judged.context.approved:
        return
    for change in judged.changes:
        if judged.sensitivity(change) == sensitivity.HIGH:
            said = f"{judged.who} changes what instructs agents or steers git"
            hint = "a person commits it, or merges the branch that does"
            if judged.context.staged:
                quoted = names.quote_path(change.path)
                hint += f"; `git restore --staged {quoted}` leaves it out of this commit"
            yield Fault(change.path, 0, said, hint)
        elif left_out := _list_hidden(judged, change.path):
            said = f"{judged.who} has git leave out what is memory, as {left_out[0]}"
            yield Fault(change.path, 0, said, "a person commits it, or take those lines out")


def _list_hidden(judged: Judged, path: str) -> list[str]:
    """What molt may write that a .gitignore leaves out from now on."""
    if not shapes.is_ignore_file(path):
        return []
    folder, day = names.fold_path(path).rpartition(".gitignore")[0], judged.context.today()
    before, after = (
        hidden.list_hidden(read_text(tree, path), folder, day) for tree in (judged.base, judged.new)
    )
    return [one for one in after if one not in before]


def _check_acknowledged(judged: Judged) -> Iterator[Fault]:
    change = next((one for one in judged.changes if one.path == _SUMS), None)
    if change is None or (judged.init and change.status == "A"):
        return
    if judged.merge:
        yield from _check_united(judged)
        return
    if _takes_back(judged, change):
        return
    action = judged.message.action if judged.message else "ACK"
    if not judged.is_person or action != "ACK":
        yield Fault(_SUMS, 0, "checksums change by an [ACK] of a person only", "`molt ack FILE`")
    known = checksums.parse_checksums(read_text(judged.base, _SUMS))
    # A line that this commit leaves as it was may be that of a file with a pending alert.
    for number, path, digest in _list_sums(judged.new):
        if not path:
            yield Fault(_SUMS, number, "this line is no checksum", "`molt ack FILE`")
        elif known.get(path) != digest and _hash_file(judged.new, path) != digest:
            said = f"the checksum of {path} is not that of the file"
            yield Fault(_SUMS, number, said, f"`molt ack {path}`")


def _takes_back(judged: Judged, change: FileChange) -> bool:
    """Whether a revert, of a person or one that names nobody, makes the checksums as they were
    before what it undoes: then the files are what is not acknowledged any more.
    """
    restores, message = judged.context.restores, judged.message
    reverts = message is not None and messages.is_revert(message)
    if restores is None or not reverts or judged.actor not in ("", "manual"):
        return False
    sides = [one.oid if one else "" for one in (change.new, change.old)]
    return restores(_SUMS, sides[0], sides[1])


def _check_united(judged: Judged) -> Iterator[Fault]:
    """Of a merge every line is that of a parent, and true: so two acknowledgements become one.
    What all parents have, or one has added, is there.
    """
    sides, starts = (
        [checksums.parse_checksums(read_text(tree, _SUMS)) for tree in some]
        for some in (judged.context.parents, judged.context.bases)
    )
    kept = checksums.parse_checksums(read_text(judged.new, _SUMS))
    for path in sorted({path for side in sides for path in side} - kept.keys()):
        added = not any(path in start for start in starts)
        if added or all(path in side for side in sides):
            hint = "keep the lines of both sides"
            said = f"the checksum of {path} is dropped"
            yield Fault(_SUMS, 0, said, hint, soft=judged.is_person)
    for number, path, digest in _list_sums(judged.new):
        if not path:
            yield Fault(_SUMS, number, "this line is no checksum", "keep the lines of both sides")
            continue
        if all(side.get(path) == digest for side in sides):
            continue
        true = _hash_file(judged.new, path)
        held = any(side.get(path) == digest for side in sides)
        if not held or true != digest:
            said = f"the checksum of {path} is not that of the file"
            hint = f"take the line `{true}  {path}`, if a side has it; or `molt ack {path}` after"
            yield Fault(_SUMS, number, said, hint, soft=held and judged.is_person)


def _list_sums(tree: Tree) -> Iterator[tuple[int, str, str]]:
    """The lines of the checksums: number, path and digest; without a path what is none."""
    for number, row in enumerate(read_text(tree, _SUMS).split("\n"), 1):
        listed = checksums.parse_checksums(row)
        if row.strip() and not listed:
            yield number, "", ""
        for path, digest in listed.items():
            yield number, path, digest


def _hash_file(tree: Tree, path: str) -> str:
    """The SHA-256 of a file; empty where there is none."""
    from hashlib import sha256

    data = tree.read(path)
    return "" if data is None else sha256(data).hexdigest()


def _check_intact(judged: Judged) -> Iterator[Fault]:
    changed = {change.path for change in judged.changes}
    if not changed.intersection(judged.config.policy_critical):
        return
    known: dict[str, set[str]] = {}
    for tree in judged.befores:
        for path, digest in checksums.parse_checksums(read_text(tree, _SUMS)).items():
            known.setdefault(path, {""}).add(digest)
    for path in known.keys() - changed:
        if _hash_file(judged.new, path) in known[path] or path in judged.context.alerts():
            continue
        yield Fault(path, 0, "it differs from its acknowledged checksum", f"`molt ack {path}`")


_NEWS = "[EDIT] SOUL.md — x\n\nActor: bot:main\nApproval: auto\nTrigger: x\n"
_SUM_A = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  SOUL.md\n"

RULES = (
    Rule(
        "CRIT001",
        "critical files",
        "error",
        _check_critical_files,
        "The files that define who the agent is.",
        Example({"SOUL.md": "a"}, {"SOUL.md": "b"}, actor="manual"),
        Example({"SOUL.md": "a"}, {"SOUL.md": "b"}, _NEWS, actor="bot:main"),
        concerns=shapes.by_others(sensitivity.CRITICAL),
    ),
    Rule(
        "CRIT002",
        "acknowledged checksums",
        "error",
        _check_acknowledged,
        "The meaning of a checksum.",
        Example({"SOUL.md": "a"}, {"SOUL.md": "a", _SUMS: _SUM_A}, actor="manual"),
        Example({"SOUL.md": "a"}, {"SOUL.md": "a", _SUMS: _SUM_A}, actor="bot:main"),
        concerns=shapes.touching("checksums"),
    ),
    Rule(
        "CRIT003",
        "critical files intact",
        "error",
        _check_intact,
        "That no earlier change hides.",
        Example(
            {"SOUL.md": "a", _SUMS: _SUM_A, "IDENTITY.md": "i"},
            {"SOUL.md": "a", _SUMS: _SUM_A, "IDENTITY.md": "j"},
        ),
        Example(
            {"SOUL.md": "b", _SUMS: _SUM_A, "IDENTITY.md": "i"},
            {"SOUL.md": "b", _SUMS: _SUM_A, "IDENTITY.md": "j"},
        ),
        concerns=lambda shape: any(one.listed for one in shape.traits),
    ),
    Rule(
        "CRIT004",
        "high files",
        "error",
        _check_high_files,
        "What instructs agents, and what steers git.",
        Example({"AGENTS.md": "a"}, {"AGENTS.md": "b"}, actor="manual"),
        Example({"AGENTS.md": "a"}, {"AGENTS.md": "b"}, actor="bot:main"),
        concerns=lambda shape: (
            not shape.is_person
            and (shape.weighs(sensitivity.HIGH) or shape.touches(shapes.IGNORES))
        ),
    ),
)
