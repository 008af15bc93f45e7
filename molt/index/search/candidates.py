"""Candidates for a query: keywords and vectors, fused."""

from __future__ import annotations

from contextlib import suppress

from molt.formats import ids, paths, times
from molt.formats.origin import UNKNOWN, Origin
from molt.index.content import speakers
from molt.index.search import above, dates, entities, nearest, rank, successors
from molt.index.search import keywords as keyword_search
from molt.index.search.filters import NO_FILTERS, build_condition
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any

    from molt.index.db import Db
    from molt.index.providers.provider import Provider
    from molt.index.search.filters import Filters
    from molt.index.search.rank import Memory, Weights

# Chunks that each ranking brings in: what a memory's surroundings lift is seldom further down.
POOL = 200
_NEAREST = 100
# The best memories whose neighbours become candidates, though nothing in them matches.
_SEEDS = 100
# From some hundred on, one more matches by chance as seldom as the one before.
_MOST_COUNTED = 1_000
_COUNT = (
    "SELECT (SELECT count(*) FROM (SELECT 1 FROM chunks WHERE path < ?1 LIMIT ?3))"
    " + (SELECT count(*) FROM (SELECT 1 FROM chunks WHERE path > ?2 LIMIT ?3))"
)
FIELDS = (
    "c.id, c.path, c.first, c.last, c.memory_id, c.store, c.type, c.tags, c.date, c.text,"
    " c.written, c.base, c.pinned, c.until"
)


class Candidate(Value):
    """A memory by its best chunk, with its scores: `bm25` and `vector` are higher for better, and 0
    where that ranking did not find it; `graph` is 1 for an entity that the query names, and less
    for those related to it; `unit` is the number of its conversation or day, 0 for none. From 0 to
    1: `share` is how much of the query's words it has (`exact` also counts words that no memory
    has), `told` the same without function words, `dated` how well its day fits the one that the
    query names, `titled` the share of the query's words in its title. `corrected` is the id of the
    memory that superseded this one; `among` how many chunks the index has, entities aside,
    counted only so far; `known` the share of all that is asked for that any of them has.
    """

    chunk_id: int
    path: str
    start: int
    end: int
    memory_id: str
    store: str
    type: str
    tags: tuple[str, ...]
    date: str
    text: str
    bm25: float = 0.0
    vector: float = 0.0
    score: float = 0.0
    unit: int = 0
    graph: float = 0.0
    origin: Origin = UNKNOWN
    share: float = 0.0
    exact: float = 0.0
    dated: float = 0.0
    titled: float = 0.0
    corrected: str = ""
    told: float = 0.0
    among: int = 0
    known: float = 0.0


class Ranking(Value):
    """How candidates are ranked: whose vectors say what is near (None for keywords alone), and how
    the two rankings are fused. `today` gives the day (YYYY-MM-DD) from which "last week" is
    counted; without it, that of the newest memory is.
    """

    provider: Provider | None = None
    fusion: str = "min-max"
    today: Callable[[], str] | None = None
    weights: Weights = rank.WEIGHTS


KEYWORDS = Ranking()


