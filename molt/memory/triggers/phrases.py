"""The phrases with which a person addresses the memory, and where a sentence has one."""

from __future__ import annotations

from molt import errors, resources
from molt.index.content import variants
from molt.values import Value, keep_last

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

INTENTS = ("remember", "forget", "recall", "reflect", "none")
SHIPPED = ("en", "zh")
BEFORE = "before"
MOST_BYTES = 64 * 1024
_MOST_BEFORE = 6
"""As many words of politeness may stand in front of a phrase."""
_BLANK = " \t\r\n"
MARKS = f"{_BLANK},;:-–—*#>•、，；："
"""What may stand around a phrase."""


class PhraseMatch(Value):
    """A phrase in a sentence: its intent, where its words of politeness begin, where it begins and
    ends itself, and whether it is one of a workspace's own.
    """

    intent: str
    head: int
    start: int
    stop: int
    own: bool


class Phrases(Value):
    """Phrases by their first sign, the longest first: each with its intent (`before` for words that
    may stand in front of one), and whether it is one of a workspace's own.
    """

    table: dict[str, list[tuple[str, str, bool]]]

    def join(self, items: list[tuple[str, str]]) -> Phrases:
        """Return these phrases with those of a workspace."""
        rows = [row for rows in self.table.values() for row in rows]
        return _index_phrases([*rows, *((phrase, name, True) for name, phrase in items)])

    def find_head(self, plain: str) -> PhraseMatch | None:
        """Return the phrase at the head of a folded sentence, behind words of politeness."""
        at = head = _skip(plain, 0)
        for _ in range(_MOST_BEFORE):
            row = self._find_at(plain, at)
            if row is None:
                return None
            phrase, name, own = row
            if name != BEFORE:
                return PhraseMatch(name, head, at, at + len(phrase), own)
            at = _skip(plain, at + len(phrase))
        return None

    def _find_at(self, plain: str, at: int) -> tuple[str, str, bool] | None:
        for row in self.table.get(plain[at : at + 1], ()):
            end = at + len(row[0])
            if plain.startswith(row[0], at) and _is_end(plain, end):
                return row
        return None


def load_shipped() -> Phrases:
    """Return the phrases that come with molt."""
    return _load_files(SHIPPED)


@keep_last
def _load_files(names: tuple[str, ...]) -> Phrases:
    rows: list[tuple[str, str, bool]] = []
    for name in names:
        path = f"templates/triggers/{name}.yaml"
        with open(resources.find(path), encoding="utf-8") as file:
            rows += [(phrase, key, False) for key, phrase in parse(file.read(), path)]
    return _index_phrases(rows)


def _index_phrases(rows: list[tuple[str, str, bool]]) -> Phrases:
    table: dict[str, list[tuple[str, str, bool]]] = {}
    for row in sorted(rows, key=lambda row: (-len(row[0]), not row[2])):
        table.setdefault(row[0][0], []).append(row)
    return Phrases(table)


def parse(text: str, path: str) -> list[tuple[str, str]]:
    """Return the phrases in the text of a file, each with its list. Raises Usage
    with file and line.
    """
    hint = "docs/triggers.md has the form of a phrase"
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise errors.Usage(f"{path}: over {MOST_BYTES:,} bytes", hint)
    found: list[tuple[str, str]] = []
    for number, name, item in read_items(text):
        known = name in (*INTENTS, BEFORE)
        if not known or not item.strip() or '"' in item:
            what = item[:40] if known else f"{name[:40]}:"
            raise errors.Usage(f"{path}:{number}: not a phrase: {what}", hint)
        plain = variants.simplify_signs(item.lower().strip())
        found.append((name, plain.replace("’", "'").replace("：", ":")))
    return found


def read_items(text: str) -> Iterator[tuple[int, str, str]]:
    """Return the items of the lists in a file: line, name of the list, text.

    It reads the one form of YAML that these files have, lists of quoted texts below their names,
    for the library takes ten times as long to load. Any other line is an item without a name.
    """
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        row = line.strip()
        if not row or row.startswith("#"):
            continue
        if line[:1].isalpha() and row.endswith(":"):
            name = row[:-1]
        elif row.startswith('- "') and row.endswith('"') and len(row) > 4:
            yield number, name, row[3:-1]
        else:
            yield number, row, ""


def _skip(plain: str, at: int) -> int:
    """Return the place of the next sign that is no mark."""
    while at < len(plain) and plain[at] in MARKS:
        at += 1
    return at


def _is_end(plain: str, end: int) -> bool:
    """Return whether a word ends at a place: a script without spaces has no such bound."""
    before, after = plain[end - 1 : end], plain[end : end + 1]
    return not (after.isalnum() and before.isalnum() and after < "\u2e80" and before < "\u2e80")
