"""The part of a text that answers: cut around what matched, with the headings above it."""

from __future__ import annotations

from math import log

from molt.formats import sections
from molt.index.content import signs, titles, variants, words
from molt.values import Value, keep_last

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MORE = "…"
PRINTED = 240
"""Characters of the words that are printed of a result: two lines of a terminal of 120."""
_STOPS = (". ", "! ", "? ", "; ", "\n", "。", "！", "？", "；")
_NEAR = 80
"""Characters within which a snippet begins at the start of a sentence instead."""
_OVER, _BELOW = 0.6, 0.5
"""What a word of the query tells of a line that stands under it, and of the line above."""
_WORTH, _SHARE = 0.3, 3
"""What the words that a part lacks must tell, of what those tell that it has, for a line elsewhere
to be shown too, and the share of the room that this takes: one in so many."""
_FIRST = 4
"""The share of the room that what stands above the best line in its section may take, one in so
many."""
_MARKS = "|-=:*_+`~ "
"""What a row of a table, a rule or a fence is made of."""
_MOST_PLACES = 50
"""Places of one word that are looked at; a text that has more of them is a list."""


class Snippet(Value):
    """What is shown of a text: the headings above it, and its words."""

    heading: str
    text: str


def cut_snippet(text: str, query: str, most: int) -> Snippet:
    """At most so many characters of a text, where most words of a query stand together; the
    beginning of one that has none of them. What only sets it off (bold, rules, the borders of
    tables, blanks, headings within) takes no room.
    """
    heading, body = titles.split_heading(text)
    piece = _cut_piece(heading, _drop_marks(body), query, most, bare=True)
    path = " > ".join(title for _, title in piece.within)
    return Snippet(" > ".join(filter(None, (piece.heading, path))), piece.text)


def _drop_marks(text: str) -> str:
    """The rows of a text with words, without the marks that only set them off."""
    rows = (row.replace("**", "").strip("| \t") for row in text.split("\n"))
    return "\n".join(row for row in rows if row.strip(_MARKS))


def cut_text(text: str, query: str, most: int) -> str:
    """A text as it is, or of a longer one its headings and what `cut_snippet` gives."""
    if len(text) <= most:
        return text
    piece = _cut_piece(*titles.split_heading(text), query, most)
    within = (f"{'#' * level} {title}" for level, title in piece.within)
    return "\n".join(filter(None, (piece.heading, *within, piece.text)))


class _CutText(Value):
    """What is cut of a text: the heading that it begins with, the levels and titles of those
    within it that the words stand under, and the words.
    """

    heading: str
    within: tuple[tuple[int, str], ...]
    text: str


def _cut_piece(heading: str, body: str, query: str, most: int, *, bare: bool = False) -> _CutText:
    """What is cut of a text; `bare`, without the headings within it, and as many words more."""
    body = body.strip()
    if not body:
        heading, body = "", heading.strip()
    if not _has_words(body):
        # Of a note of headings alone they are what it says.
        body = "\n".join(sections.list_titles(body))
    (first, end), *others = _choose_spans(body, query, most)
    within, start = _read_headings(body, first)
    end += start - first
    if bare:
        end += sum(len(row) + 1 for row in body[start:end].split("\n") if _is_title(row))
    end = min(len(body), end, *(one for one, _ in others if one > start))
    spans = sorted(((start, end), *others))
    said = f"\n{MORE} ".join(body[one:two].strip() for one, two in spans)
    if bare:
        said = "\n".join(row for row in said.split("\n") if not _is_title(row))
    left = f"{MORE} " if _has_words(body[: spans[0][0]]) else ""
    return _CutText(
        heading, within, f"{left}{said} {MORE}" if spans[-1][1] < len(body) else f"{left}{said}"
    )


