"""Passwords that stand beside who logs in with them: a user, a mail address, a site's address."""

from __future__ import annotations

from molt.policy.secrets import chosen, stand_ins, value, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

LOGINS = frozenset((*words.LOGIN, "machine "))
"""Words of which one must be in a text, in lower case, before it is read for logins."""


def find_logins(line: str, lower: str) -> Iterator[Span]:
    """The second part of `login: ada / …`, and of the line of a `.netrc` file."""
    at = lower.find(" password ") if "machine " in lower and " login " in lower else -1
    if at >= 0:
        span = value.take(line, at + 10, _is_chosen)
        yield from (span,) if span else ()
    for end in value.find_names(lower, words.LOGIN):
        start, signed = value.after_sign(line, lower, end + _and_password(lower[end : end + 12]))
        if signed or start > end:
            yield from _second(line, start, signed=signed)
        told = any(sign in line[end : end + _NEAR] for sign in (":", "=", "→"))
        test = chosen.is_chosen if told else chosen.is_unmistakable
        if span := value.find_among(line, end, test):
            yield span


_NEAR = 40
"""Characters behind the name of a login within which a sign says what it is."""


def _second(line: str, start: int, *, signed: bool) -> Iterator[Span]:
    """The password of `user / password`, whichever sign is between them."""
    piece = line[start : start + value.REACH]
    for mark in (" / ", "/", ":", " | "):
        user, found, rest = piece.partition(mark)
        if found and user.strip() and not any(char in user.strip() for char in " :"):
            at = start + len(user) + len(found) + len(rest) - len(rest.lstrip())
            loose = signed and " " in found
            test = stand_ins.is_password if loose else stand_ins.is_strong
            span = value.take(line, at, test)
            yield from (span,) if span else ()
            return


def _and_password(rest: str) -> int:
    """How long the rest of `login/pass` or `login/password` is."""
    names = ("/password", "/passwort", "/pass", "/pwd", "/pw")
    return next((len(name) for name in names if rest.startswith(name)), 0)


def find_beside_mail(line: str, _lower: str) -> Iterator[Span]:
    """What stands behind a mail address and a sign, as in a row of a table, and is a password
    whatever stands around it.
    """
    at = line.find("@")
    while at > 0:
        end = at + 1
        while end < len(line) and (line[end].isalnum() or line[end] in ".-"):
            end += 1
        host, dot, top = line[at + 1 : end].rpartition(".")
        if host and dot and top.isalpha() and line[at - 1].isalnum():
            start, signed = _skip_sign(line, end)
            span = value.take(line, start, _is_beside_mail) if signed else None
            # A row of addresses has no capitals: that is seen at once.
            if not span and not line[start : start + value.AMONG].islower():
                span = value.find_among(line, start, chosen.is_unmistakable)
            yield from (span,) if span else ()
        at = line.find("@", end)


def _skip_sign(line: str, at: int) -> tuple[int, bool]:
    """Past what parts two cells or fields, and whether anything does."""
    rest = line[at : at + 16]
    start = at + len(rest) - len(rest.lstrip(" \t`*>)|/:;,"))
    return start, any(sign in line[at:start] for sign in "|/:;,\t")


def _is_beside_mail(text: str) -> bool:
    told = any(map(str.islower, text)) and any(char in "!#%^&~?$*@" for char in text)
    # A second address has the next field behind it: `a@w.org; b@w.org,+49`.
    field, comma, _ = text.partition(",")
    address = comma and "@" in field and stand_ins.is_plain(field)
    strong = told and len(text) >= 8 and "=" not in text and stand_ins.is_strong(text)
    return strong and not address


def find_alone(line: str, _lower: str) -> Iterator[Span]:
    """What is a password whatever stands around it: of a table, behind a user, on a line below."""
    at = 0
    for part in line.translate(_APART).split(" ") if len(line) <= _LONGEST else ():
        text = part.strip("\"'`*_()[]")
        first, slash, last = text.partition("/")
        text = (last if slash and "/" not in last else first).rpartition(":")[2]
        if chosen.is_alone(text):
            start = line.find(text, at)
            yield start, start + len(text)
        at += len(part) + 1


_APART = str.maketrans("\t|;,<>", "      ")
_LONGEST = 1000
"""Characters of a line of prose: longer ones are what a program made."""


def find_in_sources(line: str, _lower: str) -> Iterator[Span]:
    """The password of `user:password@tcp(host)/base`, as Go says where a base is."""
    for sign in ("@tcp(", "@unix("):
        at = line.find(sign)
        user, colon, password = line[max(0, at - value.REACH) : max(0, at)].rpartition(":")
        plain = user.strip("\"'`").rpartition(" ")[2]
        if colon and plain and " " not in password and stand_ins.is_password(password):
            yield at - len(password), at


def find_in_cells(line: str, _lower: str) -> Iterator[Span]:
    """A password in a row of a table, or of fields, in which an address stands too: nothing else
    is of all kinds of characters.
    """
    mark = next((mark for mark in ("|", "\t", ";", ",") if line.count(mark) > 1), "")
    at = 0
    for cell in line.split(mark) if mark else ():
        text = cell.strip("\"'`*_ \t")
        if chosen.is_unmistakable(text):
            start = line.find(text, at)
            yield start, start + len(text)
        at += len(cell) + 1


def _is_chosen(text: str) -> bool:
    return len(text) >= 4 and not stand_ins.is_stand_in(text)
