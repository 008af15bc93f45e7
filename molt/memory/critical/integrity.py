"""What a clone remembers of critical files, so that a history that was replaced does not pass for
the one that it has seen, and an acknowledgement that nobody gave for one.

`.git/molt/critical` has a line for each file: the branch, the file, the digest of its content when
nothing was wrong with it, and the commit at which that was. It is written where somebody looks and
finds nothing, and after an acknowledgement.
"""

from __future__ import annotations

from molt import config, errors, trees
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import checksums
from molt.memory.provenance import open_changes
from molt.repo import state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from molt.repo.repository import Repo
    from molt.trees import Tree

_NAME = "critical"
_FORM = "critical 1"
_MOST = 500
"""Lines that are kept: those of the branches that were looked at last."""
_LOOKED = 200
"""Changes of the checksums that are looked through; each is looked at once per clone."""


class Seen(Value):
    """The content of a file when nothing was wrong with it, as its digest, and the commit."""

    digest: str
    commit: str


class BrokenPast(Value):
    """A file whose past is not what it was: what is wrong, and the command that shows it."""

    file: str
    said: str
    look: str


class SeenFiles:
    """What this clone has seen on the branch of HEAD."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._branch = repo.branch() or ""
        self._rows = self._load()
        self._before = list(self._rows)

    def _load(self) -> list[tuple[str, ...]]:
        form, *rows = state.read(self._repo.common_dir, _NAME).split("\n")
        fields = map(state.parse_row, rows)
        return [row for row in fields if len(row) == 4] if form == _FORM else []

    def find(self, file: str) -> Seen | None:
        """What was seen of a file; None if nothing."""
        for row in self._rows:
            if row[:2] == (self._branch, file):
                return Seen(*row[2:])
        return None

    def put(self, file: str, seen: Seen) -> None:
        """Note what is seen of a file; the empty name is that of the checksums' last change."""
        if not self._branch or self.find(file) == seen:
            return
        others = [row for row in self._rows if row[:2] != (self._branch, file)]
        self._rows = [*others, (self._branch, file, seen.digest, seen.commit)]

    def rename(self, digests: Mapping[str, str]) -> None:
        """Take what was seen for what it has become: each old digest for a new one."""
        self._rows = [(*row[:2], digests.get(row[2], row[2]), row[3]) for row in self._rows]

    def keep(self) -> None:
        """Write down what is new; where that cannot be, the next one who looks tries again."""
        if self._rows == self._before:
            return
        text = "".join((f"{_FORM}\n", *map(state.render_row, self._rows[-_MOST:])))
        try:
            state.write(self._repo.common_dir, _NAME, text)
        except (errors.MoltError, OSError):
            return


def look_back(
    repo: Repo, head: Tree, critical: Collection[str], known: Collection[str]
) -> tuple[BrokenPast, ...]:
    """What is wrong with the past of some critical files, of which `known` ones have another alert;
    what is right is remembered.
    """
    tip = repo.tip()
    if tip is None:
        return ()
    memory = SeenFiles(repo)
    forged = _list_forged(repo, head, critical, memory)
    found = {one.file: one for one in forged if one.file not in known}
    for path in critical:
        data = head.read(path)
        now = Seen("" if data is None else trees.sha256(data).hexdigest(), tip)
        seen = memory.find(path)
        if one := _find_replaced(repo, head, path, now, seen):
            found[path] = one
        elif (
            path not in known and path not in found and (seen is None or seen.digest != now.digest)
        ):
            memory.put(path, now)
    memory.keep()
    return tuple(found[path] for path in sorted(found))


def _find_replaced(
    repo: Repo, head: Tree, path: str, now: Seen, seen: Seen | None
) -> BrokenPast | None:
    """What is wrong with a file that is another one than was seen, and never was that one here, or
    whose checksum is gone. Commits that were only made anew, as by a rebase, hold what was seen.
    """
    if seen is None or not seen.digest:
        return None
    look = f"git diff {seen.commit[:10]} HEAD -- {path}"
    if seen.digest != now.digest and not _was_here(repo, path, seen.digest):
        said = f"is of a rewritten history: it never was there as in {seen.commit[:10]}, seen here"
        return BrokenPast(path, said, look)
    if path in _list_sums(head) or path not in _list_sums(_tree_of(repo, seen.commit)):
        return None
    return BrokenPast(path, f"lost its checksum in {paths.CHECKSUMS}", look)


