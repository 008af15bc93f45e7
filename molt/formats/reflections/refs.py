"""Where a reflection is in git: its branch, what is kept of a rejected one, and who writes it."""

from __future__ import annotations

from molt.formats.reflections import parts

BRANCHES = "refs/heads/reflect/"
REJECTED = "refs/molt/rejected/"
RECORDS = "memory/meta/reflections/"
NAME, ADDRESS = "molt reflection", "reflection@molt.invalid"
"""Author and committer of the commits on a branch: who rebases them is another committer."""


def is_own(line: bytes) -> bool:
    """Whether an author or committer, as a commit has it, is that of reflections."""
    return f"<{ADDRESS}>".encode() in line


def branch_ref(reflection: str) -> str:
    """The full name of a reflection's branch."""
    return f"{BRANCHES}{reflection}"


def find_id(name: str) -> str:
    """The id of the reflection whose branch a ref or revision names, here or as a remote's;
    empty for another.
    """
    folder, _, last = name.strip().rpartition("/")
    own = folder == "reflect" or folder.endswith("/reflect")
    return last if own and parts.is_reflection_id(last) else ""
