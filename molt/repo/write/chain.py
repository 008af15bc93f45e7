"""Commits as objects: one, or several on top of each other, that no branch has yet."""

from __future__ import annotations

from molt import errors
from molt.repo.write.loose import DURABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from molt.config import Config
    from molt.repo.objects import GitTree
    from molt.repo.process import Output
    from molt.repo.repository import Repo
    from molt.repo.write.loose import Loose
    from molt.repo.write.plan import CommitStep
    from molt.trees import Edits


class CommitWriter:
    """Makes commits of one repository; `env` is what git is told besides, such as an author. They
    are signed as `settings`, those that they are judged by, want it, and `unsigned` says of what
    git could not sign, though nobody is bound to, why.
    """

    def __init__(
        self,
        repo: Repo,
        objects: Loose,
        settings: Config,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._repo = repo
        self._objects = objects
        self._settings = settings
        self._env = env
        self._people = b""
        self.unsigned = ""

    def write_commit(
        self, tree: str, message: str, parents: Sequence[str]
    ) -> tuple[str, bytes] | None:
        """A new commit, and its committer with the time; None where a `git prune` has taken its
        tree meanwhile, or the folder that git was about to write it into.

        Raises Failed for what git refuses, and Refused where a bound actor cannot sign.
        """
        if "\0" in message:
            raise errors.Failed("a commit message with a NUL character")
        if self._people:
            return self._add_commit(tree, message, parents)
        # git would make up a name and an address that nobody has set, and the message is UTF-8.
        settings = ("-c", "user.useConfigOnly=true", "-c", "i18n.commitEncoding=utf-8")
        named = [word for parent in parents for word in ("-p", parent)]
        words = (tree, "-F", "-", *named)
        output = self._make(message, (*DURABLE, *settings), words)
        said = output.said
        failed = "unable to write file" in said or "unable to create temporary file" in said
        pruned = failed and said.endswith("No such file or directory")
        if output.status and (pruned or f"{tree} is not a valid" in said):
            return None
        if output.status:
            self._repo.identity()
            raise errors.Failed(f"git commit-tree: {said}")
        found = self._read_back(output.text.strip())
        if found is None:
            return None
        self._objects.keep(*found)
        self._people = b"" if self._signs else _read_people(found[2])
        return found[0], found[2].partition(b"\ncommitter ")[2].partition(b"\n")[0]

    def keep_tree(self, tree: str, heads: Sequence[str]) -> bool:
        """Keep what git has just written of a tree and no head leads to; whether it is there."""
        words = ("--objects", "--no-object-names", tree, *(f"^{head}" for head in heads))
        listed = self._repo.git("rev-list", *words)
        found = [self._read_back(oid) for oid in listed.text.split()]
        for one in found:
            if one is not None:
                self._objects.keep(*one)
        self._objects.store()
        return listed.status == 0 and None not in found

    def _read_back(self, oid: str) -> tuple[str, str, bytes] | None:
        """An object that git has just written; None where a `git prune` has taken it."""
        try:
            return self._repo.reader.ask([oid])[0]
        except errors.Failed as error:
            # It was there when git looked for it, and gone when git read it.
            if f"{oid} disappeared" in error.message:
                return None
            raise

    def _add_commit(self, tree: str, message: str, parents: Sequence[str]) -> tuple[str, bytes]:
        """One more commit of those who made the one before, in the same second: who that is only
        git knows, and all else is plain. A process for each takes longer than all else of it.
        """
        heads = "".join((f"tree {tree}\n", *(f"parent {parent}\n" for parent in parents)))
        data = b"%s%s\n%s" % (heads.encode(), self._people, message.encode())
        oid = self._objects.commit(data)
        self._objects.store()
        return oid, self._people.partition(b"\ncommitter ")[2].partition(b"\n")[0]

    @property
    def _signs(self) -> bool:
        """Whether commits may have to be signed, each by itself."""
        return bool(self._settings.actors_keys or self._repo.config("commit.gpgsign"))

    def _make(self, message: str, settings: Sequence[str], words: Sequence[str]) -> Output:
        """What `git commit-tree` gives, which signs what has to be, and what git is told to."""
        data = message.encode()
        if not self._signs:
            return self._repo.git(*settings, "commit-tree", *words, input=data, env=self._env)
        from molt.repo.keys import signer

        how = signer.choose_signing(self._repo, self._settings, message)
        args = (*settings, *how.settings, "commit-tree", *how.options, *words)
        output = self._repo.git(*args, input=data, env=self._env)
        if not (output.status and how.options):
            return output
        # Programs complain in many words; what works without them is their fault.
        plain = self._repo.git(*settings, "commit-tree", *words, input=data, env=self._env)
        if not plain.status and how.needed:
            raise signer.describe_failure(message, output.said)
        self.unsigned = "" if plain.status else f"it is not signed: {output.said}"
        return plain

    def write_chain(
        self, base: GitTree, steps: Iterable[CommitStep], parents: Sequence[str]
    ) -> str | None:
        """The last of some commits, the first of which has these parents and edits `base`; None
        where a `git prune` was faster.
        """
        done: Edits = {}
        made: list[tuple[str, str]] = []
        for step in steps:
            done.update(step.edits)
            made.append((self._objects.tree(base, done), step.message))
        self._objects.store()
        tip = ""
        for tree, message in made:
            found = self.write_commit(tree, message, (tip,) if tip else parents)
            if found is None:
                return None
            tip = found[0]
        return tip


def _read_people(commit: bytes) -> bytes:
    """The lines of a commit that say who made it, and when; empty where its head has others too."""
    head = commit.partition(b"\n\n")[0].split(b"\n")
    rows = [row for row in head if not row.startswith((b"tree ", b"parent "))]
    usual = [row.partition(b" ")[0] for row in rows] == [b"author", b"committer"]
    return b"".join(b"%s\n" % row for row in rows) if usual else b""
