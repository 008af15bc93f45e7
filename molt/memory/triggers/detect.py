"""Intents in a message: where a request can begin, which phrase is said there, and of what."""

from __future__ import annotations

from molt.memory.triggers import guess, index, payload, sentences
from molt.memory.triggers.finder import BREAKS, PhraseFinder
from molt.memory.triggers.index import Indexes
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from molt.memory.triggers.finder import FoundRequest
    from molt.memory.triggers.phrases import Phrases, PhraseTable
    from molt.memory.triggers.sentences import FoldedText

REACH = 8_000
"""Characters that are looked at from each end: a request stands at the head of what is pasted, or
after it."""
# As many characters tell what a line is: the longest mark of a log has six.
_HEAD = 8
_OPPOSITES = (("forget", "remember"), ("recall", "forget"))
"""What a phrase says, and what is not guessed against it."""
_BARE = {**dict.fromkeys(map(ord, '.,!?:;()[]{}<>|~*"“”`'), " "), ord("'"): None}


class Trigger(Value):
    """An intent, the phrase that says it, where that stands (characters from, to), and of what."""

    intent: str
    phrase: str
    span: tuple[int, int]
    payload: str


NONE = Trigger("none", "", (0, 0), "")


def find_trigger(text: str, known: Phrases) -> Trigger:
    """The first request in a text, `NONE` if there is none."""
    for offset, part, in_fence in _split_ends(text):
        if found := _find_in(part, known, offset, in_fence=in_fence):
            return _describe(text, found, known)
    return NONE


def find_in_table(text: str, table: PhraseTable) -> Trigger:
    """The same as `find_trigger`, with those phrases unpacked of which the text has what they
    need.
    """
    same = dict(table.same)
    held = [
        _find_held(sentences.fold_text(part, same), table.strings)
        for _, part, _ in _split_ends(text)
    ]
    active = [
        number
        for number, groups in enumerate(table.groups)
        if any(index.has_each(one, groups) for one in held)
    ]
    if not any(table.asks[number] for number in active):
        return NONE
    return find_trigger(text, table.select(active))


def weigh_trigger(text: str, found: Trigger, same: Mapping[int, str]) -> Trigger:
    """What phrases find in a text, or what it likelier asks for, all of it and in no phrase. What
    is to be forgotten is never guessed to be kept: `don't` weighs little among other words. Nor is
    what is asked for again guessed to be forgotten: to be asked for, it was forgotten before.
    """
    intent = guess.guess_intent(text, found.intent, same)
    if intent == found.intent or (found.intent, intent) in _OPPOSITES:
        return found
    return NONE if intent == NONE.intent else Trigger(intent, "", (0, 0), text.strip())


def _find_held(text: FoldedText, strings: Mapping[str, tuple[str, ...]]) -> set[str]:
    """The words of a text, and which of some strings that are no ASCII it has, which are given by
    their first character: between words of wide characters there is no blank.
    """
    if text.plain.isascii():
        return set(text.plain.translate(_BARE).split())
    bare = text.put(_BARE)
    held = set(bare.plain.split())
    # Words of ASCII end where wide characters begin.
    held.update(bare.plain.encode("ascii", "replace").replace(b"?", b" ").decode().split())
    for first in strings.keys() & bare.chars:
        held.update(
            one for one in strings[first] if bare.chars.issuperset(one) and one in bare.plain
        )
    return held


def cut_phrase(text: str, known: Phrases) -> str:
    """A text without the words at its head or its end that ask to remember it."""
    if len(text) > REACH:
        return text
    found = _find_in(text, known, 0, in_fence=False)
    if not found or found[1].phrase.intent != "remember":
        return text
    sentence, hit = found
    said = payload.locate(text, found)
    head, tail = text[: said.begins].strip(), text[said.ends :].strip()
    if hit.phrase.before:
        kept = text[: said.begins] if not tail else text
        return kept.strip(payload.TRIMMED) or text
    if head:
        return text
    _, _, first, last = hit.found
    if first < 0:
        return text
    if last < sentence.stop:
        return text if tail else payload.cut_payload(text, found, said, known.goes_on) or text
    return text[said.first :].lstrip(payload.TRIMMED).rstrip() or text


def _split_ends(text: str) -> Iterator[tuple[int, str, bool]]:
    """The parts of a text that are looked at: offset, part, whether it begins within a fence."""
    if len(text) <= 2 * REACH:
        yield 0, text, False
        return
    yield 0, text[:REACH], False
    cut = text.find("\n", len(text) - REACH) + 1
    if not cut:
        cut = len(text) - REACH
        begins = text.rfind("\n", 0, cut) + 1
        if sentences.is_foreign(text[begins : begins + _HEAD].lower()):
            # The end of a line of code, or of a quotation, is one too.
            return
    fences = text.startswith("```") + text.count("\n```", 0, cut)
    yield cut, text[cut:], bool(fences % 2)


def _find_in(text: str, known: Phrases, offset: int, *, in_fence: bool) -> FoundRequest | None:
    """The first request in the part of a text that begins at `offset`."""
    folded = sentences.fold_text(text, known.same)
    held = _find_held(folded, known.strings)
    # Most phrases lack their first group, the rarest.
    likely = [one for one in known.phrases if not held.isdisjoint(one.needed[0])]
    active = [one for one in likely if index.has_each(held, one.needed)]
    requests = [one for one in active if one.intent != "none"]
    if not requests:
        return None
    hidden = sentences.hide_quotes(folded.plain, in_fence=in_fence)
    read = sentences.read_sentences(hidden, folded.chars, offset)
    return PhraseFinder(Indexes(requests), Indexes(active), known).find_request(read)


def _describe(text: str, found: FoundRequest, known: Phrases) -> Trigger:
    sentence, hit = found
    places = payload.locate(text, found)
    end, _, first, last = hit.found
    if last >= end and first > hit.at:
        # The text is the last of it: what stands before is the phrase.
        end = first
    while end > hit.at + 1 and sentence.words[end - 1] in BREAKS:
        end -= 1
    span = (places.words[hit.at][0], places.words[end - 1][1])
    said = payload.cut_payload(text, found, places, known.goes_on)
    return Trigger(hit.phrase.intent, text[slice(*span)], span, said)
