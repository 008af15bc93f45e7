"""What stands where a secret would and is none: placeholders, words, addresses, code, hashes."""

from __future__ import annotations

from itertools import pairwise

_NAMES = """
password passwd passwort kennwort pass pwd secret token user changeme example xxx none null
undefined true false hidden unknown empty required optional string str text bytes placeholder
redacted removed masked dummy sample todo tbd n/a onepassword bitwarden keepass guest test admin
root postgres dev demo local minio minioadmin rabbitmq tiger foo bar baz owner userpassword
temporarypassword mypassword newpassword oldpassword adminpassword testpassword securepassword
strongpassword samplepassword dbpassword mysecretpassword
"""
_ALGORITHMS = """
aes argon argon2 argon2d argon2i argon2id bcrypt blake blake2 blake2b blake2s blake3 camellia cbc
ccm chacha chacha20 cfb crc ctr curve curve25519 des dh dhe dilithium dsa ecb ecc ecdh ecdhe ecdsa
ed ed25519 ed448 eddsa elgamal gcm gost hkdf hmac hotp keccak kyber md md5 oaep ofb pbkdf pbkdf2
pkcs pkcs1 poly1305 pss ripemd rsa salsa20 scrypt secp secp256k1 secp256r1 sha sha1 sha2 sha224
sha256 sha3 sha384 sha512 shake siphash sm2 sm3 sm4 srp ssl tls totp twofish with x25519 x448
xchacha20 xts yescrypt
"""
_HASHES = """
sha1- sha256- sha384- sha512- sha1: sha256: sha384: sha512: md5: md5- h1: $2a$ $2b$ $2y$
$argon2 $6$ $5$ pbkdf2 scrypt: ssh-rsa ssh-ed25519 aaaab3nza aaaac3nza aaaae2vjz age1 arn:
"""
_SUFFIXES = ".md .json .yaml .yml .txt .toml .env .py .js .ts .pem .html .csv .log"
_STAND_INS = frozenset(_NAMES.split())
_BEGINS = ("your", "example", "redacted", "placeholder", "change", "insert", "my-secret")
# The last one is the token of a bot that the manual of Telegram shows.
_SAMPLES = "example your_ your- placeholder changeme redacted deadbeef abc-def1234ghikl"
_WITHIN = tuple(_SAMPLES.split())
_REFERENCES = ("$", "<", "{", "[", "%", "…", "process.env", "os.environ", "os.getenv", "secrets.")
# Of Stripe and Clerk, and of Supabase.
_FOR_PAGES = ("pk_live_", "pk_test_", "sb_publishable_")
_FILES = tuple(_SUFFIXES.split())
_PARTS_OF_NAMES = frozenset(_ALGORITHMS.split())
_JOINTS = str.maketrans("-_/+:.", "      ")
_DIGESTS = tuple(_HASHES.split())
_QUOTES = "\"'`*_"
_HEX = frozenset("0123456789abcdef")
_DIGITS_OF_58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE58 = frozenset(_DIGITS_OF_58)


def is_filler(value: str) -> bool:
    """Whether a token is one of a manual: a row of x or stars, or it says that it is none."""
    lower = value.lower()
    if any(word in lower for word in _WITHIN) or len(set(lower)) < 2:
        return True
    return 3 * len(lower.translate(_FILL)) < len(lower)


def is_alphabet(value: str) -> bool:
    """Whether a value goes through the alphabet, as one does that a test makes up."""
    return "abcdefghijklmnop" in value.lower()


# Of characters by lot one of eight goes on from one of the two before it, in base 16 at that.
_COUNTED = 0.6


def is_counted(value: str) -> bool:
    """Whether a value counts up, as what a manual makes up: `1234`, `a1b2c3d4e5f6`, `0000`; letters
    and digits in turn too.
    """
    plain = [ord(char) for char in value.lower() if char.isalnum() and char.isascii()]
    if len(plain) < 4 or (len(plain) < 12 and not value.isdigit()):
        return False
    if len(set(plain)) == 1:
        return True
    on = sum(plain[at] - 1 in plain[max(0, at - 2) : at] for at in range(1, len(plain)))
    # Of a few digits each has to: `1243` is a PIN.
    return on >= (len(plain) - 1) * (_COUNTED if len(plain) >= 12 else 1)


# Passwords of manuals: a word, then digits that count up (`samba123`), at most a mark at the end.
_MARKS = "!@#$*."
_COUNT = "1234567890"
_LEET = str.maketrans("@4031!$5", "aaoeilss")


