"""git's merge driver `molt` in a clone: what runs it, and the files that it merges."""

from __future__ import annotations

import os

from molt import errors, resources
from molt.formats import merge
from molt.repo import process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

_KEY = "merge.molt"
_BEGIN, _END = "# molt: merged by meaning; `molt hooks uninstall` takes this out\n", "# molt: end\n"
# git starts a driver that is gone in silence, and leaves ours without a marker: whoever commits
# that drops the other side. So what cannot run gives way to git's own merge of lines.
_COMMAND = (
    "if [ -x @PYTHON@ ] && [ -f @MODULE@ ]; then"
    " @PYTHON@ -I -S @MODULE@ merge-driver %O %A %B %L %P; else"
    " echo 'molt: the merge driver is gone, so git merges by line;"
    " `molt hooks install` repairs it' >&2; false; fi;"
    " s=$?; case $s in 0|3) exit $s;; esac;"
    " git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B"
)


def command(python: str) -> str:
    """What git runs, by sh; a `%` that is part of a path is doubled."""
    module = os.path.join(resources.package_folder(), "githooks", "__main__.py")
    text = _COMMAND.replace("@PYTHON@", _quoted(python))
    return text.replace("@MODULE@", _quoted(module))


def _quoted(path: str) -> str:
    if os.sep == "\\":
        path = path.replace("\\", "/")
    return "'" + path.replace("'", "'\\''").replace("%", "%%") + "'"


def install(repo: Repo, python: str) -> bool:
    """Configure the driver in this clone; gives whether anything changed. Raises Failed.

    The files that it merges are named by the attributes that are committed, or where those say
    nothing by the clone's own, which need no commit; what somebody has chosen otherwise stays.
    """
    done = False
    for key, value in (("name", "molt, by meaning"), ("driver", command(python))):
        if _configured(repo, key) != value:
            repo.set_config(f"{_KEY}.{key}", value)
            done = True
    before = _text(repo)
    own = _without(before)
    if before != own and _unnamed(repo):
        # What is there is of another version.
        _write(repo, own)
    fresh = _unnamed(repo)
    if fresh:
        rows = "".join(f"{pattern} merge=molt\n" for pattern in fresh)
        gap = "\n" if own and not own.endswith("\n") else ""
        _write(repo, f"{own}{gap}{_BEGIN}{rows}{_END}")
    return done or bool(fresh)


def uninstall(repo: Repo) -> bool:
    """Take the driver out of this clone; gives whether it was there. Raises Failed."""
    there = _configured(repo, "driver") is not None
    if there:
        repo.run("config", "--local", "--remove-section", _KEY)
    before = _text(repo)
    if before != _without(before):
        _write(repo, _without(before))
    return there or before != _without(before)


def state(repo: Repo, python: str) -> str:
    """`installed`, `outdated` where it runs another program or misses files, or `absent`."""
    found = _configured(repo, "driver")
    if found is None:
        return "absent"
    return "installed" if found == command(python) and not _unnamed(repo) else "outdated"


def _configured(repo: Repo, key: str) -> str | None:
    args = (*process.GIT, "config", "--local", "--null", "--get", f"{_KEY}.{key}")
    status, out, _ = process.call(args, cwd=repo.root)
    return None if status else out.decode("utf-8", "surrogateescape").rstrip("\0")


def _unnamed(repo: Repo) -> list[str]:
    """The patterns for whose files no attribute names a merge driver."""
    samples = {pattern: _sample(pattern) for pattern in merge.PATTERNS}
    out = repo.run("check-attr", "-z", "merge", "--", *samples.values())
    words = out.split("\0")
    said = dict(zip(words[::3], words[2::3], strict=False))
    return [pattern for pattern, path in samples.items() if said.get(path) == "unspecified"]


def _sample(pattern: str) -> str:
    """A path that a pattern matches."""
    return pattern.replace("[0-9]", "0").replace("**/*", "a").replace("*", "a")


def _path(repo: Repo) -> str:
    return os.path.join(repo.common_dir, "info", "attributes")


def _text(repo: Repo) -> str:
    try:
        with open(_path(repo), encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _without(text: str) -> str:
    """The attributes without those that molt has put there."""
    before, begun, rest = text.partition(_BEGIN)
    return before + rest.partition(_END)[2] if begun else text


def _write(repo: Repo, text: str) -> None:
    path = _path(repo)
    fresh = f"{path}.molt-{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(fresh, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
        os.replace(fresh, path)
    except OSError as error:
        raise errors.Failed(f"cannot write {path}: {error.strerror}") from error
