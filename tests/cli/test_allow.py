"""A line in which a secret is found, and that gives nothing away, is allowed by its hash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from molt.policy import allowed

Run = Callable[..., tuple[int, str, str]]
Git = Callable[..., str]
LINE = "the key of the demo: AKIA" + "XK29MMQ7TWERTZUI"


def test_a_line_is_allowed_and_another_is_not(run: Run, git: Git, agent: Path) -> None:
    note = agent / "memory/demo.md"
    note.write_text(f"# Demo\n\n{LINE}\n", "utf-8")
    assert run("check")[0] == 1
    code, out, err = run("check", "--allow", "memory/demo.md:3", "--why", "public demo")
    assert (code, "allowed memory/demo.md:3" in out) == (0, True), err
    assert LINE not in git(agent, "show", "HEAD")
    assert "Actor: manual" in git(agent, "log", "-1")
    assert run("check")[0] == 0
    git(agent, "add", "-A")
    git(agent, "commit", "-qm", "the demo")
    note.write_text(f"# Demo\n\n{LINE}\n\n{LINE.replace('XK', 'ZW')}\n", "utf-8")
    assert run("check")[0] == 1
    assert run("verify")[0] == 0


def test_it_takes_a_person_a_reason_and_a_line_with_a_finding(
    run: Run, git: Git, agent: Path
) -> None:
    (agent / "memory/demo.md").write_text(f"# Demo\n\n{LINE}\n", "utf-8")
    why = ("--why", "public demo")
    assert run("check", "--allow", "memory/demo.md:3")[0] == 2
    assert run("check", "--allow", "memory/demo.md", *why)[0] == 2
    assert run("check", "--why", "x")[0] == 2
    assert run("check", "--allow", "memory/demo.md:1", *why)[0] == 4
    assert run("check", "--allow", "memory/demo.md:99", *why)[0] == 4
    assert run("check", "--allow", "memory/none.md:1", *why)[0] == 4
    assert run("--actor", "bot:web", "check", "--allow", "memory/demo.md:3", *why)[0] == 1
    head = git(agent, "rev-parse", "HEAD")
    code, out, _ = run("check", "--allow", "memory/demo.md:3", *why, "--dry-run")
    assert (code, allowed.PATH in out) == (0, True)
    assert git(agent, "rev-parse", "HEAD") == head


def test_a_line_is_listed_once_and_a_list_without_an_end_is_mended() -> None:
    once = allowed.add_row("", f"  {LINE} ", "a\nb")
    assert once == f"{allowed.hash_line(LINE)}  # a b\n"
    assert allowed.add_row(once, LINE, "again") == once
    assert allowed.add_row("x", LINE, "a") == f"x\n{once}".replace("a b", "a")
