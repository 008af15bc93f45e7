"""What a person wants gone is put away in one commit, or removed from the files."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import tombstones
from molt.formats.prose import sayings
from molt.memory import inventory
from molt.memory.decay import accesses, fold
from molt.memory.decay.known import KnownScores
from molt.memory.forget import elsewhere, erase, matches
from molt.memory.provenance import audit_lines
from molt.memory.visible import books
from molt.repo.write.plan import Change
from molt.trees import Overlay
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from molt.formats.message import Provenance
    from molt.formats.prose.sayings import Saying
    from molt.memory.forget.matches import Match, Seen, Wanted
    from molt.memory.forget.said_files import Cache
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Edits, Tree

_SALT_BYTES = 16
"""128 bits: nobody has hashed the words of people with all of them beforehand."""


class Forgotten(Value):
    """What was forgotten, and what was left to a person; `values` are the words that are gone,
    `asked` those by which they were found.
    """

    done: tuple[Match, ...]
    left: tuple[Match, ...]
    values: tuple[str, ...] = ()
    asked: str = ""


class ForgetOptions(Value):
    """How it is forgotten: for good, or only shown; and what asked for it."""

    permanently: bool = False
    dry_run: bool = False
    trigger: str = "molt forget"


def require_asker(ws: Workspace, options: ForgetOptions) -> str:
    """Who asks. Raises Refused for who may not forget: a bot does in a person's name only, and so
    that a person can bring it back.
    """
    actor = matches.find_actor(ws)
    if actor not in ("manual", messages.FORGETTER):
        hint = f"a person does, or `--actor {messages.FORGETTER}` once a person has said yes"
        raise errors.Refused(f"{actor} does not forget", hint)
    if options.permanently and actor != "manual":
        hint = (
            "a person does: `molt --actor manual forget --permanently`; without it, it is put away"
        )
        raise errors.Refused(f"{actor} removes nothing for good", hint)
    return actor


def forget_matches(
    ws: Workspace,
    wanted: Wanted,
    now: datetime,
    options: ForgetOptions,
    seen: Seen | None = None,
) -> Written[Forgotten]:
    """Forget what is wanted, all of it in one commit; what was `seen` is what `find_all` noted.

    Raises NotFound where nothing says it, Refused for who may not, and what a commit does.
    """
    actor = require_asker(ws, options)
    date, salt = now.strftime("%Y-%m-%d"), _draw_salt()
    noted = {} if seen is None else seen

    def make_change(tree: Tree) -> Change[Forgotten]:
        found = find_all(ws, tree, wanted, options, noted)
        require_matches(wanted, found)
        done = tuple(one for one in found if not one.left)
        left = tuple(one for one in found if one.left)
        chosen = frozenset(one.id for one in done)
        files = dict.fromkeys(one.path for one in done)
        said = [one for one in matches.list_sayings(tree, files) if one.id in chosen]
        edits = cut_files(tree, said, options.permanently)
        edits |= score_gone(ws.repo.cache, tree, said, options.permanently)
        gone = elsewhere.make_line_test(wanted, done) if options.permanently else None
        edits |= books.clean_books(Overlay(tree, edits), gone) if gone else {}
        values = (*(one.value for one in said), *((wanted.text,) if _is_value(wanted) else ()))
        edits[paths.TOMBSTONES] = bury(tree, values, date, salt)
        made = Forgotten(done, left, values, wanted.text)
        told = erase.find_telling(ws.repo, values, gone) if options.permanently else ()
        by = messages.Provenance(actor, "approved", options.trigger, _list_trailers(made, told))
        return Change(edits, _render(edits, made, options, by), made)

    if options.permanently and not options.dry_run:
        # A use that waits would give what is gone a score again.
        gone = matches.find_matches(ws, ws.head(), wanted, permanently=True, seen=noted)
        accesses.drop_memories(ws.repo, [one.id for one in gone if not one.left])
    return ws.commit(make_change, dry_run=options.dry_run, actor=actor, now=now.timestamp())


def find_all(
    ws: Workspace, tree: Tree, wanted: Wanted, options: ForgetOptions, seen: Seen
) -> tuple[Match, ...]:
    """All of a tree that is to be forgotten: memories, and for good molt's own books too. What
    says it in each file is noted in `seen`.
    """
    for_good = options.permanently
    found = matches.find_matches(ws, tree, wanted, permanently=for_good, seen=seen)
    return (*found, *elsewhere.find_books(tree, wanted, found)) if for_good else found


def _list_memories(done: Iterable[Match]) -> list[str]:
    return [one.id for one in done if one.kind != elsewhere.BOOK]


def require_matches(wanted: Wanted, found: tuple[Match, ...], elsewhere: str = "") -> None:
    """Raises NotFound where nothing was found, which says where it stands `elsewhere`; Refused
    where all of it is left to people.
    """
    if not found:
        what, hint = _explain_nothing(wanted)
        raise errors.NotFound(what, elsewhere or hint)
    if all(one.left for one in found):
        raise errors.Refused("nothing is forgotten", f"{found[0].id}: {found[0].effect}")


def _explain_nothing(wanted: Wanted) -> tuple[str, str]:
    """That nothing is what is wanted, and where to look for what is."""
    came = {"session": wanted.session, "actor": wanted.by, "import": wanted.brought}
    whence = " and ".join(f"{what} {name[:60]!r}" for what, name in came.items() if name)
    shown = wanted.text or ", ".join(wanted.ids)
    if not whence:
        return f"nothing says {shown[:60]!r}", "`molt search` finds what is near"
    what = f"that says {shown[:60]!r} " if shown else ""
    asked = "--action IMPORT " if wanted.brought else ""
    return f"nothing {what}came from {whence}", f"`molt log {asked}--limit 20` tells what there is"


def erase_copies(ws: Workspace, done: Written[Forgotten]) -> tuple[str, ...]:
    """Remove what was forgotten for good from what the clone derives; gives what still has it."""
    named = _list_memories(done.made.done)
    erase.erase_note(ws.repo)
    return erase.erase_copies(ws, done.made.values, named, asked=done.made.asked)


def _is_value(wanted: Wanted) -> bool:
    """Whether what was asked for is a statement of its own, and no name or id."""
    made = tombstones.make_tombstone(wanted.text, "1970-01-01", "00")
    named = wanted.ids or sayings.has_sayings(wanted.text)
    return made is not None and made.within and not named


def cut_files(tree: Tree, said: Iterable[Saying], permanently: bool) -> Edits:
    """The files without what is taken out of them; a note goes that has nothing left."""
    by_path: dict[str, list[Saying]] = {}
    for one in said:
        by_path.setdefault(one.path, []).append(one)
    edits: Edits = {}
    for path, some in by_path.items():
        if permanently and any(one.kind == sayings.NOTE for one in some):
            edits[path] = None
            continue
        cut = [one for one in some if permanently or one.kind not in sayings.WHOLE]
        if cut:
            text = sayings.cut_sayings(trees.read_strict(tree, path), cut)
            edits[path] = text.encode() if sayings.is_left(path, text) else None
    return edits


def score_gone(cache: Cache, tree: Tree, said: Iterable[Saying], permanently: bool) -> Edits:
    """The scores without those of what is gone for good, or saying that it was put away."""
    scores = KnownScores(tree, cache)
    names = [one.id for one in said if one.kind in (*sayings.WHOLE, sayings.BULLET)]
    put_away = {} if permanently else _put_away(tree, scores.find(names), names)
    text = scores.edit({**dict.fromkeys(names), **put_away})
    return {} if text == scores.text else {paths.SCORES: text.encode()}


def _put_away(tree: Tree, known: fold.Entries, names: list[str]) -> fold.Entries:
    """The entries that say that memories were forgotten."""
    origins = inventory.find_origins(tree, names)
    gone = {"current_score": 0.0, "status": "archived", "pinned": False}
    return {
        name: {**(known.get(name) or fold.make_entry(name, origins[name])), **gone}
        for name in names
    }


def _draw_salt() -> str:
    """The salt of a workspace that has none: drawn once a call, for a write may be made again."""
    from os import urandom

    return urandom(_SALT_BYTES).hex()


def bury(tree: Tree, values: Iterable[str], date: str, fresh: str) -> bytes:
    """The tombstones with those of some values more; the first of all have the salt `fresh`."""
    before = trees.read_strict(tree, paths.TOMBSTONES)
    known = tombstones.parse_tombstones(before)
    salt = known[0].salt if known else fresh
    made = (tombstones.make_tombstone(value, date, salt) for value in values)
    return tombstones.add_tombstones(before, filter(None, made)).encode()


def _list_trailers(made: Forgotten, told: Iterable[str]) -> list[tuple[str, str]]:
    named = [("Memory-Id", one) for one in _list_memories(made.done)]
    return named + [(audit_lines.HUSHES, oid) for oid in told]


def _render(edits: Edits, made: Forgotten, options: ForgetOptions, by: Provenance) -> str:
    held = len(_list_memories(made.done))
    count = f"{held:,} memor{'y' if held == 1 else 'ies'}" if held else "what books told,"
    said = f"{count} forgotten{' for good' if options.permanently else ''}"
    action = "DELETE" if options.permanently else "ARCHIVE"
    return messages.render(action, name_files(edits), said, by)


def name_files(edits: Iterable[str]) -> str:
    """What a subject calls files that change: the one that is no bookkeeping, or all."""
    books = (paths.SCORES, paths.TOMBSTONES)
    every = [path for path in edits if path not in books] or [paths.SCORES]
    return every[0] if len(every) == 1 else "*"
