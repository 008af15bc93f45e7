"""The plugin for OpenClaw, with as much of OpenClaw around it as it uses, and the real molt."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from copies import Copy

from molt.cli import main

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "templates/hosts/openclaw/plugin"
SKILL = ROOT / "templates/hosts/openclaw/skill/molt/SKILL.md"
NODE = shutil.which("node")
TOOLS = ["memory_search", "memory_get", "memory_remember", "memory_forget"]
Steps = Callable[..., list[Any]]
needs_node = pytest.mark.skipif(NODE is None, reason="no `node` on PATH to run the plugin with")


def make_agent(path: Path) -> None:
    assert main(["init", str(path), "--quiet"]) == 0
    said = ["--workspace", str(path), "--quiet", "remember", "We chose PKCE for the mobile login"]
    assert main(said) == 0


@pytest.fixture
def agent(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "workspace", make_agent)


@pytest.fixture
def molt(tmp_path: Path) -> Path:
    """An executable, as OpenClaw starts it."""
    path = tmp_path / "bin/molt"
    path.parent.mkdir()
    path.write_text(
        f"#!{sys.executable}\nimport sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from molt.cli import main; sys.exit(main())\n"
    )
    path.chmod(0o755)
    return path


@pytest.fixture
def run(agent: Path, molt: Path, tmp_path: Path) -> Steps:
    """Runs steps in the plugin; gives what each gave, and last what it warned of."""
    place = tmp_path / "host"
    shutil.copytree(PLUGIN, place / "plugin")
    shutil.copy(Path(__file__).with_name("openclaw_harness.mjs"), place / "harness.mjs")
    sdk = place / "node_modules/openclaw/plugin-sdk"
    sdk.mkdir(parents=True)
    (sdk / "plugin-entry.js").write_text("export const definePluginEntry = (entry) => entry;\n")
    runtime = "memory-core-host-runtime-core"
    (sdk / f"{runtime}.js").write_text(
        "export const listMemoryCorpusSupplements = () => globalThis.supplements;\n"
    )
    exports = {f"./plugin-sdk/{one}": f"./plugin-sdk/{one}.js" for one in ("plugin-entry", runtime)}
    about = {"name": "openclaw", "type": "module", "exports": exports}
    (sdk.parent / "package.json").write_text(json.dumps(about))

    def call(*steps: object, command: str = str(molt), **more: object) -> list[Any]:
        asked = {"config": {"command": command}, "workspace": str(agent), "steps": steps, **more}
        (place / "steps.json").write_text(json.dumps(asked))
        argv = [str(NODE), str(place / "harness.mjs"), str(place / "steps.json")]
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        return [*answer["told"], answer["warnings"]]

    return call


def actors(agent: Path) -> list[str]:
    """Who made the commits, the newest first."""
    form = "--format=%(trailers:key=Actor,valueonly)"
    said = subprocess.check_output(["git", "log", form], cwd=agent, text=True)
    return said.split()


def test_the_manifest_names_what_the_plugin_is() -> None:
    manifest = json.loads((PLUGIN / "openclaw.plugin.json").read_text())
    package = json.loads((PLUGIN / "package.json").read_text())
    assert (manifest["id"], manifest["kind"]) == ("molt", "memory")
    assert manifest["contracts"]["tools"] == TOOLS
    assert package["type"] == "module"
    assert all((PLUGIN / one).exists() for one in package["openclaw"]["extensions"])
    assert "dependencies" not in package


@needs_node
def test_all_that_is_declared_is_registered(run: Steps) -> None:
    declared = run(["declared"])[0]
    assert declared["declared"] == TOOLS
    assert set(declared["hooks"]) == {
        *("before_tool_call", "after_tool_call", "session_start", "session_end"),
        *("before_compaction", "after_compaction"),
    }
    assert {"promptBuilder", "flushPlanResolver"} <= set(declared["capability"])


BESIDE = [one.replace("memory_", "molt_") for one in TOOLS]


@needs_node
def test_beside_another_memory_it_takes_none_of_its_names(run: Steps) -> None:
    manifest = json.loads((PLUGIN / "openclaw.plugin.beside.json").read_text())
    usual = json.loads((PLUGIN / "openclaw.plugin.json").read_text())
    assert manifest["contracts"]["tools"] == BESIDE
    assert "kind" not in manifest
    assert {**manifest, "kind": "memory", "contracts": usual["contracts"]} == {
        **usual,
        "description": manifest["description"],
    }
    declared, names, lines, hit, _ = run(
        ["declared"],
        ["tools", ""],
        ["prompt", "", {"tools": ["memory_search", *BESIDE]}],
        ["tool", "molt_search", {"query": "which login?"}],
        slot="memory-core",
    )
    assert (declared["declared"], declared["capability"]) == (BESIDE, [])
    assert names == BESIDE
    said = "\n".join(lines)
    assert all(one in said for one in BESIDE)
    assert not any(one in said for one in TOOLS)
    assert "PKCE" in hit["results"][0]["snippet"]


@needs_node
def test_another_memory_finds_what_molt_has(run: Steps) -> None:
    asked = {"query": "which login?", "maxResults": 3, "agentId": "main"}
    group = {**asked, "agentSessionKey": "agent:main:telegram:group:12"}
    (hit,), shared, _ = run(["supplement", "search", asked], ["supplement", "search", group])
    assert (hit["corpus"], hit["path"]) == ("molt", "memory/episodes/" + hit["path"][-13:])
    assert "PKCE" in hit["snippet"]
    assert 0 < hit["score"] <= 1
    assert [one["snippet"] for one in shared] == [hit["snippet"]]
    whole, part, none, hidden, _ = run(
        ["supplement", "get", {"lookup": hit["id"]}],
        ["supplement", "get", {"lookup": hit["path"], "fromLine": 1, "lineCount": 1}],
        ["supplement", "get", {"lookup": "wiki/page.md"}],
        ["supplement", "get", {**group, "lookup": hit["id"]}],
        slot="memory-core",
    )
    assert whole["path"] == hit["path"]
    assert "PKCE" in whole["content"]
    assert (part["fromLine"], part["lineCount"]) == (1, 1)
    assert none is None
    assert hidden is None


@needs_node
def test_another_memory_is_told_when_molt_cannot_answer(run: Steps) -> None:
    told = run(["supplement", "search", {"query": "x"}], command="/nowhere/molt")[0]
    assert "ENOENT" in told["thrown"]


@needs_node
def test_a_wiki_of_the_host_is_asked_as_before(run: Steps) -> None:
    page = {"corpus": "wiki", "path": "wiki/page.md", "score": 0.5, "snippet": "A page."}
    others = [[{**page, "content": "The page.", "fromLine": 1, "lineCount": 1}]]
    wiki, every, usual, got, _ = run(
        ["tool", "memory_search", {"query": "PKCE", "corpus": "wiki"}],
        ["tool", "memory_search", {"query": "PKCE", "corpus": "all"}],
        ["tool", "memory_search", {"query": "PKCE"}],
        ["tool", "memory_get", {"path": "wiki/page.md"}],
        others=others,
    )
    assert [one["path"] for one in wiki["results"]] == ["wiki/page.md"]
    assert "note" not in wiki
    assert "wiki/page.md" in {one["path"] for one in every["results"]}
    assert "PKCE" in every["results"][0]["snippet"]
    assert "wiki/page.md" not in {one["path"] for one in usual["results"]}
    assert got["text"] == "The page."


@needs_node
def test_a_search_gives_the_hits_of_molt(run: Steps) -> None:
    (hit,) = run(["tool", "memory_search", {"query": "which login?"}])[0]["results"]
    assert hit["path"].startswith("memory/episodes/")
    assert "PKCE" in hit["snippet"]
    assert (hit["startLine"], hit["endLine"]) == (3, 4)
    assert 0 < hit["score"] <= 1


@needs_node
def test_what_stands_in_every_prompt_is_found_only_where_it_is_asked_for(
    run: Steps, agent: Path
) -> None:
    (agent / "TOOLS.md").write_text("# Tools\n\nThe camera in the hall is called heliotrope.\n")
    asked = {"query": "heliotrope camera"}
    usual, every, _ = run(
        ["tool", "memory_search", asked], ["tool", "memory_search", {**asked, "corpus": "all"}]
    )
    assert "TOOLS.md" not in {one["path"] for one in usual["results"]}
    assert "TOOLS.md" in {one["path"] for one in every["results"]}


@needs_node
@pytest.mark.parametrize("query", ["--help", "-n", "$(touch x)", "a'b\"c", "日記", "x" * 300_000])
def test_a_query_is_never_an_option_nor_a_command(run: Steps, agent: Path, query: str) -> None:
    assert "results" in run(["tool", "memory_search", {"query": query}])[0]
    assert not (agent / "x").exists()


@needs_node
def test_a_memory_is_read_by_its_path_and_by_its_id(run: Steps) -> None:
    hit = run(["tool", "memory_search", {"query": "PKCE"}])[0]["results"][0]
    steps = (["tool", "memory_get", {"path": hit[one]}] for one in ("path", "id"))
    by_path, by_id, _ = run(*steps)
    assert "PKCE" in by_path["text"]
    assert "PKCE" in by_id["text"]
    some = run(["tool", "memory_get", {"path": hit["path"], "from": 1, "lines": 1}])[0]
    assert some["lines"] == 1


@needs_node
def test_what_is_not_there_is_an_error_in_words(run: Steps) -> None:
    told = run(["tool", "memory_get", {"path": "memory/2020-01-01.md"}])[0]
    assert told["text"] == ""
    assert "no file" in told["error"]


@needs_node
def test_what_the_agent_remembers_is_a_commit_in_its_name(run: Steps, agent: Path) -> None:
    told = run(["tool", "memory_remember", {"text": "Ada prefers tabs over spaces in Go code"}])[0]
    assert told["commit"]
    assert actors(agent)[0] == "bot:openclaw"


@needs_node
@pytest.mark.parametrize(
    "ctx",
    [
        {"sessionKey": "agent:main:subagent:7f"},
        {"sessionKey": "agent:main:telegram:group:12"},
        {"sessionKey": "cron:nightly"},
        {"senderIsOwner": False},
    ],
    ids=["sub-agent", "group", "schedule", "stranger"],
)
def test_who_is_not_the_owner_alone_proposes_and_forgets_nothing(
    run: Steps, agent: Path, ctx: dict[str, object]
) -> None:
    names, told, _ = run(
        ["tools", "", {}, ctx],
        ["tool", "memory_remember", {"text": "The deploy key is on the blue shelf"}, ctx],
    )
    assert "memory_forget" not in names
    assert told["number"] == 1
    assert actors(agent)[0] == "subagent:openclaw"


@needs_node
def test_what_is_private_is_not_for_a_group(run: Steps, agent: Path) -> None:
    secret = ["remember", "--scope", "private", "Ada's locker code word is heliotrope"]
    assert main(["--workspace", str(agent), "--quiet", *secret]) == 0
    group = {"sessionKey": "agent:main:telegram:group:12"}
    asked = {"query": "heliotrope"}
    alone, others, _ = run(
        ["tool", "memory_search", asked], ["tool", "memory_search", asked, group]
    )
    assert "heliotrope" in json.dumps(alone)
    assert "heliotrope" not in json.dumps(others["results"])
    read = run(["tool", "memory_get", {"path": alone["results"][0]["path"]}, group])[0]
    assert read["text"] == ""


@needs_node
def test_a_sandbox_reads_and_does_not_write(run: Steps) -> None:
    assert run(["tools", "", {}, {"sandboxed": True}])[0] == TOOLS[:2]


@needs_node
def test_forgetting_asks_first_and_needs_leave(run: Steps, agent: Path) -> None:
    before = actors(agent)
    asked = run(["tool", "memory_forget", {"what": "PKCE"}])[0]
    ids = [one["id"] for one in asked["matches"]]
    assert ids
    assert actors(agent) == before
    leave, free, _ = run(
        ["hook", "before_tool_call", {"toolName": "memory_forget", "params": {"ids": ids}}],
        ["hook", "before_tool_call", {"toolName": "memory_forget", "params": {"what": "PKCE"}}],
    )
    assert leave["requireApproval"]["allowedDecisions"] == ["allow-once", "deny"]
    assert leave["requireApproval"]["title"] == "Forget a memory"
    assert ids[0] in leave["requireApproval"]["description"]
    assert "We chose PKCE for the mobile login" in leave["requireApproval"]["description"]
    assert actors(agent) == before
    assert free is None


@needs_node
def test_what_a_person_gave_leave_for_is_forgotten(run: Steps, agent: Path) -> None:
    ids = [one["id"] for one in run(["tool", "memory_forget", {"what": "PKCE"}])[0]["matches"]]
    done, after, _ = run(
        ["tool", "memory_forget", {"ids": ids}], ["tool", "memory_search", {"query": "PKCE"}]
    )
    assert done["commit"]
    assert after["results"] == []
    assert actors(agent)[0] == "bot:trigger-forget"


@needs_node
def test_what_the_user_said_in_the_store_of_the_host_is_proposed_once(
    run: Steps, agent: Path
) -> None:
    put_store(agent.parent / "agent", "s1", "agent:main:main", "Our staging host is in Frankfurt.")
    run(["hook", "before_compaction", {}, {"sessionId": "s1"}])
    assert [one for one in actors(agent) if one == "subagent:session-flush"]
    before = actors(agent)
    told = run(
        ["hook", "before_compaction", {}, {"sessionId": "s1"}],
        ["hook", "after_compaction", {}, {"sessionId": "s1"}],
        ["hook", "before_compaction", {}, {"sessionId": "s1"}],
    )
    assert told[-1] == []
    assert actors(agent) == before


DAY = "memory/2026-11-22.md"
HERE = {"sessionKey": "agent:main:main", "sessionId": "s1"}


def write_by_tool(text: str, ctx: dict[str, str], **more: str) -> list[object]:
    """The steps of a tool of the host that writes into a day's note."""
    call = {"toolName": "write", "params": {"path": DAY, "content": text}}
    return [
        ["hook", "before_tool_call", call, ctx],
        ["write", DAY, {"text": text}],
        ["hook", "after_tool_call", {**call, **more}, ctx],
    ]


