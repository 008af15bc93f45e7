"""Intents in a message: where a request can begin, which phrase is said there, and of what."""

from __future__ import annotations

from molt.memory.triggers import pattern, payload, sentences
from molt.memory.triggers.payload import Hit
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from molt.memory.triggers.phrases import Phrase, Phrases, PhraseTable
    from molt.memory.triggers.sentences import SentenceSpan, Utterance

REACH = 8_000
"""Characters that are looked at from each end: a request stands at the head of what is pasted, or
after it."""
MOST_LEADS = 6
"""Words of politeness that may stand before a request, one after the other."""
_BREAKS = frozenset((",", ":", ";", "-", "(", ")", "~", "*"))
# As many characters tell what a line is: the longest mark of a log has six.
_HEAD = 8
_ORDERS = frozenset(("remember", "forget", "reflect"))


_BARE = str.maketrans({**dict.fromkeys(map(ord, '.,!?:;()[]{}<>|~*"“”`'), " "), ord("'"): None})


class Trigger(Value):
    """An intent, the phrase that says it, where that stands (characters from, to), and of what."""

    intent: str
    phrase: str
    span: tuple[int, int]
    payload: str


NONE = Trigger("none", "", (0, 0), "")


class Openers(dict[str, "tuple[Phrase, ...]"]):
    """Of the phrases that stand at the head of a sentence those that a word can begin, by that
    word; a text of many sentences begins them with few.
    """

    def __init__(self, every: Sequence[Phrase]) -> None:
        super().__init__()
        self._every = every

    def __missing__(self, word: str) -> tuple[Phrase, ...]:
        fit = (one for one in self._every if one.first is None or word in one.first)
        self[word] = tuple(fit)
        return self[word]


class Index(Value):
    """The phrases that a text may have, by the word that they begin with; `opening` are those of
    the heads of sentences. A sentence without one of `marks` has none of them.
    """

    requests: dict[str, list[Phrase]]
    anywhere: dict[str, list[Phrase]]
    opening: Openers
    known: Phrases
    marks: frozenset[str]
    hot: frozenset[str]
    heads: frozenset[str]


class SentenceRead(Value):
    """A sentence that is read: its words, `stop` where it ends without its last courtesies, and
    which words it has.
    """

    words: Sequence[str]
    sentence: SentenceSpan
    stop: int
    said: frozenset[str]


def find_trigger(text: str, known: Phrases) -> Trigger:
    """The first request in a text, `NONE` if there is none."""
    for offset, part, in_fence in _split_ends(text):
        if found := _find_in(part, known, in_fence=in_fence):
            message, sentence, hit = found
            return _describe(text, offset, (message, sentence, hit), known)
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
        if any(_has_each(one, groups) for one in held)
    ]
    if not any(table.asks[number] for number in active):
        return NONE
    return find_trigger(text, table.select(active))


def _find_held(plain: str, strings: Mapping[str, tuple[str, ...]]) -> set[str]:
    """The words of a text, and which of some strings it has, which are given by their first
    character: between words of wide characters there is no blank.
    """
    if plain.isascii():
        return set(plain.translate(_BARE).split())
    bare = sentences.put_chars(plain, _BARE)
    held = set(bare.split())
    chars = set(bare)
    for first in strings.keys() & chars:
        held.update(one for one in strings[first] if chars.issuperset(one) and one in bare)
    return held


def _has_each(held: set[str], groups: Iterable[tuple[str, ...]]) -> bool:
    """Whether a text has a string of each group."""
    return not any(map(held.isdisjoint, groups))


def cut_phrase(text: str, known: Phrases) -> str:
    """A text without the words at its head or its end that ask to remember it."""
    if len(text) > REACH:
        return text
    found = _find_in(text, known, in_fence=False)
    if not found or found[2].phrase.intent != "remember":
        return text
    _, sentence, hit = found
    said = payload.locate(text, 0, found)
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


def _find_in(
    text: str, known: Phrases, *, in_fence: bool
) -> tuple[Utterance, SentenceSpan, Hit] | None:
    plain = sentences.fold_text(text, dict(known.same))
    held = _find_held(plain, known.strings)
    active = [one for one in known.phrases if _has_each(held, one.needed)]
    requests = [one for one in active if one.intent != "none"]
    if not requests:
        return None
    asking, every = _make_index(requests, known), _make_index(active, known)
    message = sentences.split_words(sentences.hide_quotes(plain, in_fence=in_fence))
    for sentence in sentences.split_sentences(message.words):
        if hit := _judge(message.words, sentence, asking, every):
            return message, sentence, hit
    return None


def _make_index(phrases: Iterable[Phrase], known: Phrases) -> Index:
    requests: dict[str, list[Phrase]] = {}
    anywhere: dict[str, list[Phrase]] = {}
    opening: list[Phrase] = []
    marks: set[str] = set()
    for one in phrases:
        # The first group is the rarest one.
        marks |= one.marks[0]
        if one.place == "^" or one.first is None:
            opening.append(one)
            continue
        grouped = requests if one.place == "~" else anywhere
        for word in one.first:
            grouped.setdefault(word, []).append(one)
    hot = _BREAKS.union(anywhere, known.polite if requests else ())
    heads = frozenset(requests).union(known.leads, known.asks) if requests else frozenset()
    return Index(requests, anywhere, Openers(opening), known, frozenset(marks), hot, heads)


