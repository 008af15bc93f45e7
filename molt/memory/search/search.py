"""Search: candidates from the index, which is brought up to the files first."""

from __future__ import annotations

from itertools import islice

from molt import errors
from molt.index import db as dbs
from molt.index import providers
from molt.index.content import sources
from molt.index.fill import sync
from molt.index.providers import provider as vector_identity
from molt.index.search import candidates
from molt.index.search.filters import NO_FILTERS
from molt.memory.decay import formula
from molt.memory.decay import scores as decay_scores
from molt.memory.held import withheld
from molt.memory.search import confidence, index, quotes, repeats, siblings, snippets, visible
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from molt.index.fill.sync import IndexFreshness
    from molt.index.search.candidates import Candidate
    from molt.index.search.filters import Filters
    from molt.memory.decay.scores import Scores
    from molt.memory.held.withheld import Held
    from molt.memory.search.at import Moment
    from molt.memory.search.visible import Sight
    from molt.memory.workspace import Workspace

    _Pair = tuple[Candidate, float]
    _Found = tuple[IndexFreshness, list[Candidate], Sequence[Candidate], int]
    More = Callable[[dbs.Db, Sequence[Candidate]], Sequence[Candidate]]

ALL_SHOWN: Mapping[str, int] = {}
"""No memory that matches is hidden."""
SNIPPET = 700
"""Characters of a result: a screen holds five of them."""
MEMORY, SESSION = "memory", "session"
# The sources that a commit holds.
_COMMITTED = frozenset(("memory", sources.WORKSPACE, sources.DOCUMENTS))
# Candidates for each result: some fall to decay, some say the same as another.
_SPARE = 4
# Whether there is an answer does not depend on how many are shown.
_LEAST = 10
# As many as there are: a session is judged by all that was found in it.
_EVERY = 1_000
# What a reranker is shown, and `more`: the ranking as far as it still says something.
_WIDE = 100
# What the best memories of a session count, in order. On conversations, the best alone gives MRR
# 83.5, the two best alike 83.7, and any shares that fall like these 83.8 to 84.0.
_NEXT = (1.0, 0.7, 0.4)


class Result(Value):
    """One memory found; lines count from 1, inclusive. `signals` say where the score comes from,
    with `rerank` only if a reranker judged it; `source` says whether it is of the memory, an extra
    folder or a transcript. `snippet` begins with the headings above it, if any. `confidence` says
    from 0 to 1 how sure it is that this is about what was asked, and `matched` by what.
    `quarantine` names the commit that brought it and the rules it breaks, if it is held back.
    """

    id: str
    path: str
    start_line: int
    end_line: int
    snippet: str
    score: float
    signals: dict[str, float]
    citation: str
    source: str
    date: str = ""
    confidence: float = 1.0
    matched: tuple[str, ...] = ()
    quarantine: str = ""
    corrected: str = ""


class Answer(Value):
    """Results with what gave them; `fallback` says why vectors, a reranker's judgement, or an
    index on disk are missing, `stale` how many vectors are.

    `at` is the commit that was asked; empty for the files on disk. `reranker` is the model that
    judged; empty for none. `hidden` counts, by status, the dormant and archived memories that have
    words of the query and are not shown. `unsure` is how many results were left out, for nothing
    is sure enough to be about what was asked.
    """

    query: str
    results: tuple[Result, ...]
    provider: str
    model: str
    fallback: str
    stale: int
    at: str = ""
    reranker: str = ""
    hidden: Mapping[str, int] = ALL_SHOWN
    unsure: int = 0


class SearchOptions(Value):
    """What a search or a recall may be asked with; what is left out is as configured.

    Files are those on disk now, or those of the commit `at`. There are at most `limit` results. If
    the best is less sure than the configured minimum (0 to 1), there is no answer; with a
    `min_score`, results less sure than that are left out instead. `today` gives the day
    (YYYY-MM-DD) from which "last week" is counted, else it is that of the newest memory. Without a
    `sight` nothing has faded. With `settled`, the index of the last commit answers if there is one.
    """

    limit: int = 0
    filters: Filters = NO_FILTERS
    today: Callable[[], str] | None = None
    sight: Sight | None = None
    min_score: float | None = None
    at: Moment | None = None
    settled: bool = False


PLAIN = SearchOptions()


def search(
    ws: Workspace,
    text: str,
    options: SearchOptions = PLAIN,
    *,
    by: str = MEMORY,
    merged: bool = False,
) -> Answer:
    """The memories that match a text best; with `by` SESSION, the best of each conversation or day;
    `merged`, short bullets of one section of core memory are one result, to be read.

    Raises Usage for sources that no commit has.
    """
    return run_search(ws, SearchRequest(text, options, by, merged=merged))[0]


def search_marked(
    ws: Workspace, text: str, options: SearchOptions = PLAIN, *, by: str = MEMORY
) -> Answer:
    """The same for a person, who also sees, after all else, what matches and is held back."""
    answer = search(ws, text, options, by=by, merged=True)
    held = withheld.read_held(ws.repo) if options.at is None else withheld.NOTHING
    if not held.lines:
        return answer
    return answer.replace(results=(*answer.results, *_list_held(ws, held, text, options)))


