"""CRIT: who may change the files that define the agent."""

from __future__ import annotations

from molt.formats import checksums
from molt.formats import message as messages
from molt.policy.engine import Example, Fault, Judged, Rule, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.trees import Tree

_SUMS = "memory/meta/critical.sha256"


def _check_critical_files(judged: Judged) -> Iterator[Fault]:
    if judged.is_person:
        return
    if judged.actor.startswith("reflection:"):
        # Without a message yet, whether it is approved is not known yet either.
        approval = messages.approval(judged.message) if judged.message else "approved"
        if approval in ("approved", "partial"):
            return
    for change in judged.changes:
        adopted = judged.init and change.status == "A"
        if change.path in judged.config.policy_critical and not adopted:
            hint = "a person commits it, or approves a reflection that proposes it"
            yield Fault(change.path, 0, f"{judged.actor} changes a critical file", hint)


def _check_acknowledged(judged: Judged) -> Iterator[Fault]:
    change = next((one for one in judged.changes if one.path == _SUMS), None)
    if change is None or (judged.init and change.status == "A"):
        return
    action = judged.message.action if judged.message else "ACK"
    if not judged.is_person or action != "ACK":
        yield Fault(_SUMS, 0, "checksums change by an [ACK] of a person only", "`molt ack FILE`")
    known = checksums.parse_checksums(read_text(judged.base, _SUMS))
    # A line that this commit leaves as it was may be that of a file with a pending alert.
    for number, row in enumerate(read_text(judged.new, _SUMS).split("\n"), 1):
        listed = checksums.parse_checksums(row)
        if row.strip() and not listed:
            yield Fault(_SUMS, number, "this line is no checksum", "`molt ack FILE`")
        for path, digest in listed.items():
            if known.get(path) != digest and _hash_file(judged.new, path) != digest:
                said = f"the checksum of {path} is not that of the file"
                yield Fault(_SUMS, number, said, f"`molt ack {path}`")


def _hash_file(tree: Tree, path: str) -> str:
    """The SHA-256 of a file; empty where there is none."""
    from hashlib import sha256

    data = tree.read(path)
    return "" if data is None else sha256(data).hexdigest()


def _check_intact(judged: Judged) -> Iterator[Fault]:
    if not any(change.path in judged.config.policy_critical for change in judged.changes):
        return
    changed = {change.path for change in judged.changes}
    for path, digest in checksums.parse_checksums(read_text(judged.base, _SUMS)).items():
        if path in changed or _hash_file(judged.new, path) in ("", digest):
            continue
        if path not in judged.context.alerts():
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
    ),
    Rule(
        "CRIT002",
        "acknowledged checksums",
        "error",
        _check_acknowledged,
        "The meaning of a checksum.",
        Example({"SOUL.md": "a"}, {"SOUL.md": "a", _SUMS: _SUM_A}, actor="manual"),
        Example({"SOUL.md": "a"}, {"SOUL.md": "a", _SUMS: _SUM_A}, actor="bot:main"),
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
    ),
)
