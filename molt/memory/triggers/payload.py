"""What a request is about: cut out of the message, as it was written."""

from __future__ import annotations

import re

from molt.memory.triggers.phrases import MARKS

_COLON = re.compile(r"[\s*]*[:：]")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
_STOP = re.compile(r"[.!]+(?=\s)|[。！]+")
_QUESTION = re.compile(r"\?(?=\s|$)|？")


def cut_payload(text: str, head: int, span: tuple[int, int], end: int) -> str:
    """Return what a phrase is said of, as it was written: the rest of its sentence, which ends at
    `end`; the list that a colon announces; or, where nothing follows, what stands before.

    `head` is where the phrase begins with its words of politeness, `span` where it stands itself.
    """
    stop = span[1]
    if _COLON.match(text, stop) or text[stop - 1] in ":：":
        return _cut_list(text, stop)
    rest = text[stop:end].lstrip(f"{MARKS}。.!！")
    if any(map(str.isalnum, rest)):
        return rest.rstrip()
    return _cut_before(text, head) or _cut_list(text, end)


def extend_thought(text: str, end: int) -> int:
    """Return where the line ends that goes on behind `end`, or the sentence before a question."""
    if text[end - 1] == "\n":
        return end
    line = text.find("\n", end) + 1 or len(text)
    question = _QUESTION.search(text, end, line)
    if question is None:
        return line
    stops = [stop.end() for stop in _STOP.finditer(text, end, question.start())]
    return stops[-1] if stops else end


def _cut_list(text: str, stop: int) -> str:
    """Return the paragraph that begins at a place, or the one below where it is empty."""
    start = stop
    while start < len(text) and text[start] in MARKS and text[start] not in "-*#>•":
        start += 1
    found = _PARAGRAPH.search(text, start)
    return text[start : found.start() if found else len(text)].strip()


def _cut_before(text: str, head: int) -> str:
    """Return the paragraph that ends at a place, or the one above where it is empty."""
    end = len(text[:head].rstrip())
    starts = [found.end() for found in _PARAGRAPH.finditer(text, 0, end)]
    return text[starts[-1] if starts else 0 : end].strip(MARKS)