def _list_held(ws: Workspace, held: Held, text: str, options: SearchOptions) -> Iterator[Result]:
    """What matches and is held back, marked."""
    from molt.memory.search import held as holding

    filters = _choose_sources(ws, options.filters)
    limit = options.limit or ws.config.search_limit
    for one, mark in holding.find_held(ws, held, text, filters, limit):
        yield make_result(text, one, 1.0, {}, None).replace(quarantine=mark)


class SearchRequest(Value):
    """A search and all that it is asked with; `more` gives further candidates from the same state
    of the index, given the best `wide` memories that were found. With `merged`, short bullets of
    one section of core memory are one result.
    """

    text: str
    options: SearchOptions
    by: str = MEMORY
    more: More | None = None
    wide: int = _WIDE
    merged: bool = False


def run_search(ws: Workspace, asked: SearchRequest) -> tuple[Answer, tuple[Candidate, ...]]:
    """A search, and what its `sight` sees of what `more` gave, best first.

    Raises what `search` raises.
    """
    if not asked.options.limit:
        asked = asked.replace(options=asked.options.replace(limit=ws.config.search_limit))
    if asked.options.at is not None and set(asked.options.filters.sources) - _COMMITTED:
        raise errors.Usage("commits hold no extra files or transcripts", "leave out `--at`")
    seconds = max(1.0, ws.config.search_sync_budget_ms / 1000)
    with index.provided(ws, seconds=seconds) as (provider, why):
        try:
            return _search_index(ws, asked, provider, why)
        except errors.Unavailable as error:
            provider, why = providers.load_fallback(ws.config, index.format_error(error))
    return _search_index(ws, asked, provider, why)


def _search_index(
    ws: Workspace, asked: SearchRequest, provider: vector_identity.Provider | None, why: str
) -> tuple[Answer, tuple[Candidate, ...]]:
    def ask(db: dbs.Db) -> _Found:
        return _ask_index(ws, asked, db, provider)

    unwritten = ""
    try:
        fresh, found, more, count = dbs.ask(lambda: _open_index(ws, asked, provider), ask)
    except (dbs.Unwritable, *dbs.UNWRITABLE) as error:
        # Files answer without an index on disk: it only has to be made again for each question.
        copy = dbs.ask(lambda: index.opened_copy(ws, provider), ask)
        fresh, found, more, count = copy
        unwritten = f"{error}; all was read for this answer"
    scores = (
        _load_scores(ws, asked.options.at, asked.options.sight)
        if asked.options.sight and (found or more)
        else None
    )
    weighed = _weigh_candidates(asked, found, scores)
    hidden = visible.count_hidden(found, scores, (one for one, _ in weighed)) if scores else {}
    pairs, judged, reranker, unjudged = _rerank_pairs(ws, asked, weighed)
    pairs = _group_sessions(pairs) if asked.by == SESSION else pairs
    name, model = (provider.name, provider.model) if provider else ("none", "")
    told = repeats.drop_repeats(quotes.merge_quotes(pairs))
    told = siblings.merge_siblings(tuple(told)) if asked.merged else told
    shown = islice(told, asked.options.limit)
    # What a reranker has read is as sure as it says.
    rating = None if judged else confidence.find_calibration(name, asked.text)
    results = tuple(make_result(asked.text, *pair, judged, rating) for pair in shown)
    unsure = 0
    least = confidence.scale_least(_find_least(ws, asked.options), count, rating)
    if confidence.rate_answer([one for one, _ in pairs], rating) < least:
        unsure, results = len(results), ()
    if asked.options.min_score:
        results = tuple(one for one in results if one.confidence >= asked.options.min_score)
    commit = asked.options.at.commit if asked.options.at else ""
    reason = "; ".join(filter(None, (why, unjudged, unwritten)))
    more_of = (fresh.stale, commit, reranker, hidden, unsure)
    answer = Answer(asked.text, results, name, model, reason, *more_of)
    return answer, tuple(one for one, _ in _weigh_candidates(asked, more, scores))


def _ask_index(
    ws: Workspace, asked: SearchRequest, db: dbs.Db, provider: vector_identity.Provider | None
) -> _Found:
    """How fresh the index is, what it finds, what `more` gives, and from how many pieces."""
    fresh = _prepare_index(ws, asked, db, provider)
    found, more = _find_candidates(ws, asked, db, provider)
    ((count,),) = db.rows("SELECT chunks FROM totals")
    return fresh, found, more, count


def _open_index(
    ws: Workspace, asked: SearchRequest, provider: vector_identity.Provider | None
) -> AbstractContextManager[dbs.Db]:
    if asked.options.at is not None:
        # Few ask for the past, and what finds it takes as long to import as three others.
        from molt.memory.search import at as past

        return past.opened(ws, provider, asked.options.at)
    return index.opened(ws, provider)


