"""What molt has put into a clone, and whether git runs it: the hooks and the merge driver."""

from __future__ import annotations

from molt import errors
from molt.memory.clone.problems import Problem, show_path
from molt.repo import find, hooks, ignores, merge_driver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.repo.hooks import HookStatus
    from molt.repo.repository import Repo

_DRIVER = "merge driver"


def install(repo: Repo, python: str, *, strict: bool, force: bool) -> tuple[str, ...]:
    """Put the hooks and the merge driver into a clone; gives the names of what was not there yet.

    Raises Failed for a folder of hooks that other repositories share, unless it is told to `force`.
    """
    foreign = None if force else hooks.describe_foreign(repo)
    if foreign is not None and foreign.is_shared:
        raise errors.Failed(foreign.what, foreign.hint)
    done = hooks.install(repo.hooks_dir(), python, strict=strict)
    ignores.exclude_projections(repo)
    return done + (_DRIVER,) * merge_driver.install(repo, python)


def install_server(folder: str, python: str) -> tuple[str, ...]:
    """Put the hook of a server into the repository at `folder`; gives the names of what was not
    there yet. Raises NotFound where there is none, Failed where it cannot be written.
    """
    return hooks.install_server(find.find_server(folder).hooks_dir(), python)


def uninstall_server(folder: str) -> tuple[str, ...]:
    """Take it out again; gives the names of what was there."""
    return hooks.uninstall(find.find_server(folder).hooks_dir())


def read_server(folder: str, python: str) -> tuple[HookStatus, ...]:
    """What is there for each hook of a server."""
    return hooks.status_server(find.find_server(folder).hooks_dir(), python)


def uninstall(repo: Repo) -> tuple[str, ...]:
    """Take both out of a clone; gives the names of what was there."""
    return hooks.uninstall(repo.hooks_dir()) + (_DRIVER,) * merge_driver.uninstall(repo)


def read_hooks(repo: Repo, python: str) -> tuple[HookStatus, ...]:
    """What is there for each hook, those included that the pre-commit framework runs."""
    return hooks.status(repo.hooks_dir(), python, hooks.read_configuration(repo.root))


def runs_hooks(repo: Repo) -> bool:
    """Whether git, or a framework that it calls, runs any of molt's hooks in a clone."""
    folder = repo.hooks_dir()
    if any(hooks.calls_molt(folder, name) for name in hooks.NAMES):
        return True
    configuration = hooks.read_configuration(repo.root)
    return any(hooks.has_id(configuration, name) for name in hooks.FRAMEWORK)


def check_hooks(repo: Repo, python: str, *, fix: bool) -> Iterator[Problem]:
    """Hooks that are missing or outdated; those of other tools stay as they are."""
    folder = repo.hooks_dir()
    foreign = hooks.describe_foreign(repo)
    if foreign is not None:
        if not any(hooks.calls_molt(folder, name) for name in hooks.NAMES):
            said = f"{foreign.what}; none of them runs molt"
            yield Problem(said, show_path(repo, folder), foreign.hint, "warning")
        return
    configuration = hooks.read_configuration(repo.root)
    found = hooks.status(folder, python, configuration)
    if any(hooks.has_id(configuration, name) for name in hooks.FRAMEWORK):
        yield from _check_framework(configuration, found)
        return
    bad = [one for one in found if one.state not in ("installed", "legacy")]
    if not bad:
        return
    if fix:
        hooks.install(folder, python)
    # A workspace without any was made so, with `molt init --no-hooks`.
    severity = "warning" if all(one.state == "absent" for one in found) else "error"
    said = "hooks that do not run: " + ", ".join(f"{one.name} ({one.state})" for one in bad)
    yield Problem(said, show_path(repo, folder), "`molt hooks install`", severity, fix)


def _check_framework(configuration: bytes, found: Sequence[HookStatus]) -> Iterator[Problem]:
    """What the pre-commit framework lacks to run all that it offers of molt."""
    where = ".pre-commit-config.yaml"
    lacking = [name for name in hooks.FRAMEWORK if not hooks.has_id(configuration, name)]
    if lacking:
        names = ", ".join(f"molt-{name}" for name in lacking)
        hint = f"`- id: molt-{lacking[0]}` below molt's `hooks:`; docs/git.md has all five"
        yield Problem(f"it does not name {names}", where, hint, "warning")
    running = {one.name for one in found if one.state not in ("absent", "foreign", "outdated")}
    stopped = [name for name in hooks.FRAMEWORK if name not in (*running, *lacking)]
    if stopped:
        hint = f"`pre-commit install {' '.join(f'-t {name}' for name in stopped)}`"
        yield Problem(f"it names molt, and nothing runs {', '.join(stopped)}", where, hint)


def check_driver(repo: Repo, python: str, *, fix: bool) -> Iterator[Problem]:
    """A merge driver that this clone lacks: what two clones wrote on one day would conflict."""
    found = merge_driver.read_state(repo, python)
    if found == "installed":
        return
    if fix:
        merge_driver.install(repo, python)
    said = f"the merge driver is {found}: what two clones wrote conflicts"
    yield Problem(said, "git config merge.molt.driver", "`molt hooks install`", "warning", fix)