@needs_node
@pytest.mark.parametrize("moment", ["before_compaction", "session_end"])
def test_what_the_agent_wrote_itself_is_committed_in_its_name(
    run: Steps, agent: Path, moment: str
) -> None:
    steps = [*write_by_tool("- One.\n", HERE), *write_by_tool("- Two.\n", HERE)]
    assert run(*steps, ["hook", moment, {}, HERE])[-1] == []
    assert actors(agent)[0] == "bot:openclaw"
    assert read_committed(agent, DAY) == "- One.\n- Two.\n"


@needs_node
def test_what_a_flush_wrote_in_a_session_of_its_own_is_committed(run: Steps, agent: Path) -> None:
    (agent / DAY).touch()
    effects = {"sessionKey": "agent:main:internal-session-effects:7f", "sessionId": "e7f"}
    steps = [*write_by_tool("- One.\n", effects), ["hook", "before_compaction", {}, HERE]]
    assert run(*steps)[-1] == []
    assert actors(agent)[0] == "bot:openclaw"
    assert read_committed(agent, DAY) == "- One.\n"


@needs_node
@pytest.mark.parametrize(
    "ctx",
    [{"sessionKey": "agent:main:subagent:7f"}, {"sessionKey": "agent:main:telegram:group:12"}],
    ids=["sub-agent", "group"],
)
def test_what_is_written_for_others_is_not(run: Steps, agent: Path, ctx: dict[str, str]) -> None:
    before = actors(agent)
    run(*write_by_tool("- One.\n", ctx), ["hook", "session_end", {}, ctx])
    assert actors(agent) == before


