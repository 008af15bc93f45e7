"""How texts and queries are cut into the words of the keyword index."""

from __future__ import annotations

import re
import unicodedata

# Scripts that put no spaces between words. Those of ideograms and syllables have words of two
# signs; those of letters (Thai, Lao, Myanmar, Khmer) need a third one to tell words apart.
_SIGNS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002ffff"
_LETTERS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
# Kept as text: compiling such ranges takes as long as a small search, and most need them not.
_RUN = f"[{_SIGNS}]+|[{_LETTERS}]+"
_LETTER = f"[{_LETTERS}]"
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
    """The text for the keyword index: runs without spaces as all their short parts."""
    if text.isascii():
        return text
    return re.sub(_RUN, lambda run: f" {_spread(run[0])} ", unicodedata.normalize("NFKC", text))


def _spread(run: str) -> str:
    return " ".join(part for size in range(1, _most(run) + 1) for part in _parts(run, size))


def _most(run: str) -> int:
    return 3 if re.match(_LETTER, run) else 2


def _parts(run: str, size: int) -> list[str]:
    return [run[at : at + size] for at in range(len(run) - size + 1)]


def unspaced(text: str) -> bool:
    """Whether a text has words of a script without spaces."""
    return not text.isascii() and re.search(_RUN, text) is not None


def latin(text: str) -> bool:
    """Whether most letters of a text are Latin ones."""
    if text.isascii():
        return True
    letters = [char for char in text if char.isalpha()]
    return sum(char < "\u0250" for char in letters) * 2 >= len(letters)


def terms(query: str) -> list[str]:
    """The words of a query, each once, runs without spaces as parts of the size that finds
    words best; stop words go unless nothing else is left.
    """
    found: list[str] = []
    for word in _TERM.findall(unicodedata.normalize("NFKC", query)):
        runs = [] if word.isascii() else re.findall(_RUN, word)
        for run in runs:
            found += _parts(run, min(_most(run), len(run)))
        rest = re.sub(_RUN, " ", word) if runs else word
        for part in rest.split():
            bare = part.strip(".:-/*`_")
            if any(char.isalnum() for char in bare):
                found.append(bare)
    every = list(dict.fromkeys(found))
    return [term for term in every if term.lower() not in STOP] or every


def quote(part: str) -> str:
    """A part as an FTS5 string."""
    return '"' + part.replace('"', '""') + '"'
