"""What a reranker does to a search: the best of the ranking are read once more, and reordered."""

from __future__ import annotations

from molt.index.search import cross_encoder
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.config import Config
    from molt.index.search.candidates import Candidate

    _Pair = tuple[Candidate, float]


class Reranked(Value):
    """Candidates with their decay factors, best first; the judgements of `model` by the numbers of
    the chunks; `why` it judged none, empty where it did.
    """

    pairs: Sequence[_Pair]
    judged: dict[int, float]
    model: str
    why: str


def rerank_pairs(config: Config, text: str, pairs: Sequence[_Pair]) -> Reranked:
    """Candidates in the order that a reranker's judgement gives them together with their scores;
    as they were where it cannot judge.
    """
    model, why = cross_encoder.load(config)
    if model is None:
        return _keep_order(pairs, why)
    best = [one for one, _ in pairs[: cross_encoder.CANDIDATES]]
    places = [at for at, one in enumerate(best) if model.reads(text) and model.reads(one.text)]
    if not places:
        return _keep_order(pairs, f"{model.model} knows the Latin script alone")
    try:
        judged = model.judge(text, [best[at].text for at in places])
    except ValueError as error:
        return _keep_order(pairs, f"fastembed: {error}")
    by_place = dict(zip(places, judged, strict=True))
    scores = cross_encoder.blend_scores([(one.score, decay) for one, decay in pairs], by_place)
    new = [(one.replace(score=to), decay) for (one, decay), to in zip(pairs, scores, strict=True)]
    # Equal scores stay in the order of the ranking.
    new.sort(key=lambda pair: -pair[0].score)
    by_chunk = {best[at].chunk_id: value for at, value in by_place.items()}
    return Reranked(new, by_chunk, model.model, "")


def _keep_order(pairs: Sequence[_Pair], why: str) -> Reranked:
    return Reranked(pairs, {}, "", f"not reranked: {why}")
