"""What was forgotten on purpose, and the tree in which nobody sees it."""

from __future__ import annotations

from molt import trees
from molt.formats import episodes, ids, lines, paths
from molt.formats.meta import scores as score_file
from molt.formats.meta import tombstones
from molt.formats.prose import sayings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, MutableMapping, Sequence
    from typing import Any

    from molt.formats.meta.tombstones import Graveyard
    from molt.trees import Entry, FileChange, Tree

    Cache = MutableMapping[str, bytes]
    Score = Mapping[str, Any]

_KEPT = "forgotten"


def list_forgotten(tree: Tree, cache: Cache | None = None) -> frozenset[str]:
    """The memories that the scores of a tree call forgotten. With a `cache`, scores that did not
    change are not read again.
    """
    entry = tree.entry(paths.SCORES)
    if entry is None:
        return frozenset()
    head = f"{entry.oid}\n"
    kept = ((cache.get(_KEPT) if cache is not None else None) or b"").decode("utf-8", "replace")
    if kept.startswith(head):
        return frozenset(filter(None, kept[len(head) :].split("\n")))
    found = score_file.list_forgotten(trees.read_text(tree, paths.SCORES))
    return _keep_forgotten(found, entry.oid, cache)


def _keep_forgotten(found: Iterable[str], oid: str, cache: Cache | None) -> frozenset[str]:
    plain = sorted(name for name in found if "\n" not in name)
    if cache is not None:
        cache[_KEPT] = "\n".join((oid, *plain, "")).encode("utf-8", "replace")
    return frozenset(plain)


def find_moved(
    base: Tree, new: Tree, changed: Mapping[str, Score | None] | None, cache: Cache
) -> frozenset[str]:
    """The memories that the scores of one of two trees call forgotten, and those of the other do
    not: of the second, which was made of the first, all is read only where nobody knows what of
    it was `changed`.
    """
    before, entry = list_forgotten(base, cache), new.entry(paths.SCORES)
    if entry is None or changed is None:
        return before ^ list_forgotten(new, cache)
    now = {name for name, one in changed.items() if one and score_file.is_forgotten(one)}
    return before ^ _keep_forgotten((before - changed.keys()) | now, entry.oid, cache)


def find_places(memories: Iterable[str]) -> dict[str, frozenset[str]]:
    """The files in which forgotten memories are hidden, each with the ids of the entries there;
    none for a file that is hidden as a whole.
    """
    found: dict[str, set[str]] = {}
    for memory in memories:
        try:
            one = ids.parse(memory)
        except ValueError:
            continue
        if one.store == "episodic":
            # Adopted daily notes lie directly below `memory/`.
            for path in (one.path, f"memory/{one.key[:10]}.md"):
                found.setdefault(path, set()).add(memory)
        elif one.store not in ("core", ids.NOTE):
            found[one.path] = set()
    return {path: frozenset(names) for path, names in found.items()}


def hide_entries(path: str, text: str, gone: frozenset[str], *, keep_lines: bool = True) -> str:
    """A day's log without some entries. With `keep_lines` what is behind them stays where it is
    and keeps its id: only the time of each is left, which other entries are told apart by.
    """
    rows = lines.split_lines(text)
    for one in reversed(episodes.parse(text, paths.date_of(path) or "")):
        if one.id not in gone:
            continue
        end = lines.detect_newline(text)
        blank = [f"## {one.time}{end}", *([end] * (one.end - one.start))]
        rows[one.start - 1 : one.end] = blank if keep_lines else []
    return "".join(rows)


class Unsaid:
    """A tree of the past without the words that were forgotten since: their lines are empty, and
    all others where they were. A file that `now` has just so says nothing that was forgotten.
    """

    def __init__(self, base: Tree, now: Tree, buried: Graveyard) -> None:
        self.base = base
        self.now = now
        self._buried = buried

    def read(self, path: str) -> bytes | None:
        data = self.base.read(path)
        return data if data is None else self._hide(path, data)

    def _hide(self, path: str, data: bytes) -> bytes:
        before, now = self.base.entry(path), self.now.entry(path)
        if before is not None and now is not None and before.oid == now.oid:
            return data
        text = data.decode("utf-8", "surrogateescape")
        return blank_sayings(path, text, self._buried).encode("utf-8", "surrogateescape")

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        found = self.base.read_many(paths)
        return {path: self._hide(path, data) for path, data in found.items()}

    def entry(self, path: str) -> Entry | None:
        return self.base.entry(path)

    def entries(self) -> Mapping[str, Entry]:
        return self.base.entries()

    def names(self, folder: str, like: str = "") -> frozenset[str]:
        return self.base.names(folder, like)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:  # noqa: ARG002 the protocol's
        return None


def blank_sayings(path: str, text: str, buried: Graveyard) -> str:
    """A file with empty lines for what it says that was forgotten."""
    rows = lines.split_lines(text)
    gone: set[int] = set()
    for one in sayings.parse_sayings(path, text) if sayings.has_sayings(path) else ():
        if one.start and one.kind != sayings.NOTE and buried.find_said(one.value):
            gone.update(range(one.start, one.end + 1))
    # A label, a title, a tag or a table is none of these.
    gone.update(n for n, row in enumerate(rows, 1) if n not in gone and buried.find_said(row))
    if not gone:
        return text
    day = paths.kind_of(path) == "episode"
    for number in gone:
        rows[number - 1] = episodes.blank_row(rows[number - 1], day=day)
    return "".join(rows)


def read_graveyard(tree: Tree) -> Graveyard:
    """What a tree says was forgotten by its words."""
    found = tombstones.parse_tombstones(trees.read_text(tree, paths.TOMBSTONES))
    return tombstones.Graveyard(found)


def hide_words(tree: Tree, now: Tree) -> Tree:
    """A tree of the past without the words that were forgotten since; itself where none were."""
    buried = read_graveyard(now)
    return Unsaid(tree, now, buried) if buried else tree


def veil_tree(tree: Tree, memories: frozenset[str], *, keep_lines: bool = True) -> Tree:
    """The tree without some memories: files that are one are not there, and entries of a day's log
    have no words. Itself where there are none.
    """
    places = find_places(memories)

    def show(path: str, data: bytes) -> bytes | None:
        if not places[path]:
            return None
        text = data.decode("utf-8", "surrogateescape")
        hidden = hide_entries(path, text, places[path], keep_lines=keep_lines)
        return hidden.encode("utf-8", "surrogateescape")

    return trees.Veil(tree, places, show) if places else tree
