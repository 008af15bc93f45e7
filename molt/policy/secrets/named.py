"""Secrets that only the words before them tell: a password, a key, a PIN, codes."""

from __future__ import annotations

from molt.policy.secrets import chosen, stand_ins, value, vendors, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

# Words of which one must be in a text, in lower case, before it is read for what they name.
PASSWORDS = frozenset((*words.PASS, *words.SHORT, *words.DIRECT, "pass"))
KEYS = frozenset((*words.KEY, "key", "seed", *words.BOUGHT, *words.GIVEN))
MAILED = frozenset(("password", "passwort", "pass"))
GROUPED = frozenset(("secret", "seed", "key", "密钥", "ключ", "schlüssel"))
CODES = frozenset(words.CODE)
_PASSED = ("all", "tests", "checks")
"""What passes, where a verdict is told: `ALL PASS: …`."""
_LATIN = tuple(name for name in words.PASS if name[0].isascii())
_OTHER = tuple(name for name in words.PASS if not name[0].isascii())
_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def find_passwords(line: str, lower: str) -> Iterator[Span]:
    """What is called a password."""
    parts = line.split(None, 2)
    if len(parts) == 2 and parts[0].lower() == "password" and stand_ins.is_password(parts[1]):
        # A line of a `.netrc` file.
        start = line.rfind(parts[1])
        yield start, start + len(parts[1])
    asked = _BESIDE_USER if any(word in lower for word in _USERS) else _PASSWORD
    yield from value.find_values(line, lower, value.find_names(lower, _LATIN), asked)
    if not lower.isascii():
        ends = value.find_names(lower, _OTHER)
        yield from value.find_values(line, lower, ends, _PASSWORD_OF_EAST)
    ends = value.find_names(lower, words.SHORT, whole=True)
    yield from value.find_values(line, lower, ends, asked)
    yield from value.find_values(line, lower, _find_pass(lower), asked)
    whole = value.find_names(lower, ("pass",), whole=True)
    opening = (end for end in whole if not _is_told_to_pass(lower, end))
    yield from value.find_values(line, lower, opening, _STRONG)
    given = value.find_names(lower, words.DIRECT)
    yield from value.find_values(line, lower, given, _PASSWORD_OF_EAST)
    yield from _find_used_as(line, lower)


def _find_pass(lower: str) -> Iterator[int]:
    """Where `pass` ends: what passes is a test, or an argument, as often as a person."""
    told = any(word in lower for word in _LOGGED_IN)
    for end in value.find_names(lower, ("pass",), whole=True):
        signed = lower[end : end + 3].strip("\"'`* ")[:1] in (":", "=")
        verdict = lower[max(0, end - 12) : end - 4].rstrip().endswith(_PASSED)
        if not verdict and (told or signed or lower.startswith(_WHOSE, end)):
            yield end


_LOGGED_IN = ("login", "user", "ftp", "smb", "ssh", "vnc", "imap", "smtp", "wifi", "wlan", "mqtt")
"""Words beside which a pass lets somebody in."""
_USERS = ("login", "user", "benutzer", "usuario", "utente", "account", "admin", "账号", "用户")
"""Words for who logs in: what they stand beside is theirs."""
_OWNERS = "for to de del della du des do da für fürs zum zur vom beim van voor til"
_WHOSE = tuple(f" {word} " for word in _OWNERS.split())
"""Words behind which stands what a pass is for."""


def _is_told_to_pass(lower: str, end: int) -> bool:
    """Whether a `pass` is what a script calls to say that a test has passed, with what was tested:
    `[ "$n" = 2 ] && pass "two rows were read"`.
    """
    before, said = lower[: end - len("pass")], lower[end : end + value.REACH]
    called = before and (not before.strip() or before.rstrip().endswith(_CALLING))
    text = said[2:].partition(said[1])[0] if said[:2] in (' "', " '") else ""
    return bool(called) and " " in text


_CALLING = ("&&", "||", ";", "{", "then", "else", "do")
"""Behind which a command of a shell begins."""


def _find_used_as(line: str, lower: str) -> Iterator[Span]:
    """What stands before what makes it one: `we use "x" as the password for it`."""
    for sign in words.AS:
        at = lower.find(sign)
        if at <= 0:
            continue
        rest = lower[at + len(sign) : at + len(sign) + 32]
        said = next((name for name in words.PASS if name in rest), "")
        before = rest.partition(said)[0].split() if said else rest.split()
        if not said or len(before) > _BEFORE_NAME:
            continue
        after = rest.partition(said)[2]
        if not value.is_ended(after) and not after.lstrip().startswith(words.OF):
            continue
        text = line[:at].rstrip().split(" ")[-1]
        bare = text.strip("\"'`*_“”„«»「」")
        start = line.rfind(bare, 0, at)
        test = stand_ins.is_password if bare != text else _is_of_word_and_number
        if bare and (test(bare) or stand_ins.is_strong(bare)):
            yield start, start + len(bare)