def _was_here(repo: Repo, path: str, digest: str) -> bool:
    """Whether a file had some content in the history of HEAD."""
    asked = ("log", "--format=%H", f"-n{_LOOKED}", "HEAD", "--", f":(top,literal){path}")
    versions = (repo.tree(oid).read(path) for oid in repo.run(*asked, check=False).split())
    return any(data is not None and trees.sha256(data).hexdigest() == digest for data in versions)


def _tree_of(repo: Repo, oid: str) -> Tree:
    return repo.tree(oid) if repo.reader.oid(f"{oid}^{{commit}}") else trees.EMPTY


def _list_sums(tree: Tree) -> Mapping[str, str]:
    return checksums.parse_checksums(trees.read_text(tree, paths.CHECKSUMS))


def _list_forged(
    repo: Repo, head: Tree, critical: Collection[str], memory: SeenFiles
) -> Iterator[BrokenPast]:
    """The files whose checksum was changed by no acknowledgement of a person, since it was looked
    at last. A later acknowledgement of the file answers for it.
    """
    entry = head.entry(paths.CHECKSUMS)
    blob, checked = entry.oid if entry else "", memory.find("")
    if not blob or (checked and checked.digest == blob):
        return
    since = (f"^{checked.commit}",) if checked and _is_there(repo, checked.commit) else ()
    args = (f"-n{_LOOKED}", "HEAD", *since, "--", f":(top,literal){paths.CHECKSUMS}")
    answered: set[str] = set()
    clean = True
    for commit in repo.log_newest(*args):
        parent = commit.parents[0] if commit.parents else None
        before = repo.tree(parent) if parent else trees.EMPTY
        if before.entry(config.PATH) is None:
            break
        if not (why := _doubt(repo, commit.oid, commit.message, before)):
            answered.update(open_changes.acknowledged(messages.parse(commit.message)))
            continue
        befores = [repo.tree(parent) for parent in commit.parents]
        for path in _list_changed(befores, repo.tree(commit.oid)):
            if path in critical and path not in answered:
                clean = False
                answered.add(path)
                said = f"had its checksum changed in {commit.oid[:10]}, {why}"
                yield BrokenPast(path, said, f"git show {commit.oid[:10]}")
    tip = repo.tip()
    if clean and tip:
        memory.put("", Seen(blob, tip))


def _is_there(repo: Repo, oid: str) -> bool:
    return bool(repo.reader.oid(f"{oid}^{{commit}}")) and repo.is_ancestor(oid, "HEAD")


def _list_changed(befores: Sequence[Tree], after: Tree) -> list[str]:
    """The files whose checksum is another one than any parent has."""
    old, new = [_list_sums(tree) for tree in befores], _list_sums(after)
    every = dict.fromkeys(path for sums in (*old, new) for path in sums)
    return [path for path in every if new.get(path) not in {sums.get(path) for sums in old}]


def _doubt(repo: Repo, oid: str, text: str, before: Tree) -> str:
    """Why a commit is no acknowledgement of a person; empty where it is one, as far as that can be
    known: where people are bound to keys, or have to sign it, by its signature.
    """
    message = messages.parse(text)
    if messages.actor(message) != "manual" or message.action != "ACK":
        return "which is no acknowledgement of a person"
    settings, _ = config.load(before, repo.cache)
    required = settings.signatures_require
    if not settings.actors_keys and "ack" not in required:
        return ""
    # The policy comes with it, which takes twice as long to import as all else here.
    from molt.repo.keys import signatures

    bound = signatures.is_signed_by(repo, oid, settings, "manual")
    if bound is None or not {"all", "ack"}.intersection(required):
        return "which nobody could sign" if "ack" in required else ""
    return "" if bound else "which no key of a person has signed"


def remember_files(repo: Repo, files: Iterable[str]) -> None:
    """Take the critical files as they are now for what a person has seen."""
    tip = repo.tip()
    if tip is None:
        return
    memory, head = SeenFiles(repo), repo.tree(tip)
    for path in files:
        memory.put(path, Seen(trees.sha256(head.read(path) or b"").hexdigest(), tip))
    entry = head.entry(paths.CHECKSUMS)
    memory.put("", Seen(entry.oid if entry else "", tip))
    memory.keep()


def follow_rewriting(repo: Repo, digests: Mapping[str, str]) -> None:
    """Take files for seen as they are in a history that a person has made anew, by the digests of
    what was there and of what is.
    """
    memory = SeenFiles(repo)
    memory.rename(digests)
    memory.keep()
