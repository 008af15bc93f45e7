"""What was forgotten on purpose, and the tree in which nobody sees it."""

from __future__ import annotations

from molt import trees
from molt.formats import ids, lines, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, MutableMapping
    from typing import Any

    from molt.trees import Tree

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
    # A search would import a tenth more for what it finds kept nearly always.
    from molt.formats.meta import scores as score_file

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
    from molt.formats.meta import scores as score_file

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
    from molt.formats import episodes

    rows = lines.split_lines(text)
    for one in reversed(episodes.parse(text, paths.date_of(path) or "")):
        if one.id not in gone:
            continue
        end = lines.detect_newline(text)
        blank = [f"## {one.time}{end}", *([end] * (one.end - one.start))]
        rows[one.start - 1 : one.end] = blank if keep_lines else []
    return "".join(rows)


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
