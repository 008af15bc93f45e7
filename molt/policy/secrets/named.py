"""Secrets that only the words before them tell: a password, a key, a PIN, codes, a login."""

from __future__ import annotations

from molt.policy.secrets import stand_ins, value, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

# Words of which one must be in a text, in lower case, before it is read for what they name.
PASSWORDS = frozenset((*words.PASS, *words.SHORT, "pass"))
KEYS = frozenset((*words.KEY, "key"))
LOGINS = frozenset((*words.LOGIN, "machine "))
CODES = frozenset(words.CODE)
# `pinned: false` is in half of all memories.
PINS = frozenset((*(f"pin{after}" for after in ":：=-*`\"' 码"), "pins:", "pins ", *words.PIN[1:]))

_POSTAL = ("postal", "post code", "postcode", "zip", "gpio", "邮编")
_PASSED = ("all", "tests", "checks")
"""What passes, where a verdict is told: `ALL PASS: …`."""
_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_DIGITS = "0123456789"


def find_passwords(line: str, lower: str) -> Iterator[Span]:
    """What is called a password."""
    parts = line.split(None, 2)
    if len(parts) == 2 and parts[0].lower() == "password" and stand_ins.is_password(parts[1]):
        # A line of a `.netrc` file.
        start = line.rfind(parts[1])
        yield start, start + len(parts[1])
    tests = (stand_ins.is_password, stand_ins.is_strong)
    yield from value.find_values(line, lower, value.find_names(lower, words.PASS), *tests)
    ends = value.find_names(lower, words.SHORT, whole=True)
    yield from value.find_values(line, lower, ends, *tests)
    # What passes is a test, or an argument, as often as a person.
    ends = value.find_names(lower, ("pass",), whole=True)
    told = "login" in lower or "user" in lower
    ends = (end for end in ends if told or lower[end : end + 3].strip("\"'`* ")[:1] in (":", "="))
    ends = (end for end in ends if not lower[max(0, end - 12) : end - 4].rstrip().endswith(_PASSED))
    yield from value.find_values(line, lower, ends, *tests)


def find_keys(line: str, lower: str) -> Iterator[Span]:
    """What is called a secret, a token, or a key that opens something."""
    ends = value.find_names(lower, tuple(word for word in words.KEY if word not in words.VAGUE))
    yield from value.find_values(line, lower, ends, stand_ins.is_key, stand_ins.is_long_key)
    for name in words.VAGUE:
        # What is traded on a chain is a token too, and called by its account.
        tests = _TESTS_OF_TOKEN if name == "token" else (_is_token, stand_ins.is_long_key)
        ends = value.find_names(lower, (name,))
        ends = (end for end in ends if _word_before(line, lower, end) not in words.NO_TOKEN)
        yield from value.find_values(line, lower, ends, *tests)
    ends = value.find_names(lower, ("key",))
    ends = (
        end for end in ends if not any(no in lower[max(0, end - 20) : end] for no in words.NO_KEY)
    )
    yield from value.find_values(line, lower, ends, _is_random_key, _never)


def _word_before(line: str, lower: str, end: int) -> str:
    """The word before a name: what stands before a capital (`fromToken`), `_`, `-` or a space."""
    end = max(lower.rfind(name, 0, end) for name in words.VAGUE)
    start = end = end - (line[end - 1 : end] in ("_", "-", " "))
    while start and line[start - 1].isalpha() and end - start < 16:
        start -= 1
        if line[start].isupper() and line[start + 1 : start + 2].islower():
            break
    return lower[start:end]


def _never(_value: str) -> bool:
    return False


def _is_token(text: str) -> bool:
    if stand_ins.is_uuid(text):
        return False
    # The seeds of one-time passwords are base 32, often without a digit.
    seed = len(text) in (16, 26, 32, 52) and not text.strip(_BASE32) and len(set(text)) > 6
    return seed or stand_ins.is_key(text)


def _opens(text: str) -> bool:
    """Whether a token is none that is traded, after a sign."""
    return _is_token(text) and not stand_ins.is_account(text)


