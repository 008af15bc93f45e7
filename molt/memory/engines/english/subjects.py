"""Whether a sentence begins with what it speaks of, which only looks like an order: `test users
are …`, `build logs go to …`.
"""

from __future__ import annotations

from molt.memory.engines.english import words as en

_ENDS = "\"'“”‘’«»()[]{}<>.,;:!?…*`"
_BREAKS = (",", ";", ":", ".", "!", "?")
_MOST = 9
"""Words of a name with what stands beside it, and its verb: `turn signals on the van are …`."""
_GRANTED = frozenset(("have", "do"))
"""What is an order too behind a verb that makes somebody do something: `let users have …`."""


def begins_with_subject(text: str, first: str) -> bool:
    """Whether the first word of an order, given in lower case, is one of a name that has a verb of
    its own behind it.
    """
    words = [_fold(piece) for piece in text.replace("’", "'").split()]
    if first in en.CLAUSE_VERBS or first not in words:
        return False
    at = words.index(first)
    ends = [piece.endswith(_BREAKS) for piece in text.split()]
    stop = next((place for place in range(at, len(words)) if ends[place]), len(words))
    said = words[at : stop + 1]
    # `check tests are green`: how something is, and no more.
    if first == "check" and len(said) > 2 and said[-2] in ("is", "are"):
        return False
    return _has_verb(said[:_MOST], first)


def _fold(piece: str) -> str:
    return piece.strip(_ENDS).lower()


def _has_verb(words: list[str], first: str) -> bool:
    """Whether behind the words of a name stands its verb."""
    many = beside = False
    for at, word in enumerate(words[1:-1], 1):
        if _says(word, first, many=many, beside=beside) and words[at + 1] != "of":
            return True
        if word in en.BETWEEN or (words[at - 1] in en.LINKS_NOUNS and word in en.DETERMINERS):
            continue
        if word in en.LINKS_NOUNS:
            many, beside = False, True
        elif many or word in en.NO_PART_OF_NAME or not word:
            # No name has one of many before its last word: `list files users can read`.
            return False
        else:
            many = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return False


def _says(word: str, first: str, *, many: bool, beside: bool) -> bool:
    """Whether a word is the verb of the name before it, of which a part may stand `beside` it."""
    if word in en.FINITE:
        return not (first in en.CAUSING and word in _GRANTED)
    if first in en.CAUSING or beside:
        return False
    return word in (en.FINITE_MANY if many else en.FINITE_ONE)
