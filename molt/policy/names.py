"""Names of files: what no clone can hold, what some file systems cannot, what collides on some."""

from __future__ import annotations

from molt.normal import normalize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.trees import Tree

# What Linux takes: PATH_MAX without the zero at its end.
_LONGEST_PATH = 4095
_LONGEST_NAME = 255
"""Bytes that Linux takes of a path (PATH_MAX without its end) and of a name (NAME_MAX)."""
_DEEPEST = 64
"""Most folders in each other; people nest a dozen."""
_MANY = 4
"""From how many new names on a folder is listed once, and not searched for each of them."""
_RESERVED = frozenset(
    (
        *("con", "prn", "aux", "nul", "conin$", "conout$"),
        *(f"{name}{n}" for name in ("com", "lpt") for n in "123456789¹²³"),
    )
)
# What HFS+ leaves out of a name when it compares (git's utf8.c: next_hfs_char).
_IGNORED = dict.fromkeys(
    (*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF)
)


def find_impossible(path: str) -> str:
    """Why no clone can check out a path; empty if one can.

    git itself refuses to add such a name; a tree that is written by other means can hold it.
    """
    if len(path.encode("utf-8", "surrogateescape")) > _LONGEST_PATH:
        return f"a path of more than {_LONGEST_PATH:,} bytes"
    if path.count("/") > _DEEPEST:
        return f"more than {_DEEPEST} folders in each other"
    for part in path.split("/"):
        if part in ("", ".", "..") or _is_git_folder(part):
            return f"{part!r} is no name that git checks out"
        if len(part.encode("utf-8", "surrogateescape")) > _LONGEST_NAME:
            return f"{part[:20]!r}… is over {_LONGEST_NAME} bytes long"
    return ""


def _is_git_folder(part: str) -> bool:
    """Whether a name is `.git`, also on file systems that drop what is at its end or fold it."""
    name = part if part.isascii() else part.translate(_IGNORED)
    name = name.partition(":")[0].rstrip(". ").lower()
    return name in (".git", "git~1")


def leads_out(path: str, target: str) -> bool:
    """Whether a link at a path leads out of the repository, or into what git keeps for itself."""
    if target.startswith("/") or "\\" in target or target[1:2] == ":":
        return True
    parts = path.split("/")[:-1]
    for part in target.split("/"):
        if part == ".." and not parts:
            return True
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return any(_is_git_folder(part) for part in parts)


_SHORT = {"gitatt~1": ".gitattributes", "gitmod~1": ".gitmodules"}
"""The names of eight letters that Windows gives to what steers git."""


def fold_path(path: str) -> str:
    """A path as the file systems read it that tell the fewest apart: without case or width (ZFS
    may compare names by NFKC), without what does not show, and without what Windows drops at the
    end of a name or takes for a stream.
    """
    if path.isascii() and not any(mark in f"{path}/" for mark in (":", "~", " /", "./")):
        return path.lower()
    parts = (part.translate(_IGNORED).partition(":")[0] for part in path.split("/"))
    folded = (fold_name(normalize("NFKC", part).rstrip(". ")) for part in parts)
    return "/".join(_SHORT.get(part, part) for part in folded)


def is_short_for(short: str, name: str) -> bool:
    """Whether a folded name is one of eight letters that Windows may have given to another: six of
    its letters, `~` and a number, and three letters of what follows its last dot.
    """
    stem, _, rest = short.partition("~")
    number, _, end = rest.partition(".")
    base, dot, kind = name.lstrip(". ").rpartition(".")
    letters = (base if dot else kind).replace(".", "").replace(" ", "")
    return number.isdigit() and stem == letters[:6] and end == (kind[:3] if dot else "")


def find_reserved(path: str) -> str:
    """Why Windows or a terminal cannot hold a path, whoever wrote it; empty if they can."""
    for part in path.split("/"):
        if part.split(".")[0].rstrip(" ").lower() in _RESERVED:
            return f"{part!r} is reserved on Windows"
        if not part.isprintable():
            return f"{part!r} holds control characters"
    return ""


def find_unportable(path: str) -> str:
    """Why some file system cannot hold a path; empty if all can."""
    for part in path.split("/"):
        if part.endswith((".", " ")) or any(char in '<>:"\\|?*' for char in part):
            return f"{part!r} is no name that every file system can hold"
        if "~" in part and _is_short(part):
            return f"{part!r} is another file's name of eight letters on Windows"
    return ""


def _is_short(part: str) -> bool:
    """Whether a name has the form that Windows gives to a longer one: `2026-0~1.MD` opens the first
    log of those years there.
    """
    stem, _, end = part.partition(".")
    letters, _, number = stem.rpartition("~")
    return number.isdigit() and len(end) <= 3 and letters != "" and len(stem) <= 8


def find_collisions(base: Tree, new: Tree, added: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The added paths that are, or whose new folders are, one name with another on some file
    systems; with why. Each folder is looked at once.
    """
    fresh: dict[str, dict[str, str]] = {}
    for path in added:
        rest, seen = path, False
        while rest and not seen:
            folder, _, name = rest.rpartition("/")
            above, _, own = folder.rpartition("/")
            seen = folder in fresh or own in base.names(above, own)
            fresh.setdefault(folder, {}).setdefault(name, path)
            rest = folder
    for folder, names in fresh.items():
        for name, other in _find_alike(new, folder, tuple(names)):
            yield names[name], f"{name!r} and {other!r} are one name on some file systems"


def _find_alike(tree: Tree, folder: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each of some names of a folder with another one that is folded to the same."""
    listed = tree.names(folder) if len(names) > _MANY else None
    alike = _group_by_form(listed) if listed is not None else {}
    for name in names:
        form = fold_name(name)
        near = alike.get(form, ()) if listed is not None else tree.names(folder, name)
        other = next((one for one in near if one != name and fold_name(one) == form), "")
        if other:
            yield name, other


def _group_by_form(names: frozenset[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        found.setdefault(fold_name(name), []).append(name)
    return found


def fold_name(name: str) -> str:
    """A name as file systems compare it that know no case and one form of each letter."""
    if name.isascii():
        return name.lower()
    return normalize("NFC", normalize("NFD", name).casefold())


def quote_path(path: str) -> str:
    """A path as a shell takes it, in a command that a finding tells."""
    # Only who is told of something waits for the import.
    from shlex import quote

    return quote(path)
