"""Whether a value is a placeholder, looks random, or looks like a password that people choose."""

from __future__ import annotations

from itertools import pairwise
from math import log2

_WORDS = (
    *("example", "your_", "your-", "placeholder", "changeme", "redacted", "deadbeef", "xxxx"),
    *("dummy", "insert", "sample", "todo", "abcdefghijklmnopqrstuvwxyz", "1234567890abcdef"),
    *("<", "{{", "${", "$(", "…", "...", "[redacted", "***", "•••"),
)
"""What a placeholder holds."""
_BEGINS = ("your", "my-secret", "mysecret", "fake", "$", "%", "{", "[", "(")
_WHOLE = frozenset(
    (
        *("password", "passwd", "passwort", "pass", "pwd", "secret", "token", "user", "guest"),
        *("test", "admin", "root", "postgres", "null", "none", "true", "false", "hidden", "foo"),
        *("bar", "changeit", "minioadmin", "rabbitmq", "mysql", "redis", "local", "dev", "demo"),
        *("userpassword", "mypassword", "newpassword", "oldpassword", "strongpassword", "tiger"),
        *("secretpassword", "adminpassword", "testpassword", "temporarypassword"),
        *("p@ssw", "p@ssword", "passw", "letmein", "qwerty", "username", "securepassword"),
    )
)
"""What a placeholder is, without the digits and signs behind it."""
# Published by jwt.io and manuals of Telegram, IBAN and bcrypt; given to every visitor by PostHog,
# Stripe, Clerk and Supabase.
_PUBLISHED = (
    *("eyjzdwiioiixmjm0nty3odkwiiwibmftzsi6ikpvag4grg9l", "abc-def1234ghikl", "phc_"),
    *("gb82west12345698765432", "gb29nwbk60161331926819", "gb33bukb20201555555555"),
    *("pk_live_", "pk_test_", "sb_publishable_", "4242424242424242", "4111111111111111"),
    *("sflkxwrjsmekkf2qt4fwpmejf36pok6yjv_adqssw5c", "lqv3c1yqbwvhxkd0lhakco"),
)
_ENDS = ("password", "passwort", "passwd", "_pass", "_secret", "_token", "_key", "_here", "-here")
_FILL = dict.fromkeys(map(ord, "x*._-…•0"))
_FEW = 2
_SIGNS = "@!#%^&+~?$*=/"
_EDGES = "\"'`*_.,;!?()"


def is_placeholder(value: str) -> bool:
    """Return whether a value only holds the place of one, or was published as an example."""
    lower = value.lower()
    plain = lower.replace(" ", "")
    for part in (*_WORDS, *_PUBLISHED):
        if part in plain:
            return True
    if len(set(lower)) < 2 or 3 * len(lower.translate(_FILL)) < len(lower):
        return True
    if lower.startswith(_BEGINS) or lower.endswith(_ENDS):
        return True
    return lower.strip("0123456789!@#$%^&*._-") in _WHOLE


def is_words(value: str) -> bool:
    """Return whether a value is three words or more that hyphens or underscores join."""
    parts = [part for part in value.replace("_", "-").split("-") if part]
    cased = all(part[1:].islower() or part.isupper() or len(part) == 1 for part in parts)
    return len(parts) > _FEW and cased and all(map(str.isalpha, parts))


def is_public_token(value: str) -> bool:
    """Return whether a JSON web token is one that every visitor of a page gets (Supabase)."""
    from binascii import Error, a2b_base64

    parts = value.split(".")
    if len(parts) < _FEW or not value.startswith("eyJ"):
        return False
    claims = parts[1].replace("-", "+").replace("_", "/")
    try:
        plain = a2b_base64(claims + "=" * (-len(claims) % 4))
    except Error:
        return False
    return b'"role":"anon"' in plain.replace(b" ", b"")


def measure_entropy(value: str) -> float:
    """Return the Shannon entropy of a value's characters, in bits a character."""
    size = len(value)
    counts = (value.count(char) / size for char in set(value))
    return -sum(share * log2(share) for share in counts)


def is_random(value: str, least: int = 16) -> bool:
    """Return whether a value looks as drawn by lot: letters and digits mixed, as in no word,
    name, date or version.
    """
    bare = value.replace("-", "").replace("_", "").replace(".", "").rstrip("=")
    digits = sum(map(str.isdigit, bare))
    if len(bare) < least or digits < 2 or len(bare) - digits < 2 or ":" in value:
        return False
    if value.startswith(("/", "~", "sha256", "sha512", "sha1")) or _is_address(value):
        return False
    kinds = ["0" if char.isdigit() else "A" if char.isupper() else "a" for char in bare]
    turns = sum(one != two for one, two in pairwise(kinds))
    return turns >= _TURNS * len(bare) and measure_entropy(bare) >= ENTROPY


def _is_address(value: str) -> bool:
    """Return whether a value is an address on a chain, which is public."""
    digits = value.lower().removeprefix("0x")
    return len(digits) == 40 and len(value) == 42 and not digits.strip("0123456789abcdef")


# Of characters by lot over 32 signs three of ten begin another kind, of words with a number behind
# them (`claude35sonnet20241022`) one of seven.
_TURNS, ENTROPY = 0.22, 3.0
_LEAST, _MOST = 8, 64
_PASSWORD_ENTROPY = 2.5


def is_password(value: str) -> bool:
    """Return whether a value looks like a password that a person chose: letters with digits or
    signs between them, and no name, number, date, path or field of a program.
    """
    bare = value.strip(_EDGES)
    if not _LEAST <= len(value) <= _MOST or len(bare) < _LEAST - 2 or not value.isascii():
        return False
    letters = sum(map(str.isalpha, bare))
    if letters < 2 or measure_entropy(value) < _PASSWORD_ENTROPY:
        return False
    digits = any(map(str.isdigit, bare))
    signs = any(char in _SIGNS for char in bare[1:-1])
    return (digits or signs) and not _is_plain(bare, signs=signs)


def _is_plain(value: str, *, signs: bool) -> bool:
    """Return whether a value is a path, an address, a field or a name with numbers."""
    if value[:1] in "/~$" or "://" in value or value.count("/") > 1:
        return True
    fields = value.split(".")
    if len(fields) > 1 and all(map(str.isidentifier, fields)):
        return True
    name, _, suffix = value.rpartition(".")
    if name and suffix.isalpha() and not signs:
        return True
    ticket, mark, number = value.partition("-")
    if mark and ticket.isupper() and number.isdigit():
        return True
    parts = value.replace("-", "_").replace(".", "_").replace(":", "_").split("_")
    if len(parts) > 2 and all(part.isalpha() or part.isdigit() for part in parts if part):
        return True
    if "_" in value and all(part.isalnum() and part[:1].isalpha() for part in value.split("_")):
        return True
    user, at, host = value.partition("@")
    return bool(at and user and "." in host and host.replace(".", "").isalnum())
