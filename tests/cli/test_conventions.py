"""What every command has in common: options, streams, exit status, errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from molt.cli import main
from molt.cli.app import cli
from molt.cli.commands import COMMANDS

SHOWN = [name for name, line in COMMANDS.items() if line]
NEEDED = {
    "remember": ("a thing",),
    "propose": ("a thing", "--actor", "subagent:coder"),
    "ack": ("SOUL.md",),
    "get": ("MEMORY.md",),
    "why": ("entity:concept--oauth2-pkce",),
    "blame": ("MEMORY.md",),
    "search": ("harbour",),
    "recall": ("harbour",),
    "trigger": ("remember the harbour",),
    "touch": ("entity:concept--oauth2-pkce",),
    "hooks": ("status",),
    "install": ("codex", "--dry-run"),
    "uninstall": ("codex", "--dry-run"),
    "graph": ("show",),
    "core": ("show",),
    "reflect": ("list",),
    "revert": ("MEMORY.md", "--to", "HEAD^", "--dry-run"),
    "rollback": ("--to", "HEAD^", "--dry-run"),
    "question": ("list",),
    "procedure": ("list",),
    "forget": ("--id", "entity:concept--oauth2-pkce"),
    "pin": ("entity:concept--oauth2-pkce",),
    "unpin": ("entity:concept--oauth2-pkce",),
    "audit": ("verify",),
    "session": ("start",),
    "completion": ("bash",),
    "setup": ("model", "none"),
    "export": ("--to", "okf", "--dry-run", "../export"),
    "eval": (str(Path(__file__).parents[2] / "benchmarks/sets/assistant"),),
}
APART = ("accept", "backup", "demo", "import", "init", "mcp", "purge", "sync")
FLAGS = ("--workspace", "--actor", "--json", "--quiet", "--no-color", "--debug")


def find_command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", SHOWN)
def test_every_command_takes_the_global_options(name: str) -> None:
    command = find_command(name)
    own = {option for param in command.params for option in param.opts}
    assert own.issuperset(FLAGS)


@pytest.mark.parametrize("name", [name for name in SHOWN if name not in APART])
def test_every_command_answers_in_json(agent, run, name: str) -> None:
    said = run(name, *NEEDED.get(name, ()), "--json")
    assert said.status == 0, said.err
    rows = [json.loads(row) for row in said.out.splitlines()]
    assert rows or name in ("log", "why", "hook")


def test_the_demo_answers_in_one_json_document(run, tmp_path: Path) -> None:
    said = run("demo", str(tmp_path), "--json")
    steps = json.loads(said.out)["steps"]
    assert [step["status"] for step in steps if step["command"][:2] == ["molt", "verify"]] == [0]


def test_options_hold_before_and_after_the_command(agent, run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = run("--workspace", str(agent), "--json", "status")
    after = run("status", "--json", "--workspace", str(agent))
    assert before.status == 0
    assert json.loads(before.out) == json.loads(after.out)


def test_a_filter_of_a_command_is_not_taken_for_the_actor(agent, run) -> None:
    assert "bot:main" in run("log", "--actor", "bot:*").out
    assert run("log", "--actor", "skill:*").out == ""
    assert "harbour" in run("search", "harbour", "--actor", "bot").out
    assert run("search", "harbour", "--actor", "skill").out == ""
    assert "harbour" in run("--actor", "skill:x", "search", "harbour").out
    assert "harbour" in run("recall", "harbour", "--actor", "bot:main").out
    assert run("recall", "harbour", "--actor", "skill").out == ""


def test_the_actor_may_follow_the_command(agent, run, git) -> None:
    assert run("remember", "one more", "--actor", "skill:notes").status == 0
    assert "Actor: skill:notes" in git(agent, "log", "-1", "--format=%B")


def test_what_follows_two_dashes_is_text(agent, run) -> None:
    said = run("remember", "--json", "--", "--quiet")
    assert json.loads(said.out)["store"] == "episodic"
    assert "--quiet" in run("search", "quiet").out


def test_quiet_leaves_results_and_errors(agent, run) -> None:
    (agent / "molt.yaml").write_text("cores: {}\n")
    subprocess.run(["git", "commit", "-qam", "typo"], check=True)
    loud, quiet = run("remember", "a"), run("remember", "b", "--quiet")
    assert "unknown key" in loud.err
    assert quiet.err == ""
    assert quiet.out
    assert run("get", "nothing", "--quiet").err


@pytest.mark.parametrize(
    ("args", "status", "hint"),
    [
        pytest.param(("serch", "x"), 2, "'search'", id="command"),
        pytest.param(("search", "x", "--limt", "3"), 2, "--limit", id="option"),
        pytest.param(("search",), 2, "molt search --help", id="argument"),
        pytest.param(("core", "add", "x"), 2, "`molt core add BLOCK TEXT`", id="second-argument"),
        pytest.param(("search", "x", "--limit", "0"), 2, "molt search --help", id="range"),
        pytest.param(("hooks", "instal"), 2, "install", id="choice"),
        pytest.param(("rule", "EPI999"), 4, "molt rule", id="rule"),
        pytest.param(("get", "episode:1990-01-01:00:00"), 4, "", id="memory"),
        pytest.param(("search", "x", "--since", "soon"), 2, "2026-02-02", id="date"),
        pytest.param(("log", "--since", "soon"), 2, "2026-02-02", id="since"),
        pytest.param(("search", "x", "--store", "cellar"), 2, "molt search --help", id="store"),
        pytest.param(("remember", "x", "--entity", "tool:"), 2, "concept:", id="no-label"),
        pytest.param(("remember", "x", "--entity", ":Git"), 2, "concept:", id="no-type"),
        pytest.param(("search", "two", "words"), 2, "quotes make one", id="words"),
        pytest.param(("log", "a.md"), 2, "`molt log --file FILE`", id="file"),
        pytest.param(("status", "now"), 2, "\n  `molt status --help`", id="no-words"),
        pytest.param(("search", "x", "--min-score", "nan"), 2, "no number", id="nan"),
        pytest.param(("--frobnicate",), 2, "molt --help", id="global"),
        pytest.param(("remember", "x", "--actor", "main"), 2, "bot:main", id="actor"),
        pytest.param(("graph", "relation", "add", "x", "--actor", "bot:"), 2, "bot:", id="no-name"),
        pytest.param(("verify", "HEAD~99..HEAD"), 4, "main..HEAD", id="commits"),
        pytest.param(("eval", "nowhere"), 4, "corpus.jsonl", id="folder"),
        pytest.param(("status", "--workspace", "nowhere"), 4, "molt init", id="workspace"),
    ],
)
def test_a_bad_call_is_told_in_words_and_in_json(agent, run, args, status: int, hint: str) -> None:
    plain, told = run(*args), run(*args, "--json")
    assert (plain.status, told.status) == (status, status)
    assert plain.out == ""
    assert plain.err.startswith("molt: ")
    assert hint in plain.err
    error = json.loads(told.out)["error"]
    assert error["message"] in plain.err
    assert error["kind"] == ("usage" if status == 2 else "not-found")
    assert told.err == ""


def test_a_bad_range_is_told_in_the_words_of_the_caller(agent, run) -> None:
    said = run("verify", "HEAD~99..HEAD")
    assert said.err.startswith("molt: no such range of commits: HEAD~99..HEAD\n")


def test_a_refusal_lists_its_findings_in_json(agent, run) -> None:
    said = run("remember", "key ghp_" + "a1" * 20, "--store", "episodic", "--json")
    error = json.loads(said.out)["error"]
    assert (said.status, error["kind"]) == (1, "refused")
    assert [one["code"] for one in error["findings"]] == ["SEC001"] * len(error["findings"])


def test_no_command_shows_the_help_on_stderr(run) -> None:
    said = run()
    assert (said.status, said.out) == (2, "")
    assert all(name in said.err for name in SHOWN)


def test_no_command_is_told_in_json_as_well(run) -> None:
    said = run("--json")
    assert (said.status, json.loads(said.out)["error"]["kind"]) == (2, "usage")


def test_who_cannot_be_an_actor_still_reads_and_writes_nothing(
    agent, run, git, monkeypatch
) -> None:
    monkeypatch.setenv("MOLT_ACTOR", "main")
    head = git(agent, "rev-parse", "HEAD")
    said = run("remember", "a thing")
    assert said.err.startswith("molt: 'main' is no actor\n")
    assert (said.status, git(agent, "rev-parse", "HEAD")) == (2, head)
    assert run("search", "harbour").status == 0


def test_the_demo_writes_into_no_workspace_that_is_there(agent, run, git) -> None:
    head = git(agent, "rev-parse", "HEAD")
    said = run("demo", str(agent))
    assert (said.status, "inside the repository" in said.err) == (2, True)
    assert (git(agent, "rev-parse", "HEAD"), (agent / "agent").exists()) == (head, False)


def test_the_demo_does_not_go_where_the_environment_points(
    agent, run, git, monkeypatch, tmp_path
) -> None:
    monkeypatch.setenv("MOLT_WORKSPACE", str(agent))
    monkeypatch.setenv("MOLT_ACTOR", "subagent:coder")
    head = git(agent, "rev-parse", "HEAD")
    assert run("demo", str(tmp_path / "demo")).status == 0
    assert git(agent, "rev-parse", "HEAD") == head
    assert run("demo", str(tmp_path / "demo")).status == 2


def test_a_finding_of_no_file_has_no_line(agent, run, git) -> None:
    words = ("--allow-empty", "-m", "odd\n\nActor: manual\nApproval: —\nTrigger: t")
    git(agent, "-c", "core.hooksPath=/dev/null", "commit", "-q", *words)
    said = run("verify")
    assert "MSG001: the subject" in said.out


def test_what_init_warns_of_has_no_colour_where_that_is_no_terminal(
    run, tmp_path, monkeypatch
) -> None:
    monkeypatch.delenv("NO_COLOR")
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/bad.md").write_bytes(b"\xff\n")
    said = run("init", str(tmp_path))
    assert "SEC003" in said.err
    assert "\033" not in said.err


@pytest.mark.parametrize("flags", [(), ("--json",)], ids=["words", "json"])
def test_a_full_disk_under_stdout_is_told_on_stderr(agent, flags) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "molt", "status", *flags],
            stdout=full, stderr=subprocess.PIPE, check=False, text=True,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "molt: No space left on device\n")


@pytest.mark.parametrize(
    "where",
    [
        pytest.param(("--entity", "tool:Git"), id="fact"),
        pytest.param(("--store", "core"), id="bullet"),
    ],
)
def test_what_is_known_already_changes_nothing(agent, run, git, where) -> None:
    first = json.loads(run("remember", "one thing", *where, "--json").out)
    head = git(agent, "rev-parse", "HEAD")
    again = json.loads(run("remember", "one thing", *where, "--json").out)
    assert (again["id"], again["commit"]) == (first["id"], None)
    assert git(agent, "rev-parse", "HEAD") == head


@pytest.fixture
def broken(agent: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace in which one command has a defect."""

    def fail(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("a defect\nof two lines")

    monkeypatch.setattr("molt.memory.provenance.audit.alerts", fail)
    return agent


def test_a_defect_is_one_line_and_a_report(broken, run) -> None:
    said = run("alerts")
    assert said.status == 1
    assert "Traceback" not in said.err
    assert (
        said.err.splitlines()[0]
        == "molt: this is a defect of molt: RuntimeError: a defect of two lines"
    )
    report = (broken / ".git/molt/failed-molt.txt").read_text()
    assert "RuntimeError: a defect" in report
    assert str(broken / ".git/molt/failed-molt.txt") in said.err


def test_a_defect_is_json_and_with_debug_a_traceback(broken, run) -> None:
    assert json.loads(run("alerts", "--json").out)["error"]["kind"] == "defect"
    with pytest.raises(RuntimeError):
        main(["alerts", "--debug"])


def test_a_file_that_cannot_be_read_is_no_defect(agent, run, monkeypatch) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise PermissionError(13, "Permission denied", "somewhere")

    monkeypatch.setattr("molt.memory.provenance.audit.alerts", fail)
    assert run("alerts").err == "molt: somewhere: Permission denied\n"


def test_an_interrupt_has_its_own_status(agent, run, monkeypatch) -> None:
    def stop(*_args: object, **_kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("molt.memory.provenance.audit.alerts", stop)
    said = run("alerts")
    assert (said.status, said.err.strip()) == (130, "molt: interrupted; nothing is half-done")


def test_an_interrupt_tells_what_was_written_before_it(agent, run, git, monkeypatch) -> None:
    def stop(*_args: object, **_kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("molt.memory.projections.freshen_all", stop)
    said = run("remember", "--store", "episodic", "the gate opens at nine")
    subject = git(agent, "log", "-1", "--format=%s").strip()
    assert subject.startswith("[")
    assert (said.status, said.err.strip()) == (
        130,
        f"molt: interrupted; what it wrote stays: {subject}",
    )


def molt(*args: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "molt", *args],
        cwd=cwd, env=os.environ | env, capture_output=True, encoding="utf-8",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("env", "args", "coloured"),
    [
        pytest.param({"NO_COLOR": "", "FORCE_COLOR": "1"}, (), True, id="forced"),
        pytest.param({"NO_COLOR": "1", "FORCE_COLOR": "1"}, (), False, id="NO_COLOR"),
        pytest.param({"NO_COLOR": "", "FORCE_COLOR": "1"}, ("--no-color",), False, id="flag"),
        pytest.param({"NO_COLOR": ""}, (), False, id="no terminal"),
    ],
)
def test_colour_holds_to_the_terminal_and_to_no_color(agent, env, args, coloured: bool) -> None:
    (agent / "memory/aux.md").write_text("a\n")
    said = molt("check", *args, cwd=agent, **env)
    assert "SEC004" in said.stdout
    assert ("\x1b[" in said.stdout) is coloured


def test_a_closed_pipe_ends_silently(agent) -> None:
    script = f"{sys.executable} -m molt rule --json | head -c 1"
    done = subprocess.run(["sh", "-c", script], cwd=agent, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[", "")


def test_a_terminal_of_few_letters_gets_escapes(agent, run) -> None:
    run("remember", "用户")
    old = {"PYTHONIOENCODING": "iso-8859-1", "PYTHONUTF8": "0"}
    assert "\\u7528\\u6237" in molt("log", cwd=agent, **old).stdout
    rows = molt("log", "--json", cwd=agent, **old).stdout.splitlines()
    assert json.loads(rows[0])["summary"] == "用户"


def test_a_closed_output_is_no_defect(agent) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m molt status >&-"], cwd=agent, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_folder_that_is_gone_is_told(agent) -> None:
    script = f"mkdir gone; cd gone; rmdir ../gone; {sys.executable} -m molt status"
    done = subprocess.run(["sh", "-c", script], cwd=agent, capture_output=True, text=True)
    assert (done.returncode, done.stderr.splitlines()[0]) == (4, "molt: the current folder is gone")


def test_a_name_that_is_no_text_is_shown_with_escapes(agent) -> None:
    (agent / os.fsdecode(b"memory/caf\xe9.md")).write_text("a\n")
    assert "\\udce9" in molt("check", cwd=agent).stdout
    found = json.loads(molt("check", "--json", cwd=agent).stdout)
    assert os.fsdecode(b"memory/caf\xe9.md") in [one["path"] for one in found]


@pytest.mark.parametrize("args", [("--help",), ("-h",), ("--version",), ("search", "-h")])
def test_help_and_version_are_results(tmp_path, args: tuple[str, ...]) -> None:
    done = molt(*args, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


ALLOWED = {"molt", "molt.cli", "molt.imports"}


def test_the_door_itself_imports_nothing_of_the_house() -> None:
    script = "import sys, molt.cli; print(*(m for m in sys.modules if m.split('.')[0] == 'molt'))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == ALLOWED


@pytest.mark.parametrize(
    ("name", "first"),
    [("core", "show"), ("keys", "list"), ("procedure", "list"), ("question", "list"),
     ("review", "list")],
)  # fmt: skip
def test_a_group_that_can_show_all_does_so_without_a_command(agent, run, name, first) -> None:
    alone, told = run(name, "--json"), run(name, first, "--json")
    assert (alone.status, alone.out) == (0, told.out)


def test_every_command_has_one_line_of_help_and_a_docstring() -> None:
    for name in SHOWN:
        command = find_command(name)
        assert command.help
        assert COMMANDS[name].endswith(".")
        options = [param for param in command.params if isinstance(param, click.Option)]
        assert all(option.help for option in options), name
    assert cli.help
