"""Short bullets of one section of core memory: one result with several, not several with one."""

from __future__ import annotations

from molt.index.content import titles
from molt.memory.search import snippets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.index.search.candidates import Candidate

    _Pair = tuple[Candidate, float]
    _Sections = dict[tuple[str, str], list[Candidate]]


def merge_siblings(pairs: Sequence[_Pair]) -> Iterator[_Pair]:
    """The candidates, best first, each bullet of core memory with those that were found under the
    same headings, as far as what is printed of a result has room for them. Those take no place of
    their own, nor does a bullet of a section that stands before it.
    """
    sections: _Sections = {}
    for one, _ in pairs:
        if _is_bullet(one):
            sections.setdefault(_find_section(one), []).append(one)
    shown: set[int] = set()
    before: list[Candidate] = []
    for one, decay in pairs:
        if one.chunk_id in shown or any(_holds(other, one) for other in before):
            continue
        before.append(one)
        others = sections.get(_find_section(one), ()) if _is_bullet(one) else ()
        shown.add(one.chunk_id)
        beside = _choose_siblings(one, [other for other in others if other.chunk_id not in shown])
        shown.update(other.chunk_id for other in beside)
        yield _join_bullets(one, beside), decay


def _choose_siblings(one: Candidate, others: Sequence[Candidate]) -> list[Candidate]:
    """As many other bullets as there is room for beside one, best first."""
    left = snippets.PRINTED - len(_read_words(one))
    chosen: list[Candidate] = []
    for other in others:
        size = len(_read_words(other)) + 1
        # What was superseded is marked so, in a place of its own.
        if size <= left and not other.corrected:
            chosen.append(other)
            left -= size
    return chosen


def _join_bullets(one: Candidate, others: Sequence[Candidate]) -> Candidate:
    """A bullet with others in the order of the file."""
    if not others:
        return one
    heading, _ = titles.split_heading(one.text)
    rows = map(_read_words, sorted((one, *others), key=lambda bullet: bullet.start))
    return one.replace(text="\n".join(filter(None, (heading, *rows))))


def _find_section(one: Candidate) -> tuple[str, str]:
    return one.path, titles.split_heading(one.text)[0]


def _read_words(one: Candidate) -> str:
    return titles.split_heading(one.text)[1].strip("\n")


def _is_bullet(one: Candidate) -> bool:
    return one.store == "core" and "#" in one.memory_id


def _holds(section: Candidate, one: Candidate) -> bool:
    """Whether a bullet stands in a piece of its section."""
    within = section.start <= one.start and one.end <= section.end
    return within and section.path == one.path and _is_bullet(one)
