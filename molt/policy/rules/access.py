"""VAULT, CRIT, AGENT: who may change what."""

from __future__ import annotations

from molt.formats import ledgers, meta
from molt.formats import message as messages
from molt.policy.engine import Example, Fault, Judged, Rule, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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
    if judged.person or judged.init:
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
    if judged.person:
        return
    approval = messages.approval(judged.message) if judged.message else ""
    if judged.actor.startswith("reflection:") and approval in ("approved", "partial"):
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
    if not judged.person or action != "ACK":
        yield Fault(_SUMS, 0, "checksums change by an [ACK] of a person only", "`molt ack FILE`")
    for path in _differing(judged, changed_too=True):
        yield Fault(_SUMS, 0, f"the checksum of {path} is not that of the file", "`molt ack FILE`")


def _differing(judged: Judged, *, changed_too: bool) -> Iterator[str]:
    """Listed files whose content is not the acknowledged one."""
    changed = {change.path for change in judged.changes}
    content = judged.new.read(_SUMS)
    if content is None:
        return
    from hashlib import sha256

    for path, digest in meta.parse_checksums(content.decode("utf-8", "replace")).items():
        if path in changed and not changed_too:
            continue
        data = judged.new.read(path)
        if data is not None and sha256(data).hexdigest() != digest:
            yield path


def _intact(judged: Judged) -> Iterator[Fault]:
    if any(change.path == _SUMS for change in judged.changes):
        return
    if not any(change.path in judged.config.policy_critical for change in judged.changes):
        return
    for path in _differing(judged, changed_too=False):
        if path not in judged.context.alerts:
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
    if not after.startswith(before):
        yield Fault(_PENDING, 1, "earlier proposals change", "only append")
        return
    for line, why in ledgers.malformed_proposals(after):
        if line > len(before.split("\n")) - 1:
            yield Fault(_PENDING, line, why, "`molt propose` writes the form")
    known = len(ledgers.parse_proposals(before))
    name = judged.actor.partition(":")[2]
    for proposal in ledgers.parse_proposals(after)[known:]:
        if proposal.agent != name:
            said = f"a proposal from {proposal.agent!r}, committed by {name!r}"
            yield Fault(_PENDING, proposal.start, said, f"- **From**: {name}")


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
