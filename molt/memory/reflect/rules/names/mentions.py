"""A name in a sentence: what it is, and how sure that is."""

from __future__ import annotations

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.reflect.rules.spoken import Statement


class Mention(Value):
    """A name as it stands in a sentence: its kind (empty where nothing tells), and how sure it is
    that it names a thing: 3 where words beside it say so, 1 where its form does, 0 where neither.
    `called` is one that only says to whom one speaks, `alias` what the thing is called besides,
    `relative` one that is named only by whose it is.
    """

    label: str
    kind: str
    sure: int
    statement: Statement
    called: bool = False
    alias: str = ""
    relative: bool = False
