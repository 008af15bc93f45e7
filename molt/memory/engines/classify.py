"""Where a text belongs, by the trained model that ships: store, type, block of core memory."""

from __future__ import annotations

from molt.index.content import variants
from molt.ngram_model import ClassShares, NgramModel
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NONE = "none"
PLACES = (
    ("core", "fact", "Active Context"),
    ("core", "fact", "Critical Facts"),
    ("core", "fact", "Identity"),
    ("core", "preference", "Persona"),
    ("episodic", "correction", ""),
    ("episodic", "decision", ""),
    ("episodic", "emotion", ""),
    ("episodic", "event", ""),
    ("episodic", "fact", ""),
    ("episodic", "preference", ""),
    ("episodic", "task", ""),
    (NONE, "fact", ""),
    ("procedural", "fact", ""),
    ("semantic", "fact", ""),
    ("semantic", "preference", ""),
    ("vault", "fact", ""),
)
"""What the model tells apart: store, type, and block where the store is core memory."""
NAMES = tuple("/".join(place) for place in PLACES)
NOTHING = f"{NONE}/fact/"
_LONGEST = 1_000
"""Characters by which a text is judged: what it is about stands at its head."""
_CHANCE = 1 / 4
"""Below this probability the model does not know: an episode is never wrong, a store may be."""
_PLAIN = ("episodic", "fact", "")
_FEWEST_WORDS, _FEWEST_SIGNS = 2, 4
"""Words, or signs of a script without spaces, below which a text is no sentence to judge by."""
MODEL = NgramModel("routes", NAMES, shapes=True)


class Classification(Value):
    """Where a text belongs, each answer with its probability.

    `store` is `none` only for what is surely a question or an order for now. `type` is that of the
    store. `block` is the likeliest block of core memory, whatever the store is; its confidence is
    the share among the blocks, so that a caller who knows that the store is core can use it.
    """

    store: str
    type: str
    block: str
    store_confidence: float
    block_confidence: float


def classify_text(text: str) -> Classification:
    """Return where a text belongs. In doubt it is an episode, with a low confidence."""
    scores = MODEL.score_text(fold_text(text[:_LONGEST]))
    nothing = scores.sum_shares((NOTHING,))
    if nothing >= MODEL.bounds[NOTHING]:
        return Classification(NONE, "fact", "", nothing, 0.0)
    memories = [place for place in PLACES if place[0] != NONE]
    shares = {place: _sum_places(scores, (place,)) / (1 - nothing) for place in memories}
    best = max(memories, key=shares.__getitem__)
    if best[0] != "episodic" and (max(_CHANCE, nothing) > shares[best] or _is_scrap(text)):
        best = _PLAIN
    stored = sum(share for place, share in shares.items() if place[0] == best[0])
    blocks = [place for place in memories if place[2]]
    block = max(blocks, key=shares.__getitem__)
    share = shares[block] / max(sum(shares[one] for one in blocks), 1e-9)
    return Classification(best[0], best[1], block[2], stored, share)


def _is_scrap(text: str) -> bool:
    """Return whether a text is too short to be a statement, such as a title or a name."""
    signs = sum(not char.isascii() for char in text)
    return len(text.split()) < _FEWEST_WORDS and signs < _FEWEST_SIGNS


def fold_text(text: str) -> str:
    """Return a text as the model reads it: in simplified signs."""
    return text if text.isascii() else variants.simplify_signs(text)


def _sum_places(scores: ClassShares, places: Iterable[tuple[str, str, str]]) -> float:
    return scores.sum_shares("/".join(place) for place in places)
