"""What the files of entities say of the graph, as rows of the index."""

from __future__ import annotations

from molt.formats import entity, ids, paths
from molt.index.content import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTITY = "INSERT INTO entities VALUES(?,?,?,?)"
_NAME = "INSERT INTO names VALUES(?,?)"
_EDGE = "INSERT INTO edges VALUES(?,?,?,?)"
_DELETE = (
    "DELETE FROM entities WHERE stem=?",
    "DELETE FROM names WHERE stem=?",
    "DELETE FROM edges WHERE source=?",
)


def list_rows(path: str, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the file of an entity says of the graph, as statements with their values; nothing for
    another file.
    """
    stem = _entity_stem(path)
    if not stem:
        return
    one = entity.parse_node(text, stem)
    yield _ENTITY, (stem, one.type, one.label, "\x1f".join(one.aliases))
    own = stem.partition("--")[2]
    names = {ids.slug(name) for name in (one.label, *one.aliases)}
    for name in names | (set() if ids.is_unspelled(own, one.label) else {ids.slug(own)}):
        if name not in words.STOP:
            yield _NAME, (name, stem)
    for edge in one.relations:
        yield _EDGE, (stem, edge.word, edge.target, edge.note)


def list_deletions(path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What forgets what a file said of the graph."""
    if stem := _entity_stem(path):
        yield from ((sql, (stem,)) for sql in _DELETE)


def _entity_stem(path: str) -> str:
    stem = path.removeprefix(paths.ENTITIES).removesuffix(".md")
    return stem if path == f"{paths.ENTITIES}{stem}.md" and "/" not in stem else ""
