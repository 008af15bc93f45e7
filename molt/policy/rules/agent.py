"""AGENT: sub-agents propose, and nothing else; what they propose stays their word; skills keep to
what they are granted.
"""

from __future__ import annotations

from molt import trees
from molt.formats import paths
from molt.formats.meta import proposals
from molt.policy import names, sensitivity, shapes
from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.meta.proposals import Proposal
    from molt.policy.shapes import Shape

_PENDING = paths.PROPOSALS
_HEAD = "## Proposal #"
_MOST = 1_000
"""So many proposals are there at most when a sub-agent adds one: each is compared with each."""
_DAY = "memory/2026-02-02.md"
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
_DECIDED = _PROPOSAL.replace("pending\n", "deferred\n")
_OTHER_WORDS = _PROPOSAL.replace("cites", "hates")


def _is_subagent(judged: Judged) -> bool:
    return judged.actor.startswith("subagent:")


def _is_subagents(shape: Shape) -> bool:
    return shape.actor.startswith("subagent:")


def _check_scope(judged: Judged) -> Iterator[Fault]:
    if not _is_subagent(judged):
        return
    for change in judged.changes:
        if change.path != _PENDING:
            hint = f"append a proposal to {_PENDING}: `molt propose`"
            yield Fault(change.path, 0, f"{judged.actor} may only propose", hint)


def _check_grants(judged: Judged) -> Iterator[Fault]:
    """What a skill changes of the memory though nobody has granted it: the day's log it may write,
    and uses are counted.
    """
    kind, _, name = judged.actor.partition(":")
    if kind != "skill":
        return
    pairs = (one.split(maxsplit=1) for one in judged.config.agents_grants)
    granted = tuple(pair[1] for pair in pairs if len(pair) == 2 and pair[0] == name)
    for change in judged.changes:
        folded = names.fold_path(change.path)
        memory = folded == names.fold_path(paths.CORE) or folded.startswith("memory/")
        if not memory or paths.kind_of(change.path) in ("episode", "scores"):
            continue
        if not sensitivity.covers(granted, folded):
            line = f'agents: {{grants: ["{name} {change.path}"]}}'
            hint = f"a person grants it in molt.yaml: `{line}`"
            yield Fault(change.path, 0, f"{judged.actor} may not change this", hint)


def _check_proposals(judged: Judged) -> Iterator[Fault]:
    if not _is_subagent(judged) or not any(one.path == _PENDING for one in judged.changes):
        return
    after = trees.read_text(judged.new, _PENDING)
    many = _tell_many(judged)
    if many:
        yield many
        return
    known, found = _list_known(judged), proposals.parse_proposals(after)
    if not _is_kept(judged, found):
        yield Fault(_PENDING, 1, "earlier proposals change", "only append")
        return
    fresh = [one for one in found if _bare(one) not in known]
    if judged.merge:
        faults = ((one.start, why) for one in fresh for why in proposals.find_faults(one))
    else:
        old = trees.read_text(judged.base, _PENDING).count("\n")
        every = proposals.malformed_proposals(after, strict=True)
        faults = (pair for pair in every if pair[0] > old)
    for line, why in faults:
        yield Fault(_PENDING, line, why, "`molt propose` writes the form")
    yield from _check_claims(judged, fresh)
    yield from _find_repeated(judged, found, fresh)


def _tell_many(judged: Judged) -> Fault | None:
    """That a commit adds to more proposals than are compared; None where it does not."""
    befores = (trees.read_text(tree, _PENDING).count(_HEAD) for tree in judged.befores)
    count = trees.read_text(judged.new, _PENDING).count(_HEAD)
    if count <= max(_MOST, *befores):
        return None
    said = f"{count:,} proposals: more than anybody decides on"
    return Fault(_PENDING, 0, said, "`molt review` takes some away first", soft=judged.is_person)


def _check_claims(judged: Judged, fresh: list[Proposal]) -> Iterator[Fault]:
    """What a sub-agent's new proposals say that is not its to say."""
    name = judged.actor.partition(":")[2]
    for proposal in fresh:
        if proposal.agent != name:
            said = f"a proposal from {proposal.agent!r}, committed by {name!r}"
            yield Fault(_PENDING, proposal.start, said, f"- **From**: {name}")
        if proposal.status != "pending":
            said = f"it calls itself {proposal.status!r}; others decide that"
            yield Fault(_PENDING, proposal.start, said, "- **Status**: pending")


