"""Folders of Markdown: notes with a mark, in the words of another program, and back."""

from __future__ import annotations

from molt.hosts.adapters import marks, places
from molt.hosts.adapters.shape import Note
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from molt.hosts.adapters.shape import Files

    Pairs = tuple[tuple[str, str], ...]


_PLAIN = ("molt-words", "plain")
"""What marks a note whose words are as the workspace has them."""


class Style(Value):
    """How a program writes a note: where it stands, which keys it wants (`list_keys` of the path,
    the text and the place), how its words are written (`dress`, given where all notes are) and
    read (`undress`), and which further files there are, whose names are `reserved`.
    """

    place: Callable[[str], str]
    list_keys: Callable[[str, str, str], Pairs]
    dress: Callable[[str, str, Mapping[str, str]], str] | None = None
    undress: Callable[[str, str], str] | None = None
    list_extra: Callable[[Sequence[Note], Mapping[str, str]], dict[str, str]] | None = None
    reserved: tuple[str, ...] = ()


def pack_notes(style: Style, notes: Sequence[Note]) -> dict[str, str]:
    """The files of some notes. One whose words would not come back the same has them as they
    are.
    """
    where = places.choose_places((one.path for one in notes), style.place, style.reserved)
    files: dict[str, str] = {}
    for one in notes:
        place = where[one.path]
        keys = style.list_keys(one.path, one.text, place)
        plain = marks.add_mark(one.text, one.path, (*keys, _PLAIN))
        dressed = style.dress(one.path, one.text, where) if style.dress else one.text
        marked = marks.add_mark(dressed, one.path, keys)
        files[place] = marked if _read_note(style, marked) == one else plain
    return files | (style.list_extra(notes, where) if style.list_extra else {})


def unpack_notes(style: Style, files: Files) -> tuple[Note, ...]:
    """The notes of files that have a mark, whatever has become of their places."""
    found = (_read_note(style, text) for _, text in sorted(files.items()))
    return tuple(one for one in found if one is not None)


def _read_note(style: Style, text: str) -> Note | None:
    path = marks.find_mark(text)
    if not path:
        return None
    said = marks.remove_mark(text)
    undress = style.undress if marks.find_value(text, _PLAIN[0]) != _PLAIN[1] else None
    return Note(path, undress(path, said) if undress else said)
