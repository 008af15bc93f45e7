"""The first request in some sentences: where one can begin, and which phrase is said there."""

from __future__ import annotations

from molt.memory.triggers import pattern
from molt.memory.triggers.payload import Hit
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.memory.triggers.index import Index, Indexes
    from molt.memory.triggers.phrases import Chains, Phrase, Phrases
    from molt.memory.triggers.sentences import Utterance

    FoundRequest = tuple[Utterance, Hit]

MOST_LEADS = 6
"""Words of politeness that may stand before a request, one after the other."""
MOST_READINGS = 30
"""Of the sentences that have the words of a phrase as many are read, and of the last ones half as
many; one that says it in another sense is read twice. Who pastes more asks before or after it."""
BREAKS = frozenset((",", ":", ";", "-", "(", ")", "~", "*"))
"""Signs after which a request may begin."""
_ORDERS = frozenset(("remember", "forget", "reflect"))
_NONE: frozenset[str] = frozenset()


class SentenceRead(Value):
    """A sentence that is read: its words, and `stop` where it ends without its last courtesies."""

    words: Sequence[str]
    sentence: Utterance
    stop: int


class PhraseFinder(Value):
    """Finds phrases in sentences: those that ask for something, and all of them."""

    asking: Indexes
    every: Indexes
    known: Phrases

    def find_request(self, sentences: Iterable[Utterance]) -> FoundRequest | None:
        """The first request in some sentences."""
        likely = ((one, asked) for one in sentences if (asked := self.asking.select(one)))
        return self._find_first(likely) or self._find_first([*likely][-MOST_READINGS // 2 :])

    def _find_first(self, likely: Iterable[tuple[Utterance, Index]]) -> FoundRequest | None:
        """The first request in some sentences, each with the requests that it may have."""
        readings = 0
        for sentence, asked in likely:
            reading = SentenceRead(sentence.words, sentence, _trim_tags(sentence, self.known.tags))
            readings += 1
            if any(self._find_hits(reading, asked)):
                if hit := self._judge(reading, self.every.select(sentence) or asked):
                    return sentence, hit
                readings += 1
            if readings >= MOST_READINGS:
                break
        return None

    def _judge(self, reading: SentenceRead, given: Index) -> Hit | None:
        """The first request of a sentence. Of phrases that begin together the one with the most
        words of its own holds; one that is `none` takes what begins within it along.
        """
        until = -1
        for hits in self._find_hits(reading, given):
            hit = max(hits, key=lambda hit: (hit.found[1], hit.phrase.intent == "none"))
            if hit.start > until:
                if hit.phrase.intent != "none":
                    return hit
                until = hit.found[0]
        return None

    def _find_hits(self, reading: SentenceRead, given: Index) -> Iterator[list[Hit]]:
        """The phrases that begin at a word, word by word, where there are any."""
        words, first, stop = reading.words, reading.sentence.first, reading.stop
        places = [at for at in range(first, stop) if words[at] in given.hot]
        starts = self._find_starts(reading, places, given)
        for at in sorted({first, *places, *starts}):
            word = words[at]
            hits = _find_phrases(given.opening[word], reading, at, at) if at == first else []
            if word in given.anywhere:
                hits += _find_phrases(given.anywhere[word], reading, at, at)
            if at in starts:
                hits += self._find_requests(reading, at, given)
            if hits:
                yield hits

    def _find_starts(self, reading: SentenceRead, places: Sequence[int], given: Index) -> set[int]:
        """The words at which a request may begin, or what leads to one. `places` are those with
        which one is said: most of these stand behind what leads to none.
        """
        words, first, known = reading.words, reading.sentence.first, self.known
        for last in reversed(places):
            if words[last] in given.requests and (
                last == first
                or words[last - 1] in BREAKS
                or words[last] in known.polite
                or not known.endings.get(words[last - 1], _NONE).isdisjoint(("", words[last - 2]))
            ):
                break
        else:
            return set()
        starts = {at + 1 for at in range(first, last) if words[at] in BREAKS}
        # A name and a colon speak to who is called so, and so does a nickname.
        named = not words[first].isalpha() or words[first + 1 : first + 2] == [":"]
        if named and words[first] not in known.leads:
            starts.discard(first + 2)
        starts.add(first)
        starts.update(at for at in range(first, last + 1) if words[at] in known.polite)
        return starts

    def _find_requests(self, reading: SentenceRead, start: int, given: Index) -> Iterator[Hit]:
        """What is asked for where a request begins. An order with a question mark is none, unless
        it is put to somebody, or the question is a courtesy at its end.
        """
        words, stop = reading.words, reading.stop
        at = start
        doubted = reading.sentence.asked and stop == reading.sentence.stop
        for _ in range(MOST_LEADS + 1):
            if at >= stop:
                return
            for hit in _find_phrases(given.requests.get(words[at], ()), reading, start, at):
                if (
                    not doubted
                    or hit.phrase.intent not in _ORDERS
                    or _skip(self.known.asks, words, at, stop) > at
                ):
                    yield hit
            led = _skip(self.known.leads, words, at, stop)
            if led == at:
                led = _skip(self.known.asks, words, at, stop)
                doubted &= led == at
            if led == at:
                return
            at = led
            while at < stop and words[at] in (",", "!", "！", "-", ":"):
                at += 1


def _find_phrases(
    phrases: Iterable[Phrase], reading: SentenceRead, start: int, at: int
) -> list[Hit]:
    """Those of some phrases that are said at a word, with the last courtesies of its sentence or
    without; `start` is the word that their request begins with.
    """
    words, sentence, stop = reading.words, reading.sentence, reading.stop
    hits: list[Hit] = []
    for phrase in phrases:
        found = pattern.follow(phrase.steps, words, at, stop, sentence.asked)
        if not found and sentence.stop > stop and phrase.intent not in _ORDERS:
            found = pattern.follow(phrase.steps, words, at, sentence.stop, sentence.asked)
        if found:
            hits.append(Hit(phrase, start, at, found))
    return hits


def _skip(known: Chains, words: Sequence[str], at: int, stop: int) -> int:
    """Where the longest of some chains ends that begins at a word; that word where none does."""
    longest = at
    for steps in known.get(words[at], ()):
        found = pattern.follow(steps, words, at, stop, False)
        if found and found[0] > longest:
            longest = found[0]
    return longest


def _trim_tags(sentence: Utterance, tags: Chains) -> int:
    """Where a sentence ends without its last courtesies."""
    words, stop = sentence.words, sentence.stop
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