def is_of_manual(value: str) -> bool:
    """Whether a value is one that manuals show: a password that nobody has to guess, a sample that
    a standard or a service has published, or a key of a service that it gives to everybody.
    """
    lower = value.lower()
    if any(sample in lower for sample in _PUBLISHED) or _is_for_everybody(value):
        return True
    word = value.rstrip(_MARKS)
    letters = word.rstrip("0123456789")
    counted = word[len(letters) :]
    plain = letters.lower().translate(_LEET)
    if plain in ("password", "passwort", "passwd"):
        return not counted or _COUNT.startswith(counted)
    fits = letters in (letters.lower(), letters.capitalize()) and letters.isascii()
    return fits and letters.isalpha() and len(counted) >= 3 and _COUNT.startswith(counted)


# The subject of jwt.io's token, and accounts of the registry of IBAN and of its article.
_PUBLISHED = (
    "eyjzdwiioiixmjm0nty3odkwiiwibmftzsi6ikpvag4grg9l",
    "gb82west12345698765432",
    "gb29nwbk60161331926819",
    "gb33bukb20201555555555",
)


def _is_for_everybody(value: str) -> bool:
    """Whether a token is one that every visitor of a page gets: PostHog's of a project, or a JSON
    web token of Supabase's.
    """
    if value.startswith("phc_"):
        return True
    parts = value.split(".")
    if len(parts) != 3 or not value.startswith("eyJ"):
        return False
    from binascii import Error, a2b_base64

    try:
        said = a2b_base64(parts[1].replace("-", "+").replace("_", "/") + "==")
    except Error:
        return False
    return b'"role":"anon"' in said.replace(b" ", b"")


_FILL = {ord(char): None for char in "x*._-…•0"}


def is_stand_in(value: str) -> bool:
    """Whether a value only holds the place of one."""
    lower = value.lower()
    if lower.startswith(_REFERENCES) or lower.startswith(_BEGINS) or "xxxx" in lower:
        return True
    if lower[:2] in ("!0", "!1") and lower[2:3] in ("", ",", ";", "}"):
        return True
    plain = lower.partition("|")[0].strip("*x.…•-_0123456789!@#$%^&")
    return not plain.strip("*x.…•-_") or plain in _STAND_INS


def is_plain(value: str) -> bool:
    """Whether a value is an address, a path, a date, a version, a hash, or a call in a program."""
    called = value.partition("(")
    if called[1] and called[0].replace(".", "").replace("_", "").isalnum():
        return True
    lower = value.lower()
    file = lower.rstrip("0123456789:-l#")
    if is_base64(value):
        return False
    if "://" in value or value[:1] in "/~" or file.endswith(_FILES) or lower.startswith(_DIGESTS):
        return True
    if not value.strip("0123456789-:/.TZvV+→") and not value.isdigit():
        return True
    if _is_ticket(value) or _is_field(lower) or _is_colour(lower) or _is_setting(value):
        return True
    if _is_selector(value) or _is_algorithm(lower):
        return True
    user, at, host = value.partition("@")
    return bool(at and user and "." in host and host.replace(".", "").replace("-", "").isalnum())


def _is_ticket(value: str) -> bool:
    """Whether a value is the number of an issue: `ABC-123`."""
    name, mark, number = value.partition("-")
    return bool(mark) and name.isalpha() and name.isupper() and number.isdigit()


def _is_colour(lower: str) -> bool:
    digits = lower.removeprefix("#").rstrip(";")
    return lower[:1] == "#" and len(digits) in (3, 6, 8) and _HEX.issuperset(digits)


def _is_algorithm(lower: str) -> bool:
    """Whether a value is the name of an algorithm, with sizes: `aes-256-gcm`, `rsa-4096`."""
    parts = lower.translate(_JOINTS).split()
    names = [part for part in parts if not part.removesuffix("mb").isdigit()]
    known = all(
        part in _PARTS_OF_NAMES or part.rstrip("0123456789") in _PARTS_OF_NAMES for part in names
    )
    return known and bool(names) and all(map(_is_size, parts))


def _is_size(part: str) -> bool:
    """Whether a part of a name has no number, or one that a size may have: `sha512`, `4096`."""
    return sum(map(str.isdigit, part)) <= 5


_TAGS = frozenset(("a", "button", "div", "form", "input", "label", "p", "select", "textarea"))


