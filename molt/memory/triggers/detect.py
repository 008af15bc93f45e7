"""The intent of a message: the phrase at the head of a sentence, weighed by the shipped model."""

from __future__ import annotations

from math import log

from molt.memory.triggers import payload, sentences
from molt.memory.triggers.phrases import INTENTS, MARKS, PhraseMatch, Phrases
from molt.ngram_model import NgramModel
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from molt.memory.triggers.sentences import FoldedSentence

    Weigh = Callable[[str], Sequence[float]]

REACH = 1_000
"""Characters that are read at each end of a message: a request stands before or after what is
pasted."""
_WHOLE = 300
"""Characters of a message that is weighed as a whole, too."""
_MOST = 8
"""Of so many sentences all are weighed; of more the first and last two, and those with a phrase."""
_LONGEST = 240
"""Characters of a sentence that are weighed: who says more says it at the head."""
TRUST = 1.5
"""The log-odds that a phrase at the head of a sentence adds to its intent."""
WHOLE = 1 / 3
"""How much a short message as a whole counts beside its sentence."""
_NONE = INTENTS.index("none")
_ENDS = ".!?。！？"
MODEL = NgramModel("intents", INTENTS, shapes=False)


class Trigger(Value):
    """An intent, the phrase that says it, where that stands (characters from, to), and of what."""

    intent: str
    phrase: str
    span: tuple[int, int]
    payload: str


NONE = Trigger("none", "", (0, 0), "")


class Request(Value):
    """A sentence, and the phrase at its head or, where that is all of its last clause, its end."""

    sentence: FoldedSentence
    match: PhraseMatch | None


class IntentVerdict(Value):
    """The likeliest intent of a message beside `none`, by how much it is likelier than `none`, and
    the request that it is read from.
    """

    intent: str
    margin: float
    request: Request


def find_trigger(text: str, known: Phrases) -> Trigger:
    """Return the request in a message, `NONE` if there is none."""
    for offset, part in _split_ends(text):
        folded = sentences.fold_text(part)
        requests = list_requests(folded, known)
        own = next((one for one in requests if one.match and one.match.own), None)
        if own is not None and own.match is not None:
            return _describe(text, offset, own, own.match.intent)
        verdict = judge_requests(folded, requests, MODEL.weigh_text, MODEL.bounds)
        if verdict and verdict.margin > 0:
            return _describe(text, offset, verdict.request, verdict.intent)
    return NONE


def list_requests(folded: str, known: Phrases) -> list[Request]:
    """Return the sentences of a folded text that may ask for something, in order."""
    read = (Request(one, find_phrase(one.plain, known)) for one in sentences.list_sentences(folded))
    found = [one for one in read if not one.match or one.match.intent != "none"]
    if len(found) <= _MOST:
        return found
    said = [at for at, one in enumerate(found) if one.match]
    ends = [*range(2), *range(len(found) - 2, len(found))]
    kept = sorted({*said[:2], *said[-2:], *ends})
    return [found[at] for at in kept]


def find_phrase(plain: str, known: Phrases) -> PhraseMatch | None:
    """Return the phrase at the head of a sentence, or one that is all of its last clause."""
    if match := known.find_head(plain):
        return match
    end = len(plain.rstrip(f"{MARKS}{_ENDS}"))
    start = max(plain.rfind(mark, 0, end) for mark in ",;:-–—") + 1
    match = known.find_head(plain[start:end]) if start else None
    if match is None or start + match.stop != end:
        return None
    return match.replace(head=start + match.head, start=start + match.start, stop=end)


def judge_requests(
    folded: str, requests: Sequence[Request], weigh: Weigh, bounds: Mapping[str, float]
) -> IntentVerdict | None:
    """Return the likeliest intent: what a phrase and the model say of its sentence, and what the
    model says of a short message as a whole. Its margin is that above the bound of the intent.
    """
    if not requests:
        return None
    whole = _weigh_words(folded, weigh) if len(folded) <= _WHOLE and len(requests) > 1 else ()
    verdicts = []
    for request in requests:
        margins = list(_weigh_words(request.sentence.plain[:_LONGEST], weigh))
        if request.match:
            margins[INTENTS.index(request.match.intent)] += TRUST
        if whole and not _is_all(request):
            margins = [
                one + WHOLE * (other - one) for one, other in zip(margins, whole, strict=True)
            ]
        asked = {
            intent: margins[at] - bounds[intent] for at, intent in enumerate(INTENTS) if at != _NONE
        }
        likely = max(asked, key=asked.__getitem__)
        verdicts.append(IntentVerdict(likely, asked[likely], request))
    best = max(verdicts, key=lambda one: one.margin)
    # Of many sentences one sounds like a request by chance.
    return best.replace(margin=best.margin - log(len(requests)) / 2)


def _is_all(request: Request) -> bool:
    """Return whether a sentence ends with its phrase: what it is said of stands around it."""
    plain, match = request.sentence.plain, request.match
    return match is not None and match.stop == len(plain.rstrip(f"{MARKS}{_ENDS}"))


def _weigh_words(folded: str, weigh: Weigh) -> tuple[float, ...]:
    """Return by how much each intent is likelier than `none`."""
    odds = weigh(sentences.read_words(folded))
    return tuple(one - odds[_NONE] for one in odds)


def _split_ends(text: str) -> list[tuple[int, str]]:
    """Return the parts of a text that are read, each with its offset."""
    if len(text) <= 2 * REACH:
        return [(0, text)]
    cut = text.find("\n", len(text) - REACH) + 1 or len(text) - REACH
    fenced = len(sentences.OPEN_CODE.findall(text, 0, cut)) % 2
    tail = text[cut:]
    return [(0, text[:REACH]), (cut, tail)] if not fenced else [(0, text[:REACH])]


def _describe(text: str, offset: int, request: Request, intent: str) -> Trigger:
    """Return what is asked for with the phrase, its place, and what it is said of."""
    match, sentence = request.match, request.sentence
    if match is None or match.intent != intent:
        return Trigger(intent, "", (0, 0), text.strip())
    begin = offset + sentence.start
    span = (begin + match.start, begin + match.stop)
    end = offset + sentence.stop
    if intent == "remember":
        end = payload.extend_thought(text, end)
    told = payload.cut_payload(text, begin + match.head, span, end)
    if intent != "remember":
        told = told.rstrip("?？ ")
    return Trigger(intent, text[slice(*span)], span, told)
