"""Secrets that a command is handed over: by an option, in its place, through a pipe."""

from __future__ import annotations

from molt.policy.secrets import stand_ins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

_USERS = ("curl", "wget", "http ")
_PASSWORDS = (
    # Of these `-p` stands before a password and nothing else: letters alone are one too.
    ("mysql", (" -p",)),
    ("mariadb", (" -p",)),
    ("sshpass", (" -p ", " -p")),
    ("redis-cli", (" -a ",)),
    ("ldap", (" -w ",)),
    ("sqlcmd", (" -P ", " -P")),
    ("unzip", (" -P ", " -P")),
    ("zip", (" -P ",)),
    ("unrar", (" -p",)),
    ("mongo", (" -p ",)),
    ("7z", (" -p",)),
    ("docker login", (" -p ",)),
    ("podman login", (" -p ",)),
    ("helm registry login", (" -p ",)),
    ("oc login", (" -p ",)),
    ("az login", (" -p ",)),
    ("openssl", (" pass:",)),
    ("openssl enc", (" -k ",)),
    ("snmp", (" -A ", " -X ")),
    ("keytool", ("pass ",)),
    ("jarsigner", ("pass ",)),
    ("smbclient", ("%",)),
    ("rpcclient", ("%",)),
    ("lftp", (",",)),
    ("plink", (" -pw ",)),
    ("pscp", (" -pw ",)),
    ("ipmitool", (" -P ",)),
    ("xfreerdp", (" /p:",)),
    ("cmdkey", (" /pass:",)),
    ("mosquitto_", (" -P ",)),
    ("sqlplus", ("/",)),
    ("jdbc:oracle", ("/",)),
    ("convertto-securestring", (' "', " '")),
)
"""Commands, each with the options, or signs, that hand over a password."""
_PLACES = (
    ("wpa_passphrase", "", 2),
    ("htpasswd", "b", 3),
    # A share of Windows: `net use Z: \\\\nas\\a /user:ada …`.
    (" /user:", "", 2),
    ("rabbitmqctl add_user", "", 2),
    ("rabbitmqctl change_password", "", 2),
)
"""Commands, each with an option that they have to have, if any, and which of their words it is."""
_PIPED = (
    *("docker secret", "podman secret", "cryptsetup", "kinit"),
    *("chpasswd", "passwd --stdin", "smbpasswd", "sudo -s", "password-stdin", "passphrase-fd 0"),
)
"""What reads a password from what is piped to it, or given behind `<<<`."""
COMMANDS = frozenset(
    (*_USERS, *(row[0] for row in _PASSWORDS), *(row[0] for row in _PLACES), *_PIPED)
)
_ENDS = " \t\"'`,;)>]}"
_REACH = 128
"""Characters of a user and a password, or of what is piped."""
_NEXT = (" |", " &", "; ")
"""What parts two commands."""
_SHORTEST = 4
"""Characters of a password: what is shorter stands for one, or is an option."""


def find_in_commands(line: str, lower: str) -> Iterator[Span]:
    """What `curl -u`, `mysql -p` and `sshpass -p` are given, and what is piped to `chpasswd`."""
    if any(command in lower for command in _USERS):
        for option in (" -u ", " -u", " --user ", " --user=", " -a ", " --proxy-user "):
            yield from _find_user(line, option)
    for command, options in _PASSWORDS:
        if own := _cut_command(line, lower, command):
            for option in options:
                yield from _find_option(line, own, option)
    for command, option, place in _PLACES:
        if own := _cut_command(line, lower, command):
            yield from _find_word(line, own, (len(command), option, place))
    for command in _PIPED:
        if command in lower:
            yield from _find_piped(line, lower.find(command))


def _cut_command(line: str, lower: str, command: str) -> tuple[int, int] | None:
    """Where a command begins and ends. What another one gets is its own: `mysql | lpr -pattic`."""
    at = lower.find(command)
    if at < 0 or (command[0].isalnum() and lower[max(0, at - 1) : at].isalnum()):
        return None
    return at, min((end for mark in _NEXT if (end := line.find(mark, at)) >= 0), default=len(line))


def _find_user(line: str, option: str) -> Iterator[Span]:
    at = line.find(option)
    if at < 0:
        return
    start = at + len(option) + (line[at + len(option) :][:1] in ("'", '"'))
    value = _until(line, start)
    user, colon, password = value.partition(":")
    # What follows may be an address: `-u https://…`.
    told = colon and user and len(password) >= _SHORTEST and not password.startswith("//")
    if told and not stand_ins.is_stand_in(password):
        yield start + len(user) + 1, start + len(value)


def _find_option(line: str, own: tuple[int, int], option: str) -> Iterator[Span]:
    found = line.find(option, *own)
    if found < 0:
        return
    start = found + len(option)
    start += line[start : start + 1] in ("'", '"')
    value = _until(line[: own[1]], start)
    if option == "/":
        # An account of Oracle goes on with the base that it is of.
        value, at, _ = value.partition("@")
        value = value if at and stand_ins.is_password(value) else ""
    if _is_given(value):
        yield start, start + len(value)


def _is_given(value: str) -> bool:
    """Whether a value is a password that a command is given."""
    # A number is a port, or two of them, and capitals alone are what a manual has for one.
    number, shown = value.replace(":", "").isdigit(), value.replace("_", "").isalpha()
    shown = (shown and value.isupper()) or stand_ins.is_stand_in(value)
    return len(value) >= _SHORTEST and not number and not shown and value[0] not in "-/."


def _find_word(line: str, own: tuple[int, int], asked: tuple[int, str, int]) -> Iterator[Span]:
    """A word of a command that is a password by its place; `asked` are how long the name of the
    command is, a letter of its options, and the number of the word.
    """
    size, letter, place = asked
    at, words, options = own[0] + size, 0, ""
    for part in line[at : min(own[1], at + _REACH)].split(" "):
        if part[:1] == "-":
            options += part
        elif part:
            words += 1
        value = part.strip("'\"`")
        if words == place and letter in options and _is_given(value):
            if stand_ins.is_password(value):
                start = line.find(value, at)
                yield start, start + len(value)
            return
        at += len(part) + 1


def _find_piped(line: str, at: int) -> Iterator[Span]:
    """What is piped to the command at a place, or stands behind `<<<`."""
    before, pipe, _ = line[max(0, at - _REACH) : at].rpartition("|")
    first = max(0, at - _REACH)
    told = max(before.rfind("echo "), before.rfind("printf "))
    here = line.find("<<<", at, at + _REACH)
    if pipe and told >= 0:
        start = first + before.find(" ", told) + 1
        text = before[start - first :].rstrip()
    elif here >= 0:
        start = here + 3 + line[here + 3 : here + 4].count(" ")
        start += line[start : start + 1] in ("'", '"')
        text = _until(line, start)
    else:
        return
    for option in ("-n ", "-e ", "-ne ", "'", '"', "'%s' ", '"%s" '):
        skipped = len(option) if text.startswith(option) else 0
        start, text = start + skipped, text[skipped:]
    value = _until(text, 0).partition("\\n")[0]
    user, colon, password = value.rpartition(":")
    start += len(user) + len(colon)
    if _is_given(password):
        yield start, start + len(password)


def _until(line: str, start: int) -> str:
    """The text from a place to what ends a word of a command."""
    piece = line[start : start + _REACH]
    return piece[: min((at for at in map(piece.find, _ENDS) if at >= 0), default=len(piece))]
