"""What people choose as passwords, told by itself and by no word beside it."""

from __future__ import annotations

from molt.policy.secrets import stand_ins

_SIGNS = frozenset("!#%^&~?$*@+")
_NO_SIGNS = frozenset("/=()<>|\\:,;[]{}")
_JOINING = str.maketrans("-_.+#@!&", "        ")


def is_unmistakable(value: str) -> bool:
    """Whether a value is a password wherever it stands: small letters, capitals, digits and a sign
    are in it, and it is neither the version of something (`React@18.2`) nor its number (`C#12`).
    """
    if len(value) < 8 or not _NO_SIGNS.isdisjoint(value) or not value[0].isalnum():
        return False
    kinds = (str.islower, str.isupper, str.isdigit, _SIGNS.__contains__)
    if not all(any(map(kind, value)) for kind in kinds) or not stand_ins.is_password(value):
        return False
    word = value.rstrip("0123456789.!?")
    # Digits alone behind a sign count; a word and its number at the end of a sentence do so too.
    return bool(word) and word[-1] not in "@#+" and not (word.isalpha() and value[-1] in "!?")


def is_joined(value: str) -> bool:
    """Whether a value is of words and numbers that signs join, as people choose passwords:
    `Tulip-47-barn`; a word has to stand behind a number.
    """
    parts = value.translate(_JOINING).split()
    if not 3 <= len(parts) <= 6 or not value[0].isalpha() or value.islower() or value.isupper():
        return False
    numbers = [at for at, part in enumerate(parts[:-1]) if part.isdigit() and len(part) <= 4]
    words = sum(part.isalpha() and len(part) >= 3 for part in parts)
    told = len(numbers) > 0 and parts[-1].isalpha() and words >= 2
    return told and stand_ins.is_password(value)


def is_chosen(value: str) -> bool:
    """Whether a value is either."""
    return is_unmistakable(value) or is_joined(value)