def find_candidates(
    db: Db,
    query: str,
    *,
    limit: int,
    filters: Filters = NO_FILTERS,
    ranking: Ranking = KEYWORDS,
) -> list[Candidate]:
    """The best `limit` memories, best first. A memory that has nothing in common with the query is
    left out.
    """
    if not any(map(str.isalnum, query)):
        return []
    where, values = build_condition(filters)
    vector = ranking.provider.query(query) if ranking.provider else b""
    weights = ranking.weights if ranking.fusion == "min-max" else None
    search = _CandidateSearch(
        db, where, values, vector, keyword_search.find(db, query, where, values, weights)
    )
    found, scores = search.rank_memories(query, ranking)
    near, said, whole = search.near, search.keywords.scores, search.keywords.whole
    known = search.keywords.known
    content, told = search.keywords.content, search.keywords.told
    telling = (
        one
        for one in found.values()
        if scores[one.number] > 0 or one.chunk in said or near.get(one.chunk, 0.0) > rank.CHANCE
    )
    ordered = sorted(telling, key=lambda one: (-scores[one.number], one.number))[:limit]
    rows = _chunk_rows(db, FIELDS, [one.chunk for one in ordered])
    among = _count_told(db)
    titled: dict[int, float] = {}
    if ranking.fusion == "min-max":
        for one in ordered:
            # What is said in a conversation is short, and is told of by what stands beside it.
            share = 0.0 if one.unit else search.keywords.tell_share(one.chunk)
            scores[one.number] += ranking.weights.covers * share
        titled = above.lift_titles(query, ordered, rows, scores, ranking.weights)
        above.spread_sections(ordered, rows, scores, ranking.weights)
    links = _add_successors(search, ordered, rows, scores)
    successors.lift_scores(links, scores, ranking.weights.struck)
    ordered.sort(key=lambda one: (-scores[one.number], one.number))
    made = [
        make_candidate(rows[one.chunk]).replace(
            bm25=said.get(one.chunk, 0.0),
            vector=near.get(one.chunk, 0.0),
            score=scores[one.number],
            unit=one.unit,
            graph=search.linked.get(one.number, 0.0),
            share=min(1.0, search.keywords.held.get(one.chunk, 0.0) / whole) if whole else 0.0,
            exact=search.keywords.share_with_names(one.chunk),
            dated=search.dated.get(one.number, 0.0),
            titled=titled.get(one.number, 0.0),
            told=told.get(one.chunk, 0.0) / content if content else 0.0,
            among=among,
            known=known,
        )
        for one in ordered
    ]
    return _mark_superseded(made, links, [one.number for one in ordered]) if links else made


def _count_told(db: Db) -> int:
    """How many chunks could match by chance. What an entity says was drawn from others: if it
    counted too, the same answer would become less sure with each reflection.
    """
    values = (paths.ENTITIES, f"{paths.ENTITIES}\uffff", _MOST_COUNTED)
    ((count,),) = db.rows(_COUNT, values)
    return int(count)


def _add_successors(
    search: _CandidateSearch, found: list[Memory], rows: dict[int, Any], scores: dict[int, float]
) -> dict[int, int]:
    """Add what has taken the place of the memories found, and put it before them. Return which
    memory has superseded which, by number.
    """
    links = successors.find_successors(search.db, [rows[one.chunk][above.MEMORY] for one in found])
    if not links:
        return {}
    numbers = {rows[one.chunk][above.MEMORY]: one.number for one in reversed(found)}
    for memory in search.read_memories(set(links.values()) - numbers.keys()):
        rows.update(_chunk_rows(search.db, FIELDS, [memory.chunk]))
        numbers[rows[memory.chunk][above.MEMORY]] = memory.number
        scores.setdefault(memory.number, 0.0)
        found.append(memory)
    return {
        numbers[old]: numbers[new]
        for old, new in links.items()
        if old in numbers and new in numbers
    }


def _mark_superseded(
    found: list[Candidate], links: Mapping[int, int], numbers: Sequence[int]
) -> list[Candidate]:
    """The candidates, each that was superseded with the id of its successor; that is as surely
    about what was asked as what it replaced.
    """
    place = {number: at for at, number in enumerate(numbers)}
    made = list(found)
    for _ in links:
        for old, new in links.items():
            one, by = made[place[old]], made[place[new]]
            made[place[old]] = one.replace(corrected=by.memory_id)
            fields = ("vector", "share", "exact", "dated", "titled", "told", "graph")
            best = {name: max(getattr(one, name), getattr(by, name)) for name in fields}
            made[place[new]] = by.replace(**best)
    return made


