"""`molt recall`: a question answered with one block of memories for a prompt."""

from __future__ import annotations

from molt.formats import ids
from molt.index.search import candidates
from molt.memory.held import quarantine, withheld
from molt.memory.recall import evidence, questions, strategies
from molt.memory.search import search
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.index.db import Db
    from molt.index.search.candidates import Candidate
    from molt.memory.recall.block import Citation
    from molt.memory.recall.strategies import Brought
    from molt.memory.search.search import Result, SearchOptions
    from molt.memory.workspace import Workspace

TOKENS = 1500
# So many memories are looked at, or more where a block of so few tokens each has room for them.
_WIDE, _LEAST = 100, 20


class Recalled(Value):
    """What a question recalls: the block, where its pieces are from, and what a search for the
    question gives. `type` says how it was understood, `entities` whom it names, `empty` the times
    that it asks about of which nothing was written, `quarantine` that something is held back.
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
    quarantine: str = ""
    empty: tuple[str, ...] = ()


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
    wide = max(_WIDE, max_tokens // _LEAST)

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
        shown = (item.one for group in brought.groups for item in group.items)
        # What is found stands first: the same chunk that was read besides has no score.
        return list({one.chunk_id: one for one in (*shown, *brought.near, *found)}.values())

    asked = search.SearchRequest(question, options, more=gather_more, wide=wide)
    found, seen = search.run_search(ws, asked)
    # A damaged index is asked twice, and only the second answer is whole.
    material = evidence.Material(question, options, kept[-1], found, seen)
    context, citations = evidence.build_block(material, max_tokens)
    held = withheld.read_held(ws.repo)
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
        quarantine=quarantine.tell_held(quarantine.list_quarantined(held)),
        empty=strategies.list_empty(kept[-1], seen),
    )
