"""What a workspace's molt.yaml leads out of it is not used before a person says so, here."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from copies import Copy
from loopback import Server, quiet_machine, serving

from molt.config import Config
from molt.memory import workspace
from molt.memory.consents import consent, wishes

Run = Callable[..., tuple[int, str, str]]
Git = Callable[..., str]
KEY = "made-up-cloud-key-1"


@pytest.fixture(autouse=True)
def _quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet_machine(monkeypatch, ("OPENAI_API_KEY",), CLOUD_KEY=KEY)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        yield state


def set_up(agent: Path, git: Git, text: str) -> None:
    (agent / "molt.yaml").write_text(text, "utf-8")
    git(agent, "commit", "-qam", "[EDIT] molt.yaml — as somebody else wrote it")


def embedding(server: Server, variable: str = "CLOUD_KEY") -> str:
    said = f"  provider: openai\n  base_url: {server.url}\n  api_key_env: {variable}\n"
    return f"embedding:\n{said}"


def llm(server: Server) -> str:
    said = f"  provider: openai\n  model: m-1\n  base_url: {server.url}\n  api_key_env: CLOUD_KEY\n"
    return f"llm:\n{said}"


def test_a_search_sends_nothing_and_says_what_would_let_it(
    run: Run, git: Git, agent: Path, server: Server
) -> None:
    set_up(agent, git, embedding(server))
    code, out, err = run("search", "tea")
    assert (code, server.requests) == (0, [])
    assert "molt consent embedding" in out + err
    assert server.url in out + err
    code, out, err = run("index")
    assert (code, server.requests) == (1, [])
    assert "CLOUD_KEY" in err


def test_with_a_consent_it_is_used_and_without_it_again_not(
    run: Run, git: Git, agent: Path, server: Server
) -> None:
    set_up(agent, git, embedding(server))
    assert run("consent", "embedding")[0] == 0
    assert run("index")[0] == 0
    assert server.requests[0][1]["Authorization"] == f"Bearer {KEY}"
    server.requests.clear()
    assert run("consent", "embedding", "--withdraw")[0] == 0
    assert (run("index")[0], server.requests) == (1, [])


def test_another_value_is_asked_about_anew(
    run: Run, git: Git, agent: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(agent, git, embedding(server))
    run("consent", "embedding")
    monkeypatch.setenv("AWS_SECRET", "another")
    set_up(agent, git, embedding(server, "AWS_SECRET"))
    assert (run("index")[0], server.requests) == (1, [])


def test_no_model_is_asked_without_consent(run: Run, git: Git, agent: Path, server: Server) -> None:
    set_up(agent, git, llm(server))
    code, out, err = run("remember", "We chose PKCE for the mobile app", "--json")
    said = json.loads(out)
    assert (code, said["engine"], server.requests) == (0, "model", []), err
    assert "molt consent llm" in said["note"]
    code, _, err = run("reflect", "--engine", "llm", "--dry-run")
    assert (code, server.requests) == (1, [])
    assert "molt consent llm" in err
    run("consent", "llm")
    run("remember", "We chose Postgres for the shop", "--json")
    assert server.requests


def test_an_agent_cannot_consent_and_what_is_not_asked_for_is_not_found(
    run: Run, git: Git, agent: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(agent, git, embedding(server))
    assert run("consent", "llm")[0] == 4
    assert run("consent", "everything")[0] == 2
    assert run("consent", "embedding", "--dry-run")[0] == 0
    monkeypatch.setenv("MOLT_ACTOR", "bot:main")
    code, _, err = run("consent", "embedding")
    assert (code, "does not consent" in err) == (1, True)
    assert not (agent / ".git/molt" / wishes.FILE).exists()


def test_it_lists_what_is_wanted_and_what_is_given(
    run: Run, git: Git, agent: Path, server: Server
) -> None:
    assert "nothing" in run("consent")[1]
    set_up(agent, git, embedding(server) + llm(server))
    run("consent", "llm")
    rows = json.loads(run("consent", "--json")[1])["consents"]
    assert {row["name"]: row["given"] for row in rows} == {"llm": True, "embedding": False}
    lines = run("consent")[1].splitlines()
    assert [line.split()[:2] for line in lines] == [["given", "llm"], ["wanted", "embedding"]]


def test_a_folder_outside_is_not_read_before_and_one_inside_is(
    run: Run, git: Git, agent: Path, tmp_path: Path
) -> None:
    (tmp_path / "diary").mkdir()
    (tmp_path / "diary/own.md").write_text("The zebra has stripes.\n", "utf-8")
    (agent / "notes").mkdir()
    (agent / "notes/in.md").write_text("The okapi has stripes.\n", "utf-8")
    os.symlink(tmp_path / "diary", agent / "linked")
    git(agent, "add", "notes")
    set_up(agent, git, "search:\n  extra_paths: [../diary, linked, notes]\n")
    found = json.loads(run("search", "zebra okapi stripes", "--json")[1])["results"]
    paths = [one["path"] for one in found]
    assert any(path.endswith("notes/in.md") for path in paths)
    assert not any("diary" in path or "linked" in path for path in paths)
    assert "not without a consent" in run("status")[1] + run("index")[2]
    run("consent", "extra_paths")
    found = json.loads(run("search", "zebra stripes", "--json")[1])["results"]
    assert any(one["path"].endswith("diary/own.md") for one in found)


OWN = "https://api.openai.com/v1"
FREE: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a provider": {"llm_provider": "openai", "embedding_provider": "openai"},
    "its own key": {"llm_provider": "openai", "llm_api_key_env": "OPENAI_API_KEY"},
    "its own address": {"embedding_provider": "openai", "embedding_base_url": OWN},
    "this machine": {"embedding_provider": "ollama", "embedding_base_url": "http://[::1]:9/x"},
    "no model at all": {"llm_base_url": "https://x.example", "llm_api_key_env": "HOME"},
    "a folder inside": {"search_extra_paths": ("notes", "./a/../b")},
}
ASKED: dict[str, dict[str, Any]] = {
    "an address": {"llm_provider": "openai", "llm_base_url": "https://x.example"},
    "an address that looks like ours": {
        "llm_provider": "openai",
        "llm_base_url": "https://127.0.0.1@x.example/v1",
    },
    "one below ours": {"llm_provider": "openai", "llm_base_url": OWN + "/../x"},
    "the key of another": {"llm_provider": "openai", "llm_api_key_env": "AWS_SECRET_ACCESS_KEY"},
    "a key to this machine": {
        "embedding_provider": "ollama",
        "embedding_api_key_env": "OPENAI_API_KEY",
    },
    "headers": {"embedding_provider": "openai", "embedding_headers": (("Authorization", "x"),)},
    "a folder outside": {"search_extra_paths": ("../x",)},
    "the home": {"search_extra_paths": ("~/notes",)},
    "what is no address": {"llm_provider": "openai", "llm_base_url": "http://[x"},
    "conversations": {"search_sources": ("memory", "sessions")},
}


@pytest.mark.parametrize("given", FREE.values(), ids=FREE)
def test_what_leads_nowhere_else_takes_none(agent: Path, given: dict[str, Any]) -> None:
    repo = workspace.find(str(agent)).repo
    assert wishes.list_wishes(repo, Config(**given)) == ()


@pytest.mark.parametrize("given", ASKED.values(), ids=ASKED)
def test_what_leads_elsewhere_takes_one(agent: Path, given: dict[str, Any]) -> None:
    repo = workspace.find(str(agent)).repo
    (one,) = wishes.list_wishes(repo, Config(**given))
    assert not one.given
    wishes.give_consent(repo, [one])
    wishes.give_consent(repo, [one])
    (again,) = wishes.list_wishes(repo, Config(**given))
    assert again.given
    assert (agent / ".git/molt" / wishes.FILE).read_text("utf-8").count("\n") == 1


def test_no_two_sets_of_values_share_a_consent() -> None:
    first = consent.Wish("llm", ("openai", "https://x' 'y", ""), "")
    second = consent.Wish("llm", ("openai", "https://x", "y"), "")
    third = consent.Wish("extra_paths", ("a\nllm ('openai',)",), "")
    assert len({first.line, second.line, third.line}) == 3
    assert "\n" not in third.line


def test_a_clone_has_no_consent_of_the_one_it_was_made_of(
    run: Run, git: Git, agent: Path, tmp_path: Path, copy: Copy, server: Server
) -> None:
    set_up(agent, git, embedding(server))
    run("consent", "embedding")
    git(tmp_path, "clone", "-q", str(agent), "other")
    (one,) = workspace.find(str(tmp_path / "other")).missing
    assert one.name == "embedding"
