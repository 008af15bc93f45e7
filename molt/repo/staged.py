"""The tree that git is about to commit, as git itself sees it from inside a hook."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.repo import find, index_parts, objects
from molt.trees import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.repo.repository import Repo
    from molt.trees import FileChange, Tree

_DIFF = (
    *("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev"),
    objects.NO_IGNORE,
)
_AHEAD = 64
"""As many changes are read at once."""
_KEPT = 1 << 24
"""Bytes of changed files that are kept for the rules that read them again."""
_NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class Staged:
    """`head`, `index`, and what else a hook asks for: one git process a kind of question. `unsound`
    are the paths of the tree that the index names which git never writes so.
    """

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.root = repo.root
        self.reader = repo.reader
        self.git_dir = repo.git_dir
        self.tree_id = self._find_tree_id()
        self.head = objects.GitTree(self.reader, "HEAD")
        self.unsound: tuple[str, ...] = ()
        changes = self._compare_trees() if self.tree_id else self._compare_index()
        self.index: Tree = IndexTree(self.reader, self.head, changes)
        self._config: dict[str, str] | None = None

    def _compare_trees(self) -> tuple[FileChange, ...]:
        """The changes, where the index tells its tree, without going through ten thousand files."""
        if self.reader.tree_id("HEAD") is None:
            return self._compare_index()
        made = objects.GitTree(self.reader, self.tree_id)
        found = made.changes(self.head) or ()
        # Whoever wrote the index may have named a tree there that no git has made.
        self.unsound = tuple(made.list_unsound(self.head))
        return found

    def _compare_index(self) -> tuple[FileChange, ...]:
        """The changes as git finds them."""
        compared = self.repo.git(*_DIFF, "HEAD")
        if compared.status:
            self._require_unborn()
            self.head = objects.GitTree(self.reader, None)
            compared = self.repo.git(*_DIFF, _NOTHING).require()
        return objects.parse_raw_diff(compared.out)

    def _require_unborn(self) -> None:
        """Raises Failed unless there is no commit yet: any other failure must not look so."""
        if self.repo.git("rev-parse", "-q", "--verify", "HEAD").status == 0:
            raise errors.Failed("git cannot compare the index with HEAD", "`git status` says more")

    @property
    def config_values(self) -> dict[str, str]:
        """git's own settings that matter to a hook, by key in lower case."""
        if self._config is None:
            people = r"(user|author|committer)\.(name|email)$"
            other = r"core\.comment|commit\.(cleanup|verbose)|i18n\.commitencoding"
            wanted = rf"^(molt\.|{other}|{people})"
            args = ("config", "-z", "--get-regexp", wanted)
            out = self.repo.git(*args).out.decode("utf-8", "replace")
            pairs = (record.partition("\n") for record in out.split("\0"))
            self._config = {key.lower(): value for key, _, value in pairs if key}
        return self._config

    def _find_tree_id(self) -> str:
        """The id of the tree that the index makes, where git has noted it there; empty where not.

        It is what git itself commits then, without looking at the files of the index again.
        """
        path = os.environ.get("GIT_INDEX_FILE") or os.path.join(self.git_dir, "index")
        try:
            with open(os.path.join(self.root, path), "rb") as file:
                data = file.read()
        except OSError:
            return ""
        return index_parts.find_root(data)

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

    def __init__(
        self, reader: objects.Reader, head: objects.GitTree, staged: tuple[FileChange, ...]
    ) -> None:
        self._reader = reader
        self._head = head
        self._staged = {change.path: change for change in staged}
        # Where git has said what changed, no folder of ten thousand files need be read for it.
        head.known = {change.path: change.old for change in staged}
        self._blobs: dict[str, bytes] = {}
        self._kept = 0
        self._order = [change.path for change in staged]
        self._place = {path: at for at, path in enumerate(self._order)}
        self._gone = sorted(path for path, one in self._staged.items() if one.new is None)
        self._made = sorted(path for path, one in self._staged.items() if one.new is not None)
        self._listing: list[str] | None = None

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
            self._read_from(path)
        return objects.require_blob(self._blobs, change.new.oid, path)

    def read_many(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        return trees.read_each(self, paths)

    def _read_from(self, path: str) -> None:
        """Both sides of a change, and of those that follow and end alike: a rule reads files of a
        kind, one after the other, and what one rule reads others do. Of many, few are kept.
        """
        if self._kept > _KEPT:
            self._kept = 0
            self._blobs.clear()
            self._head.forget_files(self._order)
        at = self._place[path]
        few = self._order[at : at + _AHEAD]
        if len(self._order) > _AHEAD:
            few = [one for one in few if one.rpartition(".")[2] == path.rpartition(".")[2]]
        sides = [self._staged[one] for one in few]
        old = {one.path: one.old.oid for one in sides if one.old and _is_file(one.old)}
        new = {one.new.oid for one in sides if one.new and _is_file(one.new)}
        self._kept += self._head.prefetch(old)
        blobs = self._reader.blobs(sorted(new.difference(self._blobs)))
        self._kept += sum(map(len, blobs.values()))
        self._blobs.update(blobs)

    def entries(self) -> Mapping[str, Entry]:
        merged = dict(self._head.entries())
        for path, change in self._staged.items():
            if change.new is None:
                merged.pop(path, None)
            else:
                merged[path] = change.new
        return merged

    def names(self, folder: str, like: str = "") -> frozenset[str]:
        if not trees.leads_to(self._gone, folder):
            return self._head.names(folder, like) | trees.child_names(self._made, folder)
        if self._listing is None:
            self._listing = sorted(self.entries())
        return trees.child_names(self._listing, folder)

    def changes(self, base: Tree) -> tuple[FileChange, ...] | None:
        if base is self._head:
            return tuple(self._staged.values())
        before = self._head.changes(base)
        if before is None:
            return None
        own = {change.path: change for change in before}
        old = {path: change.old for path, change in {**self._staged, **own}.items()}
        new = {path: change.new for path, change in {**own, **self._staged}.items()}
        differ = (path for path in sorted(old) if old[path] != new[path])
        return tuple(trees.make_change(path, old[path], new[path]) for path in differ)


def _is_file(entry: Entry) -> bool:
    return entry.mode != trees.SUBMODULE


def here() -> Staged:
    """What is staged in the repository of the current folder, where git runs its hooks."""
    return Staged(find.here())
