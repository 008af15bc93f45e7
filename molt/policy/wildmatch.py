"""The patterns of gitignore(5), read as git's wildmatch reads them.

Python's `fnmatch` takes a backslash for itself and knows neither `[^x]` nor `[[:alpha:]]`: what two
readers take for two patterns hides a file from one of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Step = str | frozenset[str]
"""Some stars, or the characters of which one stands at a place."""
Pattern = str | tuple[Step, ...] | None

_WILD = "*?[\\"
_ASCII = frozenset(map(chr, range(128)))
_STAR, _DEEP, _FOLDERS = "*", "**", "**/"
"""Any characters of one name; of any names; and none or any folders, each with its slash."""
_CLASSES: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "blank": lambda char: char in " \t",
    "cntrl": lambda char: char < " " or char == "\x7f",
    "digit": str.isdigit,
    "graph": lambda char: "!" <= char <= "~",
    "lower": str.islower,
    "print": lambda char: " " <= char <= "~",
    "punct": lambda char: "!" <= char <= "~" and not char.isalnum(),
    "space": str.isspace,
    "upper": str.isupper,
    "xdigit": lambda char: char in "0123456789abcdefABCDEF",
}
"""The sets of ASCII that have names, as in `[[:digit:]]`."""


def is_wild(pattern: str) -> bool:
    """Whether a pattern is more than a path."""
    return any(char in pattern for char in _WILD)


def compile_pattern(text: str) -> Pattern:
    """A pattern as `matches_path` takes it: steps, a path, or None where nothing is of it."""
    if not is_wild(text):
        return text
    steps: list[Step] = []
    try:
        for step in _list_steps(text):
            # Twice in a row they say no more than once.
            if step not in (_STAR, _DEEP, _FOLDERS) or steps[-1:] != [step]:
                steps.append(step)
    except ValueError:
        return None
    return tuple(steps)


def matches_path(pattern: Pattern, path: str) -> bool:
    """Whether a path in ASCII is of a pattern, all of it."""
    if not isinstance(pattern, tuple):
        return pattern == path
    # Where the pattern may have come to: never more places than the path has characters.
    places = {0}
    for step in pattern:
        places = set(_follow(step, path, places))
        if not places:
            return False
    return len(path) in places


def _follow(step: Step, path: str, places: set[int]) -> Iterator[int]:
    """Where a step of a pattern may lead from some places of a path."""
    first = min(places)
    if step == _DEEP:
        yield from range(first, len(path) + 1)
    elif step == _FOLDERS:
        yield from places
        yield from (at + 1 for at in range(first, len(path)) if path[at] == "/")
    elif step == _STAR:
        for at in places:
            end = path.find("/", at)
            yield from range(at, (len(path) if end < 0 else end) + 1)
    else:
        yield from (at + 1 for at in places if path[at : at + 1] in step and at < len(path))


def _list_steps(pattern: str) -> Iterator[Step]:
    """The steps of a pattern that is wild. Raises ValueError for one that nothing is of."""
    # git compares what is before the first of these itself: to its matcher nothing is before it.
    begin = at = min(place for place in map(pattern.find, _WILD) if place >= 0)
    yield from map(frozenset, pattern[:begin])
    while at < len(pattern):
        char, start, at = pattern[at], at, at + 1
        if char == "*":
            at = len(pattern) - len(pattern[at:].lstrip("*"))
            rest = pattern[at : at + 2]
            alone = at - start > 1 and (start == begin or pattern[start - 1] == "/")
            if alone and rest[:1] == "/":
                at += 1
                yield _FOLDERS
            else:
                yield _DEEP if alone and rest in ("", "\\/") else _STAR
        elif char == "?":
            yield _ASCII - {"/"}
        elif char == "[":
            chars, at = _read_set(pattern, at)
            yield chars - {"/"}
        else:
            char, at = _read_char(pattern, start)
            yield frozenset(char)


def _read_char(pattern: str, at: int) -> tuple[str, int]:
    """A character, which a backslash may protect, and where it ends. Raises ValueError for none."""
    at += pattern.startswith("\\", at)
    if at >= len(pattern):
        raise ValueError("a pattern without an end")
    return pattern[at], at + 1


def _read_set(pattern: str, at: int) -> tuple[frozenset[str], int]:
    """The characters of a set, from behind its bracket on, and where it ends. Raises ValueError."""
    negated = pattern.startswith(("!", "^"), at)
    at += negated
    start, last = at, ""
    chars: set[str] = set()
    while at == start or not pattern.startswith("]", at):
        named = pattern.find("]", at + 2) if pattern.startswith("[:", at) else -1
        if last and pattern.startswith("-", at) and pattern[at + 1 : at + 2] not in ("", "]"):
            most, at = _read_char(pattern, at + 1)
            chars.update(char for char in _ASCII if last <= char <= most)
            last = ""
        elif named > at + 2 and pattern[named - 1] == ":":
            chars |= _list_class(pattern[at + 2 : named - 1])
            last, at = "", named + 1
        else:
            last, at = _read_char(pattern, at)
            chars.add(last)
    return (_ASCII - chars if negated else frozenset(chars)), at + 1


def _list_class(name: str) -> set[str]:
    if name not in _CLASSES:
        raise ValueError(f"{name!r} names no characters")
    return set(filter(_CLASSES[name], _ASCII))
