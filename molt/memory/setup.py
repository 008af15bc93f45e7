"""A workspace made, or adopted without rewriting a byte."""

from __future__ import annotations

import os

from molt import config, errors, resources
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.memory import audit
from molt.memory.projections import refresh
from molt.repo import find as repositories
from molt.repo import worktree
from molt.repo.repository import Repo
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.policy import Finding
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


def init(folder: str, *, name: str = "", email: str = "") -> Made:
    """Make or adopt a workspace: what is missing is added, nothing existing is rewritten.

    In a repository without commits, the Markdown of a workspace that lies there untracked is
    committed as it is. A second run changes nothing. Raises Failed where git cannot commit, and
    for a folder inside another repository; Refused by the policy. Nothing has changed then.
    """
    repo, fresh = _open_repository(os.path.abspath(folder))
    try:
        if name:
            repo.set_config("user.name", name)
        if email:
            repo.set_config("user.email", email)
        made = _adopt_files(repo)
    except errors.MoltError:
        if fresh and repo.tip() is None:
            _remove_repository(repo, fresh)
        raise
    _exclude_projections(repo)
    refresh(repo)
    return made


def _open_repository(folder: str) -> tuple[Repo, str]:
    """The repository that `folder` is the top of; if it is new, also the topmost new path."""
    repositories.leave_hook(folder)
    there = folder
    fresh = os.path.join(folder, ".git")
    while not os.path.isdir(there):
        fresh, there = there, os.path.dirname(there)
    try:
        repo = repositories.find_repo(there)
    except errors.NotFound:
        return repositories.init(folder), fresh
    inside = os.path.realpath(repo.root) != os.path.realpath(folder)
    # A folder that is there is a part of its workspace; one that is not was meant to be another.
    if inside and (there != folder or not _is_workspace(repo)):
        raise errors.Failed(
            f"{folder} is inside the repository {repo.root}",
            f"`molt init {repo.root}` adopts all of that, or `git init {folder}` first",
        )
    return repo, ""


def _is_workspace(repo: Repo) -> bool:
    return repo.tree(repo.tip()).entry(config.PATH) is not None


def _remove_repository(repo: Repo, fresh: str) -> None:
    """Remove the repository without commits that this very call has made."""
    import shutil

    shutil.rmtree(repo.git_dir)
    place = repo.root
    while len(place) >= len(fresh):
        os.rmdir(place)
        place = os.path.dirname(place)


def _adopt_files(repo: Repo) -> Made:
    from molt.repo.write import transaction

    tip = repo.tip()
    base = repo.tree(tip)
    if base.entry(config.PATH) is not None:
        return Made(repo)
    created = _find_missing(repo, base)
    found = _find_untracked(repo)
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

    def make_edits(tree: Tree) -> Edits:
        # What a person has written there meanwhile, or not yet staged, is theirs.
        known = ((path, tree.read(path)) for path in edits)
        return {path: edits[path] if data is None else data for path, data in known}

    from molt.policy import Context

    context = Context(actor="system:init")
    done = transaction.commit(repo, make_edits, lambda _tree, _edits: text, context)
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


def _find_missing(repo: Repo, base: Tree) -> dict[str, bytes]:
    """The templates of the files that are neither committed nor on disk."""
    there = (
        path
        for path in _TEMPLATES
        if base.entry(path) is None and not os.path.lexists(os.path.join(repo.root, path))
    )
    return {path: _read_template(path) for path in there}


def _read_template(path: str) -> bytes:
    with open(resources.find(f"templates/workspace/{_TEMPLATES[path]}"), "rb") as file:
        return file.read()


def _exclude_projections(repo: Repo) -> None:
    """Ignore the projections in the clone alone, where a .gitignore is somebody else's."""
    path = os.path.join(repo.common_dir, "info", "exclude")
    known = _read_text(os.path.join(repo.root, ".gitignore")) + "\n" + (here := _read_text(path))
    lines = _read_template(".gitignore").decode().split("\n")
    fresh = [line for line in lines if line and line not in known.splitlines()]
    if fresh:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n" if here and not here.endswith("\n") else "")
            file.write("".join(f"{line}\n" for line in fresh))


def _read_text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _find_untracked(repo: Repo) -> dict[str, bytes]:
    """The Markdown of a workspace that no commit holds yet; what is staged, as it is staged."""
    from molt.repo.write import journal

    found: dict[str, bytes] = {}
    for path, status in worktree.dirty(repo).items():
        known = layout.kind_of(path) not in ("other", "projection") or _is_loose(path)
        if not known or status not in ("??", "A ", "AM", "AD"):
            continue
        if status == "??":
            data = _read_file(repo, path)
        else:
            data = repo.reader.blobs([journal.staged_blobs(repo, [path])[path]]).popitem()[1]
        if data is not None:
            found[path] = data
    return found


def _read_file(repo: Repo, path: str) -> bytes | None:
    try:
        return worktree.read(repo.root, path)
    except errors.MoltError:
        return None


def _is_loose(path: str) -> bool:
    """Whether it is Markdown at the top, which agents keep notes in as well."""
    return "/" not in path and path.endswith(".md")
