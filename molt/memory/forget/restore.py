"""What was forgotten comes back: its score at once, its words from the commit before."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import merge, paths
from molt.formats import message as messages
from molt.formats.meta import scores as score_file
from molt.formats.meta import tombstones
from molt.formats.prose import sayings
from molt.memory import workspace
from molt.memory.decay import fold
from molt.memory.decay.known import KnownScores
from molt.memory.forget import forget, matches
from molt.memory.provenance import audit, mentions
from molt.memory.visible import forgotten
from molt.repo.write.plan import Change
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.formats.prose.sayings import Saying
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree


_SHOWN = 100
"""Characters of what was put away on a line that a person reads."""


class Restorable(Value):
    """What was put away and is still in its file; its words for a person alone."""

    id: str
    text: str = ""


class Restored(Value):
    """The memories that are back."""

    ids: tuple[str, ...]


def list_restorable(ws: Workspace) -> tuple[Restorable, ...]:
    """What was put away, by id: what is still in its file, and what history alone has. A bot is
    not told what it said.
    """
    tree = ws.head()
    known = forgotten.list_forgotten(tree, ws.repo.cache)
    texts = {one.id: one.text for one in matches.list_sayings(tree, forgotten.find_places(known))}
    texts = {one: texts.get(one, "") for one in known} | _list_cut(ws, tree)
    if matches.find_actor(ws) != "manual":
        return tuple(map(Restorable, sorted(texts)))
    return tuple(Restorable(one, " ".join(texts[one].split())[:_SHOWN]) for one in sorted(texts))


def _list_cut(ws: Workspace, tree: Tree) -> dict[str, str]:
    """What was taken out of a file that goes on, and nothing has brought back: its words before."""
    found: dict[str, str] = {}
    settled: set[str] = set()
    # Each forgetting and each restoring changes the tombstones.
    asked = ("--full-diff", "HEAD", "--", f":(top,literal){paths.TOMBSTONES}")
    for commit in ws.repo.log_newest(*asked) if tree.entry(paths.TOMBSTONES) else ():
        message = messages.parse(commit.message)
        named = {one for one in messages.trailer_values(message, "Memory-Id") if one not in settled}
        settled |= named
        if not named or message.action != "ARCHIVE" or not commit.parents:
            continue
        changed = [path for _, path in commit.paths]
        there = {one.id for one in matches.list_sayings(tree, changed)}
        before = matches.list_sayings(ws.repo.tree(commit.parents[0]), changed)
        found |= {one.id: one.text for one in before if one.id in named - there}
    return found


def restore_memories(
    ws: Workspace, ids: Sequence[str], now: float, *, dry_run: bool = False
) -> Written[Restored]:
    """Bring memories back, all of them in one commit.

    Raises NotFound for one that was not forgotten, or that history no longer has; Refused for who
    is no person.
    """
    actor = workspace.require_person(ws, "bring back what was forgotten")
    wanted = tuple(dict.fromkeys(ids))

    def make_change(tree: Tree) -> Change[Restored]:
        edits: Edits = {}
        scores = KnownScores(tree, ws.repo.cache)
        hidden = {
            one: fold.revive_entry(entry, now)
            for one, entry in scores.find(wanted).items()
            if score_file.is_forgotten(entry)
        }
        if hidden:
            edits[paths.SCORES] = scores.edit(hidden).encode()
        values: list[str] = []
        for one in wanted:
            after = Overlay(tree, edits)
            there = _find_saying(after, one) if one in hidden else None
            values.append(there.value if there else _restore_text(ws, after, edits, one))
        before = trees.read_strict(tree, paths.TOMBSTONES)
        known = tombstones.Graveyard(tombstones.parse_tombstones(before))
        gone = [stone for value in values for stone in known.find_said(value)]
        if gone:
            edits[paths.TOMBSTONES] = tombstones.remove_tombstones(before, gone).encode()
        return Change(edits, _render(actor, edits, wanted), Restored(wanted))

    return ws.commit(make_change, dry_run=dry_run, actor=actor, now=now)


def _restore_text(ws: Workspace, tree: Tree, edits: Edits, memory: str) -> str:
    """Add the edits that bring back what was cut out of its file; gives its words."""
    before, saying, gone = _find_past(ws, memory)
    path = saying.path
    now = trees.read_strict(tree, path)
    there = {one.id for one in sayings.parse_sayings(path, now)}
    away = [one for one in gone if one.id not in there]
    if now in ("", sayings.cut_sayings(before, away)):
        # As forgetting left it: what went with it stays away until it is asked for.
        others = [one for one in away if one.id != memory]
        edits[path] = sayings.cut_sayings(before, others).encode()
        return saying.value
    found = merge.merge(path, sayings.cut_sayings(before, (saying,)), now, before)
    if found.conflicts:
        hint = f"`git log -p -- {path}` shows it"
        raise errors.Failed(f"{path} has changed too much to put {memory} back", hint)
    edits[path] = found.text.encode()
    return saying.value


def _find_saying(tree: Tree, memory: str) -> Saying | None:
    places = forgotten.find_places((memory,))
    return next((one for one in matches.list_sayings(tree, places) if one.id == memory), None)


def _find_past(ws: Workspace, memory: str) -> tuple[str, Saying, list[Saying]]:
    """The text of its file and the saying itself, as they were before it was forgotten last, and
    all that was forgotten of the file then.

    Raises NotFound where history does not tell.
    """
    audit.freshen_log(ws.repo)
    for oid in reversed(mentions.find_commits(ws.repo, (f"{memory}\t",))):
        (commit,) = ws.repo.log_newest("-1", oid, "--")
        message = messages.parse(commit.message)
        if message.action != "ARCHIVE" or not commit.parents:
            continue
        before = ws.repo.tree(commit.parents[0])
        changed = [path for _, path in commit.paths]
        every = list(matches.list_sayings(before, changed))
        for one in every:
            if one.id == memory:
                named = messages.trailer_values(message, "Memory-Id")
                gone = [other for other in every if other.path == one.path and other.id in named]
                return trees.read_strict(before, one.path), one, gone
    hint = "`molt restore` without an id lists what can be"
    raise errors.NotFound(f"{memory!r} was not forgotten, or history no longer has it", hint)


def _render(actor: str, edits: Edits, ids: Sequence[str]) -> str:
    by = messages.Provenance(actor, "approved", "molt restore", [("Memory-Id", one) for one in ids])
    count = f"{len(ids):,} memor{'y' if len(ids) == 1 else 'ies'} back"
    return messages.render("RESTORE", forget.name_files(edits), count, by)
