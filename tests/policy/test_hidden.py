"""What a .gitignore leaves out is read as git itself reads it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from molt.policy import hidden

DAY = "2026-02-03"
HIDE = "memory/\n"
ROWS = (
    "mem\\ory/\n",
    "\\memory\n",
    "memory\\\n",
    "[^x]emory/\n",
    "[!x]emory/\n",
    "[a-\\z]emory\n",
    "[z-a]emory\n",
    "[]m]emory\n",
    "[\\]m]emory\n",
    "[m-]emory\n",
    "[memory\n",
    "[[:alpha:]]emory/\n",
    "[[:nothing:]]emory/\n",
    "[[:upper:]]emory/\n",
    "[^[:upper:]]emory/\n",
    "[[:alpha]emory/\n",
    "memory/[e/]pisodes\n",
    "memory[/]episodes\n",
    "\ufeffmemory/\n",
    "\ufeff\ufeffmemory/\n",
    "memory/\0x\n",
    "memory/ \r\n",
    "memory\\ \n",
    "memory//\n",
    "//memory\n",
    "memory/***/*.md\n",
    "MEMORY.m**/*\n",
    "memory/x**/*\n",
    "memory/**.md\n",
    "memory/**\\/x.md\n",
    "**/*-*-*.md\n",
    "memory/\\*\n",
    "Memory/\n",
    HIDE + "!memory//\n",
    HIDE + "!memory/\r\r\n",
    HIDE + "!Memory/\n",
    HIDE + "!mem\\ory/\n",
    HIDE + "![^m]emory/\n",
    HIDE + "![m-l]emory/\n",
    HIDE + "!memory/\t\n",
    HIDE + "!#\n!\n#!memory/\n",
)


def ask_git(root: Path, paths: list[str], *, fold: bool) -> set[str]:
    done = subprocess.run(
        ["git", "-c", f"core.ignoreCase={fold}", "check-ignore", "--no-index", "--stdin"],
        cwd=root, input="\n".join(paths), capture_output=True, text=True, check=False,
    )  # fmt: skip
    return set(done.stdout.split("\n")) - {""}


@pytest.mark.parametrize("text", ROWS)
def test_what_git_leaves_out_is_known(text, git, tmp_path) -> None:
    git(tmp_path, "init", "-q")
    every = hidden.list_hidden("*\n", "", DAY)
    (tmp_path / ".gitignore").write_bytes(text.encode())
    wanted = {one for fold in (False, True) for one in ask_git(tmp_path, every, fold=fold)}
    assert set(hidden.list_hidden(text, "", DAY)) == wanted


def test_of_patterns_without_measure_nothing_is_believed() -> None:
    for text in ("*.tmp\n" * 1001, f"[{'a-z' * 100}]\n"):
        assert hidden.list_hidden(text, "", DAY) == hidden.list_hidden("*\n", "", DAY)
