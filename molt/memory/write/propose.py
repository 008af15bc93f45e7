"""What sub-agents propose: appended for the main agent or a person to decide."""

from __future__ import annotations

from molt import errors
from molt.formats import ids, lines, paths
from molt.formats import message as messages
from molt.formats.meta import proposals
from molt.memory.engines.verdict import NONE
from molt.memory.write import conflicts
from molt.memory.write import route as routing
from molt.repo.write.plan import Change
from molt.trees import read_strict
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from molt.formats.meta.proposals import Proposal
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree

DETECTED = "auto-detect"
"""Why something is proposed of which nobody says why."""


class Proposed(Value):
    """A proposal as it was appended, with its number and id, and the transaction that did it."""

    proposal: Proposal
    done: Written[Proposal]


def parse_author(actor: str) -> str:
    """The name of the sub-agent that acts. Raises Usage where the actor is none."""
    kind, _, name = actor.partition(":")
    if kind == "subagent" and messages.is_valid_actor(actor):
        return name
    raise errors.Usage(
        f"{actor} does not propose: only a sub-agent does, under its name",
        "--actor subagent:NAME, or MOLT_ACTOR, or `git config molt.actor subagent:NAME`",
    )


class Suggestion(Value):
    """What a sub-agent says of a text that it proposes; an entity is a file's name, an id, or
    TYPE:LABEL. What is left empty, the text decides.
    """

    store: str = ""
    entities: Sequence[str] = ()
    confidence: str = ""
    trigger: str = ""
    core_worthy: bool = False


def draft(text: str, said: Suggestion) -> Proposal:
    """A proposal of a text, without author, time and number yet.

    Raises Usage for what cannot be remembered, or not in that store.
    """
    text = routing.check_text(text)
    # The store that the text would go to if it were remembered right away.
    store = said.store or ("semantic" if said.entities else "")
    route = routing.route_text(text, store=store)
    if route.store == NONE:
        # A sub-agent has thought about it; whoever reviews decides.
        route = route.replace(store="episodic")
    if said.confidence and said.confidence not in proposals.CONFIDENCES:
        hint = f"one of {', '.join(proposals.CONFIDENCES)}"
        raise errors.Usage(f"no confidence {said.confidence!r}", hint)
    return proposals.Proposal(
        "",
        lines.one_line(route.text).strip(),
        trigger=said.trigger or DETECTED,
        store=route.store,
        entities=tuple(map(_parse_stem, said.entities)),
        confidence=said.confidence or "medium",
        core_worthy=said.core_worthy,
    )


def _parse_stem(text: str) -> str:
    name = text.removeprefix("entity:").strip()
    kind, colon, label = name.partition(":")
    if colon and kind.strip() and label.strip():
        return f"{ids.slug(kind)}--{ids.slug(label)}"
    kind, dashes, label = name.partition("--")
    if dashes and name == f"{ids.slug(kind)}--{ids.slug(label)}":
        return name
    raise errors.Usage(f"{text!r} is no entity", 'such as person--ada, or tool:"Git"')


def propose(ws: Workspace, one: Proposal, now: datetime, *, dry_run: bool = False) -> Proposed:
    """Append a draft to pending-memories.md, in the name of the sub-agent that acts.

    Numbers and ids are given inside the transaction, so that no two proposals share one.
    Raises Usage where no sub-agent acts, and what `Workspace.commit` raises.
    """
    from datetime import UTC

    stamp = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    signed = one.replace(agent=parse_author(ws.actor), timestamp=stamp)

    def make_change(tree: Tree) -> Change[Proposal]:
        before = read_strict(tree, paths.PROPOSALS)
        numbered = signed.replace(
            flag=conflicts.mark_conflict(tree, signed, ws.repo.cache),
            number=_choose_number(ws, before),
        )
        after = proposals.append_proposal(before or None, numbered)
        made = proposals.parse_proposals(after)[-1]
        edits = {paths.PROPOSALS: after.encode()}
        return Change(edits, _render_message(ws.actor, made), made)

    done = ws.commit(make_change, dry_run=dry_run)
    return Proposed(done.made, done)


def _render_message(actor: str, one: Proposal) -> str:
    return messages.render(
        "PROPOSE",
        paths.PROPOSALS,
        f"#{one.number} {one.content[:60]}",
        messages.Provenance(
            actor=actor,
            approval="pending",
            trigger="molt propose",
            trailers=(("Proposal", one.id),),
        ),
    )


def _choose_number(ws: Workspace, text: str) -> int:
    """A number that neither a text nor the file on disk has, where some may be uncommitted."""
    texts = (text, read_strict(ws.files(), paths.PROPOSALS))
    return 1 + max(
        (one.number for each in texts for one in proposals.parse_proposals(each)), default=0
    )
