"""What belongs to a kind that a question asks a list of: by type, relation, tag, and its words."""

from __future__ import annotations

from molt import resources
from molt.formats import paths
from molt.index.content import signs, words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from molt.index.db import Db

_TAGGED = "instr(char(31)||c.tags||char(31), char(31)||?||char(31))"
_NEAR = 6
"""Words within which the name of the kind follows the word that asks."""
_LONG = 4, 8
"""Words, or signs of runs without spaces: a question that says more beside the kind is told by
what it says."""
_MOST = 400
"""Members that are looked at, of each way to be one."""
PURE, NARROWED, BESIDE = 1.0, 0.25, 0.1
"""How much of the weight of a kind a member has: where nothing else is asked for, where the
question has more words, of which the member has half, and where it has them not."""


class ListQuestion(Value):
    """A question for a list: the kinds that it asks for, in the order of the table, the words that
    name them, and what else the question says.
    """

    kinds: tuple[str, ...]
    names: tuple[str, ...]
    more: tuple[str, ...]


class KindTable:
    """The table of kinds that ships with molt: what belongs to each, and how people ask for it."""

    def __init__(self, lists: Mapping[str, str]) -> None:
        cues = {key: [one.strip() for one in row.split("|")] for key, row in lists.items()}
        self.members = {key: one for key, one in cues.items() if key[-1] not in "?+"}
        self.others = self.members.pop("none", [])
        self.leads, self.between = self.members.pop("leads", []), self.members.pop("between", [])
        self.plain, self.asking = self.members.pop("plain", []), self.members.pop("asking", [])
        self.filling = self.members.pop("filling", [])
        self.asked = {name: key[:-1] for key, one in cues.items() if key[-1] == "?" for name in one}
        self.within = {key[:-1]: one for key, one in cues.items() if key[-1] == "+"}


def load_table() -> KindTable:
    """The table of kinds that ships with molt."""
    return KindTable(resources.load_lists("templates/routing/kinds.txt"))


def choose_kinds(text: str, table: KindTable) -> tuple[str, ...]:
    """The kinds of which a text plainly names a member."""
    flat = flatten_text(text)
    for other in table.others:
        flat = flat.replace(other, " ")
    return tuple(
        kind for kind, cues in table.members.items() if any(_has_word(flat, cue) for cue in cues)
    )


def flatten_text(text: str) -> str:
    """The words of a text in lower case and in one form, with a space before and after."""
    low = words.fold_text(text).lower()
    return f" {' '.join(''.join(c if c.isalnum() or c == '《' else ' ' for c in low).split())} "


def _has_word(flat: str, word: str) -> bool:
    # Nearly all are not there at all.
    return word in flat and (f" {word} " in flat or signs.has_unspaced(word))


def read_question(query: str, table: KindTable) -> ListQuestion | None:
    """The kinds that a question asks a list of; None if it does not ask for a list."""
    if signs.has_unspaced(query):
        return _read_unspaced(words.fold_text(query), table)
    every = flatten_text(query).split()
    if len(every) < 2 or every[0] not in table.leads:
        return None
    for at in range(1, min(len(every), _NEAR)):
        for size in (3, 2, 1):
            name = " ".join(every[at : at + size])
            kind = table.asked.get(name) or _find_kind_of(every, at, name, table)
            if kind:
                more = _list_more(every[1:at] + every[at + size :], table)
                if len(more) > _LONG[0]:
                    return None
                return ListQuestion((kind, *table.within.get(kind, ())), (name,), more)
        if every[at] not in table.between and not _is_adjective(every, at):
            return None
    return None


def _find_kind_of(every: Sequence[str], at: int, name: str, table: KindTable) -> str:
    """The kind whose singular stands after `kind of` or `types of`."""
    if every[at - 1] != "of" or " " in name:
        return ""
    return table.asked.get(f"{name}s", "")


def _is_adjective(every: Sequence[str], at: int) -> bool:
    """Whether a word may stand between the question word and the kind, and is not part of a
    sentence.
    """
    return every[0] in ("which", "what", "list") and every[at] not in words.STOP


def _list_more(rest: Iterable[str], table: KindTable) -> tuple[str, ...]:
    skipped = words.STOP.union(table.between, table.plain)
    return tuple(dict.fromkeys(one for one in rest if one not in skipped))