_BEFORE_NAME = 3
"""Words that may stand between `as` and the name: `as the new admin password`."""


def _is_of_word_and_number(value: str) -> bool:
    """Whether a value is likelier a password than a word (`tulip47`, `tiger.Lily9`), with no sign
    that says so: no name, version or number of something.
    """
    if value.isdigit():
        return stand_ins.is_password(value)
    if len(value) < 7 or not value.isascii() or not stand_ins.is_password(value):
        return False
    rest = value.rstrip("0123456789.")
    letters, digits = (sum(map(test, value)) for test in (str.isalpha, str.isdigit))
    if letters < 4 or "." in value[len(rest) :] or any(char in "-_/:=(),;" for char in value):
        return False
    return digits >= 2 or (digits == 1 and not value.isalnum() and not value.islower())


def _is_of_user(text: str) -> bool:
    return _is_of_word_and_number(text) or stand_ins.is_all_kinds(text)


_PASSWORD = value.Plausibility(
    stand_ins.is_password, stand_ins.is_strong, _is_of_word_and_number, chosen.is_chosen
)
_BESIDE_USER = _PASSWORD.replace(last=_is_of_user)
_STRONG = value.Plausibility(stand_ins.is_strong, stand_ins.is_strong)
_PASSWORD_OF_EAST = _PASSWORD.replace(bare=stand_ins.is_all_kinds)


def find_grouped(line: str, lower: str) -> Iterator[Span]:
    """The seed of one-time passwords as it is shown for typing: base 32 in groups of four."""
    for end in value.find_names(lower, _SEEDS):
        start, signed = value.after_sign(line, lower, end)
        start += line[start : start + 1] in words.OPEN
        groups = line[start : start + value.REACH].split(" ")
        size = next((at for at, one in enumerate(groups) if not _is_group(one)), len(groups))
        letters = "".join(groups[:size])
        lot = not letters.isalpha() and not letters.isdigit()
        if (signed or start > end) and _LEAST_GROUPS <= size <= _MOST_GROUPS and lot:
            yield start, start + len(letters) + size - 1


_SEEDS = tuple(sorted(GROUPED))
_LEAST_GROUPS, _MOST_GROUPS = 4, 16
"""A group of four letters has 20 bits; a seed has 80 at least, and of SHA-256 13 groups."""


def _is_group(text: str) -> bool:
    one_case = text.islower() or text.isupper() or text.isdigit()
    return len(text) == 4 and one_case and not text.upper().strip(_BASE32)


def find_mailed(line: str, lower: str) -> Iterator[Span]:
    """A password that a mail service makes for a program: sixteen small letters by lot."""
    if not any(name in lower for name in _MAILED):
        return
    for end in value.find_names(lower, ("password", "pass", "passwort")):
        start, _ = value.after_sign(line, lower, end)
        start = start if start > end else line.find(" ", end + 5, end + 24) + 1
        start += line[start : start + 1] in words.OPEN
        piece = line[start : start + 20]
        size = 19 if piece[4:5] in (" ", "-") else 16
        letters = piece[:size].replace(" ", "").replace("-", "")
        few = sum(map(letters.count, "aeiou")) <= _VOWELS
        whole = start > end and not line[start + size : start + size + 1].isalnum()
        if len(letters) == 16 and letters.islower() and letters.isalpha() and few and whole:
            yield start, start + size


_MAILED = ("app pass", "app-pass", "app-specific", "app_pass", "smtp", "gmail", "mail", "imap")
_VOWELS = 5
"""Most vowels among sixteen letters by lot; words have six and more."""


_SURE = tuple(word for word in words.KEY if word not in words.VAGUE)
_ANY_KEY = (*words.KEY, "key", *words.GIVEN)


def find_keys(line: str, lower: str) -> Iterator[Span]:
    """What is called a secret, a token, or a key that opens something."""
    ends = value.find_names(lower, _SURE)
    yield from value.find_values(line, lower, ends, _KEY)
    for name in words.VAGUE:
        yield from _find_vague(line, lower, name)
    yield from value.find_values(line, lower, value.find_names(lower, words.BOUGHT), _BOUGHT)
    yield from value.find_values(line, lower, value.find_names(lower, ("seed",)), _SEED)
    yield from value.find_values(line, lower, value.find_names(lower, words.ONE_TIME), _ONE_TIME)
    ends = value.find_names(lower, ("key",))
    ends = (end for end in ends if not _opens_nothing(lower, end))
    yield from value.find_values(line, lower, ends, _RANDOM)
    # Who gives them out, and a name in capitals, tells more than a word of every day.
    names = value.find_names(lower, _ANY_KEY)
    given = (end for end in names if _is_given(line, lower, end))
    yield from value.find_values(line, lower, given, _OWNED)


