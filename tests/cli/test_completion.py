"""Completion in a shell: real bash, the script that molt prints, the ids of a workspace."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CALL = """
eval "$(molt completion bash)"
COMP_LINE="$1"; COMP_POINT=${#1}
_molt_completion
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def complete(agent: Path, tmp_path: Path):
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "molt"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m molt "$@"\n')
    program.chmod(0o755)

    def run(line: str, cwd: Path = agent) -> list[str]:
        env = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
        done = subprocess.run(
            ["bash", "--norc", "-c", CALL, "bash", line],
            cwd=cwd, env=env, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stderr == ""
        return done.stdout.split()

    return run


def test_commands_are_completed(complete) -> None:
    assert complete("molt rem") == ["remember"]


def test_options_are_completed(complete) -> None:
    assert "--limit" in complete("molt search x --li")


def test_memory_ids_are_completed_across_their_colons(complete) -> None:
    assert complete("molt get enti") == ["entity:concept--oauth2-pkce"]
    assert complete("molt get entity:conc") == ["concept--oauth2-pkce"]
    (core,) = complete("molt why core:")
    assert "#" in core


def test_rules_are_completed(complete) -> None:
    assert complete("molt rule vault") == ["VAULT001"]


def test_outside_a_workspace_nothing_is_offered_and_nothing_said(complete, tmp_path) -> None:
    assert complete("molt get enti", tmp_path) == []


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_that_calls_molt(run, shell: str) -> None:
    said = run("completion", shell)
    assert f"_MOLT_COMPLETE={shell}_complete" in said.out
