"""Files of a host, each with the part of it that is molt's: how that is put in and taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from molt import errors
from molt.formats import lines
from molt.formats.prose import instructions
from molt.hosts.install import json_edits, json_nodes
from molt.hosts.install.splices import Splice, apply_all
from molt.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Path = tuple[str, ...]
"""Keys from the top of a JSON file; `*` stands for every one, at the end for an item of a list."""


class Added(Value):
    """How molt's part comes into a file, which containers had to be made, and what a person should
    know of it.
    """

    splices: tuple[Splice, ...] = ()
    made: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()


class HostFile(Protocol):
    """A file with a part of molt's; an empty text is that of a file that is not there."""

    @property
    def path(self) -> str:
        """Where the file lies."""

    @property
    def is_private(self) -> bool:
        """Whether nobody else may read it, where it has to be made."""

    def add_part(self, text: str) -> Added:
        """How the file comes to have molt's part as it should be; nothing where it has."""

    def remove_part(self, text: str, made: tuple[Path, ...] | None, /) -> tuple[Splice, ...]:
        """How molt's part goes; containers that are empty then go if they are among those that
        were `made`, all of them if nobody knows which were.
        """

    def is_bare(self, text: str) -> bool:
        """Whether a file that molt made has nothing in it but what molt put there."""


class WantedValue(Value):
    """A value that belongs at a path of a JSON file."""

    path: Path
    value: Any


class JsonTarget(Value):
    """A JSON file: what belongs into it, where molt's may stand, and which values are molt's.
    `warn` says what a person should know of what the file holds already.
    """

    path: str
    wanted: tuple[WantedValue, ...]
    traces: tuple[Path, ...]
    owns: Callable[[Path, Any], bool]
    is_strict: bool = True
    is_private: bool = False
    warn: Callable[[str, Any], tuple[str, ...]] = lambda _path, _data: ()

    def add_part(self, text: str) -> Added:
        """See HostFile. Raises Failed for a file that is no JSON, or has something else there."""
        splices: list[Splice] = []
        made: list[Path] = []
        notes: list[str] = []
        if not text.strip(" \t\r\n\ufeff"):
            splices.append(Splice(0, text, "{}\n"))
            text = "{}\n"
        root = self._parse(text)
        notes += self.warn(self.path, root.value)
        for stale in self._list_stale(root):
            more = _cut(text, stale)
            splices, text = splices + list(more), apply_all(text, more)
        for one in self.wanted:
            root = json_nodes.parse_nodes(text)
            held = list(self._find(root, one.path))
            if any(value == one.value for _, value in held):
                continue
            foreign = None if one.path[-1] == "*" else json_edits.find_node(root, one.path)
            if foreign is not None:
                notes.append(f"{'.'.join(one.path)} in {self.path} is not molt's and stays")
                continue
            more, fresh = self._insert(text, root, one)
            splices, text = splices + list(more), apply_all(text, more)
            made += fresh
        return Added(tuple(splices), tuple(made), tuple(notes))

    def remove_part(self, text: str, made: tuple[Path, ...] | None, /) -> tuple[Splice, ...]:
        """See HostFile. Raises Failed for a file that is no JSON."""
        splices: list[Splice] = []
        if not text.strip(" \t\r\n\ufeff"):
            return ()
        root = self._parse(text)
        for mine in list(self._list_own(root)):
            more = _cut(text, mine)
            splices, text = splices + list(more), apply_all(text, more)
            box = mine[:-1]
            while box and (made is None or box in made) and _is_empty(text, box):
                more = _cut(text, box)
                splices, text = splices + list(more), apply_all(text, more)
                box = box[:-1]
        return tuple(splices)

    def is_bare(self, text: str) -> bool:
        """See HostFile."""
        return not text.strip() or not json_nodes.parse_nodes(text).value

    def _parse(self, text: str) -> json_nodes.JsonNode:
        try:
            root = json_nodes.parse_nodes(text)
            if self.is_strict:
                _check_strictly(text)
        except json_nodes.Broken as broken:
            what, at = broken.args
            line = text.count("\n", 0, at) + 1
            said = f"{self.path}, line {line}: {what}"
            raise errors.Failed(said, "mend it, or move it away, then run this again") from None
        if not isinstance(root.value, dict):
            raise errors.Failed(
                f"{self.path} is no JSON object", "mend it, or move it away, then run this again"
            )
        return root

    def _find(self, root: json_nodes.JsonNode, path: Path) -> Iterator[tuple[Path, Any]]:
        """What stands at a path and is molt's, the last item of a list first."""
        for place, value in _walk(root, path):
            if self.owns(place, value):
                yield place, value

    def _list_own(self, root: json_nodes.JsonNode) -> Iterator[Path]:
        """The places of all that is molt's; each stays right when those before it are cut."""
        for path in self.traces:
            for place, _ in self._find(root, path):
                yield place

    def _list_stale(self, root: json_nodes.JsonNode) -> list[Path]:
        """The places of what is molt's and not as it should be."""
        left = [(one.path, one.value) for one in self.wanted]
        stale: list[Path] = []
        for path in self.traces:
            for place, value in self._find(root, path):
                key = (*place[:-1], "*") if path[-1] == "*" else place
                if (key, value) in left:
                    left.remove((key, value))
                else:
                    stale.append(place)
        return stale

    def _insert(
        self, text: str, root: json_nodes.JsonNode, one: WantedValue
    ) -> tuple[tuple[Splice, ...], list[Path]]:
        """How a value comes to its path, and the containers that were missing on it."""
        value, path = one.value, one.path
        fresh: list[Path] = []
        while True:
            key, path = path[-1], path[:-1]
            box = json_edits.find_node(root, path)
            if box is not None:
                break
            value = [value] if key == "*" else {key: value}
            fresh.append(path)
        if not isinstance(box.value, list if key == "*" else dict):
            said = f"`{'.'.join(path)}` in {self.path} is neither missing nor of its kind"
            raise errors.Failed(said, "mend it by hand, then run this again")
        return json_edits.insert_child(text, box, None if key == "*" else key, value), fresh


