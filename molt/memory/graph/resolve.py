"""What a name means: an entity by id, label or alias, or by a name much alike."""

from __future__ import annotations

import math
from itertools import filterfalse

from molt import errors
from molt.formats import ids
from molt.memory.graph import name_keys
from molt.memory.graph import table as tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from molt.memory.graph.graph import Graph
    from molt.memory.graph.table import SortedLines

GENERIC = frozenset(
    (
        "a",
        "an",
        "and",
        "for",
        "in",
        "of",
        "on",
        "our",
        "the",
        "app",
        "flow",
        "project",
        "service",
        "system",
        "tool",
    )
)
"""Words that tell no two names apart."""
# Shorter words are the same or not.
_FUZZY = 5
# How much of their letters two longer words share that may be one, misspelt or in another form.
_SAME = 0.85
# What two words count that differ in a number at the end (`OAuth`, `OAuth2`), or as a slip would
# have it: beside words that are the same the first still tells who is meant, alone neither does.
_NUMBERED = 0.8
_SLIP = 0.75
# The most that names count of which one has a word more, or as a slip would have it, or people's in
# another order: this may be all that tells them apart (`Visual Studio`, `Visual Studio Code`).
_LONGER = 0.8
# What two spellings of a name count: enough to ask.
_SPELLED = 0.8
# Up to how many letters words are compared here: the cost grows with the cube of them.
_LONG = 40
# From how many letters on a word has a plural.
_PLURAL = 4
_VOWELS = frozenset("aeiouy")
# The types whose names are words, which have a plural; the others have names of their own.
_WORDS = ("", "concept", "event", "project")


def resolve_entity(
    graph: Graph, ref: str, *, kind: str = "", similarity: float = 1.0
) -> str | None:
    """The id of the entity that a text means: an id, a label, an alias, or one much alike.

    With `kind` only entities of that type are meant. Below a `similarity` of 1, of 0 to 1, the
    most similar name counts that reaches it. None where nothing is meant.
    """
    stem = ref.removeprefix("entity:").strip()
    line = graph.names.find_line(stem)
    if line and kind in ("", tables.parse_names(line).type):
        return stem
    if not kind and ":" in stem:
        kind, _, stem = (part.strip() for part in stem.partition(":"))
    slug = ids.slug(stem)
    called = [tables.parse_names(one) for one in graph.names.find_lines(tables.name_mark(slug))]
    fit = [one for one in called if kind in ("", one.type)]
    if fit:
        # What another one was called once does not take the name from what is called so now.
        return next((one.stem for one in fit if one.slugs[1:2] == (slug,)), fit[0].stem)
    if similarity >= 1.0:
        return None
    score, best = find_similar(graph, stem, kind=kind, least=similarity)
    return best if score >= similarity else None


def list_named(graph: Graph, name: str) -> tuple[str, ...]:
    """The ids of all entities that are called so, by label or alias, whatever their type."""
    lines = graph.names.find_lines(tables.name_mark(ids.slug(name)))
    return tuple(one.stem for one in map(tables.parse_names, lines))


def find_similar(graph: Graph, name: str, *, kind: str = "", least: float) -> tuple[float, str]:
    """How similar the most similar name of an entity is, from 0 to 1, and its id; of equals the
    last one. Those that are less so than `least` need not be found.
    """
    score, best = 0.0, ""
    slug = ids.slug(name)
    every = graph.names.list_words()
    spelled = _list_spelled(graph.names, slug, every) if least <= _SPELLED else ()
    for line in (*spelled, *_list_similar(graph.names, slug.split("-"), least, every)):
        one = tables.parse_names(line)
        if kind in ("", one.type):
            # The name of the file is none that it is called by.
            found = max(compare_slugs(slug, name, one.type) for name in one.slugs[1:])
            score, best = max((score, best), (found, one.stem))
    return score, best


def _list_spelled(names: SortedLines, slug: str, every: Collection[str]) -> Iterator[str]:
    """The lines with a name that may be another spelling of one; `every` word is known."""
    key, words = name_keys.make_key(slug), slug.split("-")
    others = [key, *name_keys.shorten_words(slug), *name_keys.list_initials(slug)]
    for at, word in enumerate(words):
        if name_keys.is_shortened(word):
            long = (one for one in every if name_keys.shorten_words(one) == [word])
            others += ["-".join((*words[:at], one, *words[at + 1 :])) for one in long]
    # To look for a name takes as long as to look up a thousand words.
    known = [one for one in others if all(word in every for word in one.split("-"))]
    for mark in (tables.key_mark(key), *map(tables.name_mark, known)):
        yield from names.find_lines(mark)