def _is_selector(value: str) -> bool:
    """Whether a value finds an element of a page: `input#password`, `div.secret-1`."""
    tag, mark, name = value.replace(".", "#").partition("#")
    return bool(mark) and tag in _TAGS and name.replace("-", "_").isidentifier()


def _is_setting(value: str) -> bool:
    """Whether a value is an argument with a number: `axis=0`."""
    name, mark, number = value.partition("=")
    return bool(mark) and name.isidentifier() and number.replace(".", "").isdigit()


def _is_field(lower: str) -> bool:
    """Whether a value is a field of a program that is called like what it holds: `e.password`."""
    names = lower.rstrip(",;)").split(".")
    named = names[-1].rstrip("0123456789").endswith(("password", "pass", "token", "secret", "key"))
    return len(names) > 1 and named and all(name.isidentifier() for name in names)


_SIGNS_OF_64 = str.maketrans("+/=", "   ")


def is_base64(value: str) -> bool:
    """Whether a value is bytes by lot in base 64, which a path is not: it is padded or has a `+`,
    and slashes between letters of any kind.
    """
    whole = len(value) >= 40 and len(value) % 4 == 0
    if not whole or not (value[-1:] == "=" or "+" in value) or "=" in value.rstrip("="):
        return False
    letters = value.translate(_SIGNS_OF_64).replace(" ", "")
    return letters.isascii() and letters.isalnum() and is_random(letters)


def is_public(value: str) -> bool:
    """Whether a value is an address on a chain, or a key that its service marks as one for every
    visitor of a page, and that is no secret.
    """
    if value.startswith(_FOR_PAGES):
        return True
    lower = value.lower().removeprefix("0x")
    return len(value) - len(lower) == 2 and len(lower) == 40 and _HEX.issuperset(lower)


def is_account(value: str) -> bool:
    """Whether a value can be what chains as Solana call an account, which is public: 32 bytes in
    base 58. A key of as many characters by lot has another letter nineteen times of twenty.
    """
    if len(value) not in (43, 44) or not _BASE58.issuperset(value):
        return False
    number = 0
    for char in value:
        number = 58 * number + _DIGITS_OF_58.index(char)
    return number < 1 << 256


def is_uuid(value: str) -> bool:
    """Whether a value is a UUID."""
    parts = value.lower().split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and _HEX.issuperset("".join(parts))


def is_password(value: str) -> bool:
    """Whether a value can be a password, and is no word, date, address, path or placeholder."""
    if (value := value.strip(f"{_QUOTES}.,;!?()（）「」，。；")).isdigit():
        # The label of a router has so many; fewer are a PIN, or stand for something else.
        return 16 <= len(value) <= 24 and not is_counted(value)
    if (
        len(value) < 6
        # Words of the East may stand around a password, for they need no blank; none is of them.
        or sum(char < _EAST for char in value) < 6
        or (value.isalpha() and not _is_cased_by_lot(value))
        or is_stand_in(value)
        or is_plain(value)
        or is_public(value)
        or _is_prose(value)
    ):
        return False
    inner = any(char in "@!#%^&+~?$" for char in value[1:-1])
    return inner or any(map(str.isdigit, value)) or _is_cased_by_lot(value.rstrip("="))


def _is_cased_by_lot(value: str) -> bool:
    """Whether capitals stand in a row of letters as no name has them (`OpenAPIKey`): at least four
    turns of case, and of the runs of small letters, which in words are long, most are short.
    """
    if not (value.isascii() and value.isalpha()) or len(value) < 8:
        return False
    turns = sum(one.islower() != two.islower() for one, two in pairwise(value))
    runs = "".join(char if char.islower() else " " for char in value).split()
    return turns >= 4 and sum(len(run) <= 2 for run in runs) * 2 > len(runs)


# More words than a sentence needs, and fewer than a passphrase of dice has, which has no signs.
_WORDS = 5
_EAST = "\u2e80"
_SIGNS_OF_PROSE = frozenset("、。，：；？！「」『』")


def _is_prose(value: str) -> bool:
    """Whether a quoted value is a sentence, or what a template makes one of: `must pass: "Can …?"`,
    `password: '「{{ name }}」…'`.
    """
    if "{{" in value or not _SIGNS_OF_PROSE.isdisjoint(value):
        return True
    return " " in value and len(value.split()) >= _WORDS


