"""What becomes of the words that somebody gives to git, in an editor or as an option."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from molt.cli import main
from molt.memory.provenance import audit

from .conftest import Agent, entry

EPISODE = "memory/episodes/2026-02-02.md"
KEYS = ("Actor", "Approval", "Trigger")
TRAILERS = "Actor: manual\nApproval: —\nTrigger: direct human edit"


@pytest.fixture
def types(monkeypatch, tmp_path):
    """Makes an editor of a shell command, which finds the message in `$1`."""

    def make(command: str) -> None:
        script = tmp_path / "editor"
        script.write_text(f'#!/bin/sh\ncp "$1" {tmp_path}/shown\n{command}\n')
        script.chmod(0o755)
        monkeypatch.setenv("GIT_EDITOR", str(script))

    return make


def subject(agent: Agent) -> str:
    return agent.git("log", "-1", "--format=%s").strip()


def message(agent: Agent) -> str:
    return agent.git("log", "-1", "--format=%B").strip()


def accepted(agent) -> None:
    """No commit that a person made breaks a rule."""
    assert agent.codes() == set()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param('printf "softer tone\\n" >"$1"', "softer tone", id="all-replaced"),
        pytest.param(
            'printf "softer tone\\nbecause\\n" >"$1"', "softer tone\n\nbecause", id="with-a-body"
        ),
        pytest.param(
            'printf "softer tone\\n" | cat - "$1" >"$1.n"; mv "$1.n" "$1"',
            "softer tone",
            id="a-line-above",
        ),
        pytest.param('sed -i "1s/^/softer tone/" "$1"', "softer tone", id="on-the-first-line"),
        pytest.param('sed -i "1s/$/ softer tone/" "$1"', "softer tone", id="with-a-blank"),
        pytest.param('printf "softer tone\\n" >>"$1"', "softer tone", id="at-the-end"),
    ],
)
def test_a_plain_line_in_an_editor_is_enough(agent, types, command, said) -> None:
    types(command)
    agent.put("notes.md", "a\n")
    agent.git("commit", "-q")
    assert message(agent) == f"[CREATE] notes.md — {said}\n\n{TRAILERS}"
    accepted(agent)


def test_the_editor_shows_what_a_plain_line_becomes(agent, types, tmp_path) -> None:
    types('echo x >"$1"')
    agent.put("SOUL.md", "new\n")
    agent.git("commit", "-q")
    rows = (tmp_path / "shown").read_text().split("\n")
    assert rows[0] == ""
    assert "[EDIT] SOUL.md — …" in rows[1]
    assert all(row.startswith("#") for row in rows[1:-1] if row)


@pytest.mark.parametrize("command", [":", ': >"$1"', 'echo "# a word" >"$1"'])
@pytest.mark.parametrize("flags", [(), ("-v",), ("-s",), ("--trailer", "Accepts: EPI001 — why")])
def test_without_a_word_git_aborts_as_it_does(agent, types, command, flags) -> None:
    types(command)
    agent.put("notes.md", "a\n")
    head = agent.git("rev-parse", "HEAD")
    done = agent.run("commit", *flags)
    assert "empty commit message" in done.stderr
    assert "molt" not in done.stderr
    assert agent.git("rev-parse", "HEAD") == head


def test_an_untouched_template_is_no_message(agent, types, tmp_path) -> None:
    (tmp_path / "template").write_text("\n# why?\nTicket:\n")
    agent.git("config", "commit.template", str(tmp_path / "template"))
    types(":")
    agent.put("notes.md", "a\n")
    assert "you did not edit the message" in agent.run("commit").stderr
    types('sed -i "1s/^/softer/" "$1"')
    agent.git("commit", "-q")
    assert message(agent) == f"[CREATE] notes.md — softer\n\nTicket:\n{TRAILERS}"


@pytest.mark.parametrize("mode", ["strip", "whitespace", "verbatim", "scissors", "default"])
def test_every_way_of_cleaning_up_ends_in_the_schema(agent, types, mode) -> None:
    types('printf "softer\\n\\n#7 is done\\n" >"$1"')
    agent.put("notes.md", "a\n")
    agent.git("commit", "-q", f"--cleanup={mode}")
    assert subject(agent) == "[CREATE] notes.md — softer"
    assert ("#7" in message(agent)) == (mode not in ("strip", "default"))
    agent.put("notes.md", "b\n")
    agent.git("commit", "-q", f"--cleanup={mode}", "-m", "x")
    assert message(agent) == f"[EDIT] notes.md — x\n\n{TRAILERS}"
    accepted(agent)


def test_an_editor_that_ends_a_reused_message(agent, types) -> None:
    agent.put("a.md", "a\n")
    agent.git("commit", "-qm", "first")
    agent.put("b.md", "b\n")
    types('sed -i "1s/$/ again/" "$1"')
    agent.git("commit", "-q", "-c", "HEAD")
    assert subject(agent) == "[CREATE] b.md — first again"
    types('printf "other words\\n" | cat - "$1" >"$1.n"; mv "$1.n" "$1"')
    agent.git("commit", "-q", "--amend")
    assert subject(agent) == "[CREATE] b.md — other words"
    accepted(agent)


@pytest.mark.parametrize("how", [("-C", "HEAD"), ("-F", "-"), ("--allow-empty-message", "-m", "")])
def test_a_message_from_elsewhere_is_completed(agent, how) -> None:
    agent.put("a.md", "a\n")
    agent.git("commit", "-qm", "first")
    agent.put("b.md", "b\n")
    command = ["git", "commit", "-q", *how]
    subprocess.run(command, cwd=agent.root, input="piped", text=True, check=True)
    words = {"-C": "first", "-F": "piped"}.get(how[0], "no summary")
    assert message(agent) == f"[CREATE] b.md — {words}\n\n{TRAILERS}"
    accepted(agent)


def test_an_empty_message_is_left_to_git(agent) -> None:
    agent.put("a.md", "a\n")
    assert "empty commit message" in agent.run("commit", "-m", "").stderr
    agent.rewrite()
    assert "EPI001" in agent.run("commit", "-m", "").stderr


def test_a_body_that_looks_like_trailers_is_prose(agent) -> None:
    agent.put("cast.md", "a\n")
    agent.git("commit", "-qm", "the cast", "-m", "Actor: Tom Hanks\nApproval: pending from Ada")
    said = "Actor: Tom Hanks\nApproval: pending from Ada"
    assert message(agent) == f"[CREATE] cast.md — the cast\n\n{said}\n\n{TRAILERS}"


def test_trailers_of_git_join_those_of_molt(agent) -> None:
    agent.put("a.md", "a\n")
    agent.git("commit", "-q", "-s", "--trailer", "Ticket: 7", "-m", "x")
    assert message(agent).endswith(f"\nTicket: 7\n{TRAILERS}")
    accepted(agent)


@pytest.mark.parametrize("editor", ["", "sed -i 2d"])
def test_a_plain_revert_is_one_in_the_schema(agent, types, editor) -> None:
    agent.put("a.md", "a\n")
    agent.git("commit", "-qm", "first")
    types(f'{editor or "true"} "$1"')
    for said in ("undo [CREATE] first", "redo [CREATE] first", "undo [CREATE] first"):
        oid = agent.git("rev-parse", "HEAD").strip()
        agent.git("revert", *([] if editor else ["--no-edit"]), "HEAD")
        assert subject(agent) == f"[REVERT] a.md — {said}"
        assert message(agent).endswith(f"\n\n{TRAILERS}\nReverts: {oid}")
        trailer = "--format=%(trailers:key=Reverts,valueonly)"
        assert agent.git("log", "-1", trailer).strip() == oid
        (*_, line) = (agent.root / "memory/meta/audit.log").read_text().splitlines()
        assert line.split(" | ")[1:] == ["REVERT", "a.md", "manual", "—", said]
    accepted(agent)


def test_a_revert_without_hooks_is_one_in_the_log(agent) -> None:
    agent.put("a.md", "a\n")
    agent.git("commit", "-qm", "first")
    agent.git("-c", "core.hooksPath=/dev/null", "revert", "--no-edit", "HEAD")
    audit.freshen_log(agent.repo)
    (*_, line) = (agent.root / "memory/meta/audit.log").read_text().splitlines()
    assert line.split(" | ")[1:4] == ["REVERT", "a.md", "—"]
    assert audit.compare_log(agent.repo).same


def test_the_page_of_the_graph_follows_what_git_commits(agent) -> None:
    page = agent.root / "memory/graph/index.md"
    ada = "---\nid: person--ada\ntype: person\nlabel: Ada\n---\n# Ada\n\n## Facts\n- bakes\n"
    agent.put("memory/graph/entities/person--ada.md", ada)
    agent.git("commit", "-qm", "Ada")
    assert "| person--ada |" in page.read_text()
    agent.git("revert", "--no-edit", "HEAD")
    assert "| person--ada |" not in page.read_text()
    agent.git("revert", "--no-edit", "HEAD")
    assert "| person--ada | person | Ada | entities/person--ada.md | — |" in page.read_text()
    assert main(["--workspace", str(agent.root), "pin", "entity:person--ada"]) == 0
    assert "| entities/person--ada.md | 1.00 (pinned) |" in page.read_text()
    agent.git("revert", "--no-edit", "HEAD")
    assert main(["--workspace", str(agent.root), "graph", "show"]) == 0
    assert "pinned" not in page.read_text()


SEEDS = {
    "memory/episodes/2026-02-02.md": (
        "[APPEND] memory/episodes/2026-02-02.md — new decision entry",
        ("bot:trigger-remember", "auto", 'user said "remember we chose the hybrid approach"'),
        (),
    ),
    "USER.md": (
        "[EDIT] USER.md — added timezone preference",
        ("manual", "approved", "reflection session 2026-02-03"),
        (),
    ),
    "SOUL.md": (
        "[EDIT] SOUL.md — modified core behavioral guideline",
        ("manual", "—", "direct human edit"),
        ("⚠️ CRITICAL FILE CHANGED",),
    ),
}
"""The form of the three examples of the design: trailers below the subject, a notice below them."""


@pytest.mark.parametrize("path", SEEDS)
def test_git_itself_reads_the_trailers_of_the_designs_examples(agent, path) -> None:
    head, values, below = SEEDS[path]
    rows = [f"{key}: {value}" for key, value in zip(KEYS, values, strict=True)]
    text = "\n".join((head, *rows, *below))
    old = (agent.root / path).read_text() if (agent.root / path).exists() else "# It\n"
    more = entry("We chose it.") if path == EPISODE else "- more\n"
    agent.put(path, old + more)
    agent.git("commit", "-q", "-m", text)
    assert subject(agent) == head
    for key, value in zip(KEYS, values, strict=True):
        form = f"--format=%(trailers:key={key},valueonly)"
        assert agent.git("log", "-1", form).strip() == value
    found = message(agent)
    assert found.count("CRITICAL FILE CHANGED") == len(below)
    assert not below or found.index("CRITICAL") < found.index("Actor:")
    agent.git("commit", "-q", "--amend", "--no-edit")
    assert message(agent) == found


def test_a_reword_with_a_plain_line(agent, types, monkeypatch) -> None:
    agent.put("a.md", "a\n")
    agent.git("commit", "-qm", "first")
    monkeypatch.setenv("GIT_SEQUENCE_EDITOR", "sed -i s/^pick/reword/")
    types('echo "plain words" >"$1"')
    agent.git("rebase", "-q", "-i", "HEAD^")
    assert message(agent) == f"[CREATE] a.md — plain words\n\n{TRAILERS}"
    accepted(agent)


def test_a_squash_of_two_commits_is_one_message(agent, types, monkeypatch) -> None:
    for name in ("a.md", "b.md"):
        agent.put(name, "a\n")
        agent.git("commit", "-qm", f"add {name}")
    monkeypatch.setenv("GIT_SEQUENCE_EDITOR", "sed -i 2s/^pick/squash/")
    types(":")
    agent.git("rebase", "-q", "-i", "HEAD~2")
    said = "[CREATE] a.md — add a.md\n\n[CREATE] b.md — add b.md"
    assert message(agent) == f"{said}\n\n{TRAILERS}"
    accepted(agent)


def test_a_pick_from_a_clone_without_hooks_is_completed(agent) -> None:
    agent.git("switch", "-qc", "side")
    agent.put("a.md", "a\n")
    agent.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "plain")
    agent.git("switch", "-q", "main")
    agent.git("cherry-pick", "side")
    assert message(agent) == f"[CREATE] a.md — plain\n\n{TRAILERS}"
    accepted(agent)


def test_a_clean_merge_is_left_as_git_made_it(agent, side) -> None:
    side("other", "a.md", "a\n")
    agent.put("b.md", "b\n")
    agent.git("commit", "-qm", "b")
    agent.git("merge", "-q", "--no-edit", "other")
    assert message(agent) == "Merge branch 'other'"
    accepted(agent)


def test_a_merge_in_own_words_says_that_it_is_one(agent, side) -> None:
    side("other", "a.md", "a\n")
    agent.git("merge", "-q", "--no-ff", "-m", "both days", "other")
    assert message(agent) == f"[MERGE] a.md — both days\n\n{TRAILERS}"
    accepted(agent)


def test_who_solves_a_conflict_signs_the_merge(agent, side) -> None:
    side("other", "SOUL.md", "theirs\n")
    agent.put("SOUL.md", "mine\n")
    agent.git("commit", "-qm", "mine")
    assert agent.run("merge", "-q", "other").returncode == 1
    agent.put("SOUL.md", "both\n")
    agent.git("commit", "-q", "--no-edit")
    assert message(agent).startswith("Merge branch 'other'\n")
    assert message(agent).endswith(f"⚠️ CRITICAL FILE CHANGED\n\n{TRAILERS}")
    accepted(agent)


def test_a_message_in_another_encoding_stays_in_it(agent) -> None:
    agent.git("config", "i18n.commitEncoding", "ISO-8859-1")
    agent.put("SOUL.md", "new\n")
    command = [b"git", b"commit", b"-qm", "Müller wählt Öl".encode("latin-1")]
    subprocess.run(command, cwd=agent.root, check=True)
    said = "Actor: manual\nApproval: -\nTrigger: direct human edit"
    about = "[EDIT] SOUL.md - Müller wählt Öl\n\nCRITICAL FILE CHANGED"
    shown = agent.git("-c", "i18n.logOutputEncoding=utf-8", "log", "-1", "--format=%B")
    assert shown.strip() == f"{about}\n\n{said}"
    accepted(agent)


@pytest.mark.parametrize("name", ["utf-16", "x-unheard-of"])
def test_an_encoding_that_others_cannot_read_is_told_with_the_way_on(agent, name) -> None:
    agent.git("config", "i18n.commitEncoding", name)
    agent.put("memory/2026-02-02.md", "new\n")
    done = agent.run("commit", "-qm", "Müller")
    assert done.returncode == 1
    assert "report:" not in done.stderr
    assert "`git config --unset i18n.commitEncoding`" in done.stderr
    agent.git("config", "--unset", "i18n.commitEncoding")
    agent.git("commit", "-qm", "Müller")
    accepted(agent)


def go_on(agent, done: subprocess.CompletedProcess[str], cwd=None) -> str:
    """Runs the last line of a refusal, as a person would."""
    assert done.returncode
    line = done.stderr.rstrip("\n").rpartition("\n")[2].partition(": ")[2].partition(": ")[2]
    command = subprocess.run(
        ["sh", "-c", line], cwd=cwd or agent.root, capture_output=True, text=True
    )
    assert command.returncode == 0, line + command.stderr
    return line


@pytest.mark.parametrize("prefix", ["", "memory"])
@pytest.mark.parametrize("flags", [("-m", "my words"), ("-a", "-m", "my words")])
def test_the_last_line_of_a_refusal_goes_on_with_the_same_words(agent, flags, prefix) -> None:
    agent.put("notes.md", "a\n")
    agent.put("memory/link.md", "key AKIAQWERTZUIOPASDFGH\n")
    cwd = agent.root / prefix
    done = agent.run("commit", *flags, cwd=cwd)
    assert "SEC001" in done.stderr
    agent.put("memory/link.md", "fine\n")
    go_on(agent, done, cwd)
    assert subject(agent) == "[CREATE] * — my words"


def test_what_helps_with_many_lines_is_said_once(agent) -> None:
    agent.put("memory/a.md", "key AKIAQWERTZUIOPASDFGH\n" * 3)
    agent.put("memory/b.md", "key AKIAQWERTZUIOPASDFGH\n")
    agent.git("add", "-A")
    said = agent.run("commit", "-m", "notes").stderr
    assert said.count("error SEC001") == 4
    assert said.count("rotate it") == said.count("\n      or accept it") == 1


def test_a_refusal_tells_how_git_leaves_out_what_a_program_writes(agent) -> None:
    agent.put("cache/my tokens.json", '{"token": "AKIAQWERTZUIOPASDFGH"}\n')
    agent.put("notes.txt", "a\n")
    said = agent.run("commit", "-m", "backup").stderr
    line = said.partition("leave the file out of git: `")[2].partition("`")[0]
    assert line == "git rm --cached 'cache/my tokens.json'"
    agent.git(*shlex.split(line)[1:])
    agent.put(".gitignore", "cache/\n")
    agent.git("commit", "-qm", "backup")
    assert (agent.root / "cache/my tokens.json").exists()


def test_of_a_hundred_warnings_the_first_are_said_and_of_each_rule_some(agent) -> None:
    for number in range(100):
        agent.put(f"wiki/page-{number}.md", "a\n", add=False)
        (agent.root / f"wiki/page-{number}.md").chmod(0o755)
    agent.put("memory/z.md", "key AKIAQWERTZUIOPASDFGH\n")
    agent.git("add", "-A")
    rows = agent.run("commit", "-m", "wiki").stderr.splitlines()
    assert "error SEC001" in rows[0]
    assert sum("warning SEC002" in row for row in rows) == 20
    assert "molt: and 80 more of SEC002" in rows


def test_files_are_refused_before_a_word_is_typed(agent, types) -> None:
    types("exit 1")
    agent.put("memory/link.md", "key AKIAQWERTZUIOPASDFGH\n")
    done = agent.run("commit", "-a")
    assert "SEC001" in done.stderr
    agent.put("memory/link.md", "fine\n")
    types('echo "my words" >"$1"')
    assert go_on(agent, done) == "git commit -a"


def test_what_was_typed_for_a_refused_commit_is_not_lost(agent, types) -> None:
    types('printf "my words\n\nActor: manual\nApproval: perhaps\n" >"$1"')
    agent.put("notes.md", "a\n")
    done = agent.run("commit", "-v", cwd=agent.root / "memory")
    assert "MSG006" in done.stderr
    types('sed -i "s/perhaps/—/" "$1"')
    assert go_on(agent, done, agent.root / "memory").startswith("git commit -e -F ../.git/")
    assert message(agent) == f"[CREATE] notes.md — my words\n\n{TRAILERS}"


def test_a_rebase_goes_on_after_a_refused_reword(agent, types, monkeypatch) -> None:
    agent.put("a.md", "a\n")
    agent.git("commit", "-qm", "first")
    monkeypatch.setenv("GIT_SEQUENCE_EDITOR", "sed -i s/^pick/reword/")
    types('printf "my words\n\nActor: manual\nApproval: perhaps\n" >"$1"')
    done = agent.run("rebase", "-i", "HEAD^")
    lines = done.stderr.splitlines()
    at = next(n for n, line in enumerate(lines) if "once that is mended" in line)
    types('sed -i "s/perhaps/—/" "$1"')
    line = go_on(agent, subprocess.CompletedProcess("", 1, "", lines[at]))
    assert line.endswith("&& git rebase --continue")
    assert agent.git("status", "--porcelain") == ""
    assert message(agent) == f"[CREATE] a.md — my words\n\n{TRAILERS}"


def test_words_that_were_typed_for_nothing_are_offered_again(agent, types, tmp_path) -> None:
    types('echo "long thought" >"$1"')
    agent.put("notes.md", "a\n")
    hook = agent.root / ".git/hooks/reference-transaction"
    hook.write_text('#!/bin/sh\n[ "$1" = prepared ] && exit 1\nexit 0\n')
    hook.chmod(0o755)
    assert agent.run("commit").returncode
    hook.unlink()
    types(":")
    agent.run("commit")
    shown = (tmp_path / "shown").read_text()
    line = next(row for row in shown.splitlines() if "not committed" in row)
    command = line.partition("`")[2].partition("`")[0]
    subprocess.run(["sh", "-c", command], cwd=agent.root, check=True, capture_output=True)
    assert subject(agent) == "[CREATE] notes.md — long thought"
    agent.put("notes.md", "b\n")
    agent.run("commit")
    assert "not committed" not in (tmp_path / "shown").read_text()


def test_a_hook_that_runs_outside_of_git_knows_no_command(agent) -> None:
    agent.put("a.md", "a\n")
    (agent.root / "m").write_text("words\n")
    command = [sys.executable, "-m", "molt.githooks", "commit-msg", "m"]
    done = subprocess.run(command, cwd=agent.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (agent.root / "m").read_text().startswith("[EDIT] a.md — words\n")
