"""What the pages for contributors say is so, and what a release checks is seen."""

from __future__ import annotations

import ast
import re
import sys
from fnmatch import fnmatchcase
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from copies import Copy
from house import ROOT

from molt.cli import main

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PAGES = ("CONTRIBUTING.md", "docs/architecture.md", "docs/benchmarks.md", "docs/releasing.md")


def load_script(name: str) -> ModuleType:
    """A script of `.ci`, as a module."""
    spec = spec_from_file_location(name, ROOT / f".ci/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


dist, subject = load_script("dist"), load_script("subject")


@pytest.mark.parametrize("page", PAGES)
def test_every_target_of_make_that_a_page_names_is_there(page: str) -> None:
    named = set(re.findall(r"`make (\w+)", (ROOT / page).read_text("utf-8")))
    made = (ROOT / "Makefile").read_text("utf-8")
    assert [name for name in named if not re.search(rf"^{name}:", made, re.M)] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    folder = (ROOT / page).parent
    text = (ROOT / page).read_text("utf-8")
    named = re.findall(r"`((?:\.ci|benchmarks|docs|hooks|molt|templates|tests)/[\w./-]+\w)", text)
    linked = re.findall(r"\]\(([\w./-]+\.md)\)", text)
    # A word in capitals stands for a name that a contributor chooses.
    named = [name for name in named if not re.search(r"[A-Z]{3}", Path(name).name)]
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert [name for name in linked if not (folder / name).exists()] == []


def test_every_name_stands_in_the_file_that_the_page_gives_for_it() -> None:
    named = re.findall(r"`(\w+)`\s\(`((?:molt|tests)/[\w./]+\.py)`\)", PAGE)
    assert len(named) > 6
    assert [row for row in named if row[0] not in (ROOT / row[1]).read_text("utf-8")] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text):
        tree = ast.parse((ROOT / path).read_text("utf-8"))
        names = {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
        assert name in names, path


def test_each_part_made_here_says_which_test_holds_it() -> None:
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    section = page.partition("## What is made here")[2].partition("\n## ")[0]
    rows = [row for row in section.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 8
    for row in rows:
        file = row.split("|")[2].strip().strip("`")
        assert (ROOT / "molt" / file).exists(), file
        assert "::test_" in row


def make_lived_in(root: Path) -> None:
    """A workspace in which every kind of command has run."""
    at = ["--workspace", str(root)]
    assert main(["init", str(root)]) == 0
    for args in (
        ["remember", "the gate opens at nine"],
        ["remember", "signs tokens", "--entity", "concept:PKCE"],
        ["touch", "entity:concept--pkce"],
        ["search", "gate"],
        ["search", "gate", "--at", "HEAD~1"],
        ["recall", "when does the gate open?"],
        ["status"],
        ["context"],
        ["log"],
        ["doctor"],
        ["graph", "show", "concept--pkce"],
        ["touch", "entity:concept--pkce"],
        ["session", "prompt", "when does the gate open?", "--session", "s-1"],
        ["session", "flush", "--session", "s-1"],
        ["session", "end", "--session", "s-1"],
    ):
        assert main([*at, *args]) == 0, args


def test_every_private_file_stands_on_the_page(tmp_path: Path, copy: Copy) -> None:
    section = PAGE.partition("## Private files")[2].partition("\n## ")[0]
    first_cells = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    patterns = [name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)]
    place = copy(tmp_path / "agent", make_lived_in) / ".git/molt"
    found = [str(file.relative_to(place)) for file in place.rglob("*") if file.is_file()]
    assert len(found) > 8
    assert [name for name in found if not any(fnmatchcase(name, one) for one in patterns)] == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("policy: refuse links where agents read", ""),
        ("release: 0.2.0", ""),
        ("Merge branch 'topic'", ""),
        ("fixup! policy: refuse links", ""),
        ("Refuse links", "no `area"),
        ("policy: refuse links.", "no `area"),
        ("policy:refuse links", "no `area"),
        ("policy: " + "a" * 64, ""),
        ("policy: " + "a" * 65, "73 characters, 1 too many"),
    ],
)
def test_a_subject_says_where_and_what(line: str, fault: str, tmp_path: Path) -> None:
    message = tmp_path / "message"
    message.write_text(f"{line}\n\nWhy.\n", encoding="utf-8")
    assert subject.find_fault(line).startswith(fault)
    assert subject.main([str(message)]) == bool(fault)


def test_what_an_archive_lacks_or_has_too_much_is_told() -> None:
    assert dist.compare({"a", "b"}, {"a", "b"}) == []
    assert dist.compare({"a", ".env"}, {"a", "b"}) == [
        "b is missing",
        ".env does not belong there",
    ]


def test_the_wheel_takes_in_hooks_templates_and_licences() -> None:
    wanted = dist.expected_in_wheel("1.0")
    assert {"molt/_data/hooks/commit-msg", "molt/_data/templates/workspace/molt.yaml"} <= wanted
    assert {name for name in wanted if ".dist-info/licenses/" in name} == {
        "molt_memory-1.0.dist-info/licenses/LICENSE",
        "molt_memory-1.0.dist-info/licenses/molt/data/static/LICENSE",
    }
    assert {"molt/cli/app.py", "molt/py.typed"} <= wanted
    assert not [name for name in wanted if name.startswith(("tests", "docs"))]


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("# Changelog\n\n## Unreleased\n\n## 1.0 — 2026-02-02\n- a\n", True),
        ("# Changelog\n\n## Unreleased\n- a\n", False),
        ("# Changelog\n\n## 1.0 — 2026-02-02\n- a\n", False),
        ("# Changelog\n\n## Unreleased\n\n## 0.9 — 2026-01-01\n\n## 1.0 — 2026-02-02\n", False),
    ],
)
def test_a_release_has_its_section_below_unreleased(text: str, good: bool) -> None:
    assert (dist.check_changelog(text, "1.0") == []) == good


def test_the_workflow_names_the_pythons_that_the_package_takes() -> None:
    workflow = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    oldest = dist.PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f'python: ["{oldest}"' in workflow
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in workflow
    assert all(system in workflow for system in ("ubuntu", "macos"))
