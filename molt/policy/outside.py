"""What was written before that came from outside, by the words that it is known by."""

from __future__ import annotations

from molt import trees
from molt.formats import bullets, episodes, frontmatter, origin, paths
from molt.formats.meta import proposals
from molt.policy import letters, names, quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.policy.quotes import Quotable
    from molt.trees import Tree

_KEYS = ("origin", "source", "imported")
_FEW = 3
"""So many blanks are in no sentence."""
NOTES = ("entity", "prose", "procedure", "vault")
"""The kinds of files whose front matter says where all of it is from."""
_KINDS = ("episode", "entity", "prose", "relations", "other")
"""The kinds of files that are looked through; the others no agent writes freely."""
_OWN = (b":agent\n", b": agent\n", b":agent |", b":user\n", b": user\n", b":user |")
"""What stands behind `origin` where it is not from outside, in the forms that molt writes."""
_BETWEEN, _FOREIGN = (
    b" \t\r\n\"':>|-+",
    (b"http", *(word.encode() for word in origin.MEANT)),
)
"""What may stand between `source` and its value, and how a value that is from outside begins."""
_PLAIN = tuple(bytes((byte,)) for byte in b"abcdefghijklmnopqrstuvwxyz.,;)/_")
"""How a value begins, or prose goes on, that is nothing else than it looks: no tag, anchor or
comment of YAML, no blank beyond ASCII.
"""


def read_note(tree: Tree, path: str) -> str:
    """The class of outside that a note's front matter says that it is from."""
    if not _is_note(path) or tree.entry(path) is None:
        return ""
    return _read_class(path, tree.read(path) or b"")


def _is_note(path: str) -> bool:
    return paths.kind_of(path) in NOTES or is_skill(path)


def _read_class(path: str, data: bytes) -> str:
    if path.startswith(origin.IMPORTED):
        return "import"
    low = data.lower()
    # To read front matter takes longer than all else, and most of it says nothing of this.
    if not _is_note(path) or not any(word.encode() in low for word in _KEYS):
        return ""
    return origin.read_class(frontmatter.metadata(data.decode("utf-8", "replace")))


def is_skill(path: str) -> bool:
    """Whether a file is part of a skill, or one that an agent keeps and obeys: its text is obeyed
    when that is used.
    """
    name = names.fold_path(path)
    return name.startswith("skills/") or name.rpartition("/")[2] in _OBEYED


_OBEYED = frozenset(
    f"{name}.md" for name in ("skill", "heartbeat", "bootstrap", "agents", "claude", "gemini")
)
"""What agents obey and write themselves all the time; at the top only a person changes some."""


def list_told(tree: Tree, chosen: Iterable[str] | None = None) -> Iterator[Quotable]:
    """What the files below memory/, or the chosen ones of them, say that is from outside, each
    memory with the class of where it is from.
    """
    wanted = {
        path: (path, entry.oid)
        for path in _choose_below(tree.entries() if chosen is None else chosen)
        if (entry := tree.entry(path)) is not None
    }
    if len(_told) + sum(map(len, _told.values())) > _MOST:
        _told.clear()
    found = {path: _told[key] for path, key in wanted.items() if key in _told}
    for path, data in tree.read_many([one for one in wanted if one not in found]).items():
        found[path] = _told[wanted[path]] = tuple(list_marked(path, data))
    yield from (one for some in found.values() for one in some)


# A range has nearly all files of a commit in the next one, too. So many files and memories are
# some dozen megabytes.
_MOST = 1 << 16
_told: dict[tuple[str, str], tuple[Quotable, ...]] = {}


def list_marked(path: str, data: bytes) -> Iterator[Quotable]:
    """What of one file is from outside, each memory with the class of where it is from."""
    if path.startswith(origin.IMPORTED) or _may_tell(data.lower()):
        for rows, kind in _list_parts(path, data):
            if kind:
                yield _make_quotable(rows, kind)


def list_gone(before: Tree, after: Tree) -> Iterator[Quotable]:
    """What core memory and the files below memory/ said that is from outside, and what sub-agents
    proposed, that is no longer there.
    """
    changed = [one.path for one in trees.diff(before, after) if one.old]
    core = (path for path in changed if path == paths.CORE)
    for path in (*core, *_choose_below(changed)):
        if told := tuple(list_marked(path, before.read(path) or b"")):
            kept = frozenset(trees.read_text(after, path).split("\n"))
            yield from (one for one in told if not kept.issuperset(one.rows))
    if paths.PROPOSALS in changed:
        waiting = set(list_proposed(after))
        yield from (one for one in list_proposed(before) if one not in waiting)


