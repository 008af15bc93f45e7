"""Secrets that prove themselves: cards, accounts, keys and seeds of wallets."""

from __future__ import annotations

from molt.policy.glance import classes
from molt.policy.secrets import seed_words, stand_ins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

_CARD_WORDS = (
    *("card", "visa", "mastercard", "amex", "karte", "carte", "tarjeta", "cvv", "cvc", "debit"),
    *("credit", "卡", "カード", "карт", "cartão"),
)
_NO_CARD = (
    *("test", "order", "invoice", "tracking", "sandbox", "dummy", "sample", "example", "isbn"),
    *("imei", "epoch", "timestamp", "request", "run id", "_id", '"id"', "bestell"),
)
# How long the account numbers of a country are, with its letters (the IBAN registry of SWIFT).
_LENGTHS = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20
EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30
KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24
PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22
VG24 XK20
"""
_IBANS = {row[:2]: int(row[2:]) for row in _LENGTHS.split()}
_SEED_WORDS = (
    *("seed", "mnemonic", "recovery phrase", "secret phrase", "backup phrase", "wallet phrase"),
    *("bip39", "bip-39", "recovery words", "12 words", "24 words", "助记词", "助記詞", "种子"),
    *(
        "phrase de récupération",
        "frase semilla",
        "frase de recuperación",
        "wiederherstellungsphrase",
    ),
    *("сид-фраз", "сид фраз", "мнемони", "シードフレーズ", "リカバリーフレーズ", "ニーモニック"),
)
SEEDS = frozenset(_SEED_WORDS)
"""Words of which one must be in a text, in lower case, before it is read for a seed."""

_WALLET = (
    *("key", "private", "priv_", "privkey", "wallet", "secret", "signer"),
    *("私钥", "私鑰", "秘密鍵", "ключ", "clé", "clave"),
)
_NO_WALLET = (
    *("tx", "hash", "block", "public", "pub", "address", "commit", "root", "digest", "sha"),
    *("hmac", "cache"),
)
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_LONGEST = 52
"""How long the longest key of a wallet is that is written in base 58 with its checksum."""


def find_cards(line: str, lower: str) -> Iterator[Span]:
    """Card numbers, but for those of two digits, which manuals show."""
    for start, end in find_issued(line, lower):
        if len({*line[start:end]} - {" ", "-"}) > 2:
            yield start, end


def find_issued(line: str, lower: str) -> Iterator[Span]:
    """Numbers as cards have them: an issuer's first digits, its length, the check digit of Luhn."""
    if b"0" * 13 not in classes(line, "0") or any(word in lower for word in _NO_CARD):
        return
    told = any(word in lower for word in _CARD_WORDS)
    for start, end in _digit_runs(line):
        groups = line[start:end].replace("-", " ").split(" ")
        digits = "".join(groups)
        if _is_issued(digits, told=told) and _is_grouped(groups) and _has_luhn(digits):
            yield start, end


def _digit_runs(line: str) -> Iterator[Span]:
    """Runs of digits with single spaces or hyphens between them, of 13 digits and more."""
    at = 0
    while at < len(line):
        if not "0" <= line[at] <= "9":
            at += 1
            continue
        start = at
        while at < len(line) and (line[at] in "0123456789" or _joins(line, at)):
            at += 1
        after = line[at : at + 2].removeprefix(".")[:1]
        beside = line[max(0, start - 1) : start] + after
        if at - start >= 13 and not any(char.isalnum() or char in "._" for char in beside):
            yield start, at


def _joins(line: str, at: int) -> bool:
    return line[at] in " -" and "0" <= line[at + 1 : at + 2] <= "9" and line[at - 1] not in " -"


def _is_grouped(groups: list[str]) -> bool:
    sizes = "".join(str(len(group)) for group in groups)
    return len(groups) == 1 or sizes in ("4444", "465", "464", "44443")


def _is_issued(digits: str, *, told: bool) -> bool:
    """Whether an issuer gives such numbers; those of odd lengths count only for a card's."""
    head, size = int(digits[:4]), len(digits)
    if size == 16:
        known = (head // 1000 == 4, 5100 <= head <= 5599, 2221 <= head <= 2720, head == 6011)
        return any(known) or 3528 <= head <= 3589 or 6440 <= head <= 6599 or head // 100 == 62
    if size == 15:
        return head // 100 in (34, 37)
    fits = (
        head // 100 in (30, 36, 38) if size == 14 else head // 1000 in (4, 6) or head // 100 == 50
    )
    return told and 13 <= size <= 19 and fits


def _has_luhn(digits: str) -> bool:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[::-2])) + sum(doubled)) % 10 == 0


def find_accounts(line: str, _lower: str) -> Iterator[Span]:
    """Bank accounts as IBAN: a country, its length, the check digits."""
    shape = classes(line, "A")
    at = shape.find(b"AA00")
    while at >= 0:
        length = _IBANS.get(line[at : at + 2], 0)
        size = _account(line[at : at + 48], length) if length else 0
        if size and not line[max(0, at - 1) : at].isalnum():
            yield at, at + size
        at = shape.find(b"AA00", at + max(1, size))


