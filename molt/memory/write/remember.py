"""One memory is written: put into its file by a route, and committed."""

from __future__ import annotations

from contextlib import suppress

from molt import errors, trees
from molt.formats import message as messages
from molt.formats import paths
from molt.memory.decay import accesses
from molt.memory.write import admit, stores
from molt.policy import allowed, secrets
from molt.repo.write.plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from molt.config import Config
    from molt.memory.workspace import Workspace
    from molt.memory.write.route import Route
    from molt.memory.write.stores import Placed
    from molt.repo.write.transaction import Written
    from molt.trees import Tree


MOST_QUOTED = 600
"""Characters of a person's words that a commit quotes; longer ones are the memory themselves."""


def remember_text(
    ws: Workspace, route: Route, now: datetime, *, dry_run: bool = False
) -> Written[Placed]:
    """Commit a text where its route says; gives where it was placed as well. What is there
    already is not written again: that it was said counts as a use.

    Raises what `stores.place_text` and `Workspace.commit` raise.
    """

    def make_change(tree: Tree) -> Change[Placed]:
        made = _place_text(ws, tree, route, now)
        made = admit.admit_text(ws, tree, route, made, now)
        named = [("Memory-Id", one) for one in (made.id, *made.related)]
        named += [(messages.SUPERSEDES, made.superseded)] * bool(made.superseded)
        text = messages.render(
            made.action,
            _choose_file(tree, made),
            _summarize(route.text),
            messages.Provenance(
                ws.actor,
                approval="auto",
                trigger=_quote_words(route),
                trailers=(*named, ("Route-Engine", route.engine), ("Origin", route.origin)),
            ),
        )
        return Change(made.edits, text, made)

    done = ws.commit(make_change, dry_run=dry_run, now=now.timestamp())
    made = done.made
    used: list[str] = []
    if (made.again and not dry_run) or (
        done.oid and route.store == "semantic" and made.action != "CREATE"
    ):
        # Who writes of a thing has it in mind.
        used.append(made.id)
    if not dry_run:
        used += _list_cited(ws, f"{route.text} {route.words}", made.id)
    if used:
        with suppress(errors.Failed):
            accesses.record(ws.repo, used, now.timestamp())
    return done


def _list_cited(ws: Workspace, text: str, own: str) -> list[str]:
    """The memories that a text names by their ids or links, but the one that it became."""
    if "--" not in text and ":" not in text:
        return []
    from molt.memory import refs

    return [one for one in refs.list_named(ws.head(), text) if one != own]


def _quote_words(route: Route) -> str:
    """What made an actor write a memory, with the person's words where the memory has others."""
    if not route.words:
        return route.trigger
    may_tell = secrets.may_contain_secret(route.words)
    words = secrets.redact(route.words) if may_tell else route.words
    quoted = '"' + " ".join(words.replace(allowed.MARK, "").split()).replace('"', "'") + '"'
    said = route.trigger.startswith("user said ")
    return f"user said {quoted}" if said else f"{route.trigger}: {quoted}"


def _summarize(text: str) -> str:
    """What the subject says of a text: its beginning, without what is no subject's to tell."""
    if secrets.may_contain_secret(text):
        text = secrets.redact(text).replace(allowed.MARK, "")
    return " ".join(text.split())[:60]


def _place_text(ws: Workspace, tree: Tree, route: Route, now: datetime) -> Placed:
    likeness = stores.Likeness(ws.config.graph_similarity, ws.config.graph_ask)
    if not route.supersedes:
        return stores.place_text(tree, route, now, likeness=likeness, cache=ws.repo.cache)
    # Few texts supersede anything, and what finds it is a tenth of a write's modules.
    from molt.memory.write import supersede

    return supersede.place_text(tree, route, now, likeness=likeness, cache=ws.repo.cache)


def _choose_file(tree: Tree, made: Placed) -> str:
    """The file that the subject names: the memory's own, or where that says it already, as of a
    fact that gets a relation of another entity, the first one that changes.
    """
    changed = [path for path, data in made.edits.items() if data != tree.read(path)]
    return made.path if made.path in changed or not changed else changed[0]


def avoid_full_core(ws: Workspace, route: Route, *, named: bool) -> Route:
    """The route to core memory, if there is room or it was `named`; else one to an episode, or
    one that leaves core memory as it is.

    A token has at least a byte, so most core memories need not be counted.
    """
    if named or not (route.store == "core" or route.core_update):
        return route
    if route.supersedes.startswith("core:"):
        # It takes the place of another bullet.
        return route
    before = trees.read_text(ws.head(), paths.CORE)
    if _fits(f"{before}- {route.text}\n", ws.config):
        return route
    kept = "kept as an episode" if route.store == "core" else "not in core memory as well"
    note = f"{kept}: core memory has no room (`molt core show` says what takes it)"
    store = "episodic" if route.store == "core" else route.store
    return route.replace(store=store, core_update=False, note=note)


def _fits(text: str, config: Config) -> bool:
    if len(text.encode()) <= config.core_cap:
        return True
    from molt import tokens

    return tokens.count_tokens(text, config.core_encoding) <= config.core_cap
