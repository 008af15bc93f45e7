"""Which Markdown of a workspace is its documents: in other folders than the memory's, written there
by somebody who works on it, not what tools bring, keep or make in bulk.
"""

from __future__ import annotations

LARGEST = 256 << 10
"""Characters; what is longer is a dump or a book, and tells of everything."""
MOST = 2_000
"""Files. Adoption leaves more unsearched: to index so many takes some ten seconds, and among more
of them the memory is hard to find."""
_TOOLS = frozenset(
    (
        *("node_modules", "bower_components", "vendor", "vendored", "third_party", "plugins"),
        *("site-packages", "venv", "env", "virtualenv", "dist", "build", "target", "out"),
        *("skill", "skills", "prompts", "licenses", "fixtures", "testdata", "tests"),
    )
)
_COPIES = frozenset(
    (
        *("archive", "archives", "archived", "backup", "backups", "old", "trash"),
        *("tmp", "temp", "log", "logs", "output", "outputs", "export", "exports", "dump", "dumps"),
        *("template", "templates", "example", "examples", "sample", "samples", "cache"),
    )
)
_KEPT_BACK = frozenset(
    ("private", "secret", "secrets", "vault", "credential", "credentials", "creds", "keys")
)
_FOLDERS = _TOOLS | _COPIES | _KEPT_BACK
_MARKED = frozenset(
    (
        *("archive", "archives", "backup", "backups", "tmp", "temp"),
        *("templates", "skills", "venv", "env"),
    )
)
"""What a folder is also named for where this stands at an end of its name: `backup-20260207`."""
_FILES = frozenset(
    (
        *("skill.md", "license.md", "copying.md", "changelog.md", "contributing.md"),
        *("code_of_conduct.md", "code-of-conduct.md", "pull_request_template.md"),
    )
)
_MARKS = str.maketrans("-. ", "___")


def is_document(path: str) -> bool:
    """Whether a path is of a document: Markdown in a folder that is no part of the memory, hidden,
    filled by tools, or named for copies, for what is only passed through, or for secrets.
    """
    if not path.endswith(".md") or path.startswith("memory/"):
        return False
    *folders, name = path.lower().split("/")
    return bool(folders) and name not in _FILES and not any(map(_is_left_out, folders))


def _is_left_out(folder: str) -> bool:
    """Whether a folder is named as one that holds no documents."""
    if folder.startswith((".", "@")) or folder.endswith((".dist-info", ".egg-info")):
        return True
    parts = folder.translate(_MARKS).split("_")
    return folder in _FOLDERS or not _MARKED.isdisjoint((parts[0], parts[-1]))
