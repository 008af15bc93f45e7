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


_INNER = "!#$%&"
_LONGEST = 24
_INITIALS = 2
"""Capitals in front of the `&` of a name: with more of them most are words."""


def is_alone(value: str) -> bool:
    """Whether a value is a password even with nothing beside it that says so: a sign stands within
    it that joins nothing, as a condition (`a&&b`), an address (`%20`), a cell of a sheet (`!B3`).
    """
    if not value.isascii() or len(value) > _LONGEST or "." in value or not is_unmistakable(value):
        return False
    # Behind the last sign stand a count (`styles$1`), or the name of a character (`&gt`).
    last = value.rstrip("0123456789")[-1:] == "$" or value.rpartition("&")[2].isalpha()
    if last or "&&" in value or "xxx" in value or _is_cell(value) or _is_coded(value):
        return False
    inner = (at for at in range(_measure_initials(value), len(value) - 1) if value[at] in _INNER)
    return any(value[at - 1].isalnum() and value[at + 1].isalnum() for at in inner)


def _measure_initials(value: str) -> int:
    """How many characters of a value are behind which a sign may tell: the first, or the initials
    of a name with the sign that joins them to the others (`AT&T`, `Q&A`).
    """
    head, mark, tail = value.partition("&")
    is_name = mark and len(head) <= _INITIALS and head.isalpha() and head.isupper()
    return len(head) + 1 if is_name and tail[:1].isupper() else 1


def _is_cell(value: str) -> bool:
    """Whether a value is a cell of a sheet: `Costs2!B3`."""
    _, mark, cell = value.rpartition("!")
    column = cell.replace("$", "").rstrip("0123456789")
    return bool(mark) and len(column) < len(cell) and column.isupper() and len(column) <= 3


def _is_coded(value: str) -> bool:
    """Whether a value has characters as an address writes them: `%20`."""
    parts = value.split("%")[1:]
    return any(not part[:2].strip("0123456789ABCDEFabcdef") and len(part) > 1 for part in parts)


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
