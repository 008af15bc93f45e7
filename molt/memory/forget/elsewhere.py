"""Where else it stands that is to be forgotten: in files that forgetting does not change."""

from __future__ import annotations

from contextlib import suppress

from molt import errors
from molt.formats import documents, facts, paths
from molt.formats.prose import sayings
from molt.index.content import sources
from molt.memory.forget import matches, said_words
from molt.memory.forget.matches import Match
from molt.memory.search import sessions
from molt.memory.visible import books
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from molt.memory.forget.matches import Wanted
    from molt.memory.workspace import Workspace
    from molt.trees import Tree

_LEAST = 4
"""Letters of a value that tell it from others: a shorter one is in most files."""
_SHOWN = 5  # rows that are named; the others are counted
# What grows with the memory and is none of these files: to look whether ten thousand entities are
# on disk as they were committed takes longer than to read all of these.
_GROWING = (paths.EPISODES, paths.ENTITIES, paths.SCORES)
BOOK = "book"
"""The kind of what is no memory and says it: a file in which molt keeps its books."""


class OtherPlace(Value):
    """A file that says it, and the first line there that does, from 1; 0 where it has none."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


def find_elsewhere(
    ws: Workspace, wanted: Wanted, found: Sequence[Match], *, permanently: bool = False
) -> tuple[OtherPlace, ...]:
    """The files outside the stores that say what is wanted, or what was found, and that forgetting
    leaves as they are: those that instruct agents, records of reflections unless it is forgotten
    permanently, and where they are searched, further notes and transcripts.
    """
    test = make_line_test(wanted, found)
    if test is None:
        return ()
    tree = ws.files(without=_GROWING)
    cleaned = frozenset(books.list_books(tree)) if permanently else frozenset()
    return (*_search_tree(tree, test, cleaned), *_search_sources(ws, test))


def find_books(tree: Tree, wanted: Wanted, found: Sequence[Match]) -> tuple[Match, ...]:
    """The books of molt that say what is wanted, or what was found, of which forgetting for good
    leaves nothing either.
    """
    test = make_line_test(wanted, found)
    edits = books.clean_books(tree, test) if test else {}
    return tuple(Match(path, BOOK, "", path, "", matches.ERASED) for path in sorted(edits))


def describe_places(found: Sequence[OtherPlace]) -> str:
    """Where else it stands, in a sentence for whoever forgets; empty for nowhere."""
    if not found:
        return ""
    shown = ", ".join(map(str, found[:_SHOWN]))
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"it stands in {shown}{more} too, which forgetting leaves as it is: edit it there"


def make_line_test(wanted: Wanted, found: Sequence[Match]) -> Callable[[str], bool] | None:
    """Whether a line says what is wanted, or what was found; None where nothing tells."""
    text = "" if wanted.ids else wanted.text
    asked = [said_words.make_line_test(text)] if text.strip() else []
    # What is shown of a match may be its beginning alone, which tells it as well.
    values = {said_words.fold_text(facts.strip_asides(one.text)) for one in found}
    telling = tuple(value for value in values if len(value) >= _LEAST)
    if not asked and not telling:
        return None

    def test(row: str) -> bool:
        return any(one(row) for one in asked) or any(
            value in said_words.fold_text(row) for value in telling
        )

    return test


def _search_tree(
    tree: Tree, test: Callable[[str], bool], cleaned: frozenset[str]
) -> Iterator[OtherPlace]:
    some = [path for path in sorted(tree.entries()) if path not in cleaned and _is_other(path)]
    for path, data in tree.read_many(some).items():
        yield from _find_line(path, data, test)


def _is_other(path: str) -> bool:
    """Whether a path is one of Markdown that an agent may read and that holds no memories."""
    # Nearly all that there is after a year.
    if path.startswith(_GROWING):
        return False
    if not path.endswith(".md") or paths.kind_of(path) in ("core", "projection"):
        return False
    if path.startswith("memory/"):
        return not sayings.has_sayings(path)
    return "/" not in path or documents.is_document(path)


def _search_sources(ws: Workspace, test: Callable[[str], bool]) -> Iterator[OtherPlace]:
    # What cannot be read is no reason not to forget.
    with suppress(errors.MoltError, OSError):
        beyond = sessions.find_sources(ws, everything=True)
        for path in beyond.versions:
            name = path.removeprefix(sources.EXTRA)
            for one in _find_line(name, beyond.read(path), test):
                # The text of a conversation has other lines than its file.
                yield one if path.startswith(sources.EXTRA) else OtherPlace(path)


def _find_line(path: str, data: bytes, test: Callable[[str], bool]) -> Iterator[OtherPlace]:
    rows = data.decode("utf-8", "replace").split("\n")
    line = next((number for number, row in enumerate(rows, 1) if test(row)), 0)
    if line:
        yield OtherPlace(path, line)
