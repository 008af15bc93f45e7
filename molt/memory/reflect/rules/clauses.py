"""The parts of a sentence that say something by themselves."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CUT = re.compile(
    r"\s+[-–]\s+|\s*—\s*|;\s+|,?\s+(?:and|but|so|because|'cause|which|where)\s+(?=(?:it|they|that)\b)|"
    r",\s+(?=(?:it|they)(?:'s|\s))|,?\s+(?:so\s+)?(?=thanks\b)|,?\s+(?:'cause|because)\s+"
)
"""Before what only says how something was: a dash, a semicolon, `and it was …`."""
_OWN = re.compile(
    r"(?:\s[-–—]\s|,\s|[:;]\s|\sbut\s)(?=(?:my|i|i'm|i've|we|meet)\s)|\s(?:and|that)\s"
    r"(?=(?:i|i'm|i've|we)\s)(?!i\s(?:are|were)\s)",
    re.IGNORECASE,
)
"""Before what somebody says of themselves behind other words; not within `Ann and I are`."""
_UNDONE = re.compile(
    r"n't\b|n’t\b|\b(?:not|never|no|but|cancel\w*|until|unless|joking|kidding|wrong|almost|nearly)\b",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\?|\b(?:if|whether|unless|when|until|imagine|dreamt|dreamed|said|says|told|think|thought|"
    r"wish|hope|maybe|perhaps|suppose|pretend|like|as|that|than|how|what|why|where|who|because|"
    r"while|since|before|after|though|although|hear|heard|know|knew)\b",
    re.IGNORECASE,
)
"""What stands before a part that is not said for itself."""

_LONGEST = 400
"""Characters of a sentence whose parts are looked at: each looks back over what is before it."""


def list_clauses(text: str) -> Iterator[str]:
    """What comes before the words that only judge it, and each part that begins with `I` or `my`;
    nothing of what the rest takes back or what hangs on a condition.
    """
    if len(text) > _LONGEST:
        return
    plain = text.replace("’", "'")
    cut = _CUT.search(plain)
    if cut and cut.start() and not _UNDONE.search(plain[cut.end() :]):
        yield text[: cut.start()]
    for found in _OWN.finditer(plain):
        if found.start() and not _HELD.search(plain[: found.end()]):
            rest = plain[found.end() :]
            end = _CUT.search(rest)
            held = end is None or not end.start() or _UNDONE.search(rest[end.end() :])
            yield rest if held or end is None else rest[: end.start()]
