"""The words that a purge removes: how they may stand in files, names and messages."""

from __future__ import annotations

import json
import re

from molt import errors, trees
from molt.formats import episodes, frontmatter, ids, paths
from molt.formats import message as messages
from molt.formats.prose import sayings
from molt.memory.forget import matches
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo
    from molt.trees import Tree

_LEAST = 4
"""Letters: what is shorter stands in most files."""
_TELLING = 24
"""Characters by which the beginning of a value tells it from others, where it is cut short."""
_BETWEEN = r"(?:\s|\\n|\\t|[-_>*])+"
"""What may stand between two words: a line that ends, a mark of a list or quote, or, in a name of a
file or an id, what its words are joined by."""


class PurgedWords(Value):
    """The values that are to be gone, the ids that say them now, and further words of ids."""

    values: tuple[str, ...]
    memories: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    short: tuple[str, ...] = ()

    @property
    def patterns(self) -> tuple[str, ...]:
        """Regular expressions for bytes that find the values; the longest first."""
        every = sorted(dict.fromkeys(self.values), key=len, reverse=True)
        return tuple(map(make_pattern, every))


def make_pattern(value: str) -> str:
    """The regular expression that finds a value, whole or cut short at its end, in any case of
    ASCII letters, over the ends of lines, and as JSON or the name of a file writes it.
    """
    words = value.split()
    parts = ["|".join(dict.fromkeys(map(re.escape, _list_forms(word)))) for word in words]
    groups = [f"(?:{part})" for part in parts]
    size, need = 0, len(words)
    for number, word in enumerate(words, 1):
        size += len(word) + 1
        if size > _TELLING:
            need = number
            break
    rest = ""
    for group in reversed(groups[need:]):
        rest = f"(?:{_BETWEEN}{group}{rest})?"
    head = r"(?<![A-Za-z0-9])" if words[0][:1].isalnum() and words[0].isascii() else ""
    last = words[-1][-1:]
    tail = r"(?![A-Za-z0-9])" if need == len(words) and last.isalnum() and last.isascii() else ""
    return f"{head}{_BETWEEN.join(groups[:need])}{rest}{tail}"


def _list_forms(word: str) -> list[str]:
    plain = json.dumps(word, ensure_ascii=False)[1:-1]
    return [word, plain, json.dumps(word)[1:-1]]


def find_words(ws: Workspace, what: str) -> PurgedWords:
    """What a memory's id or a text means to a purge.

    Raises Usage for what is too short to be looked for, NotFound for an id that no commit has.
    """
    what = ids.complete_id(what.strip())
    try:
        one = ids.parse(what)
    except ValueError:
        return _of_text(ws, what)
    found = (*_list_values(ws.repo, what, one.path), *_list_quoted(ws.repo, what))
    values = tuple(dict.fromkeys(filter(None, found)))
    if not values:
        raise errors.NotFound(f"no commit has {what}", "`molt why` and `molt log` tell of memories")
    kept = tuple(value for value in values if _tells(value.strip()))
    if not kept:
        hint = 'purge the words themselves: `molt purge "…"`'
        raise errors.Usage(f"what {what} says is too short to be told from other words", hint)
    short = tuple(value for value in values if value.strip() and value not in kept)
    whole = paths.kind_of(one.path) in paths.FILE_KINDS
    stems = (one.key.partition("#")[0],) if whole else ()
    there = any(found.id == what for found in matches.list_sayings(ws.head()))
    return PurgedWords(kept, (what,) * there, stems, short)


def _of_text(ws: Workspace, text: str) -> PurgedWords:
    if len(text) < _LEAST or not any(char.isalnum() for char in text):
        said = f"{text!r} is too short to be told from other words"
        raise errors.Usage(said, f"at least {_LEAST} characters, or the id of a memory")
    test = re.compile(make_pattern(text).encode(), re.IGNORECASE)
    named = tuple(
        one.id
        for one in matches.list_sayings(ws.head())
        if one.kind != sayings.NOTE and test.fullmatch(one.value.strip(" .").encode())
    )
    return PurgedWords((text,), named)


def _tells(value: str) -> bool:
    return len(value) >= _LEAST and (" " in value.strip() or len(value) > _LEAST + 1)


def _list_values(repo: Repo, memory: str, path: str) -> Iterator[str]:
    """What a memory has said in any commit that a ref leads to."""
    named = (
        (path, f"memory/{path.rpartition('/')[2]}") if memory.startswith("episode:") else (path,)
    )
    seen: set[str] = set()
    for oid in repo.run("rev-list", "--all", "HEAD", "--", *named).split():
        tree = repo.tree(oid)
        for file in named:
            entry = tree.entry(file)
            if entry is not None and entry.oid not in seen:
                seen.add(entry.oid)
                yield from _list_said(tree, memory, file)


def _list_quoted(repo: Repo, memory: str) -> Iterator[str]:
    """The words of a person that commits of a memory quote in `Trigger:`."""
    given = ("log", "--all", "HEAD", "--format=%B%x00", "-F", f"--grep=Memory-Id: {memory}")
    for text in repo.run(*given).split("\0"):
        one = messages.parse(text.strip())
        if memory in messages.trailer_values(one, "Memory-Id"):
            for trigger in messages.trailer_values(one, "Trigger"):
                words = trigger.partition('"')[2].rpartition('"')[0]
                # What is shorter is the phrase that asked for it, which many commits quote.
                if len(words) >= _TELLING:
                    yield words


def _list_said(tree: Tree, memory: str, path: str) -> Iterable[str]:
    text = trees.read_text(tree, path)
    if paths.kind_of(path) not in paths.FILE_KINDS:
        said = (one for one in sayings.parse_sayings(path, text) if one.id == memory)
        entries = episodes.parse(text, paths.date_of(path) or "")
        return [*(one.value for one in said), *(one.text for one in entries if one.id == memory)]
    found = [one.value for one in sayings.parse_sayings(path, text) if one.kind != sayings.NOTE]
    label = frontmatter.metadata(text).get("label")
    rows = [row.strip("#-*> ").strip() for row in text.rpartition("\n---\n")[2].split("\n")]
    known = {"Summary", "Facts", "Timeline", "Open Questions", "Relations", "Trigger", "Steps",
             "Notes", "Learned From"}  # fmt: skip
    return [
        *([label] if isinstance(label, str) else []),
        *found,
        *(r for r in rows if r not in known),
    ]
