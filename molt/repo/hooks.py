"""Puts the hook files into a repository, and takes them out again."""

from __future__ import annotations

import os

from molt.repo import process
from molt.repo.repository import Repo


def foreign_hooks(repo: Repo) -> str:
    """The folder of the hooks, if `core.hooksPath` makes it no private one of this clone.

    Hooks that hold this machine's paths belong neither into a folder that is committed nor into
    one that all repositories of a person share. Empty for a folder that molt may fill.
    """
    folder = os.path.realpath(repo.hooks_dir())
    if folder.startswith(os.path.realpath(repo.common_dir) + os.sep):
        return ""
    inside = folder.startswith(os.path.realpath(repo.root) + os.sep)
    args = (*process.GIT, "check-ignore", "-q", os.path.join(folder, "pre-commit"))
    ignored = inside and process.call(args, cwd=repo.root)[0] == 0
    return "" if ignored else repo.hooks_dir()
