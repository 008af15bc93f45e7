"""The entities that a query names, and what they are related to."""

from __future__ import annotations

from molt.formats import ids, paths
from molt.index.content import signs
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Protocol

    from molt.index.db import Db

    class RowReader(Protocol):
        """Anything that answers a statement with rows: an open index, or less."""

        def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
            """The rows of a statement."""


NAMED, BESIDE = 1.0, 0.5
"""How much of the graph's weight an entity has that a query names, and one related to it."""

# Words of the longest name that is looked for, and of a query as much as is read: each place and
# length is one key to look up.
_LONGEST, _WORDS = 6, 64
# Names in scripts without spaces are looked for at every place, up to so many characters.
_RUN, _CHARS = 8, 48
# An entity that half of the others are related to says little of each.
_MOST = 48
_FIELDS = "stem, type, label, aliases"


class EntityRow(Value):
    """An entity of the indexed tree by the name of its file, without `.md`."""

    stem: str
    type: str
    label: str
    aliases: tuple[str, ...]

    @property
    def path(self) -> str:
        """Its file."""
        return f"{paths.ENTITIES}{self.stem}.md"


class EdgeRow(Value):
    """A relation between two entities."""

    source: str
    word: str
    target: str
    note: str


def find_mentioned(db: RowReader, query: str) -> tuple[str, ...]:
    """The entities that a text names by label, alias or id, in the order of their ids."""
    if not db.rows("SELECT 1 FROM names LIMIT 1"):
        return ()
    wanted = list(dict.fromkeys(_possible_names(query)))
    marks = ",".join("?" * len(wanted))
    rows = db.rows(f"SELECT name, stem FROM names WHERE name IN ({marks})", wanted)  # noqa: S608
    found = {name for name, _ in rows}
    # A name inside a longer one that is named is not meant: `OAuth2` in `OAuth2 PKCE`.
    return tuple(
        sorted({stem for name, stem in rows if not any(_is_inside(name, other) for other in found)})
    )


def _is_inside(name: str, other: str) -> bool:
    return name != other and (
        f"-{name}-" in f"-{other}-" or (name in other and signs.has_unspaced(name))
    )


def _possible_names(query: str) -> Iterator[str]:
    """The parts of a text that may be a name: runs of words, and parts of runs without spaces."""
    parts: list[str] = []
    for word in query.split()[:_WORDS]:
        if any(map(str.isalnum, word)):
            parts += ids.slug(word).split("-")
    for start in range(min(len(parts), _WORDS)):
        for end in range(start + 1, min(len(parts), start + _LONGEST) + 1):
            yield "-".join(parts[start:end])
    for part in filter(signs.has_unspaced, parts):
        run = part[:_CHARS]
        for start in range(len(run)):
            for end in range(start + 2, min(len(run), start + _RUN) + 1):
                yield run[start:end]


def find_by_name(db: Db, name: str) -> tuple[str, ...]:
    """The entities with exactly this name, whatever its case and its spaces."""
    rows = db.rows("SELECT stem FROM names WHERE name=? ORDER BY stem", (ids.slug(name),))
    return tuple(stem for (stem,) in rows)


def list_names(db: Db) -> list[tuple[str, str]]:
    """Every name as a slug, with the entity that has it."""
    return db.rows("SELECT name, stem FROM names ORDER BY stem, name")


def edges_of(db: Db, stems: Iterable[str]) -> list[EdgeRow]:
    """The relations from or to some entities, to files that exist, in the order of files."""
    found: dict[EdgeRow, None] = {}
    for stem in stems:
        sql = (
            "SELECT source, word, target, note FROM edges WHERE (source=?1 OR target=?1)"
            " AND EXISTS(SELECT 1 FROM entities WHERE stem=source)"
            " AND EXISTS(SELECT 1 FROM entities WHERE stem=target) ORDER BY source=?1 DESC, rowid"
        )
        found.update((EdgeRow(*row), None) for row in db.rows(f"{sql} LIMIT {_MOST}", (stem,)))
    return list(found)


def linked_files(db: Db, query: str) -> dict[str, float]:
    """The files of the entities that a text names, and of those related to them, each with its
    share of the graph's weight.
    """
    stems = find_mentioned(db, query)
    if not stems:
        return {}
    ends = (end for edge in edges_of(db, stems) for end in (edge.source, edge.target))
    shares = {**dict.fromkeys(ends, BESIDE), **dict.fromkeys(stems, NAMED)}
    return {f"{paths.ENTITIES}{stem}.md": share for stem, share in shares.items()}


def load_entities(db: RowReader, stems: Sequence[str]) -> dict[str, EntityRow]:
    """The entities of some ids, by id."""
    marks = ",".join("?" * len(stems))
    sql = f"SELECT {_FIELDS} FROM entities WHERE stem IN ({marks}) ORDER BY stem"  # noqa: S608
    rows = db.rows(sql, stems)
    return {
        stem: EntityRow(stem, kind, label, tuple(filter(None, aliases.split("\x1f"))))
        for stem, kind, label, aliases in rows
    }