def _read_unspaced(text: str, table: KindTable) -> ListQuestion | None:
    listing = any(sign in text for sign in table.asking)
    every = (one for one in table.asked if signs.has_unspaced(one) and one in text)
    # A sign may be part of any word: as a name of its own it stands beside what asks.
    names = [
        one
        for one in every
        if (listing and len(one) > 1)
        or any(f"{sign}{one}" in text for sign in ("什么", *table.asking))
    ]
    if not names:
        return None
    name = max(names, key=len)
    left = text.replace(name, " ")
    for part in table.filling:
        left = left.replace(part, " ")
    bare = "".join(char if char.isalnum() else " " for char in left)
    kind = table.asked[name]
    more = tuple(one for one in bare.lower().split() if len(one) > 1)
    if sum(map(len, more)) > _LONG[1]:
        return None
    return ListQuestion((kind, *table.within.get(kind, ())), (name,), more)


def find_members(db: Db, query: str, where: str, values: list[Any]) -> dict[int, float]:
    """The chunks that belong to the kind that a question asks a list of, among those that pass a
    filter on `c`, each with its share of a kind's weight. Empty for any other question.
    """
    table = load_table()
    asked = read_question(query, table)
    if asked is None:
        return {}
    condition = f" AND {where}" if where else ""
    found: dict[int, str] = {}
    for way, given in _list_ways(asked):
        sql = f"SELECT c.id, c.text FROM chunks c WHERE {way}{condition} LIMIT {_MOST}"  # noqa: S608 our own words
        found.update(db.rows(sql, (*given, *values)))
    if match := _match_members(asked.kinds, table):
        sql = (
            "SELECT c.id, c.text FROM fts JOIN chunks c ON c.id=fts.rowid WHERE fts MATCH ?"  # noqa: S608 our own words
            f"{condition} LIMIT {_MOST}"
        )
        wanted = set(asked.kinds)
        rows = db.rows(sql, (match, *values))
        found.update(row for row in rows if wanted.intersection(choose_kinds(row[1], table)))
    if not asked.more:
        return dict.fromkeys(found, PURE)
    return {
        number: NARROWED if _says_more(text, asked.more) else BESIDE
        for number, text in found.items()
    }


def _list_ways(asked: ListQuestion) -> list[tuple[str, list[str]]]:
    """The ways in which memory says what belongs to a kind, as conditions with their values: the
    type of an entity, its relation to the kind, a tag.
    """
    kinds, named = list(asked.kinds), list(dict.fromkeys((*asked.kinds, *asked.names)))
    types, names = (",".join("?" * len(some)) for some in (kinds, named))
    typed = f"SELECT ?||stem||'.md' FROM entities WHERE type IN ({types})"  # noqa: S608 only marks
    related = (
        "SELECT ?||e.source||'.md' FROM edges e JOIN names n ON n.stem=e.target"  # noqa: S608 only marks
        f" WHERE e.word='is-a' AND n.name IN ({names})"
    )
    tagged = " OR ".join([_TAGGED] * len(named))
    return [
        (f"c.path IN ({typed})", [paths.ENTITIES, *kinds]),
        (f"c.path IN ({related})", [paths.ENTITIES, *named]),
        (f"c.tags<>'' AND ({tagged})", named),
    ]


def _match_members(kinds: Sequence[str], table: KindTable) -> str:
    """A match expression for the words of the members of some kinds; empty if they have none."""
    each = []
    for cue in (cue for kind in kinds for cue in table.members.get(kind, ())):
        parts = [cue]
        if signs.has_unspaced(cue):
            # A word of three signs stands there as two parts of two.
            parts = [cue[at : at + 2] for at in range(max(1, len(cue) - 1))]
        each.append(" AND ".join(words.quote(part) for part in parts))
    return " OR ".join(f"({one})" for one in each)


def _says_more(text: str, more: Sequence[str]) -> bool:
    """Whether a text has half of what a question says apart from the kind."""
    flat = flatten_text(text)
    held = sum(one in flat if signs.has_unspaced(one) else f" {one}" in flat for one in more)
    return held * 2 >= len(more)
