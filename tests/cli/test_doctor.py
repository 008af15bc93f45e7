"""`molt doctor` as people and programs see it."""

from __future__ import annotations

import json


def test_a_workspace_that_is_well(agent, run) -> None:
    said = run("doctor")
    assert (said.status, said.out) == (0, "all is well\n")


def test_a_hook_that_is_gone_is_put_back(agent, run) -> None:
    (agent / ".git/hooks/commit-msg").unlink()
    (agent / ".git/hooks/pre-commit").write_text("# molt hook: pre-commit 0\n")
    said = run("doctor")
    assert said.status == 1
    assert "pre-commit (outdated), commit-msg (absent)" in said.out
    assert "`molt hooks install`" in said.out
    assert run("doctor", "--fix").status == 0
    assert run("doctor").out == "all is well\n"


def test_a_workspace_without_hooks_is_only_warned(agent, run) -> None:
    run("hooks", "uninstall")
    said = run("doctor")
    assert (said.status, said.out.splitlines()[-1]) == (0, "all is well")
    assert said.out.startswith("warning  ")


def test_hooks_that_are_not_this_clones_alone_are_left(agent, run, git) -> None:
    git(agent, "config", "core.hooksPath", ".husky")
    said = run("doctor", "--fix")
    assert not (agent / ".husky").exists()
    assert (said.status, "no hook here runs molt" in said.out) == (0, True)
    (agent / ".husky").mkdir()
    (agent / ".husky/commit-msg").write_text('#!/bin/sh\nmolt hook-run commit-msg "$@"\n')
    assert run("doctor").out == "all is well\n"


def test_problems_in_json_have_every_part(agent, run) -> None:
    (agent / "memory/vault").mkdir()
    (agent / "memory/vault/a.md").write_text("---\n[\n---\n")
    said = run("doctor", "--json")
    (found,) = [one for one in json.loads(said.out)["problems"] if one["severity"] == "error"]
    assert said.status == 1
    assert set(found) == {"problem", "what", "where", "hint", "severity", "mended"}
    assert found["where"] == "memory/vault/a.md"


def test_a_time_zone_that_is_none_is_named(agent, run, git) -> None:
    (agent / "molt.yaml").write_text("workspace:\n  timezone: Mars/Base\n")
    git(agent, "commit", "-qam", "away")
    said = run("doctor")
    assert said.status == 1
    assert "molt.yaml: 'Mars/Base' is no time zone" in said.out
    assert "such as Europe/Berlin" in run("remember", "a thing").err