def _is_kept(judged: Judged, found: tuple[Proposal, ...]) -> bool:
    """Whether what was there before is there as it was; of a merge, what every side had."""
    if judged.merge:
        return _list_known(judged) <= frozenset(map(_bare, found))
    before = trees.read_text(judged.base, _PENDING)
    known = proposals.parse_proposals(before)
    # What is appended can still belong to the last proposal: a further line, a field it lacks.
    kept = [_bare(one) for one in known] == [_bare(one) for one in found[: len(known)]]
    return kept and trees.read_text(judged.new, _PENDING).startswith(before)


def _list_known(judged: Judged) -> frozenset[Proposal]:
    """The proposals that were there before, on any side."""
    texts = (trees.read_text(tree, _PENDING) for tree in judged.befores)
    return frozenset(_bare(one) for content in texts for one in proposals.parse_proposals(content))


def _bare(one: Proposal) -> Proposal:
    """A proposal wherever it stands."""
    return one.replace(start=0, end=0)


def _find_repeated(
    judged: Judged, found: tuple[Proposal, ...], fresh: list[Proposal]
) -> Iterator[Fault]:
    """The new proposals whose id or number another has; numbers are for people, and two branches
    give the same ones.
    """
    starts = {one.start for one in fresh}
    kept = [one for one in found if one.start not in starts]
    ids, numbers = {one.id for one in kept}, {one.number for one in kept}
    for proposal in fresh:
        if proposal.id and proposal.id in ids:
            said = f"{proposal.id} is taken"
            yield Fault(_PENDING, proposal.start, said, "`molt propose`", soft=judged.is_person)
        if proposal.number in numbers:
            said, soft = f"#{proposal.number} is taken", judged.is_person or judged.merge
            yield Fault(_PENDING, proposal.start, said, "`molt propose`", soft=soft)
        ids.add(proposal.id)
        numbers.add(proposal.number)


def _check_words(judged: Judged) -> Iterator[Fault]:
    """What others than sub-agents do to proposals: they decide them, or take them away whole. That
    an actor is called as the author is says nothing: not even the author words one anew.
    """
    if _is_subagent(judged) or not any(change.path == _PENDING for change in judged.changes):
        return
    many = _tell_many(judged)
    if many:
        yield many
        return
    known = _list_known(judged)
    said = {_undecided(one) for one in known}
    found = proposals.parse_proposals(trees.read_text(judged.new, _PENDING))
    fresh = [one for one in found if _undecided(one) not in said]
    yield from _find_repeated(judged, found, fresh)
    if judged.is_person:
        return
    for proposal in fresh:
        wrong = f"{judged.who} writes what {proposal.agent or 'nobody'} proposes"
        hint = "decide on it or take it away whole; its words are its author's"
        yield Fault(_PENDING, proposal.start, wrong, hint)
    for proposal in found:
        for why in proposals.find_faults(proposal) if _bare(proposal) not in known else ():
            yield Fault(_PENDING, proposal.start, why, "`molt propose` writes the form")


def _undecided(one: Proposal) -> Proposal:
    """What its author has said: all but the decision, its mark and its number, which is for
    people. Further lines are notes on it.
    """
    return one.replace(start=0, end=0, status="", flag="", number=0, fields=())


RULES = (
    Rule(
        "AGENT001",
        "sub-agents propose",
        "error",
        _check_scope,
        "Coherence across agents.",
        Example({}, {_PENDING: _PROPOSAL}, actor="subagent:researcher"),
        Example({}, {"MEMORY.md": "x\n"}, actor="subagent:researcher"),
        concerns=_is_subagents,
    ),
    Rule(
        "AGENT002",
        "well-formed proposals",
        "error",
        _check_proposals,
        "That proposals name their author.",
        Example({}, {_PENDING: _PROPOSAL}, actor="subagent:researcher"),
        Example({}, {_PENDING: _PROPOSAL}, actor="subagent:coder"),
        concerns=_is_subagents,
    ),
    Rule(
        "AGENT003",
        "skills keep to what is theirs",
        "error",
        _check_grants,
        "That what a skill may change is said by a person.",
        Example({}, {_DAY: "a\n"}, actor="skill:notes"),
        Example({}, {"memory/procedures/a.md": "a\n"}, actor="skill:notes"),
        concerns=lambda shape: shape.actor.startswith("skill:"),
    ),
    Rule(
        "AGENT004",
        "proposals as proposed",
        "error",
        _check_words,
        "That a proposal is its author's word.",
        Example({_PENDING: _PROPOSAL}, {_PENDING: _DECIDED}, actor="bot:main"),
        Example({_PENDING: _PROPOSAL}, {_PENDING: _OTHER_WORDS}, actor="bot:main"),
        concerns=shapes.touching("proposals"),
    ),
)
