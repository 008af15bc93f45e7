"""What a match has to pass beside its pattern: a check digit, a checksum, what it decodes to."""

from __future__ import annotations

from molt.policy.secrets import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

# The lengths of accounts by country (the IBAN registry of SWIFT).
_LENGTHS = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20
EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30
KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24
PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22
VG24 XK20
"""
_IBANS = {row[:2]: int(row[2:]) for row in _LENGTHS.split()}
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def card_number(match: re.Match[str]) -> bool:
    """Return whether digits are a card's: an issuer's range and the check digit of Luhn."""
    digits = match[0].replace("-", "").replace(" ", "")
    # A row of one digit or two is what manuals show.
    return len(set(digits)) > 2 and _is_issued(digits) and _has_luhn(digits)


def _is_issued(digits: str) -> bool:
    head = int(digits[:4])
    issued = (
        *(head // 1000 == 4, 5100 <= head <= 5599, 2221 <= head <= 2720, head == 6011),
        *(3528 <= head <= 3589, 6440 <= head <= 6599, head // 100 in (34, 37, 62)),
    )
    return any(issued)


def _has_luhn(digits: str) -> bool:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[::-2])) + sum(doubled)) % 10 == 0


def iban(match: re.Match[str]) -> bool:
    """Return whether a match is a bank account: its country's length and check digits
    (ISO 7064, MOD 97-10).
    """
    account = match[0].replace(" ", "")
    if _IBANS.get(account[:2]) != len(account):
        return False
    number = int("".join(str(int(char, 36)) for char in account[4:] + account[:4]))
    return number % 97 == 1


def base58_checksum(match: re.Match[str]) -> bool:
    """Return whether a run ends with the first four bytes of its double SHA-256 (WIF)."""
    from hashlib import sha256

    number = 0
    for char in match[0]:
        number = number * 58 + _BASE58.index(char)
    data = number.to_bytes(40, "big").lstrip(b"\0")
    return sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]


def password_in_url(match: re.Match[str]) -> bool:
    """Return whether the password of an address opens something: it is no variable, no word of a
    script without spaces, and not, on a machine beside it, its user's name with a number.
    """
    user, password, host = match.groups()
    beside = user and "." not in host and password.startswith(user)
    if password == user or (beside and password[len(user) :].isdigit()):
        return False
    return any(map(str.isascii, password)) and "{" not in password


def basic_credentials(match: re.Match[str]) -> bool:
    """Return whether a value is `user:password` in base64."""
    from binascii import Error, a2b_base64

    value = match[1]
    try:
        plain = a2b_base64(value + "=" * (-len(value) % 4)).decode("utf-8")
    except (Error, ValueError):
        return False
    user, _, password = plain.partition(":")
    return bool(user) and plain.isprintable() and bool(password) and _is_own(password)


def _is_own(password: str) -> bool:
    return not values.is_placeholder(password)


def header_token(match: re.Match[str]) -> bool:
    """Return whether what an `Authorization` carries is a token, written out to its end."""
    value = match[1]
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return mixed and _is_whole(match) and values.measure_entropy(value) >= values.ENTROPY


def bearer_token(match: re.Match[str]) -> bool:
    """Return whether what follows `Bearer` is a token, written out to its end."""
    return _is_whole(match) and values.is_random(match[1])


def _is_whole(match: re.Match[str]) -> bool:
    cut = ("...", "…", "***")
    return not match[1].endswith(cut) and not match.string.startswith(cut, match.end())


CHECKS: dict[str, Callable[[re.Match[str]], bool]] = {
    check.__name__: check
    for check in (
        *(card_number, iban, base58_checksum),
        *(password_in_url, basic_credentials, header_token, bearer_token),
    )
}
"""The checks by the names that the table gives them."""
