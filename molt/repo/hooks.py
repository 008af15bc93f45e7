"""Puts the hook files into a repository, and takes them out again."""

from __future__ import annotations

import os

from molt import errors, resources
from molt.repo import process
from molt.repo.repository import Repo
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = (
    *("prepare-commit-msg", "pre-commit", "commit-msg", "post-commit"),
    *("post-merge", "post-rewrite", "post-checkout", "pre-push"),
)
STRICT = ("reference-transaction",)
MARKER = b"# molt hook: "
BEFORE = ".before-molt"


class HookStatus(Value):
    """One hook: `installed`, `outdated`, `absent`, `foreign`, `legacy` (run by pre-commit)."""

    name: str
    state: str
    chained: bool
    path: str


def install(folder: str, python: str, *, strict: bool = False) -> tuple[str, ...]:
    """Writes the hooks that are absent or outdated; returns the names of those written.

    A hook that was there before is kept beside it and runs first. Twice is once, and what was
    `strict` stays so. Raises Failed if the folder cannot be written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        names = _list_names(folder, strict=strict)
        return tuple(name for name in names if _install_hook(folder, name, python))
    except OSError as error:
        said = f"cannot put hooks into {folder}: {error.strerror}"
        raise errors.Failed(said, "`git config core.hooksPath` says where git looks") from error


def _list_names(folder: str, *, strict: bool) -> Iterator[str]:
    yield from NAMES
    yield from (name for name in STRICT if strict or is_ours(os.path.join(folder, name)))


def _find_source(name: str) -> str:
    return os.path.join(resources.find("hooks"), name)


def _install_hook(folder: str, name: str, python: str) -> bool:
    path = os.path.join(folder, name)
    if not is_ours(path) and is_ours(f"{path}.legacy"):
        path = f"{path}.legacy"
    text = render_hook(name, python)
    if _read_hook(path) == text and os.access(path, os.X_OK):
        return False
    if os.path.lexists(path) and not is_ours(path):
        os.replace(path, path + BEFORE)
    fresh = f"{path}.{os.getpid()}.tmp"
    with open(fresh, "wb") as file:
        file.write(text)
    os.chmod(fresh, 0o755)  # noqa: S103 a hook is a program
    os.replace(fresh, path)
    return True


def render_hook(name: str, python: str) -> bytes:
    """The text of a hook file, with the interpreter and the module filled in."""
    with open(_find_source(name), "rb") as file:
        text = file.read().replace(b"\r\n", b"\n")
    module = os.path.join(resources.package_folder(), "githooks", "__main__.py")
    return text.replace(b"@PYTHON@", _quote_path(python)).replace(b"@MODULE@", _quote_path(module))


def _quote_path(path: str) -> bytes:
    """A path for single quotes in sh, with forward slashes on Windows."""
    if os.sep == "\\":
        path = path.replace("\\", "/")
    return os.fsencode(path.replace("'", "'\\''"))


def uninstall(folder: str) -> tuple[str, ...]:
    """Removes our hooks and puts those back that were there before; returns the names."""
    removed = []
    for name in (*NAMES, *STRICT):
        path = os.path.join(folder, name)
        for place in (path, f"{path}.legacy"):
            if is_ours(place):
                os.unlink(place)
                removed.append(name)
        if os.path.lexists(path + BEFORE) and not os.path.lexists(path):
            os.replace(path + BEFORE, path)
    return tuple(removed)


def status(folder: str, python: str) -> tuple[HookStatus, ...]:
    """What is there for each hook, those of strict workspaces where they are installed."""
    strict = (name for name in STRICT if is_ours(os.path.join(folder, name)))
    return tuple(_read_status(folder, name, python) for name in (*NAMES, *strict))


def _read_status(folder: str, name: str, python: str) -> HookStatus:
    path = os.path.join(folder, name)
    if is_ours(path):
        good = _read_hook(path) == render_hook(name, python) and os.access(path, os.X_OK)
        state = "installed" if good else "outdated"
    elif is_ours(f"{path}.legacy"):
        state = "legacy"
    else:
        state = "foreign" if os.path.lexists(path) else "absent"
    return HookStatus(name, state, os.path.lexists(path + BEFORE), path)


def calls_molt(folder: str, name: str) -> bool:
    """Whether a hook, ours or another, names molt."""
    return b"molt" in _read_hook(os.path.join(folder, name))


def is_ours(path: str) -> bool:
    """Whether a file is one of molt's hooks."""
    return MARKER in _read_hook(path)[:200]


def _read_hook(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


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
