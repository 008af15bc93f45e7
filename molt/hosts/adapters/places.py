"""Where the files of a workspace stand in a folder of another program, and what they are called."""

from __future__ import annotations

from molt.formats import entity, frontmatter, ids, paths
from molt.formats.fields import text_field, title_of
from molt.policy import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from molt.hosts.adapters.shape import Note

_FOLDERS = (
    (paths.EPISODES, "episodes"),
    (paths.ENTITIES, "entities"),
    (paths.PROCEDURES, "procedures"),
    (paths.VAULT, "vault"),
    ("memory/imported/", "imported"),
    ("memory/", "notes"),
)
_LONGEST = 200
"""Bytes of a name: what file systems hold, less what stands behind it while it is written."""
_LONGEST_TITLE = 160
"""Characters of a title: two lines of a terminal."""


def place_in_folders(path: str, core: str) -> str:
    """The place of a file in a folder for each kind; core memory has one of its own."""
    if path == paths.CORE:
        return core
    for folder, name in _FOLDERS:
        if path.startswith(folder):
            return f"{name}/{path.removeprefix(folder)}"
    return path


def place_flat(path: str) -> str:
    """The place of a file beside all others: an entity and a day by its name, others by their kind
    as well.
    """
    place = place_in_folders(path, "core-memory.md")
    folder, _, name = place.partition("/")
    plain = not name or folder in ("episodes", "entities")
    stem = (name or folder) if plain else f"{folder.rstrip('s')}--{name}"
    return stem.replace("/", "--")


def choose_places(
    every: Iterable[str], place: Callable[[str], str], reserved: Iterable[str] = ()
) -> dict[str, str]:
    """A place for each of some paths, no two of which any file system takes for one; those that
    are `reserved` belong to the program, and none is hidden.
    """
    taken: set[str] = set(map(names.fold_path, reserved))
    found: dict[str, str] = {}
    for path in every:
        stem = _shorten(_show(place(path))).removesuffix(".md")
        wanted, number = f"{stem}.md", 1
        while names.fold_path(wanted) in taken:
            number += 1
            wanted = f"{stem}-{number}.md"
        taken.add(names.fold_path(wanted))
        found[path] = wanted
    return found


def _show(place: str) -> str:
    """A place without hidden names: these are not read again."""
    parts = place.split("/")
    return "/".join(f"_{part}" if part.startswith(".") else part for part in parts)


def _shorten(place: str) -> str:
    folder, slash, name = place.rpartition("/")
    if len(name.encode()) <= _LONGEST:
        return place
    kept = name.encode()[: _LONGEST - 20].decode("utf-8", "ignore")
    return f"{folder}{slash}{kept}-{ids.digest(name)}.md"


def name_note(path: str, text: str) -> str:
    """What a note is called: its label, its title, or its file."""
    if path == paths.CORE:
        return "Core memory"
    stem = path.rpartition("/")[2].removesuffix(".md")
    return text_field(frontmatter.metadata(text), "label") or title_of(text, stem)


def describe_note(path: str, text: str) -> str:
    """One line that says what a note is about."""
    date = paths.date_of(path)
    if date:
        return f"What happened on {date}"
    if path == paths.CORE:
        return "What is always known: who the user is, what is going on, what must not be forgotten"
    said = entity.parse_entity(text, "").summary if paths.kind_of(path) == "entity" else ""
    rows = (said or frontmatter.split_front_matter(text)[1]).split("\n")
    words = (row.strip().lstrip("-*> ").strip() for row in rows if not row.startswith(("#", "<")))
    first = next(filter(None, words), "") or name_note(path, text)
    return first if len(first) <= _LONGEST_TITLE else f"{first[: _LONGEST_TITLE - 1].rstrip()}…"


def list_links(notes: Sequence[Note], where: Mapping[str, str]) -> list[str]:
    """A line of Markdown for each note, with a link to its place. An index may be cut off, so what
    is said last are the days, and of them the oldest.
    """
    days = sorted((one for one in notes if paths.date_of(one.path)), key=lambda one: one.path)
    others = [one for one in notes if not paths.date_of(one.path)]
    return [
        f"- [{name_note(one.path, one.text)}]({where[one.path]}) — "
        f"{describe_note(one.path, one.text)}"
        for one in (*others, *reversed(days))
    ]
