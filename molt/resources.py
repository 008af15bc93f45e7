"""Where the files that ship with the package are: data, hooks and templates."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def package_folder() -> str:
    """The folder of the package itself."""
    return _PACKAGE


def find(name: str) -> str:
    """The absolute path of a shipped file or folder: `hooks`, `data/cl100k_base.tiktoken`.

    An installed wheel holds `hooks` and `templates` under `_data`; a source tree holds them
    beside the package. Raises FileNotFoundError, which means a damaged installation.
    """
    for base in (_PACKAGE, os.path.join(_PACKAGE, "_data"), os.path.dirname(_PACKAGE)):
        path = os.path.join(base, name)
        if os.path.exists(path):
            return path
    raise FileNotFoundError(f"molt is installed without {name}; reinstall molt-memory")


def path(name: str) -> Path:
    """`find` as a Path, for callers that have paid for pathlib already."""
    from pathlib import Path

    return Path(find(name))


def load_lists(name: str) -> dict[str, str]:
    """The lists of a shipped text by their names: a name and a colon, then the rows of the list,
    each with a space before it, which are joined. All other lines are comments.
    """
    lists: dict[str, str] = {}
    last = ""
    with open(find(name), encoding="utf-8") as file:
        for row in file.read().split("\n"):
            if row[:1] == " ":
                lists[last] += row
            elif row[-1:] == ":" and row[:1] != "#":
                last = row[:-1]
                lists[last] = ""
    return lists