@needs_node
def test_a_persons_open_work_is_never_committed_for_the_agent(run: Steps, agent: Path) -> None:
    (agent / DAY).write_text("- A person is writing this.\n")
    before = actors(agent)
    run(*write_by_tool("- One.\n", HERE), ["hook", "session_end", {}, HERE])
    assert actors(agent) == before


@needs_node
def test_what_the_tool_could_not_write_is_nobodys(run: Steps, agent: Path) -> None:
    before = actors(agent)
    steps = write_by_tool("- One.\n", HERE, error="no space left")
    run(*steps, ["hook", "session_end", {}, HERE])
    assert actors(agent) == before


@needs_node
def test_what_breaks_a_rule_stays_and_is_told(run: Steps, agent: Path) -> None:
    secret = "- The key is AKIA" + "QWERTYUIOPASDFGH" + "\n"
    before = actors(agent)
    warnings = run(*write_by_tool(secret, HERE), ["hook", "session_end", {}, HERE])[-1]
    assert actors(agent) == before
    assert "SEC001" in warnings[0]


def read_committed(agent: Path, path: str) -> str:
    return subprocess.check_output(["git", "show", f"HEAD:{path}"], cwd=agent, text=True)


@needs_node
def test_what_was_said_in_a_group_is_not_proposed(run: Steps, agent: Path) -> None:
    group = "agent:main:telegram:group:12"
    put_store(agent.parent / "agent", "s1", group, "Our staging host is in Frankfurt.")
    before = actors(agent)
    run(["hook", "before_compaction", {}, {"sessionId": "s1"}])
    assert actors(agent) == before