def _list_similar(
    names: SortedLines, wanted: list[str], similarity: float, every: Collection[str]
) -> Iterator[str]:
    """The lines with a name that may be so similar to one of some words.

    To compare two names takes as long as to look through a thousand, and hardly a name has the
    words that it must have.
    """
    held = min(_list_needed(wanted, every, similarity), key=len)
    found = (line for word in held for line in names.find_lines(word))
    yield from dict.fromkeys(found)


def _list_needed(
    wanted: Sequence[str], every: Collection[str], similarity: float
) -> list[list[str]]:
    """Lists of words of each of which a name that is so similar to some words has at least one.

    What has a number must be met by a word with this number, or by one without any. Of others,
    those must be met that weigh more than what two such names may differ in; a similar name weighs
    no more than all that may meet the words, and what it may have besides.
    """
    numbers = {word: number for word in wanted for number in _list_numbers((word,))}
    if numbers:
        found: list[list[str]] = []
        # A number alone is met by itself or by hardly anything.
        for word in sorted(numbers, key=lambda word: word != numbers[word]):
            found.append(_list_numbered(word, numbers[word], every))
            if not found[-1]:
                break
        return found
    plain = list(filterfalse(str.isdigit, every))
    twins = {word: _list_twins(word, plain) for word in wanted}
    own = sum(map(_weigh_word, wanted))
    shared = sum(max(map(_weigh_word, twins[word]), default=0.0) for word in wanted)
    other = (shared + (1 - similarity) * own) / similarity if similarity else float("inf")
    spare = (1 - similarity) * (own + other)
    needed = [twins[word] for word in wanted if _weigh_word(word) > spare]
    return needed or [[twin for some in twins.values() for twin in some]]


def _list_numbered(word: str, number: str, every: Collection[str]) -> list[str]:
    """The words that have the number of a word, and those without any that are the same."""
    found = [number] if number in every else []
    # Most words that have a number are nothing else, and to look at each sign takes long.
    mixed = list(filterfalse(str.isdigit, every))
    found += [one for one in mixed if number[0] in one and _list_numbers((one,)) == (number,)]
    if word == number:
        return found
    plain = [other for other in mixed if other.isalpha() or not _list_numbers((other,))]
    return found + _list_twins(word, plain)


def _list_twins(word: str, every: Collection[str]) -> list[str]:
    """The words of all that are the same as one, as `_compare_words` says of those of no person;
    numbers alone are the same as none of these.
    """
    bare = word.rstrip("0123456789")
    begin = (other for other in every if bare and other.startswith(bare))
    found = [other for other in begin if other == word or other.rstrip("0123456789") == bare]
    found += [other for other in _list_plurals(word) if other in every and other not in found]
    if len(word) < _FUZZY:
        return found
    # By the definition of `ratio`, so many letters at least are in both.
    longest = int(len(word) * (2 - _SAME) / _SAME)
    shortest = max(_FUZZY, math.ceil(len(word) * _SAME / (2 - _SAME)))
    letters = frozenset(word)
    for other in every:
        if shortest <= len(other) <= longest:
            missing = len(word) - (len(word) + len(other)) * _SAME / 2
            if len(letters.difference(other)) <= missing and _is_alike(word, other):
                found.append(other)
    return found


def compare_names(one: str, other: str, kind: str = "") -> float:
    """How similar two names are, from 0 to 1: the share of their letters in words they share.

    Names with other numbers are never alike (`Python 2`, `Python 3`), and those of people are
    made of the same words or not (`Anna`, `Hanna`). What a slip would explain, or a word more, is
    alike enough to ask, and not to decide.
    """
    return compare_slugs(ids.slug(one), ids.slug(other), kind)


def compare_slugs(one: str, other: str, kind: str = "") -> float:
    """How similar two names are that are given as slugs."""
    score = _compare_by_words(one, other, kind)
    if score >= _SPELLED or one == other:
        return score
    short = _is_short_for(one, other, kind) or _is_short_for(other, one, kind)
    return _SPELLED if short or name_keys.is_spelling(one, other) else score


