"""Which files may say something, told by what the clone keeps of what they say."""

from __future__ import annotations

from molt.memory.forget import said_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence

    from molt.memory.forget.said_words import Chooser, Condensed
    from molt.trees import Tree

    Cache = MutableMapping[str, bytes]
    # The blob of each file, by path, and what it says.
    Kept = dict[str, tuple[str, Condensed]]

_KEPT = "said-1"
# Files that each call reads anew before all is kept anew, which takes as long as to read some.
_FEW = 32
# Bytes of texts that are kept: a large memory is never held as a whole.
_MOST = 64 << 20
# Files that are read at a time, for the same reason: memory that a round before has touched is
# there already, and what is in the processor's cache is looked through in half the time.
_ROUND = 64


def read_rounds(tree: Tree, paths: Iterable[str]) -> Iterator[Mapping[str, bytes]]:
    """The bytes of some files by path, some files at a time."""
    some = sorted(paths)
    # In equal rounds: few files are read otherwise than many.
    size = -(-len(some) // max(1, len(some) // _ROUND)) or 1
    for start in range(0, len(some), size):
        yield tree.read_many(some[start : start + size])


def choose_files(tree: Tree, paths: Sequence[str], choose: Chooser, cache: Cache) -> list[str]:
    """Those of some files of a tree that are chosen by what they say, which is kept in `cache`:
    to read ten thousand memories takes four times as long as to look through them.
    """
    entries = tree.entries()
    kept = _load_kept(cache)
    known = {
        path: kept[path] for path in paths if path in kept and kept[path][0] == entries[path].oid
    }
    found = choose({path: said for path, (_, said) in known.items()})
    fresh = [path for path in paths if path not in known]
    room = _MOST - sum(len(said or b"") for _, (said, _) in known.values())
    if len(fresh) <= _FEW:
        room = 0
    for texts in read_rounds(tree, fresh):
        said = {path: said_words.condense_file(path, data) for path, data in texts.items()}
        found += choose(said)
        room -= sum(map(len, texts.values()))
        if room > 0:
            known.update((path, (entries[path].oid, one)) for path, one in said.items())
    if room > 0:
        _keep(cache, known)
    return found


def _load_kept(cache: Cache) -> Kept:
    from marshal import loads

    try:
        found = loads(cache.get(_KEPT) or b"")  # noqa: S302 written below, private to the clone
    except (EOFError, ValueError, TypeError):
        return {}
    whole = isinstance(found, dict) and all(map(_is_row, found.items()))
    return found if whole else {}


def _is_row(item: object) -> bool:
    """Whether something is of the form of `Kept`: a cache may hold anything once it is damaged."""
    match item:
        case (str(), (str(), (bytes() | None, str()))):
            return True
    return False


def _keep(cache: Cache, known: Kept) -> None:
    from marshal import dumps

    cache[_KEPT] = dumps(known)
