"""The phrases that carry an intent: read from files, checked, compiled."""

from __future__ import annotations

from molt import __version__, errors, resources
from molt.memory.triggers import pattern
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, MutableMapping
    from typing import Any

    from molt.memory.triggers.pattern import Parts

    Chains = dict[str, tuple[Any, ...]]

INTENTS = ("remember", "forget", "reflect", "recall", "none")
SHIPPED = ("en", "zh")
CHAINS = ("polite", "leads", "asks", "tags", "goes_on")
"""Names that mean something beside the intents; every other one is a class of words."""
FORM = 5
"""Changes with the steps that `molt.memory.triggers.pattern` compiles."""
MOST_BYTES = 1 << 16
MOST_LINES = 2_000
_LONGEST = 2_000
"""Bytes and lines of a file, characters of a line: more than twice what those that ship have."""


class Phrase(Value):
    """One phrase: its intent and its steps.

    `place` is where it is looked for: `~` where a request begins, `*` anywhere, `^` where a
    sentence begins. `before` means that its text stands before it. `needed` are groups of strings,
    of each of which a text that has the phrase has one; `marks` are words
    of them, one of each string: a sentence without any of a group has not the phrase.
    """

    intent: str
    place: str
    before: bool
    steps: Any
    first: frozenset[str] | None
    needed: tuple[tuple[str, ...], ...]
    marks: tuple[frozenset[str], ...]


class Phrases(Value):
    """All phrases that are known, and the words around them: chains of steps by first word.
    `strings` are all that phrases need and that are no ASCII, by their first character; `endings`
    are the last words of what leads to a request, each with those that stand before it, "" for any
    or none.
    """

    phrases: tuple[Phrase, ...] = ()
    leads: Chains = {}  # noqa: RUF012 a default that nobody writes to
    asks: Chains = {}  # noqa: RUF012
    tags: Chains = {}  # noqa: RUF012
    polite: frozenset[str] = frozenset()
    goes_on: frozenset[str] = frozenset()
    same: dict[int, str] = {}  # noqa: RUF012
    strings: dict[str, tuple[str, ...]] = {}  # noqa: RUF012
    endings: dict[str, frozenset[str]] = {}  # noqa: RUF012

    def join(self, other: Phrases) -> Phrases:
        """These and those of another file."""
        return Phrases(
            self.phrases + other.phrases,
            _join(self.leads, other.leads),
            _join(self.asks, other.asks),
            _join(self.tags, other.tags),
            self.polite | other.polite,
            self.goes_on | other.goes_on,
            self.same | other.same,
            _join(self.strings, other.strings),
            {
                word: self.endings.get(word, frozenset()) | other.endings.get(word, frozenset())
                for word in self.endings.keys() | other.endings.keys()
            },
        )


class PhraseTable(Value):
    """All phrases, each still packed: of most texts hardly any is looked for. `groups` are their
    `needed`, `strings` those of the groups by their first character; `asks` says which are of
    requests, `same` are the letters that count as others, `rest` is what else there is.
    """

    asks: tuple[bool, ...]
    groups: tuple[tuple[tuple[str, ...], ...], ...]
    same: dict[int, str]
    strings: dict[str, tuple[str, ...]]
    rows: tuple[bytes, ...]
    rest: bytes

    def select(self, numbers: Iterable[int]) -> Phrases:
        """Some of the phrases, with all that is around them."""
        import marshal

        # Written below, private to the clone.
        rows = [Phrase(*marshal.loads(self.rows[number])) for number in numbers]  # noqa: S302
        return Phrases(tuple(rows), *marshal.loads(self.rest))  # noqa: S302


def _join(
    one: dict[str, tuple[Any, ...]], other: dict[str, tuple[Any, ...]]
) -> dict[str, tuple[Any, ...]]:
    return one | {word: one.get(word, ()) + chains for word, chains in other.items()}


def load_shipped(cache: MutableMapping[str, bytes] | None = None) -> Phrases:
    """The phrases that come with molt. `cache` maps keys to bytes; with it they are compiled once
    a clone, and not in every process.
    """
    if not _SHIPPED:
        found = Phrases()
        for name in SHIPPED:
            path = resources.find(f"templates/triggers/{name}.yaml")
            with open(path, encoding="utf-8") as file:
                found = found.join(load_text(file.read(), path, cache))
        _SHIPPED.append(found)
    return _SHIPPED[0]


_SHIPPED: list[Phrases] = []


def load_table(cache: MutableMapping[str, bytes]) -> PhraseTable:
    """The phrases that come with molt, packed: to unpack them all takes more time than starting
    Python.
    """
    import marshal
    from zlib import crc32

    mark = 0
    for name in SHIPPED:
        with open(resources.find(f"templates/triggers/{name}.yaml"), "rb") as file:
            mark = crc32(file.read(), mark)
    key = f"trigger-table-{__version__}-{FORM}-{mark:08x}"
    if kept := cache.get(key):
        try:
            return PhraseTable(*marshal.loads(kept))  # noqa: S302 written below
        except (EOFError, ValueError, TypeError):
            pass
    known = load_shipped(cache)
    every = known.phrases
    made = PhraseTable(
        tuple(one.intent != "none" for one in every),
        tuple(one.needed for one in every),
        known.same,
        known.strings,
        tuple(marshal.dumps(one._astuple()) for one in every),
        marshal.dumps(known._astuple()[1:]),
    )
    cache[key] = marshal.dumps(made._astuple())
    return made


