"""`molt remember --route` and `--brief`: the host's own model says where a text belongs."""

from __future__ import annotations

import json

import pytest

from molt import tokens

WORDS = "Remember that we decided to use OAuth2 PKCE flow for mobile client auth"
SEED = {
    "store": "semantic",
    "entities": [{"name": "OAuth2 PKCE", "type": "concept"}],
    "relations": [{"from": "project--moltbot", "relation": "uses", "to": "concept--oauth2-pkce"}],
    "tags": ["auth", "security", "mobile"],
    "confidence": "high",
    "core_update": False,
    "summary": "Decided to use OAuth2 PKCE flow for mobile client auth.",
}


@pytest.fixture
def route(tmp_path):
    def write(data) -> str:
        path = tmp_path / "route.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        return str(path)

    return write


@pytest.fixture
def remember(run, route):
    def call(text: str, data, *args: str):
        code, out, err = run("remember", text, "--route", route(data), *args, "--json")
        assert code == 0, out + err
        return json.loads(out)

    return call


def test_the_answer_of_the_seed_is_taken_as_it_is(agent, remember, git) -> None:
    made = remember(WORDS, SEED)
    assert (made["engine"], made["id"]) == ("host", "entity:concept--oauth2-pkce")
    assert (made["text"], made["tags"]) == (SEED["summary"], SEED["tags"])
    project = (agent / "memory/graph/entities/project--moltbot.md").read_text("utf-8")
    assert "uses [[concept--oauth2-pkce]]" in project
    assert not (agent / "memory/graph/entities/tool--oauth2-pkce.md").exists()


def test_words_that_the_memory_says_otherwise_stand_in_the_commit(agent, remember, git) -> None:
    made = remember(WORDS, SEED)
    assert (made["source"], made["base_relevance"]) == ("user-explicit", 1.0)
    assert f'Trigger: user said "{WORDS}"' in git(agent, "log", "-1", "--format=%B")
    remember("We prefer tabs in the parser", {"store": "episodic", "summary": "Prefers tabs."})
    said = git(agent, "log", "-1", "--format=%B")
    assert 'Trigger: auto-detect: "We prefer tabs in the parser"' in said


def test_a_secret_in_the_words_stands_in_no_commit(agent, remember, git) -> None:
    words = "the deploy bot logs in with password: hunter2-Zebra-91 on staging"
    remember(words, {"store": "episodic", "summary": "The deploy bot logs in on staging."})
    assert "hunter2" not in git(agent, "log", "-p", "-1", "--format=%B")


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("Bob likes tea", "Bob is allergic to peanuts and lives in Paris."),
        ("the lease ends in spring", "The lease ends in spring 2027."),
        ("two of them came", "3 of them came."),
        ("she likes jazz", "The user heard that Zoe likes jazz."),
    ],
)
def test_a_summary_that_adds_to_the_words_is_not_taken(agent, remember, text, summary) -> None:
    made = remember(text, {"store": "episodic", "type": "fact", "summary": summary})
    assert made["text"] == text
    assert "the summary adds" in made["note"]


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("I like jazz", "The user, Ada Berg, likes jazz."),
        ("I like jazz", "Ada likes jazz."),
        ("the server has 1200 users", "The server has 1,200 users."),
    ],
)
def test_the_users_name_is_in_all_words(agent, run, remember, text, summary) -> None:
    assert run("core", "add", "Identity", "Name: Ada Berg")[0] == 0
    assert remember(text, {"store": "episodic", "summary": summary})["text"] == summary


def test_a_date_that_a_relative_one_means_is_no_addition(agent, remember, monkeypatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1_770_120_000.0)  # 2026-02-03
    given = {"store": "episodic", "type": "task", "summary": "Call Bo on 2026-02-04."}
    assert remember("call Bo tomorrow", given)["text"] == given["summary"]
    other = {**given, "summary": "Call Bo on 2026-02-07."}
    assert remember("call Bo tomorrow", other)["text"] == "call Bo tomorrow"


def test_flags_win_field_by_field(agent, remember) -> None:
    made = remember(WORDS, SEED, "--store", "episodic", "--type", "decision", "--tag", "login")
    assert (made["store"], made["type"], made["tags"]) == ("episodic", "decision", ["login"])


def test_what_an_answer_leaves_out_the_model_fills_in(agent, remember) -> None:
    made = remember("I'm allergic to cashews", {"tags": ["health"]})
    assert (made["store"], made["tags"]) == ("core", ["health"])
    assert made["block"] == "Critical Facts"


