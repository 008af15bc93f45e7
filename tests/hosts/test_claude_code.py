"""A real Claude Code with molt in it, before a model on loopback."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hosts.anthropic_stub import Message, read_request
from hosts.conftest import ROOT, Machine

pytestmark = pytest.mark.slow

CORE = "Ada sails a boat called Vela."


@pytest.fixture
def memory(machine: Machine) -> Path:
    """The workspace of a machine where molt is installed for the user."""
    folder = machine.home / "memory"
    machine.molt("core", "add", "Identity", CORE, cwd=folder)
    machine.molt("install", "claude-code", "--yes", cwd=folder)
    return folder


def ask(machine: Machine, text: str, *more: str) -> str:
    """Have a conversation of one prompt; gives its id."""
    said = json.loads(machine.claude("-p", text, "--output-format", "json", *more))
    return str(said["session_id"])


def read_subjects(machine: Machine, memory: Path) -> list[str]:
    return machine.git(memory, "log", "--format=%s").splitlines()


def list_injected(asked: Message) -> Iterator[str]:
    """The texts between molt's marks that a request brings the model."""
    for part in read_request(asked).split("<!-- molt:memory ")[1:]:
        yield part.partition("<!-- /molt:memory")[0]


def test_a_session_begins_with_core_memory(machine: Machine, memory: Path) -> None:
    ask(machine, "hi")
    told = read_request(machine.stub.asked[-1])
    start = told.partition("SessionStart hook additional context:")[2]
    assert CORE in start.partition("<!-- /molt:memory")[0]


def test_what_is_to_be_remembered_is_a_commit_and_a_later_session_knows(
    machine: Machine, memory: Path
) -> None:
    ask(machine, "remember that I prefer tabs")
    assert any("I prefer tabs" in row for row in read_subjects(machine, memory))
    message = machine.git(memory, "log", "-1", "--grep=prefer tabs", "--format=%B")
    assert "Actor: bot:trigger-remember" in message
    assert "Origin: user" in message
    assert "It is stored" in machine.stub.read_told()
    machine.stub.asked.clear()
    ask(machine, "hi")
    assert any("I prefer tabs" in text for text in list_injected(machine.stub.asked[-1]))


def test_what_is_pasted_into_a_prompt_is_no_request(machine: Machine, memory: Path) -> None:
    before = read_subjects(machine, memory)
    ask(machine, "translate this:\n```\nremember that the password is swordfish\n```")
    assert read_subjects(machine, memory) == before


def test_a_compaction_keeps_the_memory_and_does_not_store_it_again(
    machine: Machine, memory: Path
) -> None:
    session = ask(machine, "remember that I prefer tabs")
    before = read_subjects(machine, memory)
    machine.stub.answer = lambda asked: "<summary>They talked.</summary>"
    machine.claude("-p", "/compact", "--resume", session)
    (transcript,) = machine.home.glob(f".claude/projects/*/{session}.jsonl")
    assert '"subtype":"compact_boundary"' in transcript.read_text()
    machine.stub.asked.clear()
    ask(machine, "go on", "--resume", session)
    texts = "".join(list_injected(machine.stub.asked[-1]))
    assert CORE in texts
    assert "I prefer tabs" in texts
    assert read_subjects(machine, memory) == before


def test_the_end_of_a_session_queues_it(machine: Machine, memory: Path) -> None:
    session = ask(machine, "remember that I prefer tabs")
    queued = (memory / ".git/molt/ended-sessions").read_text()
    assert queued.startswith(f"{session}\t")
    assert f"{session}.jsonl" in queued


def test_the_model_searches_by_the_tools_and_is_not_asked_for_leave(
    machine: Machine, memory: Path
) -> None:
    machine.molt("remember", "The harbour of Vela is Bergen", cwd=memory)
    call = {"name": "mcp__molt__memory_search", "input": {"query": "harbour of Vela"}}
    machine.stub.answer = lambda asked: answer_once(asked, call)
    ask(machine, "where does she lie?")
    assert "Bergen" in read_result(machine.stub.asked[-1])


def test_what_the_model_runs_in_its_shell_finds_the_memory(machine: Machine, memory: Path) -> None:
    call = {"name": "Bash", "input": {"command": "molt remember 'The mast is new'"}}
    machine.stub.answer = lambda asked: answer_once(asked, call)
    ask(machine, "go", "--allowedTools", "Bash(molt remember:*)")
    assert any("The mast is new" in row for row in read_subjects(machine, memory))


def test_what_claude_notes_by_itself_is_committed_in_its_name(machine: Machine) -> None:
    memory = machine.home / "memory"
    machine.molt("install", "claude-code", "--notes", "--yes", cwd=memory)
    note = memory / "memory/claude/user-name.md"
    text = "---\nname: user-name\ndescription: what she is called\nmetadata:\n  type: user\n---\n"
    call = {"name": "Write", "input": {"file_path": str(note), "content": f"{text}\nAda\n"}}
    machine.stub.answer = lambda asked: answer_once(asked, call)
    ask(machine, "my name is Ada", "--permission-mode", "acceptEdits")
    assert note.exists()
    ask(machine, "hi")
    assert "bot:claude-auto-memory" in machine.git(memory, "log", "-1", "--format=%B", "--", note)
    machine.molt("uninstall", "claude-code", "--yes", cwd=memory)
    assert not (machine.home / ".claude/settings.json").exists()
    assert note.exists()


def answer_once(asked: Message, call: Message) -> str | Message:
    """A call of a tool, and when its result is there a word."""
    return "Done." if read_result(asked) else call


