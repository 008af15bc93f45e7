"""git's merge driver `molt` in a clone: what runs it, and the files that it merges."""

from __future__ import annotations

import os
import sys

from molt import errors, resources
from molt.formats import merge, paths
from molt.repo import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.repository import Repo

_KEY = "merge.molt"
_UNSAID = "unspecified"
_PLAIN = (paths.TOMBSTONES,)
"""Files that molt writes line by line, and that a clone must not give other line ends."""
_BEGIN, _END = "# molt: merged by meaning; `molt hooks uninstall` takes this out\n", "# molt: end\n"
# git starts a driver that is gone in silence, and leaves ours without a marker: whoever commits
# that drops the other side. So what cannot run gives way to git's own merge of lines, and only the
# two statuses that no other program gives say that the driver has done its work.
_COMMAND = (
    "if [ -x @PYTHON@ ] && [ -f @MODULE@ ]; then"
    " @PYTHON@ -I -S @MODULE@ merge-driver %O %A %B %L %P; else"
    " echo 'molt: the merge driver is gone, so git merges by line;"
    " `molt hooks install` repairs it' >&2; false; fi;"
    " case $? in 10) exit 0;; 11) exit 1;; esac;"
    " @MERGE@"
)
_MERGE_FILE = "git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B"
_BY_LINE = "MOLT_MERGE_BY_LINE"
_USUAL = (
    *("merge.default=text", "merge.renormalize=false", "merge.renames=true"),
    *("merge.directoryRenames=conflict", "diff.algorithm=default", "diff.renameLimit=1000"),
    *("merge.renameLimit=7000", "merge.conflictStyle=merge"),
)
"""How git merges that nobody has told otherwise."""


def render_command(python: str) -> str:
    """What git runs, by sh; a `%` that is part of a path is doubled."""
    module = os.path.join(resources.package_folder(), "githooks", "__main__.py")
    command = _COMMAND.replace("@MERGE@", _MERGE_FILE)
    text = command.replace("@PYTHON@", _quote_path(python))
    return text.replace("@MODULE@", _quote_path(module))


def _quote_path(path: str) -> str:
    if os.sep == "\\":
        path = path.replace("\\", "/")
    return "'" + path.replace("'", "'\\''").replace("%", "%%") + "'"


def merge_heads(repo: Repo, heads: Sequence[str]) -> tuple[str, bool]:
    """What `Repo.merge` gives where what two clones wrote is merged by meaning, and all else by
    line, whatever the clone that asks is told of merging: so each finds the same. Of what its
    configuration names nothing is run, for to judge a history starts no program that it chooses.
    """
    attributes = resources.find("templates/workspace/gitattributes")
    driver = f"{_KEY}.driver={render_command(sys.executable)}"
    fixed = (f"core.attributesFile={attributes}", driver, *_USUAL)
    words = [word for setting in fixed for word in ("-c", setting)]
    # A name can hold `=`, behind which `-c` would look for the value.
    others = [name for name in repo.merge_drivers() if f"merge.{name}" != _KEY]
    words += [f"--config-env=merge.{name}.driver={_BY_LINE}" for name in others]
    return repo.merge(heads, *words, env={_BY_LINE: _MERGE_FILE} if others else None)


def install(repo: Repo, python: str) -> bool:
    """Configure the driver in this clone; gives whether anything changed. Raises Failed.

    The files that it merges are named by the attributes that are committed, or where those say
    nothing by the clone's own, which need no commit; what somebody has chosen otherwise stays.
    """
    done = False
    for key, value in (("name", "molt, by meaning"), ("driver", render_command(python))):
        if _read_config(repo, key) != value:
            repo.set_config(f"{_KEY}.{key}", value)
            done = True
    before = _read_attributes(repo)
    own = _strip_block(before)
    if before != own and _find_unnamed(repo):
        # What is there is of another version.
        _write_attributes(repo, own)
    fresh = _find_unnamed(repo)
    if fresh:
        rows = "".join(f"{row}\n" for row in fresh)
        gap = "\n" if own and not own.endswith("\n") else ""
        _write_attributes(repo, f"{own}{gap}{_BEGIN}{rows}{_END}")
    return done or bool(fresh)


def uninstall(repo: Repo) -> bool:
    """Take the driver out of this clone; gives whether it was there. Raises Failed."""
    there = _read_config(repo, "driver") is not None
    if there:
        repo.run("config", "--local", "--remove-section", _KEY)
    before = _read_attributes(repo)
    if before != _strip_block(before):
        _write_attributes(repo, _strip_block(before))
    return there or before != _strip_block(before)


def read_state(repo: Repo, python: str) -> str:
    """`installed`, `outdated` where it runs another program or misses files, or `absent`."""
    found = _read_config(repo, "driver")
    if found is None:
        return "absent"
    return (
        "installed" if found == render_command(python) and not _find_unnamed(repo) else "outdated"
    )


def _read_config(repo: Repo, key: str) -> str | None:
    output = repo.git("config", "--local", "--null", "--get", f"{_KEY}.{key}")
    return None if output.status else output.text.rstrip("\0")


def _find_unnamed(repo: Repo) -> list[str]:
    """The lines of attributes that are lacking: for files that no attribute names a merge driver
    for, and for one that is no Markdown and must keep its bytes, which older workspaces do not say.
    """
    samples = {pattern: _make_sample(pattern) for pattern in merge.PATTERNS}
    out = repo.run("check-attr", "-z", "merge", "text", "--", *samples.values())
    words = out.split("\0")
    said = dict(zip(zip(words[::3], words[1::3], strict=False), words[2::3], strict=False))
    unnamed = [one for one, path in samples.items() if said.get((path, "merge")) == _UNSAID]
    plain = [one for one in _PLAIN if said.get((samples[one], "text")) == _UNSAID]
    return [*(f"{one} -text" for one in plain), *(f"{one} merge=molt" for one in unnamed)]


def _make_sample(pattern: str) -> str:
    """A path that a pattern matches."""
    return pattern.lstrip("/").replace("[0-9]", "0").replace("**/*", "a").replace("*", "a")


def _attributes_path(repo: Repo) -> str:
    return os.path.join(repo.common_dir, "info", "attributes")


def _read_attributes(repo: Repo) -> str:
    try:
        with open(
            _attributes_path(repo), encoding="utf-8", errors="surrogateescape", newline=""
        ) as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _strip_block(text: str) -> str:
    """The attributes without those that molt has put there."""
    before, begun, rest = text.partition(_BEGIN)
    return before + rest.partition(_END)[2] if begun else text


def _write_attributes(repo: Repo, text: str) -> None:
    path = _attributes_path(repo)
    try:
        disk.replace_file(path, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise errors.Failed(f"cannot write {path}: {error.strerror}") from error