def _prepare_index(
    ws: Workspace, asked: SearchRequest, db: dbs.Db, provider: vector_identity.Provider | None
) -> IndexFreshness:
    """Bring the index up to date, and tell it which memories are an actor's."""
    fresh = _freshen_index(ws, asked, db, provider)
    if asked.options.filters.types:
        from molt.index.search import type_names

        type_names.check_types(db, asked.options.filters.types)
    if asked.options.filters.actor:
        from molt.index.search import selected
        from molt.memory.search import written_by

        commit = asked.options.at.commit if asked.options.at else ws.repo.tip()
        selected.mark_chunks(
            db, written_by.find_written(ws.repo, commit, asked.options.filters.actor)
        )
    return fresh


def _freshen_index(
    ws: Workspace, asked: SearchRequest, db: dbs.Db, provider: vector_identity.Provider | None
) -> IndexFreshness:
    if asked.options.at is not None:
        from molt.memory.search import at as past

        return past.freshen_index(ws, db, provider, asked.options.at)
    if asked.options.settled:
        head, budget = ws.repo.reader.tree_id("HEAD"), index.choose_budget(ws, provider)
        found = sync.freshen_settled(db, head, budget_ms=budget, provider=provider)
        if found is not None:
            return found
    return index.freshen_index(ws, db, provider)


def _find_candidates(
    ws: Workspace, asked: SearchRequest, db: dbs.Db, provider: vector_identity.Provider | None
) -> tuple[list[Candidate], Sequence[Candidate]]:
    limit = _EVERY if asked.by == SESSION else max(asked.options.limit, _LEAST) * _SPARE
    if ws.config.search_rerank != "none":
        # Its best are those that are left after decay.
        limit = max(limit, _WIDE)
    found = candidates.find_candidates(
        db,
        asked.text,
        limit=max(limit, asked.wide) if asked.more else limit,
        filters=_choose_sources(ws, asked.options.filters),
        ranking=candidates.Ranking(provider, ws.config.search_fusion, asked.options.today),
    )
    return found[:limit], asked.more(db, found) if asked.more else ()


def _choose_sources(ws: Workspace, filters: Filters) -> Filters:
    """The filters, without files at the top of the workspace unless somebody asks for them or the
    configuration names them.
    """
    if filters.sources or sources.WORKSPACE in ws.config.search_sources:
        return filters
    return filters.replace(sources=tuple(one for one in sources.NAMES if one != sources.WORKSPACE))


def _weigh_candidates(
    asked: SearchRequest, found: Sequence[Candidate], scores: Scores | None
) -> list[_Pair]:
    """The candidates with their decay factors, applied to their scores, best first."""
    if asked.options.sight is not None and scores is not None:
        return visible.weigh_candidates(found, scores, asked.options.sight)
    return [(one, 1.0) for one in found]


def _rerank_pairs(
    ws: Workspace, asked: SearchRequest, pairs: Sequence[_Pair]
) -> tuple[Sequence[_Pair], dict[int, float], str, str]:
    """The candidates in a reranker's order, its judgements by the numbers of chunks, which model
    judged, and why none did. A reranker that is off is not even imported.
    """
    if ws.config.search_rerank == "none" or not pairs:
        return pairs, {}, "", ""
    from molt.memory.search import reranked

    done = reranked.rerank_pairs(ws.config, asked.text, pairs)
    return done.pairs, done.judged, done.model, done.why


def _load_scores(ws: Workspace, at: Moment | None, sight: Sight) -> Scores:
    fading = formula.read_fading(ws.config)
    if at is not None:
        return decay_scores.load_past_scores(ws.repo, ws.repo.tree(at.tree), sight.now, fading)
    return decay_scores.load_scores(ws.repo, ws.head(), sight.now, fading)


def _group_sessions(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The best of each conversation or day. The next best count too, each for less, as one line may
    match by chance. What is part of none stands for itself.
    """
    units: dict[int, list[_Pair]] = {}
    for one, decay in pairs:
        units.setdefault(one.unit or -one.chunk_id, []).append((one, decay))
    best: list[_Pair] = []
    for some in units.values():
        first, decay = some[0]
        score = sum(share * one.score for share, (one, _) in zip(_NEXT, some, strict=False))
        best.append((first.replace(score=score), decay))
    return sorted(best, key=lambda pair: -pair[0].score)


def _find_least(ws: Workspace, options: SearchOptions) -> float:
    return ws.config.search_min_score if options.min_score is None else options.min_score


def make_result(
    query: str,
    one: Candidate,
    decay: float,
    judged: Mapping[int, float],
    rating: confidence.Calibration | None,
) -> Result:
    path, source = sources.display_path(one.path), sources.source_of(one.path)
    where = f"{path}#L{one.start}-L{one.end}"
    signals = {"bm25": one.bm25, "vector": one.vector, "graph": one.graph, "decay": decay}
    if one.chunk_id in judged:
        signals["rerank"] = judged[one.chunk_id]
    cut = snippets.cut_text(one.text, query, SNIPPET)
    return Result(
        id=one.memory_id or path,
        path=path,
        start_line=one.start,
        end_line=one.end,
        snippet=cut,
        score=one.score,
        signals=signals,
        citation=where,
        source=source,
        date=one.date,
        confidence=round(confidence.rate_candidate(one, rating), 3),
        matched=confidence.list_reasons(one),
        corrected=one.corrected,
    )
