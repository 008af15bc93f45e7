"""What the entities of a tree say of the graph, a line each, in texts that are searched.

Ten thousand entities are two megabytes. To make a record of each takes ten times as long as to
look one up in a text, and a command asks for a few. One text has what they are called, the other
all else. Each is kept in a file of the clone with the folder that it is of: what changed since is
found by comparing the two versions of the folder.
"""

from __future__ import annotations

from molt import trees
from molt.formats import entity as entity_notes
from molt.formats import ids, paths
from molt.memory.graph import name_keys
from molt.repo import objects, tree_objects, worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping

    from molt.formats.entity import Entity
    from molt.trees import Entry, Tree

    Cache = MutableMapping[str, bytes]

# Of the form of a line, and of how files are read.
_FORM = b"graph 7 "
_LATE = "graph 7"
FOLDER = paths.ENTITIES.rstrip("/")
# What stands between fields, the items of a list, and the parts of an edge.
FIELD, ITEM, PART = "\t", "\x1f", "\x1e"
# What stands around what other spellings of a name lead to, which is no name.
_KEY = "\x1d"
# So many changes are put into the kept text by each call before it is written anew; their lines are
# kept beside it, as to read a file takes as long as to put some lines.
_FEW = 32
# Above so many changes a text is not mended line by line.
_MANY = 500
_ESCAPES = {"\\": "\\\\", "\n": "\\n", FIELD: "\\t", ITEM: "\\i", PART: "\\p"}


class NodeRow(Value):
    """All but the names of an entity: its id, type, label, aliases, day of creation, whether it is
    pinned, and word, target and note of each edge.
    """

    stem: str
    type: str
    label: str
    aliases: tuple[str, ...]
    created: str
    pinned: bool
    edges: tuple[tuple[str, str, str], ...]


class NameRow(Value):
    """What an entity is called, as slugs: first the name of its file, behind its type, which people
    may not know.
    """

    stem: str
    type: str
    slugs: tuple[str, ...]


