"""`molt revert` and `molt rollback`: shown first, one new commit, and what must stay stays."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from molt.formats import episodes, paths

SCORES = "memory/meta/decay-scores.json"


def git(root: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def say(run: Callable[..., Any]) -> Callable[..., str]:
    def call(*words: str) -> str:
        said = run("--actor", "manual", *words)
        assert said.status == 0, said
        return str(said.out)

    return call


def log_of(root: Path) -> Path:
    return next((root / "memory/episodes").glob("*.md"))


def test_without_a_terminal_it_asks_and_changes_nothing(agent, run) -> None:
    head = git(agent, "rev-parse", "HEAD")
    said = run("revert", "--commit", "HEAD")
    assert said.status == 3
    told = json.loads(said.out)
    assert told["error"]["kind"] == "needs-answer"
    assert [one["path"] for one in told["files"]] == ["MEMORY.md"]
    assert len(told["gone"]) == 1
    assert git(agent, "rev-parse", "HEAD") == head


def test_a_dry_run_shows_the_commit_that_is_made(agent, say) -> None:
    shown = json.loads(say("revert", "--commit", "HEAD", "--dry-run", "--json"))
    done = json.loads(say("revert", "--commit", "HEAD", "--yes", "--json"))
    assert shown["commit"] is None
    assert shown["message"] == done["message"] == git(agent, "log", "-1", "--format=%B") + "\n"
    assert shown["files"] == done["files"]
    assert done["message"].startswith("[REVERT] MEMORY.md — undo ")


@pytest.mark.parametrize("actor", ["bot:main", "subagent:scout", "bot:trigger-forget"])
def test_a_bot_takes_nothing_back(agent, run, actor) -> None:
    for words in (("revert", "--commit", "HEAD"), ("rollback", "--to", "HEAD^")):
        said = run("--actor", actor, *words, "--yes")
        assert said.status == 1
        assert f"{actor} does not take back" in said.err


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("revert",), 2),
        (("revert", "MEMORY.md"), 2),
        (("revert", "--commit", "HEAD", "--to", "HEAD^"), 2),
        (("revert", "--commit", "nothing"), 4),
        (("revert", "--commit", "-x"), 4),
        (("revert", "--reflection", "x"), 2),
        (("revert", "--reflection", "r-999"), 4),
        (("revert", "gone.md", "--to", "HEAD^"), 4),
        (("revert", SCORES, "--to", "HEAD^"), 1),
        (("rollback",), 2),
        (("rollback", "--to", "1999-01-01"), 4),
        (("rollback", "--to", "soon"), 4),
        (("rollback", "--to", "HEAD"), 1),
    ],
)
def test_what_makes_no_sense_is_said(agent, run, words, status) -> None:
    said = run("--actor", "manual", *words, *(["--yes"] * (len(words) > 1)))
    assert said.status == status, said
    assert said.err


def test_what_made_the_workspace_is_not_undone(agent, run) -> None:
    first = git(agent, "rev-list", "--max-parents=0", "HEAD")
    assert run("revert", "--commit", first, "--yes").status == 1


def test_a_log_is_corrected_and_the_entry_is_hidden(agent, say) -> None:
    before = log_of(agent).read_text()
    commit = git(agent, "log", "--format=%H", "-1", "--", "memory/episodes")
    say("revert", "--commit", commit, "--yes")
    after = log_of(agent).read_text()
    assert after.startswith(before)
    assert "Accepts:" not in git(agent, "log", "-1", "--format=%B")
    assert "| correction |" in after
    assert "harbour gate" not in after[len(before) :]
    told = json.loads(say("search", "harbour gate opens", "--json"))
    assert not any("opens at nine" in one["snippet"] for one in told["results"])
    assert say("restore").startswith("episode:")


def test_hard_takes_it_out_of_the_log(agent, say) -> None:
    commit = git(agent, "log", "--format=%H", "-1", "--", "memory/episodes")
    say("remember", "the tram is late", "--store", "episodic")
    say("revert", "--commit", commit, "--hard", "--yes")
    assert "harbour" not in log_of(agent).read_text()
    assert "Accepts: EPI001" in git(agent, "log", "-1", "--format=%B")
    assert "tram" in log_of(agent).read_text()
    assert say("verify").splitlines()[-1].endswith("1 finding")


DAY = "memory/episodes/2026-02-03.md"
LOG = """# Episodes — 2026-02-03

