"""Keywords: which chunks hold the words of a query, and how much that says (BM25)."""

from __future__ import annotations

import math

import apsw

from molt.index.content import signs, variants, words
from molt.index.db import FLOOR, TOKENIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from molt.index.db import Db
    from molt.index.search.rank import Weights

# All occurrences that one search looks at, rarest words first: half a microsecond each. The words
# that fall out are those that nearly every memory holds.
MOST_MATCHES = 8_000
# BM25's usual constants (Robertson): how soon a repeated word stops counting, how much length does.
_K1, _B = 1.2, 0.75
# Pairs of words that one search looks for: more are of a text that was pasted, not of a question.
_MOST_PAIRS = 16
# Words that begin as one does: a stem has some ten, and each is looked up.
_MOST_FORMS = 100
# And, so, with, as, for: in Arabic they are written together with the next word.
_CLITICS = "وفبكل"
PLACE = "p.id, p.memory, p.unit, p.words, p.speaker, p.flags"


class Found:
    """The chunks that have words of a query.

    `scores` are by chunk, as are `places` (memory, unit, words, speaker, flags); for each word it
    is kept how often a unit has it. `whole` is the score of a chunk that has every word once. Parts
    of a run without spaces overlap, and those that are not words will be missing, so each counts as
    a share. `unknown` is the weight of the words that no text has, `parts` the weight of such parts
    of runs, many of which are no words. `held` is how much of `whole` the words of a chunk have,
    however often and however long the chunk is. `content` is the weight of everything asked for,
    whether any text has it or not, and `told` how much of that a chunk has; of runs without spaces
    only the parts without a function word count. `renamed` is the share of what is asked for that
    some text has by another word, and `proper` how much more the proper names in it weigh in
    `share_with_names` and `known`.
    """

    def __init__(self, totals: tuple[int, int, int, int]) -> None:
        self.totals = totals
        self.whole = 0.0
        self.unknown = 0.0
        self.parts = 0.0
        self.scores: dict[int, float] = {}
        self.held: dict[int, float] = {}
        self.content = 0.0
        self.told: dict[int, float] = {}
        self.proper = 0.0
        self._proper_held: dict[int, float] = {}
        self.places: dict[int, tuple[int, ...]] = {}
        self._in_units: list[dict[int, int]] = []

    def add(self, rows: list[Any], frequency: int, parts: int = 1, *, telling: bool = True) -> None:
        """Count one word, or one of the parts of a run that a sign belongs to: its rows (times, id,
        memory, unit, words, speaker, flags).
        """
        self._add_scores(rows, frequency, 1.0)
        weight, held, told = self._term_weight(frequency) / parts, self.held, self.told
        self.whole += weight
        self.content += weight * telling
        for _, number, *_ in rows:
            held[number] = held.get(number, 0.0) + weight
            if telling:
                told[number] = told.get(number, 0.0) + weight
        units: dict[int, int] = {}
        for times, _, _, unit, *_ in rows:
            units[unit] = units.get(unit, 0) + times
        self._in_units.append(units)

    def add_unknown(self) -> None:
        """Count a word that no text has."""
        self.unknown += self._term_weight(0)
        self.content += self._term_weight(0)

    def add_unknown_part(self, part: str) -> None:
        """Count a part of a run without spaces that no text has."""
        weight = self._term_weight(0) / len(part)
        self.parts += weight
        self.content += weight * words.tells_something(part)

    def add_more(self, rows: list[Any], share: float) -> None:
        """Count what the query does not ask for as such, as a share of what a word counts for."""
        self._add_scores(rows, len(rows), share)

    def add_proper_name(self, rows: list[Any], frequency: int) -> None:
        """Count a word, besides, as the proper name of what is asked about: a memory that often
        tells of it is no less the one that is meant, so it weighs what a word of one text does.
        """
        more = self._term_weight(1) - self._term_weight(frequency)
        self.proper += more
        for _, number, *_ in rows:
            self._proper_held[number] = self._proper_held.get(number, 0.0) + more

    @property
    def every(self) -> float:
        """The weight of all that is asked for, whether any text has it or not."""
        return self.whole + self.unknown + self.parts

    def tell_share(self, number: int) -> float:
        """The share of all that is asked for that a chunk has, from 0 to 1."""
        return min(1.0, self.held.get(number, 0.0) / self.every) if self.every else 0.0

    def share_with_names(self, number: int) -> float:
        """The same share where a name weighs as much however many texts have it: how sure it is
        that a chunk is about what was asked, not how it compares with others.
        """
        held = self.held.get(number, 0.0) + self._proper_held.get(number, 0.0)
        return min(1.0, held / (self.every + self.proper)) if self.every else 0.0

    @property
    def known(self) -> float:
        """The share of all that is asked for that any text has, from 0 to 1, names as there."""
        if not self.every:
            return 0.0
        return min(1.0, (self.whole + self.proper) / (self.every + self.proper))

    def _term_weight(self, frequency: int) -> float:
        return _inverse_frequency(max(self.totals[0], 1), frequency) * (_K1 + 1)

    def _add_scores(self, rows: list[Any], frequency: int, share: float) -> None:
        chunks, total = max(self.totals[0], 1), self.totals[1]
        weight = share * self._term_weight(frequency)
        flat, slope = _K1 * (1 - _B), _K1 * _B * chunks / max(total, 1)
        scores, places = self.scores, self.places
        for times, number, *place in rows:
            size = place[2] if place[2] > FLOOR else FLOOR
            places[number] = place
            gain = weight * times / (times + flat + slope * size)
            scores[number] = scores.get(number, 0.0) + gain

    def units(self, db: Db, wanted: Iterable[int]) -> dict[int, float]:
        """BM25 of whole conversations or days, for the wanted ones; number 0 is none."""
        numbers = [unit for unit in set(wanted) if unit]
        marks = ",".join("?" * len(numbers))
        sql = f"SELECT id, words FROM units WHERE id IN ({marks})"  # noqa: S608 only marks
        every, total = max(self.totals[2], 1), max(self.totals[3], 1)
        flat, slope = _K1 * (1 - _B), _K1 * _B * every / total
        weights = [_inverse_frequency(every, len(units)) for units in self._in_units]
        found: dict[int, float] = {}
        for unit, size in db.rows(sql, numbers):
            norm = flat + slope * size
            found[unit] = sum(
                weight * (_K1 + 1) * times / (times + norm)
                for weight, units in zip(weights, self._in_units, strict=True)
                if (times := units.get(unit, 0))
            )
        return found