class _CandidateSearch:
    """One search: what its rankings found, and where that stands."""

    def __init__(
        self, db: Db, where: str, values: list[Any], vector: bytes, keywords: keyword_search.Found
    ) -> None:
        self.db = db
        self.keywords = keywords
        self._where = where
        self._values = values
        self._vector = vector
        self.near = nearest.find(db, vector, _NEAREST, where, values)
        self._places = dict(keywords.places)
        self.linked: dict[int, float] = {}
        self.dated: dict[int, float] = {}

    def rank_memories(
        self, query: str, ranking: Ranking
    ) -> tuple[dict[int, Memory], dict[int, float]]:
        """The memories that may answer, and their scores, by number."""
        best = sorted(self.keywords.scores.items(), key=lambda one: -one[1])[:POOL]
        bm25 = dict(best)
        weights = ranking.weights
        if ranking.fusion != "min-max":
            # Rankings merged by rank alone: the classic formulas, nothing added.
            found = self._collect_memories(rank.merge_ranks(bm25, self.near, ranking.fusion))
            return found, {number: one.score for number, one in found.items()}
        self._link(query, bm25)
        self._complete_scores(bm25)
        whole = self.keywords.whole
        found = self._collect_memories(rank.fuse_scores(bm25, self.near, whole, weights))
        if self._add_neighbours(found, bm25):
            found = self._collect_memories(rank.fuse_scores(bm25, self.near, whole, weights))
        units = self.keywords.units(self.db, (one.unit for one in found.values()))
        named = speakers.find_speaker(query, dict(self.db.rows("SELECT id, name FROM speakers")))
        dated = self._date_fit(query, ranking.today, found)
        if dated:
            self.dated = {number: dated(one) for number, one in found.items()}
        asked = speakers.asks_assistant(query)
        around = rank.Surroundings(units, named, dated, self.linked, self.near, asked)
        scores = rank.weigh_memories(found, around, weights)
        return found, scores

    def _link(self, query: str, bm25: dict[int, float]) -> None:
        """Add what is said of the entities that the query names, and of those related to them."""
        shares = entities.linked_files(self.db, query)
        if not shares:
            return
        numbers = dict(_file_chunks(self.db, list(shares), self._where, self._values))
        self._places.update(_read_places(self.db, "p.id", list(numbers), "", []))
        for number, path in numbers.items():
            self.linked[self._places[number][0]] = shares[path]
        self._add_chunks(list(numbers), bm25)

    def _add_chunks(self, numbers: list[int], bm25: dict[int, float]) -> None:
        """Make some chunks candidates, even if they have none of the query's words."""
        missing = [number for number in numbers if number not in self.near]
        self.near.update(nearest.cosines(self.db, self._vector, missing))
        if bm25:
            bm25.update((number, self.keywords.scores.get(number, 0.0)) for number in numbers)

    def _complete_scores(self, bm25: dict[int, float]) -> None:
        """Give every candidate both scores."""
        scores = self.keywords.scores
        bm25.update((number, scores[number]) for number in self.near if number in scores)
        missing = [number for number in bm25 if number not in self.near]
        self.near.update(nearest.cosines(self.db, self._vector, missing))

    def _collect_memories(self, scores: Mapping[int, float]) -> dict[int, Memory]:
        missing = [number for number in scores if number not in self._places]
        self._places.update(_read_places(self.db, "p.id", missing, "", []))
        return rank.group_chunks(scores, self._places)

    def read_memories(self, memories: Collection[str]) -> list[Memory]:
        """Return some memories by their ids, those that pass the filter, without a score."""
        chunks: list[int] = []
        condition = f" AND {self._where}" if self._where else ""
        sql = f"SELECT c.id FROM chunks c WHERE c.path=? AND c.memory_id=?{condition}"  # noqa: S608 our own fields
        for one in sorted(memories):
            with suppress(ValueError):
                for path in ids.list_paths(one):
                    rows = self.db.rows(sql, (path, one, *self._values))
                    chunks += [number for (number,) in rows[:1]]
        places = _read_places(self.db, "p.id", chunks, "", [])
        self._places.update(places)
        return list(rank.group_chunks(dict.fromkeys(chunks, 0.0), places).values())

    def _add_neighbours(self, found: Mapping[int, Memory], bm25: dict[int, float]) -> bool:
        """Add what stands next to the best memories. Returns whether there was any."""
        best = sorted(found.values(), key=lambda one: -one.score)[:_SEEDS]
        beside = [number for number in rank.find_neighbours(best) if number not in found]
        added = _read_places(self.db, "p.memory", beside, self._where, self._values)
        self._places.update(added)
        new = [number for number in added if number not in self.near]
        if bm25:
            # Where no keyword was found, one that has none is not the best of them.
            bm25.update((number, self.keywords.scores.get(number, 0.0)) for number in added)
        self.near.update(nearest.cosines(self.db, self._vector, new))
        return bool(added)

    def _date_fit(
        self, query: str, today: Callable[[], str] | None, found: Mapping[int, Memory]
    ) -> Callable[[Memory], float] | None:
        spans = dates.spans(query, today or (lambda: newest_day(self.db)))
        if not spans:
            return None
        numbers = [one.chunk for one in found.values()]
        # Of what has no day of its own, a log for one, a piece may name the days that it is of.
        fields = "c.id, c.date, CASE c.date WHEN '' THEN c.text ELSE '' END"
        of_chunk = _chunk_rows(self.db, fields, numbers)

        def fit(one: Memory) -> float:
            _, date, text = of_chunk[one.chunk]
            days = (date[:10],) if date else dates.list_days(text)
            return max((dates.fit(day, spans) for day in days if times.is_date(day)), default=0.0)

        return fit


