"""`molt procedure`: what was learned twice becomes a skill, which nothing installs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from molt.formats import frontmatter

from .conftest import Run

NOTE = """---
id: release
type: procedure
label: "Release: cut"
created: 2026-01-01
updated: 2026-01-01
---
# Release: cut

## Trigger
when main is green

## Steps
1. run the tests
2. tag and push

## Learned From
- episode:2026-01-05:10:00:00
- episode:2026-01-09:10:00:00
"""
DAY = "# {date}\n\n## 10:00:00 | event | confidence:high\nRan the tests, tagged and pushed.\n"


@pytest.fixture
def learned(agent: Path, git) -> Path:
    (agent / "memory/procedures").mkdir(exist_ok=True)
    (agent / "memory/procedures/release.md").write_text(NOTE)
    for date in ("2026-01-05", "2026-01-09"):
        (agent / f"memory/episodes/{date}.md").write_text(DAY.format(date=date))
    git(agent, "add", "memory")
    git(agent, "commit", "-q", "--no-verify", "-m", "by hand")
    return agent


def test_a_procedure_that_repeats_is_exported(run: Run, learned: Path, tmp_path: Path) -> None:
    assert "procedure:release  Release: cut  (2 steps, 2 days)" in run("procedure", "list").out
    to = tmp_path / "out"
    said = run("--json", "procedure", "export", "procedure:release", "--to", str(to))
    assert said.status == 0, said.err
    assert json.loads(said.out)["path"] == str(to / "release/SKILL.md")
    text = (to / "release/SKILL.md").read_text("utf-8")
    head = frontmatter.front_matter(text)
    assert head == {
        "name": "release",
        "description": "Release: cut. Use it when: when main is green",
    }
    assert "1. run the tests\n2. tag and push\n" in text
    again = run("procedure", "export", "release", "--to", str(to))
    assert again.status == 1
    assert "is there already" in again.err


@pytest.mark.parametrize("folder", [".claude/skills", "skills", "."])
def test_nothing_is_exported_to_where_a_host_loads_it(
    run: Run, learned: Path, tmp_path: Path, folder: str
) -> None:
    to = learned if folder == "." else tmp_path / folder
    assert run("procedure", "export", "release", "--to", str(to)).status == 1
    assert not list(tmp_path.rglob("SKILL.md"))


def test_what_was_learned_once_is_none_that_repeats(
    run: Run, learned: Path, git, tmp_path: Path
) -> None:
    path = learned / "memory/procedures/release.md"
    path.write_text(NOTE.replace("- episode:2026-01-09:10:00:00\n", ""))
    git(learned, "commit", "-q", "--no-verify", "-am", "once")
    refused = run("procedure", "export", "release", "--to", str(tmp_path / "out"))
    assert refused.status == 1
    assert "learned on 1 day" in refused.err
    taken = run("procedure", "export", "release", "--to", str(tmp_path / "out"), "--unproved")
    assert taken.status == 0
    assert run("procedure", "export", "nothing", "--to", str(tmp_path / "o")).status == 4