## 09:00:00 | event | confidence: high
The gate opens at nine.
It closes at six.
- tags: gate
- source: user-explicit

## 10:00:00 | fact | confidence: high
The tram is red.
- tags: tram
- source: user-explicit
"""
MORE = """
## 11:00:00 | fact | confidence: high
The ferry is green.
- tags: ferry
- source: user-explicit
"""
LATER = MORE.replace("11:00", "12:00").replace("ferry is green", "harbour is deep")
TAMPERED = {
    "a changed line": LOG.replace("at nine", "at noon"),
    "a removed line": LOG.replace("It closes at six.\n", ""),
    "an inserted line": LOG.replace("It closes", "It opens at noon as well.\nIt closes"),
    "a changed time": LOG.replace("## 10:00", "## 10:30"),
    "a removed entry": LOG[: LOG.index("## 10")],
    "the last entry goes on": LOG + "The tram opens at noon.\n",
    "lines in another order": LOG.replace(
        "The gate opens at nine.\nIt closes at six.", "It closes at six.\nThe gate opens at nine."
    ),
    "a changed line and an entry": LOG.replace("at nine", "at noon") + MORE,
    "a removed entry and another": LOG[: LOG.index("\n## 10")] + MORE,
}


@pytest.mark.parametrize("since", ["", LATER], ids=["at once", "later"])
@pytest.mark.parametrize("tampered", TAMPERED.values(), ids=TAMPERED.keys())
def test_what_was_tampered_with_in_a_log_goes_back(agent, say, tampered, since) -> None:
    log = agent / DAY
    for text in filter(None, (LOG, tampered, since and tampered + since)):
        log.write_text(text)
        git(agent, "add", DAY)
        git(agent, "commit", "-qn", "-m", "a day")
    say("revert", "--commit", "HEAD^" if since else "HEAD", "--yes")
    entries = MORE if MORE in tampered else ""
    assert episodes.sort_entries(log.read_text()) == LOG + entries + since
    assert ("ferry" in say("restore")) == bool(entries)
    assert not json.loads(say("--json", "status"))["quarantine"]


def test_a_log_that_was_removed_comes_back(agent, say) -> None:
    log = log_of(agent)
    before = log.read_text()
    git(agent, "rm", "-q", str(log))
    git(agent, "commit", "-qn", "-m", "no more")
    say("revert", "--commit", "HEAD", "--yes")
    assert log.read_text() == before


def test_an_entry_that_was_put_between_others_stays_and_is_hidden(agent, say) -> None:
    log = agent / DAY
    between = LOG.replace("## 10", MORE.lstrip().replace("11:00", "09:30") + "\n## 10")
    for text in (LOG, between):
        log.write_text(text)
        git(agent, "add", DAY)
        git(agent, "commit", "-qn", "-m", "a day")
    say("revert", "--commit", "HEAD", "--yes")
    assert log.read_text() == between
    assert "ferry" in say("restore")


def test_what_was_written_since_stays(agent, say) -> None:
    say("remember", "expires in an hour", "--entity", "concept:OAuth2 PKCE")
    say("remember", "is used by the app", "--entity", "concept:OAuth2 PKCE")
    say("revert", "--commit", "HEAD^", "--yes")
    text = (agent / "memory/graph/entities/concept--oauth2-pkce.md").read_text()
    assert "is used by the app" in text
    assert "expires" not in text


def test_where_both_changed_the_same_it_is_refused(agent, run) -> None:
    soul = agent / "SOUL.md"
    for words in ("Speak softly.\n", "Speak loudly.\n"):
        soul.write_text(words)
        git(agent, "commit", "-qam", "how to speak")
    said = run("revert", "--commit", "HEAD^", "--yes")
    assert said.status == 1
    assert "Speak loudly." in said.err
    assert "git diff" in said.err
    assert soul.read_text() == "Speak loudly.\n"


def test_what_a_person_has_not_committed_stays(agent, say, run) -> None:
    core = agent / "MEMORY.md"
    core.write_text(core.read_text().replace("## Persona", "## Persona\n- Dry humour"))
    say("revert", "MEMORY.md", "--to", "HEAD^", "--yes")
    assert "Dry humour" in core.read_text()
    assert "short answers" not in core.read_text()
    assert "Dry humour" not in git(agent, "show", "HEAD:MEMORY.md")
    soul = agent / "SOUL.md"
    soul.write_text("Mine.\n")
    assert run("rollback", "--to", "HEAD~2", "--yes").status in (0, 1)
    assert soul.read_text() == "Mine.\n"


def test_a_critical_file_that_goes_back_raises_an_alert(agent, say) -> None:
    before = (agent / "SOUL.md").read_text()
    (agent / "SOUL.md").write_text("Speak softly.\n")
    git(agent, "commit", "-qam", "softer")
    say("ack", "SOUL.md")
    say("revert", "SOUL.md", "--to", "HEAD~2", "--yes")
    assert (agent / "SOUL.md").read_text() == before
    assert "CRITICAL FILE CHANGED" in git(agent, "log", "-1", "--format=%B")
    assert say("alerts").startswith("SOUL.md changed")
    say("ack", "SOUL.md")
    say("verify")


def test_a_rollback_is_complete_and_repeating_it_does_nothing(agent, say, run) -> None:
    start = git(agent, "rev-parse", "HEAD")
    for words in (
        ("remember", "the tram is late", "--store", "episodic"),
        ("remember", "is a pilot", "--entity", "person:Ada"),
        ("core", "add", "Persona", "Dry humour"),
        ("pin", "entity:person--ada"),
    ):
        say(*words)
    say("rollback", "--to", start, "--yes")
    changed = git(agent, "diff", "--name-only", start, "HEAD").split()
    assert all(path.startswith("memory/episodes/") or path == SCORES for path in changed)
    assert "entity:person--ada" not in (agent / SCORES).read_text()
    say("verify")
    again = run("--actor", "manual", "rollback", "--to", start, "--yes")
    assert again.status == 1
    assert "nothing is left to undo" in again.err
    assert "late" not in say("search", "tram", "--json")


def test_a_rollback_takes_back_itself(agent, say) -> None:
    say("remember", "is a pilot", "--entity", "person:Ada")
    tree = git(agent, "rev-parse", "HEAD^{tree}")
    say("rollback", "--to", "HEAD^", "--yes")
    assert not (agent / "memory/graph/entities/person--ada.md").exists()
    say("revert", "--commit", "HEAD", "--yes")
    assert git(agent, "rev-parse", "HEAD^{tree}") == tree


def test_what_was_forgotten_comes_back_with_its_forgetting(agent, say) -> None:
    say("forget", "signs tokens with Ed25519", "--yes")
    say("rollback", "--to", "HEAD^", "--yes")
    assert "Ed25519" in (agent / "memory/graph/entities/concept--oauth2-pkce.md").read_text()
    say("remember", "signs tokens with Ed25519", "--entity", "concept:OAuth2 PKCE")


@pytest.mark.parametrize("hard", [(), ("--hard",)])
def test_what_was_forgotten_for_good_stays_gone(agent, say, run, hard) -> None:
    start = git(agent, "rev-parse", "HEAD")
    for text in ("signs tokens with Ed25519", "the harbour gate opens at nine"):
        say("forget", text, "--permanently", "--yes")
    say("core", "add", "Persona", "Dry humour")
    said = json.loads(say("rollback", "--to", start, "--yes", "--json", *hard))
    assert said["erased"] or not said["back"]
    for path in agent.rglob("*.md"):
        assert "Ed25519" not in path.read_text()
        assert "harbour gate" not in path.read_text()
    for rev in ("HEAD~2", "HEAD~3"):
        refused = run("--actor", "manual", "revert", "--commit", rev, "--yes", *hard)
        assert refused.status == 1
        assert "stays gone" in refused.err
    say("verify")


def test_a_file_comes_back_from_the_past(agent, say) -> None:
    path = agent / "memory/graph/entities/concept--oauth2-pkce.md"
    before = path.read_text()
    git(agent, "rm", "-q", str(path))
    git(agent, "commit", "-qm", "drop it")
    told = json.loads(say("revert", str(path), "--to", "HEAD^", "--yes", "--json"))
    assert path.read_text() == before
    assert told["back"] == ["entity:concept--oauth2-pkce"]


def test_an_acceptance_changes_no_file(agent, run) -> None:
    git(agent, "commit", "-q", "--allow-empty", "-m", "nothing")
    said = run("--actor", "manual", "revert", "--commit", "HEAD", "--yes")
    assert said.status == 1
    assert "changes no file" in said.err


def test_what_molt_keeps_itself_is_no_file_to_put_back(agent, run) -> None:
    for path in (paths.TOMBSTONES, paths.CHECKSUMS, paths.AUDIT_LOG):
        assert run("--actor", "manual", "revert", path, "--to", "HEAD^", "--yes").status in (1, 4)


def test_every_state_is_gone_back_to_from_every_other(agent, say) -> None:
    """Entities that come and go with their folder: nothing that is committed is not on disk."""
    states: dict[str, str] = {}
    steps: dict[str, tuple[str, ...]] = {
        "one": (),
        "none": ("revert", "--commit", "HEAD~1", "--yes"),
        "ada": ("remember", "opens the gate", "--entity", "person:Ada"),
        "both": ("remember", "sells bread", "--entity", "person:Bob"),
    }
    folder = agent / "memory/graph/entities"

    def list_entities() -> list[str]:
        return sorted(path.name for path in folder.glob("*.md"))

    shown: dict[str, list[str]] = {}
    for name, words in steps.items():
        if words:
            say(*words)
        states[name], shown[name] = git(agent, "rev-parse", "HEAD"), list_entities()
    assert [len(one) for one in shown.values()] == [1, 0, 1, 2]
    walk = ["one", "none", "ada", "none", "both", "none", "one", "both", "one", "ada", "one"]
    for name in walk:
        say("rollback", "--to", states[name], "--yes")
        assert list_entities() == shown[name], name
        assert git(agent, "status", "--porcelain") == "", name
        assert git(agent, "ls-files", "memory/graph/entities").count("\n") == (
            max(len(shown[name]) - 1, 0)
        )


def test_a_folder_that_becomes_a_file_is_undone_and_redone(agent, say) -> None:
    (agent / "projects").mkdir()
    (agent / "projects/one.md").write_text("one\n")
    git(agent, "add", "-A")
    git(agent, "commit", "-qm", "a folder")
    first = git(agent, "rev-parse", "HEAD")
    git(agent, "rm", "-q", "projects/one.md")
    (agent / "projects").write_text("a file\n")
    git(agent, "add", "-A")
    git(agent, "commit", "-qm", "a file")
    second = git(agent, "rev-parse", "HEAD")
    for state in (first, second, first, second):
        say("rollback", "--to", state, "--yes")
        assert git(agent, "status", "--porcelain") == ""
        assert git(agent, "diff", state, "HEAD", "--", "projects") == ""
