"""The strict hook judges all but what the hooks before it have judged as it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from molt.githooks import marks
from molt.repo import hooks, state

EPISODE = "memory/episodes/2026-02-02.md"
TWO = "\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n"


@pytest.fixture
def strict(agent):
    """A strict workspace whose strict hook tells when it starts Python."""
    hooks.install(agent.repo.hooks_dir(), sys.executable, strict=True)
    hook = Path(agent.repo.hooks_dir()) / "reference-transaction"
    start = '\nif [ -x "$python" ] && [ -f "$module" ]; then\n'
    text = hook.read_text()
    assert text.count(start) == 1
    hook.write_text(text.replace(start, f"\n: >>judged-again{start}"))
    agent.judged_again = lambda: (Path(agent.root) / "judged-again").exists()
    return agent


def add_entry(agent, text: str = TWO) -> None:
    file = Path(agent.root) / EPISODE
    file.write_text(file.read_text() + text)
    agent.git("add", EPISODE)


@pytest.mark.parametrize(
    "args",
    [
        pytest.param(("-qm", "two"), id="plain"),
        pytest.param(("-qm", "two", "-m", "author of it\n\ncommitter of it"), id="paragraphs"),
        pytest.param(("-qam", "two"), id="all"),
    ],
)
def test_a_commit_that_was_judged_is_not_judged_again(strict, args) -> None:
    add_entry(strict)
    strict.git("commit", *args)
    assert not strict.judged_again()


@pytest.mark.parametrize(
    "args",
    [
        pytest.param(("-qm", "two", "--no-verify"), id="another message"),
        pytest.param(("-q", "--amend", "-m", "two"), id="another parent"),
    ],
)
def test_another_commit_is_judged(strict, args) -> None:
    add_entry(strict)
    strict.git("commit", *args)
    assert strict.judged_again()


def test_another_tree_is_judged(strict) -> None:
    add_entry(strict)
    strict.git("commit", "-qm", "two")
    passed = state.read(strict.repo.git_dir, marks.PASSED)
    message = passed.partition("\n\n")[2]
    strict.git("reset", "-q", "--hard", "HEAD~1")
    add_entry(strict, TWO.replace("Two", "Three"))
    done = strict.run("commit", "-q", "--no-verify", "-m", message)
    assert done.returncode == 0, done.stderr
    assert strict.judged_again()


def test_a_commit_on_one_that_no_branch_has_is_judged_with_it(strict) -> None:
    """What was judged is only the last of the commits that a branch is about to get."""
    strict.git("switch", "-q", "--detach")
    strict.rewrite()
    strict.git("commit", "-qm", "rewrite", "--no-verify")
    add_entry(strict)
    strict.git("commit", "-qm", "two")
    done = strict.run("update-ref", "refs/heads/main", "HEAD")
    assert done.returncode != 0
    assert "EPI001" in done.stderr