def load_text(text: str, path: str, cache: MutableMapping[str, bytes] | None = None) -> Phrases:
    """`parse`, whose result a cache keeps by the text and the version of molt."""
    if cache is None:
        return parse(text, path)
    import marshal
    from zlib import crc32

    key = f"triggers-{__version__}-{FORM}-{len(text)}-{crc32(text.encode('utf-8', 'replace')):08x}"
    if kept := cache.get(key):
        try:
            rows, rest = marshal.loads(kept)  # noqa: S302 written below, private to the clone
            return Phrases(tuple(Phrase(*row) for row in rows), *rest)
        except (EOFError, ValueError, TypeError):
            pass
    found = parse(text, path)
    rest = tuple(getattr(found, name) for name in found._fields[1:])
    cache[key] = marshal.dumps((tuple(one._astuple() for one in found.phrases), rest))
    return found


def parse(text: str, path: str) -> Phrases:
    """The phrases in the text of a file. Raises Usage with file and line of what is none."""
    found = _PhraseReader()
    line = 0
    try:
        if len(text.encode("utf-8", "replace")) > MOST_BYTES:
            raise pattern.Unclear(f"over {MOST_BYTES:,} bytes")
        for number, name, item in read_items(text):
            line = number
            found.add_item(name, item)
    except Misread as error:
        raise _refuse(path, error.line, error) from error
    except pattern.Unclear as error:
        raise _refuse(path, line, error) from error
    return found.finish()


def _refuse(path: str, number: int, error: Exception) -> errors.Usage:
    where = f"{path}:{number}" if number else path
    return errors.Usage(f"{where}: {error}", "docs/triggers.md has the form of a phrase")


class Misread(pattern.Unclear):
    """A line that is none of those that such a file has."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class _PhraseReader:
    """The items of a file, taken one after the other: a class stands above what names it."""

    def __init__(self) -> None:
        self.classes: dict[str, Parts] = {}
        self.phrases: list[Phrase] = []
        self.chains: dict[str, dict[str, tuple[Any, ...]]] = {name: {} for name in CHAINS}
        self.endings: dict[str, set[str]] = {}
        self.same: dict[int, str] = {}

    def add_item(self, name: str, item: str) -> None:
        if name == "same":
            self.same.update(_read_pairs(item))
        elif name in INTENTS:
            self.phrases.append(_compile_phrase(item, name, self.classes))
        else:
            parts = pattern.parse(item, self.classes)
            self.classes[name] = (*self.classes.get(name, ()), parts)
            if name in CHAINS:
                self._add_chain(name, parts)

    def _add_chain(self, name: str, parts: Parts) -> None:
        steps = pattern.compile_parts(parts)
        first = pattern.find_first(steps)
        if first is None:
            raise pattern.Unclear(f"what stands in {name} begins with a word")
        for word in first:
            self.chains[name][word] = (*self.chains[name].get(word, ()), steps)
        if name in ("leads", "asks"):
            for ending in pattern.find_endings(parts):
                before = ending[0] if len(ending) > 1 else ""
                self.endings.setdefault(ending[-1], set()).add(before)

    def finish(self) -> Phrases:
        chains = self.chains
        return Phrases(
            tuple(self.phrases),
            chains["leads"],
            chains["asks"],
            chains["tags"],
            frozenset(chains["polite"]),
            frozenset(chains["goes_on"]),
            self.same,
            _group_strings(self.phrases),
            {word: frozenset(before) for word, before in self.endings.items()},
        )


def _group_strings(phrases: Iterable[Phrase]) -> dict[str, tuple[str, ...]]:
    """The strings that phrases need and that are no ASCII, each once, by their first character."""
    grouped: dict[str, tuple[str, ...]] = {}
    for text in dict.fromkeys(text for one in phrases for group in one.needed for text in group):
        if not text.isascii():
            grouped[text[0]] = (*grouped.get(text[0], ()), text)
    return grouped


def read_items(text: str) -> Iterator[tuple[int, str, str]]:
    """The items of the lists in a file: line, name of the list, text.

    It reads the one form of YAML that these files have, lists of quoted texts below their names,
    for the library takes ten times as long to load. Raises Misread for every other line.
    """
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        row = line.strip()
        if not row or row.startswith("#"):
            continue
        if number > MOST_LINES or len(row) > _LONGEST:
            raise Misread(number, f"over {MOST_LINES:,} lines, or {_LONGEST:,} characters in one")
        if line[:1].isalpha() and row.endswith(":") and row[:-1].replace("_", "").isalnum():
            name = row[:-1]
        elif name and row.startswith('- "') and row.endswith('"') and len(row) > 4:
            item = row[3:-1]
            if '"' in item or "\\" in item:
                raise Misread(number, "a quotation mark or backslash within a phrase")
            yield number, name, item
        else:
            raise Misread(number, f'neither `name:` nor `  - "phrase"`: {row[:40]}')


def _compile_phrase(item: str, name: str, classes: dict[str, Parts]) -> Phrase:
    place = item[0] if item[0] in "*^" else "~"
    parts = pattern.parse(item.lstrip("*^"), classes)
    before = parts[0] == (pattern.TEXT, None) and len(parts) > 1
    own = parts[1:] if before else parts
    steps = pattern.compile_parts(own)
    needed = pattern.find_needed(own)
    if not needed:
        raise pattern.Unclear("a phrase has a word of its own")
    marks = tuple(frozenset(map(_take_mark, group)) for group in needed)
    return Phrase(name, place, before, steps, pattern.find_first(steps), needed, marks)


def _take_mark(needed: str) -> str:
    return needed[-1] if pattern.is_wide(needed[0]) else needed


def _read_pairs(item: str) -> Iterable[tuple[int, str]]:
    pairs = item.split()
    if any(len(pair) != 2 for pair in pairs):
        raise pattern.Unclear("pairs of characters, each with the one that it is read as")
    return ((ord(pair[0]), pair[1]) for pair in pairs)