def _choose_spans(body: str, query: str, most: int) -> list[tuple[int, int]]:
    """The parts of a text to show, from and to: the one that answers best, and if a word of the
    query stands only elsewhere, which may be the answer, a shorter one there.
    """
    if len(body) <= most:
        return [(0, len(body))]
    weighed = _weigh_units(body, query, most)
    start = _choose_start(body, weighed, most)
    other = _find_other(weighed, start, start + most)
    if other is None:
        return [(start, start + most)]
    size = min(other.end - other.start, most // _SHARE)
    return [(start, start + most - size - len(MORE) - 2), (other.start, other.start + size)]


def _has_words(text: str) -> bool:
    """Whether there is more in a text than headings."""
    return any(row.strip() and not sections.parse_heading(row) for row in text.split("\n"))


def _is_title(row: str) -> bool:
    """Whether a line of what is shown is a heading, which only says where a part begins."""
    return sections.parse_heading(row.removeprefix(f"{MORE} ")) is not None


def _read_headings(body: str, start: int) -> tuple[tuple[tuple[int, str], ...], int]:
    """The headings above what is shown from a place on, and where that begins: below those that
    stand there.
    """
    within: list[tuple[int, str]] = []
    at = 0
    for row in body.split("\n"):
        found = sections.parse_heading(row)
        if at + len(row) > start and row.strip() and not found:
            break
        if found:
            within = [*(one for one in within if one[0] < found[0]), found]
            start = min(at + len(row) + 1, len(body)) if at >= start else start
        at += len(row) + 1
    return tuple(within), start


@keep_last
def list_words(query: str) -> tuple[str, ...]:
    """The words of a query as they are looked for in a text, longer ones without their ending."""
    terms = [words.fold_accents(term.casefold()) for term in words.split_terms(query)]
    parts = ("".join(c if c.isalnum() else " " for c in term).split() for term in terms)
    cut = words.cut_forms if words.is_foreign(query) else _cut_ending
    return tuple(dict.fromkeys(cut(one) for some in (terms, *parts) for one in some))


def _cut_ending(term: str) -> str:
    if not term.isascii():
        return words.cut_forms(term)
    if len(term) < 5:
        return term
    for ending in ("ing", "ed", "es", "s"):
        if term.endswith(ending) and len(term) - len(ending) > 3:
            return term[: -len(ending)]
    return term


def find_places(text: str, query: str) -> list[tuple[int, int, int]]:
    """Where a text has words of a query: from, to, and which word, in order. Words of letters
    count where they begin one.
    """
    text = text if text.isascii() else variants.fold_signs(text)
    low = text.casefold()
    if len(low) != len(text):
        # A few letters are folded to two, and places would be those of another text.
        low = text.lower() if len(text.lower()) == len(text) else text
    low = words.fold_accents(low)
    found: list[tuple[int, int, int]] = []
    for number, term in enumerate(list_words(query)):
        at, count = low.find(term), 0
        runs = signs.has_unspaced(term)
        while at >= 0 and count < _MOST_PLACES:
            end = at + len(term)
            whole = runs or not _joins(low[at - 1 : at])
            if whole and (end - at > 1 or not _joins(low[end : end + 1])):
                found.append((at, end, number))
                count += 1
            at = low.find(term, at + 1)
    return sorted(found)


def _joins(sign: str) -> bool:
    """Whether a sign beside a word is of the same word, as none of a script without spaces is."""
    return sign.isalnum() and not signs.has_unspaced(sign)


class _Unit(Value):
    """A line of a text, or a sentence of a long one: where it begins and ends, where its first word
    of the query stands, the words of the query that it has, and those of the heading that it
    stands under; and whether it is a heading itself.
    """

    start: int
    end: int
    first: int
    own: frozenset[int]
    over: frozenset[int]
    heads: bool


class _WeighedUnits(Value):
    """The units of a text in order, what each tells, and what each word of the query counts."""

    units: tuple[_Unit, ...]
    told: tuple[float, ...]
    weights: Mapping[int, float]


def _weigh_units(text: str, query: str, most: int) -> _WeighedUnits:
    """What each line tells: the rarest words in it or above it."""
    places = find_places(text, query)
    units = _split_units(text, places, most)
    counts: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for begin, end, term in places:
        counts[term] = counts.get(term, 0) + 1
        sizes[term] = max(sizes.get(term, 0), end - begin)
    # A word that the text is full of tells no place in it from another.
    weights = {
        term: (1 + min(sizes[term], 10) / 10) * log(1 + len(units) / count)
        for term, count in counts.items()
    }
    told = tuple(_tell_words(one, weights) for one in units)
    return _WeighedUnits(tuple(units), told, weights)


def _tell_words(one: _Unit, weights: Mapping[int, float]) -> float:
    """What the words of a line tell, and those of the heading above it."""
    own = sum(weights[term] for term in one.own)
    over = sum(weights[term] for term in one.over - one.own)
    return own + _OVER * over


def _choose_start(text: str, weighed: _WeighedUnits, most: int) -> int:
    """Where the piece begins that answers best: with the line that tells most, and with lines below
    it that tell some too.
    """
    units, told = weighed.units, weighed.told
    best, chosen = 0.0, -1
    for at, one in enumerate(units):
        after = (
            told[more] for more in range(at + 1, len(units)) if units[more].end - one.start <= most
        )
        score = told[at] + _BELOW * max(after, default=0.0) if one.own or one.over else 0.0
        if score > best + 1e-9:
            best, chosen = score, at
    if chosen < 0:
        return 0
    one = units[chosen]
    if one.end - one.start > most:
        return _align_start(text, one.first) if one.own else one.start
    # What stands first below a heading is what the heading is about.
    heads = max((at for at in range(chosen) if units[at].heads), default=chosen)
    if heads < chosen and not one.heads and one.start - units[heads].end <= most // _FIRST:
        one = units[heads + 1]
    # At the end of a text there is room for what stands before it.
    least = len(text) - most
    return next((unit.start for unit in units[: chosen + 1] if unit.start >= least), one.start)


def _find_other(weighed: _WeighedUnits, start: int, end: int) -> _Unit | None:
    """The line before or after a part of a text that has what the part lacks: words of the query
    that tell about as much as those that it has.
    """
    weights, units = weighed.weights, weighed.units
    inside = (one.own for one in units if start <= one.start < end)
    shown = frozenset().union(*inside)
    least = _WORTH * sum(weights[term] for term in shown)
    best: _Unit | None = None
    for one in weighed.units:
        gain = sum(weights[term] for term in one.own - shown)
        if gain > least and (one.end <= start or one.start >= end):
            best, least = one, gain
    return best


def _split_units(text: str, places: Sequence[tuple[int, int, int]], most: int) -> list[_Unit]:
    """The lines of a text with the words that they have; of long ones, the sentences."""
    found: list[_Unit] = []
    over: frozenset[int] = frozenset()
    at = 0
    for row in text.split("\n"):
        for start, end in _split_row(row, most):
            if not row[start:end].strip():
                continue
            first, last = at + start, at + end
            inside = [place for place in places if first <= place[0] < last]
            own = frozenset(term for _, _, term in inside)
            named = inside[0][0] if inside else first
            heads = _is_heading(row)
            above = frozenset() if heads else over
            found.append(_Unit(first, last, named, own, above, heads))
            over = own if heads else over
        at += len(row) + 1
    return found


def _split_row(row: str, most: int) -> list[tuple[int, int]]:
    """Where the parts of a line begin and end: its sentences, where it is long."""
    if len(row) <= most:
        return [(0, len(row))]
    stops = sorted(
        at + len(stop) for stop in _STOPS for at in range(len(row)) if row.startswith(stop, at)
    )
    return list(zip([0, *stops], [*stops, len(row)], strict=True))


def _is_heading(row: str) -> bool:
    """Whether what follows a line is about it: a heading, bold words alone, or what ends with a
    colon.
    """
    bare = row.strip().lstrip("-*+ ")
    bold = row.strip().startswith("**") and row.rstrip(" :：").endswith("**")
    return row.startswith("#") or bold or bare.rstrip("* ").endswith((":", "："))


def _align_start(text: str, start: int) -> int:
    """The start of the sentence of a place, if it is near; else of its word."""
    least = max(0, start - _NEAR)
    if not least:
        return 0
    before = text[least:start]
    ends = [before.rfind(stop) + len(stop) for stop in _STOPS if stop in before]
    if ends:
        return least + max(ends)
    space = before.find(" ")
    return least + space + 1 if space >= 0 else start
