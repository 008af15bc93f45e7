"""A phrase as a pattern of words: read from one line of text, compiled, and followed.

A pattern is compiled to a chain of steps `(kind, what, next)`, which ends with None.
docs/triggers.md has the signs. Following one takes bounded time: a gap is `GAP` words at most, a
text within a phrase `WITHIN`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Step = tuple[int, Any, Any]
    Parts = tuple[Any, ...]
    Found = tuple[int, int, int, int]
    """Where a phrase ends, how many words of it are its own, and the words of its text."""

WORD, PICK, ANY, BETWEEN, TEXT, END, ASKED, HERE = range(8)
GAP = 8
"""Words at most between two words of a phrase: further apart they belong to other clauses."""
WITHIN = 60
"""Words at most of a text within a phrase: a long sentence has as many."""
GROUPS = 3
"""A fourth group seldom rules out what the three rarest have not."""
MOST_PARTS = 4_000
"""Parts of one pattern, its classes of words included; ours have a tenth."""
_SIGNS = "()[]|<>.?,:;-_="


class Unclear(ValueError):
    """A pattern that means nothing, and why."""


def is_wide(char: str) -> bool:
    """Whether a character is a word of its own, as those of Chinese are."""
    return "\u2e80" <= char <= "\u9fff" or "\U00020000" <= char <= "\U0003ffff"


def split_pattern(text: str) -> list[str]:
    """The words and signs of a pattern: `)?` is what may be left out, ` ?` asks."""
    found: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == "?" and at and (text[at - 1] in ")>" or is_wide(text[at - 1])):
            found.append("?maybe")
        elif text.startswith("...", at):
            found.append("...")
            at += 2
        elif char in _SIGNS or is_wide(char):
            found.append(char)
        elif not char.isspace():
            end = at + 1
            while end < len(text) and _goes_on(text, end):
                end += 1
            found.append(text[at:end].replace("'", ""))
            at = end - 1
        at += 1
    return found


def _goes_on(text: str, at: int) -> bool:
    """Whether a word goes on: `long-term` is one."""
    char = text[at]
    inner = char in "-_" and text[at + 1 : at + 2].isalnum()
    return inner or not (char.isspace() or char in _SIGNS or is_wide(char))


def parse(text: str, classes: Mapping[str, Parts]) -> Parts:
    """The parts of a pattern. Raises Unclear."""
    words = split_pattern(text)
    parts, at = _parse_sequence(words, 0, classes)
    if at < len(words):
        raise Unclear(f"{words[at]!r} closes nothing")
    if not parts:
        raise Unclear("no words")
    return parts


def _parse_sequence(
    words: Sequence[str], at: int, classes: Mapping[str, Parts]
) -> tuple[Parts, int]:
    parts: list[Any] = []
    while at < len(words) and words[at] not in ("|", ")", "]"):
        word = words[at]
        at += 1
        if word in ("(", "["):
            part, at = _parse_choice(words, at, word, classes)
            parts.append(part)
        elif word == "<":
            part, at = _name_class(words, at, classes)
            parts.append(part)
        elif word == "?maybe":
            parts[-1] = (PICK, _widen(parts[-1]))
        else:
            parts.append(_read_sign(word))
    return tuple(parts), at


def _widen(part: Any) -> tuple[Parts, ...]:
    """The ways of a part that may be left out."""
    ways = part[1] if part[0] == PICK else ((part,),)
    return (*ways, ())


def _read_sign(word: str) -> Any:
    signs = {"...": BETWEEN, "TEXT": TEXT, ".": END, "?": ASKED, "_": ANY, "=": HERE}
    if word in signs:
        return (signs[word], None)
    if word != word.lower():
        raise Unclear(f"{word!r} is neither TEXT nor in small letters")
    return (WORD, word)


def _parse_choice(
    words: Sequence[str], at: int, opened: str, classes: Mapping[str, Parts]
) -> tuple[Any, int]:
    ways: list[Parts] = []
    while True:
        way, at = _parse_sequence(words, at, classes)
        ways.append(way)
        if at >= len(words) or words[at] != "|":
            break
        at += 1
    if at >= len(words) or words[at] != {"(": ")", "[": "]"}[opened]:
        raise Unclear(f"{opened!r} is not closed")
    if not all(ways):
        raise Unclear("a choice without words")
    if opened == "[":
        ways.append(())
    return (PICK, tuple(ways)), at + 1


def _name_class(words: Sequence[str], at: int, classes: Mapping[str, Parts]) -> tuple[Any, int]:
    name = words[at] if at < len(words) else ""
    if name not in classes or words[at + 1 : at + 2] != [">"]:
        raise Unclear(f"no words are called <{name}>")
    return (PICK, classes[name]), at + 2


def compile_parts(parts: Parts, after: Step | None = None, budget: list[int] | None = None) -> Any:
    """The chain of steps of some parts. Raises Unclear for more than `MOST_PARTS`.

    What may begin in several ways or places knows the words that each can begin with: following
    them all took ten times as long.
    """
    left = budget or [MOST_PARTS]
    step = after
    for part in reversed(parts):
        left[0] -= 1
        if left[0] < 0:
            raise Unclear("too long: split it into several")
        kind, what = part
        if kind == PICK:
            step = _compile_choice(what, step, left)
        elif kind == WORD:
            step = (WORD, frozenset((what,)), step)
        else:
            step = (kind, find_first(step) if kind in (BETWEEN, TEXT) else None, step)
    return step


def _compile_choice(what: tuple[Parts, ...], after: Step | None, left: list[int]) -> Any:
    words = {way[0][1] for way in what if len(way) == 1 and way[0][0] == WORD}
    longer = [way for way in what if way and not (len(way) == 1 and way[0][0] == WORD)]
    longer.sort(key=len, reverse=True)
    ways = [compile_parts(way, after, left) for way in longer]
    if words:
        ways.append((WORD, frozenset(words), after))
    if () in what:
        ways.append(after)
    return ways[0] if len(ways) == 1 else (PICK, _index_ways(ways), None)


def _index_ways(ways: list[Any]) -> tuple[dict[str, tuple[Any, ...]], tuple[Any, ...]]:
    """The ways that may begin with each word, in order, and those that may begin with any."""
    firsts = [find_first(way) for way in ways]
    known = frozenset().union(*(first for first in firsts if first is not None))
    pairs = list(zip(firsts, ways, strict=True))
    return {
        word: _join_ways(word, [way for first, way in pairs if first is None or word in first])
        for word in known
    }, tuple(way for first, way in pairs if first is None)


def _join_ways(word: str, ways: list[Any]) -> tuple[Any, ...]:
    """The ways that may begin with a word as one where all of them do, which goes on in several."""
    if len(ways) < 2 or any(way is None or way[0] != WORD for way in ways):
        return tuple(ways)
    rest = _index_ways([then for _, _, then in ways])
    return ((WORD, frozenset((word,)), (PICK, rest, None)),)


def follow(
    step: Step | None, words: Sequence[str], at: int, stop: int, asked: bool
) -> Found | None:
    """Where a phrase that begins with the word `at` ends, if it is said there; `stop` ends its
    sentence, which is `asked` or not.
    """
    own = 0
    begins = ends = -1
    while step is not None:
        kind, what, then = step
        if kind == WORD:
            if at >= stop or words[at] not in what:
                return None
            own += 1
            at += 1
        elif kind == ANY:
            at += 1
        elif kind == HERE:
            begins, ends = at, stop
        elif kind in (END, ASKED):
            if at != stop or (kind == ASKED and not asked):
                return None
        else:
            branch = _follow_choice if kind == PICK else _follow_gap
            found = branch(step, words, at, stop, asked)
            return _prepend_words(found, own, begins, ends) if found else None
        step = then
    return (at, own, begins, ends) if at <= stop else None


def _follow_choice(
    step: Step, words: Sequence[str], at: int, stop: int, asked: bool
) -> Found | None:
    """What `follow` gives for the first way that leads anywhere."""
    known, others = step[1]
    for way in known.get(words[at], others) if at < stop else others:
        found = follow(way, words, at, stop, asked)
        if found:
            return found
    return None


def _follow_gap(step: Step, words: Sequence[str], at: int, stop: int, asked: bool) -> Found | None:
    """What `follow` gives for a gap or a text, and for what comes after it."""
    kind, first, then = step
    if kind == TEXT and then is None:
        return (at, 0, at, stop) if at < stop else None
    least, most = (1, WITHIN) if kind == TEXT else (0, GAP)
    tries = range(at + least, min(at + most, stop) + 1)
    if kind == TEXT and then[0] in (END, ASKED):
        tries = range(stop, stop + (at < stop))
    for end in tries:
        if first is None or (end < stop and words[end] in first):
            found = follow(then, words, end, stop, asked)
            if found:
                return _prepend_words(found, 0, at, end) if kind == TEXT else found
    return None


def _prepend_words(found: Found, own: int, begins: int, ends: int) -> Found:
    """What was found after `own` words and, perhaps, the beginning of the text."""
    end, more, first, last = found
    if begins < 0:
        return end, own + more, first, last
    return end, own + more, begins, last if first >= 0 else ends


def find_first(step: Step | None) -> frozenset[str] | None:
    """The words that a chain can begin with; None where it can begin with any, or end at once."""
    if step is None:
        return None
    kind, what, then = step
    if kind == WORD:
        found: frozenset[str] = what
        return found
    if kind == HERE:
        return find_first(then)
    if kind != PICK:
        return None
    known, others = what
    return None if others else frozenset(known)


def find_endings(parts: Parts, length: int = 2) -> set[tuple[str, ...]]:
    """The last words of what a pattern can be, as many as `length`: fewer where it is shorter, and
    "" for any word.
    """
    found: set[tuple[str, ...]] = {()}
    for kind, what in reversed(parts):
        grown = set()
        for end in found:
            left = length - len(end)
            if not left or kind == HERE:
                grown.add(end)
            elif kind == WORD:
                grown.add((what, *end))
            elif kind == PICK:
                grown.update((*more, *end) for way in what for more in find_endings(way, left))
            else:
                grown.add((*[""] * left, *end))
        found = grown
    return found


def find_needed(parts: Parts) -> tuple[tuple[str, ...], ...]:
    """Groups of strings of each of which a text that has the pattern has one, at most `GROUPS`;
    empty if there are none.

    The longest are the best: nearly every text has a `to`.
    """
    groups: list[tuple[str, ...]] = []
    run = ""
    for kind, what in (*parts, (END, None)):
        wide = kind == WORD and is_wide(what[0])
        if run and not wide:
            groups.append((run,))
            run = ""
        if wide:
            run += what
        elif kind == WORD and what[0].isalnum():
            groups.append((what,))
        elif kind == PICK and () not in what:
            ways = [find_needed(way)[:1] for way in what]
            if all(ways):
                groups.append(tuple(dict.fromkeys(one for way in ways for one in way[0])))
    groups.sort(key=_rate, reverse=True)
    return tuple(groups[:GROUPS])


def _rate(words: tuple[str, ...]) -> tuple[int, int]:
    # Two characters of Chinese tell as much as five letters.
    return min((len(one) * (3 if is_wide(one[0]) else 1) for one in words), default=0), -len(words)
