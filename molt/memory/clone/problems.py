"""What is wrong with a workspace, as it is told."""

from __future__ import annotations

import os

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo


class Problem(Value):
    """What is wrong, where, and what to do; `error` for what loses or stops something."""

    what: str
    where: str
    hint: str
    severity: str = "error"
    mended: bool = False


def show_path(repo: Repo, path: str) -> str:
    """A path as it is from the top of the workspace, if it is in there."""
    shown = os.path.relpath(path, repo.root)
    return path if shown.startswith("..") else shown
