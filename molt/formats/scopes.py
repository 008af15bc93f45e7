"""Whom a memory is for: a project, an audience, or its owner alone."""

from __future__ import annotations

from molt.formats import frontmatter, lines
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FIELD = "scope"
"""The field of an entry, and the key of a note's front matter, that has it."""
PRIVATE = "private"
"""The scope of what its owner alone sees."""
OPEN = ""
"""The scope of what says nothing of it."""
_MARKS = frozenset(":-_./")
_LONGEST = 80
"""Characters: a scope is a name, and stands in the heading of an entry beside all else."""
_HEAD = 10
"""In so many lines of a note stand the comments that are read for front matter."""


def parse_scope(text: str) -> str:
    """A scope in its one form: `private`, an audience as `family`, or with a kind before it as
    `project:molt`. Raises ValueError for what is none.
    """
    name = text.strip().lower()
    fits = all(char.isalnum() or char in _MARKS for char in name)
    if not fits or not name[:1].isalnum() or not name[-1:].isalnum() or len(name) > _LONGEST:
        raise ValueError(f"{text!r} is no scope: `private`, or a name such as project:molt")
    return name


def read_scope(fields: Iterable[tuple[str, object]]) -> str:
    """The scope in the fields of an entry or a note, in whatever case their names are. What cannot
    be read, or says two things, is private, for whoever wrote it meant to keep it from somebody.
    """
    said = [value for key, value in fields if key.strip().casefold() == FIELD]
    if not said or all(value is None for value in said):
        return OPEN
    try:
        found = {parse_scope(str(value)) if str(value).strip() else OPEN for value in said}
    except ValueError:
        return PRIVATE
    return found.pop() if len(found) == 1 else PRIVATE


def read_note(text: str) -> str:
    """The scope that a note's front matter says, or the comments that stand for it. One that
    cannot be read and names a scope is private.
    """
    block = frontmatter.split_front_matter(text)[0]
    open_end = block is None and text.removeprefix(lines.BOM)[:4].rstrip() == "---"
    head = text.split("\n", _HEAD)[:_HEAD] if block is None else block.split("\n")
    # Few notes say it, and to read all that YAML can be takes long.
    named = [row for row in head if FIELD in row.casefold()]
    if not named:
        return OPEN
    if open_end:
        keys = (row.partition(":")[0].strip(" \"'").casefold() for row in named)
        return PRIVATE if FIELD in keys else OPEN
    try:
        fields = frontmatter.metadata(text) if block is None else frontmatter.front_matter(text)
    except ValueError:
        return PRIVATE
    return read_scope(fields.items())


class View(Value):
    """What of a memory is to be seen: `scopes` that are, where not all are, and `stores` that are
    not.
    """

    scopes: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()

    def shows(self, scope: str, store: str = "") -> bool:
        """Whether a memory of a scope and a store is seen."""
        return (not self.scopes or scope in self.scopes) and store not in self.hidden


ALL = View()
# What is its owner's alone, and what was said where somebody else may not have been.
_OWN = ("core", "vault", "session", "workspace", "documents")


def choose_view(
    scopes: Sequence[str], audience: str = "", *, default: str = OPEN, core: str = PRIVATE
) -> View:
    """What who asks sees. The owner (no `audience`) sees everything, but for what belongs to other
    projects where some `scopes` are asked for. An audience sees what is for it, what has one of
    the `scopes`, and what has none unless `default` says for whom that is; core memory only where
    that is for it (`core`), and never the vault or transcripts.

    Raises ValueError for what is no scope.
    """
    asked = tuple(map(parse_scope, scopes))
    if not audience:
        return View((OPEN, PRIVATE, *asked)) if asked else ALL
    who = parse_scope(audience)
    if who == PRIVATE:
        return View((OPEN, PRIVATE, *asked)) if asked else ALL
    seen = tuple(one for one in (who, *asked) if one != PRIVATE)
    unsaid = (OPEN,) if default in (OPEN, *seen) else ()
    stores = tuple(store for store in _OWN if store != "core" or core != who)
    return View((*unsaid, *seen), stores)
