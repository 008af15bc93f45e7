"""Secrets that a header or an address hands over."""

from __future__ import annotations

from molt.policy.secrets import stand_ins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

# Words of which one must be in a text, in lower case, before its lines are read.
ADDRESSES = frozenset(("://",))
ROWS = frozenset((":5432:", ":5433:", ":6432:", "*:*:"))
"""The ports of Postgres and of its pools, and what stands for any."""
_SESSIONS = ("cookie", "sessid=", "sessionid=")
HEADERS = frozenset(("authorization", "bearer ", '"auth"', "auth:", "_auth", *_SESSIONS))
_BASE64 = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=")
_TOKEN = _BASE64 | frozenset("-_.~")
_SCHEMES = ("bearer", "basic", "token")
# Characters of a user or of a password in an address, and of the scheme of a header.
_REACH = 128


def find_in_addresses(line: str, lower: str) -> Iterator[Span]:
    """The password of `scheme://user:password@host`, with a user or without."""
    at = lower.find("://")
    while at >= 0:
        rest = line[at + 3 : at + 3 + 2 * _REACH]
        stop = min(
            (found for found in map(rest.find, "/ \t\"'<>?#") if found >= 0), default=len(rest)
        )
        name, mark, host = rest[:stop].rpartition("@")
        user, colon, value = name.partition(":")
        # On a machine beside it, as those of one program are: `shop:shop123@db`.
        if mark and colon and len(value) >= 3 and not _is_shown(user, value, host):
            start = at + 4 + len(user)
            yield start, start + len(value)
        at = lower.find("://", at + 3)


def _is_shown(user: str, value: str, host: str) -> bool:
    """Whether a password opens nothing from afar: a variable, words of a script that no address has
    as it is (`你的密码`), the name of its user, or on a machine beside it that name and a number,
    as those of one program have (`shop:shop123@db`).
    """
    beside = user != "" and "." not in host and value.startswith(user)
    worded = not any(map(str.isascii, value))
    named = beside and value[len(user) :].isdigit()
    return value == user or worded or named or _is_variable(value)


def _is_variable(value: str) -> bool:
    return stand_ins.is_stand_in(value) or "{" in value


def find_in_headers(line: str, lower: str) -> Iterator[Span]:
    """What `Authorization: Bearer …` and `Authorization: Basic …` carry."""
    for scheme in ("bearer ", "basic ", "token "):
        at = lower.find(scheme)
        while at >= 0:
            start = at + len(scheme)
            told = "authorization" in lower[max(0, at - 24) : at]
            value = _cut_run(line, start, _TOKEN)
            if (scheme == "bearer " or told) and _is_carried(value, scheme, told=told):
                yield start, start + len(value)
            at = lower.find(scheme, start)
    yield from _find_schemes(line, lower)
    yield from _find_cookies(line, lower)
    for name in ('"auth"', "auth:", "_auth"):
        # What a client of a registry keeps: a user and a password in base64.
        at = lower.find(name)
        start = at + len(name)
        start += len(line[start : start + 4]) - len(line[start : start + 4].lstrip(' :="'))
        if at >= 0 and _decoded(value := _cut_run(line, start, _BASE64)):
            yield start, start + len(value)


def _find_cookies(line: str, lower: str) -> Iterator[Span]:
    """What `Cookie: session=…` carries, and `the cookie session=…`."""
    word = next((word for word in _SESSIONS if word in lower), "")
    if not word:
        return
    at = lower.find(word)
    start = at + len(word) if word == "cookie" else max(0, at - _LONGEST_NAME)
    # As a header it carries what was given out; in prose a word may stand there.
    given_out = line[start : start + 4].lstrip()[:1] in (":", "=") or word != "cookie"
    test = stand_ins.is_key if given_out else stand_ins.is_long_key
    for part in line[start : at + 8 * _REACH].replace(";", " ").split():
        name, _, rest = part.strip("\"':").partition("=")
        given = rest.strip("\"'")
        if _holds_session(name.lower()) and test(given) and not _is_numbered(given):
            start = line.find(given, start)
            yield start, start + len(given)


_LONGEST_NAME = 24
"""Characters of the name of a session, before what all such names end with."""


def _holds_session(name: str) -> bool:
    return any(
        word in name for word in ("sess", "sid", "auth", "token", "jwt", "login", "remember")
    )


def _is_numbered(value: str) -> bool:
    """Whether a session has a number and the time that it began at, as devices give them out: who
    wants in needs not know it.
    """
    first, dash, time = value.partition("-")
    named = first.lstrip("abcdefghijklmnopqrstuvwxyz")
    return dash != "" and len(first) - len(named) <= 4 and f"{named}{time.rstrip(';')}".isdigit()


def _find_schemes(line: str, lower: str) -> Iterator[Span]:
    """What `Authorization: Scheme …` carries of other schemes."""
    at = lower.find("authorization:")
    while at >= 0:
        start = at + len("authorization:")
        scheme = line[start : start + _REACH].split(None, 1)[:1] or [""]
        begins = line.find(scheme[0], start) + len(scheme[0]) + 1
        if scheme[0].isalpha() and scheme[0].lower() not in _SCHEMES:
            value = _cut_run(line, begins, _TOKEN)
            if stand_ins.is_key(value):
                yield begins, begins + len(value)
        at = lower.find("authorization:", start)


def _is_carried(value: str, scheme: str, *, told: bool) -> bool:
    if stand_ins.is_filler(value) or stand_ins.is_stand_in(value):
        return False
    if scheme == "basic ":
        return ":" in _decoded(value)
    if told:
        return stand_ins.is_key(value) or (len(value) >= 12 and any(map(str.isdigit, value)))
    return stand_ins.is_long_key(value)


def _decoded(value: str) -> str:
    """What a text is in base64; empty if it is none."""
    from binascii import Error, a2b_base64

    try:
        found = a2b_base64(value + "=" * (-len(value) % 4)).decode("utf-8")
    except (Error, ValueError):
        return ""
    user, _, password = found.partition(":")
    held = password and not stand_ins.is_stand_in(password)
    return found if held and found.isprintable() and user else ""


def _cut_run(line: str, start: int, letters: frozenset[str]) -> str:
    end = start
    while end < min(len(line), start + 2 * _REACH) and line[end] in letters:
        end += 1
    return line[start:end].rstrip(".")


def find_in_rows(line: str, _lower: str) -> Iterator[Span]:
    """The password of `host:port:database:user:password`, a line of a `.pgpass` file."""
    start = line.rfind(":") + 1
    fields = line.strip().split(":")
    if len(fields) == _FIELDS and all(fields) and not any(map(str.isspace, line.strip())):
        port, value = fields[1], fields[-1]
        told = port == "*" or (port.isdigit() and len(port) <= len("65535"))
        if told and (stand_ins.is_password(value) or stand_ins.is_strong(value)):
            yield start, start + len(value)


_FIELDS = 5  # fields of a line of `.pgpass`