def _is_short_for(one: str, other: str, kind: str) -> bool:
    """Whether a name is another one with a word, or several, cut to letters. Too many people share
    their initials.
    """
    return one in name_keys.shorten_words(other) or (
        kind != "person" and one in name_keys.list_initials(other)
    )


def _compare_by_words(one: str, other: str, kind: str) -> float:
    first, second = one.split("-"), other.split("-")
    if (
        _list_numbers(first)
        and _list_numbers(second)
        and _list_numbers(first) != _list_numbers(second)
    ):
        return 0.0
    own: list[str] = []
    rest, shared, slip = list(second), 0.0, False
    for word in first:
        twin = max(rest, key=lambda each: _compare_words(word, each, kind), default="")
        degree = _compare_words(word, twin, kind)
        if degree:
            rest.remove(twin)
            slip = slip or degree == _SLIP
            shared += degree * (_weigh_word(word) + _weigh_word(twin))
        else:
            own.append(word)
    extra = [word for word in (*own, *rest) if word not in GENERIC]
    # Each has a word that the other has not (`plan a`, `plan b`), or one has a number.
    if (own and rest and extra) or _list_numbers((*own, *rest)):
        return 0.0
    score = min(1.0, shared / sum(map(_weigh_word, (*first, *second))))
    moved = kind == "person" and _list_telling(first) != _list_telling(second)
    return min(score, _LONGER) if extra or moved or slip else score


def _list_telling(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in GENERIC]


def _list_numbers(words: Iterable[str]) -> tuple[str, ...]:
    digits = ("".join(char for char in word if char.isdigit()) for word in words)
    return tuple(filter(None, digits))


def _weigh_word(word: str) -> float:
    return len(word) * (0.2 if word in GENERIC else 1.0)


def _compare_words(one: str, other: str, kind: str) -> float:
    """How sure it is that two words of names are the same, from 0 to 1."""
    if one == other:
        return 1.0
    if kind == "person":
        return 0.0
    if other in _list_plurals(one):
        return 1.0 if kind in _WORDS else _SLIP
    bare, plain = one.rstrip("0123456789"), other.rstrip("0123456789")
    if bare and bare == plain:
        return _NUMBERED
    if min(len(one), len(other)) < _FUZZY:
        return 0.0
    return _SLIP if _is_alike(one, other) else 0.0


def _list_plurals(word: str) -> tuple[str, ...]:
    """What an English word may be in the plural, or in the singular."""
    # What cannot be said is short for something (`HTTP`, `HTTPS`).
    if len(word) < _PLURAL or not (word.isascii() and word.isalpha()) or not _VOWELS & {*word}:
        return ()
    many = [f"{word}s", f"{word}es", f"{word[:-1]}ies" if word[-1] == "y" else ""]
    one = [word.removesuffix("s"), word.removesuffix("es")]
    one.append(f"{word[:-3]}y" if word.endswith("ies") else "")
    return tuple(form for form in (*many, *one) if len(form) >= _PLURAL and form != word)


def _is_alike(one: str, other: str) -> bool:
    return _measure_likeness(one, other) >= _SAME


def _measure_likeness(one: str, other: str) -> float:
    """The `ratio` of difflib's SequenceMatcher, whose import takes longer than to compare a word
    with all that may be one: twice the letters in matching blocks, by those of both words.
    """
    if max(len(one), len(other)) > _LONG:
        from difflib import SequenceMatcher

        return SequenceMatcher(None, one, other).ratio()
    letters = len(one) + len(other)
    return 2 * _count_matching(one, other) / letters if letters else 1.0


def _count_matching(one: str, other: str) -> int:
    """The letters of the longest block that two words share, the first of such in each, and of
    those that match before and behind it.
    """
    for size in range(min(len(one), len(other)), 0, -1):
        for start in range(len(one) - size + 1):
            at = other.find(one[start : start + size])
            if at >= 0:
                before = _count_matching(one[:start], other[:at])
                return before + size + _count_matching(one[start + size :], other[at + size :])
    return 0


def require_entity(graph: Graph, ref: str, similarity: float = 1.0) -> str:
    """`resolve`. Raises NotFound with the nearest names where nothing is meant."""
    found = resolve_entity(graph, ref, similarity=similarity)
    if found is not None:
        return found
    from difflib import get_close_matches

    near = get_close_matches(ref.casefold(), list(graph.nodes), n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else "`molt graph show` lists them"
    raise errors.NotFound(f"no entity {ref!r}", hint)
