"""The order of memories: keywords and vectors fused, then what stands around a memory."""

from __future__ import annotations

from molt.index.content import speakers
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


class Weights(Value):
    """How much each thing counts, relative to a best own score of 1.

    `docs/benchmarks.md` has what each is worth. They are round numbers, about half as large as what
    fits conversations best: other texts gain less from them, and must not lose.
    """

    vector: float = 0.35
    """Keywords have the rest: names and numbers are what a memory is asked for most."""
    pair: float = 0.5
    """Two words of the query stand side by side; half of what a word as rare would count."""
    whole: float = 0.5
    """How much the best match by keywords is held against one that has every word: with 0 it
    counts as 1 whatever it lacks, with 1 as the share that it has. Where keywords find little,
    vectors and what stands around a memory tell more."""
    beside: float = 0.15
    """A turn is told of by the turns next to it; those at distance two count half."""
    unit: float = 0.2
    """The whole conversation or day holds the words of the query."""
    best: float = 0.15
    """The best memory of the conversation or day."""
    answer: float = 0.2
    """Between people, what is said after a question that matches answers it …"""
    asking: float = 0.1
    """… and a turn that ends with a question tells less than others."""
    speaker: float = 0.1
    """The one person that the query names said it."""
    user: float = 0.3
    """In a log of an assistant, what the user said is what the user remembers."""
    date: float = 0.4
    """The query names the day of the memory: who names one means it."""
    standing: float = 0.3
    """What is to be done from now on applies by topic, and not by words: as near as it is …"""
    prefers: float = 0.15
    """… and so does what somebody prefers, half as much."""
    title: float = 0.1
    """The share of the query's words that stand in the headings above a piece, or name its file."""
    covers: float = 0.1
    """The share of what is asked for that a piece has, however long it is: a long note that has all
    words answers sooner than a line that is full of one."""
    core: float = 0.05
    """Core memory is what the agent holds to be most important."""
    workspace: float = 0.9
    """What stands at the top of the workspace is told in every conversation anyway: of equals the
    memory is first."""
    bulk: float = 0.7
    """What a machine wrote in bulk has many words, and nobody chose any of them."""
    document: float = 0.7
    """What stands in other folders was written for its own purpose, and nobody chose to remember
    it: drafts and copies say again what the memory says."""
    again: float = 0.1
    """A further bullet of a section of core memory, which has the same headings above it, counts
    so much less, a third one twice as much."""
    struck: float = 0.5
    """What is struck out holds no longer, and stands after what replaced it: so much less."""
    graph: float = 0.1
    """The query names the entity whose file it is; one related to that has half. No more than a
    speaker has: a label is among the words of its file, so keywords have told most of it."""


WEIGHTS = Weights()
CHANCE = 0.1
"""The cosine of two texts that have nothing to do with each other. Of the answers to questions on
conversations one in a hundred is less near, and a word made up is nearer to most."""
TOPIC = 0.3
"""The cosine from which on two texts are of one topic: on conversations, below it are 55 % of
the questions of other conversations, and 1 % of those of their own."""
# Offsets of the turns around one, with their share of `beside`.
_AROUND = ((-1, 1.0), (1, 1.0), (-2, 0.5), (2, 0.5))


class Memory:
    """One memory among the candidates: its best chunk, its own score, and what it is part of."""

    __slots__ = ("chunk", "flags", "number", "score", "speaker", "unit")

    def __init__(self, number: int, chunk: int, score: float, place: tuple[int, ...]) -> None:
        self.number = number
        self.chunk = chunk
        self.score = score
        _, self.unit, _, self.speaker, self.flags = place


def fuse_scores(
    keyword: Mapping[int, float], vector: Mapping[int, float], whole: float, weights: Weights
) -> dict[int, float]:
    """The scores of chunks by both rankings: the weighted sum of two scores from 0 to 1.

    `whole` is the keyword score of a chunk that has every word of the query.
    """
    top = max(keyword.values(), default=0.0)
    full = max(top, top ** (1 - weights.whole) * whole**weights.whole)
    first = _scale_scores(keyword, 0.0, full)
    second = (
        _scale_scores(vector, min(vector.values(), default=0.0))
        if keyword
        else _scale_cosines(vector)
    )
    if not (keyword and vector):
        return _weighted_sum(first, second, 1.0, 1.0)
    return _weighted_sum(first, second, 1 - weights.vector, weights.vector)


def merge_ranks(
    keyword: Mapping[int, float], vector: Mapping[int, float], fusion: str
) -> dict[int, float]:
    """The scores of chunks by their ranks alone: `reciprocal-rank` (Cormack et al., 2009) or
    `weighted-rank`.
    """
    if fusion == "weighted-rank":
        return _weighted_sum(_reciprocal_ranks(keyword, 0), _reciprocal_ranks(vector, 0), 0.3, 0.7)
    return _weighted_sum(_reciprocal_ranks(keyword, 60), _reciprocal_ranks(vector, 60), 1.0, 1.0)


def _weighted_sum(
    first: Mapping[int, float], second: Mapping[int, float], one: float, two: float
) -> dict[int, float]:
    every = dict.fromkeys((*first, *second))
    return {
        number: one * first.get(number, 0.0) + two * second.get(number, 0.0) for number in every
    }