def _opens_alone(text: str) -> bool:
    """Whether it is none, without a sign."""
    return stand_ins.is_long_key(text) and not stand_ins.is_account(text)


_TESTS_OF_TOKEN = (_opens, _opens_alone)


def _is_random_key(text: str) -> bool:
    if stand_ins.is_account(text):
        return False
    return len(text) >= 20 and text.replace("-", "").isalnum() and stand_ins.is_random(text)


def find_logins(line: str, lower: str) -> Iterator[Span]:
    """The second part of `login: ada / …`, and of the line of a `.netrc` file."""
    at = lower.find(" password ") if "machine " in lower and " login " in lower else -1
    if at >= 0:
        span = value.take(line, at + 10, _is_chosen)
        yield from (span,) if span else ()
    for end in value.find_names(lower, words.LOGIN):
        start, signed = value.after_sign(line, lower, end + _and_password(lower[end : end + 12]))
        if signed:
            yield from _second(line, start)


def _second(line: str, start: int) -> Iterator[Span]:
    """The password of `user / password`, whichever sign is between them."""
    piece = line[start : start + value.REACH]
    for mark in (" / ", "/", ":", " | "):
        user, found, rest = piece.partition(mark)
        if found and user.strip() and not any(char in user.strip() for char in " :"):
            at = start + len(user) + len(found) + len(rest) - len(rest.lstrip())
            test = stand_ins.is_password if " " in found else stand_ins.is_strong
            span = value.take(line, at, test)
            yield from (span,) if span else ()
            return


def _and_password(rest: str) -> int:
    """How long the rest of `login/pass` or `login/password` is."""
    names = ("/password", "/passwort", "/pass", "/pwd", "/pw")
    return next((len(name) for name in names if rest.startswith(name)), 0)


def _is_chosen(text: str) -> bool:
    return len(text) >= 4 and not stand_ins.is_stand_in(text)


def find_pins(line: str, lower: str) -> Iterator[Span]:
    """Four to eight digits that are called a PIN; no postal code, no leg of a chip."""
    if any(word in lower for word in _POSTAL):
        return
    for end in value.find_names(lower, words.PIN, whole=True):
        coded = next((len(word) for word in words.CODED if lower.startswith(word, end)), 0)
        start, _ = value.after_sign(line, lower, end + coded)
        digits = line[start : start + 9]
        digits = digits[: len(digits) - len(digits.lstrip(_DIGITS))]
        after = line[start + len(digits) : start + len(digits) + 24]
        if start > end and 4 <= len(digits) <= 8 and not _is_place(after):
            yield start, start + len(digits)


def _is_place(after: str) -> bool:
    """Whether what follows digits makes them a house number, a time, a place or a longer number."""
    if after[:1].isalnum() or (after[:1] in tuple("-:/._") and after[1:2].isdigit()):
        return True
    word = after[1:].partition(" ")[0] if after[:1] == " " else ""
    return word in ("in", "is") or word[:1].isupper()


def find_codes(line: str, lower: str) -> Iterator[Span]:
    """Recovery codes: groups of letters and digits, one after the other."""
    at = min((found for found in map(lower.find, words.CODE) if found >= 0), default=len(line))
    piece = line[at : at + 4 * value.REACH]
    for part in piece.replace(",", " ").replace(";", " ").replace("|", " ").split(" "):
        text = part.strip("\"'`*_.:()[]")
        if _is_code(text):
            start = at + part.find(text)
            yield start, start + len(text)
        at += len(part) + 1


def _is_code(text: str) -> bool:
    groups = text.split("-")
    digits = sum(char.isdigit() for char in text)
    if not text.isascii() or not all(group.isalnum() for group in groups) or digits < 2:
        return False
    if len(groups) > 1:
        years = all(group[:2] in ("19", "20") and len(group) == 4 for group in groups)
        return all(4 <= len(group) <= 10 for group in groups) and not years
    return 8 <= len(text) <= 24 and (digits < len(text) or len(text) in (8, 10))