def put_store(folder: Path, session: str, key: str, text: str) -> None:
    """A database as OpenClaw 2026.9 keeps it, with what a user said."""
    import sqlite3
    from contextlib import closing

    folder.mkdir()
    message = {"role": "user", "content": text, "__openclaw": {"senderIsOwner": True}}
    event = {"type": "message", "timestamp": "2026-11-22T10:00:00Z", "message": message}
    with closing(sqlite3.connect(folder / "openclaw-agent.sqlite")) as con:
        con.execute("CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT)")
        con.execute(
            "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT,"
            " created_at INTEGER, event_zstd BLOB, PRIMARY KEY(session_id, seq))"
        )
        con.execute("INSERT INTO session_windows VALUES(?,?)", (session, key))
        rows = [(session, 4, json.dumps(event), 1, None)]
        con.executemany("INSERT INTO transcript_events VALUES(?,?,?,?,?)", rows)
        con.commit()


@needs_node
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 3", "molt gave no answer"),
        ("echo nonsense", "molt gave no answer"),
        ("echo broken >&2; exit 1", "broken"),
        ("kill -9 $$", "molt gave no answer"),
    ],
)
def test_a_molt_that_fails_is_told_and_stops_nothing(
    run: Steps, tmp_path: Path, script: str, said: str
) -> None:
    broken = tmp_path / "broken"
    broken.write_text(f"#!/bin/sh\n{script}\n")
    broken.chmod(0o755)
    search, hook, warnings = run(
        ["tool", "memory_search", {"query": "x"}],
        ["hook", "before_compaction", {}, {"sessionId": "s"}],
        command=str(broken),
    )
    assert search["results"] == []
    assert said in search["error"]
    assert hook is None
    assert said in warnings[0]


