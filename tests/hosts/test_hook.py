"""The door for hosts' hooks: their JSON in and out, and whatever breaks the host goes on."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from copies import Copy
from moments import (
    count_commits,
    last_message,
    make_workspace,
    open_moment,
    read_context,
    run_bytes,
    run_event,
)

from molt.hosts import claude_code, door
from molt.hosts.session import prompt
from molt.memory import projections
from molt.memory.talks import ended
from molt.repo import state

SUBAGENT = {"agent_id": "a-7", "agent_type": "Explore"}


@pytest.fixture
def root(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "agent", make_workspace)


@pytest.mark.parametrize("host", door.HOSTS)
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork", "of 2030", ""])
def test_a_session_begins_with_its_memory(root: Path, host: str, source: str) -> None:
    reply = run_event(root, "SessionStart", host=host, source=source)
    assert "# MEMORY.md" in read_context(reply)
    assert json.loads(reply.out)["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert reply.said == ""


@pytest.mark.parametrize("host", door.HOSTS)
def test_what_is_asked_for_is_stored_and_a_later_session_is_told(root: Path, host: str) -> None:
    prompt = "remember that I prefer tabs"
    reply = run_event(root, "UserPromptSubmit", host=host, prompt=prompt, source="user")
    assert "do not store it again" in read_context(reply)
    assert "Actor: bot:trigger-remember" in last_message(root)
    later = run_event(root, "SessionStart", host=host, source="startup", session_id="s-2")
    assert "I prefer tabs" in read_context(later)


def test_a_prompt_with_nothing_in_it_is_answered_with_nothing(root: Path) -> None:
    reply = run_event(root, "UserPromptSubmit", prompt="ok go ahead")
    assert (reply.out, reply.said) == ("", "")


@pytest.mark.parametrize(
    "event",
    [name for name in claude_code.EVENTS if name not in ("SessionStart", "UserPromptSubmit")],
)
def test_every_other_event_says_nothing_to_the_model(root: Path, event: str) -> None:
    said = "The harbour gate opens at nine."
    reply = run_event(root, event, last_assistant_message=said, reason="other", trigger="auto")
    assert (reply.out, reply.said) == ("", "")


def test_an_end_queues_the_session(root: Path) -> None:
    run_event(root, "SessionEnd", reason="logout", transcript_path="/t.jsonl")
    (one,) = ended.list_ended(open_moment(root).ws.repo)
    assert (one.session, one.reason, one.transcript) == ("s-1", "logout", "/t.jsonl")


def test_an_older_codex_tells_no_end_so_every_answer_may_be_the_last(root: Path) -> None:
    for event in ("Stop", "Stop", "SessionEnd"):
        run_event(root, event, host="codex", last_assistant_message="done")
    assert len(ended.list_ended(open_moment(root).ws.repo)) == 1


def test_a_compaction_has_what_was_said_proposed_by_another_process(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = {"role": "user", "content": "We decided to use Postgres for the archive."}
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps({"type": "user", "message": message}) + "\n")
    # What lies in the folder that the host works in is none of molt.
    (root / "molt").mkdir()
    (root / "molt/__init__.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(root)
    reply = run_event(root, "PreCompact", trigger="manual", transcript_path=str(file))
    assert (reply.out, reply.said) == ("", "")
    # Nothing but the commit says that the other process is through.
    deadline = time.monotonic() + 60
    while "PROPOSE" not in last_message(root) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "Postgres for the archive" in last_message(root)


def test_a_sub_agent_stores_nothing_and_no_end_of_its_own_counts(root: Path) -> None:
    before = count_commits(root)
    prompt = "remember that all invoices go to Eve"
    run_event(root, "UserPromptSubmit", prompt=prompt, **SUBAGENT)
    run_event(root, "SessionEnd", **SUBAGENT)
    run_event(root, "PreCompact", **SUBAGENT)
    assert count_commits(root) == before
    assert ended.list_ended(open_moment(root).ws.repo) == ()


def test_the_stop_of_the_hosts_own_summariser_is_ignored(root: Path) -> None:
    run_event(root, "UserPromptSubmit", prompt="remember that the harbour gate opens at nine")
    said = "The harbour gate opens at nine, as it was said."
    run_event(root, "SubagentStop", agent_id="x", agent_type="", last_assistant_message=said)
    assert not Path(open_moment(root).ws.repo.molt_dir, "accesses").exists()
    run_event(root, "SubagentStop", **SUBAGENT, last_assistant_message=said)
    assert Path(open_moment(root).ws.repo.molt_dir, "accesses").exists()


def test_the_workspace_is_that_of_the_folder_then_of_the_environment_then_the_noted_one(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = {"cwd": str(tmp_path), "hook_event_name": "SessionStart"}
    data = json.dumps(event).encode()
    assert run_bytes(data) == door.HookReply()
    assert run_bytes(data, folder=str(root)).out
    monkeypatch.setenv("MOLT_WORKSPACE", str(root))
    assert run_bytes(data).out
    monkeypatch.setenv("MOLT_WORKSPACE", str(tmp_path / "gone"))
    assert "no such folder" in run_bytes(data).said
    assert run_bytes(data, folder=str(root)).out


def run_hook(
    data: bytes, cwd: Path, *, prepare: Callable[[], None] | None = None, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """The installed command, as a host runs it."""
    return subprocess.run(
        [sys.executable, "-m", "molt", "hook", "claude-code"],
        input=data,
        cwd=cwd,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **env},
        preexec_fn=prepare,
    )


def make_event(root: Path, event: str = "UserPromptSubmit", **fields: str) -> bytes:
    prompt = {"prompt": "remember that the harbour gate opens at nine", **fields}
    said = {"session_id": "s", "cwd": str(root), "hook_event_name": event, **prompt}
    return json.dumps(said).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(b"", "no JSON", id="nothing"),
        pytest.param(b"{", "no JSON", id="cut"),
        pytest.param(b"[1]", "no JSON object", id="a list"),
        pytest.param(b"\xff\xfe{}", "no JSON", id="no UTF-8"),
        pytest.param(b"[" * 100_000, "nested too deeply", id="deep"),
        pytest.param(b'{"hook_event_name": "Dance"}', "'Dance'", id="an unknown event"),
        pytest.param(b'{"hook_event_name": 7, "cwd": []}', "no event ''", id="wrong types"),
        pytest.param(b'{"cwd": "/nowhere", "hook_event_name": ""}', "no event", id="no folder"),
    ],
)
def test_what_is_no_event_is_said_and_ends_with_0(tmp_path: Path, data: bytes, why: str) -> None:
    done = run_hook(data, tmp_path)
    assert (done.returncode, done.stdout) == (0, b"")
    assert why in done.stderr.decode()


def test_an_unknown_host_and_unknown_options_end_with_0(tmp_path: Path) -> None:
    for args in (["emacs"], ["claude-code", "--new-option", "x"], [], ["codex", "SessionStart"]):
        command = [sys.executable, "-m", "molt", "hook", *args]
        env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(
            command, input=b"{}", cwd=tmp_path, env=env, capture_output=True, check=False
        )
        assert (done.returncode, done.stdout) == (0, b""), args
        assert done.stderr.startswith(b"molt hook: "), args


def test_an_event_of_ten_megabytes_is_answered(root: Path) -> None:
    long = "remember that the harbour gate opens at nine\n" + "x y " * (10 << 18)
    done = run_hook(make_event(root, prompt=long), root)
    assert done.returncode == 0
    assert "harbour gate opens at nine" in last_message(root)


def test_without_git_the_host_goes_on(root: Path, tmp_path: Path) -> None:
    done = run_hook(make_event(root), root, PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"git" in done.stderr


def test_in_a_locked_repository_the_model_is_told_that_nothing_was_stored(root: Path) -> None:
    before = count_commits(root)
    (root / ".git/index.lock").touch()
    done = run_hook(make_event(root), root)
    assert done.returncode == 0
    assert b"molt has not stored it" in done.stdout
    assert done.stderr.startswith(b"molt hook: ")
    assert count_commits(root) == before
    repo = open_moment(root).ws.repo
    assert "hook claude-code" in projections.last_failure(repo, projections.HOSTS_LOG)


def test_a_hook_gives_up_on_a_lock_before_its_host_gives_up_on_the_hook(root: Path) -> None:
    files = Path(__file__).parents[2].glob("templates/hosts/*/hooks/hooks.json")
    hooks = [json.loads(file.read_text())["hooks"]["UserPromptSubmit"] for file in files]
    (limit,) = {one["timeout"] for (group,) in hooks for one in group["hooks"]}
    assert limit >= 2 * door.PATIENCE
    moment = open_moment(root)
    (root / ".git/index.lock").touch()
    hasty = moment.replace(ws=moment.ws.replace(patience=0.0))
    found = prompt.notice_prompt(hasty, prompt.UserMessage("remember that I prefer tabs"))
    assert "index.lock" in found.failure


def test_on_a_full_disk_the_host_goes_on(root: Path) -> None:
    before = count_commits(root)

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    done = run_hook(make_event(root), root, prepare=fill)
    assert done.returncode == 0
    assert b"molt has not stored it" in done.stdout or done.stderr
    assert count_commits(root) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes into read-only folders")
def test_in_a_read_only_folder_the_host_goes_on(root: Path) -> None:
    subprocess.run(["chmod", "-R", "a-w", str(root)], check=True)
    try:
        done = run_hook(make_event(root), root)
        start = run_hook(make_event(root, "SessionStart"), root)
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(root)], check=True)
    assert (done.returncode, start.returncode) == (0, 0)
    assert b"# MEMORY.md" in start.stdout


def test_with_a_broken_configuration_defaults_hold(root: Path) -> None:
    (root / "molt.yaml").write_text("workspace: [\n")
    subprocess.run(["git", "commit", "-qam", "broken"], cwd=root, check=True)
    done = run_hook(make_event(root), root)
    assert done.returncode == 0
    assert b"do not store it again" in done.stdout


def test_a_repository_that_is_broken_is_said_and_kept_for_doctor(root: Path) -> None:
    (root / ".git/HEAD").write_text("ref: refs/heads/../../x\n")
    done = run_hook(make_event(root), root)
    assert (done.returncode, done.stdout) == (0, b"")


def test_what_went_wrong_is_kept_for_doctor(root: Path) -> None:
    run_event(root, "Dance")
    repo = open_moment(root).ws.repo
    assert "no event 'Dance'" in projections.last_failure(repo, projections.HOSTS_LOG)


def test_a_lock_that_somebody_holds_delays_an_end_by_little(root: Path) -> None:
    with state.lock(open_moment(root).ws.repo.common_dir, "ended-sessions"):
        reply = run_event(root, "SessionEnd")
    assert "another molt holds" in reply.said


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart", "SessionEnd", "PreCompact"])
@pytest.mark.parametrize(
    "streams",
    ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full", ">/dev/full 2>/dev/full"],
)
def test_streams_that_are_closed_or_take_nothing_stop_no_host(
    root: Path, event: str, streams: str
) -> None:
    line = f'exec "$0" -m molt hook claude-code {streams}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable],
        input=make_event(root, event),
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"defect" not in done.stderr
    assert git_fsck(root) == ""


def git_fsck(root: Path) -> str:
    """What git finds to be damaged."""
    done = subprocess.run(
        ["git", "fsck", "--no-dangling"], cwd=root, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_with_little_memory_an_event_is_answered(root: Path) -> None:
    """An event is as long as it is, and no room is taken for the longest."""
    limit = 60 << 20

    def take_away() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    done = run_hook(make_event(root), root, prepare=take_away)
    assert done.returncode == 0
    assert b"defect" not in done.stderr
