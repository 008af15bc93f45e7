"""Whether a text can contain a secret at all, without patterns: hardly any text can.

It is asked by every hook and every write, and starts nothing else. False is certain (a test asks
it of every example of the table); True only means that `scan` has to look.
"""

from __future__ import annotations

from molt.policy import letters

NAMES = (
    *("password", "passwd", "passphrase", "passwort", "kennwort", "contraseña", "mot de passe"),
    *("senha", "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "pwd"),
    *("secret", "token", "api_key", "api-key", "apikey", "api key", "access_key", "access key"),
    *("private_key", "private key", "secret key", "encryption_key", "auth_key", "credential"),
    *("密钥", "密鑰", "令牌"),
)
"""What the name of an assignment holds, in lower case; `PASSWORDS` are names of passwords."""
PASSWORDS = NAMES[:15]
REACH = 40
"""How far behind a name its value begins."""
_SIGNS = (
    *("-----BEGIN", "PuTTY-User-Key-File-", "uthorization", "UTHORIZATION", "$argon2", "{SSHA"),
    *("WIFI:", "otpauth", "hooks.slack.com/", "hooks.zapier.com/", "BUNDLE_", "/open-apis/bot/"),
    *("/webhook/send?key=", "django-insecure-", "AccountKey=", "ig=", "oauth:", "_KEY'", "_SALT'"),
    *("AstraCS:", "mlsn."),
)
"""What begins a format whose runs of letters and digits may be short."""
SHORTEST = 12
"""The shortest run of letters, digits, `_` and `-` of a format with a prefix."""
LONG = 20
"""The shortest run of letters and digits of a format without a prefix."""
_LOWER = b"abcdefghijklmnopqrstuvwxyz"
_DIGITS = b"0123456789"
_KEPT = frozenset(_LOWER + _LOWER.upper() + _DIGITS)
_RUNS = bytes(code if code in _KEPT or code in b"_-" else 32 for code in range(256))
"""Keeps what runs are made of, and makes all else a blank."""
_GROUPS = bytes(
    48 if code in _DIGITS else 45 if code in b" -" else 10 if code == 10 else 46
    for code in range(256)
)
"""Makes digits `0`, and what stands between groups of them `-`."""
_CARDS = (b"0" * 13, b"0000-0000-0000-0000", b"0000-000000-00000")
_CAPITALS = bytes(
    48 if code in _DIGITS else 65 if code in _LOWER.upper() else 32 if code == 32 else 46
    for code in range(256)
)
_TRIES = 100
"""Places that may begin an account, beyond which patterns are faster."""
_HEX = b"0123456789abcdef"
_DIGESTS = (40, 64)
"""The lengths of names of objects and of checksums, which are no secrets."""


def drop_ignorable(text: str) -> str:
    """Return a text without the characters that no reader sees."""
    if text.isascii() or letters.IGNORABLE.isdisjoint(text):
        return text
    return "".join([char for char in text if char not in letters.IGNORABLE])


def may_contain_secret(text: str) -> bool:
    """Return whether anything in a text can be a secret."""
    text = drop_ignorable(text)
    data = text.encode("ascii", "replace")
    for sign in _SIGNS:
        if sign in text:
            return True
    if has_run(data) or has_number(data):
        return True
    if b"://" in data and b"@" in data:
        return True
    return (b"=" in data or b":" in data or "：" in text) and has_assignment(text)


def has_run(data: bytes) -> bool:
    """Return whether a run may be a token; words, dates, digests and UUIDs are none."""
    runs = data.translate(_RUNS).split()
    return any(_may_be_token(run) for run in runs if len(run) >= SHORTEST)


def _may_be_token(run: bytes) -> bool:
    letters = run.translate(None, b"0123456789_-")
    if not letters:
        return False
    bare = run.translate(None, b"_-")
    if len(bare) < SHORTEST - 1:
        return False
    if len(letters) == len(bare):
        # Without a digit: capitals within, as in no word, or one long row of them.
        if letters.isupper():
            return len(run) == len(letters) and len(run) >= LONG
        return not letters[1:].islower() and not letters.islower()
    if run.startswith(b"20") and len(letters) < 3:
        return False
    if not run.translate(None, _HEX):
        return len(run) not in _DIGESTS
    return not (run.count(b"-") == 4 and len(run) == 36 and not bare.translate(None, _HEX))


def has_long_run(data: bytes) -> bool:
    """Return whether a run of letters and digits may be a token that no prefix announces."""
    for run in data.translate(_RUNS).replace(b"-", b" ").replace(b"_", b" ").split():
        mixed = len(run) >= LONG and not run.isalpha() and not run.isdigit()
        if mixed and (len(run) not in _DIGESTS or run.translate(None, _HEX)):
            return True
    return False


def has_number(data: bytes) -> bool:
    """Return whether a text has groups of digits as cards or bank accounts have them."""
    groups = data.translate(_GROUPS)
    for shape in _CARDS:
        if shape in groups:
            return True
    shape = data.translate(_CAPITALS)
    at, tries = shape.find(b"AA00"), 0
    while at >= 0:
        tries += 1
        if tries > _TRIES:
            return True
        # The shortest account has 15 characters.
        rest = shape[at : at + 20].replace(b" ", b"")
        if b"." not in rest[:15] and len(rest) >= 15:
            return True
        at = shape.find(b"AA00", at + 1)
    return False


def has_assignment(text: str) -> bool:
    """Return whether a name of a secret is followed by `=` or `:` in its line."""
    lower = text.lower()
    for name in NAMES:
        at = lower.find(name)
        while at >= 0:
            end = at + len(name)
            tail = lower[end : end + REACH].partition("\n")[0]
            if "=" in tail or ":" in tail or "：" in tail:
                return True
            at = lower.find(name, end)
    return False
