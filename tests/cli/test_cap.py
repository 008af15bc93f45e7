"""The cap of core memory is set by a person, and nothing else of `molt.yaml` is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
Git = Callable[..., str]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("core:\n  cap: 3000\n", "core:\n  cap: 5000\n"),
        (
            "core:\n    cap: 3000  # tokens\nsearch: {}",
            "core:\n    cap: 5000  # tokens\nsearch: {}",
        ),
        ("core:\n  encoding: cl100k_base\n", "core:\n  cap: 5000\n  encoding: cl100k_base\n"),
        ("core:\n\n# ours\n  cap: 3000\n", "core:\n\n# ours\n  cap: 5000\n"),
        ("search: {limit: 5}", "search: {limit: 5}\ncore:\n  cap: 5000\n"),
        ("", "core:\n  cap: 5000\n"),
        ("core:\r\n\r\n  cap: 3000\r\n", "core:\r\n\r\n  cap: 5000\r\n"),
        ("search: {}\r\n", "search: {}\r\ncore:\r\n  cap: 5000\r\n"),
    ],
    ids=["set", "comment", "absent", "below", "section", "empty", "windows", "windows-section"],
)
def test_the_cap_is_set_where_it_stands(
    run: Run, git: Git, agent: Path, before: str, after: str
) -> None:
    (agent / "molt.yaml").write_bytes(before.encode())
    git(agent, "commit", "-qam", "settings")
    code, out, err = run("core", "cap", "5000")
    assert (code, "to 5,000" in out) == (0, True), err
    assert (agent / "molt.yaml").read_bytes() == after.encode()
    assert "Actor: manual" in git(agent, "log", "-1")
    assert run("verify")[0] == 0
    assert "unchanged" in run("core", "cap", "5000")[1]


def test_what_it_cannot_edit_it_says(run: Run, git: Git, agent: Path) -> None:
    (agent / "molt.yaml").write_text("core: {cap: 3000}\n", "utf-8")
    git(agent, "commit", "-qam", "settings")
    code, _, err = run("core", "cap", "5000")
    assert code == 1
    assert "write `cap: 5000` below `core:`" in err
    assert run("core", "cap", "0")[0] == 2


def test_a_cap_below_what_is_there_is_none(run: Run, agent: Path) -> None:
    code, _, err = run("core", "cap", "10")
    assert (code, "shorten it first" in err) == (2, True)
    assert "cap: 10\n" not in (agent / "molt.yaml").read_text("utf-8")


def test_no_byte_of_what_is_no_text_is_lost(run: Run, git: Git, agent: Path) -> None:
    (agent / "molt.yaml").write_bytes("core:\n  cap: 3000  # für uns\n".encode("latin-1"))
    git(agent, "commit", "--no-verify", "-qam", "settings")
    code, _, err = run("core", "cap", "5000")
    assert (code, "molt.yaml is not UTF-8" in err) == (1, True)


def test_no_bot_sets_the_cap(run: Run, agent: Path) -> None:
    before = (agent / "molt.yaml").read_bytes()
    code, _, err = run("core", "cap", "5000", "--actor", "bot:main")
    assert (code, "set the cap of core memory" in err) == (1, True)
    assert (agent / "molt.yaml").read_bytes() == before


def test_settings_that_are_not_there_are_written(run: Run, git: Git, agent: Path) -> None:
    git(agent, "rm", "-q", "molt.yaml")
    git(agent, "commit", "-qm", "settings")
    assert run("core", "cap", "5000")[0] == 0
    assert git(agent, "show", "HEAD:molt.yaml") == "core:\n  cap: 5000\n"
    assert git(agent, "log", "-1", "--format=%s").startswith("[CREATE] molt.yaml")