def newest_day(db: Db) -> str:
    """The day of the newest memory."""
    (date,) = db.rows("SELECT max(date) FROM chunks")[0]
    return date[:10] if date and times.is_date(date[:10]) else "1970-01-01"


def _chunk_rows(db: Db, fields: str, numbers: list[int]) -> dict[int, Any]:
    marks = ",".join("?" * len(numbers))
    sql = f"SELECT {fields} FROM chunks c WHERE c.id IN ({marks})"  # noqa: S608 our own fields
    return {row[0]: row for row in db.rows(sql, numbers)}


def _file_chunks(db: Db, files: list[str], where: str, values: list[Any]) -> list[Any]:
    """Number and path of the chunks of some files that pass a filter."""
    condition = f" AND {where}" if where else ""
    sql = f"SELECT c.id, c.path FROM chunks c WHERE c.path IN ({','.join('?' * len(files))})"  # noqa: S608
    return db.rows(sql + condition, (*files, *values))


def _read_places(
    db: Db, column: str, numbers: list[int], where: str, values: list[Any]
) -> dict[int, tuple[int, ...]]:
    """Where chunks stand, by number; `column` says what `numbers` are numbers of."""
    if not numbers:
        return {}
    marks = ",".join("?" * len(numbers))
    join = f"JOIN chunks c ON c.id=p.id AND {where}" if where else ""
    sql = f"SELECT {keyword_search.PLACE} FROM places p {join} WHERE {column} IN ({marks})"  # noqa: S608
    return {row[0]: row[1:] for row in db.rows(sql, (*values, *numbers))}


def make_candidate(row: Any) -> Candidate:
    """The candidate in a row of `FIELDS`, without scores."""
    number, path, start, end, memory_id, store, kind, tags, date, text, *said = row
    written, base, pinned, until = said
    return Candidate(
        chunk_id=number,
        path=path,
        start=start,
        end=end,
        memory_id=memory_id,
        store=store,
        type=kind,
        tags=tuple(filter(None, tags.split("\x1f"))),
        date=date,
        text=text,
        origin=Origin(written, base, bool(pinned), until),
    )