def _judge(words: Sequence[str], sentence: SentenceSpan, asking: Index, every: Index) -> Hit | None:
    """The first request of a sentence. Of phrases that begin together the one with the most words
    of its own holds; one that is `none` takes what begins within it along, so those are looked for
    only where there is a request.
    """
    said = frozenset(words[sentence.first : sentence.stop])
    if asking.marks.isdisjoint(said):
        return None
    stop = _trim_tags(words, sentence, every)
    reading = SentenceRead(words, sentence, stop, said)
    if not any(_find_hits(reading, asking)):
        return None
    until = -1
    for hits in _find_hits(reading, every):
        hit = max(hits, key=lambda hit: (hit.found[1], hit.phrase.intent == "none"))
        if hit.start > until:
            if hit.phrase.intent != "none":
                return hit
            until = hit.found[0]
    return None


def _find_hits(reading: SentenceRead, index: Index) -> Iterator[list[Hit]]:
    """The phrases that begin at a word, word by word, where there are any."""
    words, first, stop = reading.words, reading.sentence.first, reading.stop
    named = not words[first].isalpha() or words[first + 1 : first + 2] == [":"]
    for at in sorted(_find_places(words, first, stop, index)):
        word = words[at]
        hits: list[Hit] = []
        if at == first:
            hits += _find_phrases(index.opening[word], reading, at, at)
        if word in index.anywhere:
            hits += _find_phrases(index.anywhere[word], reading, at, at)
        begins = at == first or words[at - 1] in _BREAKS
        # A name and a colon speak to who is called so, and so does a nickname.
        if at == first + 2 and named and words[first] not in index.known.leads:
            begins = False
        led = (begins or word in index.known.polite) and word in index.heads
        # What leads to no request need not be followed.
        if led and not index.requests.keys().isdisjoint(words[at:stop]):
            hits += _find_requests(reading, at, index)
        if hits:
            yield hits


def _find_places(words: Sequence[str], first: int, stop: int, index: Index) -> set[int]:
    """The words of a sentence at which a phrase or a request may begin."""
    places = {first}
    for at in range(first, stop):
        word = words[at]
        if word in index.hot:
            if word not in _BREAKS:
                places.add(at)
            elif at + 1 < stop and words[at + 1] in index.heads:
                places.add(at + 1)
    return places


def _find_phrases(
    phrases: Iterable[Phrase], reading: SentenceRead, start: int, at: int
) -> Iterator[Hit]:
    """Those of some phrases that are said at a word, with the last courtesies of its sentence or
    without; `start` is the word that their request begins with.
    """
    words, stop, said = reading.words, reading.stop, reading.said
    sentence = reading.sentence
    for phrase in phrases:
        for group in phrase.marks:
            if group.isdisjoint(said):
                break
        else:
            found = pattern.follow(phrase.steps, words, at, stop, sentence.asked)
            if not found and sentence.stop > stop and phrase.intent not in _ORDERS:
                found = pattern.follow(phrase.steps, words, at, sentence.stop, sentence.asked)
            if found:
                yield Hit(phrase, start, at, found)


def _find_requests(reading: SentenceRead, start: int, index: Index) -> Iterator[Hit]:
    """What is asked for where a request begins. An order with a question mark is none, unless it
    is put to somebody, or the question is a courtesy at its end.
    """
    words, stop = reading.words, reading.stop
    at = start
    doubted = reading.sentence.asked and stop == reading.sentence.stop
    for _ in range(MOST_LEADS + 1):
        if at >= stop:
            return
        for hit in _find_phrases(index.requests.get(words[at], ()), reading, start, at):
            if (
                not doubted
                or hit.phrase.intent not in _ORDERS
                or _skip(index.known.asks, words, at, stop) > at
            ):
                yield hit
        led = _skip(index.known.leads, words, at, stop)
        if led == at:
            led = _skip(index.known.asks, words, at, stop)
            doubted &= led == at
        if led == at:
            return
        at = led
        while at < stop and words[at] in (",", "!", "！", "-", ":"):
            at += 1


def _skip(known: dict[str, tuple[Any, ...]], words: Sequence[str], at: int, stop: int) -> int:
    """Where the longest of some chains ends that begins at a word; that word where none does."""
    longest = at
    for steps in known.get(words[at], ()):
        found = pattern.follow(steps, words, at, stop, False)
        if found and found[0] > longest:
            longest = found[0]
    return longest


def _trim_tags(words: Sequence[str], sentence: SentenceSpan, index: Index) -> int:
    """Where a sentence ends without its last courtesies."""
    stop = sentence.stop
    tags = index.known.tags
    for _ in range(2):
        least = max(sentence.first + 1, stop - 5)
        if tags.keys().isdisjoint(words[least:stop]):
            break
        for at in range(least, stop):
            if words[at] in tags and _skip(tags, words, at, stop) == stop:
                stop = at
                break
        else:
            break
    return stop


def _describe(
    text: str, offset: int, found: tuple[Utterance, SentenceSpan, Hit], known: Phrases
) -> Trigger:
    message, _, hit = found
    places = payload.locate(text, offset, found)
    end, _, first, last = hit.found
    if last >= end and first > hit.at:
        # The text is the last of it: what stands before is the phrase.
        end = first
    while end > hit.at + 1 and message.words[end - 1] in _BREAKS:
        end -= 1
    span = (places.words[hit.at][0] + offset, places.words[end - 1][1] + offset)
    said = payload.cut_payload(text, found, places, known.goes_on)
    return Trigger(hit.phrase.intent, text[slice(*span)], span, said)
