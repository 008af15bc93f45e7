"""The workspace: found, made or adopted, and written through one function."""

from __future__ import annotations

import os

from molt import config, errors, formats, resources
from molt.config import Config
from molt.formats import message as messages
from molt.memory import audit
from molt.policy import Context
from molt.repo import git, transaction, worktree
from molt.repo.git import Repo
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.transaction import MakeEdits, MakeMessage, Written
    from molt.trees import Edits, Tree

_TEMPLATES = {
    "MEMORY.md": "MEMORY.md",
    "SOUL.md": "SOUL.md",
    "IDENTITY.md": "IDENTITY.md",
    "AGENTS.md": "AGENTS.md",
    "molt.yaml": "molt.yaml",
    "memory/graph/relations.md": "memory/graph/relations.md",
    ".gitattributes": "gitattributes",
    ".gitignore": "gitignore",
}


class Workspace(Value):
    """A repository with its configuration (that of HEAD), its warnings, and who acts."""

    repo: Repo
    config: Config
    warnings: tuple[str, ...]
    actor: str

    def head(self) -> Tree:
        """The last commit's tree; empty on an unborn branch."""
        head = self.repo.head()
        return self.repo.tree(head.commit)

    def files(self) -> Tree:
        """The tree as it is on disk."""
        return worktree.Worktree(self.repo, self.head())

    def commit(
        self, edits: MakeEdits, message: MakeMessage, *, dry_run: bool = False, actor: str = ""
    ) -> Written:
        """The only way to write: the transaction, then the projections. Raises what it raises."""
        context = Context(actor=actor or self.actor, alerts=self.alerts)
        done = transaction.commit(self.repo, edits, message, context, dry_run=dry_run)
        if done.oid:
            self.refresh()
        return done

    def alerts(self) -> frozenset[str]:
        """The critical files whose change nobody has acknowledged."""
        return frozenset(line.file for line in audit.alerts(self.repo))

    def refresh(self) -> None:
        """Bring the audit log up; a failure is noted, never raised: a reader repairs it."""
        try:
            audit.bring_up(self.repo)
        except Exception as error:
            os.makedirs(self.repo.molt_dir, exist_ok=True)
            path = os.path.join(self.repo.molt_dir, "refresh.log")
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"audit.log: {error}\n")


class Made(Value):
    """What `init` did: paths created, paths taken in as they were, and the commit (or None)."""

    repo: Repo
    created: tuple[str, ...]
    adopted: tuple[str, ...]
    commit: str | None


def find(start: str, actor: str = "") -> Workspace:
    """The workspace that a folder is in. Raises NotFound where there is none."""
    repo = git.find(start)
    tip = repo.run("rev-parse", "-q", "--verify", "HEAD", check=False).strip()
    tree = repo.tree(tip or None)
    if not tip or (tree.entry(config.PATH) is None and not tree.names("memory")):
        raise errors.NotFound(f"{repo.root} is no workspace yet", "`molt init` makes it one")
    settings, warnings = config.load(tree, repo.cache)
    who = actor or os.environ.get("MOLT_ACTOR") or repo.config("molt.actor") or "bot:main"
    return Workspace(repo, settings, warnings, who)


def init(folder: str, *, name: str = "", email: str = "") -> Made:
    """Make or adopt a workspace: what is missing is added, nothing existing is rewritten.

    In a repository without commits, the Markdown of a workspace that lies there untracked is
    committed as it is. A second run changes nothing. Raises Failed where git cannot commit.
    """
    os.makedirs(folder, exist_ok=True)
    try:
        repo = git.find(folder)
    except errors.NotFound:
        repo = git.init(folder)
    if name:
        repo.set_config("user.name", name)
    if email:
        repo.set_config("user.email", email)
    repo.identity()
    tip = repo.run("rev-parse", "-q", "--verify", "HEAD", check=False).strip()
    base = repo.tree(tip or None)
    if base.entry(config.PATH) is not None:
        audit.bring_up(repo)
        return Made(repo, (), (), None)
    created = _missing(repo, base)
    adopted = _untracked(repo) if not tip else {}
    edits: Edits = {**adopted, **created}
    text = messages.render(
        "INIT",
        "*",
        "workspace adopted" if tip or adopted else "workspace made",
        body=messages.CRITICAL_NOTICE,
        actor="system:init",
        approval="auto",
        trigger="molt init",
        trailers=(("Adopted", tip or "none"),),
    )
    done = transaction.commit(
        repo, lambda _tree: dict(edits), lambda _tree, _edits: text, Context(actor="system:init")
    )
    audit.bring_up(repo)
    return Made(repo, tuple(sorted(created)), tuple(sorted(adopted)), done.oid)


def _missing(repo: Repo, base: Tree) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for path, name in _TEMPLATES.items():
        there = base.entry(path) is not None or worktree.read(repo.root, path) is not None
        if there and path == ".gitignore":
            _exclude(repo)
        if not there:
            with open(resources.find(f"templates/workspace/{name}"), "rb") as file:
                found[path] = file.read()
    return found


def _exclude(repo: Repo) -> None:
    """Ignore the projections in the clone alone, where a .gitignore is somebody else's."""
    path = os.path.join(repo.common_dir, "info", "exclude")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    known = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            known = file.read()
    fresh = [line for line in formats.PROJECTIONS if line not in known.split("\n")]
    if fresh:
        with open(path, "a", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in fresh))


def _untracked(repo: Repo) -> dict[str, bytes]:
    """The Markdown of a workspace that no commit holds yet."""
    found: dict[str, bytes] = {}
    for path in worktree.dirty(repo):
        if formats.kind(path) in ("other", "projection") and not _daily(path):
            continue
        try:
            data = worktree.read(repo.root, path)
        except errors.MoltError:
            continue
        if data is not None:
            found[path] = data
    return found


def _daily(path: str) -> bool:
    return "/" not in path and path.endswith(".md")


def blob(tree: Tree, path: str) -> str:
    """A file as text; empty where there is none. Raises Failed where it is no UTF-8."""
    try:
        return (tree.read(path) or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise errors.Failed(f"{path} is not UTF-8", "save it as UTF-8") from error
