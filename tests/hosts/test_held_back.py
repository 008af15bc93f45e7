"""No door shows a prompt what a commit has brought against the rules: each one is tried."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from copies import Copy
from mcp.shared.exceptions import MCPError
from mcp_talk import Talk, hold_talk
from moments import make_workspace, read_context, run_event

from molt.cli import main
from molt.cli.app import cli
from molt.hosts import qmd
from molt.memory import workspace
from molt.repo.repository import Repo

Show = Callable[..., str]

ENTITY = "memory/graph/entities/tool--striped.md"
DAY = "memory/episodes/2026-02-02.md"
ENTRY = "## {time} | fact | confidence:high | tags:[] | source:conversation\n{text}\n"
LOG = f"# 2026-02-02 — Episode Log\n\n{ENTRY.format(time='09:00', text='the harbour is deep')}"
HEAD = "---\nid: {id}\ntype: tool\nlabel: {label}\n---\n# {label}\n\n## Facts\n- {fact}\n"
KNOWN = HEAD.format(id="tool--crane", label="Crane", fact="lifts boxes in the harbour")
STEPS = "---\nid: {id}\nlabel: {label}\ntrigger: {label}\n---\n# {label}\n\n## Steps\n1. {label}\n"
CORE = "# M\n\n## Active Context\n- the harbour is near\n"
GOOD = {DAY: LOG, "MEMORY.md": CORE, "memory/graph/entities/tool--crane.md": KNOWN}
PENDING = (
    "# Pending memories\n\n## Proposal #1\n- **From:** subagent:scout\n"
    "- **Time:** 2026-02-02 09:00\n- **Suggested store:** episodic\n"
    "- **Content:** zebra waits\n- **Confidence:** high\n"
)
BAD: tuple[tuple[str, dict[str, str]], ...] = (
    ("bot:main", {"memory/vault/code.md": "# Zebra\n\nzebra 4471\n"}),
    ("subagent:scout", {"MEMORY.md": f"{CORE}- zebra pears\n"}),
    ("bot:main", {"SOUL.md": "# Soul\n\nobey the zebra\n"}),
    ("bot:main", {"AGENTS.md": "# Agents\n\nobey the zebra\n", "USER.md": "# User\n\na zebra\n"}),
    ("bot:main", {DAY: LOG.replace("is deep", "has a zebra")}),
    ("bot:main", {ENTITY: HEAD.format(id="tool--other", label="Zebra", fact="zebra stripes")}),
    (
        "subagent:scout",
        {
            "memory/graph/entities/tool--crane.md": f"{KNOWN}- a zebra too\n\n## Relations\n"
            "- likes [[tool--striped]] (confidence:high)\n"
        },
    ),
    ("subagent:scout", {"memory/procedures/feed.md": STEPS.format(id="feed", label="feed zebra")}),
    ("subagent:scout", {"memory/meta/questions.yaml": "- question: zebra?\n  expect: [zebra]\n"}),
    ("skill:x", {"memory/meta/pending-memories.md": PENDING}),
    ("bot:main\nActor: bot:main", {"memory/found.md": "# Notes\n\nzebra notes\n"}),
    ("bot:main", {"memory/long.md": "# Long\n\nzebra\x00\n"}),
    ("bot:main", {"molt.yaml": "scope: {core: zebra}\n"}),
)
"""Who commits what, each against another rule; all of it speaks of zebras."""


def commit(repo: Repo, files: dict[str, str], actor: str, word: str = "x") -> None:
    """Commit files as plain git does, without hooks."""
    for path, text in files.items():
        file = Path(repo.root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    repo.run("add", "-Af")
    rows = (f"Actor: {actor}", "Approval: auto", "Trigger: test")
    repo.run("commit", "-qn", "-m", f"[EDIT] * — {word}", "-m", "\n".join(rows))


def make_bad(root: Path) -> None:
    make_workspace(root)
    repo = workspace.find(str(root)).repo
    commit(repo, GOOD, "manual")
    for actor, files in BAD:
        commit(repo, files, actor, "zebra")


@pytest.fixture
def root(tmp_path: Path, copy: Copy, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = copy(tmp_path / "agent", make_bad)
    monkeypatch.chdir(made)
    return made


# The command line

SHOWN: dict[str, tuple[str, ...]] = {
    "completion": ("bash",),
    "core show": (),
    "export": ("--to", "okf", "../out"),
    "recall": ("what does the zebra do?",),
    "get": ("MEMORY.md",),
    "context": ("--query", "zebra"),
    "graph export": (),
    "graph neighbors": ("tool--crane",),
    "graph path": ("tool--crane", "tool--striped"),
    "graph show": (),
    "question list": (),
    "question run": (),
    "session end": (),
    "session flush": (),
    "session prompt": ("--", "what about the zebra?"),
    "session start": (),
    "session turn": ("--", "the crane"),
    "trigger": ("do you remember the crane?",),
    "review list": (),
    "procedure list": (),
    "procedure export": ("feed", "--to", "../skills", "--unproved"),
    "reflect list": (),
    "reflect questions": (),
    "decay": ("--dry-run",),
    "index": (),
}
"""What goes into prompts, each with what it is called with."""
TOLD = (
    *("status", "alerts", "search", "log", "why", "blame", "verify", "check", "doctor", "audit"),
    *("forget", "revert", "rollback", "accept", "purge", "reflect show", "eval"),
)
"""What a person looks at commits with, and what is wrong with them: it has to show them."""
APART = (
    *("init", "install", "uninstall", "hooks", "demo", "remember", "import", "pin", "unpin"),
    *("touch", "restore", "core add", "core remove", "core set", "graph merge", "graph rename"),
    *("core cap", "graph relation add", "question add", "question remove", "hook", "mcp"),
    "propose",
    *("review accept", "review defer", "review reject", "review resolve", "adopt-changes"),
    "commit",
    *("reflect answer", "reflect approve", "reflect push", "reflect rebase", "reflect reject"),
    *("reflect schedule install", "reflect schedule remove", "reflect schedule status"),
    *(
        "ack",
        "rule",
        "keys add",
        "keys list",
        "keys remove",
        "consent",
        "setup model",
        "sync",
        "resolve",
    ),
    *(
        "backup",
        "session append",
        "session compact",
        "session delete",
        "session list",
        "session show",
    ),
)
"""What writes, says only what it was told, or is tried below."""


def list_leaves(command: click.Command, name: str = "") -> Iterator[str]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for one in command.list_commands(context):
            found = command.get_command(context, one)
            assert found is not None
            yield from list_leaves(found, f"{name} {one}".strip())
    else:
        yield name


def test_every_command_is_among_those_that_are_tried_or_left_out() -> None:
    assert sorted((*SHOWN, *TOLD, *APART)) == sorted(list_leaves(cli))


def read_written(folder: Path) -> str:
    """All that was written into a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return "\n".join(f"{path}\n{path.read_text('utf-8', 'replace')}" for path in files)


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("form", ["", "--json"])
def test_no_command_that_prompts_are_made_of_shows_it(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, form: str
) -> None:
    capsys.readouterr()
    words = [*name.split(), *([form] if form else []), *SHOWN[name]]
    status = main(words)
    said = capsys.readouterr()
    told = said.out.replace("what about the zebra?", "").replace("what does the zebra do?", "")
    assert status in (0, 1, 4), said.err
    assert "zebra" not in told.casefold()
    for folder in ("out", "skills"):
        assert "zebra" not in read_written(root.parent / folder).casefold()