def _inverse_frequency(every: int, having: int) -> float:
    """How much a word says that `having` out of `every` texts have (inverse document frequency)."""
    return math.log(1 + (max(every, having) - having + 0.5) / (having + 0.5))


def find(
    db: Db, query: str, where: str, values: list[Any], weights: Weights | None = None
) -> Found:
    """The chunks that have words of a query, among those that pass a filter on `c`.

    With weights, two words of the query that a text has side by side count besides, as a share of
    what one word counts for that as few texts have (sequential dependence; Metzler and Croft,
    2005).
    """
    (totals,) = db.rows("SELECT chunks, words, units, unit_words FROM totals")
    if not all(isinstance(count, int) for count in totals):
        raise apsw.CorruptError("the totals of the index are no numbers")
    found = Found(totals)
    tokens, phrases = _split_query(db, query)
    join = "JOIN chunks c ON c.id=p.id" if where else ""
    condition = f"AND {where}" if where else ""
    picked, missing = _pick_tokens(db, query, tokens)
    names = {token for name in words.list_proper_names(query) for token in _tokenize(db, name)}
    for part in missing:
        found.add_unknown_part(part)
    for forms, frequency in picked:
        if not forms:
            found.add_unknown()
            continue
        sql = (
            f"SELECT count(*), {PLACE} FROM occurrences v CROSS JOIN places p ON p.id=v.doc {join}"  # noqa: S608 our own words
            f" WHERE v.term IN ({','.join('?' * len(forms))}) {condition} GROUP BY v.doc"
        )
        parts = len(forms[0]) if signs.has_unspaced(forms[0]) else 1
        telling = words.tells_something(forms[0])
        rows = db.rows(sql, (*forms, *values))
        found.add(rows, frequency, parts, telling=telling)
        if forms[0] in names:
            found.add_proper_name(rows, frequency)
    sql = (
        f"SELECT 1, {PLACE} FROM fts CROSS JOIN places p ON p.id=fts.rowid {join}"  # noqa: S608 our own words
        f" WHERE fts MATCH ? {condition} LIMIT {MOST_MATCHES}"
    )

    def find_rows(said: str) -> list[Any]:
        return db.rows(sql, (words.quote(said), *values))

    for phrase in phrases:
        rows = find_rows(phrase)
        # A name of several words that stands there as it was asked for counts as a word too. One
        # that is cut off says too little to favour those that came first.
        if len(rows) < MOST_MATCHES:
            found.add(rows, len(rows), telling=False)
    if weights:
        _add_pairs(found, query, weights.pair, find_rows)
    return found


