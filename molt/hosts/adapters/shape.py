"""What the adapters share: a note, what a format is, and what an export says of itself."""

from __future__ import annotations

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable, Mapping, Sequence

    from molt.memory.write.import_sources import SourceContent

    Files = Mapping[str, str]


class Note(Value):
    """A file of the workspace with its text; of a memory that is one, no other is in it."""

    path: str
    text: str


class Lack(Value):
    """What does not come along, and why."""

    what: str
    why: str


class Format(Value):
    """How another program keeps memories.

    `pack` makes its files of notes, `unpack` the notes of files that `pack` made; both take and
    give text. `knows` says whether files are of this format. `read` makes of files that others
    wrote what an import takes; where it is None, the import reads them itself. `lacks` is what the
    format has no place for, `measure` what of the files that were made its program will not read.
    `whole` formats are one file, by its name. Where `placed`, notes have no mark: their places tell
    them, and anybody may have written such.
    """

    name: str
    title: str
    knows: Callable[[Files], bool]
    read: Callable[[Files, datetime.tzinfo], SourceContent] | None = None
    pack: Callable[[Sequence[Note]], dict[str, str]] | None = None
    unpack: Callable[[Files], tuple[Note, ...]] | None = None
    lacks: tuple[Lack, ...] = ()
    measure: Callable[[Files], tuple[Lack, ...]] | None = None
    whole: str = ""
    placed: bool = False


SCORES = Lack("uses, archival and pins in decay-scores.json", "only molt counts them")
HISTORY = Lack("history, approvals and the audit log", "`molt backup` takes all of it")
