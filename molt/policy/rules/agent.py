"""AGENT: sub-agents propose, and nothing else."""

from __future__ import annotations

from molt.formats import proposals
from molt.policy.engine import Example, Fault, Judged, Rule, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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


def _check_agent_scope(judged: Judged) -> Iterator[Fault]:
    if not judged.actor.startswith("subagent:"):
        return
    for change in judged.changes:
        if change.path != _PENDING:
            hint = f"append a proposal to {_PENDING}: `molt propose`"
            yield Fault(change.path, 0, f"{judged.actor} may only propose", hint)


def _check_agent_form(judged: Judged) -> Iterator[Fault]:
    if not judged.actor.startswith("subagent:"):
        return
    if not any(change.path == _PENDING for change in judged.changes):
        return
    before, after = read_text(judged.base, _PENDING), read_text(judged.new, _PENDING)
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


RULES = (
    Rule(
        "AGENT001",
        "sub-agents propose",
        "error",
        _check_agent_scope,
        "Coherence across agents.",
        Example({}, {_PENDING: _PROPOSAL}, actor="subagent:researcher"),
        Example({}, {"MEMORY.md": "x\n"}, actor="subagent:researcher"),
    ),
    Rule(
        "AGENT002",
        "well-formed proposals",
        "error",
        _check_agent_form,
        "That proposals name their author.",
        Example({}, {_PENDING: _PROPOSAL}, actor="subagent:researcher"),
        Example({}, {_PENDING: _PROPOSAL}, actor="subagent:coder"),
    ),
)
