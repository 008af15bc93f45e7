"""What two spellings of a name have in common: glued or apart, with accents or without, in
traditional or simplified signs, with what kind of thing it is at the end or without that.
"""

from __future__ import annotations

from molt.index.content import variants
from molt.normal import normalize

_KINDS = frozenset(
    ("ag", "co", "corp", "corporation", "gmbh", "inc", "kg", "limited", "llc", "ltd", "plc")
)
"""What a company has behind its name."""
_GENERIC = frozenset(("the", "our", "app", "flow", "project", "service", "system", "tool"))
"""What tells no two names apart, at either end of them."""
_SIGNS = (
    *("科技股份有限公司", "技术股份有限公司", "股份有限公司", "科技有限公司", "技术有限公司"),
    *("集团有限公司", "有限公司", "集团", "公司", "项目", "市", "省"),
)
_LITTLE = frozenset(("and", "for", "in", "of", "the"))
"""Words that give no letter to an abbreviation, or do."""
# Letters that Unicode does not take apart.
_WHOLE = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "ö", "ł": "l", "đ": "d", "ð": "d"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
# From how many letters on a word is shortened to its first and last one, and how many are between.
_LONG = 5
# An abbreviation has hardly more letters.
_MOST_WORDS = 6


def make_key(slug: str) -> str:
    """The key that all spellings of a name share. Other names may share it too; `is_spelling` tells
    them apart.
    """
    bare = _strip_marks(_glue_words(slug))
    return bare.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def list_keys(slug: str) -> list[str]:
    """All that leads to a name: the key of its spellings, and its initials."""
    return [make_key(slug), *list_initials(slug)]


def is_spelling(one: str, other: str) -> bool:
    """Whether two slugs are one name in two spellings."""
    first, second = _glue_words(one), _glue_words(other)
    if _strip_marks(first) == _strip_marks(second):
        return True
    return _strip_marks(first.translate(_UMLAUTS)) == _strip_marks(second.translate(_UMLAUTS))


def shorten_words(slug: str) -> list[str]:
    """A name with one of its words reduced to its first and last letter and the number of letters
    between them (`k8s`).
    """
    words = slug.split("-")
    return [
        "-".join((*words[:at], f"{word[0]}{len(word) - 2}{word[-1]}", *words[at + 1 :]))
        for at, word in enumerate(words)
        if len(word) >= _LONG and word.isascii() and word.isalpha()
    ]


def list_initials(slug: str) -> list[str]:
    """A name with its first words as their first letters: all of them (`nyc`), or but the last
    (`vs-code`).
    """
    words = slug.split("-")[:_MOST_WORDS]
    found: list[str] = []
    for kept in (words, [word for word in words if word not in _LITTLE]):
        for stop in range(2, len(kept) + 1):
            run = kept[:stop]
            if all(word.isascii() and word.isalpha() for word in run):
                found.append("-".join(("".join(word[0] for word in run), *kept[stop:])))
    return list(dict.fromkeys(found))


def is_shortened(word: str) -> bool:
    """Whether a word has this form."""
    between = word[1:-1]
    return word.isascii() and word[:1].isalpha() and word[-1:].isalpha() and between.isdigit()


def _glue_words(slug: str) -> str:
    """The words joined into one. Between digits the border stays, which tells `1.2` from `12`."""
    words = slug.split("-")
    while len(words) > 1 and words[-1] in _KINDS | _GENERIC:
        words.pop()
    while len(words) > 1 and words[0] in _GENERIC:
        del words[0]
    glued = words[0]
    for word in words[1:]:
        glued += f"-{word}" if glued[-1:].isdigit() and word[:1].isdigit() else word
    if glued.isascii():
        return glued
    glued = variants.fold_signs(glued).translate(_WHOLE)
    end = next((one for one in _SIGNS if glued.endswith(one) and len(glued) > len(one) + 1), "")
    return glued.removesuffix(end)


def _strip_marks(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import combining

    return "".join(char for char in normalize("NFKD", text) if not combining(char))