def _account(piece: str, length: int) -> int:
    """How far the account number goes that a text begins with; 0 for none."""
    at, found = 0, ""
    while at < len(piece) and len(found) < length:
        if piece[at].isascii() and piece[at].isalnum():
            found += piece[at]
        elif piece[at] != " " or piece[at - 1] == " ":
            return 0
        at += 1
    if len(found) < length or piece[at : at + 1].isalnum() or found != found.upper():
        return 0
    # ISO 7064, MOD 97-10: letters count from 10, the first four characters come last.
    number = int("".join(str(int(char, 36)) for char in found[4:] + found[:4]))
    return at if number % 97 == 1 else 0


def find_seeds(line: str, lower: str) -> Iterator[Span]:
    """Seeds of wallets: 12 to 24 words of their list, after what calls them so."""
    for word in _SEED_WORDS:
        at = lower.find(word)
        if at >= 0:
            found = [*_seed(line, at + len(word)), *_find_other_seed(line, at + len(word))]
            yield from found[:1]
            return


_LEAST_SEED = 12
"""Words, of 128 bits (BIP-39); what stands behind them may be words of the list too."""


_known: list[frozenset[str]] = []


def _list_words() -> frozenset[str]:
    """The words of seeds, made once: a text may call something a seed in each of its lines."""
    if not _known:
        _known.append(frozenset(seed_words.WORDS.split()))
    return _known[0]


def _seed(line: str, start: int) -> Iterator[Span]:
    known = _list_words()
    first, last, count = 0, 0, 0
    at = start
    for part in [*line[start : start + 400].replace(",", " ").replace("：", " ").split(" "), "-"]:
        word = part.strip("\"'`*_:;.()[]").lower()
        if not count and word in ("phrase", "words", "mnemonic", "backup"):
            word = ""
        if word in known:
            first, last, count = first if count else at, at + len(part), count + 1
        elif word and not word.isdigit():
            if count >= _LEAST_SEED:
                yield first, last
                return
            count = 0
        at += len(part) + 1


def _find_other_seed(line: str, start: int) -> Iterator[Span]:
    """The seed of a wallet with another list: as many plain words in a row as seeds have, of which
    none is one that joins others.
    """
    first, count, at = start, 0, start
    for part in [*line[start : start + 400].split(" "), "-"]:
        plain = part.strip("\"'`.:")
        if 3 <= len(plain) <= 12 and plain.isalpha() and plain.islower() and plain not in _JOINERS:
            first, count = first if count else at, count + 1
        elif count >= _LEAST_SEED:
            if count in _SEEDS:
                yield first, at - 1
            return
        elif part:
            count = 0
        at += len(part) + 1


_SEEDS = (12, 13, 15, 18, 20, 21, 24, 25, 33)
"""How many words seeds have: of BIP-39, Monero, SLIP-39 and Electrum."""
_JOINING = """
the and for with you are was were this that from have has not but all can our your their its then
than when where which who what how into onto over under about after before because should would
could will und der die das mit von für ist nicht les des une est dans pour que los las una con por
"""
_JOINERS = frozenset(_JOINING.split())


def find_wallet_keys(line: str, lower: str) -> Iterator[Span]:
    """Private keys of wallets: 64 hex digits that are called so, base 58 with its checksum."""
    if b"b" * 51 not in classes(line, "b"):
        return
    told = any(word in lower for word in _WALLET) and not any(w in lower for w in _NO_WALLET)
    for start, end in _runs(line):
        run = line[start:end]
        plain = run.removeprefix("0x")
        if told and len(plain) == 64 and not plain.lower().strip("0123456789abcdef"):
            # The end of a name is what it counts or sums up.
            if len(set(plain)) > 4 and line[max(0, start - 1) : start] != "-":
                yield start, end
        elif 51 <= len(run) <= _LONGEST and run[0] in "5KL" and _has_checksum(run):
            yield start, end


def find_random(line: str, _lower: str) -> Iterator[Span]:
    """Keys of just 40 characters that no word tells: those of AWS, Cohere and others."""
    if b"b" * 40 not in classes(line, "b") or len(line) > 1000 or "base64" in line:
        return
    for start, end in _runs(line):
        alone = end - start == 40 and not _goes_on(line, start, end)
        if alone and stand_ins.is_random(line[start:end]):
            yield start, end


def _goes_on(line: str, start: int, end: int) -> bool:
    """Whether a run is part of something longer: a name with hyphens, a padded digest,
    what an address encodes."""
    before, after = line[max(0, start - 1) : start], line[end : end + 1]
    if "://" in line[max(0, start - 100) : start].rpartition(" ")[2]:
        return True
    return (before != "" and before in "-_./?\\%") or (after != "" and after in "-_=?\\%")


def _runs(line: str) -> Iterator[Span]:
    """The runs of letters, digits, `+` and `/` that are as long as a key."""
    shape = classes(line, "b")
    at = shape.find(b"b" * 40)
    while at >= 0:
        end = at + len(shape[at:]) - len(shape[at:].lstrip(b"b"))
        yield at, end
        at = shape.find(b"b" * 40, end)


def _has_checksum(run: str) -> bool:
    """Whether a run is base 58 with the first four bytes of its double SHA-256 at the end."""
    number = 0
    for char in run:
        digit = _BASE58.find(char)
        if digit < 0:
            return False
        number = number * 58 + digit
    from hashlib import sha256

    data = number.to_bytes(40, "big").lstrip(b"\0")
    return sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]
