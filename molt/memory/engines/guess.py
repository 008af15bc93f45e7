"""Where a sentence likely belongs of which the rules know no more than that it tells something."""

from __future__ import annotations

from molt.memory.engines.classify import classify_text
from molt.memory.engines.verdict import NONE, Verdict

PLAIN = "a fact"
"""The reason of a rule that has no sign of anything else."""
_WHY = "like what is kept there"
_FEWEST = 3
"""Words of a sentence that tell where it belongs: a name and a token are judged by the policy."""
_SURE, _SURE_AGAINST = 0.5, 0.9
"""The probabilities from which on the model is followed: where rules know of nothing else, and
against another rule."""


def weigh_verdict(text: str, said: Verdict) -> Verdict:
    """What rules say of a sentence, or what is far likelier. What they say is no memory is none."""
    if said.store == NONE or (text.isascii() and len(text.split()) < _FEWEST):
        return said
    found = classify_text(text)
    least = _SURE if said.why == PLAIN else _SURE_AGAINST
    if found.store == NONE or found.type_confidence < least:
        return said
    block = found.block if found.store == "core" else ""
    return Verdict(found.store, found.type, block, why=_WHY)
