"""What a request is about: cut out of the message, as it was written."""

from __future__ import annotations

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.triggers.pattern import Found
    from molt.memory.triggers.phrases import Phrase
    from molt.memory.triggers.sentences import Utterance

TRIMMED = " \t\r\n,:;-–—，：；、\u3000"
_ANNOUNCED = " \t\r\n,:，："
_ENDS = ".!?。！？"
_BLANK = ("\n\n", "\n\r\n")
"""What ends a paragraph, with either kind of line ends."""
_AHEAD = 400
"""Characters in which the next sentence ends, or it is cut: a longer one is no afterthought."""
_WRAPPED = 60
"""Characters after which a line was cut by a program, and goes on with a small letter."""


class Hit(Value):
    """A phrase that was found: the sentence's word where its request begins, where it does
    itself, and what `pattern.follow` gave.
    """

    phrase: Phrase
    start: int
    at: int
    found: Found


class Places(Value):
    """Where in the text the words of a hit stand. Its request begins and its sentence ends, with
    its mark; its own text begins and ends, -1 where it has none.
    """

    words: list[tuple[int, int]]
    begins: int
    ends: int
    first: int
    last: int


def locate(text: str, found: tuple[Utterance, Hit]) -> Places:
    """Where what was found in a text stands."""
    sentence, hit = found
    words = sentence.find_places()
    ends = words[sentence.stop - 1][1]
    # The mark at the end, and the other half of a mark that stands twice.
    while text[ends : ends + 1] and text[ends] in _ENDS:
        ends += 1
    _, _, first, last = hit.found
    own, until = (words[first][0], words[last - 1][1]) if first >= 0 else (-1, -1)
    return Places(words, words[hit.start][0], ends, own, until)


def cut_payload(
    text: str, found: tuple[Utterance, Hit], places: Places, goes_on: frozenset[str]
) -> str:
    """What the phrase is said of, as it was written; empty where it stands nowhere."""
    sentence, hit = found
    _, _, first, last = hit.found
    if hit.phrase.before:
        return _cut_before(text, found, places)
    if first < 0:
        if hit.phrase.intent != "recall":
            return ""
        return text[places.words[hit.at][0] : places.ends].strip()
    if last < sentence.stop and hit.found[0] >= last:
        return text[places.first : places.last].strip(TRIMMED)
    ends = places.ends
    if hit.phrase.intent == "remember":
        if ":" in sentence.words[hit.at : first + 1]:
            ends = _end_list(text, places.first, ends)
            return text[places.first : ends].lstrip(_ANNOUNCED).rstrip()
        ends = _end_thought(text, ends, goes_on)
    said = text[places.first : ends].lstrip(TRIMMED).rstrip()
    # Of what is put as a question the mark belongs to the request.
    return said if hit.phrase.intent == "recall" else said.rstrip("?？ ")


def _cut_before(text: str, found: tuple[Utterance, Hit], places: Places) -> str:
    """What stands before the phrase: in its sentence, else the lines above, or else below."""
    sentence, hit = found
    own = text[places.words[sentence.first][0] : places.begins].strip(TRIMMED)
    if own and hit.start > sentence.first:
        return own
    until = places.begins
    above = text[_begin_paragraph(text, until) : until].strip(TRIMMED)
    return above or text[places.ends : _end_list(text, places.ends, places.ends)].strip()


def _begin_paragraph(text: str, until: int) -> int:
    end = len(text[:until].rstrip())
    ends = (at + len(mark) for mark in _BLANK if (at := text.rfind(mark, 0, end)) >= 0)
    return max(ends, default=0)


def _end_list(text: str, begins: int, ends: int) -> int:
    """The end of what a colon announces: the paragraph, or the one below where it stands alone."""
    head = begins + len(text[begins:]) - len(text[begins:].lstrip(TRIMMED))
    stops = (at for mark in _BLANK if (at := text.find(mark, max(head, ends))) >= 0)
    return min(stops, default=len(text))


def _end_thought(text: str, ends: int, goes_on: frozenset[str]) -> int:
    """The end of the last sentence that goes on with what the one that ends at `ends` says."""
    while ends < len(text):
        rest = text[ends : ends + _AHEAD]
        head = rest.lstrip(" \r")
        if not head.strip() or head.startswith(_BLANK):
            break
        if head[0] == "\n":
            line = text[text.rfind("\n", 0, ends) + 1 : ends]
            if len(line) < _WRAPPED or not head[1:2].islower():
                break
            head = head[1:]
        elif not _goes_on(head, goes_on):
            break
        length = _find_end(head)
        if head[length - 1] in "?？":
            break
        ends += len(rest) - len(rest.lstrip(" \r\n")) + length
    return ends


def _goes_on(head: str, goes_on: frozenset[str]) -> bool:
    word = head.split(None, 1)[0].strip(",.'’").lower().partition("'")[0].partition("’")[0]
    return word in goes_on or head[0] in goes_on


def _find_end(head: str) -> int:
    """The length of the first sentence, its mark included; of what is too long, all."""
    for at, char in enumerate(head):
        if char == "\n":
            return at
        if char in _ENDS and (char > "\x7f" or head[at + 1 : at + 2] in ("", " ", "\r", "\n")):
            return at + 1
    return len(head)
