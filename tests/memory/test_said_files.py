"""What files say is kept, so that they are not read again to look for something else."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any

from molt.memory.forget import matches, said_files, said_words
from molt.trees import DictTree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pytest

MANY = {f"memory/{n:03}.md": f"note n{n:03}\n".encode() for n in range(200)}


class NotedTree(DictTree):
    """A tree that notes which files are asked for at once."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.rounds: list[list[str]] = []

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        self.rounds.append([*paths])
        return super().read_many(paths)


def choose(tree: DictTree, asked: str, cache: dict[str, bytes]) -> list[str]:
    """The files that may say something."""
    chooser = said_words.make_chooser(asked)
    assert chooser is not None
    return said_files.choose_files(tree, sorted(tree.entries()), chooser, cache)


def test_many_files_are_read_in_rounds_of_like_size() -> None:
    tree = NotedTree(MANY)
    assert [one.path for one in matches.list_sayings(tree)] == sorted(tree.entries())
    assert list(map(len, tree.rounds)) == [67, 67, 66]


def test_what_did_not_change_is_not_read_again() -> None:
    cache: dict[str, bytes] = {}
    assert choose(DictTree(MANY), "note n007", cache) == ["memory/007.md"]
    later = NotedTree({**MANY, "memory/007.md": b"gone\n", "memory/new.md": b"note n007, again\n"})
    assert choose(later, "note n007", cache) == ["memory/new.md"]
    assert later.rounds == [["memory/007.md", "memory/new.md"]]


def test_what_is_kept_and_broken_is_read_again() -> None:
    cache: dict[str, bytes] = {}
    choose(DictTree(MANY), "note n007", cache)
    row = "memory/007.md"
    others: tuple[Any, ...] = (7, [], {row: 7}, {row: ("a",)}, {7: ("a", (None, "b"))})
    for one in others:
        cache = dict.fromkeys(cache, marshal.dumps(one))
        assert choose(DictTree(MANY), "note n007", cache) == ["memory/007.md"]
    cache = dict.fromkeys(cache, b"\xff")
    assert choose(DictTree(MANY), "note n007", cache) == ["memory/007.md"]


def test_a_few_files_are_not_kept() -> None:
    cache: dict[str, bytes] = {}
    assert choose(DictTree({"memory/a.md": b"note n007\n"}), "note n007", cache) == ["memory/a.md"]
    assert cache == {}


def test_more_than_fits_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(said_files, "_MOST", 100)
    cache: dict[str, bytes] = {}
    assert choose(DictTree(MANY), "note n007", cache) == ["memory/007.md"]
    assert cache == {}
