"""What a short message likely asks for: a second opinion on those that phrases find, and on those
in which they find none.
"""

from __future__ import annotations

from itertools import pairwise
from math import log

from molt.index.content import variants
from molt.linear import LinearModel
from molt.memory.triggers import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

INTENTS = ("remember", "forget", "recall", "reflect", "none")
LONGEST = 240
"""Bytes of a message on which there is an opinion: who says more says it in so many words. A sign
of a script without spaces has three, and tells as much."""
_FEWEST = 5
"""Signs of a script without spaces that tell more than one word does."""
_MARKS = ",.;:!?-。！？\n"
_WIDE = "\u2e80"
"""From here on are signs of scripts that have no spaces."""
_TRUST, _TRUST_KEPT = 5.0, 7.0
"""The log-odds by which a phrase that was found is likelier what is asked for, and by which one is
that asks for something to be kept: what is kept in vain is seen, and taken back by a word.
"""
_DOUBT = 2.25
"""Those by which a message without a phrase is likelier none than one that asks for something."""
_model = LinearModel("intents", INTENTS)


def guess_intent(text: str, said: str, same: Mapping[int, str]) -> str:
    """The intent of a message that is `said` to have one by its phrases. `same` maps signs to
    those that they count as.
    """
    if len(text.encode("utf-8", "replace")) > LONGEST:
        return said
    folded = fold_message(text, same)
    first, *others = folded.replace(sentences.HIDDEN, " ").split() or [""]
    if not others and (first.isascii() or len(first) < _FEWEST):
        return said
    odds = _weigh_message(folded)
    if said != "none":
        odds[said] += _TRUST_KEPT if said == "remember" else _TRUST
    else:
        odds["none"] += _DOUBT
    return max(INTENTS, key=odds.__getitem__)


def _weigh_message(text: str) -> dict[str, float]:
    """The log-odds of each intent against none: the mean of those of all that is said, and of the
    part of which they are best. What is asked stands in a few words, and the others are about
    anything; but these say, too, how it is meant.
    """
    weighed = [_model.weigh(part) for part in list_parts(text)]
    whole = weighed[0]
    best = {one: max(odds[one] - odds["none"] for odds in weighed) for one in INTENTS}
    found = {one: (best[one] + whole[one] - whole["none"]) / 2 for one in INTENTS}
    # Of many parts one sounds like a request by chance.
    found["none"] += log(len(weighed))
    return found


def list_parts(text: str) -> list[str]:
    """A folded message, and each of its clauses where there are several."""
    clauses = _split_clauses(text)
    return [text, *clauses] if len(clauses) > 1 else [text]


def _split_clauses(text: str) -> list[str]:
    """What stands between marks. One within a word or a number ends nothing; between signs without
    spaces a blank is a mark.
    """
    cuts = [0]
    for at, sign in enumerate(text, 1):
        follows = text[at : at + 1]
        parted = sign == " " and text[at - 2 : at - 1] >= _WIDE
        if parted or (sign in _MARKS and (follows >= _WIDE or not follows.isalnum())):
            cuts.append(at)
    clauses = (text[first:last].strip() for first, last in pairwise([*cuts, len(text)]))
    return [one for one in clauses if any(map(str.isalnum, one))]


def fold_message(text: str, same: Mapping[int, str]) -> str:
    """A message as the model reads it: in simplified signs, without what is quoted, code or a
    log. What a corpus has set apart (`I ’ ll`) is one word again.
    """
    plain = sentences.hide_quotes(sentences.fold_text(text, same).plain)
    plain = plain.replace(" ’ ", "’").replace(" ' ", "'")
    return plain if plain.isascii() else variants.simplify_signs(plain)
