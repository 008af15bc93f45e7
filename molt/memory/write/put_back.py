"""A person's own memories, put back where they were from an export of molt's."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import bullets, episodes, lines, paths
from molt.formats import message as messages
from molt.memory.visible import unsaid
from molt.policy import names, secrets
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from molt.memory.workspace import Workspace
    from molt.trees import Edits, Tree

_KINDS = ("core", "episode", "entity", "relations", "procedure", "vault", "prose")
_META = "memory/meta/"


def holds_memories(path: str) -> bool:
    """Whether a file is one that an export takes along and puts back: memories, and no books."""
    return paths.kind_of(path) in _KINDS and not path.startswith(_META)


class PutBack(Value):
    """What was put back: the files that are new or changed, and those that stay as they are here,
    with why. What is the same already is in neither.
    """

    source: str
    paths: tuple[str, ...]
    kept: tuple[tuple[str, str], ...]
    commit: str | None
    left: str = ""


def put_back(
    ws: Workspace,
    source: str,
    notes: Mapping[str, tuple[str, str]],
    *,
    dry_run: bool = False,
    now: datetime,
) -> PutBack:
    """Put notes, each a text and the digest of what it was when it was exported (empty where nobody
    knows), back to their paths, in one commit. What changed there alone is taken; what changed
    here alone stays; what changed on both sides stays and is told. Bullets and entries that are
    not here are added.

    Raises Refused where no person does it, for it goes into every store as it is, and what the
    transaction raises.
    """
    if ws.actor != "manual":
        said = f"{ws.actor} cannot put memories back where they were: a person does"
        raise errors.Refused(said, "`molt --actor manual import --restore …`, or leave --restore")
    kept: list[tuple[str, str]] = []

    def make_change(tree: Tree) -> Change[tuple[str, ...]]:
        kept.clear()
        edits = _Returned(tree, kept).edit(notes)
        every = sorted(edits)
        file = every[0] if len(every) == 1 else "memory/*"
        by = messages.Provenance("manual", approval="—", trigger="restored from an export")
        text = messages.render("IMPORT", file, f"{len(every)} files from {source}", by)
        return Change(edits, text, tuple(every))

    done = ws.commit(make_change, dry_run=dry_run, actor="manual", now=now.timestamp())
    return PutBack(source, done.made, tuple(kept), done.oid, done.left)


class _Returned:
    """Notes on their way back into a tree."""

    def __init__(self, tree: Tree, kept: list[tuple[str, str]]) -> None:
        self._tree, self._kept = tree, kept
        self._gone = unsaid.read_graveyard(tree)

    def edit(self, notes: Mapping[str, tuple[str, str]]) -> Edits:
        edits: Edits = {}
        for path, (text, base) in sorted(notes.items()):
            if why := _find_fault(path):
                self._kept.append((path, why))
            elif self._gone.find_said(text):
                self._kept.append((path, "it says what was forgotten here"))
            else:
                here = trees.read_text(self._tree, path)
                fresh = self._unite(path, here, secrets.redact(text), base)
                if fresh != here or self._tree.entry(path) is None:
                    edits[path] = fresh.encode()
        return edits

    def _unite(self, path: str, here: str, there: str, base: str) -> str:
        """The text that a note has then."""
        kind = paths.kind_of(path)
        there = _settle_ends(there, here, base)
        if not here or here == there:
            return there
        if kind in ("core", "relations"):
            return _unite_bullets(here, there)
        if kind == "episode":
            return self._unite_days(path, here, there)
        if digest_note(there) == base:
            return here
        if digest_note(here) == base:
            return there
        self._kept.append((path, "it is other here, and stays: compare the two"))
        return here

    def _unite_days(self, path: str, here: str, there: str) -> str:
        """A day with the entries that it has not, under their own times."""
        date = paths.date_of(path) or ""
        known = {one.id: one for one in episodes.parse(here, date)}
        rows = lines.split_lines(there)
        added = []
        for one in episodes.parse(there, date):
            if one.id not in known:
                added.append("".join(rows[one.start - 1 : one.end]).rstrip("\n"))
            elif known[one.id].text != one.text:
                self._kept.append((one.id, "it says something else here: entries never change"))
        if not added:
            return here
        start = here if here.endswith("\n") else f"{here}\n"
        return start + "".join(f"\n{block}\n" for block in added)


def _unite_bullets(here: str, there: str) -> str:
    """A text with the bullets of another one that it has not; that one itself where it has none."""
    theirs = bullets.core_bullets(there)
    if not bullets.core_bullets(here) and theirs:
        return there
    for one in theirs:
        here = bullets.add_bullet(here, one.block, one.text)
    return here


def _settle_ends(there: str, here: str, base: str) -> str:
    """A note as its lines were ended when it was exported, or are here: another program's editor
    may have ended them anew, and put a mark of the order of bytes before the first.
    """
    plain = there.removeprefix(lines.BOM).replace("\r\n", "\n")
    ours = here and "\r" not in here and not here.startswith(lines.BOM)
    own = ours or digest_note(plain) == base
    return plain if own and digest_note(there) != base else there


def digest_note(text: str) -> str:
    """What tells a note from any other: an export notes it, and what comes back is held to it."""
    return trees.sha256(text.encode()).hexdigest()


def _find_fault(path: str) -> str:
    """Why a path is none that memories are put back to; empty where it is one."""
    if not holds_memories(path):
        return "it is no file of memories"
    faults: Iterable[str] = (find(path) for find in (names.find_impossible, names.find_reserved))
    return next(filter(None, faults), "")
