"""The workspace: found, made or adopted, and written through one function."""

from __future__ import annotations

import os

from molt import config, errors, resources
from molt.config import Config
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.memory import audit
from molt.repo import find as repositories
from molt.repo import process, worktree
from molt.repo.repository import Repo
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.policy import Finding
    from molt.repo.write.transaction import MakeEdits, MakeMessage, Written
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
        """The only way to write: the transaction, then the projections.

        Raises what the transaction raises, and Usage where nobody can be who acts.
        """
        from molt.memory import lifecycle
        from molt.policy import Context
        from molt.repo.write import transaction

        who = actor or self.actor
        if not messages.valid_actor(who):
            kinds = ", ".join(kind for kind in messages.ACTOR_TYPES if kind != "manual")
            hint = f"`manual`, or TYPE:ID with a type of {kinds}, as in bot:main"
            raise errors.Usage(f"{who!r} is no actor", hint)
        context = Context(actor=who, alerts=self.alerts)
        fold = lifecycle.Fold(self.repo)
        # Who may write only some files must not be refused for bookkeeping.
        if not dry_run and not who.startswith(("subagent:", "skill:", "reflection:")):
            edits, message = fold.edits(edits), fold.message(message)
        done = transaction.commit(self.repo, edits, message, context, dry_run=dry_run)
        if done.oid:
            fold.done()
            refresh(self.repo, done)
        return done

    def alerts(self) -> frozenset[str]:
        """The critical files whose change nobody has acknowledged."""
        return frozenset(line.file for line in audit.alerts(self.repo))

    def refresh(self) -> None:
        """`refresh` of this workspace."""
        refresh(self.repo)


def refresh(repo: Repo, done: Written | None = None) -> None:
    """Bring the projections up; a failure is noted, never raised: a reader repairs them.

    `done` is a commit that was just made, whose keywords are indexed.
    """
    oid, paths = (done.oid or "", done.paths) if done else ("", ())
    try:
        audit.bring_up(repo, oid, paths)
    except Exception as error:
        _failed(repo, "audit.log", error)
    if not oid or any(path.startswith(layout.ENTITIES) for path in paths):
        try:
            from molt.memory import topology

            topology.bring_up(repo)
        except Exception as error:
            _failed(repo, "graph/index.md", error)
    if not done or not oid:
        return
    try:
        from molt.memory import indexing

        indexing.follow(repo, oid, paths, done.tree)
    except Exception as error:
        _failed(repo, "index", error)


def _failed(repo: Repo, what: str, error: Exception) -> None:
    from contextlib import suppress

    with suppress(OSError):
        os.makedirs(repo.molt_dir, exist_ok=True)
        path = os.path.join(repo.molt_dir, "refresh.log")
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{what}: {error}\n")


class Made(Value):
    """What `init` did: paths created, paths taken in as they were, paths of memories that stay
    uncommitted, the commit (or None), and what the policy warns of.
    """

    repo: Repo
    created: tuple[str, ...] = ()
    adopted: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    commit: str | None = None
    findings: tuple[Finding, ...] = ()


def find(start: str, actor: str = "") -> Workspace:
    """The workspace that a folder is in. Raises NotFound where there is none."""
    repositories.leave_hook(start)
    repo = repositories.find(start)
    tip = repo.tip()
    tree = repo.tree(tip)
    if tip is None or (tree.entry(config.PATH) is None and not tree.names("memory")):
        raise errors.NotFound(f"{repo.root} is no workspace yet", "`molt init` makes it one")
    settings, warnings = config.load(tree, repo.cache)
    return Workspace(repo, settings, warnings, claimed(repo, actor) or "bot:main")


def claimed(repo: Repo, actor: str = "") -> str:
    """Who acts, as the call (`actor`), the environment or git's configuration says; or empty."""
    return actor or os.environ.get("MOLT_ACTOR") or repo.config("molt.actor") or ""


def init(folder: str, *, name: str = "", email: str = "") -> Made:
    """Make or adopt a workspace: what is missing is added, nothing existing is rewritten.

    In a repository without commits, the Markdown of a workspace that lies there untracked is
    committed as it is. A second run changes nothing. Raises Failed where git cannot commit, and
    for a folder inside another repository; Refused by the policy. Nothing has changed then.
    """
    repo, fresh = _repository(os.path.abspath(folder))
    try:
        if name:
            repo.set_config("user.name", name)
        if email:
            repo.set_config("user.email", email)
        made = _adopt(repo)
    except errors.MoltError:
        if fresh and repo.tip() is None:
            _unmake(repo, fresh)
        raise
    _exclude(repo)
    refresh(repo)
    return made


def _repository(folder: str) -> tuple[Repo, str]:
    """The repository that `folder` is the top of; if it is new, also the topmost new path."""
    repositories.leave_hook(folder)
    there = folder
    fresh = os.path.join(folder, ".git")
    while not os.path.isdir(there):
        fresh, there = there, os.path.dirname(there)
    try:
        repo = repositories.find(there)
    except errors.NotFound:
        return repositories.init(folder), fresh
    inside = os.path.realpath(repo.root) != os.path.realpath(folder)
    # A folder that is there is a part of its workspace; one that is not was meant to be another.
    if inside and (there != folder or not _is_one(repo)):
        raise errors.Failed(
            f"{folder} is inside the repository {repo.root}",
            f"`molt init {repo.root}` adopts all of that, or `git init {folder}` first",
        )
    return repo, ""


