"""molt's own modules, found where they are: a command imports up to two hundred.

For each one Python asks a folder whether it has changed, and which of five kinds of module it
holds. All of ours are of one kind, or a package of them, beside what Python compiled of them. That
is read here, by the same rule (PEP 3147: it is of the time and size of its source); in every other
case Python looks itself. It takes a tenth off a command.
"""

from __future__ import annotations

import marshal
import os
import sys

# As `importlib.machinery` and `importlib.util` have them, which take as long to import as we save
# in ten modules.
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

_CACHE, _END = "__pycache__", f".{sys.implementation.cache_tag}.pyc"
_HEAD = 16  # bytes: the magic number, flags, time and size of the source
_CHECKED_BY_TIME = MAGIC_NUMBER + bytes(4)


class Finder:
    """Finds those modules of molt that Python has compiled before."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """How to load a module; None to leave it to Python."""
        if not path or not name.startswith("molt."):
            return None
        stem = name.rpartition(".")[2]
        inside = f"{path[0]}/{stem}"
        return _find_in(path[0], stem, name) or _find_in(inside, "__init__", name, [inside])


def _find_in(
    folder: str, stem: str, name: str, inside: list[str] | None = None
) -> ModuleSpec | None:
    """How to load the module of a file, a package where there is something `inside` of it."""
    source, compiled = f"{folder}/{stem}.py", f"{folder}/{_CACHE}/{stem}{_END}"
    code = _read_code(source, compiled)
    if code is None:
        return None
    spec = ModuleSpec(name, _Loader(name, source, code), origin=source)
    spec.submodule_search_locations = inside
    spec.has_location = True
    spec.cached = compiled
    return spec


class _Loader(SourceFileLoader):
    """Python's own loader, given code that was read already."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, _name: str) -> CodeType:
        return self._code


def _read_code(source: str, compiled: str) -> CodeType | None:
    """The compiled code of a source that has not changed since; None if there is none."""
    try:
        file = os.open(compiled, os.O_RDONLY | os.O_CLOEXEC)
        try:
            data = os.read(file, os.fstat(file).st_size)
        finally:
            os.close(file)
        found = os.stat(source)
    except OSError:
        return None
    time, size = int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF
    head = _CHECKED_BY_TIME + time.to_bytes(4, "little") + size.to_bytes(4, "little")
    if data[:_HEAD] != head:
        return None
    code: CodeType = marshal.loads(memoryview(data)[_HEAD:])  # noqa: S302 as Python does itself
    # What was compiled elsewhere has other names in its tracebacks.
    return code if code.co_filename == source else None


def install() -> None:
    """Make Python ask this finder first, unless it was told to compile differently or elsewhere."""
    plain = not sys.flags.optimize and sys.pycache_prefix is None and os.name == "posix"
    if plain and not any(isinstance(one, Finder) for one in sys.meta_path):
        sys.meta_path.insert(0, Finder())
