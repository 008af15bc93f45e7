"""What git ignores, by which line of which file, and the lines that take memory out of it."""

from __future__ import annotations

import os

from molt import errors
from molt.formats import paths as layout
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.repository import Repo

PATH = ".gitignore"
_MEMORY = ("MEMORY.md", "memory/", *layout.PERSONA)
_MARK = "# molt: memory is kept in git"
_LINES = (
    _MARK,
    *("!/MEMORY.md", "!/memory/", "!/memory/**/"),
    *("!/memory/**/*.md", "!/memory/**/*.json", "!/memory/**/*.sha256"),
    *(f"/{path}" for path in layout.PROJECTIONS),
    "*.molt-*",
)


_DAY = "2999-12-31"
_FUTURE = {
    "memory/YYYY-MM-DD.md": f"memory/{_DAY}.md",
    "memory/episodes/": f"memory/episodes/{_DAY}.md",
    "memory/graph/entities/": "memory/graph/entities/tool--molt.md",
    "memory/procedures/": "memory/procedures/molt.md",
    "memory/vault/": "memory/vault/molt.md",
    "memory/meta/": layout.SCORES,
}
"""Where molt writes, and a file that it could write there."""


class Ignored(Value):
    """A path that git ignores, and the rule: its pattern, and the file and line it stands in."""

    path: str
    source: str
    line: int
    pattern: str


def find_ignored(repo: Repo, paths: Sequence[str]) -> tuple[Ignored, ...]:
    """Those of some paths that git would not take in; one that it holds already is none."""
    # To ask about what it holds takes git the whole index, and hardly a path is ignored at all.
    return _ask_git(repo, paths) if _ask_git(repo, paths, "--no-index") else ()


def is_ignored(repo: Repo, path: str) -> bool:
    """Whether git would not take in a path that it hardly holds: one question instead of two."""
    return bool(_ask_git(repo, (path,)))


def _ask_git(repo: Repo, paths: Sequence[str], *how: str) -> tuple[Ignored, ...]:
    if not paths:
        return ()
    data = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    out = repo.git("check-ignore", "-v", "-z", "--stdin", *how, input=data).text
    words = iter(out.split("\0")[:-1])
    rules = zip(words, words, words, words, strict=False)
    found = (Ignored(path, source, int(line or 0), rule) for source, line, rule, path in rules)
    # A rule that takes a path in is told as well.
    return tuple(one for one in found if not one.pattern.startswith("!"))


def list_ignored(repo: Repo) -> tuple[str, ...]:
    """The memory that git ignores: on disk MEMORY.md, Markdown below `memory/`, the persona; and
    the places whose next memory it would ignore.
    """
    args = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", *_MEMORY)
    found = set(filter(_is_memory, repo.run(*args).split("\0")))
    refused = {one.path for one in find_ignored(repo, tuple(_FUTURE.values()))}
    places = (place for place, path in _FUTURE.items() if path in refused)
    return (*sorted(found), *places)


def _is_memory(path: str) -> bool:
    return path.endswith(".md") and layout.kind_of(path) not in ("other", "projection")


def require_kept(repo: Repo, paths: Sequence[str]) -> None:
    """Raises Failed where git ignores one: it would be written, and searched by nobody."""
    for one in find_ignored(repo, paths):
        rule = f"{one.source}:{one.line}: {one.pattern}" if one.source else one.pattern
        said = f"git ignores {one.path} ({rule}), and what git ignores is no memory"
        raise errors.Failed(said, "`molt init --unignore` has git keep what is below memory/")


def add_exceptions(text: str) -> str:
    """A .gitignore that leaves memory alone, whatever it says before; twice is once."""
    rows = text.splitlines()
    if _MARK in rows and rows[rows.index(_MARK) :] == list(_LINES):
        return text
    rows = [row for row in rows if row not in _LINES]
    return "".join(f"{row}\n" for row in (*rows, *_LINES))


def exclude_projections(repo: Repo) -> None:
    """Ignore what is made from history in this clone alone, where a .gitignore is somebody else's.

    Without that it would be in the way of the next `git add -A`. Raises OSError.
    """
    path = os.path.join(repo.common_dir, "info", "exclude")
    here = _read_text(path)
    known = {*_read_text(os.path.join(repo.root, PATH)).splitlines(), *here.splitlines()}
    fresh = [line for line in (*layout.PROJECTIONS, "*.molt-*") if line not in known]
    if fresh:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n" if here and not here.endswith("\n") else "")
            file.write("".join(f"{line}\n" for line in fresh))


def _read_text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
