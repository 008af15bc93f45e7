"""`python -I -S .../molt/githooks/__main__.py NAME ARGS`: how git's hooks reach molt."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType


class Packages:
    """Runs `site`, which costs as much as a small hook, when a package is first missing."""

    def __init__(self) -> None:
        self.added = False

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module, from the installed packages; None where `site` was run already."""
        if self.added or path is not None:
            return None
        self.added = True
        import site
        from importlib.machinery import PathFinder

        site.main()
        return PathFinder.find_spec(name, None, target)


def prepare_imports() -> None:
    """Makes molt importable, and installed packages importable on demand."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if root not in sys.path:
        sys.path.append(root)
    if sys.flags.no_site:
        sys.meta_path.append(Packages())


if __name__ == "__main__":
    # A hook ends before garbage would matter; looking for it takes longer than its imports.
    gc.disable()
    prepare_imports()
    from molt.githooks import main

    status = main(sys.argv[1:])
    sys.stderr.flush()
    # Nothing is left to clean up, and taking the interpreter down would cost a tenth of the hook.
    os._exit(status)
