"""The notes in prose that a reflection reads: what is new of them, a night's worth at a time."""

from __future__ import annotations

from molt import trees
from molt.formats import frontmatter, ids, lines, scopes
from molt.formats import origin as origins
from molt.formats.prose import notes
from molt.index.content import bulk
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from molt.formats.prose.notes import NotePiece
    from molt.formats.reflections.record import ReflectionRecord
    from molt.repo.repository import Repo
    from molt.trees import Tree

READ = "notes"
"""The field of a record that names the notes it has read, each with the blob that was read."""
NOTES, BYTES = 30, 100_000
"""How much one reflection reads: about a month of days, and what a model reads at once (a token is
three or four bytes, in any script); one note at least, however long it is."""
TOLD = 120
"""Bytes that a line takes besides its words where a model is told it, with its id and its title:
what a brief has no room for would count as read."""
_MOST = 300
"""Notes of one reflection in all, those included in which nothing is new that anybody wrote."""
_LONGEST = 200_000
"""Characters of one note: what is longer nobody wrote by hand."""
_OFTEN = 3
"""Notes of one reflection in which a line stands word for word, but for its numbers, from which on
it is a routine that reports itself."""


class NoteWindow(Value):
    """What one reflection reads of the notes that are named for a day: the new pieces, by day; the
    notes that they are from, each with its blob; how many such notes there are, and how many of
    them a later reflection has yet to read.
    """

    pieces: tuple[NotePiece, ...] = ()
    read: tuple[tuple[str, str], ...] = ()
    total: int = 0
    left: int = 0


