"""A message as sentences, without what is quoted, code or a log."""

from __future__ import annotations

import re

from molt.index.content import variants
from molt.values import Value

HIDDEN = "\ufffc"
"""Stands for each character of what is quoted, so that places stay."""
OPEN_CODE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_CODE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_FOREIGN = re.compile(
    r"^(?: {4}|\t|>|\$ |(?:info|warn|warning|error|debug|trace):|\[\d|\d\d:|\d{4}[-/]).*$",
    re.MULTILINE,
)
_QUOTED = re.compile(
    r'"[^"\n]{1,500}"|“[^”\n]{1,500}”|«[^»\n]{1,500}»|「[^」\n]{1,500}」|『[^』\n]{1,500}』'
    r"|《[^》\n]{1,500}》|`[^`\n]{1,500}`|(?<!\w)'(?=\w)[^'\n]{1,200}(?<=\S)'(?!\w)"
)
_RUN = re.compile(f"{HIDDEN}+")
_END = re.compile(r"[。！？]+|[.!?]+(?=\s|$)|(?<![:\s])[ \t\r]*\n\s*")
_FOLDED = dict(zip(map(ord, "’‘ʼ，：；（）\u00a0\u3000"), "''',:;()  ", strict=True))


class FoldedSentence(Value):
    """A sentence: where it begins and ends in the text (its mark included), and its words as they
    are compared.
    """

    start: int
    stop: int
    plain: str


def fold_text(text: str) -> str:
    """Return a text as it is compared: in small letters, simplified signs and one form of each
    mark, with what is quoted hidden. Every character keeps its place.
    """
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    if not lower.isascii():
        simple = variants.simplify_signs(lower.translate(_FOLDED))
        lower = simple if len(simple) == len(text) else lower
    for pattern in (_CODE, _FOREIGN, _QUOTED):
        lower = pattern.sub(_hide_match, lower)
    return lower


def list_sentences(folded: str) -> list[FoldedSentence]:
    """Return the sentences of a folded text. A line ends one, but for one that ends in a colon."""
    found: list[FoldedSentence] = []
    start = 0
    for match in _END.finditer(folded):
        found.append(FoldedSentence(start, match.end(), folded[start : match.end()]))
        start = match.end()
    found.append(FoldedSentence(start, len(folded), folded[start:]))
    return [one for one in found if any(map(str.isalnum, one.plain))]


def read_words(folded: str) -> str:
    """Return a folded text as the model reads it: a quotation is a mark."""
    return _RUN.sub(' " ', folded).replace(" ' ", "'")


def _hide_match(match: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else HIDDEN for char in match[0])
