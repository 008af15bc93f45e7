"""The files of every source cut into chunks: what is written to the index, and no search reads."""

from __future__ import annotations

from molt import resources
from molt.formats import documents, paths
from molt.formats.prose import instructions
from molt.index.content import chunks
from molt.index.content.chunks import Chunk
from molt.index.content.sources import DOCUMENTS, EXTRA, SESSION, WORKSPACE, Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def chunk_source(path: str, text: str) -> tuple[Chunk, ...]:
    """The chunks of a file of the memory or of another source."""
    if path.startswith(SESSION):
        return tuple(one.replace(place=place) for place, one in enumerate(_chunk_turns(text)))
    if path.startswith(EXTRA):
        found = chunks.chunk_file(path.rpartition("/")[2], text)
        return tuple(one.replace(store="extra", memory_id="") for one in found)
    if paths.is_workspace(path):
        own = instructions.blank_block(text)
        found = () if _is_template(path, own) else chunks.chunk_file(path, own)
        return tuple(one.replace(store=WORKSPACE, memory_id="") for one in found)
    if documents.is_document(path):
        found = chunks.chunk_file(path, text) if len(text) <= documents.LARGEST else ()
        return tuple(one.replace(store=DOCUMENTS, memory_id="") for one in found)
    return chunks.chunk_file(path, text)


def _is_template(path: str, text: str) -> bool:
    """Whether a file is as a new workspace has it: nobody has written anything yet."""
    if path not in paths.PERSONA:
        return False
    try:
        with open(resources.find(f"templates/workspace/{path}"), encoding="utf-8") as file:
            return instructions.blank_block(file.read()).split() == text.split()
    except FileNotFoundError:
        return False


def _chunk_turns(text: str) -> tuple[Chunk, ...]:
    """Turns in pieces of some turns each; a long one is cut with an overlap."""
    import json

    found: list[Chunk] = []
    held: list[Turn] = []
    size = 0
    for turn in (Turn(*row) for row in json.loads(text or "[]")):
        if held and size + len(turn.text) > chunks.MOST:
            found += _join_turns(held)
            held, size = [], 0
        held.append(turn)
        size += len(turn.text) + len(turn.role) + 3
    return (*found, *_join_turns(held)) if held else tuple(found)


def _join_turns(turns: Sequence[Turn]) -> Iterator[Chunk]:
    first, last = turns[0], turns[-1]
    about = Chunk(first.line, last.line, "", "session", "transcript", (), first.date, "")
    text = "\n".join(f"{turn.role}: {turn.text}" for turn in turns)
    step = chunks.MOST - chunks.OVERLAP
    for start in range(0, max(1, len(text) - chunks.OVERLAP), step):
        yield about.replace(text=text[start : start + chunks.MOST])
