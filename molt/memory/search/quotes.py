"""What core memory quotes, and the memory that it quotes: one result, not two."""

from __future__ import annotations

from itertools import pairwise

from molt.index.content import titles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.index.search.candidates import Candidate

    _Pair = tuple[Candidate, float]

_MARK = "(source: "
_QUOTED = 0.8
"""How many of a bullet's words the memory that it cites must have for it to be a quote."""


def merge_quotes(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The candidates, best first, without bullets of core memory that only say again what the
    memory says which they cite; that one stands where the better of both stood.
    """
    if not any(one.store == "core" and _MARK in one.text for one, _ in pairs):
        return list(pairs)
    known = {one.memory_id: (one, decay) for one, decay in pairs}
    kept: dict[str | int, _Pair] = {}
    for one, decay in pairs:
        original = known.get(_find_source(one))
        if original is not None and _is_quote(one, original[0]):
            better = original[0].replace(score=max(one.score, original[0].score))
            kept.setdefault(original[0].chunk_id, (better, original[1]))
        else:
            kept.setdefault(one.chunk_id, (one, decay))
    return list(kept.values())


def _find_source(one: Candidate) -> str:
    """The memory that a bullet of core memory cites; empty for none."""
    if one.store != "core":
        return ""
    return one.text.rpartition(_MARK)[2].partition(")")[0].partition(",")[0].strip()


def _is_quote(bullet: Candidate, original: Candidate) -> bool:
    # Few results quote another: the search would import a hundredth more.
    from molt.formats import facts

    said = _list_units(facts.strip_asides(titles.split_heading(bullet.text)[1]))
    return len(said & _list_units(original.text)) >= _QUOTED * len(said)


def _list_units(text: str) -> frozenset[str]:
    """What two texts have in common where they say the same: words, whatever stands between them,
    and pairs of signs where no spaces part the words.
    """
    plain = "".join(char if char.isalnum() else " " for char in text.casefold())
    units: set[str] = set()
    for word in plain.split():
        units.update([word] if word.isascii() else map("".join, pairwise(word)))
        units.update([word] if len(word) == 1 else ())
    return frozenset(units)
