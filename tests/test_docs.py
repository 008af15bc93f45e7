"""The documents tell the truth: generated ones are current, and examples do what they show."""

from __future__ import annotations

import ast
import os
import pty
import re
import shlex
import subprocess
import sys
from importlib import util
from pathlib import Path
from types import ModuleType

import click
import pytest

from molt import settings, trees
from molt.cli.app import cli
from molt.cli.commands import COMMANDS
from molt.formats import completion, paths
from molt.formats.completion import CommitFacts
from molt.policy import RULES, Context, evaluate
from molt.trees import DictTree

ROOT = Path(__file__).parents[1]
SHOWN = [name for name, line in COMMANDS.items() if line]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WITH_EXAMPLES = [page for page in PAGES if "```console" in page.read_text("utf-8")]
HOME = "/home/ada"
ANY = (
    (r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z", "TIME"),
    (r"\d{4}-\d{2}-\d{2}", "DATE"),
    (r"\b\d{2}:\d{2}(:\d{2})?\b", "TIME"),
    (r"\b(?=[a-f]*\d|[a-f]{10}\b)[0-9a-f]{7,40}\b", "COMMIT"),
    (r"(?m)^ ?\d\.\d\d ", "SCORE "),
    (r"\bp-[0-9a-f]{8}\b", "p-ID"),
)


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = util.spec_from_file_location("docs_generate", ROOT / "docs/generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["cli.md", "configuration.md", "rules.md"])
def test_generated_documents_are_current(generate: ModuleType, name: str) -> None:
    current = generate.pages()[name] == (ROOT / "docs" / name).read_text("utf-8")
    assert current, f"docs/{name} is outdated: run `make docs`"


def test_an_outdated_document_is_named_and_written_anew(generate, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    assert generate.main(["--check"]) == 1
    assert "docs/cli.md is outdated: run `make docs`" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def section(page: str, title: str) -> str:
    text = (ROOT / "docs" / page).read_text("utf-8")
    _, _, rest = text.partition(f"\n## {title}\n")
    return rest.partition("\n## ")[0]


def find_command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", SHOWN)
def test_a_command_is_documented_with_its_options(name: str) -> None:
    told = section("cli.md", f"molt {name}")
    command = find_command(name)
    words = [word for one in command.params if not one.__dict__.get("hidden") for word in one.opts]
    assert told, "run `make docs`"
    assert [word for word in words if word.startswith("-") and word not in told] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_is_documented_with_both_examples(rule) -> None:
    told = section("rules.md", rule.code)
    assert rule.protects[1:] in told, "run `make docs`"
    assert "Passes, committed by" in told
    assert "Fails, committed by" in told


@pytest.mark.parametrize("name", settings.SETTINGS)
def test_a_setting_is_documented(name: str) -> None:
    text = (ROOT / "docs/configuration.md").read_text("utf-8")
    shown = "actors" if name == settings.BOUND else name.replace("_", ".", 1)
    _, _, told = text.partition(f"\n### {shown}\n")
    assert told.strip().startswith(settings.SETTINGS[name].doc), "run `make docs`"


@pytest.mark.parametrize("name", settings.PROVIDERS)
def test_a_provider_of_vectors_stands_in_the_page_about_search(name: str) -> None:
    told = (ROOT / "docs/search.md").read_text("utf-8").partition("| `embedding.provider` |")[2]
    named = f"`{name}`" in told.partition("\n\n")[0]
    assert named, f"docs/search.md: no row for {name} in its table of providers"


@pytest.mark.parametrize("name", SHOWN)
def test_the_readme_or_the_command_page_names_every_command(name: str) -> None:
    assert f"molt {name}" in "".join(page.read_text("utf-8") for page in PAGES)


@pytest.mark.parametrize("room", ["memory", "memory/reflect", "formats"])
def test_the_page_on_rooms_says_of_each_what_it_says_of_itself(room: str) -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    for init in sorted((ROOT / "molt" / room).glob("*/__init__.py")):
        said = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
        assert f"| `{room}/{init.parent.name}` | {said.partition(chr(10))[0].rstrip('.')} |" in page


def test_the_page_on_rooms_names_files_that_exist() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:memory|policy|formats|hosts|index|repo|cli)/[\w/]*(?:\.py)?)`", page)
    assert len(named) > 40
    assert [one for one in named if not (ROOT / "molt" / one).exists()] == []


def test_links_between_documents_lead_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def transcript(page: Path) -> list[tuple[str, str]]:
    """Every command of a page's console blocks, with the output that is shown for it."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.S | re.M)
    parts = "\n".join(blocks).split("$ ")[1:]
    return [(command, said) for command, _, said in (part.partition("\n") for part in parts)]


def normal(text: str) -> str:
    for pattern, word in ANY:
        text = re.sub(pattern, word, text)
    return text.strip()


MARK = "--- that was it ---"


def play(commands: list[str], home: Path) -> list[str]:
    """What one shell prints for each command, errors included, to a person at its terminal."""
    shim = home / ".bin" / "molt"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m molt "$@"\n')
    shim.chmod(0o755)
    script = "".join(f"{command}\nprintf '\\n%s\\n' {shlex.quote(MARK)}\n" for command in commands)
    path = f"{shim.parent}:{os.environ['PATH']}"
    ours, terminal = pty.openpty()
    try:
        done = subprocess.run(
            ["bash", "-c", script], cwd=home, env=os.environ | {"PATH": path}, stdin=terminal,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=300,
        )  # fmt: skip
    finally:
        os.close(ours)
        os.close(terminal)
    return done.stdout.replace(str(home), HOME).split(f"\n{MARK}\n")[:-1]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_the_examples_of_a_page_show_what_really_happens(page: Path, tmp_path: Path) -> None:
    shown = transcript(page)
    really = play([command for command, _ in shown], tmp_path)
    expected = [f"$ {command}\n{normal(said)}" for command, said in shown]
    found = [
        f"$ {command}\n{normal(said)}" for (command, _), said in zip(shown, really, strict=True)
    ]
    assert "\n".join(found) == "\n".join(expected)


def test_the_readme_has_examples() -> None:
    assert ROOT / "README.md" in WITH_EXAMPLES


def sample_files(page: Path) -> dict[str, bytes]:
    """The files that a page shows: a path alone on its line, then a block."""
    found = re.findall(r"^`([^`\n]+)`\n\n```\w*\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)
    return {path: text.encode() for path, text in found}


WRITERS = {
    paths.PROPOSALS: "subagent:researcher",
    "memory/meta/reflections/r-005.md": "manual",
    "memory/meta/reflection-log.md": "manual",
    "memory/meta/evolution.md": "manual",
    "memory/meta/audit-archive.md": "system:audit",
}
"""Who writes a file that only one may write."""


def test_the_formats_that_are_shown_pass_every_rule() -> None:
    files = sample_files(ROOT / "docs/formats.md")
    kinds = {paths.kind_of(path) for path in files}
    assert kinds >= {"core", "episode", "entity", "procedure", "vault", "proposals"}
    for path in files:
        actor = WRITERS.get(path, "bot:trigger-remember")
        base = DictTree({other: data for other, data in files.items() if other != path})
        assert evaluate(base, DictTree(files), None, Context(actor=actor)) == (), path


def test_the_message_that_is_shown_is_what_a_hook_completes() -> None:
    text = (ROOT / "docs/formats.md").read_text("utf-8")
    (shown,) = re.findall(r"^```\n(\[EDIT\].*?)^```", text, re.S | re.M)
    change = trees.make_change("SOUL.md", trees.Entry("a"), trees.Entry("b"))
    facts = CommitFacts(changes=(change,), critical=("SOUL.md",))
    assert completion.complete("softer tone", facts) == shown
