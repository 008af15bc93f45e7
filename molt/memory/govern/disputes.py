"""What contradicts is settled: one is preferred, both are kept, or a person is asked."""

from __future__ import annotations

from molt import errors
from molt.formats import bullets, entity, facts, ids, origin, paths
from molt.formats import message as messages
from molt.formats.meta import proposals
from molt.memory.govern import proposals as deciding
from molt.memory.govern.proposals import Acceptance, Decided
from molt.memory.write import conflicts
from molt.repo.write.plan import Change
from molt.trees import Overlay, read_strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from molt.formats.meta.proposals import Proposal
    from molt.memory.workspace import Workspace
    from molt.memory.write.conflicts import Contradiction
    from molt.memory.write.stores import Placed
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree


def resolve_conflict(
    ws: Workspace, ref: str, way: str, now: datetime, *, dry_run: bool = False
) -> Written[Decided]:
    """Settle a conflict: `PREFER` this proposal over what says otherwise, `KEEP_BOTH` with low
    confidence, or `ASK` in the file of what it is about.

    Raises NotFound, Usage where nothing is against it, and what `accept_proposal` raises.
    """
    decider = deciding.require_decider(ws)

    def make_change(tree: Tree) -> Change[Decided]:
        one = deciding.find_proposal(tree, ref)
        against = conflicts.find_conflicts(tree, one, ws.repo.cache)
        if not against:
            hint = f"`molt review accept {one.number}` takes it"
            raise errors.Usage(f"nothing says otherwise than #{one.number}", hint)
        if way == deciding.ASK:
            return _ask_person(ws, tree, one, against, now)
        settled = Acceptance(now, way=way, against=against)
        if way == deciding.PREFER:
            return _prefer_proposal(ws, tree, one, settled)
        return _keep_both(ws, tree, one, settled)

    writer = decider if decider == "manual" else ""
    return ws.commit(make_change, dry_run=dry_run, actor=writer, now=now.timestamp())


def _prefer_proposal(
    ws: Workspace, tree: Tree, one: Proposal, settled: Acceptance
) -> Change[Decided]:
    """The proposal is taken, what says otherwise is struck through, replaced or turned down."""
    stored = [found for found in settled.against if found.id.startswith("entity:")]
    store = "semantic" if stored else one.store
    change = deciding.accept_proposal(ws, tree, deciding.key_of(one), settled.replace(store=store))
    edits = dict(change.edits)
    date = settled.now.strftime("%Y-%m-%d")
    for found in stored[1:]:
        path = f"{paths.ENTITIES}{found.id.removeprefix('entity:')}.md"
        before = read_strict(Overlay(tree, edits), path)
        edits[path] = facts.supersede_fact(before, found.text, date).encode()
    rivals = _find_rivals(tree, settled.against)
    text = read_strict(Overlay(tree, edits), paths.PROPOSALS)
    for rival in rivals:
        text = proposals.remove_proposal(text, deciding.key_of(rival))
    edits[paths.PROPOSALS] = text.encode()
    edits = deciding.refresh_marks(tree, edits, ws)
    decided = change.made.replace(proposals=(one, *rivals), gave_way=rivals)
    actor = messages.actor(messages.parse(change.message))
    return Change(edits, deciding.render_acceptance(ws, tree, edits, decided, actor), decided)


def _keep_both(ws: Workspace, tree: Tree, one: Proposal, settled: Acceptance) -> Change[Decided]:
    """The proposal and what says otherwise are both kept, each unsure and naming the other."""
    rivals = _find_rivals(tree, settled.against)
    for each in (one, *rivals):
        if each.store not in deciding.FREE:
            hint = f"`molt review accept {each.number} --store semantic`, or `--prefer`"
            raise errors.Usage(f"{each.store} keeps one of two that contradict", hint)
    date = settled.now.strftime("%Y-%m-%d")
    writing = ws.replace(named=deciding.name_writer(one))
    edits: Edits = {}
    placed: list[Placed] = []
    others = tuple(found for found in settled.against if not found.is_pending)
    for found in others:
        path = f"{paths.ENTITIES}{found.id.removeprefix('entity:')}.md"
        before = read_strict(Overlay(tree, edits), path)
        edits[path] = facts.dispute_fact(before, found.text, one.content, date).encode()
    # The one that is named by the other is written first.
    for each in (*rivals, one):
        first = placed[0] if placed else None
        against = others or _name_rivals(one, rivals, each, first)
        kept = settled.replace(against=against)
        made = deciding.place_proposal(writing, Overlay(tree, edits), each, kept)
        edits = {**edits, **made.edits}
        placed.append(made)
    text = read_strict(tree, paths.PROPOSALS)
    for each in (one, *rivals):
        text = proposals.remove_proposal(text, deciding.key_of(each))
    edits[paths.PROPOSALS] = text.encode()
    edits = deciding.refresh_marks(tree, edits, ws)
    named = tuple(dict.fromkeys(name for made in placed for name in (made.id, *made.related)))
    files = tuple(dict.fromkeys(made.path for made in placed))
    decided = Decided(
        "accepted", (one, *rivals), named, files, "both are kept, with low confidence"
    )
    message = deciding.render_acceptance(ws, tree, edits, decided, deciding.name_writer(one))
    return Change(edits, message, decided)


def _name_rivals(
    one: Proposal, rivals: Sequence[Proposal], each: Proposal, first: Placed | None
) -> tuple[Contradiction, ...]:
    """What a proposal is up against among those that are written with it."""
    other = rivals[0] if each == one else one
    known = first.id if first and each == one else ""
    if each.store == "episodic" and not known:
        # The entry that it would name is not written yet; that one names it.
        return ()
    return (conflicts.Contradiction(known or f"#{other.number}", other.content),)


def _ask_person(
    ws: Workspace, tree: Tree, one: Proposal, against: Sequence[Contradiction], now: datetime
) -> Change[Decided]:
    """The question in the file of what it is about; the proposal waits until it is answered."""
    decider = deciding.require_decider(ws)
    date = now.strftime("%Y-%m-%d")
    text = read_strict(tree, paths.PROPOSALS)
    status = f"deferred — asked on {date}"
    after = proposals.revise_proposal(text, deciding.key_of(one), status=status)
    edits: Edits = {paths.PROPOSALS: after.encode()}
    subjects = [found.id for found in against if found.id.startswith("entity:")]
    subjects += [ids.entity(stem) for stem in conflicts.find_subjects(tree, one, ws.repo.cache)]
    other = " ".join(facts.strip_asides(against[0].text).split())
    said = f'Which holds: "{other}", or "{one.content}"? ({deciding.key_of(one)})'
    if subjects:
        path = f"{paths.ENTITIES}{subjects[0].removeprefix('entity:')}.md"
        before = read_strict(tree, path)
        marked = origin.mark_text(said, "sub-agent")
        asked = bullets.add_bullet(before, "Open Questions", marked, entity.ENTITY_SECTIONS)
        edits[path] = asked.encode()
    by = deciding.tell_decision(decider, (one,), "pending")
    message = messages.render("EDIT", paths.PROPOSALS, f"asked about #{one.number}", by, body=said)
    return Change(edits, message, Decided("asked", (one,), tuple(subjects[:1]), note=said))


def _find_rivals(tree: Tree, against: Sequence[Contradiction]) -> tuple[Proposal, ...]:
    return tuple(deciding.find_proposal(tree, found.id) for found in against if found.is_pending)
