"""Commands declared as data: read here when the call is plain, by click for everything else.

Importing click takes three times as long as starting Python, longer than a whole search. So the
commands that agents and hosts call all the time declare their options here; `parse` understands a
plain call, and what it does not understand (help, mistakes, completion) goes to click.
"""

from __future__ import annotations

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

FLAG, TEXT, NUMBER, DECIMAL, MANY = "flag", "text", "number", "decimal", "many"


class Option(Value):
    """One option: its spellings, its parameter, what it takes; `low` is the least number, `metavar`
    what the help calls its value.
    """

    flags: tuple[str, ...]
    name: str
    help: str
    kind: str = TEXT
    choices: tuple[str, ...] = ()
    low: int = 0
    default: int = 0
    metavar: str = ""

    @property
    def unset(self) -> Any:
        """The value where the option is not given."""
        unset = {FLAG: False, TEXT: "", NUMBER: self.default, DECIMAL: None, MANY: ()}
        return unset[self.kind]


class Spec(Value):
    """One command: what it runs, its help, its options, and its argument, empty for none (`many`
    for one or more; one that is `optional` is empty where it is not given). What is `colored` on a
    terminal goes to click there. A `lenient` one takes what it does not know for a word: it must
    not fail where another version of molt has written the call.
    """

    name: str
    run: Callable[..., int]
    help: str
    argument: str = ""
    many: bool = False
    optional: bool = False
    complete: str = ""
    options: tuple[Option, ...] = ()
    colored: bool = False
    lenient: bool = False


class SpecGroup(Value):
    """Several commands under one name: `molt NAME ONE`. The name alone is a command of its `own`,
    if it has one; the module `more` has a click group of the same name, with the commands that
    nobody calls all the time.
    """

    name: str
    help: str
    specs: tuple[Spec, ...]
    own: Spec | None = None
    more: str = ""


HELP = ("-h", "--help")
_GLOBAL_FLAGS = {"--json": "json", "-q": "quiet", "--quiet": "quiet"}
_GLOBAL_WORDS = {"--workspace": "workspace", "--actor": "actor"}


def find_command(args: Sequence[str]) -> str:
    """The first word that is no global option; empty where click must look."""
    at = 0
    while at < len(args) and args[at].startswith("-"):
        if args[at] not in _GLOBAL_FLAGS and args[at] not in _GLOBAL_WORDS:
            return ""
        at += 2 if args[at] in _GLOBAL_WORDS else 1
    return args[at] if at < len(args) else ""


def choose_spec(group: SpecGroup, args: Sequence[str]) -> tuple[Spec | None, list[str]]:
    """The command of a group that a call names, and the call without the group's own name, but for
    a command that has the same; None where click must look.
    """
    rest = list(args)
    rest.remove(group.name)
    name = find_command(rest)
    if not name and group.own is not None:
        return group.own, list(args)
    return next((one for one in group.specs if one.name == name), None), rest


def parse(spec: Spec, args: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The parameters of a plain call and its global options; None where click must look."""
    own = {flag: option for option in spec.options for flag in option.flags}
    params: dict[str, Any] = {option.name: option.unset for option in spec.options}
    given: dict[str, Any] = {}
    words: list[str] = []
    rest = iter(args)
    for arg in rest:
        if arg == "--":
            words += rest
        elif arg == "-" or not arg.startswith("-"):
            words.append(arg)
        # Before the command `--actor` is who acts, even where the command has a filter of the name.
        elif not _take_option(arg, rest, own if words else {}, params, given):
            if not spec.lenient or arg in HELP:
                return None
            words.append(arg)
    # The first word is the command itself.
    if not spec.argument:
        return (params, given) if len(words) == 1 else None
    if len(words) < 2 and spec.optional:
        words.append("")
    if len(words) < 2 or (len(words) > 2 and not spec.many):
        return None
    params[spec.argument] = tuple(words[1:]) if spec.many else words[1]
    return params, given


def text_of(argument: str) -> str:
    """A text argument, for which `-` is standard input. Raises Usage where that is no UTF-8."""
    if argument != "-":
        return argument
    import sys

    from molt import errors
    from molt.memory.write import route

    try:
        return sys.stdin.buffer.read(2 * route.LIMIT).decode("utf-8")
    except UnicodeDecodeError as error:
        raise errors.Usage("standard input is not UTF-8", "encode it as UTF-8") from error


def _take_option(
    arg: str,
    rest: Any,
    own: dict[str, Option],
    params: dict[str, Any],
    given: dict[str, Any],
) -> bool:
    flag, joined, value = arg.partition("=")
    if joined and not flag.startswith("--"):
        # Of a short option the sign is part of the value.
        return False
    option = own.get(flag)
    if option is None and not joined and flag in _GLOBAL_FLAGS:
        given[_GLOBAL_FLAGS[flag]] = True
        return True
    if option is not None and option.kind == FLAG:
        params[option.name] = True
        return not joined
    if option is None and flag not in _GLOBAL_WORDS:
        return False
    taken = value if joined else next(rest, None)
    if taken is None:
        return False
    if option is None:
        given[_GLOBAL_WORDS[flag]] = taken
        return True
    return _set_value(option, taken, params)


def _set_value(option: Option, value: str, params: dict[str, Any]) -> bool:
    if option.choices and value not in option.choices:
        return False
    if option.kind == NUMBER:
        if not (value.isascii() and value.isdigit() and int(value) >= option.low):
            return False
        params[option.name] = int(value)
    elif option.kind == DECIMAL:
        # Signs, exponents and names of numbers are for click to judge.
        if not (value.isascii() and value.replace(".", "", 1).isdigit()):
            return False
        params[option.name] = float(value)
    elif option.kind == MANY:
        params[option.name] += (value,)
    else:
        params[option.name] = value
    return True
