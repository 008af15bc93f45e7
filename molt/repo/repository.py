"""A repository: what its revisions hold, who commits, where HEAD is."""

from __future__ import annotations

import os

from molt import errors
from molt.repo import process
from molt.repo import state as states
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, MutableMapping, Sequence
    from typing import Self

    from molt.repo.objects import GitTree, Reader
    from molt.repo.process import Output

ZERO = "0" * 40
NOBODY = "git does not know who commits here"


class Head(Value):
    """Where HEAD is: `branch` is a full ref name or None (detached), `commit` None if unborn.

    `state` names what is unfinished: `merge`, `rebase`, `am`, `cherry-pick`, `revert`,
    `bisect`; or "".
    """

    branch: str | None
    commit: str | None
    state: str


class Stamp(Value):
    """A commit, its tree, and the second at which it was committed."""

    oid: str
    tree: str
    time: int


class LogCommit(Value):
    """One commit with the (status, path) pairs it changed; a merge has those unlike all parents."""

    oid: str
    parents: tuple[str, ...]
    time: int
    message: str
    paths: tuple[tuple[str, str], ...]


class Repo(Value):
    """The folders of a repository: work tree, git folder of this work tree, shared git folder.

    As a value it is these folders. With the first question to `reader` or `config` it holds a
    child process and what git's configuration said, until `close` or the end of a `with`; asked
    after that, it begins anew. One that nobody closes is closed when it is forgotten, and at the
    end of a command by `molt.repo.close`: a net for commands and hooks, which live for one
    question. Who lives longer uses `with`.
    """

    root: str
    git_dir: str
    common_dir: str

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads objects, and forget what the configuration said."""
        reader: Reader | None = self.__dict__.get("_reader")
        if reader is not None:
            # It stays the one reader: trees that were handed out hold it.
            reader.close()
        self.__dict__.pop("_config", None)

    @property
    def molt_dir(self) -> str:
        """The folder for what is derived and private to the clone."""
        return os.path.join(self.common_dir, "molt")

    @property
    def cache(self) -> MutableMapping[str, bytes]:
        """A mapping kept in files of `molt_dir`."""
        return states.FileCache(self.common_dir)

    def run(self, *args: str, check: bool = True) -> str:
        """What git prints. Raises Failed where git fails."""
        output = self.git(*args)
        return (output.require() if check else output).text

    def git(
        self,
        *args: str,
        input: bytes = b"",  # noqa: A002 the name that subprocess uses
        env: Mapping[str, str] | None = None,
    ) -> Output:
        """What git gives in the work tree, its failures too; `env` is added to ours."""
        return process.git(self.root, *args, input=input, env=env)

    def words(self, *args: str) -> Iterator[str]:
        """The NUL-separated words that git prints, as it prints them. Raises Failed at the end."""
        return process.words(self.root, *args)

    def head(self) -> Head:
        """Where HEAD is now."""
        branch = self.branch()
        if branch == "refs/heads/.invalid":
            said = f"{self.root} keeps its refs as reftable, which molt cannot read"
            raise errors.Failed(said, "make the workspace with `git init --ref-format=files`")
        return Head(branch, self.tip(), self.state())

    def branch(self) -> str | None:
        """The branch of HEAD, a full ref name; None if HEAD is detached."""
        with open(os.path.join(self.git_dir, "HEAD"), encoding="utf-8") as file:
            text = file.read().strip()
        return text.removeprefix("ref: ") if text.startswith("ref: ") else None

    def state(self) -> str:
        """What operation is unfinished; empty for none."""
        marks = (
            # git keeps the patches of a mailbox where a rebase of the old kind keeps its own.
            ("rebase-apply/applying", "am"),
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("MERGE_HEAD", "merge"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"),
            ("BISECT_LOG", "bisect"),
        )
        there = (name for file, name in marks if os.path.exists(os.path.join(self.git_dir, file)))
        return next(there, "")

    def tree(self, rev: str | None) -> GitTree:
        """The tree of a revision; the empty tree for None."""
        from molt.repo import objects

        return objects.GitTree(self.reader, rev)

    @property
    def reader(self) -> Reader:
        """The objects; one process answers for all trees of this repository."""
        from molt.repo import objects

        reader: Reader | None = self.__dict__.get("_reader")
        if reader is None:
            reader = self.__dict__["_reader"] = objects.Reader(self.root)
        return reader

    def resolve(self, rev: str) -> str:
        """The commit that a revision names. Raises NotFound."""
        if rev.startswith("-"):
            raise errors.NotFound(f"no such revision: {rev}")
        oid = self.run("rev-parse", "-q", "--verify", f"{rev}^{{commit}}", check=False).strip()
        if not oid:
            raise errors.NotFound(f"no such revision: {rev}", "see `git log --oneline`")
        return oid

    def stamp(self, rev: str) -> Stamp | None:
        """The commit that a revision names; None where there is none."""
        found = self.reader.ask([f"{rev}^{{commit}}"])[0]
        if found is None:
            return None
        from molt.repo.commits import Commit

        made = Commit(found[0], found[2])
        return Stamp(found[0], made.tree, made.time)

    def before(self, second: float) -> str:
        """The last commit of HEAD's first parents that is not younger; empty for none."""
        until = f"--before=@{max(0, int(second))} +0000"
        out = self.run("rev-list", "-1", "--first-parent", until, "HEAD", "--", check=False)
        return out.strip()

    def find_mention(self, text: str, revisions: str) -> str | None:
        """The newest of some commits whose message holds a text; None if there is none.

        Raises Failed for revisions that are not there.
        """
        grep = ("log", "-1", "--format=%H", "--fixed-strings", f"--grep={text}")
        return self.run(*grep, revisions, "--").strip() or None

    def log_raw(self, new: str, not_: str | None = None) -> Iterator[LogCommit]:
        """The commits of `new` that are not in `not_`, oldest first, with what they changed.

        A side branch comes just before its merge, and after all that the merge's first parent
        holds: the order of a history is that of its first parent's, with the rest appended.
        """
        args = ["--reverse", "--topo-order", new, *([f"^{not_}"] if not_ else [])]
        yield from _parse_log(self.words(*_LOG, *args, "--"))

    def log_newest(self, *args: str) -> Iterator[LogCommit]:
        """The commits that `git log ARGS` gives, newest first, with what they changed; those that
        nobody asks for are not read.
        """
        return _parse_log(self.words(*_LOG, *args))

    def tip(self) -> str | None:
        """The commit of HEAD; None on an unborn branch. Raises Failed where it is lost."""
        found = self.reader.oid("HEAD^{commit}")
        if found is None and (lost := self.run("rev-parse", "-q", "--verify", "HEAD", check=False)):
            said = f"git has lost the commit {lost.strip()} of HEAD"
            raise errors.Failed(said, "`git fsck` says more")
        return found

    def shallow(self) -> frozenset[str]:
        """The commits whose parents this clone was told to do without; none in a whole one. While
        git takes a push from a shallow clone, its hook hears of those from the environment.
        """
        path = os.environ.get("GIT_SHALLOW_FILE") or os.path.join(self.common_dir, "shallow")
        try:
            with open(path, encoding="ascii") as file:
                return frozenset(file.read().split())
        except FileNotFoundError:
            return frozenset()

    def is_partial(self) -> bool:
        """Whether objects may be missing on purpose, which git fetches when they are needed."""
        wanted = r"^(extensions\.partialclone|remote\..*\.promisor)$"
        return bool(self.run("config", "--get-regexp", wanted, check=False))

    def config(self, key: str) -> str | None:
        """A value of git's configuration that matters to molt; None where it is not set."""
        return self._settings().get(key.lower())

    def configured_hook(self, event: str) -> bool:
        """Whether the configuration names a hook of an event, as git 2.54 and later run it."""
        hooks = ((key.lower(), value) for key, value in self._settings().items())
        return any(key.endswith(".event") and value == event for key, value in hooks)

    def merge_drivers(self) -> tuple[str, ...]:
        """The names of the merge drivers that the configuration has programs for."""
        ends = ("merge.", ".driver")
        found = (key for key in self._settings() if key.startswith(ends[0]))
        return tuple(key[len(ends[0]) : -len(ends[1])] for key in found if key.endswith(ends[1]))

    def _settings(self) -> dict[str, str]:
        known: dict[str, str] | None = self.__dict__.get("_config")
        if known is None:
            core = "filemode|comment|sharedrepository|hookspath|ignorecase"
            signing = r"commit\.gpgsign|user\.signingkey|gpg\.ssh\.defaultkeycommand"
            people = r"(user|author|committer)\.(name|email)"
            other = rf"hook\..*\.event|merge\..*\.driver|gc\.auto|{signing}|{people}"
            wanted = rf"^(molt\.|core\.({core})|({other})$)"
            out = self.run("config", "-z", "--get-regexp", wanted, check=False)
            pairs = (record.partition("\n") for record in out.split("\0"))
            known = self.__dict__["_config"] = {name: value for name, _, value in pairs if name}
        return known

    def set_config(self, key: str, value: str) -> None:
        """Set a value for this repository."""
        self.run("config", "--local", key, value)
        self.__dict__.pop("_config", None)

    def identity(self) -> tuple[str, str]:
        """Name and address of who commits, as git would take them. Raises Failed if unset."""
        output = self.git("-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT")
        if output.status:
            raise errors.Failed(
                NOBODY,
                'tell it with `git config --global user.name "…"` and '
                '`git config --global user.email "…"`',
            )
        name, _, rest = output.out.decode("utf-8", "replace").partition(" <")
        return name, rest.partition("> ")[0]

    def merge(
        self, heads: Sequence[str], *settings: str, env: Mapping[str, str] | None = None
    ) -> tuple[str, bool]:
        """The tree that git makes of merging two commits, conflicts marked in the files, and
        whether there are none. The tree is empty where there are more, or where git cannot merge
        them. `settings` come before the command, as `-c NAME=VALUE`; what they take from the
        environment by name is in `env`.
        """
        if len(heads) != 2:
            return "", False
        from tempfile import TemporaryDirectory

        options = ("--write-tree", "--allow-unrelated-histories", *heads)
        # A merge driver gets its files in the current folder: in the work tree, a person's
        # `git add` would meet them.
        with TemporaryDirectory(prefix="molt-merge-") as folder:
            where = f"--git-dir={self.git_dir}"
            output = process.git(folder, where, *settings, "merge-tree", *options, env=env)
        made = output.out.decode("ascii", "replace").split("\n")[0]
        return (made, output.status == 0) if output.status in (0, 1) else ("", False)

    def find_bases(self, heads: Sequence[str]) -> tuple[str, ...]:
        """The best commits that lead to all of some; none where their histories have nothing in
        common.
        """
        more = ("--octopus",) if len(heads) > 2 else ()
        output = self.git("merge-base", "--all", *more, *heads)
        return tuple(output.out.decode("ascii").split())

    def find_independent(self, heads: Sequence[str]) -> tuple[str, ...]:
        """Those of some commits that lead to no other of them. Raises Failed."""
        output = self.git("merge-base", "--independent", *heads).require()
        return tuple(output.out.decode("ascii").split())

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether `old` is in the history of `new`; False where `old` is gone."""
        return self.git("merge-base", "--is-ancestor", old, new).status == 0

    def hooks_dir(self) -> str:
        """Where git looks for hooks."""
        return os.path.join(self.root, self.run("rev-parse", "--git-path", "hooks").rstrip("\n"))

    def show(self, rev: str, path: str) -> bytes | None:
        """The bytes of a file at a revision; None if it has none."""
        return self.tree(rev).read(path)


_LOG = (
    *("log", "--no-show-signature", "--name-status", "-z", "--no-renames", "-c", "--root"),
    *("--ignore-submodules=none", "--format=%H%x00%P%x00%ct%x00%B%x00"),
)


def _parse_log(words: Iterator[str]) -> Iterator[LogCommit]:
    """Commits from NUL-separated words, each taken by its position, whatever it looks like."""
    word = _next_filled(words)
    while word:
        oid, parents, time, message = word, next(words), next(words), next(words)
        paths: list[tuple[str, str]] = []
        word = _next_filled(words)
        # One capital letter a parent; a commit id has digits and small letters only.
        while word.isalpha() and word.isupper():
            paths.append((word[0], next(words)))
            word = _next_filled(words)
        # A commit that no git has written may say anything of its time.
        seconds = int(time) if time.isdigit() else 0
        yield LogCommit(oid, tuple(parents.split()), seconds, message, tuple(paths))


def _next_filled(words: Iterator[str]) -> str:
    """The next word that is not blank; empty at the end."""
    for word in words:
        if text := word.lstrip("\n"):
            return text
    return ""