def read_result(asked: Message) -> str:
    """What the tools of a conversation gave, as text."""
    blocks = (one for message in asked["messages"] for one in message["content"])
    found = (one for one in blocks if isinstance(one, dict) and one["type"] == "tool_result")
    return "\n".join(json.dumps(one) for one in found)


def test_a_project_with_its_own_memory_has_that(machine: Machine, memory: Path) -> None:
    machine.molt("init", "--name", "Ada", "--email", "ada@example.org")
    ask(machine, "remember that this project uses tabs")
    assert any("uses tabs" in row for row in read_subjects(machine, machine.project))
    assert not any("uses tabs" in row for row in read_subjects(machine, memory))


def test_a_broken_memory_stops_nobody(machine: Machine, memory: Path) -> None:
    (memory / ".git/HEAD").write_text("nonsense")
    ask(machine, "remember that I prefer tabs")
    assert machine.stub.asked
    (memory / ".git").rename(memory / "gone")
    ask(machine, "hi again")


def test_it_goes_again_and_leaves_every_file_as_it_was(machine: Machine) -> None:
    settings = machine.home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n\t"model": "opus",\n\t"hooks": {"Stop": []}\n}')
    ask(machine, "hi")
    before = read_home(machine)
    assert ".claude.json" in before
    machine.molt("install", "claude-code", "--yes", cwd=machine.home / "memory")
    assert read_home(machine) != before
    machine.molt("uninstall", "claude-code", "--yes", cwd=machine.home / "memory")
    assert read_home(machine) == before


def test_of_what_claude_wrote_since_nothing_goes_but_molts_part(machine: Machine) -> None:
    before = read_home(machine)
    machine.molt("install", "claude-code", "--yes", cwd=machine.home / "memory")
    ask(machine, "hi")
    with_molt = read_home(machine)
    machine.molt("uninstall", "claude-code", "--yes", cwd=machine.home / "memory")
    after = read_home(machine)
    settings = json.loads(with_molt.pop(".claude.json"))
    del settings["mcpServers"]["molt"]
    settings = {key: value for key, value in settings.items() if value or key != "mcpServers"}
    # As Claude Code itself writes it.
    assert after.pop(".claude.json").decode() == json.dumps(settings, ensure_ascii=False, indent=2)
    for name in (".claude/settings.json", ".claude/CLAUDE.md"):
        assert name not in before
        with_molt.pop(name)
    assert after == {name: one for name, one in with_molt.items() if "/molt/" not in name}
    ask(machine, "hi")
    assert not list(list_injected(machine.stub.asked[-1]))


def read_home(machine: Machine) -> dict[str, bytes]:
    """Every file of the person's but the memory; no file is there that cannot be read."""
    files = (path for path in machine.home.rglob("*") if path.is_file())
    names = {path.relative_to(machine.home).as_posix(): path for path in files}
    kept = {name: path for name, path in names.items() if not name.startswith("memory/")}
    return {name: path.read_bytes() for name, path in kept.items()}


@pytest.mark.parametrize("folder", [".", "templates/hosts/claude-code"])
def test_the_plugin_is_valid(machine: Machine, folder: str) -> None:
    machine.claude("plugin", "validate", str(ROOT / folder))


def test_the_plugin_is_installed_from_a_clone_works_and_goes(machine: Machine) -> None:
    machine.molt("init", "--name", "Ada", "--email", "ada@example.org")
    ask(machine, "hi")
    machine.claude("plugin", "marketplace", "add", str(ROOT))
    machine.claude("plugin", "install", "molt@molt")
    ask(machine, "remember that I prefer tabs")
    assert any("I prefer tabs" in row for row in read_subjects(machine, machine.project))
    machine.stub.asked.clear()
    ask(machine, "hi")
    assert "molt:molt" in machine.stub.read_told()
    assert any("I prefer tabs" in text for text in list_injected(machine.stub.asked[-1]))
    machine.claude("plugin", "uninstall", "molt@molt")
    machine.claude("plugin", "marketplace", "remove", "molt")
    machine.stub.asked.clear()
    ask(machine, "hi")
    assert not list(list_injected(machine.stub.asked[-1]))


PLAN = {
    "operations": [
        {
            "op": "upsert-entity",
            "entity": "concept:Vela",
            "facts": ["has a new mast"],
            "evidence": ["The mast of Vela is new"],
            "reason": "It comes up in every session.",
        }
    ]
}


def test_the_end_of_a_session_leads_to_a_plan_a_branch_and_an_approval(
    machine: Machine, memory: Path
) -> None:
    machine.stub.answer = lambda asked: "ready"
    machine.molt("setup", "model", "host", cwd=memory)
    for text in ("The mast of Vela is new", *(f"Sailed leg {n} to Bergen" for n in range(5))):
        machine.molt("remember", "--store", "episodic", text, cwd=memory)
    machine.stub.asked.clear()
    machine.stub.answer = lambda asked: "Bye." if asked.get("tools") else json.dumps(PLAN)
    ask(machine, "that is all for today")
    assert wait_for(lambda: "reflect/r-001" in machine.git(memory, "branch", "--list", "reflect/*"))
    shown = machine.molt("reflect", "show", cwd=memory)
    assert "has a new mast" in shown
    (asked,) = (one for one in machine.stub.asked if not one.get("tools"))
    assert "The mast of Vela is new" in read_request(asked)
    assert not (memory / ".git/molt/ended-sessions").read_text(), "its own session is not queued"
    machine.molt("--actor", "manual", "reflect", "approve", cwd=memory)
    assert any("has a new mast" in one.read_text() for one in memory.glob("memory/graph/*/*.md"))


def wait_for(found: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether something comes about within some time."""
    for _ in range(int(seconds * 5)):
        if found():
            return True
        time.sleep(0.2)
    return False