def _scale_cosines(vector: Mapping[int, float]) -> dict[int, float]:
    """Cosines scaled to 0 to 1 for when they alone decide: a cosine no higher than that of any two
    texts becomes 0, because the least near of only a few may still be near.
    """
    if max(vector.values(), default=0.0) <= CHANCE:
        return dict.fromkeys(vector, 0.0)
    return _scale_scores(vector, min(CHANCE, *vector.values()))


def _scale_scores(scores: Mapping[int, float], low: float, high: float = 0.0) -> dict[int, float]:
    """Scores scaled so that `low` becomes 0, and `high` (or the highest) becomes 1."""
    high = high or max(scores.values(), default=0.0)
    if high <= low:
        return dict.fromkeys(scores, 1.0)
    return {number: (score - low) / (high - low) for number, score in scores.items()}


def _reciprocal_ranks(scores: Mapping[int, float], base: int) -> dict[int, float]:
    ordered = sorted(scores, key=lambda number: -scores[number])
    return {number: 1 / (base + 1 + rank) for rank, number in enumerate(ordered)}


def group_chunks(
    chunks: Mapping[int, float], places: Mapping[int, tuple[int, ...]]
) -> dict[int, Memory]:
    """The memories that chunks belong to, each represented by its best chunk."""
    found: dict[int, Memory] = {}
    for chunk, score in chunks.items():
        place = places[chunk]
        known = found.get(place[0])
        if known is None or score > known.score:
            found[place[0]] = Memory(place[0], chunk, score, place)
    return found


def find_neighbours(found: Collection[Memory]) -> list[int]:
    """The numbers of the memories that stand directly before or after some."""
    known = {one.number for one in found}
    beside = {one.number + step for one in found if one.unit for step, _ in _AROUND}
    return sorted(beside - known)


NOTHING_NEAR: Mapping[int, float] = {}


class Surroundings(Value):
    """What stands around memories. `units` are the keyword scores of conversations; `named` is the
    speaker that the query names (0 for none); `dated` says how well a memory's day fits; `linked`
    is how near it is in the graph, by number; `near` are the cosines of chunks; `asked` says
    whether the query asks what the assistant said.
    """

    units: Mapping[int, float]
    named: int
    dated: Callable[[Memory], float] | None
    linked: Mapping[int, float]
    near: Mapping[int, float] = NOTHING_NEAR
    asked: bool = False


def weigh_memories(
    found: Mapping[int, Memory], around: Surroundings, weights: Weights = WEIGHTS
) -> dict[int, float]:
    """The final score of each memory, by number: its own score, and what stands around it."""
    units, named, dated = around.units, around.named, around.dated
    spread = _scale_scores(units, min(units.values(), default=0.0)) if len(units) > 1 else {}
    best: dict[int, float] = {}
    for one in found.values():
        best[one.unit] = max(best.get(one.unit, 0.0), one.score)
    several = len(best) > 1
    scores: dict[int, float] = {}
    for number, one in found.items():
        score = one.score
        if one.unit:
            score += _score_neighbours(one, found, weights)
        if one.unit and several:
            score += weights.best * best[one.unit]
        if one.flags & (speakers.USER | speakers.ASSISTANT):
            # What an assistant writes is long and of everything: the text of a whole log says
            # little, and users put facts into questions.
            score += weights.user * bool(one.flags & speakers.USER) * (not around.asked)
        else:
            score += weights.unit * spread.get(one.unit, 0.0)
            score -= weights.asking * bool(one.speaker and one.flags & speakers.ASKS)
        score += weights.speaker * bool(named and one.speaker == named)
        if dated:
            score += weights.date * dated(one)
        score += weights.graph * around.linked.get(number, 0.0)
        if one.flags & (speakers.STANDING | speakers.PREFERS):
            will = weights.standing if one.flags & speakers.STANDING else weights.prefers
            score += will * _scale_topic(around.near.get(one.chunk, 0.0))
        scores[number] = max(score, 0.0) * _weigh_writer(one.flags, weights)
    return scores


def _weigh_writer(flags: int, weights: Weights) -> float:
    """How much a memory counts because of who wrote it."""
    share = weights.workspace if flags & speakers.WORKSPACE else 1.0
    share *= weights.document if flags & speakers.DOCUMENT else 1.0
    return share * weights.bulk if flags & speakers.BULK else share


def _scale_topic(cosine: float) -> float:
    """How close a text is to the topic of a query by its cosine, from 0 to 1."""
    return min(1.0, max(0.0, (cosine - CHANCE) / (TOPIC - CHANCE)))


def _score_neighbours(one: Memory, found: Mapping[int, Memory], weights: Weights) -> float:
    total = 0.0
    for step, share in _AROUND:
        other = found.get(one.number + step)
        if other is not None and other.unit == one.unit:
            total += weights.beside * share * other.score
            if step == -1 and _is_answer(other, one):
                total += weights.answer * other.score
    return total


def _is_answer(question: Memory, answer: Memory) -> bool:
    people = not (question.flags | answer.flags) & (speakers.USER | speakers.ASSISTANT)
    spoken = bool(question.speaker and answer.speaker)
    return people and spoken and bool(question.flags & speakers.ASKS)