@pytest.mark.parametrize("answer", ["", "I cannot help with that.", "{}", "[]", '"core"', "null"])
def test_an_answer_without_a_field_is_none(agent, remember, answer) -> None:
    made = remember("the harbour bell rings at six", answer)
    assert made["engine"] == "model"
    assert "the route was not used" in made["note"]


def test_a_route_may_be_none_but_not_against_the_user(agent, run, route, remember) -> None:
    none = {"store": "none", "summary": "", "reason": "a greeting"}
    code, out, _ = run("remember", "We use PKCE", "--route", route(none), "--json")
    assert (code, json.loads(out)["reason"]) == (3, "a greeting")
    made = remember("Remember that we use PKCE", none)
    assert made["store"] != "none"
    assert "the user asked for it" in made["note"]


def test_core_memory_is_updated_in_the_block_that_is_named(agent, remember) -> None:
    given = {"store": "episodic", "core_update": True, "block": "Identity", "summary": ""}
    made = remember("I moved to Lisbon", given)
    core = (agent / "MEMORY.md").read_text("utf-8")
    assert made["store"] == "episodic"
    assert "I moved to Lisbon" in core.partition("## Identity")[2].partition("\n## ")[0]


def test_a_block_that_is_not_named_is_found(agent, remember) -> None:
    made = remember("answer me in short sentences", {"store": "core", "summary": ""})
    assert made["block"] == "Persona"


def test_what_is_from_outside_updates_no_core_memory(agent, remember) -> None:
    given = {**SEED, "core_update": True, "block": "Persona"}
    remember(WORDS, given, "--source", "web")
    assert SEED["summary"] not in (agent / "MEMORY.md").read_text("utf-8")


def test_a_procedure_has_what_its_route_says(agent, remember) -> None:
    given = {
        "store": "procedural",
        "title": "Ship",
        "trigger": "When the user asks to ship",
        "steps": ["Run tests", "Tag", "Push"],
        "notes": ["Never deploy by itself"],
        "summary": "How to ship.",
    }
    words = "When the user asks to ship: run tests, tag, push. Never auto-deploy."
    made = remember(words, given)
    text = (agent / made["path"]).read_text("utf-8")
    for part in ("## Trigger\nWhen the user asks to ship", "3. Push", "- Never deploy by itself"):
        assert part in text
    assert words in text.partition("## Learned From")[2]


def test_an_entity_that_a_flag_names_is_the_only_one(agent, run) -> None:
    args = ("remember", "the mobile app signs in with OAuth2 PKCE", "--entity", "project:Mobile")
    assert run(*args)[0] == 0
    stems = sorted(path.stem for path in (agent / "memory/graph/entities").iterdir())
    assert stems == ["concept--oauth2-pkce", "project--mobile"]


def test_nearly_known_names_are_the_known_entity(agent, remember) -> None:
    for name, kind in (("OAuth PKCE", "concept"), ("OAuth2 PKCE flow", "protocol")):
        given = {"store": "semantic", "entities": [{"name": name, "type": kind}], "summary": ""}
        made = remember(f"{name} needs no client secret, {kind}", given)
        assert made["id"] == "entity:concept--oauth2-pkce"


def test_a_route_that_is_not_there(agent, run) -> None:
    assert run("remember", "We use PKCE", "--route", "gone.json")[0] == 4
    assert run("remember", "-", "--route", "-")[0] == 2


def test_the_brief_has_what_is_known_and_is_short(agent, run) -> None:
    code, out, _ = run("remember", "We sign in with OAuth PKCE", "--brief", "--json")
    said = json.loads(out)
    assert (code, said["text"]) == (0, "We sign in with OAuth PKCE")
    for part in (
        "`episodic`",
        "Today: 20",
        "depends-on",
        "organization",
        "(`entity:concept--oauth2-pkce`)",
        "- signs tokens",
    ):
        assert part in said["prompt"]
    assert set(SEED) <= set(said["schema"]["properties"])
    prompt = run("remember", "q", "--brief")[1]
    assert "additionalProperties" not in prompt
    head = prompt.partition("Known: ")[0]
    assert tokens.count_tokens(head, "cl100k_base") <= 500


def test_the_brief_writes_nothing(agent, run, git) -> None:
    before = git(agent, "rev-parse", "HEAD")
    assert run("remember", "We use PKCE", "--brief")[0] == 0
    assert git(agent, "rev-parse", "HEAD") == before
