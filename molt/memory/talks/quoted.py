"""Where what was said in a conversation is quoted: in the record of a reflection."""

from __future__ import annotations

from molt import trees
from molt.formats import lines
from molt.formats.reflections import quotes, record
from molt.memory.proposed import open_branches
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.reflections.quotes import TurnQuote
    from molt.memory.workspace import Workspace


class QuotedPlace(Value):
    """A quote, the record that has it, and its line there, from 1."""

    quote: TurnQuote
    path: str
    line: int


def find_quote(ws: Workspace, memory: str) -> QuotedPlace | None:
    """Where a turn is quoted by its id: in a record, or in that of a reflection that awaits a
    decision; None where none has it.
    """
    for path, text in _list_records(ws):
        if memory not in text:
            continue
        found = quotes.read_quotes(record.parse_record(text).fields).get(memory)
        rows = lines.split_lines(text)
        line = next((at for at, row in enumerate(rows, 1) if row.startswith(quotes.FIELD)), 1)
        if found is not None:
            return QuotedPlace(found, path, line)
    return None


def _list_records(ws: Workspace) -> Iterator[tuple[str, str]]:
    tree = ws.files()
    for name in sorted(open_branches.list_records(tree)):
        path = record.record_path(name)
        yield path, trees.read_text(tree, path)
    for one in open_branches.list_open(ws.repo):
        path = record.record_path(one.id)
        yield path, trees.read_text(ws.repo.tree(one.tip), path)
