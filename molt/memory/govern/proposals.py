"""Decisions on what sub-agents propose: taken into a store, turned down, or put off."""

from __future__ import annotations

from molt import errors
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import proposals
from molt.memory.write import admit, conflicts, provenance, stores, supersede
from molt.memory.write import propose as proposing
from molt.memory.write import route as routing
from molt.repo.write.plan import Change
from molt.trees import Overlay, read_strict
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from molt.formats.meta.proposals import Proposal
    from molt.memory.graph.table import Cache
    from molt.memory.workspace import Workspace
    from molt.memory.write.conflicts import Contradiction
    from molt.memory.write.propose import Proposed
    from molt.memory.write.route import Route
    from molt.memory.write.stores import Placed
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree

GUARDED = ("core", "procedural", "vault")
"""The stores into which only a person takes what comes from outside."""
PREFER, KEEP_BOTH, ASK = "prefer", "keep-both", "ask"
"""What can be done about a conflict."""
FREE = ("episodic", "semantic")
"""The stores that take what was proposed from any who decides."""


class Reviewed(Value):
    """A proposal that waits, and what says otherwise."""

    proposal: Proposal
    conflicts: tuple[Contradiction, ...]


class Acceptance(Value):
    """How a proposal is taken: into which `store` (empty for the one that it suggests), against
    what (`against`), and in which way (`PREFER`, `KEEP_BOTH`; empty where nothing is against it).
    """

    now: datetime
    store: str = ""
    way: str = ""
    against: tuple[Contradiction, ...] = ()


class Decided(Value):
    """What was decided (`accepted`, `rejected`, `deferred`, `asked`), on which proposals, which of
    them gave way to another, and the ids and files of the memories that were written.
    """

    what: str
    proposals: tuple[Proposal, ...]
    memories: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    note: str = ""
    gave_way: tuple[Proposal, ...] = ()


def list_proposals(ws: Workspace, tree: Tree) -> tuple[Reviewed, ...]:
    """What awaits a decision, in order, each with what says otherwise now."""
    waiting = proposals.list_pending(read_strict(tree, paths.PROPOSALS))
    cache = ws.repo.cache
    return tuple(Reviewed(one, conflicts.find_conflicts(tree, one, cache)) for one in waiting)


def find_proposal(tree: Tree, ref: str) -> Proposal:
    """The proposal of a number or an id that awaits a decision. Raises NotFound."""
    waiting = proposals.list_pending(read_strict(tree, paths.PROPOSALS))
    found = next((one for one in waiting if ref in proposals.name_proposal(one)), None)
    if found is None:
        known = ", ".join(f"#{one.number}" for one in waiting)
        raise errors.NotFound(
            f"no proposal {ref!r} waits", f"`molt review` lists them: {known or 'none waits'}"
        )
    return found


def accept_proposal(ws: Workspace, tree: Tree, ref: str, settled: Acceptance) -> Change[Decided]:
    """The change of a tree that puts a proposal into its store and takes it off the list, in the
    name of its sub-agent; into core memory, a procedure or the vault in that of the person who
    acts. Nothing is written here: the same change can be made of another tree.

    Raises NotFound where nothing of that name waits, NeedsAnswer where something says otherwise
    that the settlement does not know of, and Refused where only a person may.
    """
    one = find_proposal(tree, ref)
    _require_settled(tree, one, settled, ws)
    actor = _choose_writer(ws, one, settled.store or one.store)
    made = place_proposal(ws.replace(named=actor), tree, one, settled)
    after = proposals.remove_proposal(read_strict(tree, paths.PROPOSALS), key_of(one))
    edits = {**made.edits, paths.PROPOSALS: after.encode()}
    edits = refresh_marks(Overlay(tree, edits), edits, ws)
    named = (made.id, *made.related)
    decided = Decided("accepted", (one,), named, (made.path,), made.taken)
    return Change(edits, render_acceptance(ws, tree, edits, decided, actor), decided)


def accept(
    ws: Workspace, ref: str, now: datetime, *, store: str = "", dry_run: bool = False
) -> Written[Decided]:
    """Take a proposal into its store, or another one. Raises what `accept_proposal` raises."""
    decider = require_decider(ws)
    settled = Acceptance(now, store)
    writer = decider if decider == "manual" else ""

    def make_change(tree: Tree) -> Change[Decided]:
        return accept_proposal(ws, tree, ref, settled)

    return ws.commit(make_change, dry_run=dry_run, actor=writer, now=now.timestamp())