def _find_vague(line: str, lower: str, name: str) -> Iterator[Span]:
    """What is called by a name that other things have too."""
    # What is traded on a chain is a token too, and called by its account.
    befores = {end: _word_before(line, lower, end) for end in value.find_names(lower, (name,))}
    ends = [end for end, word in befores.items() if word not in words.NO_TOKEN]
    traded = [end for end in ends if name == "token" and befores[end] not in _OPENING]
    yield from value.find_values(line, lower, iter(traded), _TRADED)
    others = (end for end in ends if end not in traded)
    yield from value.find_values(line, lower, others, _OTHER_TOKEN)
    # A token of somebody's is none of a page.
    owned = (end for end in ends if befores[end].isalpha() and befores[end] not in _ARTICLES)
    yield from value.find_values(line, lower, owned, _UUID)


def _is_owned(text: str) -> bool:
    return stand_ins.is_key(text) and not stand_ins.is_account(text)


def _is_given(line: str, lower: str, end: int) -> bool:
    """Whether a name is that of a key which somebody gives out: beside who does, in capitals as
    what is set for a program, or as a header of a request.
    """
    if _opens_nothing(lower, end):
        return False
    start = end
    while start and end - start < 64 and (line[start - 1].isalnum() or line[start - 1] in "_-"):
        start -= 1
    name = line[start:end]
    if name.lower().replace("-", "_").split("_")[-2:-1] in [[no] for no in words.NO_TOKEN]:
        return False
    set_for = "_" in name.strip("_") and name.isupper() and line[end : end + 1] in tuple("=: \"'")
    # Each part of the name of a header begins with a capital: `Ocp-Apim-Subscription-Key: …`.
    parts = name.split("-") if line[end : end + 2] == ": " else [name]
    set_for = set_for or (len(parts) > 1 and all(part[:1].isupper() for part in parts))
    return set_for or name[:2].lower() == "x-" or vendors.is_told(lower, end)


def _opens_nothing(lower: str, end: int) -> bool:
    """Whether a key is that of a table or a cache, or one for everybody; of an option its own name
    alone says so.
    """
    before = lower[max(0, end - 20) : end]
    before = before[before.rfind(" --") + 1 :]
    return any(no in before for no in words.NO_KEY)


_OPENING = ("access", "api", "auth", "bearer", "bot", "refresh", "session")
"""Words before a token that is none that is traded."""
_SMALL = "the a an this that my our your its their his her with has of in and"
_ARTICLES = frozenset(_SMALL.split())


def _word_before(line: str, lower: str, end: int) -> str:
    """The word before a name: what stands before a capital (`fromToken`), `_`, `-` or a space."""
    end = max(lower.rfind(name, 0, end) for name in words.VAGUE)
    start = end = end - (line[end - 1 : end] in ("_", "-", " "))
    while start and line[start - 1].isalpha() and end - start < 16:
        start -= 1
        if line[start].isupper() and line[start + 1 : start + 2].islower():
            break
    return lower[start:end]


def _is_token(text: str) -> bool:
    return not stand_ins.is_uuid(text) and (_is_of_one_time(text) or stand_ins.is_key(text))


def _is_of_one_time(text: str) -> bool:
    """Whether a text is a seed of one-time passwords: base 32, often without a digit."""
    fits = 16 <= len(text) <= 64 and not text.strip(_BASE32) and len(set(text)) > 6
    return fits and (len(text) in (16, 26, 32, 52) or not text.isalpha())


def _opens(text: str) -> bool:
    """Whether a token is none that is traded, after a sign."""
    return _is_token(text) and not stand_ins.is_account(text)


def _opens_alone(text: str) -> bool:
    """Whether it is none, without a sign."""
    return stand_ins.is_long_key(text) and not stand_ins.is_account(text)


def _is_secret_key(text: str) -> bool:
    return stand_ins.is_key(text) or _is_of_groups(text) or _is_of_signs(text)


def _is_of_groups(text: str) -> bool:
    """Whether a key is one of groups of capitals and digits, as for a program that was bought."""
    groups = text.split("-")
    mixed = sum(not group.isalpha() and not group.isdigit() for group in groups)
    fits = all(group.isalnum() and group.isascii() and 4 <= len(group) <= 8 for group in groups)
    return fits and 4 <= len(groups) <= 8 and text.isupper() and mixed * 2 >= len(groups)


