"""What the package is made of, as its text says: modules, functions, classes, imports."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[1]
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module:
    """One file, by its name with dots; it is read where a test asks what is in it."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path

    @cached_property
    def _text(self) -> str:
        return self.path.read_text(encoding="utf-8")

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

    @property
    def budget(self) -> str:
        """The room whose lines it counts to: `memory/search` in memory, the folder elsewhere; the
        ground for what lies in none.
        """
        first, *rest = self.path.relative_to(ROOT / "molt").parts[:-1] or ("ground",)
        return "/".join((first, *rest[:1])) if first == "memory" else first

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


FEWEST, MOST_APART, TEXT = 8, 3, 40
"""So many words make a list; so many of them one phrase; so many words without a mark are no
sentence, but a list in one text."""
_CONTAINERS = ast.Tuple | ast.List | ast.Set | ast.Dict
_WORD = re.compile(rf"[^\W\d_]+(?:['’ ][^\W\d_]+){{0,{MOST_APART - 1}}}")
_SPELLING = re.compile(r"[a-z][A-Z]|[ -]-|^[A-Z]+$")
_PATTERN = re.compile(r"\\[A-Za-z]|[|()\[\]{}?:\\+*^$<>!=,.]+")


def measure_rooms() -> dict[str, int]:
    """The lines of each room: a folder of `molt`, one of `memory`, and the ground below them."""
    found = Counter[str]()
    for module in modules():
        found[module.budget] += module.lines
    return dict(found)


def count_words(module: Module) -> int:
    """How many words, as people write them, stand in a module's lists of them: tuples, lists, sets
    and tables of constants, texts that are split, and the choices of patterns.
    """
    lists = (*_list_constants(module.tree), *_list_texts(module.tree))
    kept = (set(filter(_is_word, found)) for found in lists)
    return sum(len(words) for words in kept if len(words) >= FEWEST)


def _is_word(text: str) -> bool:
    """Whether a text is a word or a phrase, as people write them; a sign for itself is one where a
    script has signs for words.
    """
    bare = text.strip(" ,:;!?，。：；").rstrip(".")
    if not _WORD.fullmatch(bare) or _SPELLING.search(bare):
        return False
    return len(bare) > 1 or not bare.isascii()


def _list_constants(tree: ast.AST) -> Iterator[set[str]]:
    """The texts of each container that holds nothing but constants, with all that is in it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _CONTAINERS) and _is_constant(node):
            yield {text for one in ast.walk(node) if (text := _read_text(one))}
        else:
            yield from _list_constants(node)


def _is_constant(node: ast.expr | None) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.Starred(value=inner):
            return _is_constant(inner)
        case ast.Dict(keys=keys, values=values):
            return all(map(_is_constant, (*keys, *values)))
        case ast.Tuple(elts=inner) | ast.List(elts=inner) | ast.Set(elts=inner):
            return all(map(_is_constant, inner))
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple"), args=given):
            return all(map(_is_constant, given))
    return False


def _list_texts(tree: ast.AST) -> Iterator[set[str]]:
    """The words of texts that are split, and the choices of patterns."""
    for node in ast.walk(tree):
        text = _read_text(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "split":
                yield set(_read_text(node.func.value).split())
        elif text.count("|") >= FEWEST - 1:
            yield set(_PATTERN.split(text))
        elif len(words := text.split()) >= TEXT and all(map(str.isalpha, words)):
            yield set(words)


def _read_text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
