"""What was written before that came from outside, by the words that it is known by."""

from __future__ import annotations

from molt.formats import bullets, episodes, frontmatter, origin, paths
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.trees import Tree

    Told = tuple[str, str]
    """Words, as `origin.strip_words` has them, and the class of outside that they are from."""

LEAST = 12
"""So many letters of a line of a page tell where it is from; `## Steps` is in every note."""
_LEAST_WITHIN = 24
"""So many do so within a longer line: about five words."""
_MOST_COMPARED = 400_000_000
"""Letters that are looked through, once for each line: a tenth of a second, and the worst of them a
second. Ten new lines beside forty megabytes are as much."""
_KEYS = ("origin", "source", "imported")
NOTES = ("entity", "prose", "procedure", "vault")
"""The kinds of files whose front matter says where all of it is from."""
_KINDS = ("episode", "entity", "prose", "relations", "other")
"""The kinds of files that are looked through; the others no agent writes freely."""
_OWN = (b":agent\n", b": agent\n", b":agent |", b":user\n", b": user\n", b":user |")
"""What stands behind `origin` where it is not from outside, in the forms that molt writes."""
_BETWEEN, _FOREIGN = b" \t\r\n\"':>|-+", (b"tool", b"web", b"sub-agent", b"subagent", b"import")
"""What may stand between `source` and its value, and how a value that is from outside begins."""
_PLAIN = tuple(bytes((byte,)) for byte in b"abcdefghijklmnopqrstuvwxyz.,;)/_")
"""How a value begins, or prose goes on, that is nothing else than it looks: no tag, anchor or
comment of YAML, no blank beyond ASCII.
"""


class Quote(Value):
    """A new line that says what is from outside: its number, and the class of where from."""

    line: int
    kind: str


def read_note(tree: Tree, path: str) -> str:
    """The class of outside that a note's front matter says that it is from."""
    if paths.kind_of(path) not in NOTES or tree.entry(path) is None:
        return ""
    return _read_class(path, tree.read(path) or b"")


def _read_class(path: str, data: bytes) -> str:
    if path.startswith(origin.IMPORTED):
        return "import"
    low = data.lower()
    # To read front matter takes longer than all else, and most of it says nothing of this.
    if paths.kind_of(path) not in NOTES or not any(word.encode() in low for word in _KEYS):
        return ""
    return origin.read_class(frontmatter.metadata(data.decode("utf-8", "replace")))


def list_told(tree: Tree) -> Iterator[Told]:
    """What the files below memory/ say that is from outside: each line that is long enough to tell,
    and each memory of several lines.
    """
    sources = (path for path in tree.entries() if path.startswith("memory/"))
    found = tree.read_many([path for path in sources if paths.kind_of(path) in _KINDS])
    for path, data in found.items():
        if path.startswith(origin.IMPORTED) or _may_tell(data.lower()):
            for rows, kind in _list_memories(path, data):
                yield from strip_lines(rows, kind)
                if len(rows) > 1:
                    yield "".join(map(origin.strip_words, rows)), kind


def _may_tell(data: bytes) -> bool:
    """Whether a file, in small letters, may say that something in it is from outside: to take all
    files of a large memory apart takes forty times as long as to look for the words in them.
    """
    origins, sources = data.split(b"origin")[1:], data.split(b"source")[1:]
    # Escapes can spell any word of front matter in which one stands as it is.
    if b"imported" in data or (b"\\" in data and (origins or sources)):
        return True
    if not all(rest.startswith(_OWN) for rest in origins):
        return True
    told = filter(None, (rest.lstrip(_BETWEEN) for rest in sources))
    return any(rest.startswith(_FOREIGN) or not rest.startswith(_PLAIN) for rest in told)


def _list_memories(path: str, data: bytes) -> Iterator[tuple[Sequence[str], str]]:
    """The memories of a file that are from outside, as their lines, with the class of each."""
    text = data.decode("utf-8", "replace")
    if paths.kind_of(path) == "episode":
        for entry in episodes.parse(text, paths.date_of(path) or ""):
            kind = origin.read_entry_class(entry)
            if kind:
                yield entry.text.split("\n"), kind
        return
    whole = _read_class(path, data)
    if whole:
        yield frontmatter.split_front_matter(text)[1].split("\n"), whole
        return
    for row in text.split("\n"):
        if kind := origin.find_mark(row):
            yield (row,), kind


def strip_lines(rows: Iterable[str], kind: str) -> Iterator[Told]:
    """The lines that are long enough to tell where they are from."""
    for row in rows:
        said = origin.strip_words(row)
        if len(said) >= LEAST and said not in _TITLES:
            yield said, kind


_TITLES = frozenset(
    map(origin.strip_words, (*bullets.BLOCKS, "Open Questions", "Learned From", "Core Memory"))
)


def find_quote(rows: Iterable[tuple[int, str]], told: Sequence[Told]) -> Quote | None:
    """The first of some new lines that says what is from outside, or a part of it, or more.

    Raises ValueError for more than can be compared.
    """
    fresh = [(line, said) for line, row in rows for said, _ in strip_lines((row,), "")]
    whole = dict(told)
    known = next((Quote(line, whole[said]) for line, said in fresh if said in whole), None)
    fresh = [(line, said) for line, said in fresh if len(said) >= _LEAST_WITHIN]
    if known or not fresh:
        return known
    longer = [(said, kind) for said, kind in told if len(said) >= _LEAST_WITHIN]
    every, new = ("\n".join(said for said, _ in longer), "\n".join(said for _, said in fresh))
    if len(every) * len(fresh) + len(longer) * len(new) > _MOST_COMPARED:
        raise ValueError("too much at once to be compared with what came from outside")
    for line, said in fresh:
        if said in every:
            return Quote(line, next(kind for one, kind in longer if said in one))
    for said, kind in longer:
        if said in new:
            return Quote(next(line for line, one in fresh if said in one), kind)
    return None


def tells(row: str) -> bool:
    """Whether a line says enough to tell where it is from."""
    return any(strip_lines((row,), ""))
