"""The block that a host loads at the start of a session."""

from __future__ import annotations

from molt import tokens, trees
from molt.formats import bullets, episodes, lines, paths, scopes, successors
from molt.formats.meta import proposals
from molt.memory import inventory, shown
from molt.memory.critical import alerts as alarms
from molt.memory.held import quarantine, withheld
from molt.memory.proposed import open_branches
from molt.memory.visible import forgotten
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from molt.formats.scopes import View
    from molt.memory.held.withheld import Held
    from molt.memory.workspace import Workspace
    from molt.trees import Tree


class ContextRequest(Value):
    """What a context is to hold: at most so many tokens, of what a `view` shows; with a `query`
    also what that recalls; with `brief` the ids and first words instead of the memories. An alert
    is shown with so many lines of its diff; `head` is what stands before all but the alerts.
    """

    max_tokens: int = 6000
    view: View = scopes.ALL
    query: str = ""
    brief: bool = False
    diff_lines: int = alarms.SHOWN
    head: str = ""


_PLAIN = ContextRequest()
# Core memory may take so much where something else has anything to say.
_CORE = 0.75
# What the first message needs is a part of what is there to begin with.
_ASKED = 0.35
_LOGS = (paths.EPISODES, "memory/")
_LINE = 100
"""Characters of a memory in an index."""


def build_context(ws: Workspace, now: datetime, asked: ContextRequest = _PLAIN) -> str:
    """Alerts, core memory, what a query recalls, what is pending, the newest of today and of
    yesterday.

    In that order, as far as so many tokens surely go. Of core memory that is too long the bullets
    go first that matter least to the query, and then those that are used least; of the days what is
    oldest. Alerts and proposals are nobody's but the owner's. `now` carries the workspace's zone.
    """
    kept = _ContextParts(asked.max_tokens)
    gone = forgotten.list_forgotten(shown.hide_held(ws, ws.head()), ws.repo.cache)
    files = ws.files()
    over = _list_expired(files, now)
    held = quarantine.freshen_held(ws.repo)
    tree = forgotten.veil_tree(files, gone | over, keep_lines=False)
    tree = withheld.veil_tree(tree, held, keep_lines=False)
    told = "" if asked.view.hidden else quarantine.tell_held(quarantine.list_quarantined(held))
    for part in _list_alerts(ws, asked, told, held):
        kept.add_rows(part)
    if asked.head:
        kept.add_rows(asked.head)
    core = "" if "core" in asked.view.hidden else trees.read_strict(tree, paths.CORE)
    core = successors.sort_struck(core)
    pending = _list_reflections(ws, asked.view) + _list_pending(tree, asked.view)
    days = _list_days(tree, now, asked.view)
    alone = not (pending or days or asked.query)
    if asked.brief:
        kept.add_rows(index_core(core))
    elif core:
        most = kept.left if alone else int(kept.left * _CORE)
        kept.add(shorten_core(core, most, lambda: _weigh_bullets(ws, core, now, asked)))
    if asked.query:
        kept.add_rows(_recall_query(ws, now, asked, int(kept.left * _ASKED)))
    kept.add_rows(pending)
    for date, text in days:
        if asked.brief:
            kept.add_rows(index_day(date, text))
        else:
            kept.add(shorten_day(date, text, kept.left))
    return "\n".join(kept.parts)


# What looks at the index takes 60 ms to import: twice as long as a context that needs none of it.
def _weigh_bullets(
    ws: Workspace, core: str, now: datetime, asked: ContextRequest
) -> dict[str, float]:
    from molt.memory.answers import first_message

    return first_message.weigh_bullets(ws, core, now, asked.query, asked.view)