def list_proposed(tree: Tree) -> Iterator[Quotable]:
    """What sub-agents propose."""
    for one in proposals.parse_proposals(trees.read_text(tree, paths.PROPOSALS)):
        yield quotes.make_quotable(one.content.split("\n"), "sub-agent")


def list_own(tree: Tree) -> Iterator[Quotable]:
    """What the files below memory/ say that is from outside by no word of theirs, with the path."""
    for path, data in tree.read_many(_choose_below(tree.entries())).items():
        own = [row for rows, kind in _list_parts(path, data) if not kind for row in rows]
        yield _make_quotable(own, path)


def _choose_below(chosen: Iterable[str]) -> list[str]:
    below = (path for path in chosen if path.startswith("memory/"))
    return [path for path in below if paths.kind_of(path) in _KINDS]


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


def _list_parts(path: str, data: bytes) -> Iterator[tuple[Sequence[str], str]]:
    """The parts of a file, as their lines, each with the class of outside that it is from; of the
    user's or the agent's own, none.
    """
    text = data.decode("utf-8", "replace")
    rows = text.split("\n")
    if paths.kind_of(path) == "episode":
        entries = episodes.parse(text, paths.date_of(path) or "")
        first = min((entry.start for entry in entries), default=len(rows) + 1)
        yield rows[: first - 1], ""
        yield from ((one.text.split("\n"), origin.read_entry_class(one)) for one in entries)
        return
    whole = _read_class(path, data)
    if whole:
        body = frontmatter.split_front_matter(text)[1].split("\n")
        yield (*_list_values(rows[: len(rows) - len(body)]), *body), whole
        return
    own: list[str] = []
    above, depth = "", 0
    for item, is_code in _list_items(rows):
        level = _find_depth(item[0], is_code=is_code)
        if item[0].strip() and level <= depth:
            above = ""
        kind = next(filter(None, map(origin.find_mark, item)), above)
        if kind and not above:
            above, depth = kind, level
        if kind:
            yield item, kind
        else:
            own += item
    yield own, ""


def _list_items(rows: Sequence[str]) -> Iterator[tuple[Sequence[str], bool]]:
    """The lines of a text, each with those behind it that go on with what a bullet says: which are
    indented further, or follow without a blank line; and whether it is one of a block of code.
    """
    start, wide, fence, is_code = 0, 0, "", False
    for at, row in enumerate(rows):
        said = row.lstrip(" \t")
        indent = len(row) - len(said)
        lazy = rows[start].lstrip(" \t").startswith(_BULLETS) and bool(rows[at - 1].strip())
        begins = said.startswith(_ITEMS) or not said or bool(fence)
        if at and (begins or (indent <= wide and not lazy)):
            yield rows[start:at], is_code
            start, wide, is_code = at, indent, bool(fence)
        mark = said[:3] if said.startswith(_FENCES) else ""
        fence = "" if fence and fence == mark else fence or mark
    yield rows[start:], is_code


def _find_depth(row: str, *, is_code: bool) -> int:
    """How deep the first line of an item stands: headings by their level, above all else."""
    said = row.lstrip(" \t")
    level = 0 if is_code else len(said) - len(said.lstrip("#"))
    return level - _LEVELS if level else len(row) - len(said)


_LEVELS = 7
"""More than headings have."""
_BULLETS = ("- ", "* ", "+ ", ">")
"""What begins a paragraph that goes on with the lines behind it, however these are indented."""
_FENCES = ("```", "~~~")
_ITEMS = (*_BULLETS, *_FENCES, "#", "|")
"""What begins an item of its own, however far it is indented."""


def _list_values(rows: Iterable[str]) -> Iterator[str]:
    """What front matter says in sentences: every note has dates, tags and names."""
    for row in rows:
        key, colon, said = row.partition(": ")
        said = said if colon and key.strip().isidentifier() else row
        if said.count(" ") > _FEW and not said.lstrip().startswith("["):
            yield said


def _make_quotable(rows: Iterable[str], label: str) -> Quotable:
    """The text of some lines but for titles that molt gives."""
    said = (row for row in rows if not row.startswith("#") or not _is_title(row))
    return quotes.make_quotable(said, label)


def _is_title(row: str) -> bool:
    return letters.strip_words(row) in _TITLES


_TITLES = frozenset(
    map(letters.strip_words, (*bullets.BLOCKS, "Open Questions", "Learned From", "Core Memory"))
)
