"""The tree that git is about to commit, as git itself sees it from inside a hook."""

from __future__ import annotations

import os

from molt import trees
from molt.repo import objects, process
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.trees import FileChange, Tree


class Staged:
    """`head`, `index`, and what else a hook asks for. One git process per kind of question."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.git_dir, head = self._where()
        self.head = objects.GitTree(root, head)
        self._base = self.head if head else objects.GitTree(root, None)
        self.index: Tree = IndexTree(self.head, self._changes(head))
        self.config_values = self._config()

    def _where(self) -> tuple[str, str | None]:
        args = ("rev-parse", "--git-dir", "--verify", "-q", "HEAD")
        out = process.git(self.root, *args, check=False).decode().split("\n")
        return os.path.join(self.root, out[0]), out[1] if len(out) > 1 and out[1] else None

    def _changes(self, head: str | None) -> tuple[FileChange, ...]:
        base = head or "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
        args = ("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", base)
        return objects.raw(process.git(self.root, *args))

    def _config(self) -> dict[str, str]:
        out = process.git(
            self.root, "config", "-z", "--get-regexp", r"^(molt\.|core\.comment)", check=False
        )
        pairs = (record.partition("\n") for record in out.decode("utf-8", "replace").split("\0"))
        return {key.lower(): value for key, _, value in pairs if key}

    @property
    def merge_heads(self) -> tuple[str, ...]:
        """The other parents, while a merge is being concluded."""
        try:
            with open(os.path.join(self.git_dir, "MERGE_HEAD"), encoding="ascii") as file:
                return tuple(file.read().split())
        except FileNotFoundError:
            return ()


class IndexTree:
    """HEAD with the staged changes on top; knows its changes without listing anything."""

    def __init__(self, head: objects.GitTree, staged: tuple[FileChange, ...]) -> None:
        self._head = head
        self._staged = {change.path: change for change in staged}
        self._blobs: dict[str, bytes] = {}

    def entry(self, path: str) -> Entry | None:
        change = self._staged.get(path)
        return change.new if change else self._head.entry(path)

    def read(self, path: str) -> bytes | None:
        change = self._staged.get(path)
        if change is None:
            return self._head.read(path)
        if change.new is None or change.new.mode == trees.SUBMODULE:
            return None
        if change.new.oid not in self._blobs:
            wanted = [entry.oid for item in self._staged.values() for entry in _sides(item)]
            found = objects.blobs(self._head.root, list(dict.fromkeys(wanted)))
            self._blobs.update(found)
            self._head._blobs.update(found)
        return objects.present(self._blobs, change.new.oid, path)

    def entries(self) -> Mapping[str, Entry]:
        merged = dict(self._head.entries())
        for path, change in self._staged.items():
            if change.new is None:
                merged.pop(path, None)
            else:
                merged[path] = change.new
        return merged

    def names(self, folder: str) -> frozenset[str]:
        if any(change.status == "D" for change in self._staged.values()):
            return trees.children(self.entries(), folder)
        return self._head.names(folder) | trees.children(self._staged, folder)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:
        return tuple(self._staged.values()) if base is self._head else None


def _sides(change: FileChange) -> tuple[Entry, ...]:
    sides = (change.old, change.new)
    return tuple(side for side in sides if side is not None and side.mode != trees.SUBMODULE)


def here() -> Staged:
    """What is staged in the repository of the current folder, where git runs its hooks."""
    return Staged(os.getcwd())
