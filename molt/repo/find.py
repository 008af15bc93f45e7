"""The repository that a folder is in, found or made."""

from __future__ import annotations

import os

from molt import errors
from molt.repo import process
from molt.repo.repository import Repo

_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES")
_SPECIAL = (b"worktree", b"extensions", b"include", b"bare = true", b"bare=true")


def _find_plain_repo(start: str) -> Repo | None:
    """The repository that a folder is in, where that is plain to see; None where git must tell."""
    if any(name in os.environ for name in _ELSEWHERE):
        return None
    root = os.path.realpath(start)
    device = os.lstat(root).st_dev
    while not os.path.lexists(git_dir := os.path.join(root, ".git")):
        above = os.path.dirname(root)
        if above == root or os.lstat(above).st_dev != device:
            return None
        root = above
    try:
        with open(os.path.join(git_dir, "config"), "rb") as file:
            settings = file.read().lower()
    except OSError:
        return None
    shared = os.path.exists(os.path.join(git_dir, "commondir"))
    # git refuses to work in a folder of somebody else, and says it better.
    foreign = os.stat(git_dir).st_uid != os.geteuid() or os.stat(root).st_uid != os.geteuid()
    if shared or foreign or any(word in settings for word in _SPECIAL):
        return None
    return Repo(root, git_dir, git_dir)


def find_repo(start: str) -> Repo:
    """The repository that a folder is in. Raises NotFound, or Failed if molt cannot work there."""
    args = ("rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir")
    more = ("--show-object-format", "--is-bare-repository")
    if not os.path.isdir(start):
        raise errors.NotFound(f"no such folder: {start}", "`molt init` makes a workspace")
    plain = _find_plain_repo(start)
    if plain is not None:
        return plain
    output = process.git(start, *args, *more)
    status, said = output.status, output.said
    if status and "must be run in a work tree" in said:
        raise errors.Failed(f"{start} is a bare repository", "clone it and work in the clone")
    if "not a git repository" in said:
        raise errors.NotFound(f"{start}: {said}", "`molt init` makes a workspace")
    if status:
        # One that a signal ends says nothing.
        said = said or f"git rev-parse ended with status {status}"
        raise errors.Failed(f"{start}: {said}", f"`git -C {start} status` tells more")
    root, git_dir, common, form = output.text.split("\n")[:4]
    if form != "sha1":
        raise errors.Failed(
            f"{root} stores its objects as {form}, which libgit2 cannot read",
            "make the workspace with `git init --object-format=sha1`",
        )
    return Repo(root, git_dir, os.path.normpath(os.path.join(start, common)))


_OF_A_COMMIT = ("GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES")


def leave_hook(start: str) -> None:
    """Forget the commit whose hook has started us, and its repository where `start` has its own.

    git's variables win over the folder in which a command is told to work, so a hook of one
    repository that remembers something in another would write into its own.
    """
    for name in _OF_A_COMMIT:
        os.environ.pop(name, None)
    tree = os.environ.get("GIT_WORK_TREE")
    inside = tree and f"{os.path.realpath(start)}/".startswith(f"{os.path.realpath(tree)}/")
    if "GIT_DIR" not in os.environ or inside:
        return
    kept = {name: os.environ.pop(name) for name in _ELSEWHERE if name in os.environ}
    try:
        find_repo(start)
    except errors.MoltError:
        os.environ.update(kept)


def here() -> Repo:
    """The repository of the current folder, where git runs its hooks. Raises what `find` does."""
    root = os.getcwd()
    plain = os.path.join(root, os.environ.get("GIT_DIR") or ".git")
    # A work tree beside the first has a `commondir`; only git knows what it shares.
    if os.path.isdir(plain) and not os.path.exists(os.path.join(plain, "commondir")):
        return Repo(root, plain, plain)
    return find_repo(root)


def find_server(path: str) -> Repo:
    """The repository at `path` that others push to, bare or not; its folder is where it works.
    Raises NotFound, or Failed if molt cannot work there.
    """
    if not os.path.isdir(path):
        raise errors.NotFound(f"no such folder: {path}", "`git init --bare DIR` makes a repository")
    for name in (*_ELSEWHERE, *_OF_A_COMMIT):
        os.environ.pop(name, None)
    args = ("rev-parse", "--absolute-git-dir", "--git-common-dir", "--show-object-format")
    output = process.git(path, *args)
    if output.status:
        raise errors.NotFound(f"{path}: {output.said}", "`git init --bare DIR` makes a repository")
    git_dir, common, form = output.text.split("\n")[:3]
    common = os.path.normpath(os.path.join(path, common))
    if os.path.realpath(path) not in map(os.path.realpath, (git_dir, os.path.dirname(git_dir))):
        hint = f"name it, or make one: `git init --bare {path}`"
        raise errors.NotFound(f"{path} is a folder in the repository {git_dir}", hint)
    if form != "sha1":
        said = f"{path} stores its objects as {form}, which libgit2 cannot read"
        raise errors.Failed(said, "make it with `git init --bare --object-format=sha1`")
    return Repo(git_dir, git_dir, common)


def name_path(root: str, start: str, named: str) -> str:
    """The path from the top of the work tree `root` of a file that a person in the folder `start`
    names: from there, as git takes it, or from the top, as molt shows it, where only that is there.
    What lies outside comes back as it is.
    """
    folder, name = os.path.split(os.path.join(start, named.rstrip("/")))
    full = os.path.normpath(os.path.join(os.path.realpath(folder), name))
    path = os.path.relpath(full, os.path.realpath(root)).replace(os.sep, "/")
    outside = path.split("/")[0] in (os.curdir, os.pardir)
    shown = not os.path.lexists(full) and os.path.lexists(os.path.join(root, named))
    return named.rstrip("/") if outside or shown else path


def name_ref(root: str, start: str, ref: str) -> str:
    """What a person calls a memory, with the file that it names or cites as `name_path` has it; as
    it is where that is no file.
    """
    named, mark, lines = ref.partition("#L")
    path = name_path(root, start, named)
    return f"{path}{mark}{lines}" if os.path.isfile(os.path.join(root, path)) else ref


def init(path: str, branch: str = "main") -> Repo:
    """A new repository, with the object format that libgit2 reads."""
    os.makedirs(path, exist_ok=True)
    args = ("init", "-q", "--object-format=sha1", f"--initial-branch={branch}", path)
    # With these `git init` would make a repository somewhere else.
    for name in _ELSEWHERE:
        os.environ.pop(name, None)
    # The option for it came with git 2.45; older ones know no other format.
    process.git(os.curdir, *args, env={"GIT_DEFAULT_REF_FORMAT": "files"}).require()
    return find_repo(path)