def reject(ws: Workspace, ref: str, why: str, *, dry_run: bool = False) -> Written[Decided]:
    """Turn a proposal down; the reason stands in the history. Raises NotFound, and Usage without
    a reason.
    """
    if not why.strip():
        raise errors.Usage("a rejection says why", 'molt review reject N --why "…"')
    decider = require_decider(ws)

    def make_change(tree: Tree) -> Change[Decided]:
        one = find_proposal(tree, ref)
        after = proposals.remove_proposal(read_strict(tree, paths.PROPOSALS), key_of(one))
        edits = refresh_marks(tree, {paths.PROPOSALS: after.encode()}, ws)
        by = tell_decision(decider, (one,), "rejected")
        said = f"rejected #{one.number} — {' '.join(why.split())}"
        message = messages.render("REJECT", paths.PROPOSALS, said, by, body=_quote((one,)))
        return Change(edits, message, Decided("rejected", (one,), note=why.strip()))

    return ws.commit(make_change, dry_run=dry_run, actor=decider)


def defer(ws: Workspace, ref: str, *, dry_run: bool = False) -> Written[Decided]:
    """Leave a proposal for later; it stays on the list. Raises NotFound."""
    decider = require_decider(ws)

    def make_change(tree: Tree) -> Change[Decided]:
        one = find_proposal(tree, ref)
        text = read_strict(tree, paths.PROPOSALS)
        after = proposals.revise_proposal(text, key_of(one), status="deferred")
        by = tell_decision(decider, (one,), "pending")
        message = messages.render("EDIT", paths.PROPOSALS, f"deferred #{one.number}", by)
        return Change({paths.PROPOSALS: after.encode()}, message, Decided("deferred", (one,)))

    return ws.commit(make_change, dry_run=dry_run, actor=decider)


def propose_text(
    ws: Workspace, text: str, now: datetime, *, dry_run: bool = False, **said: Any
) -> tuple[Proposed, Written[Decided] | None]:
    """Append a text as a proposal, with what a `Suggestion` says of it; where the workspace takes
    what trusted agents are sure of (`agents.review: auto`), it is taken at once. What contradicts
    something, or is for a person, waits.

    Raises what `propose.draft` and `propose.propose` raise; to be left waiting is no failure.
    """
    proposing.parse_author(ws.actor)
    draft = proposing.draft(text, proposing.Suggestion(**said))
    made = proposing.propose(ws, draft, now, dry_run=dry_run)
    one, settings = made.proposal, ws.config
    trusted = settings.agents_review == "auto" and one.agent in settings.agents_trusted
    if dry_run or not trusted or one.confidence != "high" or one.store not in FREE:
        return made, None

    def make_change(tree: Tree) -> Change[Decided]:
        return accept_proposal(ws, tree, one.id, Acceptance(now))

    try:
        writer = name_writer(one)
        return made, ws.commit(make_change, actor=writer, now=now.timestamp())
    except (errors.NeedsAnswer, errors.Refused, errors.Busy):
        return made, None


def require_decider(ws: Workspace) -> str:
    """Who decides here: a person, or a bot where the workspace lets it. Raises Refused."""
    actor = ws.actor
    if actor == "manual":
        return actor
    if not actor.startswith("bot:") or actor.startswith("bot:commit-from:"):
        hint = "the main agent does (`--actor bot:main`), or a person (`--actor manual`)"
        raise errors.Refused(f"{actor} does not decide on proposals", hint)
    if ws.config.agents_review == "manual":
        hint = "a person says `molt --actor manual review …`; agents.review in molt.yaml"
        raise errors.Refused("only a person decides on proposals here", hint)
    return actor


def name_writer(one: Proposal) -> str:
    """Who writes what a sub-agent has proposed."""
    name = f"bot:commit-from:{one.agent}"
    # A proposal that a person wrote by hand may be from anybody.
    return name if messages.is_valid_actor(name) else "bot:commit-from:unknown"


def _choose_writer(ws: Workspace, one: Proposal, store: str) -> str:
    if store not in GUARDED:
        return name_writer(one)
    if ws.actor != "manual":
        hint = f"a person does: `molt --actor manual review accept {one.number} --store {store}`"
        raise errors.Refused(f"{store} takes what a sub-agent says from a person alone", hint)
    return "manual"


def _require_settled(tree: Tree, one: Proposal, settled: Acceptance, ws: Workspace) -> None:
    """Raises NeedsAnswer where something says otherwise that nobody has decided on."""
    known = frozenset(settled.against)
    open_ones = [
        found for found in conflicts.find_conflicts(tree, one, ws.repo.cache) if found not in known
    ]
    if open_ones:
        first = open_ones[0]
        said = f"#{one.number} contradicts {first.id}: {' '.join(first.text.split())[:80]}"
        hint = f"`molt review resolve {one.number} --prefer`, `--keep-both` or `--ask`"
        raise errors.NeedsAnswer(said, hint)


