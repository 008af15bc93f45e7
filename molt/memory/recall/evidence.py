"""What of all that is found goes into the block, and in which order."""

from __future__ import annotations

from itertools import chain

from molt.memory.recall.block import Block, cite_item, cite_result, make_pieces
from molt.memory.recall.strategies import ShownMemory
from molt.memory.search import confidence, repeats, search, snippets
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.index.search.candidates import Candidate
    from molt.memory.recall.block import Citation, Piece
    from molt.memory.recall.strategies import Brought
    from molt.memory.search.search import Answer, SearchOptions


class Material(Value):
    """A question with what it brought and what a search found for it; `seen` are the memories of
    both that may be shown, best first.
    """

    question: str
    options: SearchOptions
    brought: Brought
    found: Answer
    seen: tuple[Candidate, ...]


def build_block(material: Material, most: int) -> tuple[str, tuple[Citation, ...]]:
    """The block of at most so many tokens and its citations, in their order. Where a search is
    not sure of anything, only what has been named is in it: else it is empty.
    """
    block = Block(most)
    shown = frozenset(one.chunk_id for one in material.seen)
    groups = [one for one in material.brought.groups if one.named or not material.found.unsure]
    early = [(make_pieces(group, shown), group.share) for group in groups if not group.late]
    late = [make_pieces(group, shown) for group in groups if group.late]
    for (title, pieces), share in early:
        block.add(title, pieces, int(most * share))
    block.add("Found", _list_found(material), most)
    # What had no room before has what is left.
    for title, pieces in (*(one for one, _ in early), *late):
        block.add(title, pieces, most)
    return block.render_block()


def _list_found(material: Material) -> Iterator[Piece]:
    """What a search found, best first; then what stands beside the best of it, and the others
    that are found, which are as many as fit.
    """
    yield from map(cite_result, material.found.results)
    # Who says how many wants no more of them.
    if material.options.limit or not material.found.results:
        return
    visible = {one.chunk_id: one for one in material.seen}
    near = (visible.get(one.chunk_id) for one in material.brought.near)
    for one in chain(near, _list_rest(material)):
        if one is not None:
            cut = snippets.cut_text(one.text, material.question, search.SNIPPET)
            yield cite_item(ShownMemory(one.replace(text=cut)))


def _list_rest(material: Material) -> Iterator[Candidate]:
    """What was found beyond the results, best first."""
    numbers = material.brought.ranked
    pairs = ((one, 1.0) for one in material.seen if one.chunk_id in numbers)
    rating = confidence.find_calibration(material.found.provider, material.question)
    least = material.options.min_score or 0.0
    for one, _ in repeats.drop_repeats(pairs):
        if not least or confidence.rate_candidate(one, rating) >= least:
            yield one
