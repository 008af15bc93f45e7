"""A package like molt's own, with the module that finds what it holds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from house import ROOT

SEEN = """
import sys
sys.path.insert(0, {root!r})
from molt.room import thing
import molt.room
print(thing.SAID, type(thing.__spec__.loader).__name__, type(molt.room.__spec__.loader).__name__)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name, text in {
        "__init__.py": (ROOT / "molt/__init__.py").read_text(),
        "imports.py": (ROOT / "molt/imports.py").read_text(),
        "room/__init__.py": "",
        "room/thing.py": "SAID = 1\n",
    }.items():
        path = tmp_path / "molt" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def see(root: Path, *options: str, code: str = SEEN, **variables: str) -> list[str]:
    """What a new Python says that imports the package, and writes down what it compiles."""
    args = [sys.executable, "-E", *options, "-c", code.format(root=str(root))]
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(args, capture_output=True, text=True, env={**kept, **variables})
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_module_is_found_where_python_has_compiled_it(package: Path) -> None:
    assert see(package) == ["1", "SourceFileLoader", "SourceFileLoader"]
    assert see(package) == ["1", "_Loader", "_Loader"]


def test_a_package_is_what_python_makes_of_it(package: Path) -> None:
    code = (
        SEEN
        + """
spec = molt.room.__spec__
print(molt.room.__path__, molt.room.__package__, molt.room.__file__, molt.room.__cached__)
print(spec.submodule_search_locations, spec.parent, spec.origin, spec.has_location)
"""
    )
    first, second = see(package, code=code), see(package, code=code)
    assert (first[2], second[2]) == ("SourceFileLoader", "_Loader")
    assert first[3:] == second[3:]


@pytest.mark.parametrize("later", [0, 5])
def test_what_was_edited_since_is_compiled_anew(package: Path, later: int) -> None:
    see(package)
    source = package / "molt/room/thing.py"
    time = source.stat().st_mtime + later
    source.write_text("SAID = 2\n" if later else "SAID = 22\n")
    os.utime(source, (time, time))
    assert see(package)[1] == "SourceFileLoader"
    assert see(package) == ["2" if later else "22", "_Loader", "_Loader"]


def test_python_looks_itself_where_it_was_told_to_compile_otherwise(package: Path) -> None:
    for _ in range(2):
        assert see(package, "-O")[1] == "SourceFileLoader"
        assert (
            see(package, "-X", f"pycache_prefix={package / 'elsewhere'}")[1] == "SourceFileLoader"
        )


def test_a_package_that_was_moved_names_its_files_where_they_are(package: Path) -> None:
    see(package)
    package.joinpath("other").mkdir()
    package.joinpath("molt").rename(package / "other/molt")
    code = f"{SEEN}\nprint(compile.__name__, thing.__file__, thing.say.__code__.co_filename)"
    source = package / "other/molt/room/thing.py"
    source.write_text("SAID = 1\ndef say(): pass\n")
    place = str(source)
    for _ in range(2):
        assert see(package / "other", code=code)[-2:] == [place, place]
    package.joinpath("last").mkdir()
    package.joinpath("other/molt").rename(package / "last/molt")
    place = str(package / "last/molt/room/thing.py")
    for _ in range(2):
        assert see(package / "last", code=code)[-2:] == [place, place]
