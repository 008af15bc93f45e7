"""How texts and queries are cut into the words of the keyword index."""

from __future__ import annotations

import re
import unicodedata

# Scripts that put no spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han, Hangul.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002ffff"
)
_RUN = re.compile(f"[{_UNSPACED}]+")
_TERM = re.compile(r"[^\s\"'“”‘’«»()\[\]{},;!?。、，！？：；（）「」]+")
STOP = frozenset(
    (
        *("a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by"),
        *("can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have"),
        *("he", "her", "him", "his", "how", "i", "if", "in", "is", "it", "its", "me", "my"),
        *("of", "on", "or", "our", "s", "she", "so", "t", "than", "that", "the", "their"),
        *("them", "then", "there", "these", "they", "this", "to", "up", "us", "was", "we"),
        *("were", "what", "when", "where", "which", "who", "whom", "why", "will", "with"),
        *("would", "you", "your"),
    )
)


def index_text(text: str) -> str:
    """The text for the keyword index: runs without spaces as characters and pairs."""
    if text.isascii():
        return text
    return _RUN.sub(lambda run: f" {_spread(run[0])} ", unicodedata.normalize("NFKC", text))


def _spread(run: str) -> str:
    pairs = (run[at : at + 2] for at in range(len(run) - 1))
    return " ".join((*run, *pairs))


def unspaced(text: str) -> bool:
    """Whether a text has words of a script without spaces."""
    return not text.isascii() and _RUN.search(text) is not None


def latin(text: str) -> bool:
    """Whether most letters of a text are Latin ones."""
    if text.isascii():
        return True
    letters = [char for char in text if char.isalpha()]
    return sum(char < "\u0250" for char in letters) * 2 >= len(letters)


def terms(query: str) -> list[list[str]]:
    """The words of a query, each a list of parts that must all be there; stop words go
    unless nothing else is left.
    """
    found: list[list[str]] = []
    for word in _TERM.findall(unicodedata.normalize("NFKC", query)):
        runs = _RUN.findall(word)
        for run in runs:
            found.append([run[at : at + 2] for at in range(max(1, len(run) - 1))])
        rest = _RUN.sub(" ", word) if runs else word
        for part in rest.split():
            bare = part.strip(".:-/*`_")
            if any(char.isalnum() for char in bare):
                found.append([bare])
    kept = [term for term in found if term[0].lower() not in STOP]
    return kept or found


def quote(part: str) -> str:
    """A part as an FTS5 string."""
    return '"' + part.replace('"', '""') + '"'