def _is_one(repo: Repo) -> bool:
    return repo.tree(repo.tip()).entry(config.PATH) is not None


def _unmake(repo: Repo, fresh: str) -> None:
    """Remove the repository without commits that this very call has made."""
    import shutil

    shutil.rmtree(repo.git_dir)
    place = repo.root
    while len(place) >= len(fresh):
        os.rmdir(place)
        place = os.path.dirname(place)


def _adopt(repo: Repo) -> Made:
    from molt.repo.write import transaction

    tip = repo.tip()
    base = repo.tree(tip)
    if base.entry(config.PATH) is not None:
        return Made(repo)
    created = _missing(repo, base)
    found = _untracked(repo)
    wanted = found if tip is None else {key: found[key] for key in found if key == config.PATH}
    edits = {**wanted, **created}
    text = messages.render(
        "INIT",
        "*",
        "workspace adopted" if tip or wanted else "workspace made",
        body=messages.CRITICAL_NOTICE,
        actor="system:init",
        approval="auto",
        trigger="molt init",
        trailers=(("Adopted", tip or "none"),),
    )

    def make(tree: Tree) -> Edits:
        # What a person has written there meanwhile, or not yet staged, is theirs.
        known = ((path, tree.read(path)) for path in edits)
        return {path: edits[path] if data is None else data for path, data in known}

    from molt.policy import Context

    context = Context(actor="system:init")
    done = transaction.commit(repo, make, lambda _tree, _edits: text, context)
    left = sorted(path for path in found if path not in wanted) + _keep_log(repo)
    return Made(
        repo, tuple(sorted(created)), tuple(sorted(wanted)), tuple(left), done.oid, done.findings
    )


def _keep_log(repo: Repo) -> list[str]:
    """Copy an audit log that another tool has written, for molt writes its own there."""
    old, new = (os.path.join(repo.root, audit.PATH + end) for end in ("", ".before-molt"))
    if not os.path.isfile(old) or os.path.lexists(new):
        return []
    import shutil

    shutil.copy2(old, new)
    return [f"{audit.PATH}.before-molt"]


def _missing(repo: Repo, base: Tree) -> dict[str, bytes]:
    """The templates of the files that are neither committed nor on disk."""
    there = (
        path
        for path in _TEMPLATES
        if base.entry(path) is None and not os.path.lexists(os.path.join(repo.root, path))
    )
    return {path: _template(path) for path in there}


def _template(path: str) -> bytes:
    with open(resources.find(f"templates/workspace/{_TEMPLATES[path]}"), "rb") as file:
        return file.read()


def _exclude(repo: Repo) -> None:
    """Ignore the projections in the clone alone, where a .gitignore is somebody else's."""
    path = os.path.join(repo.common_dir, "info", "exclude")
    known = _text(os.path.join(repo.root, ".gitignore")) + "\n" + (here := _text(path))
    lines = _template(".gitignore").decode().split("\n")
    fresh = [line for line in lines if line and line not in known.splitlines()]
    if fresh:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n" if here and not here.endswith("\n") else "")
            file.write("".join(f"{line}\n" for line in fresh))


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _untracked(repo: Repo) -> dict[str, bytes]:
    """The Markdown of a workspace that no commit holds yet; what is staged, as it is staged."""
    from molt.repo.write import journal

    found: dict[str, bytes] = {}
    for path, status in worktree.dirty(repo).items():
        known = layout.kind_of(path) not in ("other", "projection") or _loose(path)
        if not known or status not in ("??", "A ", "AM", "AD"):
            continue
        if status == "??":
            data = _readable(repo, path)
        else:
            data = repo.reader.blobs([journal.staged_blobs(repo, [path])[path]]).popitem()[1]
        if data is not None:
            found[path] = data
    return found


def _readable(repo: Repo, path: str) -> bytes | None:
    try:
        return worktree.read(repo.root, path)
    except errors.MoltError:
        return None


def _loose(path: str) -> bool:
    """Whether it is Markdown at the top, which agents keep notes in as well."""
    return "/" not in path and path.endswith(".md")


def foreign_hooks(repo: Repo) -> str:
    """The folder of the hooks, if `core.hooksPath` makes it no private one of this clone.

    Hooks that hold this machine's paths belong neither into a folder that is committed nor into
    one that all repositories of a person share. Empty for a folder that molt may fill.
    """
    folder = os.path.realpath(repo.hooks_dir())
    if folder.startswith(os.path.realpath(repo.common_dir) + os.sep):
        return ""
    inside = folder.startswith(os.path.realpath(repo.root) + os.sep)
    args = (*process.GIT, "check-ignore", "-q", os.path.join(folder, "pre-commit"))
    ignored = inside and process.call(args, cwd=repo.root)[0] == 0
    return "" if ignored else repo.hooks_dir()


def blob(tree: Tree, path: str) -> str:
    """A file as text; empty where there is none. Raises Failed where it is no UTF-8."""
    try:
        return (tree.read(path) or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise errors.Failed(f"{path} is not UTF-8", "save it as UTF-8") from error
