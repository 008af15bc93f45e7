"""VAULT, CRIT, AGENT: who may change what."""

from __future__ import annotations

from molt.formats import checksums, proposals
from molt.formats import message as messages
from molt.policy.engine import Example, Fault, Judged, Rule, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.trees import Tree

_SUMS = "memory/meta/critical.sha256"
_PENDING = "memory/meta/pending-memories.md"
_PROPOSAL = """# Pending Memory Proposals

---
## Proposal #1
- **Id**: p-0a1b2c3d
- **From**: researcher
- **Timestamp**: 2026-02-03T10:00:00Z
- **Trigger**: auto-detect
- **Suggested store**: semantic
- **Content**: cites papers
- **Entities**: []
- **Confidence**: medium
- **Core-worthy**: no
- **Status**: pending
"""


def _vault(judged: Judged) -> Iterator[Fault]:
    if judged.is_person or judged.init:
        return
    for change in judged.changes:
        if not change.path.startswith("memory/vault/"):
            continue
        asked = judged.actor == "bot:trigger-remember"
        if change.status != "A" or not asked:
            said = "changes" if change.status != "A" else "adds to"
            hint = "a person may commit it; a bot may only add what the user asked for"
            yield Fault(change.path, 0, f"{judged.actor} {said} the vault", hint)


def _critical(judged: Judged) -> Iterator[Fault]:
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


def _acknowledged(judged: Judged) -> Iterator[Fault]:
    change = next((one for one in judged.changes if one.path == _SUMS), None)
    if change is None or (judged.init and change.status == "A"):
        return
    action = judged.message.action if judged.message else "ACK"
    if not judged.is_person or action != "ACK":
        yield Fault(_SUMS, 0, "checksums change by an [ACK] of a person only", "`molt ack FILE`")
    known = checksums.parse_checksums(text(judged.base, _SUMS))
    # A line that this commit leaves as it was may be that of a file with a pending alert.
    for number, row in enumerate(text(judged.new, _SUMS).split("\n"), 1):
        listed = checksums.parse_checksums(row)
        if row.strip() and not listed:
            yield Fault(_SUMS, number, "this line is no checksum", "`molt ack FILE`")
        for path, digest in listed.items():
            if known.get(path) != digest and _digest(judged.new, path) != digest:
                said = f"the checksum of {path} is not that of the file"
                yield Fault(_SUMS, number, said, f"`molt ack {path}`")


def _digest(tree: Tree, path: str) -> str:
    """The SHA-256 of a file; empty where there is none."""
    from hashlib import sha256

    data = tree.read(path)
    return "" if data is None else sha256(data).hexdigest()


def _intact(judged: Judged) -> Iterator[Fault]:
    if not any(change.path in judged.config.policy_critical for change in judged.changes):
        return
    changed = {change.path for change in judged.changes}
    for path, digest in checksums.parse_checksums(text(judged.base, _SUMS)).items():
        if path in changed or _digest(judged.new, path) in ("", digest):
            continue
        if path not in judged.context.alerts():
            yield Fault(path, 0, "it differs from its acknowledged checksum", f"`molt ack {path}`")


def _agent_scope(judged: Judged) -> Iterator[Fault]:
    if not judged.actor.startswith("subagent:"):
        return
    for change in judged.changes:
        if change.path != _PENDING:
            hint = f"append a proposal to {_PENDING}: `molt propose`"
            yield Fault(change.path, 0, f"{judged.actor} may only propose", hint)


def _agent_form(judged: Judged) -> Iterator[Fault]:
    if not judged.actor.startswith("subagent:"):
        return
    if not any(change.path == _PENDING for change in judged.changes):
        return
    before, after = text(judged.base, _PENDING), text(judged.new, _PENDING)
    known, found = proposals.parse_proposals(before), proposals.parse_proposals(after)
    # What is appended can still belong to the last proposal: a further line, a field it lacks.
    kept = [one.replace(end=0) for one in known] == [
        one.replace(end=0) for one in found[: len(known)]
    ]
    if not after.startswith(before) or not kept:
        yield Fault(_PENDING, 1, "earlier proposals change", "only append")
        return
    for line, why in proposals.malformed_proposals(after):
        if line > len(before.split("\n")) - 1:
            yield Fault(_PENDING, line, why, "`molt propose` writes the form")
    name = judged.actor.partition(":")[2]
    taken = {one.id for one in known} - {""}
    for proposal in found[len(known) :]:
        if proposal.agent != name:
            said = f"a proposal from {proposal.agent!r}, committed by {name!r}"
            yield Fault(_PENDING, proposal.start, said, f"- **From**: {name}")
        if proposal.status != "pending":
            said = f"it calls itself {proposal.status!r}; others decide that"
            yield Fault(_PENDING, proposal.start, said, "- **Status**: pending")
        if proposal.id in taken:
            yield Fault(_PENDING, proposal.start, f"{proposal.id} is taken", "`molt propose`")


_NEWS = "[EDIT] SOUL.md — x\n\nActor: bot:main\nApproval: auto\nTrigger: x\n"
_SUM_A = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  SOUL.md\n"

RULES = (
    Rule(
        "VAULT001",
        "vault",
        "error",
        _vault,
        "What the user put under lock.",
        Example({}, {"memory/vault/a.md": "a\n"}, actor="bot:trigger-remember"),
        Example({"memory/vault/a.md": "a\n"}, {"memory/vault/a.md": "b\n"}, actor="bot:main"),
    ),
    Rule(
        "CRIT001",
        "critical files",
        "error",
        _critical,
        "The files that define who the agent is.",
        Example({"SOUL.md": "a"}, {"SOUL.md": "b"}, actor="manual"),
        Example({"SOUL.md": "a"}, {"SOUL.md": "b"}, _NEWS, actor="bot:main"),
    ),
    Rule(
        "CRIT002",
        "acknowledged checksums",
        "error",
        _acknowledged,
        "The meaning of a checksum.",
        Example({"SOUL.md": "a"}, {"SOUL.md": "a", _SUMS: _SUM_A}, actor="manual"),
        Example({"SOUL.md": "a"}, {"SOUL.md": "a", _SUMS: _SUM_A}, actor="bot:main"),
    ),
    Rule(
        "CRIT003",
        "critical files intact",
        "error",
        _intact,
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
    Rule(
        "AGENT001",
        "sub-agents propose",
        "error",
        _agent_scope,
        "Coherence across agents.",
        Example({}, {_PENDING: _PROPOSAL}, actor="subagent:researcher"),
        Example({}, {"MEMORY.md": "x\n"}, actor="subagent:researcher"),
    ),
    Rule(
        "AGENT002",
        "well-formed proposals",
        "error",
        _agent_form,
        "That proposals name their author.",
        Example({}, {_PENDING: _PROPOSAL}, actor="subagent:researcher"),
        Example({}, {_PENDING: _PROPOSAL}, actor="subagent:coder"),
    ),
)
