"""Repositories that many tests begin with: made once, and copied for each test."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

Make = Callable[[Path], object]
Copy = Callable[[Path, Make], Path]


class Copies:
    """Puts a repository at a path as a function makes it; one call of it serves a whole session.

    Making a workspace takes several times as long as copying it. The copy's index knows its
    files, as git's does where they were written in place.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[tuple[object, ...], Path] = {}

    def __call__(self, path: Path, make: Make) -> Path:
        # A test that sets the clock of git begins with a workspace of that time.
        kind = (make, path.name, os.environ.get("GIT_COMMITTER_DATE"))
        if kind not in self._made:
            self._made[kind] = self._folder / str(len(self._made)) / path.name
            self._made[kind].parent.mkdir()
            make(self._made[kind])
        shutil.copytree(self._made[kind], path, symlinks=True)
        subprocess.run(["git", "update-index", "-q", "--refresh"], cwd=path, check=False)
        return path
