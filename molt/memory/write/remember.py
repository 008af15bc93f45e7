"""One memory is written: routed, put into its file, and committed."""

from __future__ import annotations

from contextlib import suppress

from molt import errors
from molt.formats import message as messages
from molt.memory.decay import accesses
from molt.memory.write import stores
from molt.repo.write.plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from molt.memory.workspace import Workspace
    from molt.memory.write.route import Route
    from molt.memory.write.stores import Placed
    from molt.repo.write.transaction import Written
    from molt.trees import Tree


def remember_text(
    ws: Workspace, route: Route, now: datetime, *, dry_run: bool = False
) -> Written[Placed]:
    """Commit a text where its route says; gives where it was placed as well.

    Raises what `stores.place_text` and `Workspace.commit` raise.
    """

    def make_change(tree: Tree) -> Change[Placed]:
        likeness = stores.Likeness(ws.config.graph_similarity, ws.config.graph_ask)
        made = stores.place_text(tree, route, now, likeness=likeness, cache=ws.repo.cache)
        named = [("Memory-Id", one) for one in (made.id, *made.related)]
        text = messages.render(
            made.action,
            made.path,
            " ".join(route.text.split())[:60],
            messages.Provenance(
                ws.actor,
                approval="auto",
                trigger="molt remember",
                trailers=(*named, ("Route-Engine", "rules")),
            ),
        )
        return Change(made.edits, text, made)

    done = ws.commit(make_change, dry_run=dry_run, now=now.timestamp())
    if done.oid and route.store == "semantic" and done.made.action != "CREATE":
        # Who writes of a thing has it in mind.
        with suppress(errors.Failed):
            accesses.record(ws.repo, (done.made.id,), now.timestamp())
    return done