@needs_node
def test_without_molt_the_host_goes_on(run: Steps) -> None:
    told, warnings = run(["tool", "memory_search", {"query": "x"}], command="/nowhere/molt")
    assert told["unavailable"] is True
    assert "ENOENT" in told["error"]
    assert warnings == []


@needs_node
@pytest.mark.slow
def test_a_molt_that_hangs_is_ended(run: Steps, tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text('#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 600\n')
    slow.chmod(0o755)
    told = run(["tool", "memory_search", {"query": "x"}], command=str(slow))[0]
    assert told["unavailable"] is True
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path(f"{slow}.pid").read_text()), 0)


@needs_node
@pytest.mark.parametrize(
    ("window", "threshold"), [(32_768, 20_576), (200_000, 176_000), (1_000_000, 976_000)]
)
def test_the_flush_comes_where_the_host_expects_it(run: Steps, window: int, threshold: int) -> None:
    plan = run(["plan", "", {"contextWindowTokens": window, "nowMs": 1_795_348_427_000}])[0]
    assert window - plan["reserveTokensFloor"] - plan["softThresholdTokens"] == threshold
    assert plan["relativePath"] == "memory/2026-11-22.md"
    assert plan["relativePath"] in plan["prompt"]
    assert all("NO_REPLY" in plan[one] for one in ("prompt", "systemPrompt"))


@needs_node
@pytest.mark.parametrize(
    ("flush", "key", "value"),
    [
        ({"softThresholdTokens": 100}, "softThresholdTokens", 100),
        ({"forceFlushTranscriptBytes": "512kb"}, "forceFlushTranscriptBytes", 524_288),
        ({"forceFlushTranscriptBytes": 7}, "forceFlushTranscriptBytes", 7),
        ({}, "forceFlushTranscriptBytes", 2_097_152),
        ({"model": " ollama/qwen3:8b "}, "model", "ollama/qwen3:8b"),
    ],
)
def test_the_settings_of_the_user_hold(
    run: Steps, flush: dict[str, object], key: str, value: object
) -> None:
    defaults = {"compaction": {"memoryFlush": flush}, "userTimezone": "Asia/Tokyo"}
    given = {"contextWindowTokens": 200_000, "cfg": {"agents": {"defaults": defaults}}}
    assert run(["plan", "", given])[0][key] == value


@needs_node
def test_a_flush_that_is_switched_off_stays_off(run: Steps) -> None:
    cfg = {"agents": {"defaults": {"compaction": {"memoryFlush": {"enabled": False}}}}}
    assert run(["plan", "", {"cfg": cfg}])[0] is None


@needs_node
def test_the_prompt_speaks_of_the_tools_that_are_there(run: Steps) -> None:
    every, none, _ = run(["prompt", "", {"tools": TOOLS}], ["prompt", "", {"tools": ["exec"]}])
    assert all(one in "\n".join(every) for one in TOOLS)
    assert none == []


def test_the_skill_is_one_that_openclaw_reads() -> None:
    import yaml

    _, head, body = SKILL.read_text().split("---\n", 2)
    fields = yaml.safe_load(head)
    assert fields["name"] == "molt" == SKILL.parent.name
    assert fields["metadata"]["openclaw"]["requires"]["bins"] == ["molt"]
    assert len(fields["description"]) < 1024
    assert "memory_search" in body


def test_every_command_of_the_skill_is_one() -> None:
    import re

    from molt.cli import commands

    named = set(re.findall(r"`molt (?:--actor \S+ )?([a-z-]+)", SKILL.read_text()))
    assert named
    assert named <= set(commands.COMMANDS)
