"""One process serves for days: it sees each change at the next call, and keeps nothing open."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from copies import Copy
from mcp_talk import Talk, User, hold_talk

from molt.cli import main
from molt.hosts.mcp import desk as desks
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.clone.kept import Kept
from molt.memory.search import index

Git = Callable[..., str]


def make_agent(path: Path) -> None:
    setup.init(str(path))
    for text in ("the harbour gate opens at nine", "the red crane stands at pier four"):
        assert main(["--workspace", str(path), "remember", text, "--store", "episodic"]) == 0


@pytest.fixture
def root(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "agent", make_agent)


async def found(one: Talk, query: str) -> str:
    return str((await one.call("memory_search", query=query, limit=20))["results"])


def run_molt(root: Path, *words: str) -> None:
    assert main(["--workspace", str(root), *words]) == 0


def test_a_file_that_is_edited_is_seen_by_the_next_call(root: Path) -> None:
    async def talk(one: Talk) -> None:
        assert "walrus" not in await found(one, "walrus")
        core = root / "MEMORY.md"
        core.write_text(core.read_text() + "- The walrus sleeps in the dock\n")
        assert "walrus sleeps" in await found(one, "walrus")
        assert "walrus sleeps" in await one.read("molt://core")

    hold_talk(root, talk)


def test_what_another_process_commits_is_seen(root: Path) -> None:
    async def talk(one: Talk) -> None:
        await found(one, "walrus")
        run_molt(root, "remember", "the walrus moved to pier six", "--store", "episodic")
        assert "walrus moved" in await found(one, "walrus")
        events = (await one.call("memory_history", limit=1))["events"]
        assert "walrus moved" in events[0]["summary"]

    hold_talk(root, talk)


@pytest.mark.parametrize("how", ["rebuilt", "deleted", "damaged"])
def test_an_index_that_is_another_one_is_opened_anew(root: Path, how: str) -> None:
    file = root / ".git/molt/index.sqlite"

    async def talk(one: Talk) -> None:
        assert "harbour gate" in await found(one, "harbour gate")
        if how == "rebuilt":
            run_molt(root, "index", "--rebuild")
        elif how == "deleted":
            for each in file.parent.glob("index.sqlite*"):
                each.unlink()
        else:
            file.write_bytes(b"no index" * 4096)
        run_molt(root, "remember", "the walrus moved to pier six", "--store", "episodic")
        assert "harbour gate" in await found(one, "harbour gate")
        assert "walrus moved" in await found(one, "walrus")

    hold_talk(root, talk)


def test_a_configuration_that_is_committed_holds_at_the_next_call(root: Path, git: Git) -> None:
    async def talk(one: Talk) -> None:
        assert (await one.call("memory_status"))["core"]["cap"] == 3000
        config = root / "molt.yaml"
        config.write_text(f"{config.read_text()}\nembeddings: {{provider: none}}\n")
        git(root, "commit", "-qam", "keywords only")
        assert "harbour gate" in await found(one, "harbour gate")

    hold_talk(root, talk)


def test_a_workspace_that_is_made_anew_is_another_one(root: Path, tmp_path: Path) -> None:
    async def talk(one: Talk) -> None:
        assert "harbour gate" in await found(one, "harbour gate")
        root.rename(tmp_path / "old")
        setup.init(str(root))
        run_molt(root, "remember", "the walrus is new here", "--store", "episodic")
        said = await found(one, "walrus or harbour gate")
        assert "walrus is new" in said
        assert "harbour gate opens" not in said

    hold_talk(root, talk)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells which files are open")
def test_no_call_leaves_a_file_open_or_a_process_behind(root: Path) -> None:
    def list_open() -> list[str]:
        return sorted(os.listdir("/proc/self/fd"))

    def list_children() -> str:
        return Path(f"/proc/self/task/{os.getpid()}/children").read_text()

    async def talk(one: Talk) -> None:
        async def turn(number: int) -> None:
            await found(one, f"harbour gate {number}")
            await one.call("memory_recall", question="where is the crane?")
            await one.call("memory_get", ref="MEMORY.md")
            await one.call("memory_status")
            await one.call("memory_history", limit=2)
            await one.fail("memory_get", ref="nobody--knows")

        for number in range(3):
            await turn(number)
        before = list_open(), list_children()
        for number in range(20):
            await turn(number)
        assert (list_open(), list_children()) == before

    hold_talk(root, talk)


def test_the_index_is_opened_once(root: Path) -> None:
    run_molt(root, "index")
    kept = Kept()
    for _ in range(5):
        ws = workspace.find(str(root), "", kept)
        with ws.repo, index.provided(ws) as (provider, _why), index.opened(ws, provider) as db:
            assert db.rows("SELECT count(*) FROM chunks")
    assert kept.opened == 1
    kept.close()


def test_after_an_error_the_index_is_opened_anew(root: Path) -> None:
    kept = Kept()
    ws = workspace.find(str(root), "", kept)
    for _ in range(2):
        with (
            ws.repo,
            index.provided(ws) as (provider, _why),
            pytest.raises(RuntimeError),
            index.opened(ws, provider),
        ):
            raise RuntimeError
    assert kept.opened == 2
    kept.close()


def make_reflection(root: Path) -> str:
    run_molt(root, "reflect", "--engine", "rules")
    (one,) = (ref for ref in (root / ".git/refs/heads/reflect").iterdir())
    return one.name


@pytest.fixture
def reflected(root: Path) -> Path:
    text = "We paint the crane of the harbour project red"
    asked = ("--type", "decision", "--source", "user-explicit")
    run_molt(root, "remember", text, "--store", "episodic", *asked)
    make_reflection(root)
    return root


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(("decision", "action"), [("approve", "MERGE"), ("reject", "REJECT")])
def test_a_person_decides_on_a_reflection(
    reflected: Path, git: Git, mode: str, decision: str, action: str
) -> None:
    user = User()

    async def talk(one: Talk) -> tuple[dict[str, object], dict[str, object]]:
        shown = await one.call("reflection_show")
        done = await one.call("reflection_decide", decision=decision, why="as it is")
        return shown, done

    shown, done = hold_talk(reflected, talk, user=user, mode=mode)
    assert done["id"] == shown["id"]
    (question,) = user.asked
    assert str(shown["plan_hash"])[:10] in question
    said = git(reflected, "log", "-1", "--format=%B")
    assert said.startswith(f"[{action}]")
    assert "Actor: manual" in said
    assert "Trigger: mcp, confirmed by the user" in said


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("user", [None, User("decline"), User("cancel"), User(confirm=False)])
def test_nothing_is_decided_without_a_person(
    reflected: Path, git: Git, mode: str, user: User | None
) -> None:
    before = git(reflected, "rev-parse", "--all")

    async def talk(one: Talk) -> str:
        return await one.fail("reflection_decide", decision="approve")

    said = hold_talk(reflected, talk, user=user, mode=mode)
    assert ("cannot ask its user" if user is None else "the user refused") in said
    assert git(reflected, "rev-parse", "--all") == before


@pytest.mark.parametrize(("actor", "asked"), [("bot:main", 1), ("subagent:scout", 0)])
def test_a_host_that_names_its_agent_can_ask_its_user_and_a_sub_agent_cannot(
    reflected: Path, monkeypatch: pytest.MonkeyPatch, actor: str, asked: int
) -> None:
    user = User()
    monkeypatch.setenv("MOLT_ACTOR", actor)

    async def talk(one: Talk) -> str:
        if asked:
            return str(await one.call("reflection_decide", decision="approve"))
        return await one.fail("reflection_decide", decision="approve")

    said = hold_talk(reflected, talk, user=user)
    assert ("approved" if asked else "does not approve") in said
    assert len(user.asked) == asked


def test_tokens_are_few() -> None:
    place = desks.ServerPlace("", "", lambda: 0.0)
    desk = desks.Desk(place)
    tokens = [desk.open_question(number) for number in range(40)]
    assert [desk.look_up(one) for one in tokens[:9]] == [None] * 8 + [8]
