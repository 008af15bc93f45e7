"""What the package is made of, as its text says: modules, functions, classes, imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[1]
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module:
    """One file, by its name with dots; it is read where a test asks what is in it."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path

    @cached_property
    def _text(self) -> str:
        return self._path.read_text(encoding="utf-8")

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return self._text.count("\n")

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self._text)

    @property
    def room(self) -> str:
        """The folder below `molt` that it is in; the module itself on the ground."""
        return self.name.split(".")[1] if "." in self.name else self.name

    def functions(self) -> Iterator[Function]:
        """All functions and methods, nested ones included."""
        return (one for one in ast.walk(self.tree) if isinstance(one, Function))


@cache
def modules() -> tuple[Module, ...]:
    """All modules of the package."""
    return tuple(_name(path) for path in sorted((ROOT / "molt").rglob("*.py")))


def _name(path: Path) -> Module:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return Module(".".join(parts[:-1] if parts[-1] == "__init__" else parts), path)


def parameters(function: Function) -> list[str]:
    """The names of a function's parameters but `self` and `cls`."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def count_late_imports(module: Module) -> int:
    """How often functions of a module import modules of the package when they run."""
    found = {
        id(node)
        for function in module.functions()
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "molt"
    }
    return len(found)
