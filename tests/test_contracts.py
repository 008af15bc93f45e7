"""Each contract of `pyproject.toml` is kept, and broken by every import that it is there against.

The imports of the package are read once; a deliberate violation is one import more.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from importlib.util import find_spec
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import grimp
import pytest
from house import ROOT, modules
from importlinter import Contract, api
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

Options = dict[str, Any]
Edge = tuple[str, str]  # who imports, and what

CONFIGURATION = api.read_configuration(str(ROOT / "pyproject.toml"))
CONTRACTS: list[Options] = CONFIGURATION["contracts_options"]
# For each contract, a line that somebody might write one day, and where.
LINES = {
    "rooms import downwards only": ("molt/formats/lines.py", "from molt import cli"),
    "memory: doors above what they call": (
        "molt/memory/provenance/audit.py",
        "from molt.memory.answers import get",
    ),
    "index: filled, searched, provided, read": ("molt/index/db.py", "from molt.index import fill"),
    "repo: writes above reads": ("molt/repo/objects.py", "from molt.repo import find"),
    "policy: rules above their engine": ("molt/policy/engine.py", "from molt.policy import rules"),
    "cli: commands above what they share": ("molt/cli/output.py", "from molt.cli import app"),
    "commands do not know each other": ("molt/cli/commands/find/get.py", "from . import search"),
    "no cycles between the modules of a room": (
        "molt/formats/lines.py",
        "from molt.formats import sections",
    ),
    "policy and formats reach nothing outside, by no road": (
        "molt/values.py",
        "def late() -> None:\n    import subprocess",
    ),
    "policy and formats open no files themselves": ("molt/formats/ids.py", "import os.path"),
    "git is started in repo alone": (
        "molt/memory/answers/get.py",
        "from molt.repo.process import git",
    ),
    "pygit2 only where ranges are read": ("molt/repo/history/__init__.py", "import pygit2"),
    "SQLite only in index": ("molt/memory/answers/status.py", "import sqlite3"),
    "click only in cli": ("molt/memory/health/doctor.py", "import click"),
    "the protocol's packages only in the server that speaks it": (
        "molt/cli/commands/agents/mcp.py",
        "def late() -> None:\n    import mcp",
    ),
    "hosts: programs above the moments of a conversation": (
        "molt/hosts/session/end.py",
        "from molt.hosts import door",
    ),
}


@cache
def imports() -> grimp.ImportGraph:
    """Who imports whom in the package, and what from outside."""
    return grimp.build_graph("molt", include_external_packages=True, cache_dir=None)


@cache
def imports_between(container: str) -> grimp.ImportGraph:
    """Who imports whom among the modules and folders of a room, each folder as one: what a
    contract about their order looks at, and a hundredth of the package.
    """
    graph = grimp.ImportGraph()
    graph.add_module(container)
    for name in sorted(imports().find_children(container)):
        graph.add_module(name)
    for one, other in permutations(sorted(imports().find_children(container)), 2):
        if imports().direct_import_exists(importer=one, imported=other, as_packages=True):
            graph.add_import(importer=one, imported=other, line_number=1, line_contents="-")
    return graph


def is_kept(
    options: Options, edge: Edge | None = None, module: str = "", *, whole: bool = False
) -> bool:
    """Whether a contract holds; with one import more, or one module more. An import between the
    modules and folders of a room is looked at there alone, and one between two that must not know
    each other between these, unless the `whole` package is to be.
    """
    (container,) = options.get("containers", ("",))
    if edge and not whole and "ancestors" in options:
        container = _folder_of(edge)
        options = {**options, "ancestors": [container]}
    if edge and not whole and "modules" in options:
        options = {**options, "modules": list(edge)}
    graph = deepcopy(imports_between(container) if edge and container else imports())
    if edge:
        graph.add_import(importer=edge[0], imported=edge[1], line_number=1, line_contents="-")
    if module:
        graph.add_module(module)
    kinds: dict[str, type[Contract]] = {
        "layers": LayersContract,
        "forbidden": ForbiddenContract,
        "independence": IndependenceContract,
        "acyclic_siblings": AcyclicSiblingsContract,
    }
    contract = kinds[options["type"]](options["name"], CONFIGURATION["session_options"], options)
    return contract.check(graph, verbose=False).kept


def _folder_of(edge: Edge) -> str:
    return edge[0].rpartition(".")[0]


def _upward_imports(options: Options) -> Iterator[Edge]:
    layers = [layer.split(" | ") for layer in options["layers"]]
    for container in options["containers"]:
        places = [[f"{container}.{name}" for name in layer] for layer in layers]
        for at, layer in enumerate(places):
            yield from permutations(layer, 2)
            for above in places[:at]:
                yield from ((low, high) for low in layer for high in above)


def _forbidden_imports(options: Options) -> Iterator[Edge]:
    for source in options["source_modules"]:
        yield from ((source, module) for module in options["forbidden_modules"])


def _sideway_imports(options: Options) -> Iterator[Edge]:
    for expression in options["modules"]:
        yield from pairwise(sorted(imports().find_matching_modules(expression)))


def _closing_imports(options: Options) -> Iterator[Edge]:
    """For each two places of a folder of which one imports the other, the import back."""
    for package in sorted({module.name for module in modules()}):
        for one, other in permutations(sorted(imports().find_children(package)), 2):
            if imports().direct_import_exists(importer=one, imported=other, as_packages=True):
                yield other, one


VIOLATIONS: dict[str, Callable[[Options], Iterator[Edge]]] = {
    "layers": _upward_imports,
    "forbidden": _forbidden_imports,
    "independence": _sideway_imports,
    "acyclic_siblings": _closing_imports,
}


def name_of(options: Options) -> str:
    return str(options["name"]).replace(" ", "-")


every_contract = pytest.mark.parametrize("options", CONTRACTS, ids=name_of)


@pytest.mark.slow
@every_contract
def test_a_contract_is_kept_and_each_import_against_it_breaks_it(options: Options) -> None:
    assert is_kept(options)
    edges = list(VIOLATIONS[options["type"]](options))
    assert edges
    assert [edge for edge in edges if is_kept(options, edge)] == []
    if not options.keys().isdisjoint(("ancestors", "modules")):
        of_each_folder = {_folder_of(edge): edge for edge in edges}.values()
        assert [edge for edge in of_each_folder if is_kept(options, edge, whole=True)] == []


@every_contract
def test_a_new_module_must_be_given_its_place(options: Options) -> None:
    for container in options.get("containers", ()):
        assert not is_kept(options, module=f"{container}.stranger")


@every_contract
def test_what_a_contract_forbids_exists(options: Options) -> None:
    """A name that is misspelled forbids nothing, and nobody is told."""
    forbidden = options.get("forbidden_modules", ())
    assert [name for name in forbidden if find_spec(name) is None] == []


def test_each_room_has_its_order() -> None:
    ordered = {one for options in CONTRACTS for one in options.get("containers", ())}
    rooms = {module.name for module in modules() if module.name.count(".") == 1}
    folders = {room for room in rooms if imports().find_children(room)}
    # Formats are read one by one, and of the others there is one module behind each door.
    assert folders - ordered <= {"molt.formats", "molt.githooks", "molt.untrusted"}


def test_the_tool_says_which_contract_a_line_breaks(tmp_path: Path) -> None:
    """The whole way, from a line in a file to what `make check` says of it."""
    for module in (ROOT / "molt").rglob("*.py"):
        copy = tmp_path / module.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(module.read_bytes())
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    assert not broken(tmp_path)
    for path, line in LINES.values():
        with (tmp_path / path).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    assert broken(tmp_path) == {options["name"] for options in CONTRACTS} == set(LINES)


def broken(folder: Path) -> set[str]:
    """The contracts that `lint-imports` calls broken in a folder."""
    tool = Path(sys.executable).with_name("lint-imports")
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"}
    done = subprocess.run(
        [tool, "--no-cache"], cwd=folder, env=environment, capture_output=True, text=True
    )
    halves = (line.partition(" BROKEN") for line in done.stdout.splitlines())
    found = {name for name, word, _ in halves if word}
    assert bool(found) == bool(done.returncode), done.stdout + done.stderr
    return found
