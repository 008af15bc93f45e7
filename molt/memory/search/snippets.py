"""The part of a text that answers: cut around what matched, with the headings above it."""

from __future__ import annotations

from molt.index.content import titles, words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MORE = "…"
_STOPS = (". ", "! ", "? ", "\n", "。", "！", "？", "；")
_NEAR = 80
"""Characters within which a snippet begins at the start of a sentence instead."""
_MOST_PLACES = 50
"""Places of one word that are looked at; a text that has more of them is a list."""


class Snippet(Value):
    """What is shown of a text: the headings above it, and its words."""

    heading: str
    text: str


def cut_snippet(text: str, query: str, most: int) -> Snippet:
    """At most so many characters of a text, where most words of a query stand together; the
    beginning of one that has none of them.
    """
    heading, body = titles.split_heading(text)
    body = body.strip()
    if not body:
        heading, body = "", text.strip()
    if len(body) <= most:
        return Snippet(heading, body)
    places = find_places(body, query)
    start = _choose_start(body, places, most)
    end = min(len(body), start + most)
    cut = body[start:end].strip()
    left = f"{MORE} " if start else ""
    return Snippet(heading, f"{left}{cut} {MORE}" if end < len(body) else f"{left}{cut}")


def cut_text(text: str, query: str, most: int) -> str:
    """A text as it is, or of a longer one its headings and what `cut_snippet` gives."""
    if len(text) <= most:
        return text
    cut = cut_snippet(text, query, most)
    return "\n".join(filter(None, (cut.heading, cut.text)))


def list_words(query: str) -> tuple[str, ...]:
    """The words of a query as they are looked for in a text, longer ones without their ending."""
    terms = [term.casefold() for term in words.split_terms(query)]
    parts = ("".join(c if c.isalnum() else " " for c in term).split() for term in terms)
    return tuple(dict.fromkeys(_cut_ending(one) for some in (terms, *parts) for one in some))


def _cut_ending(term: str) -> str:
    if not term.isascii() or len(term) < 5:
        return term
    for ending in ("ing", "ed", "es", "s"):
        if term.endswith(ending) and len(term) - len(ending) > 3:
            return term[: -len(ending)]
    return term


def find_places(text: str, query: str) -> list[tuple[int, int, int]]:
    """Where a text has words of a query: from, to, and which word, in order. Words of letters
    count where they begin one.
    """
    low = text.casefold()
    if len(low) != len(text):
        # A few letters are folded to two, and places would be those of another text.
        low = text.lower() if len(text.lower()) == len(text) else text
    found: list[tuple[int, int, int]] = []
    for number, term in enumerate(list_words(query)):
        at, count = low.find(term), 0
        while at >= 0 and count < _MOST_PLACES:
            whole = not (term[0].isascii() and term[0].isalnum()) or not low[at - 1 : at].isalnum()
            if whole:
                found.append((at, at + len(term), number))
                count += 1
            at = low.find(term, at + 1)
    return sorted(found)


def _choose_start(text: str, places: Sequence[tuple[int, int, int]], most: int) -> int:
    """Where the piece begins that has the most different words, longer ones for more."""
    best, start, first = 0.0, 0, 0
    held: dict[int, int] = {}
    weight = 0.0
    for at, (begin, end, term) in enumerate(places):
        if not held.get(term):
            weight += 1 + min(end - begin, 10) / 10
        held[term] = held.get(term, 0) + 1
        while first < at and end - places[first][0] > most - _NEAR:
            old = places[first]
            held[old[2]] -= 1
            if not held[old[2]]:
                weight -= 1 + min(old[1] - old[0], 10) / 10
            first += 1
        if weight > best + 1e-9:
            best, start = weight, places[first][0]
    return _align_start(text, start) if best else 0


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