def _recall_query(ws: Workspace, now: datetime, asked: ContextRequest, most: int) -> str:
    """What a query recalls; of an index its ids and first words."""
    from molt.memory.answers import first_message

    if most < 1:
        return ""
    found = first_message.recall_query(ws, asked.query, now, asked.view, most)
    if not asked.brief:
        return found.context
    told = ((one.id, one.snippet.rpartition("\n")[2]) for one in found.results)
    rows = [f"- {name}: {_first_words(words)}" for name, words in told]
    return "\n".join(("## On the question\n", *rows, "")) if rows else ""


class _ContextParts:
    """The parts that a context has so far, and the tokens that are left."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.parts: list[str] = []

    def add(self, part: str) -> None:
        """Add a part that fits; another one is left out."""
        # What joins two parts is a token at most.
        cost = tokens.at_most(part) + 1
        if part and cost <= self.left:
            self.parts.append(part)
            self.left -= cost

    def add_rows(self, part: str) -> None:
        """Add a part, or its first lines that fit."""
        if tokens.at_most(part) + 1 > self.left:
            part = "".join(_cut_part(part, self.left - 1))
        self.add(part)


def shorten_core(text: str, most: int, weigh: Callable[[], Mapping[str, float]]) -> str:
    """Core memory in at most so many tokens: whole bullets are left out, the lightest first and of
    equals the last, and it says how many. `weigh` gives the weights by id, only where one has to
    go. Empty where nothing fits.
    """
    if tokens.at_most(text) + 1 <= most:
        return text
    rows = lines.split_lines(text)
    found = bullets.core_bullets(text)
    weights = weigh()
    costs = {one.id: tokens.at_most("".join(rows[one.start - 1 : one.end])) for one in found}
    over = tokens.at_most(text) + tokens.at_most(_tell_left_out(len(found))) + 1 - most
    gone: set[int] = set()
    count = 0
    for one in sorted(found, key=lambda one: (weights.get(one.id, 0.0), -one.start)):
        if over <= 0:
            break
        gone.update(range(one.start, one.end + 1))
        over -= costs[one.id]
        count += 1
    kept = [row for number, row in enumerate(rows, 1) if number not in gone]
    if over > 0:
        return "".join(_cut_part("".join(kept), most - 1, paths.CORE))
    return "".join(kept).rstrip("\n") + "\n" + _tell_left_out(count)


def _tell_left_out(count: int) -> str:
    return f"\n… ({count} bullets that matter less are left out; `molt get MEMORY.md` reads all)\n"


def shorten_day(date: str, text: str, most: int) -> str:
    """A day's log in at most so many tokens: the oldest entries are left out, and it says how many.
    A log without entries is cut at a line.
    """
    if tokens.at_most(text) + 1 <= most:
        return text
    rows, entries = lines.split_lines(text), episodes.parse(text)
    if not entries:
        return "".join(_cut_part(text, most - 1, date))
    head = "".join(rows[: entries[0].start - 1])
    stops = [*(one.start - 1 for one in entries[1:]), len(rows)]
    kept: list[str] = []
    more = f"… (earlier entries are left out; `molt get {date}` reads all)\n\n"
    left = most - 1 - tokens.at_most(head + more)
    for one, stop in reversed(list(zip(entries, stops, strict=True))):
        row = "".join(rows[one.start - 1 : stop])
        left -= tokens.at_most(row)
        if left < 0:
            break
        kept.insert(0, row)
    return f"{head}{more}{''.join(kept)}" if kept else ""


def index_core(text: str) -> str:
    """Core memory as an index: of each bullet its id and its first words, below its block."""
    parts: list[str] = []
    block = ""
    for one in bullets.core_bullets(text):
        if one.block != block:
            parts.append(f"## {one.block}\n")
            block = one.block
        parts.append(f"- {one.id}: {_first_words(one.text)}")
    return "\n".join((*parts, "")) if parts else ""


def index_day(date: str, text: str) -> str:
    """A day as an index, the newest entry first; of notes without entries what they begin with."""
    entries = reversed(episodes.parse(text, date))
    rows = [f"- {one.id}: {_first_words(one.text)}" for one in entries]
    if not rows:
        body = (row for row in text.split("\n") if row.strip() and not row.startswith(("#", "-")))
        rows = [f"- {date}: {_first_words(next(body, ''))}"]
    return "\n".join((f"## {date}\n", *rows, ""))


def _first_words(text: str) -> str:
    row = next((row.strip() for row in text.split("\n") if row.strip()), "")
    return row if len(row) <= _LINE else f"{row[:_LINE].rpartition(' ')[0] or row[:_LINE]} …"


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


def _cut_part(part: str, left: int, name: str = "") -> list[str]:
    """The first lines of a part that fit, and a word that there was more: of a memory that has a
    name, how to read the rest.
    """
    more = f"… (cut; `molt get {name}` reads the rest)\n" if name else "… (cut)\n"
    left -= tokens.at_most(more)
    rows: list[str] = []
    for row in lines.split_lines(part):
        left -= tokens.at_most(row)
        if left < 0:
            break
        rows.append(row)
    return ["".join(rows) + more] if rows else []


def _list_alerts(ws: Workspace, asked: ContextRequest, said: str, held: Held) -> Iterator[str]:
    told = () if asked.view.hidden else alarms.list_alerts(ws)
    alerts = [f"- {one.file}: {one.summary} (`{one.look}`)" for one in told]
    alerts += [f"- {said}"] * bool(said)
    if alerts:
        yield "\n".join(("## Alerts", "", *alerts, ""))
    for one in told if asked.diff_lines else ():
        rows = list(alarms.read_diff(ws, one, asked.diff_lines))
        if one.file in held.lines or one.file in held.blobs:
            rows = _hide_rows(rows)
        if rows:
            yield "\n".join((f"### {one.file}", "", *(f"    {row}" for row in rows), ""))


def _hide_rows(rows: Sequence[str]) -> list[str]:
    """The lines of a diff of a file of which some are held back, without any that came: one that is
    cut, or has a secret taken out, cannot be told from them.
    """
    shown = [row for row in rows if not row.startswith("+")]
    left = len(rows) - len(shown)
    return [*shown, *([f"… ({left} that came with it are held back)"] if left else [])]


def _list_days(tree: Tree, now: datetime, view: View) -> list[tuple[str, str]]:
    """The logs of today and yesterday, each with its day."""
    from datetime import timedelta

    days = [day.strftime("%Y-%m-%d") for day in (now, now - timedelta(days=1))]
    places = [(date, f"{folder}{date}.md") for date in days for folder in _LOGS]
    texts = [(date, path, trees.read_strict(tree, path)) for date, path in places]
    known = {
        one.old: one.new
        for path, text in (
            (paths.CORE, trees.read_strict(tree, paths.CORE)),
            *((path, text) for _, path, text in texts),
        )
        for one in successors.list_successors(path, text)
    }
    found: list[tuple[str, str]] = []
    for date, _, whole in texts:
        if text := _show_day(whole, view):
            # What another clone wrote stands behind what was there.
            found.append((date, successors.mark_entries(episodes.sort_entries(text), date, known)))
    return found


def _list_reflections(ws: Workspace, view: View) -> str:
    """The reflections that await a person."""
    found = () if view.hidden else open_branches.list_open(ws.repo)
    rows = [f"- {one.id}: `molt reflect show {one.id}`; the user approves it" for one in found]
    return "\n".join(("## Pending reflections", "", *rows, "\n")) if rows else ""


def _list_pending(tree: Tree, view: View) -> str:
    text = "" if view.hidden else trees.read_strict(tree, paths.PROPOSALS)
    waiting = [
        f"- #{one.number} from {one.agent}: {one.content} {one.flag}".rstrip()
        for one in proposals.list_pending(text)
    ]
    return "\n".join(("## Pending proposals", "", *waiting, "")) if waiting else ""


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
