"""The log from its end, and the commits that name a memory, without reading all of history."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt.memory.provenance import audit, audit_lines, mentions, story
from molt.repo import state

DAY = "memory/episodes/2026-02-02.md"
SAID = "\n\nActor: bot:main\nApproval: auto\nTrigger: t\n"


@pytest.fixture
def commit(ws, git):
    """Commits an entry to a day, with a message that names some memories."""
    root = Path(ws.repo.root)

    def run(clock: str, words: str, *named: str) -> str:
        file = root / DAY
        file.parent.mkdir(parents=True, exist_ok=True)
        before = file.read_text() if file.exists() else "# 2026-02-02 — Episode Log\n"
        file.write_text(f"{before}\n## {clock} | fact | confidence:high\n{words}\n")
        git(root, "add", "-A")
        trailers = "".join(f"Memory-Id: {one}\n" for one in named)
        git(root, "commit", "-q", "--no-verify", "-m", f"[APPEND] {DAY} — x{SAID}{trailers}")
        return str(git(root, "rev-parse", "HEAD")).strip()

    return run


def test_the_newest_lines_are_those_of_all_history_from_its_end(ws, commit, git) -> None:
    root = Path(ws.repo.root)
    commit("10:00", "one")
    (root / "SOUL.md").write_text("other\n")
    git(root, "commit", "-qam", "[EDIT] SOUL.md — tone\n\nActor: manual")
    (root / "a.md").write_text("a\n")
    commit("11:00", "two")
    every = list(audit_lines.make_lines(ws.repo, ws.repo.log_raw("HEAD")))
    newest = list(audit_lines.make_newest(ws.repo, ws.repo.log_newest("HEAD", "--")))
    assert newest == every[::-1]
    assert "ALERT" in {line.action for line in newest}


def test_a_memory_is_found_by_the_commits_that_name_it(ws, commit) -> None:
    first = "episode:2026-02-02:10:00"
    made = commit("10:00", "one", first)
    commit("11:00", "two", "episode:2026-02-02:11:00")
    more = commit("12:00", "three", "episode:2026-02-02:12:00", first)
    assert [line.commit for line in story.trace_memory(ws.repo, first)] == [made, more]
    assert story.trace_memory(ws.repo, "episode:2026-02-02:10") == ()


def test_what_is_no_episode_is_found_by_its_whole_id(ws, commit) -> None:
    made = commit("10:00", "one", "entity:tool--git")
    commit("11:00", "two", "entity:tool--github")
    assert [line.commit for line in story.trace_memory(ws.repo, "entity:tool--git")] == [made]


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(Path.unlink, id="gone"),
        pytest.param(lambda file: file.write_bytes(b""), id="cut"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes() + b"x\n"), id="longer"),
    ],
)
def test_mentions_that_are_not_what_was_written_are_made_anew(ws, commit, spoil) -> None:
    memory = "episode:2026-02-02:10:00"
    made = commit("10:00", "one", memory)
    audit.freshen_log(ws.repo)
    file = Path(state.path(ws.repo.git_dir, "audit-named"))
    whole = file.read_bytes()
    spoil(file)
    assert [line.commit for line in story.trace_memory(ws.repo, memory)] == [made]
    assert file.read_bytes() == whole


def test_mentions_that_were_appended_equal_those_of_a_rebuild(ws, commit) -> None:
    for number in range(3):
        commit(f"10:0{number}", f"{number}", f"episode:2026-02-02:10:0{number}", "entity:a\tb")
        audit.freshen_log(ws.repo)
    file = Path(state.path(ws.repo.git_dir, "audit-named"))
    appended = file.read_bytes()
    audit.rebuild(ws.repo)
    assert file.read_bytes() == appended
    assert mentions.measure_size(ws.repo) == len(appended)


def test_an_episode_of_a_crowded_minute_is_looked_for_in_its_whole_day(ws, commit) -> None:
    root = Path(ws.repo.root)
    rows = "".join(f"\n## 10:00:{n:02} | fact\nrow {n}\n" for n in range(60))
    (root / DAY).parent.mkdir(parents=True, exist_ok=True)
    (root / DAY).write_text(f"# 2026-02-02 — Episode Log\n{rows}")
    made = commit("10:05", "late", "episode:2026-02-02:10:00")
    found = story.trace_memory(ws.repo, "episode:2026-02-02:10:05")
    assert [line.commit for line in found] == [made]
