"""The block that a host loads at the start of a session."""

from __future__ import annotations

from molt import tokens, trees
from molt.formats import episodes, lines, paths, proposals, scopes
from molt.memory import alerts as alarms
from molt.memory import forgotten, inventory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from molt.formats.scopes import View
    from molt.memory.workspace import Workspace
    from molt.trees import Tree


def build_context(
    ws: Workspace, now: datetime, *, max_tokens: int = 6000, view: View = scopes.ALL
) -> str:
    """Core memory, alerts, the episodes of today and yesterday, what is pending.

    Of that what a `view` shows; alerts and proposals are nobody's but the owner's. In that order,
    as far as `max_tokens` surely goes: the first part that may not fit is cut at a line, and the
    rest is left out. `now` carries the workspace's zone.
    """
    left = max_tokens
    kept: list[str] = []
    gone = forgotten.list_forgotten(ws.head(), ws.repo.cache)
    over = _list_expired(ws.files(), now)
    tree = forgotten.veil_tree(ws.files(), gone | over, keep_lines=False)
    for part in _list_parts(ws, tree, now, view):
        cost = tokens.at_most(part)
        if cost > left:
            kept += _cut_part(part, left)
            break
        kept.append(part)
        left -= cost
    return "\n".join(kept)


def tell_hidden_core(ws: Workspace) -> str:
    """Why core memory is not shown to an audience, and what would show it."""
    return f"MEMORY.md is left out: it is for {ws.config.scope_core} (scope.core in molt.yaml)"


def _list_expired(tree: Tree, now: datetime) -> frozenset[str]:
    """The entries of today and yesterday that hold no longer."""
    from datetime import timedelta

    days = (now, now - timedelta(days=1))
    dates = [day.strftime("%Y-%m-%d") for day in days]
    places = [f"{folder}{date}.md" for date in dates for folder in (paths.EPISODES, "memory/")]
    told = (pair for path in places for pair in inventory.list_file(tree, path))
    second = now.timestamp()
    return frozenset(name for name, one in told if one.until is not None and one.until <= second)


def _cut_part(part: str, left: int) -> list[str]:
    """The first lines of a part that fit, and a word that there was more."""
    more = "… (cut; `molt get` reads the rest)\n"
    left -= tokens.at_most(more)
    rows: list[str] = []
    for row in lines.split_lines(part):
        left -= tokens.at_most(row)
        if left < 0:
            break
        rows.append(row)
    return ["".join(rows) + more] if rows else []


def _list_parts(ws: Workspace, tree: Tree, now: datetime, view: View) -> Iterator[str]:
    from datetime import timedelta

    owner = not view.hidden
    core = "" if "core" in view.hidden else trees.read_strict(tree, paths.CORE)
    if core:
        yield core
    told = alarms.list_alerts(ws) if owner else ()
    alerts = [f"- {one.file}: {one.summary} (`{one.look}`)" for one in told]
    if alerts:
        yield "\n".join(("## Alerts", "", *alerts, ""))
    for day in (now, now - timedelta(days=1)):
        date = day.strftime("%Y-%m-%d")
        for path in (f"{paths.EPISODES}{date}.md", f"memory/{date}.md"):
            text = _show_day(trees.read_strict(tree, path), view)
            if text:
                # What another clone wrote stands behind what was there.
                yield episodes.sort_entries(text)
    waiting = [
        f"- #{one.number} from {one.agent}: {one.content} {one.flag}".rstrip()
        for one in proposals.list_pending(trees.read_strict(tree, paths.PROPOSALS) if owner else "")
    ]
    if waiting:
        yield "\n".join(("## Pending proposals", "", *waiting, ""))


def _show_day(text: str, view: View) -> str:
    """A day's log without the entries that are not to be seen."""
    if not view.scopes:
        return text
    entries = episodes.parse(text)
    rows = lines.split_lines(text)
    starts = [one.start for one in entries]
    whole = scopes.read_note(text)
    seen = [view.shows(scopes.read_scope(one.fields) or whole) for one in entries]
    # What stands above the entries, or is all that there is, is for whom the whole note is.
    starts, seen = [1, *starts], [view.shows(whole), *seen]
    ends = [*(start - 1 for start in starts[1:]), len(rows)]
    parts = (
        "".join(rows[start - 1 : end])
        for start, end, shown in zip(starts, ends, seen, strict=True)
        if shown
    )
    return "".join(parts)
