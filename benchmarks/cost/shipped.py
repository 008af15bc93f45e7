"""What a user gets: the wheel, installed into a bare virtual environment, and nothing beside it."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
CACHE = Path(os.environ.get("MOLT_BENCH_CACHE") or ROOT / ".venv-bench")
NAME = "molt-memory"
BARE = frozenset({"pip", "setuptools", "wheel"})
"""What `python -m venv` brings, by the Python: no part of what ships, and of no size here."""


class Shipped(NamedTuple):
    """An environment that holds a wheel with some extras, and what the wheel asks for."""

    folder: Path
    wheel: str
    extras: tuple[str, ...] = ()

    @property
    def python(self) -> str:
        return str(self.folder / "bin/python")

    @property
    def molt(self) -> str:
        return str(self.folder / "bin/molt")

    @property
    def label(self) -> str:
        """What a row says of it."""
        return " + ".join(("shipped", *self.extras))

    def describe(self) -> str:
        """What it is, in one line."""
        versions = {_name(one): one.version for one in self.installed()}
        parts = [name for name in ("apsw", "numpy", "pygit2") if name in versions]
        named = ", ".join(f"{name} {versions[name]}" for name in parts)
        python = ".".join(map(str, sys.version_info[:3]))
        git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True)
        return (
            f"{self.label}: wheel {self.wheel} of {NAME} {versions[NAME]} in a bare environment; "
            f"Python {python}, {git.stdout.strip()}, {named}"
        )

    def installed(self) -> list[Distribution]:
        """The packages in it but those of a bare environment."""
        packages = next(self.folder.glob("lib/python*/site-packages"))
        found = distributions(path=[str(packages)])
        return [one for one in found if _name(one) not in BARE]

    def size(self) -> float:
        """What the packages take on disk, compiled, in MB."""
        found = (one.locate_file(path) for one in self.installed() for path in one.files or ())
        files = (Path(str(file)) for file in found)
        return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def _name(package: Distribution) -> str:
    return canonicalize_name(package.name)


def prepare(extras: tuple[str, ...] = ()) -> Shipped:
    """The environment of the sources as they are; one that was made of the same wheel is kept."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as build:
        wheel = build_wheel(Path(build))
        mark = hashlib.sha256(wheel.read_bytes()).hexdigest()[:10]
        folder = CACHE / "-".join((mark, *extras))
        if not (folder / "whole").exists():
            _forget_others(mark)
            _install(wheel, folder, extras)
    made = Shipped(folder, mark, extras)
    if wrong := find_differences(made):
        raise SystemExit(f"{folder} is not what ships: {'; '.join(wrong)}; remove it and try again")
    return made


def build_wheel(folder: Path) -> Path:
    """The wheel of the sources, in a folder."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "-qq"]
    subprocess.run([*pip, "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True)
    return next(folder.glob("*.whl"))


def _forget_others(mark: str) -> None:
    """Remove the environments of other wheels: one is some hundred megabytes."""
    for folder in CACHE.glob("*/whole"):
        if not folder.parent.name.startswith(mark):
            shutil.rmtree(folder.parent)


def _install(wheel: Path, folder: Path, extras: tuple[str, ...]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    what = f"{wheel}[{','.join(extras)}]" if extras else str(wheel)
    # pip compiles what it installs, as it does for a user.
    pip = [str(folder / "bin/pip"), "--disable-pip-version-check", "install", "-qq"]
    subprocess.run([*pip, what], check=True)
    (folder / "whole").touch()


def find_differences(made: Shipped) -> list[str]:
    """What is there beside the wheel and what it asks for, what is missing, and what was edited."""
    known = {_name(one): one for one in made.installed()}
    if NAME not in known:
        return [f"{NAME} is missing"]
    wanted = set(_find_wanted(NAME, known, made.extras))
    found = [f"{name} is too much" for name in sorted(known.keys() - wanted)]
    found += [f"{name} is missing" for name in sorted(wanted - known.keys())]
    return found + [f"{path} was edited" for path in _find_edited(known[NAME])]


def _find_wanted(
    name: str, known: dict[str, Distribution], extras: tuple[str, ...] = ()
) -> Iterator[str]:
    """A package and all that it asks for, here and now."""
    pending, seen = [(name, ("", *extras))], set[str]()
    while pending:
        name, chosen = pending.pop()
        if name in seen and chosen == ("",):
            continue
        seen.add(name)
        yield name
        for line in (known[name].requires or ()) if name in known else ():
            asked = Requirement(line)
            marker = asked.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in chosen):
                pending.append((str(canonicalize_name(asked.name)), ("", *sorted(asked.extras))))


def _find_edited(package: Distribution) -> Iterator[str]:
    for path in package.files or ():
        if path.hash:
            data = Path(str(package.locate_file(path))).read_bytes()
            digest = hashlib.new(path.hash.mode, data).digest()
            if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != path.hash.value:
                yield str(path)


def environment(home: Path) -> dict[str, str]:
    """The variables of a user who has set nothing."""
    mine = ("GIT_", "MOLT_", "PYTHON", "XDG_", "VIRTUAL_ENV", "LC_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(mine)}
    who = {f"GIT_{role}_NAME": "Bench" for role in ("AUTHOR", "COMMITTER")}
    mail = {f"GIT_{role}_EMAIL": "bench@example.org" for role in ("AUTHOR", "COMMITTER")}
    own = {"HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return {**kept, **who, **mail, **own, "LANG": "C.UTF-8"}
