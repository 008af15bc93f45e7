"""`molt remember --route` and `--brief`: the host's own model says where a text belongs."""

from __future__ import annotations

import json

import pytest

GOOD = {
    "store": "semantic",
    "entities": [{"name": "OAuth2 PKCE", "type": "concept"}],
    "relations": [{"from": "project--moltbot", "relation": "uses", "to": "concept--oauth2-pkce"}],
    "tags": ["auth", "security", "mobile"],
    "confidence": "high",
    "core_update": False,
    "summary": "Decided to use OAuth2 PKCE flow for mobile client auth.",
}
BAD = [
    ("no JSON", "{"),
    ("no object", []),
    ("store", {"store": "moon"}),
    ("store", {"store": None}),
    ("summary", {"summary": ""}),
    ("summary", {"summary": 7}),
    ("summary", {"summary": "a\u0000b"}),
    ("summary", {"summary": "x" * 5000}),
    ("extra", {"extra": 1}),
    ("entities", {"entities": "Git"}),
    ("entities[0].type", {"entities": [{"name": "Git", "type": "spell"}]}),
    ("entities[0].name", {"entities": [{"name": "...", "type": "tool"}]}),
    ("entities[0].path", {"entities": [{"name": "Git", "type": "tool", "path": "../x"}]}),
    ("entities", {"entities": [{"name": f"n{n}", "type": "tool"} for n in range(99)]}),
    ("relations[0].relation", {"relations": [{"from": "a", "relation": "owns", "to": "b"}]}),
    ("relations[0].to", {"relations": [{"from": "OAuth2 PKCE", "relation": "uses", "to": "Git"}]}),
    ("relations[0]", {"relations": [{"from": "OAuth2 PKCE", "relation": "uses",
                                     "to": "OAuth2 PKCE"}]}),
    ("relations[0].to", {"relations": [{"from": "OAuth2 PKCE", "relation": "uses"}]}),
    ("tags[1]", {"tags": ["a", 2]}),
    ("confidence", {"confidence": "total"}),
    ("core_update", {"core_update": "yes"}),
    ("type", {"type": "rumour"}),
    ("block", {"block": "Soul"}),
]  # fmt: skip


@pytest.fixture
def route(tmp_path):
    def write(data) -> str:
        path = tmp_path / "route.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        return str(path)

    return write


def test_the_hosts_route_is_taken(agent, run, route) -> None:
    code, out, err = run("remember", "We use PKCE", "--route", route(GOOD), "--json")
    said = json.loads(out)
    assert (code, said["engine"], said["id"]) == (0, "host", "entity:concept--oauth2-pkce"), err
    assert said["text"] == GOOD["summary"]
    assert (agent / "memory/graph/entities/project--moltbot.md").is_file()


@pytest.mark.parametrize(("where", "change"), BAD, ids=range(len(BAD)))
def test_a_bad_route_is_refused_where_it_is_wrong(agent, run, git, route, where, change) -> None:
    data = {**GOOD, **change} if isinstance(change, dict) else change
    before = git(agent, "rev-parse", "HEAD")
    code, _, err = run("remember", "We use PKCE", "--route", route(data))
    assert code == 2
    assert where in err
    assert "--brief" in err
    assert git(agent, "status", "--porcelain") == ""
    assert git(agent, "rev-parse", "HEAD") == before


def test_flags_win_over_the_hosts_route(agent, run, route) -> None:
    args = ("--type", "decision", "--tag", "login")
    code, out, _ = run("remember", "We use PKCE", "--route", route(GOOD), *args, "--json")
    said = json.loads(out)
    assert (code, said["store"], said["type"]) == (0, "episodic", "decision")
    assert said["tags"] == ["login"]


def test_a_route_may_be_none(agent, run, route) -> None:
    data = {"store": "none", "summary": "", "reason": "a greeting"}
    code, out, _ = run("remember", "We use PKCE", "--route", route(data), "--json")
    assert (code, json.loads(out)["reason"]) == (0, "a greeting")


def test_core_memory_is_updated_beside(agent, run, route) -> None:
    data = {**GOOD, "store": "episodic", "relations": [], "core_update": True,
            "block": "Active Context"}  # fmt: skip
    code, out, _ = run("remember", "We use PKCE", "--route", route(data), "--json")
    assert (code, json.loads(out)["store"]) == (0, "episodic")
    assert GOOD["summary"] in (agent / "MEMORY.md").read_text("utf-8")


def test_what_is_from_outside_updates_no_core_memory(agent, run, route) -> None:
    data = {**GOOD, "core_update": True, "block": "Persona"}
    code, _, _ = run("remember", "We use PKCE", "--route", route(data), "--source", "web")
    assert code == 0
    assert GOOD["summary"] not in (agent / "MEMORY.md").read_text("utf-8")


def test_a_route_that_is_not_there(agent, run) -> None:
    assert run("remember", "We use PKCE", "--route", "gone.json")[0] == 4
    assert run("remember", "-", "--route", "-")[0] == 2


def test_the_brief_has_the_prompt_the_schema_and_the_text(agent, run) -> None:
    code, out, _ = run("remember", "We use PKCE", "--brief", "--json")
    said = json.loads(out)
    assert code == 0
    assert said["text"] == "We use PKCE"
    assert "`episodic`" in said["prompt"]
    fields = said["schema"]["properties"]
    assert "depends-on" in fields["relations"]["items"]["properties"]["relation"]["enum"]
    assert "person" in fields["entities"]["items"]["properties"]["type"]["enum"]
    assert set(GOOD) <= set(fields)


def test_the_brief_writes_nothing(agent, run, git) -> None:
    before = git(agent, "rev-parse", "HEAD")
    assert run("remember", "We use PKCE", "--brief")[0] == 0
    assert git(agent, "rev-parse", "HEAD") == before