def _add_pairs(
    found: Found, query: str, share: float, find_rows: Callable[[str], list[Any]]
) -> None:
    """Count the words of a query that stand side by side, as a share of a word that is as rare."""
    for both in words.pair_words(query)[:_MOST_PAIRS] if share else ():
        rows = find_rows(both)
        if len(rows) < MOST_MATCHES:
            found.add_more(rows, share)


def _split_query(db: Db, query: str) -> tuple[list[str], list[str]]:
    """The tokens of a query as the index has them, and which of its words are several tokens."""
    tokens: dict[str, None] = {}
    phrases: list[str] = []
    for term in words.split_terms(query):
        names = _tokenize(db, term)
        if len(names) > 1:
            phrases.append(term)
            names = [name for name in names if name not in words.STOP]
        tokens.update(dict.fromkeys(names))
    return list(tokens), phrases


def _tokenize(db: Db, term: str) -> list[str]:
    tokenizer = db.con.fts5_tokenizer(TOKENIZE[0], list(TOKENIZE[1:]))
    data = term.encode("utf-8", "replace")
    parts = tokenizer(data, apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False)
    return [str(part[0]) for part in parts]


def _pick_tokens(
    db: Db, query: str, tokens: list[str]
) -> tuple[list[tuple[list[str], int]], list[str]]:
    """The rarest tokens, as many as can be looked at, each in all its forms and with how many
    chunks have them; a token that no text has is kept without forms. After them the parts of runs
    without spaces that no text has, as nothing tells which of them are words.
    """
    foreign = words.is_foreign(query)
    every = {token: _find_forms(db, token, foreign=foreign) for token in tokens}
    counted = [(sum(forms.values()), list(forms)) for forms in every.values() if forms]
    unknown = [one for one, forms in every.items() if not forms]
    parts = [one for one in unknown if signs.has_unspaced(one)]
    kept: list[tuple[list[str], int]] = []
    total = 0
    for count, forms in sorted(counted):
        total += count
        if kept and total > MOST_MATCHES:
            break
        kept.append((forms, count))
    return [*kept, *(([], 0) for _ in range(len(unknown) - len(parts)))], parts


def _find_forms(db: Db, token: str, *, foreign: bool) -> dict[str, int]:
    """The forms of a token that the index has, with how many chunks have each.

    The tokenizer knows only the endings of English. In other languages a word stands for all words
    that begin like it, apart from its last letters.
    """
    plain = token.isascii() and not foreign
    if variants.has_arabic(token):
        return _find_arabic_forms(db, token)
    return _find_word(db, token) if plain else _find_endings(db, token)


def _find_word(db: Db, token: str) -> dict[str, int]:
    return dict(db.rows("SELECT term, doc FROM vocab WHERE term=?", (token,)))


def _find_arabic_forms(db: Db, token: str) -> dict[str, int]:
    """The forms of an Arabic word: itself, and itself after the words that are written together
    with it (`and`, `so`, `with`, `as`, `for`). If texts know it better without such a word at its
    beginning, without it.
    """
    found = _find_endings(db, token)
    if token[0] in _CLITICS and len(token) > words.SHORT:
        bare = _find_endings(db, token[1:])
        if sum(bare.values()) > sum(found.values()):
            token, found = token[1:], {**bare, **found}
    for clitic in _CLITICS:
        found.update(_find_endings(db, clitic + token))
    return found


def _find_endings(db: Db, token: str) -> dict[str, int]:
    """The forms of a token that differ from it only in their last letters."""
    start = words.cut_forms(token)
    if start == token:
        return _find_word(db, token)
    sql = "SELECT term, doc FROM vocab WHERE term>=? AND term<=? AND length(term)<=? LIMIT ?"
    longest = len(token) + words.ENDING
    return dict(db.rows(sql, (start, start + "\U0010ffff", longest, _MOST_FORMS)))
