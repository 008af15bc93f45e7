"""What molt's own books say of what is forgotten for good is taken out of them."""

from __future__ import annotations

from molt.formats import lines, paths
from molt.formats.message import is_valid_actor
from molt.formats.meta import proposals, questions
from molt.formats.reflections import erased, histories, parts, refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.reflections.erased import Gone
    from molt.trees import Edits, Tree

_ROWS = (histories.LOG, histories.EVOLUTION, histories.ARCHIVE, paths.PROPOSALS)
"""The books of which each line stands for itself."""
_NUMBERED = (histories.LOG, histories.ARCHIVE, paths.PROPOSALS)
"""Those of them whose headings say a number, a state and a day, in words of molt alone."""
_TITLES = frozenset(
    (
        histories.LOG_TITLE,
        f"# {histories.EVOLUTION_TITLE}",
        *(f"## {name}" for name in histories.EVOLUTION_SECTIONS),
        proposals.TITLE,
        proposals.NOTE,
    )
)
_ACTORS = ("by", "from")
_CHOICES = ("suggested store", "confidence", "core-worthy", "status")
_FREE = ("id", "timestamp", "trigger", "content", "entities", "operations", "rejected", "insight")
"""Keys of the books by what their values are."""
_CHOSEN = frozenset(
    (*paths.STORE_NAMES, *proposals.CONFIDENCES, "yes", "no", "pending", "deferred")
)


def clean_books(tree: Tree, gone: Gone) -> Edits:
    """The edits that leave no word of it in the books: records and log of the reflections that were
    decided, what came of them, the digests of the past, proposals and golden questions.
    """
    edits: Edits = {}
    for path, data in tree.read_many(sorted(list_books(tree))).items():
        text = data.decode("utf-8", "surrogateescape")
        clean = _clean_book(path, text, gone)
        if clean != text:
            edits[path] = clean.encode("utf-8", "surrogateescape")
    return edits


def list_books(tree: Tree) -> Iterator[str]:
    """The files of a tree in which molt keeps its books."""
    names = tree.names(refs.RECORDS.rstrip("/"))
    yield from (f"{refs.RECORDS}{name}" for name in names if name.endswith(".md"))
    yield from (path for path in (*_ROWS, paths.QUESTIONS) if tree.entry(path) is not None)


def _clean_book(path: str, text: str, gone: Gone) -> str:
    if path == paths.QUESTIONS:
        return _cut_questions(text, gone)
    if path not in _ROWS:
        return erased.cut_record(text, gone)
    numbered = path in _NUMBERED

    def is_gone(row: str) -> object:
        said = "" if numbered and row.startswith(("# ", "## ")) else _read_said(row)
        return said and gone(said)

    return erased.cut_rows(text, is_gone)


def _read_said(row: str) -> str:
    """What of a line of a book somebody may have said: no title, key, choice or kind of an actor,
    which are words of molt.
    """
    plain = row.strip()
    if plain in _TITLES:
        return ""
    key, value = parts.parse_field(plain[2:].lstrip()) or ("", "")
    key = key.casefold()
    if not plain.startswith("- ") or key not in (*_ACTORS, *_CHOICES, *_FREE):
        return plain
    if key in _CHOICES and value.casefold() in _CHOSEN:
        return ""
    return value.partition(":")[2] if key in _ACTORS and is_valid_actor(value) else value


def _cut_questions(text: str, gone: Gone) -> str:
    """Golden questions without those that ask for it, or expect it, and without such comments. Of
    a file that cannot be taken apart the lines are gone that say it.
    """
    known = questions.parse_questions(text)
    if known.broken or known.problems:
        return erased.cut_rows(text, gone)
    for one in known.questions:
        # The question is a half of it, and what is expected the other.
        if gone(" ".join((one.question, *one.expect, *one.memories, *one.tags))):
            try:
                text = questions.remove_question(text, one.id)
            except ValueError:
                return erased.cut_rows(text, gone)
    # The keys of the others are molt's words, and their values were asked.
    rows = lines.split_lines(text)
    return "".join(row for row in rows if not (row.lstrip().startswith("#") and gone(row)))
