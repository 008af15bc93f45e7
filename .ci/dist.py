"""Build the sdist and, from it, the wheel; check both; install each where nothing else is.

    python .ci/dist.py [--unreleased]

With `--unreleased` the version needs no section of its own in the changelog. What is good is left
in `dist/`; the first thing that is not ends it with status 1.
"""

from __future__ import annotations

import email
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable
from email.message import Message
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OUTSIDE = {"hooks": "molt/_data/hooks", "templates": "molt/_data/templates"}
"""Folders beside the package that the wheel takes into it."""


def main(args: list[str]) -> int:
    """Builds and checks; gives the exit status."""
    shutil.rmtree(DIST, ignore_errors=True)
    sdist, wheel = build()
    names, about = read_wheel(wheel)
    version = str(about["Version"])
    wrong = [
        *(f"{wheel.name}: {said}" for said in compare(names, expected_in_wheel(version))),
        *(f"{sdist.name}: {said}" for said in compare(read_sdist(sdist), expected_in_sdist())),
        *(f"{wheel.name}: {said}" for said in check_metadata(about)),
    ]
    if "--unreleased" not in args:
        wrong += check_changelog((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    for said in wrong:
        print(said, file=sys.stderr)
    if wrong:
        return 1
    if find_spec("twine"):
        subprocess.run(
            [sys.executable, "-m", "twine", "check", "--strict", sdist, wheel], check=True
        )
    for archive in (sdist, wheel):
        try_installed(archive, version)
        print(f"{archive.relative_to(ROOT)}: {archive.stat().st_size / 1e6:.1f} MB, good")
    return 0


def build() -> tuple[Path, Path]:
    """The sdist of the sources, and the wheel of what the sdist holds."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", DIST, ROOT], check=True)
    return next(DIST.glob("*.tar.gz")), next(DIST.glob("*.whl"))


def tracked(*folders: str) -> set[str]:
    """The files of some folders that are under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *folders], cwd=ROOT, capture_output=True, check=True
    )
    return {name for name in listed.stdout.decode().split("\0") if name}


def expected_in_wheel(version: str) -> set[str]:
    """Every file of the package and of what it takes in, and what says what it is."""
    names = tracked("molt")
    for folder, place in OUTSIDE.items():
        names |= {place + name.removeprefix(folder) for name in tracked(folder)}
    wheel = f"{PROJECT['project']['name'].replace('-', '_')}-{version}"
    about = f"{wheel}.dist-info"
    own = ("METADATA", "RECORD", "WHEEL")
    scripts = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-scripts"]
    licences = PROJECT["project"]["license-files"]
    return (
        names
        | {f"{about}/{name}" for name in own}
        | {f"{about}/licenses/{one}" for one in licences}
        | {f"{wheel}.data/scripts/{name}" for name in scripts.values()}
    )


def expected_in_sdist() -> set[str]:
    """The files that `pyproject.toml` names, and what a build adds."""
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    folders = [name.removeprefix("/") for name in included]
    return tracked(*folders, ".gitignore", "pyproject.toml") | {"PKG-INFO"}


def read_wheel(path: Path) -> tuple[set[str], Message]:
    """The files of a wheel, and its metadata."""
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        place = next(name for name in names if name.endswith(".dist-info/METADATA"))
        return names, email.message_from_bytes(archive.read(place))


def read_sdist(path: Path) -> set[str]:
    """The files of an sdist, below its one folder."""
    with tarfile.open(path) as archive:
        return {one.name.partition("/")[2] for one in archive if one.isfile()}


def compare(found: Iterable[str], expected: Iterable[str]) -> list[str]:
    """What is missing, and what is too much."""
    seen, wanted = set(found), set(expected)
    missing = [f"{name} is missing" for name in sorted(wanted - seen)]
    return missing + [f"{name} does not belong there" for name in sorted(seen - wanted)]


def check_metadata(about: Message) -> list[str]:
    """Where the metadata does not say what the project says."""
    project = PROJECT["project"]
    wanted = {
        "Name": project["name"],
        "Requires-Python": project["requires-python"],
        "License-Expression": project["license"],
        "Summary": project["description"],
        "Description-Content-Type": "text/markdown",
    }
    wrong = [f"{key} is {about[key]!r}" for key, value in wanted.items() if about[key] != value]
    asked = [
        str(line) for line in about.get_all("Requires-Dist", []) if "extra ==" not in str(line)
    ]
    if len(asked) != len(project["dependencies"]):
        wrong.append(f"it asks for {', '.join(asked)}")
    if "# molt" not in str(about.get_payload()):
        wrong.append("the description is not the README")
    return wrong


def check_changelog(text: str, version: str) -> list[str]:
    """Whether the changelog has a section for a version, below an empty one for the next."""
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    if titles[:1] != ["## Unreleased"]:
        return ["CHANGELOG.md: it does not begin with `## Unreleased`"]
    if not any(title.startswith(f"## {version} — ") for title in titles[1:2]):
        return [f"CHANGELOG.md: no section `## {version} — DATE` below `## Unreleased`"]
    return []


def try_installed(archive: Path, version: str) -> None:
    """Install an archive into a bare environment, and run it there."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "venv"
        venv.create(place, with_pip=True)
        bin_dir = place / ("Scripts" if os.name == "nt" else "bin")
        pip = [bin_dir / "python", "-m", "pip", "--disable-pip-version-check", "-q"]
        subprocess.run([*pip, "install", archive], check=True)
        subprocess.run([*pip, "check"], check=True)
        env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        env |= {"HOME": folder, "GIT_CONFIG_GLOBAL": os.devnull}
        for args in (["--version"], ["demo", "--json"]):
            done = subprocess.run(
                [bin_dir / "molt", *args], cwd=folder, env=env, capture_output=True, text=True
            )
            if done.returncode or (args == ["--version"] and version not in done.stdout):
                raise SystemExit(f"{archive.name}: molt {args[0]}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