def _check_strictly(text: str) -> None:
    import json

    try:
        json.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        said = "it is no JSON: " + str(getattr(error, "msg", error))
        raise json_nodes.Broken(said, getattr(error, "pos", 0)) from None


def _walk(node: json_nodes.JsonNode, path: Path, place: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The values at a path, each with its place: the numbers of items of lists are its keys."""
    if not path:
        yield place, node.value
        return
    keys = node.keys or tuple(map(str, range(len(node.children))))
    for at in reversed(range(len(keys))):
        if path[0] in (keys[at], "*"):
            yield from _walk(node.children[at], path[1:], (*place, keys[at]))


def _locate(root: json_nodes.JsonNode, place: Path) -> tuple[json_nodes.JsonNode, int]:
    """The container of what stands at a place, and which of its children that is."""
    box, at = root, -1
    for key in place:
        box = box.children[at] if at >= 0 else box
        at = box.find_child(key) if isinstance(box.value, dict) else int(key)
    return box, at


def _cut(text: str, place: Path) -> tuple[Splice, ...]:
    box, at = _locate(json_nodes.parse_nodes(text), place)
    return json_edits.remove_child(text, box, at)


def _is_empty(text: str, place: Path) -> bool:
    box, at = _locate(json_nodes.parse_nodes(text), place)
    node = box.children[at]
    return isinstance(node.value, dict | list) and not node.value


class BlockTarget(Value):
    """A text file with a block of molt's between two marks, at its end where it is new.

    `is_told` says whether a text without the block has what it would say,
    `find_earlier` where it has the block of a version that wrote no marks.
    """

    path: str
    block: str
    begin: str
    end: str
    is_told: Callable[[str], bool] | None = None
    find_earlier: Callable[[str], tuple[int, int] | None] | None = None

    @property
    def is_private(self) -> bool:
        """See HostFile."""
        return False

    def add_part(self, text: str) -> Added:
        """See HostFile. Raises Failed for a block without its end."""
        block = self.block.replace("\n", lines.detect_newline(text))
        span = self._find_span(text)
        if span is not None:
            change = Splice(span[0], text[span[0] : span[1]], block)
        elif self.is_told is not None and self.is_told(text):
            return Added(notes=(f"{self.path} tells of molt in its own words, and stays as it is",))
        else:
            change = Splice(len(text), "", instructions.make_gap(text) + block)
        if change.removed == change.inserted:
            return Added()
        return Added((change,))

    def remove_part(self, text: str, _made: tuple[Path, ...] | None, /) -> tuple[Splice, ...]:
        """See HostFile. Raises Failed for a block without its end."""
        span = self._find_span(text)
        if span is None:
            return ()
        start, end = instructions.widen_span(text, span)
        return (Splice(start, text[start:end], ""),)

    def is_bare(self, text: str) -> bool:
        """See HostFile."""
        return not text.strip()

    def _find_span(self, text: str) -> tuple[int, int] | None:
        """Where the block is. Raises Failed where it has no end."""
        try:
            span = instructions.find_block(text, self.begin, self.end)
        except ValueError:
            line = text[: text.index(self.begin)].count("\n") + 1
            raise errors.Failed(
                f"{self.path}, line {line}: molt's block has no end",
                f"put `{self.end}` below its last line, then run this again",
            ) from None
        return self.find_earlier(text) if span is None and self.find_earlier is not None else span


class FileTarget(Value):
    """A file that is molt's from its first to its last character."""

    path: str
    content: str
    is_private: bool = False

    def add_part(self, text: str) -> Added:
        """See HostFile. Raises Failed for a file that somebody else has made."""
        if text == self.content:
            return Added()
        if text:
            raise errors.Failed(
                f"{self.path} is there already, and not molt's",
                "move it away, then run this again",
            )
        return Added((Splice(0, "", self.content),))

    def remove_part(self, text: str, _made: tuple[Path, ...] | None, /) -> tuple[Splice, ...]:
        """See HostFile; what is not as molt made it stays."""
        return (Splice(0, text, ""),) if text == self.content else ()

    def is_bare(self, text: str) -> bool:
        """See HostFile."""
        return not text
