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
        ("core:\n\n  # ours\n  cap: 3000\n", "core:\n\n  # ours\n  cap: 5000\n"),
        ("search: {limit: 5}", "search: {limit: 5}\ncore:\n  cap: 5000\n"),
        ("", "core:\n  cap: 5000\n"),
    ],
    ids=["set", "comment", "absent", "below", "section", "empty"],
)
def test_the_cap_is_set_where_it_stands(
    run: Run, git: Git, agent: Path, before: str, after: str
) -> None:
    (agent / "molt.yaml").write_text(before, "utf-8")
    git(agent, "commit", "-qam", "settings")
    code, out, err = run("core", "cap", "5000")
    assert (code, "to 5,000" in out) == (0, True), err
    assert git(agent, "show", "HEAD:molt.yaml") == after
    assert "Actor: manual" in git(agent, "log", "-1")
    assert run("verify")[0] == 0
    assert "unchanged" in run("core", "cap", "5000")[1]


def test_what_it_cannot_edit_it_says(run: Run, git: Git, agent: Path) -> None:
    (agent / "molt.yaml").write_text("core: {cap: 3000}\n", "utf-8")
    git(agent, "commit", "-qam", "settings")
    code, _, err = run("core", "cap", "5000")
    assert code == 1
    assert "write `cap: 5000` below `core:`" in err
    assert run("core", "cap", "5000", "--actor", "bot:main")[0] == 1
    assert run("core", "cap", "0")[0] == 2