class SortedLines:
    """A line for each entity in the order of their files, its id first; a line break stands before
    and behind each. `words` are those of the text, where somebody has listed them before.
    """

    def __init__(self, text: str = "\n", words: str = "") -> None:
        self.text = text
        self._words = words
        self._fresh: list[str] = []

    def copy(self) -> SortedLines:
        """The same lines, to be changed by themselves."""
        made = SortedLines(self.text, self._words)
        made._fresh = [*self._fresh]
        return made

    def find_line(self, stem: str) -> str:
        """The line of an entity; empty if there is none."""
        at, stop = self._find_span(stem)
        return self.text[at:stop].rstrip("\n")

    def find_lines(self, part: str) -> Iterator[str]:
        """The lines that hold a text, in order."""
        at = self.text.find(part)
        while at >= 0:
            end = self.text.index("\n", at)
            yield self.text[self.text.rindex("\n", 0, at) + 1 : end]
            at = self.text.find(part, end)

    def lines(self) -> list[str]:
        """All lines, in order."""
        return self.text[1:-1].split("\n") if len(self.text) > 1 else []

    def list_words(self) -> frozenset[str]:
        """What stands between hyphens and the marks of a line, and perhaps what stood there in
        lines that were replaced.
        """
        if self._words:
            return frozenset(self._words.split("-")).union(*map(_split_words, self._fresh))
        return _split_words(self.text)

    def put(self, changed: Mapping[str, str]) -> None:
        """Replace the lines of some entities, by the names of their files; "" takes one out."""
        self._fresh += changed.values()
        if len(changed) > _MANY:
            every = {line.partition(FIELD)[0]: line for line in self.lines()}
            every.update((pack(stem), line) for stem, line in changed.items())
            rows = sorted(filter(None, every.values()), key=_order_key)
            self.text = "".join(("\n", *(f"{row}\n" for row in rows)))
            return
        # Each copy of the text takes as long as to find ten lines in it.
        spans = [(*self._find_span(stem), f"{stem}.md", line) for stem, line in changed.items()]
        parts, last = [], 0
        for at, stop, _, line in sorted(spans):
            parts += [self.text[last:at], f"{line}\n" if line else ""]
            last = stop
        self.text = "".join((*parts, self.text[last:]))

    def _find_span(self, stem: str) -> tuple[int, int]:
        """Where the line of an entity stands, or belongs."""
        stop = self._find_end(stem)
        start = self.text.rfind("\n", 0, stop - 1) + 1
        return (start if self.text.startswith(f"{pack(stem)}{FIELD}", start) else stop), stop

    def _find_end(self, stem: str) -> int:
        """Where the lines of an entity and of all before it end."""
        text, wanted = self.text, f"{stem}.md"
        low, high = 1, len(text)
        while low < high:
            start = text.rindex("\n", low - 1, (low + high) // 2) + 1
            end = text.index("\n", start) + 1
            low, high = (low, start) if _order_key(text[start:end]) > wanted else (end, high)
        return low


def _split_words(text: str) -> frozenset[str]:
    # The last field has no words, but what they are together.
    text = "\n".join(row[: row.rfind(FIELD)] for row in text.split("\n"))
    for mark in (FIELD, ITEM, "\n"):
        text = text.replace(mark, "-")
    return frozenset(text.split("-"))


def _order_key(line: str) -> str:
    """What lines are sorted by: the names of their files."""
    return f"{unpack(line.partition(FIELD)[0])}.md"


def pack(text: str) -> str:
    """A text without what stands between fields."""
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(_ESCAPES.get(char, char) for char in text)


def unpack(text: str) -> str:
    """What `pack` was given."""
    if "\\" not in text:
        return text
    # The first letter behind a backslash tells what it stands for.
    meant = {code[1]: char for char, code in _ESCAPES.items()}
    first, *rest = text.split("\\")
    found, rows = [first], iter(rest)
    for row in rows:
        found.append(meant[row[0]] + row[1:] if row else "\\" + next(rows, ""))
    return "".join(found)


def render_names(stem: str, one: Entity) -> str:
    """The line that says what an entity is called."""
    names = dict.fromkeys(ids.slug(name) for name in (one.label, *one.aliases))
    own = stem.partition("--")[2]
    # Of what an older molt has made of the label, another entity may have the name now.
    own = "" if ids.is_unspelled(own, one.label) and own not in names else own
    slugs = ITEM.join(("", pack(own), *names, ""))
    keys = (key for name in names for key in name_keys.list_keys(name))
    others = dict.fromkeys(key for key in keys if key not in ("", *names))
    led = _KEY.join(("", *others, "")) if others else ""
    return FIELD.join((pack(stem), pack(one.type), slugs, led))


def parse_names(line: str) -> NameRow:
    """What such a line says."""
    stem, kind, slugs, _ = line.split(FIELD)
    return NameRow(unpack(stem), unpack(kind), tuple(map(unpack, slugs[1:-1].split(ITEM))))


def name_mark(slug: str) -> str:
    """What the line of an entity of this name holds."""
    return f"{ITEM}{pack(slug)}{ITEM}"


def key_mark(key: str) -> str:
    """What the line of an entity holds to whose name a key leads."""
    return f"{_KEY}{key}{_KEY}"


def render_row(stem: str, one: Entity) -> str:
    """The line with all else."""
    edges = (PART.join(map(pack, (edge.word, edge.target, edge.note))) for edge in one.relations)
    return FIELD.join(
        (
            *(pack(stem), pack(one.type), pack(one.label)),
            "".join(f"{pack(alias)}{ITEM}" for alias in one.aliases),
            *(pack(one.created), "pinned" if one.pinned else ""),
            "".join(f"{ITEM}{PART}{edge}{PART}" for edge in edges),
        )
    )


def parse_row(line: str) -> NodeRow:
    """What such a line says."""
    stem, kind, label, aliases, created, pinned, edges = line.split(FIELD)
    return NodeRow(
        unpack(stem),
        unpack(kind),
        unpack(label),
        tuple(map(unpack, aliases.split(ITEM)[:-1])),
        unpack(created),
        bool(pinned),
        tuple(_parse_edge(edge) for edge in edges.split(ITEM)[1:]),
    )


def _parse_edge(text: str) -> tuple[str, str, str]:
    _, word, target, note, _ = text.split(PART)
    return unpack(word), unpack(target), unpack(note)


def edge_mark(stem: str) -> str:
    """What the line of an entity with an edge to another one holds."""
    return f"{PART}{pack(stem)}{PART}"


class Form(Value):
    """What lines say: the name of the file that keeps them, how one is rendered, and whether they
    are looked through by their `words`, which are kept then: to list them takes ten times as long.
    """

    name: str
    render: Callable[[str, Entity], str]
    words: bool = False


NAMES = Form("graph-names", render_names, words=True)
ROWS = Form("graph-rows", render_row)


def load_lines(tree: Tree, form: Form, cache: Cache | None = None) -> SortedLines:
    """The lines of a tree's entities. With a `cache`, only files that changed are parsed."""
    base, loose = find_base(tree)
    before, lines = _read_kept(cache, form)
    folder = read_folder(base)
    changed = tree_objects.diff_folders(before, folder)
    lines.put(_read_changed(base, changed, form, cache))
    if cache is not None and len(changed) > (_FEW if before else 0):
        words = "-".join(_split_words(lines.text)) if form.words else ""
        listed, text = (one.encode("utf-8", "surrogatepass") for one in (words, lines.text))
        head = b"%s%d %d\n" % (_FORM, len(folder), len(listed))
        cache[form.name] = b"".join((head, folder, listed, text))
    lines.put(parse_loose(tree, loose, form))
    return lines


def parse_loose(tree: Tree, loose: Iterable[str], form: Form) -> dict[str, str]:
    """The lines of some files by their names, as `parse_files` has them."""
    over = {name: tree.entry(f"{paths.ENTITIES}{name}") for name in loose}
    return parse_files(tree, over, form)


def _read_changed(
    tree: Tree, changed: Mapping[str, Entry | None], form: Form, cache: Cache | None
) -> dict[str, str]:
    """The lines of some files, as `parse_files` has them; a few are kept with their blobs."""
    if cache is None or len(changed) > _FEW:
        return parse_files(tree, changed, form)
    name = f"{form.name}-late"
    kept = _parse_late(cache.get(name, b""))
    marks = {file[:-3]: f"{one.oid} {pack(file[:-3])}" for file, one in changed.items() if one}
    lines = {stem: kept[mark] for stem, mark in marks.items() if mark in kept}
    fresh = {file: one for file, one in changed.items() if file[:-3] not in lines}
    parsed = parse_files(tree, fresh, form)
    lines.update(parsed)
    if any(parsed.values()):
        rows = (f"{marks[stem].partition(' ')[0]} {line}" for stem, line in lines.items() if line)
        cache[name] = "\n".join((_LATE, *rows)).encode("utf-8", "surrogatepass")
    return lines


def _parse_late(data: bytes) -> dict[str, str]:
    """The lines that are kept beside a text, by the blob and the id of what they are of."""
    try:
        form, *rows = data.decode("utf-8", "surrogatepass").split("\n")
    except ValueError:
        return {}
    found = {row.partition(FIELD)[0]: row.partition(" ")[2] for row in rows}
    return found if form == _LATE else {}


def _read_kept(cache: Cache | None, form: Form) -> tuple[bytes, SortedLines]:
    """The folder and the lines that are kept; empty ones where there are none that are whole."""
    kept = cache.get(form.name) if cache is not None else None
    if kept is None or not kept.startswith(_FORM):
        return b"", SortedLines()
    start = kept.find(b"\n") + 1
    try:
        size, listed = map(int, kept[len(_FORM) : start].split())
        stop = start + size
        # A copy of megabytes takes as long as all else.
        words = str(memoryview(kept)[stop : stop + listed], "utf-8", "surrogatepass")
        text = str(memoryview(kept)[stop + listed :], "utf-8", "surrogatepass")
    except ValueError:
        return b"", SortedLines()
    whole = text.startswith("\n") and text.endswith("\n")
    return (kept[start:stop], SortedLines(text, words)) if whole else (b"", SortedLines())


def find_base(tree: Tree) -> tuple[Tree, set[str]]:
    """The tree that another one lies upon, and the names of the entities that it has otherwise."""
    loose: set[str] = set()
    while isinstance(tree, trees.Overlay | worktree.Worktree):
        over = tree.edits if isinstance(tree, trees.Overlay) else tree.dirty
        loose.update(path[len(paths.ENTITIES) :] for path in over if is_entity(path))
        tree = tree.base if isinstance(tree, trees.Overlay) else tree.head
    return tree, loose


def is_entity(path: str) -> bool:
    """Whether a path is that of an entity's file."""
    name = path.removeprefix(paths.ENTITIES)
    return name != path and name.endswith(".md") and "/" not in name


def read_folder(tree: Tree) -> bytes:
    """The folder of the entities as git stores it, one of files alone where it is not git's."""
    if isinstance(tree, objects.GitTree):
        return tree.folder(FOLDER)
    every = tree.entries().items()
    return tree_objects.render_folder(
        {path[len(paths.ENTITIES) :]: entry for path, entry in every if is_entity(path)}
    )


def parse_files(tree: Tree, changed: Mapping[str, Entry | None], form: Form) -> dict[str, str]:
    """The lines of some files of the folder, by their ids; "" for one that is not there."""
    names = [name for name in changed if name.endswith(".md")]
    held = [name for name in names if _is_plain(changed[name])]
    found = tree.read_many([f"{paths.ENTITIES}{name}" for name in held])
    lines = dict.fromkeys((name[:-3] for name in names), "")
    for name in held:
        data = found.get(f"{paths.ENTITIES}{name}")
        if data is not None:
            stem = name[:-3]
            one = entity_notes.parse_node(data.decode("utf-8", "replace"), stem)
            lines[stem] = form.render(stem, one)
    return lines


def _is_plain(entry: Entry | None) -> bool:
    return entry is not None and entry.mode not in (tree_objects.FOLDER, trees.SUBMODULE)


def sort_lines(lines: Iterable[str]) -> SortedLines:
    """Some lines in their order."""
    rows = sorted(lines, key=_order_key)
    return SortedLines("".join(("\n", *(f"{row}\n" for row in rows))))
