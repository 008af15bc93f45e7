"""What a short message likely asks for: a second opinion on those that phrases find, and on those
in which they find none.
"""

from __future__ import annotations

from molt.index.content import variants
from molt.linear import LinearModel
from molt.memory.triggers import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

INTENTS = ("remember", "forget", "recall", "reflect", "none")
LONGEST = 150
"""Characters of a message on which there is an opinion: who says more says it in so many words."""
_FEWEST = 5
"""Signs of a script without spaces that tell more than one word does."""
_TRUST = 5.0
"""The log-odds by which a phrase that was found is likelier what is asked for."""
_DOUBT, _DOUBT_KEPT = 2.5, 3.25
"""Those by which a message without a phrase is likelier none than one that asks for something, or
for something to be kept: most of what people tell is like that.
"""
_model = LinearModel("intents", INTENTS)


def guess_intent(text: str, said: str, same: Mapping[int, str]) -> str:
    """The intent of a message that is `said` to have one by its phrases. `same` maps signs to
    those that they count as.
    """
    alone = len(text.split()) == 1 and (text.isascii() or len(text) < _FEWEST)
    if alone or len(text) > LONGEST:
        return said
    odds = _model.weigh(fold_message(text, same))
    if said != "none":
        odds[said] += _TRUST
    else:
        odds["none"] += _DOUBT
        odds["remember"] -= _DOUBT_KEPT - _DOUBT
    return max(INTENTS, key=odds.__getitem__)


def fold_message(text: str, same: Mapping[int, str]) -> str:
    """A message as the model reads it: in simplified signs, without what is quoted, code or a
    log. What a corpus has set apart (`I ’ ll`) is one word again.
    """
    plain = sentences.hide_quotes(sentences.fold_text(text, same).plain)
    plain = plain.replace(" ’ ", "’").replace(" ' ", "'")
    return plain if plain.isascii() else variants.simplify_signs(plain)