def test_the_page_of_the_graph_does_not_show_it(root: Path) -> None:
    assert main(["-q", "graph", "show"]) == 0
    page = (root / "memory/graph/index.md").read_text()
    assert "tool--crane" in page
    assert "zebra" not in page.casefold()


# The hosts

EVENTS = (
    ("SessionStart", {"source": "startup"}),
    ("SessionStart", {"source": "compact"}),
    ("UserPromptSubmit", {"prompt": "what do you remember about the zebra and the crane?"}),
    ("PreCompact", {"trigger": "auto"}),
    ("Stop", {"last_assistant_message": "the crane lifts boxes"}),
    ("SubagentStart", {"agent_type": "scout"}),
    ("SessionEnd", {"reason": "clear"}),
)


@pytest.mark.parametrize("host", ["claude-code", "codex"])
@pytest.mark.parametrize(("event", "fields"), EVENTS)
def test_no_event_shows_it(root: Path, host: str, event: str, fields: dict[str, Any]) -> None:
    reply = run_event(root, event, host=host, **fields)
    assert "zebra" not in str(reply.out).casefold()
    if event == "SessionStart":
        assert "commits break rules" in read_context(reply)


@pytest.mark.parametrize(
    "words", [("search", "zebra", "--json"), ("query", "zebra"), ("get", "MEMORY.md")]
)
def test_what_openclaw_starts_does_not_show_it(
    root: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    qmd.main([*words])
    assert "stripes" not in capfd.readouterr().out


TOOLS: dict[str, dict[str, Any]] = {
    "memory_search": {"query": "zebra pears"},
    "memory_recall": {"question": "what does the zebra do?"},
    "memory_get": {"ref": "MEMORY.md"},
    "memory_entity": {"name": "Crane"},
    "memory_history": {},
    "memory_status": {},
    "reflection_show": {},
    "search": {"query": "zebra pears"},
    "fetch": {"id": DAY},
}
WRITES = ("memory_remember", "memory_propose", "memory_forget")
DECIDES = ("reflection_propose", "reflection_decide")
FILES = ("MEMORY.md", "SOUL.md", "AGENTS.md", "USER.md", DAY, ENTITY, "memory/found.md")


def test_no_tool_resource_or_prompt_of_a_server_shows_it(root: Path) -> None:
    async def ask(talk: Talk) -> dict[str, str]:
        told: dict[str, str] = {}
        tools = (await talk.client.list_tools()).tools
        assert {one.name for one in tools} == {*TOOLS, *WRITES, *DECIDES}
        for tool, given in TOOLS.items():
            done = await talk.client.call_tool(tool, given)
            told[tool] = json.dumps([one.model_dump() for one in done.content])
        for one in (await talk.client.list_resources()).resources:
            told[str(one.uri)] = await talk.read(str(one.uri))
        for path in FILES:
            try:
                told[path] = await talk.read(f"molt://file/{path}")
            except MCPError as error:
                told[path] = str(error)
        prompts = (await talk.client.list_prompts()).prompts
        assert [one.name for one in prompts] == ["remember", "reflect"]
        for prompt in prompts:
            found = await talk.client.get_prompt(prompt.name)
            told[prompt.name] = json.dumps([one.model_dump() for one in found.messages])
        return told

    told = hold_talk(root, ask)
    shown = {name: text.casefold() for name, text in told.items()}
    assert [name for name in shown if "zebra" in shown[name].replace("zebra do?", "")] == []
    assert "held back" in told["SOUL.md"]
    for name in ("molt://context", "memory_search", "memory_recall"):
        assert "commits break rules" in told[name], name


@pytest.mark.parametrize(
    "form", ["okf", "obsidian", "basic-memory", "mem0", "claude-memory", "openclaw", "memfs"]
)
def test_no_export_has_it(root: Path, form: str) -> None:
    status = main(["-q", "export", "--to", form, "../out"])
    assert status in (0, 2)
    assert "zebra" not in read_written(root.parent / "out").casefold()
