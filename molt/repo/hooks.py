"""Puts the hook files into a repository, and takes them out again."""

from __future__ import annotations

import os

from molt import errors, resources
from molt.repo import disk
from molt.repo.repository import Repo
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAMES = (
    *("prepare-commit-msg", "pre-commit", "commit-msg", "post-commit"),
    *("post-merge", "post-rewrite", "post-checkout", "pre-push", "applypatch-msg"),
)
STRICT = ("reference-transaction",)
SERVER = ("pre-receive",)
"""What a repository has that others push to, and only that."""
FRAMEWORK = ("prepare-commit-msg", "pre-commit", "commit-msg", "post-commit", "pre-push")
"""The hooks that the pre-commit framework offers; what the others do, every reader does too."""
MARKER = b"# molt hook: "
BEFORE = ".before-molt"


class HookStatus(Value):
    """One hook: `installed`, `outdated`, `absent`, `foreign`, `legacy` (kept by the pre-commit
    framework, which runs it first), or `framework` (run by what that is configured for).
    """

    name: str
    state: str
    chained: bool
    path: str


def install(folder: str, python: str, *, strict: bool = False) -> tuple[str, ...]:
    """Writes the hooks that are absent or outdated; returns the names of those written.

    A hook that was there before is kept beside it and runs first. Twice is once, and what was
    `strict` stays so. Raises Failed if the folder cannot be written.
    """
    return _write_hooks(folder, tuple(_list_names(folder, strict=strict)), python)


def _write_hooks(folder: str, names: Sequence[str], python: str) -> tuple[str, ...]:
    try:
        os.makedirs(folder, exist_ok=True)
        return tuple(name for name in names if _install_hook(folder, name, python))
    except OSError as error:
        said = f"cannot put hooks into {folder}: {error.strerror}"
        raise errors.Failed(said, "`git config core.hooksPath` says where git looks") from error


def install_server(folder: str, python: str) -> tuple[str, ...]:
    """Writes the hook of a server likewise. Raises Failed if the folder cannot be written."""
    return _write_hooks(folder, SERVER, python)


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
    # In two steps, for it must be a program before anybody finds it.
    fresh = disk.put_beside(path, text, durable=False)
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
    for name in (*NAMES, *STRICT, *SERVER):
        path = os.path.join(folder, name)
        for place in (path, f"{path}.legacy"):
            if is_ours(place):
                os.unlink(place)
                removed.append(name)
        if os.path.lexists(path + BEFORE) and not os.path.lexists(path):
            os.replace(path + BEFORE, path)
    return tuple(removed)


def status(folder: str, python: str, configuration: bytes = b"") -> tuple[HookStatus, ...]:
    """What is there for each hook, those of strict workspaces where they are installed.

    `configuration` is that of the pre-commit framework, if the repository has one.
    """
    strict = (name for name in STRICT if is_ours(os.path.join(folder, name)))
    found = (_read_status(folder, name, python) for name in (*NAMES, *strict))
    return tuple(
        one.replace(state="framework")
        if one.state == "foreign" and _is_framework(one.path) and has_id(configuration, one.name)
        else one
        for one in found
    )


def status_server(folder: str, python: str) -> tuple[HookStatus, ...]:
    """What is there for each hook of a server."""
    return tuple(_read_status(folder, name, python) for name in SERVER)


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


def is_ours(path: str) -> bool:
    """Whether a file is one of molt's hooks."""
    return MARKER in _read_hook(path)[:200]


def _read_hook(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


class ForeignHooks(Value):
    """Hooks that are not this clone's alone: which those are, what to do, and whether molt's own
    may be put there without asking, or all repositories of a person share them.
    """

    what: str
    hint: str
    is_shared: bool


def describe_foreign(repo: Repo) -> ForeignHooks | None:
    """Where git looks for hooks instead, if `core.hooksPath` makes it no private folder of this
    clone; None for a folder that molt may fill.

    Hooks that hold this machine's paths belong neither into a folder that is committed nor into
    one that all repositories of a person share.
    """
    folder = os.path.realpath(repo.hooks_dir())
    if folder.startswith(os.path.realpath(repo.common_dir) + os.sep):
        return None
    given = repo.run("config", "--get", "core.hooksPath", check=False).strip()
    said = f"git runs the hooks in {given} here (core.hooksPath)"
    place = os.path.join(repo.common_dir, "hooks")
    plain = os.path.join(repo.root, ".git", "hooks") == place
    # It imports `re`, and hardly any clone has such hooks.
    import shlex

    shown = ".git/hooks" if plain else shlex.quote(place)
    own = f"`git config core.hooksPath {shown} && molt hooks install` gives this clone its own"
    if not os.path.isdir(folder):
        return ForeignHooks(f"{said}, and there are none", own, is_shared=True)
    if not folder.startswith(os.path.realpath(repo.root) + os.sep):
        hint = f"{own}; `molt hooks install --force` puts molt's into the shared ones"
        return ForeignHooks(f"{said}, which other repositories share", hint, is_shared=True)
    if repo.git("check-ignore", "-q", os.path.join(folder, "pre-commit")).status == 0:
        return None
    call = '`molt hook-run NAME "$@"`'
    hint = f"call {call} from each of them, or `molt hooks install` puts molt's beside them"
    return ForeignHooks(f"{said}, which git keeps", hint, is_shared=False)


def calls_molt(folder: str, name: str) -> bool:
    """Whether a hook, ours or another, names molt."""
    return b"molt" in _read_hook(os.path.join(folder, name))


def _is_framework(path: str) -> bool:
    """Whether a hook is that of pre-commit or prek."""
    text = _read_hook(path)
    return b"File generated by pre-commit" in text or b"prek" in text


def has_id(configuration: bytes, name: str) -> bool:
    """Whether a configuration of the framework has molt's hook of a name run."""
    return f"id: molt-{name}".encode() in configuration.replace(b'"', b"").replace(b"'", b"")


def read_configuration(root: str) -> bytes:
    """The configuration of the pre-commit framework; empty where there is none."""
    every = (os.path.join(root, f".pre-commit-config.{end}") for end in ("yaml", "yml"))
    return b"".join(map(_read_hook, every))
