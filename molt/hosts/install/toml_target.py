"""A TOML file of a host with a table of molt's, whose text is else kept as it is."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

from molt import errors
from molt.formats import lines
from molt.formats.prose import instructions
from molt.hosts.install import toml_tables
from molt.hosts.install.splices import Splice, apply_all
from molt.hosts.install.targets import Added
from molt.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from molt.hosts.install.targets import Path


class TomlTarget(Value):
    """A TOML file: the table that belongs into it, what it holds, and how molt's own is told. What
    else the host has put into that table goes with it, and stays where it is made new.
    """

    path: str
    table: tuple[str, str]
    wanted: dict[str, Any]
    owns: Callable[[object], bool]
    is_private: bool = False

    def add_part(self, text: str) -> Added:
        """See HostFile. Raises Failed for a file that is no TOML, or cannot take a table."""
        held = self._read_table(text)
        if held is not None and {key: held.get(key) for key in self.wanted} == self.wanted:
            return Added()
        cuts = self._cut_tables(text)
        if held is not None and not (cuts and self.owns(held)):
            said = f"`{'.'.join(self.table)}` in {self.path} is not molt's, and stays as it is"
            return Added(notes=(said,))
        more = {key: one for key, one in (held or {}).items() if key not in self.wanted}
        rest = apply_all(text, cuts)
        newline = lines.detect_newline(text)
        block = _render_table(self.table, {**self.wanted, **more}).replace("\n", newline)
        splices = (*cuts, Splice(len(rest), "", instructions.make_gap(rest) + block))
        self._require_same(text, apply_all(text, splices), {**self.wanted, **more})
        return Added(splices)

    def remove_part(self, text: str, _made: tuple[Path, ...] | None, /) -> tuple[Splice, ...]:
        """See HostFile. Raises Failed for a file that is no TOML."""
        held = self._read_table(text)
        cuts = self._cut_tables(text)
        if held is None or not cuts or not self.owns(held):
            return ()
        self._require_same(text, apply_all(text, cuts), None)
        return cuts

    def is_bare(self, text: str) -> bool:
        """See HostFile."""
        return not text.strip(" \t\r\n\ufeff")

    def _read_table(self, text: str) -> dict[str, Any] | None:
        outer, inner = self.table
        box = self._parse(text).get(outer)
        held = box.get(inner) if isinstance(box, dict) else None
        return held if isinstance(held, dict) else None

    def _parse(self, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text.removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError as error:
            raise errors.Failed(
                f"{self.path} is no TOML: {error}", "mend it, or move it away, then run this again"
            ) from None

    def _cut_tables(self, text: str) -> tuple[Splice, ...]:
        """What takes the table and those within it out, the last of them first."""
        own = (one for one in toml_tables.list_tables(text) if one.path[:2] == self.table)
        spans = (instructions.widen_span(text, (one.start, one.end)) for one in own)
        return tuple(Splice(start, text[start:end], "") for start, end in reversed(list(spans)))

    def _require_same(self, before: str, after: str, held: Mapping[str, Any] | None) -> None:
        """Raises Failed where a change would do anything but what it is for."""
        outer, inner = self.table
        expected = self._parse(before)
        box = expected.get(outer)
        box = dict(box) if isinstance(box, dict) else {}
        box.pop(inner, None)
        expected[outer] = box if held is None else {**box, inner: held}
        try:
            found = tomllib.loads(after.removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError:
            found = {}
        if {outer: {}, **found} != expected:
            raise errors.Failed(
                f"{self.path} holds its `{outer}` in a way that molt cannot change",
                f"write them as `[{outer}.NAME]`, then run this again",
            )


class TomlTargets(Value):
    """A TOML file with several tables of molt's, each as if it were the only one."""

    path: str
    parts: tuple[TomlTarget, ...]
    is_private: bool = False

    def add_part(self, text: str) -> Added:
        """See HostFile. Raises Failed for a file that is no TOML, or cannot take a table."""
        splices: tuple[Splice, ...] = ()
        notes: tuple[str, ...] = ()
        for part in self.parts:
            added = part.add_part(text)
            text = apply_all(text, added.splices)
            splices, notes = (*splices, *added.splices), (*notes, *added.notes)
        return Added(splices, notes=notes)

    def remove_part(self, text: str, made: tuple[Path, ...] | None, /) -> tuple[Splice, ...]:
        """See HostFile. Raises Failed for a file that is no TOML."""
        splices: tuple[Splice, ...] = ()
        for part in reversed(self.parts):
            cuts = part.remove_part(text, made)
            splices, text = (*splices, *cuts), apply_all(text, cuts)
        return splices

    def is_bare(self, text: str) -> bool:
        """See HostFile."""
        return self.parts[0].is_bare(text)


def _render_table(path: tuple[str, ...], values: Mapping[str, Any]) -> str:
    """A table, and below it those within it."""
    plain = {key: one for key, one in values.items() if not isinstance(one, dict)}
    inner = {key: one for key, one in values.items() if isinstance(one, dict)}
    rows = [f"[{'.'.join(map(_render_key, path))}]\n"] if plain or not inner else []
    rows += [f"{_render_key(key)} = {_render_value(one)}\n" for key, one in plain.items()]
    text = "".join(rows)
    below = (_render_table((*path, key), one) for key, one in inner.items())
    return "\n".join(one for one in (text, *below) if one)


def _render_key(key: str) -> str:
    is_bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if is_bare else _render_value(key)


def _render_value(value: Any) -> str:
    """Texts, numbers and lists of them are written in TOML as in JSON, but for a DEL, which has to
    be escaped.
    """
    return json.dumps(value, ensure_ascii=False, default=str).replace("\x7f", "\\u007f")
