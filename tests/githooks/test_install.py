"""The installed files: chaining, repair, removal, and failing closed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from molt.repo import hooks as hook_files

ROOT = Path(__file__).parents[2]
VETO = ("pre-commit", "commit-msg", "pre-push")


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def run(hook: Path, *args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(hook.parent)}
    return subprocess.run(
        [hook, *args], env=env, cwd=hook.parent, input=stdin, capture_output=True, text=True
    )


def test_every_hook_is_marked_executable_and_has_unix_lines(tmp_path: Path) -> None:
    assert hook_files.install(str(tmp_path), sys.executable) == hook_files.NAMES
    for name in hook_files.NAMES:
        data = (tmp_path / name).read_bytes()
        assert data.startswith(b"#!/bin/sh\n# molt hook: " + name.encode() + b"\n")
        assert b"\r" not in data
        assert b"@PYTHON@" not in data
        assert b"@MODULE@" not in data
        assert os.access(tmp_path / name, os.X_OK)


def test_installing_twice_changes_nothing(tmp_path: Path) -> None:
    hook_files.install(str(tmp_path), sys.executable)
    assert hook_files.install(str(tmp_path), sys.executable) == ()
    assert {hook.state for hook in hook_files.status(str(tmp_path), sys.executable)} == {
        "installed"
    }


def test_another_interpreter_makes_the_hooks_outdated(tmp_path: Path) -> None:
    hook_files.install(str(tmp_path), "/old/python")
    found = {hook.name: hook.state for hook in hook_files.status(str(tmp_path), sys.executable)}
    # That one hands on to another hook, and needs no interpreter.
    assert found.pop("applypatch-msg") == "installed"
    assert set(found.values()) == {"outdated"}
    written = hook_files.install(str(tmp_path), sys.executable)
    assert set(written) == set(hook_files.NAMES) - {"applypatch-msg"}


def test_a_hook_that_was_there_is_kept_and_comes_back(tmp_path: Path) -> None:
    own = script(tmp_path / "pre-commit", "echo mine")
    text = own.read_text()
    hook_files.install(str(tmp_path), sys.executable)
    assert hook_files.status(str(tmp_path), sys.executable)[1].chained
    hook_files.uninstall(str(tmp_path))
    assert own.read_text() == text
    assert [path.name for path in tmp_path.iterdir()] == ["pre-commit"]


@pytest.mark.parametrize("name", VETO)
def test_the_hook_before_runs_first_and_its_veto_counts(tmp_path: Path, name: str) -> None:
    script(tmp_path / name, 'echo "before $1"; exit 7')
    hook_files.install(str(tmp_path), sys.executable)
    done = run(tmp_path / name, "argument")
    assert (done.returncode, done.stdout) == (7, "before argument\n")


def test_the_hook_before_gets_the_standard_input(tmp_path: Path) -> None:
    script(tmp_path / "pre-push", "cat; exit 7")
    hook_files.install(str(tmp_path), sys.executable)
    assert run(tmp_path / "pre-push", stdin="a b c d\n").stdout == "a b c d\n"


def test_a_framework_that_chains_back_does_not_loop(tmp_path: Path) -> None:
    script(tmp_path / "commit-msg", '"$(dirname "$0")/commit-msg" "$@"; exit 7')
    hook_files.install(str(tmp_path), "/no/python")
    assert run(tmp_path / "commit-msg", "file").returncode == 7


@pytest.mark.parametrize("name", hook_files.NAMES)
def test_without_an_interpreter_vetoes_fail_closed_and_others_pass(
    tmp_path: Path, name: str
) -> None:
    hook_files.install(str(tmp_path), "/no/python")
    done = run(tmp_path / name, "file")
    assert done.returncode == (1 if name in VETO else 0)
    assert ("molt hooks install" in done.stderr) == (name in VETO)


def test_without_an_interpreter_molt_on_the_path_is_asked(tmp_path: Path) -> None:
    molt = script(tmp_path / "bin/molt", 'echo "$@"')
    hook_files.install(str(tmp_path), "/no/python")
    env = {"PATH": f"{molt.parent}:/usr/bin:/bin"}
    done = subprocess.run([tmp_path / "commit-msg", "f"], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "hook-run commit-msg f\n")


def test_paths_with_quotes_and_spaces_survive(tmp_path: Path) -> None:
    python = script(tmp_path / "it's here/python", 'echo "ran $5"')
    hook_files.install(str(tmp_path / "hooks"), str(python))
    assert run(tmp_path / "hooks/commit-msg", "file").stdout == "ran file\n"


def test_the_framework_manifest_names_stages_for_every_hook() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    names = ("prepare-commit-msg", "pre-commit", "commit-msg", "post-commit", "pre-push", "verify")
    assert [hook["id"] for hook in hooks] == [f"molt-{name}" for name in names]
    for hook, name in zip(hooks, names, strict=True):
        assert hook["entry"] == f"python -m molt.githooks {name}"
        assert hook["stages"]
        assert hook["always_run"]
        assert hook.get("pass_filenames", True) == name.endswith("-msg")
