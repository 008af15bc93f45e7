"""No test depends on the machine: its git configuration, clock, zone or home."""

from __future__ import annotations

import compileall
import fcntl
import gc
import os
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from itertools import count
from pathlib import Path

import pytest
from copies import Copies, Copy
from hypothesis import HealthCheck, settings

from molt import surroundings

# A slow machine is no failure. Whether a change may land is no matter of luck: the same examples
# every time. `--hypothesis-profile=explore` looks for new ones; what it finds becomes an example.
settings.register_profile(
    "molt", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.register_profile(
    "explore", settings.get_profile("molt"), derandomize=False, max_examples=1000
)
settings.load_profile("molt")

Git = Callable[..., str]
# What is collected stays to the end: no search for garbage need look through it.
gc.disable()


# Ten times what one run holds at once.
_ROOM = 1 << 30


def pytest_configure(config: pytest.Config) -> None:
    """Compiles the package once, as an installation does, and what is installed, where it was
    copied without the times of its files: most tests start processes, and where Python is told to
    write no bytecode each of them would compile what it imports. What pytest makes of the tests
    is kept likewise: to make it takes each worker half of its start.
    """
    sys.dont_write_bytecode = False
    if hasattr(config, "workerinput"):
        return
    compileall.compile_dir(Path(__file__).parents[1] / "molt", quiet=2)
    compileall.compile_dir(sysconfig.get_path("purelib"), quiet=2)
    if "TMPDIR" not in os.environ and _has_files_in_memory():
        os.environ["TMPDIR"] = "/dev/shm"
        tempfile.tempdir = None  # asked for again


def _has_files_in_memory() -> bool:
    """Whether repositories can be made where no disk is written, and their hooks run there. Tests
    make some hundred files each, which can take a disk longer than all that is done with them.
    """
    if sys.platform != "linux" or not os.access("/dev/shm", os.W_OK | os.X_OK):
        return False
    found = os.statvfs("/dev/shm")
    return not found.f_flag & os.ST_NOEXEC and found.f_bavail * found.f_frsize >= _ROOM


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests come first: behind all others the workers would wait for the last."""
    items.sort(key=lambda item: "walk" not in item.path.parts)


def pytest_collection_finish() -> None:
    gc.freeze()
    # A search of what 700 allocations have left, as is usual, takes a fifth of what tests take.
    gc.set_threshold(50_000)
    gc.enable()


_numbers = count()


def _make_folder(tmp_path_factory: pytest.TempPathFactory, kind: str, name: str) -> Path:
    """A new folder. pytest's own way to make one looks through all that are there."""
    above = tmp_path_factory.getbasetemp() / kind
    if not above.exists():
        above.mkdir(mode=0o700)
        _spread_folders(above)
    folder = above / f"{name}{next(_numbers)}"
    folder.mkdir(mode=0o700)
    return folder


_GET_FLAGS, _SET_FLAGS, _TOP_FOLDER = 0x80086601, 0x40086602, 0x00020000
"""FS_IOC_GETFLAGS, FS_IOC_SETFLAGS and FS_TOPDIR_FL of Linux, where a `long` has 64 bits."""


def _spread_folders(above: Path) -> None:
    """Have ext4 put each new folder elsewhere, as `chattr +T` does; other file systems refuse.

    Without a journal, ext4 steps over each file that was deleted in the same place within five
    minutes before it makes one: 10 to 60 ms of CPU for the 75 files of a workspace instead of 2.
    """
    if sys.platform != "linux":
        return
    handle = os.open(above, os.O_RDONLY)
    try:
        flags = struct.unpack("l", fcntl.ioctl(handle, _GET_FLAGS, bytes(8)))[0]
        fcntl.ioctl(handle, _SET_FLAGS, struct.pack("l", flags | _TOP_FOLDER))
    except OSError:
        pass
    finally:
        os.close(handle)


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


@pytest.fixture
def tmp_path(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A folder for one test, which goes with it unless it fails."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder = _make_folder(tmp_path_factory, "tests", name)
    yield folder
    if not request.node.stash[_FAILED]:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def git_settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What git is told here: no housekeeping behind a test's back. A commit costs a third less
    where git starts no process that looks whether there is any to do.
    """
    path = tmp_path_factory.mktemp("git") / "config"
    path.write_text("[maintenance]\n\tauto = false\n[receive]\n\tautoGC = false\n")
    path.chmod(0o444)
    return path


_DAY, _EVENING = 86_400, 30
"""Seconds of a day, and of its end: hardly a test takes as long."""


def _pass_midnight() -> None:
    """Wait for the next day where one ends: what a test starts asks the system for the time, and
    would write to two days.
    """
    left = _DAY - time.time() % _DAY  # noqa: TID251 nothing that is tested is told of it
    if left < _EVENING:
        time.sleep(left)


@pytest.fixture(autouse=True)
def _hermetic(
    tmp_path_factory: pytest.TempPathFactory, git_settings: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    _pass_midnight()
    home = _make_folder(tmp_path_factory, "homes", "home")
    unset = ("GIT_", "MOLT_", "XDG_", "PRE_COMMIT", "CLAUDE", *surroundings.MARKS)
    for name in list(os.environ):
        if name.startswith(unset):
            monkeypatch.delenv(name)
    # What only a person does is done by one here; the tests of who acts start processes.
    monkeypatch.setattr(surroundings, "DECIDER", surroundings.PERSON)
    fixed = {
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": str(git_settings),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TEMPLATE_DIR": "",
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
    }
    for name, value in fixed.items():
        monkeypatch.setenv(name, value)
    yield
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def git() -> Git:
    """Runs git in a folder; gives what it prints, or fails with what it says."""

    def run(cwd: Path, *args: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", *args], cwd=cwd, capture_output=True, text=True, check=False, encoding="utf-8"
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Puts a copy of a repository at a path, as a function makes it."""
    return Copies(tmp_path_factory.mktemp("made"))