def is_all_kinds(value: str) -> bool:
    """Whether a value can be a password, and has small letters, capitals and digits and no sign;
    so a word beside it that is of another script cannot be a part of it, nor it of a sentence.
    """
    kinds = (str.islower, str.isupper, str.isdigit)
    told = value.isascii() and value.isalnum() and len(value) >= 8
    return is_strong(value) or (
        told and is_password(value) and all(any(map(kind, value)) for kind in kinds)
    )


def is_strong(value: str) -> bool:
    """Whether a value can be nothing but a password, whatever stands around it."""
    letters = any(char.isalpha() for char in value)
    symbols = any(char in "@!#%^&+~?$*=" for char in value[1:-1])
    digits = any(char.isdigit() for char in value)
    if len(value) >= 10 and value.isascii() and value.isalnum() and is_random(value):
        return is_password(value)
    return is_password(value) and letters and symbols and digits and "/" not in value


def is_key(value: str) -> bool:
    """Whether a run of a value is long and mixed, as no word is."""
    if len(value) < 12 or (value.islower() and not any(map(str.isdigit, value))):
        return False
    if _is_prose(value):
        return False
    if is_stand_in(value) or is_plain(value) or is_public(value) or is_filler(value):
        return False
    if any(char in "?|&<>" for char in value) or "==" in value[:-2]:
        return False
    if any(name in value.lower() for name in ("privatekey", "secretkey", "apikey", "accesstoken")):
        return False
    if is_base64(value):
        return True
    if is_uuid(value) or any(len(run) >= 12 and _is_mixed(run, 2) for run in _runs(value)):
        return True
    return len(value) >= 24 and is_random(value)


def is_long_key(value: str) -> bool:
    """Whether a value is one run as only a key is, with no word before it that says so."""
    if not is_key(value) or is_uuid(value):
        return False
    runs = _runs(value)
    return is_base64(value) or (
        len(runs) <= 4 and any(len(run) >= 20 and _is_mixed(run, 4) for run in runs)
    )


def is_random(value: str) -> bool:
    """Whether a value has small and capital letters and digits in no order that words have, hyphens
    between words left out (`sk-v1-THE-KEY`).
    """
    parts = value.replace("_", "-").split("-")
    value = "".join(parts)
    if len(parts) > 1 and sum(map(len, filter(_is_of_kinds, parts))) < _LEAST_OF_KINDS:
        return False
    rows = "abcdefgh" in value.lower() or "12345678" in value or is_filler(value)
    return any(map(str.isdigit, value)) and not rows and _is_jumbled(value)


# A key in groups has most of its characters in groups of more than one kind; words have them in
# the number of a version at most.
_LEAST_OF_KINDS = 8


def _is_of_kinds(part: str) -> bool:
    """Whether small letters, capitals and digits are not apart in a part."""
    tests = (str.islower, str.isupper, str.isdigit)
    return sum(any(map(test, part)) for test in tests) > 1


# Small letters in a row, on average, that only words have: by lot, runs of this length over a dozen
# letters come once in a hundred thousand. An acronym before them (`HTTPHeaderReader`) says nothing.
_LONG_RUNS = 6


def _is_jumbled(value: str) -> bool:
    """Whether small and capital letters stand as drawn by lot, and not as in a name."""
    lower, upper = (sum(map(test, value)) for test in (str.islower, str.isupper))
    if lower < 4 or upper < 4 or len(set(value)) * 2 < len(value):
        return False
    runs = sum(two.islower() and not one.islower() for one, two in pairwise(f" {value}"))
    if lower >= _LONG_RUNS * runs and lower >= 2 * _LONG_RUNS:
        return False
    # In a name of several words (`ListView2Page`) a capital is followed by small letters, and
    # these stand in runs; drawn by lot, two of five are, and a run has 1.7 letters.
    starts = sum(one.isupper() and two.islower() for one, two in pairwise(value))
    return not (starts * 3 > upper * 2 and lower * 4 > runs * 11)


def _is_mixed(run: str, least: int) -> bool:
    digits = sum(char.isdigit() for char in run)
    if digits >= least and len(run) - digits >= 3:
        return len(set(run.lower())) > 1
    return len(run) >= 20 and _is_jumbled(run)


def _runs(value: str) -> list[str]:
    """The runs of ASCII letters and digits in a value."""
    spaced = "".join(char if char.isascii() and char.isalnum() else " " for char in value)
    return spaced.split()
