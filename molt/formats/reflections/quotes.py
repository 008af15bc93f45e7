"""What was said in conversations, as a record of a reflection quotes it: transcripts are no part of
the workspace, and what rests on them is to be understood without them.
"""

from __future__ import annotations

from molt.formats import ids
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FIELD = "turns"
"""The field of a record that has the quotes."""


class TurnQuote(Value):
    """Words of a turn: their id, the day, whose they are (a class of origins), the host's id of the
    conversation, and the words.
    """

    id: str
    date: str
    origin: str
    session: str
    text: str


def make_id(session: str, text: str) -> str:
    """The id of what was said in a conversation: the same words are the same evidence."""
    return f"{ids.TURN}:{ids.digest(session)}#{ids.digest(text)}"


def read_quotes(fields: Iterable[tuple[str, object]]) -> Mapping[str, TurnQuote]:
    """The quotes of a record, by id; what is none is left out."""
    told = dict(fields).get(FIELD)
    rows = [row for row in told if isinstance(row, list)] if isinstance(told, list) else []
    whole = (row for row in rows if len(row) == len(TurnQuote._fields))
    found = (TurnQuote(*map(str, row)) for row in whole)
    return {one.id: one for one in found if one.id.startswith(f"{ids.TURN}:")}


def render_quotes(quotes: Iterable[TurnQuote]) -> list[list[str]]:
    """Quotes as a field of a record has them."""
    return [list(one._astuple()) for one in quotes]