def place_proposal(ws: Workspace, tree: Tree, one: Proposal, settled: Acceptance) -> Placed:
    """The edits that put a proposal into its store. Raises what `stores.place_text` raises."""
    route = route_proposal(tree, one, settled, ws.repo.cache)
    likeness = stores.Likeness(ws.config.graph_similarity, ws.config.graph_ask)
    made = supersede.place_text(tree, route, settled.now, likeness=likeness, cache=ws.repo.cache)
    return admit.admit_text(ws, tree, route, made, settled.now)


def route_proposal(
    tree: Tree, one: Proposal, settled: Acceptance, cache: Cache | None = None
) -> Route:
    """Where a proposal goes, in the words that were proposed."""
    said = provenance.tell_provenance(name_writer(one))
    store = settled.store or one.store
    confidence = "low" if settled.way == KEEP_BOTH else one.confidence
    route = routing.route_text(one.content, said=said, store=store, confidence=confidence)
    # These are the words that were proposed: what an engine would keep of them is another text.
    route = route.replace(text=one.content, engine="review", core_update=False)
    stored = next((found for found in settled.against if found.id.startswith("entity:")), None)
    if store == "semantic":
        route = route.replace(entity=_name_subject(tree, one, route, stored, cache))
        if stored and settled.way == PREFER:
            route = route.replace(supersedes=stored.text)
    if settled.way == KEEP_BOTH and settled.against:
        other = settled.against[0]
        # An episode names a memory, a fact says the words: both may stand in one file.
        route = route.replace(contradicts=other.text if store == "semantic" else other.id)
    return route


def _name_subject(
    tree: Tree, one: Proposal, route: Route, stored: Contradiction | None, cache: Cache | None
) -> str:
    """The entity (`=STEM` for one that is there, else `TYPE:LABEL`) that a fact is about."""
    if stored:
        return f"={stored.id.removeprefix('entity:')}"
    known = conflicts.find_subjects(tree, one, cache)
    if known:
        return f"={known[0]}"
    if one.entities:
        kind, _, name = one.entities[0].partition("--")
        return f"{kind}:{name.replace('-', ' ')}"
    return route.entity


def refresh_marks(tree: Tree, edits: Edits, ws: Workspace) -> Edits:
    """The edits with the marks of what still waits as they are true now."""
    over = Overlay(tree, edits)
    text = read_strict(over, paths.PROPOSALS)
    for one in proposals.list_pending(text):
        if one.flag.startswith(proposals.CONFLICT):
            flag = conflicts.mark_conflict(over, one, ws.repo.cache)
            text = proposals.revise_proposal(text, key_of(one), flag=flag)
    return {**edits, paths.PROPOSALS: text.encode()}


def key_of(one: Proposal) -> str:
    return one.id or f"#{one.number}"


def render_acceptance(ws: Workspace, tree: Tree, edits: Edits, decided: Decided, actor: str) -> str:
    one = decided.proposals[0]
    changed = [path for path, data in edits.items() if data != tree.read(path)]
    file = next((path for path in decided.paths if path in changed), paths.PROPOSALS)
    decider = ws.actor
    # What a trusted agent writes by itself, nobody has decided on.
    approval = "approved" if decider == "manual" else "auto"
    trailers = [("Memory-Id", name) for name in decided.memories]
    trailers += [("Proposal", key_of(each)) for each in decided.proposals]
    # The list, which said it, no longer does.
    whys = dict.fromkeys(" ".join(each.trigger.split())[:200] for each in decided.proposals)
    trailers += [(messages.BECAUSE, why) for why in whys if why not in ("", proposing.DETECTED)]
    trailers += [("Origin", "sub-agent"), (messages.DECIDED, decider)]
    by = messages.Provenance(actor, approval, "molt review", trailers)
    said = f"accepted #{one.number} {' '.join(one.content.split())[:60]}"
    return messages.render("COMMIT", file, said, by, body=_quote(decided.proposals))


def tell_decision(decider: str, found: Sequence[Proposal], approval: str) -> messages.Provenance:
    trailers = [("Proposal", key_of(one)) for one in found]
    return messages.Provenance(decider, approval, "molt review", trailers)


def _quote(found: Sequence[Proposal]) -> str:
    """What was decided on, for the log: the list no longer has it."""
    return "\n".join(
        f"Proposal {one.number} from {one.agent or 'nobody'}: {' '.join(one.content.split())[:200]}"
        for one in found
    )
