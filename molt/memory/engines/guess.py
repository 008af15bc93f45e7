"""Where a sentence likely belongs of which the rules know no more than that it tells something."""

from __future__ import annotations

from molt.index.content import variants
from molt.linear import LinearModel
from molt.memory.engines.verdict import NONE, Verdict

KINDS = (
    "core Active Context",
    "core Critical Facts",
    "core Identity",
    "core Persona",
    "episodic correction",
    "episodic decision",
    "episodic emotion",
    "episodic event",
    "episodic fact",
    "episodic preference",
    "episodic task",
    "none",
    "procedural",
    "semantic",
    "vault",
)
PLAIN = "a fact"
"""The reason of a rule that has no sign of anything else."""
_WHY = "like what is kept there"
_FEWEST = 3
"""Words of a sentence that tell where it belongs: a name and a token are judged by the policy."""
_LEAST, _LEAST_APART, _LEAST_VAULT = -0.3, -0.25, 0.5
"""The log-odds from which on what is likely is said, where rules know of nothing else: within the
log of a day, in another store, and in the vault, into which nobody but a person writes. Of 200
sentences that nobody had read as many get the right store with -0.4 and with -0.25 for the log;
with -0.3 two or three words that nobody has said before are left a fact."""
_TRUST = 3.0
"""Those by which it is likelier than what other rules say, where it is likely at all."""
_LOSS = 2.0
"""Those by which nothing is likelier no memory: what is not kept is lost."""
_model = LinearModel("stores", KINDS)


def weigh_verdict(text: str, said: Verdict) -> Verdict:
    """What rules say of a sentence, or what is far likelier. What they say is no memory is none."""
    if said.store == NONE or (text.isascii() and len(text.split()) < _FEWEST):
        return said
    kind, odds = name_kind(said), _model.weigh(fold_text(text))
    odds[NONE] -= _LOSS
    likely = max(KINDS, key=odds.__getitem__)
    least = _find_least(likely) if said.why == PLAIN else max(0.0, odds[kind] + _TRUST)
    return said if likely == kind or odds[likely] < least else _make_verdict(likely)


def _find_least(kind: str) -> float:
    if kind == "vault":
        return _LEAST_VAULT
    return _LEAST if kind.startswith("episodic") else _LEAST_APART


def fold_text(text: str) -> str:
    """A sentence as the model reads it: in simplified signs."""
    return text if text.isascii() else variants.simplify_signs(text)


def name_kind(said: Verdict) -> str:
    """The class of the model that a verdict is of."""
    if said.store == "core":
        return f"core {said.block}"
    return f"episodic {said.type}" if said.store == "episodic" else said.store


def _make_verdict(kind: str) -> Verdict:
    store, _, rest = kind.partition(" ")
    if store == "core":
        return Verdict(store, "preference" if rest == "Persona" else "fact", rest, why=_WHY)
    return Verdict(store, rest or "fact", why=_WHY)