_LEAST_OF_SIGNS = 24
"""Characters of a key that a framework makes of letters, digits and signs (Django's has 50)."""


def _is_of_signs(text: str) -> bool:
    """Whether a key is of letters, digits and signs by lot."""
    if len(text) < _LEAST_OF_SIGNS or " " in text or stand_ins.is_stand_in(text):
        return False
    signs = sum(char in "!@#$%^&*(-_=+)" for char in text)
    digits, letters = (sum(map(test, text)) for test in (str.isdigit, str.isalpha))
    runs = max(map(len, "".join(char if char.isalpha() else " " for char in text).split()))
    return signs >= 4 and digits >= 4 and letters >= 8 and runs < 5


_TRADED = value.Plausibility(_opens, _opens_alone)
_OTHER_TOKEN = value.Plausibility(_is_token, stand_ins.is_long_key)
_UUID = value.Plausibility(stand_ins.is_uuid, stand_ins.is_uuid)
_KEY = value.Plausibility(_is_secret_key, stand_ins.is_long_key)
_OWNED = value.Plausibility(_is_owned, _is_owned)


def _is_random_key(text: str) -> bool:
    if stand_ins.is_account(text):
        return False
    plain = text.replace("-", "+").replace("_", "/")
    if len(text) in _KEY_SIZES and text[-1] == "=" and stand_ins.is_base64(plain):
        return True
    return len(text) >= 20 and text.replace("-", "").isalnum() and stand_ins.is_random(text)


_KEY_SIZES = (44, 88)
"""Characters of 32 and of 64 bytes in base 64: most keys are of these sizes."""
_RANDOM = value.Plausibility(_is_random_key)
_SEED = value.Plausibility(_is_random_key, stand_ins.is_long_key)
_ONE_TIME = value.Plausibility(_is_of_one_time, _is_of_one_time)
_BOUGHT = value.Plausibility(_is_of_groups, _is_of_groups)


def find_codes(line: str, lower: str) -> Iterator[Span]:
    """Recovery codes: groups of letters and digits, one after the other."""
    at = min((found for found in map(lower.find, words.CODE) if found >= 0), default=len(line))
    piece = line[at : at + 4 * value.REACH]
    yield from _find_in_fours(piece, at)
    for part in piece.replace(",", " ").replace(";", " ").replace("|", " ").split(" "):
        text = part.strip("\"'`*_.:()[]")
        if _is_code(text):
            start = at + part.find(text)
            yield start, start + len(text)
        at += len(part) + 1


def _find_in_fours(piece: str, at: int) -> Iterator[Span]:
    """Codes of eight digits that are shown as two groups of four, from the first to the last of
    them; `at` is where in its line a piece begins.
    """
    first = last = count = years = 0
    for part in f"{piece} ".split(" "):
        group = part.strip("\"'`*_.,;:()[]|")
        if len(group) == 4 and group.isdigit():
            first, last, count = first if count else at, at + len(part), count + 1
            years += group[:2] in ("19", "20")
        elif count >= _LEAST_IN_FOURS and group:
            break
        elif group:
            count = years = 0
        at += len(part) + 1
    if count >= _LEAST_IN_FOURS and years * 2 < count:
        yield first, last


_LEAST_IN_FOURS = 4
"""Groups in a row that are codes: fewer are years, times or amounts."""


def find_listed(line: str, _lower: str) -> Iterator[Span]:
    """A recovery code that is an item by itself, below what calls it so."""
    text = line.strip().lstrip("-*+>•0123456789.) " if line.strip()[:1] in "-*+>•" else "")
    text = text.strip("\"'`*_ ")
    if _is_code(text):
        start = line.rfind(text)
        yield start, start + len(text)


def _is_code(text: str) -> bool:
    groups = text.split("-")
    digits = sum(char.isdigit() for char in text)
    if not text.isascii() or not all(group.isalnum() for group in groups) or digits < 2:
        return False
    if len(groups) > 1:
        years = all(group[:2] in ("19", "20") and len(group) == 4 for group in groups)
        # The first ones of a year: `BACKUP-2026-0001`.
        serial = groups[-1].isdigit() and groups[-1].startswith("000")
        fits = all(4 <= len(group) <= 10 for group in groups[len(groups) > 3 :])
        return fits and len(groups[0]) >= 2 and not (years or serial)
    return 8 <= len(text) <= 24 and (digits < len(text) or len(text) in (8, 10))
