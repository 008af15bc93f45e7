"""`molt recall`: a question answered with one block of memories for a prompt."""

from __future__ import annotations

from molt.formats import ids
from molt.index.search import candidates
from molt.memory.recall import questions, strategies
from molt.memory.recall.block import Block, cite_result, make_pieces
from molt.memory.search import search
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.index.db import Db
    from molt.index.search.candidates import Candidate
    from molt.memory.recall.block import Citation
    from molt.memory.recall.strategies import Brought
    from molt.memory.search.search import Answer, Result, SearchOptions
    from molt.memory.workspace import Workspace

TOKENS = 1500
# What the type of a question brings may take so much of the block; what a search finds, the rest.
_SHARE = 0.65


class Recalled(Value):
    """What a question recalls: the block, where its pieces are from, and what a search for the
    question gives. `type` says how it was understood, `entities` whom it names.
    """

    question: str
    type: str
    entities: tuple[str, ...]
    context: str
    citations: tuple[Citation, ...]
    results: tuple[Result, ...]
    provider: str
    model: str
    fallback: str
    stale: int
    at: str = ""
    reranker: str = ""
    hidden: Mapping[str, int] = search.ALL_SHOWN
    unsure: int = 0


def answer_question(
    ws: Workspace,
    question: str,
    options: SearchOptions = search.PLAIN,
    *,
    max_tokens: int = TOKENS,
    hops: int = 1,
) -> Recalled:
    """What a question recalls, in at most `max_tokens`. An entity's relations are followed over so
    many `hops`, of 0 to 2.

    The options are those of `search.search`, which finds the candidates of every question, and so
    are the errors that are raised.
    """
    kept: list[Brought] = []

    def gather_more(db: Db, found: Sequence[Candidate]) -> list[Candidate]:
        brought = strategies.bring_groups(
            strategies.Ask(
                text=question,
                question=questions.parse(question),
                db=db,
                found=found,
                filters=options.filters,
                today=options.today or (lambda: candidates.newest_day(db)),
                hops=hops,
                similarity=ws.config.graph_ask,
            )
        )
        kept.append(brought)
        return [item.one for group in brought.groups for item in group.items]

    asked = search.SearchRequest(question, options, more=gather_more)
    found, seen = search.run_search(ws, asked)
    # A damaged index is asked twice, and only the second answer is whole.
    context, citations = _build_block(kept[-1], found, seen, max_tokens)
    return Recalled(
        question=question,
        type=kept[-1].type,
        entities=tuple(map(ids.entity, kept[-1].entities)),
        context=context,
        citations=citations,
        results=found.results,
        provider=found.provider,
        model=found.model,
        fallback=found.fallback,
        stale=found.stale,
        at=found.at,
        reranker=found.reranker,
        hidden=found.hidden,
        unsure=found.unsure,
    )


def _build_block(
    brought: Brought, found: Answer, seen: frozenset[int], most: int
) -> tuple[str, tuple[Citation, ...]]:
    """The assembled block and its citations, in their order."""
    block = Block(most)
    early = [make_pieces(group, seen) for group in brought.groups if not group.late]
    late = [make_pieces(group, seen) for group in brought.groups if group.late]
    for title, pieces in early:
        block.add(title, pieces, int(most * _SHARE))
    block.add("Found", list(map(cite_result, found.results)), most)
    # What had no room before has what is left.
    for title, pieces in (*early, *late):
        block.add(title, pieces, most)
    return block.render_block()
