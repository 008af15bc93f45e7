"""What many commits are going to be judged by, read at once: that takes a part of the time.

NumPy is imported here, which takes as long as to judge two hundred commits.
"""

from __future__ import annotations

from molt.formats import paths
from molt.policy import growth, leaks, orders, secrets, texts
from molt.policy.orders import screen
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.trees import FileChange, Tree

    Rows = tuple[tuple[int, str], ...]

_MOST = 4 << 20
"""Bytes of files that are read ahead at once."""
_PERSON = "\nActor: manual\n"


class Prospect(Value):
    """What commits that follow each other bring: the tree before them and that of the last one,
    what differs between these, and their messages.
    """

    base: Tree
    new: Tree
    changes: Sequence[FileChange]
    messages: Sequence[str]


def learn_texts(ahead: Prospect) -> None:
    """Know what is harmless of what commits bring. Nothing is found here, and what one of them
    brings and another one takes away is left to who judges them.
    """
    files = list(_read_added(ahead))
    secrets.KNOWN.learn("\n".join((*ahead.messages, *(line for rows in files for _, line in rows))))
    # What a person writes is not read for orders.
    if not all(_PERSON in message for message in ahead.messages):
        orders.learn(files, screen.list_harmless)


def _read_added(ahead: Prospect) -> Iterator[Rows]:
    """The lines that files gain, of as many as are read ahead."""
    left = _MOST
    for change in ahead.changes:
        if change.new is None or change.path == paths.SCORES or not leaks.is_text(change.path):
            continue
        before, after = (tree.read(change.path) or b"" for tree in (ahead.base, ahead.new))
        left -= len(after)
        if left < 0:
            return
        if len(after) <= growth.LIMIT:
            yield tuple(texts.list_added(before, after))