class Notebook:
    """The pieces of a tree's notes by their ids, read when they are asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._files: dict[str, Mapping[str, NotePiece]] = {}
        self._scopes: dict[str, str] = {}

    def find(self, memory: str) -> NotePiece | None:
        """The piece that an id names; None where there is none, or none any more."""
        path = find_path(memory)
        return self._read(path).get(memory) if path else None

    def has_file(self, memory: str) -> bool:
        """Whether the note is there that an id names a piece of."""
        path = find_path(memory)
        return bool(path) and self._tree.entry(path) is not None

    def scope_of(self, memory: str) -> str:
        """For whom alone the note is; empty for everybody."""
        path = find_path(memory)
        if path not in self._scopes:
            self._scopes[path] = scopes.read_note(trees.read_text(self._tree, path))
        return self._scopes[path]

    def find_line(self, path: str, line: int) -> str:
        """The id of the piece that has a line of a note; empty for none."""
        every = self._read(path).values() if notes.may_name(path) else ()
        return next((one.id for one in every if one.start <= line <= one.end), "")

    def _read(self, path: str) -> Mapping[str, NotePiece]:
        if path not in self._files:
            found: dict[str, NotePiece] = {}
            for one in notes.parse_pieces(path, trees.read_text(self._tree, path)):
                found.setdefault(one.id, one)
            self._files[path] = found
        return self._files[path]


def find_path(memory: str) -> str:
    """The note that an id names a piece of; empty for the id of something else."""
    if not memory.startswith(notes.PREFIX):
        return ""
    try:
        path = ids.parse(memory).path
    except ValueError:
        return ""
    return path if notes.may_name(path) else ""


def read_window(
    repo: Repo,
    tree: Tree,
    records: Iterable[ReflectionRecord],
    *,
    skipped: Iterable[str] = (),
    line: int = 0,
) -> NoteWindow:
    """What the next reflection reads: of the notes that none has read, or that have grown since,
    the newest, within bounds. What is `skipped` counts as read; each line takes some bytes besides
    its words.
    """
    known = _list_read(records)
    passed = frozenset(skipped)
    every = list_dated(tree)
    waiting = [
        path
        for path, oid in every.items()
        if path not in passed and (path not in known or known[path][0] != oid)
    ]
    waiting.sort(key=lambda path: (notes.find_date(path), path), reverse=True)
    taken: list[str] = []
    pieces: list[NotePiece] = []
    size = 0
    count = 0
    for path in waiting[:_MOST]:
        old = _read_old(repo, path, known.get(path, ("", ""))[1])
        found = list(_list_new(path, trees.read_text(tree, path), old))
        size += sum(len(one.text.encode("utf-8", "replace")) + line for one in found)
        count += bool(found)
        if pieces and (size > BYTES or count > NOTES):
            break
        # What says nothing, such as a dump of a conversation, takes no room.
        taken.append(path)
        pieces += found
    # What knows secrets takes longer to import than a look whether a reflection is due.
    from molt.memory.reflect.unfit import UnfitWords

    words = UnfitWords(tree)
    pieces = [
        one for one in _drop_routine(pieces) if not words.search([one.text, one.lead, *one.titles])
    ]
    pieces.sort(key=lambda one: (one.date, one.path, one.start))
    read = tuple((path, every[path]) for path in taken)
    return NoteWindow(tuple(pieces), read, len(every), len(waiting) - len(taken))


def list_dated(tree: Tree) -> dict[str, str]:
    """The notes that are named for a day, with their blobs, by path."""
    return {path: entry.oid for path, entry in tree.entries().items() if notes.is_daily(path)}


def _list_read(records: Iterable[ReflectionRecord]) -> dict[str, tuple[str, str]]:
    """The notes that reflections have read: the blob, and the commit that had it, by path."""
    found: dict[str, tuple[str, str]] = {}
    for one in records:
        told = dict(one.fields).get(READ)
        for row in told if isinstance(told, list) else ():
            if isinstance(row, list) and len(row) == 2:
                found[str(row[0])] = (str(row[1]), one.known_base)
    return found


def count_unread(tree: Tree, records: Iterable[ReflectionRecord], most: int) -> int:
    """How many sections of notes no reflection has read, counted up to a number: each is as good as
    an episode.
    """
    known = _list_read(records)
    count = 0
    for path, oid in sorted(list_dated(tree).items(), reverse=True):
        if known.get(path, ("", ""))[0] == oid:
            continue
        found = _list_new(path, trees.read_text(tree, path), "")
        count += len({one.titles[:2] for one in found})
        if count >= most:
            return most
    return count


def _read_old(repo: Repo, path: str, base: str) -> str:
    """A note as it was when it was read; empty where this clone does not have that."""
    if len(base) < 40 or not repo.stamp(base):
        return ""
    return trees.read_text(repo.tree(base), path)


def _list_new(path: str, text: str, old: str) -> Iterator[NotePiece]:
    """The pieces of a note that an older text of it had not; none of what a machine wrote in bulk,
    what is from outside, and what is not for everybody.
    """
    rows = lines.bare_lines(text[:_LONGEST])
    told = frontmatter.metadata(text[:_LONGEST])
    closed = scopes.read_note(text) != scopes.OPEN or origins.read_class(told)
    if closed or bulk.name_file(path, rows):
        return
    before = {one.id for one in notes.parse_pieces(path, old)} if old else frozenset[str]()
    every = notes.parse_pieces(path, text[:_LONGEST])
    poured = {title for title, one in _group(every) if _is_poured(one, rows)}
    for one in every:
        if one.id not in before and one.titles not in poured:
            yield one


def _group(every: Iterable[NotePiece]) -> Iterable[tuple[tuple[str, ...], list[NotePiece]]]:
    """The pieces below each heading."""
    found: dict[tuple[str, ...], list[NotePiece]] = {}
    for one in every:
        found.setdefault(one.titles, []).append(one)
    return found.items()


def _is_poured(every: list[NotePiece], rows: list[str]) -> bool:
    """Whether a machine wrote a section, by its lines."""
    return bool(bulk.name_piece("\n".join(rows[every[0].start - 1 : every[-1].end])))


def _drop_routine(pieces: list[NotePiece]) -> list[NotePiece]:
    """Pieces but for those that stand in many notes, the same but for their numbers."""
    where: dict[str, set[str]] = {}
    for one in pieces:
        where.setdefault(_fold(one.text), set()).add(one.path)
    return [one for one in pieces if len(where[_fold(one.text)]) < _OFTEN]


def _fold(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalpha())
