"""`molt remember`: what is stored where, on whose word, and what is not stored at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from molt.formats import paths
from molt.formats.entity import parse_entity


def say(run, text: str, *args: str, status: int = 0):
    code, out, err = run("remember", text, *args, "--json")
    assert code == status, out + err
    return json.loads(out)


def last_message(git, agent: Path) -> str:
    return str(git(agent, "log", "-1", "--format=%B"))


def read_day(agent: Path) -> str:
    """The entries of the newest day."""
    return sorted((agent / paths.EPISODES).iterdir())[-1].read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "store", "block", "kind"),
    [
        ("We settled on Kafka", "episodic", None, "decision"),
        ("Never delete a file without asking", "core", "Persona", "preference"),
        ("I am allergic to latex", "core", "Critical Facts", "fact"),
        ("Ines works at Nordwind", "semantic", None, "fact"),
        ("我对花生过敏", "core", "Critical Facts", "fact"),
        ("待办：更新隐私政策", "episodic", None, "task"),
    ],
)
def test_a_text_goes_where_it_belongs(agent, run, text, store, block, kind) -> None:
    said = say(run, text)
    assert (said["store"], said["block"], said["type"]) == (store, block, kind)
    assert said["engine"] == "model"
    assert said["commit"]


@pytest.mark.parametrize("dry", [(), ("--dry-run",)], ids=["written", "dry"])
def test_everything_of_a_route_is_told(agent, run, dry) -> None:
    said = say(run, "Remember that Lumen depends on Stripe for payments", *dry)
    assert said["entities"] == [
        {"name": "Lumen", "type": "concept"},
        {"name": "Stripe", "type": "concept"},
    ]
    assert said["relations"] == [
        {"from": "concept:Lumen", "relation": "depends-on", "to": "concept:Stripe"}
    ]
    assert said["text"] == "Lumen depends on Stripe for payments"
    assert said["confidence"] == "high"
    assert said["base_relevance"] == 1.0
    assert bool(said["commit"]) is not bool(dry)
    assert {"id", "path", "action", "warnings", "tags", "source", "origin"} <= said.keys()


def test_a_relation_stands_in_its_subjects_file_and_what_it_names_is_made_once(run, agent) -> None:
    say(run, "takes cards", "--entity", "tool:Stripe")
    say(run, "Project Lumen depends on Stripe for payments")
    say(run, "Lumen uses Stripe for refunds")
    folder = agent / paths.ENTITIES
    assert [path.name for path in folder.glob("*stripe*")] == ["tool--stripe.md"]
    one = parse_entity((folder / "project--lumen.md").read_text("utf-8"), "project--lumen")
    assert [(edge.word, edge.target) for edge in one.relations] == [
        ("depends-on", "tool--stripe"),
        ("uses", "tool--stripe"),
    ]
    assert len(one.facts) == 2


PASSWORD = "the wifi password: " + "Hx7-kk2pQ9"
ACCOUNT = "Our club's account is " + "DE89 3704 0044 0532 0130 00"


@pytest.mark.parametrize("text", [PASSWORD, ACCOUNT])
def test_what_a_person_allows_is_no_credential(run, git, agent, text: str) -> None:
    marked = f"{text} <!-- molt:allow-secret -->"
    assert say(run, marked, status=3)["reason"] == "a credential"
    said = say(run, marked, "--actor", "manual")
    assert marked in Path(agent, said["path"]).read_text("utf-8")
    assert text[-6:] not in last_message(git, agent)
    assert say(run, text, "--actor", "manual", status=3)["store"] == "none"


@pytest.mark.parametrize("text", [PASSWORD, ACCOUNT])
def test_what_a_workspace_only_warns_of_is_no_credential(run, git, agent, text: str) -> None:
    settings = agent / "molt.yaml"
    chosen = "\npolicy:\n  secrets: {bank account: warn, password: warn}\n"
    settings.write_text(settings.read_text("utf-8") + chosen)
    git(agent, "commit", "-qam", "chosen")
    said = say(run, text)
    assert said["commit"]
    assert [one["code"] for one in said["warnings"]].count("SEC001") >= 1
    assert text[-6:] not in last_message(git, agent)
    assert say(run, "The key is ghp_" + "a1" * 18, status=3)["store"] == "none"


NOTHING = "it looks like a question, small talk, an order for now or a password"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("What time is it?", NOTHING),
        ("Thanks a lot!", NOTHING),
        ("Summarise this file", NOTHING),
        ("ghp_" + "a1" * 18, "a credential"),
        ("The database is at postgres://bob:" + "s3cretPw99@db/x", "a credential"),
        ("My credit card is 4539 1488 0343 6467", "a credential"),
        ("Remember to pay with 4539-1488-0343-6467", "a credential"),
        ("你今天怎么样", NOTHING),
        ("Scratch that", "a request to forget"),
        ("忘了它", "a request to forget"),
    ],
)
def test_what_is_no_memory_is_not_stored_and_says_why(run, git, agent, text, why) -> None:
    before = git(agent, "rev-parse", "HEAD")
    said = say(run, text, status=3)
    assert (said["store"], said["reason"], said["id"], said["commit"]) == ("none", why, None, None)
    assert git(agent, "rev-parse", "HEAD") == before
    code, _, err = run("remember", text)
    assert code == 3
    assert f"nothing was stored: {why}" in err
    assert ("molt remember --store episodic" in err) is (why != "a credential")


@pytest.mark.parametrize(
    "text",
    [
        "The rule on tabs is no longer valid",
        "We moved to Bergen, forget what I said about Oslo",
        "Never delete a branch on a Friday",
        "Scratch that, the vet is called Dr. Kim",
        "Scratch that. The vet is called Dr. Kim",
    ],
)
def test_what_tells_something_beside_a_wish_to_forget_is_stored(run, agent, text) -> None:
    assert say(run, text)["store"] != "none"


def test_a_store_that_is_named_takes_what_is_no_memory(agent, run) -> None:
    said = say(run, "What time is it?", "--store", "episodic")
    assert (said["store"], said["text"], said["engine"]) == ("episodic", "What time is it?", "host")


def test_flags_win_field_by_field(agent, run) -> None:
    said = say(run, "We settled on Kafka", "--type", "fact", "--tag", "bus", "--confidence", "low")
    assert (said["type"], said["tags"], said["confidence"]) == ("fact", ["bus"], "low")
    said = say(run, "We settled on Kafka", "--entity", "tool:Kafka")
    assert (said["store"], said["id"]) == ("semantic", "entity:tool--kafka")


def test_the_same_sentence_on_a_day_is_one_memory_used_twice(run, git, agent) -> None:
    first = say(run, "The spare key is under the mat")
    second = say(run, "the spare key is  under the mat.")
    assert (second["id"], second["again"], second["commit"]) == (first["id"], True, None)
    assert read_day(agent).count("spare key") == 1
    code, _, err = run("remember", "The spare key is under the mat")
    assert code == 0
    assert "counts as a use" in err
    journal = (agent / ".git/molt").rglob("access*")
    assert any(first["id"] in path.read_text("utf-8") for path in journal if path.is_file())


@pytest.mark.parametrize(
    ("actor", "args", "source", "origin", "base", "trigger"),
    [
        ("bot:main", (), "conversation", "agent", 0.7, "auto-detect"),
        ("bot:auto-detect", (), "conversation", "agent", 0.7, "auto-detect"),
        ("manual", (), "user-explicit", "user", 1.0, "said by a person"),
        ("bot:trigger-remember", (), "user-explicit", "user", 1.0, "asked for by the user"),
        ("bot:main", ("--phrase", "keep in mind"), "user-explicit", "user", 1.0,
         'user said "keep in mind"'),
        ("bot:main", ("--source", "inferred"), "inferred", "agent", 0.5, "inference"),
        ("bot:main", ("--source", "tool"), "tool", "tool", 0.7, "tool output"),
        ("manual", ("--source", "web"), "web", "web", 0.7, "web page"),
        ("bot:commit-from:coder", (), "subagent:coder", "sub-agent", 0.5, "bot:commit-from:coder"),
    ],
)  # fmt: skip
def test_it_says_on_whose_word_it_stands(
    run, git, agent, actor, args, source, origin, base, trigger
) -> None:
    said = say(run, "The spare key is under the mat", "--actor", actor, *args)
    assert (said["source"], said["origin"], said["base_relevance"]) == (source, origin, base)
    assert f"| source:{source} | origin:{origin}\n" in read_day(agent)
    message = last_message(git, agent)
    assert f"\nTrigger: {trigger}\n" in message
    assert f"\nOrigin: {origin}\n" in message


def test_a_phrase_in_the_text_is_what_asked_for_it(run, git, agent) -> None:
    said = say(run, "Remember that the spare key is under the mat")
    assert (said["source"], said["text"]) == ("user-explicit", "the spare key is under the mat")
    assert '\nTrigger: user said "Remember that"\n' in last_message(git, agent)
    said = say(run, "Remember that rent is due on Monday", "--actor", "bot:auto-detect")
    assert said["source"] == "conversation"


def test_who_relays_a_sub_agent_does_not_speak_for_the_user(agent, run) -> None:
    actor = ("--actor", "bot:commit-from:coder")
    code, _, err = run("remember", "The key is here", *actor, "--source", "user-explicit")
    assert code == 2
    assert "does not speak for the user" in err


@pytest.mark.parametrize("source", ["tool", "web", "import"])
@pytest.mark.parametrize(
    ("text", "store"),
    [
        ("Never delete a file without asking", "core"),
        ("To deploy: run make build, then upload it", "procedural"),
        ("Put this in the vault: box 118 in Bern", "vault"),
    ],
)
def test_what_came_from_outside_is_an_episode_and_nothing_that_instructs(
    run, git, agent, source, text, store
) -> None:
    said = say(run, text, "--source", source)
    assert (said["store"], said["origin"]) == ("episodic", source)
    assert source in said["note"]
    before = git(agent, "rev-parse", "HEAD")
    code, out, _ = run("remember", text, "--source", source, "--store", store, "--json")
    assert code == 1
    assert {"ORIG001"} <= {one["code"] for one in json.loads(out)["error"]["findings"]}
    assert git(agent, "rev-parse", "HEAD") == before
    said = say(run, text, "--source", source, "--store", store, "--actor", "manual")
    assert said["store"] == store


def test_a_fact_from_outside_says_so_in_its_entity(run, agent) -> None:
    say(run, "Project Lumen depends on Stripe", "--source", "web")
    text = (agent / paths.ENTITIES / "project--lumen.md").read_text("utf-8")
    assert "- Project Lumen depends on Stripe (origin: web)\n" in text
    assert "\norigin: web\n" in text


def test_the_vault_is_a_persons(agent, run) -> None:
    text = "Put this in the vault: box 118 in Bern"
    assert say(run, text)["store"] == "episodic"
    assert say(run, text, "--actor", "manual")["store"] == "vault"


def test_core_memory_that_is_full_takes_nothing_that_rules_chose(run, git, agent) -> None:
    full = "# M\n\n## Persona\n" + "- be kind to all\n" * 590
    (agent / "MEMORY.md").write_text(full, "utf-8")
    git(agent, "commit", "-qam", "[EDIT] MEMORY.md — full", "--no-verify")
    said = say(run, "Never delete a file without asking " + "me or anybody else at all " * 8)
    assert said["store"] == "episodic"
    assert "no room" in said["note"]


def test_a_way_of_doing_things_has_a_title_and_steps(run, agent) -> None:
    said = say(run, "How to make tea: boil water, then add the leaves, and then wait")
    assert said["id"] == "procedure:make-tea"
    text = (agent / said["path"]).read_text("utf-8")
    assert "## Steps\n1. boil water\n2. add the leaves\n3. wait\n" in text


def test_an_alias_in_the_index_is_the_entity(run, git, agent) -> None:
    say(run, "PostgreSQL stores all orders", "--entity", "tool:PostgreSQL")
    path = agent / paths.ENTITIES / "tool--postgresql.md"
    text = path.read_text("utf-8").replace("aliases: []", "aliases: [The Elephant]")
    path.write_text(text, "utf-8")
    git(agent, "commit", "-qam", "[EDIT] memory/graph/entities/tool--postgresql.md — alias")
    assert run("search", "orders")[0] == 0
    said = say(run, "The Elephant is slow on big joins")
    assert (said["store"], said["id"]) == ("semantic", "entity:tool--postgresql")


@pytest.mark.parametrize(
    ("text", "kept", "phrase"),
    [
        ("The key is under the mat. Remember that.", "The key is under the mat.", "Remember that"),
        ("Don't forget to call Ada", "call Ada", "Don't forget to"),
    ],
)
def test_the_words_that_ask_for_it_go(agent, run, git, text, kept, phrase) -> None:
    said = say(run, text)
    assert (said["text"], said["source"] == "user-explicit") == (kept, bool(phrase))
    assert bool(phrase) is (f'user said "{phrase}"' in last_message(git, agent))


@pytest.mark.parametrize("text", ["Never delete a file", "Lumen depends on Stripe for payments"])
def test_what_is_for_some_is_told_in_no_file_that_is_for_others(agent, run, text) -> None:
    said = say(run, text, "--scope", "private")
    assert (said["store"], said["relations"]) == ("episodic", [])
    assert "| scope:private\n" in read_day(agent)


def test_a_fact_says_when_it_holds_and_what_took_its_place(agent, run) -> None:
    job = ("--entity", "person:Ada", "--since", "2025-01-01")
    assert run("remember", "works at Acme", *job, "--until", "2026-06-30").status == 0
    text = (agent / "memory/graph/entities/person--ada.md").read_text()
    assert "- works at Acme (since: 2025-01-01, until: 2026-06-30) (source: agent)\n" in text
    new = ("--entity", "person:Ada", "--since", "2026-07-01", "--supersedes", "works at Acme")
    assert run("remember", "works at Globex", *new).status == 0
    text = (agent / "memory/graph/entities/person--ada.md").read_text()
    assert "until: 2026-06-30) (source: agent)~~ (until 2026-07-01; now: works at Globex" in text
    assert "- works at Globex (since: 2026-07-01) (source: agent)\n" in text
    assert run("verify").status == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--store", "episodic", "--since", "2026-01-01"), "has no first day"),
        (("--store", "vault", "--until", "2026-01-01"), "has no last day"),
        (("--entity", "tool:X", "--since", "soon"), "is no date"),
        (("--entity", "tool:X", "--since", "2026-02-01", "--until", "2026-01-01"), "is before"),
    ],
)
def test_days_that_cannot_be_kept_are_refused(agent, run, options, said) -> None:
    done = run("remember", "the sky is blue", *options)
    assert (done.status, said in done.err) == (2, True)


def test_a_known_fact_gets_a_relation_of_another_entity(run, git, agent) -> None:
    fact = "Lumen pays with Stripe"
    say(run, fact, "--entity", "project:Lumen")
    say(run, "takes cards", "--entity", "tool:Stripe")
    edge = "tool--stripe depends-on project--lumen"
    assert say(run, fact, "--entity", "project:Lumen", "--relation", edge)["commit"]
    assert last_message(git, agent).startswith(f"[EDIT] {paths.ENTITIES}tool--stripe.md — ")
    text = (agent / paths.ENTITIES / "tool--stripe.md").read_text()
    relations = parse_entity(text, "tool--stripe").relations
    assert [one.target for one in relations] == ["project--lumen"]


@pytest.mark.parametrize(("until", "told"), [("2020-01-01", True), ("2999-01-01", False)])
def test_what_holds_no_more_is_not_stored_without_a_word(agent, run, until, told) -> None:
    said = run("remember", "the gate code is 4711", "--store", "episodic", "--until", until)
    assert said.status == 0
    assert (f"{until} is past: `--archived` finds it" in said.err) is told


def test_a_block_is_one_that_there_is_or_can_be(agent, git, run) -> None:
    core = agent / paths.CORE
    core.write_text(f"{core.read_text()}\n## House Rules\n- shoes off\n")
    git(agent, "commit", "-qam", "house rules")
    before = core.read_text()
    for command in (("remember", "quiet", "--block", "Persna"), ("core", "add", "Persna", "quiet")):
        said = run(*command)
        assert said.status == 2
        assert "no block 'Persna'" in said.err
        assert "House Rules" in said.err
        assert "Persona" in said.err
    assert core.read_text() == before
    assert say(run, "No music", "--block", "house rules")["id"].startswith("core:house-rules#")
    assert say(run, "Short answers", "--block", "persona")["id"].startswith("core:persona#")


def test_an_entity_may_be_given_by_the_name_of_its_file(agent, run) -> None:
    made = say(run, "uses S256", "--entity", "concept--oauth2-pkce")
    assert made["id"] == "entity:concept--oauth2-pkce"
    assert say(run, "takes cards", "--entity", "entity:tool--stripe")["id"] == "entity:tool--stripe"


def test_a_type_that_there_is_not_names_those_that_are(agent, run) -> None:
    said = run("remember", "x", "--entity", "org:Acme")
    assert said.status == 2
    assert "did you mean organization? one of person, project" in said.err
    assert "graph.types" in said.err


def test_one_flag_may_name_several_tags(agent, run) -> None:
    made = say(run, "rain", "--store", "episodic", "--tag", "a, b", "--tag", "c")
    assert made["tags"] == ["a", "b", "c"]
    assert "rain" in run("search", "rain", "--tag", "a,b").out


def test_core_memory_that_nobody_says_more_of_fades(agent, run) -> None:
    assert say(run, "the lamp is blue", "--store", "core")["block"] == "Active Context"


def test_what_a_relation_names_with_its_type_is_made(agent, run) -> None:
    edge = "person:Clara relates-to place:'Bad Ems'"
    said = say(run, "Clara lives in Bad Ems", "--store", "semantic", "--relation", edge)
    assert said["id"] == "entity:person--clara"
    notes = agent / paths.ENTITIES
    assert "relates-to [[place--bad-ems]]" in (notes / "person--clara.md").read_text("utf-8")
    assert (notes / "place--bad-ems.md").exists()
    refused = run("remember", "they meet", "--relation", "Foo uses place:'Bad Ems'")
    assert (refused.status, "no entity 'Foo'" in refused.err) == (2, True)


def test_labels_with_spaces_may_be_related(agent, run) -> None:
    run("remember", "a library", "--entity", "tool:PKCE lib")
    done = run("remember", "they meet", "--relation", "OAuth2 PKCE depends on PKCE lib")
    assert done.status == 0
    text = (agent / "memory/graph/entities/concept--oauth2-pkce.md").read_text("utf-8")
    assert "depends-on [[tool--pkce-lib]]" in text


@pytest.mark.parametrize("label", ["Git]]", "[Git](http://example.org)", "Git [[tool--hg"])
def test_a_label_that_would_break_links_is_refused(agent, run, git, label) -> None:
    before = git(agent, "rev-parse", "HEAD")
    said = run("remember", "it stores blobs", "--entity", f"tool:{label}")
    assert said.status == 2
    assert "is no name" in said.err
    assert "a link; leave that out" in said.err
    run("remember", "it stores blobs", "--entity", "tool:Git")
    assert run("graph", "rename", "Git", label).status == 2
    assert git(agent, "rev-parse", "HEAD^") == before


def test_what_a_text_is_about_is_named_without_its_links(agent, run) -> None:
    said = say(run, "see [the docs](http://example.org) of [[git]]", "--store", "semantic")
    text = (agent / said["path"]).read_text("utf-8")
    assert parse_entity(text, "").label == "git"


def test_a_relation_has_the_word_of_the_workspace_s_own_vocabulary(agent, run) -> None:
    text = "Ada Lovelace works at Siemens"
    assert say(run, text, "--dry-run")["relations"] == []
    run("graph", "relation", "add", "works at", "--meaning", "person → organization")
    (edge,) = say(run, text)["relations"]
    assert edge == {"from": "concept:Ada Lovelace", "relation": "works-at", "to": edge["to"]}
    note = (agent / "memory/graph/entities/concept--ada-lovelace.md").read_text("utf-8")
    assert "- works-at [[" in note


def test_what_is_said_of_a_procedure_that_there_is_becomes_a_note_of_it(agent, run) -> None:
    args = ("--store", "procedural", "--title", "How to deploy")
    made = say(run, "run make deploy", *args)
    for text, changed in (("it takes an hour", 1), ("it takes an hour", 0), ("run make deploy", 0)):
        said = say(run, text, *args)
        assert (said["id"], bool(said["commit"])) == (made["id"], bool(changed))
    text = (agent / made["path"]).read_text("utf-8")
    assert "## Steps\n1. run make deploy\n" in text
    assert text.count("\n- it takes an hour\n") == 1


def test_other_steps_refine_a_procedure_that_there_is(agent, run, git) -> None:
    args = ("--store", "procedural", "--title", "How to deploy")
    made = say(run, "1. build\n2. ship", *args)
    path = agent / made["path"]
    before = path.read_text("utf-8")
    said = say(run, "1. test\n2. build\n3. ship", *args)
    assert (said["id"], said["action"]) == (made["id"], "EDIT")
    assert "## Steps\n1. test\n2. build\n3. ship\n" in path.read_text("utf-8")
    assert before == git(agent, "show", f"HEAD~1:{made['path']}")


@pytest.mark.parametrize("form", ["[[{}]]", "{},", "({})"])
@pytest.mark.parametrize("which", ["episode", "concept--oauth2-pkce"])
def test_a_memory_that_a_text_names_counts_as_used(agent, run, form, which) -> None:
    memory = "entity:concept--oauth2-pkce"
    if which == "episode":
        memory = say(run, "the ferry is late", "--store", "episodic")["id"]
    name = memory if which == "episode" else which
    say(run, f"as {form.format(name)} says, we wait", "--store", "episodic")
    journal = (agent / ".git/molt").rglob("access*")
    assert any(memory in path.read_text("utf-8") for path in journal if path.is_file())


def test_a_store_that_is_named_takes_a_number_of_two_digits(run, agent) -> None:
    assert say(run, "The manual shows 4111 1111 1111 1111", "--store", "episodic")["commit"]


def test_what_is_too_long_says_what_goes_on(run, agent) -> None:
    status, _, said = run("remember", "a" * (2 << 20))
    assert status == 2
    assert "split it" in said
    assert "molt import" not in said


def test_the_vault_says_how_a_person_puts_something_into_it(run, agent) -> None:
    _, _, said = run("remember", "The deed is in the safe", "--store", "vault")
    assert "`molt --actor manual …`" in said


@pytest.mark.parametrize(
    "said",
    [
        "My sister Eva lives in Oslo. Remember that I like green tea.",
        "I like tea; and keep in mind that Bob is vegan. Don't forget: the party is in May.",
        "Remember this:\n- the door code is with Nina\n\nOtto feeds the cat, too.",
        "我姐姐住在奥斯陆。记住我喜欢绿茶。",
    ],
)
def test_the_sentences_around_a_request_are_kept(agent, run, said: str) -> None:
    code, out, err = run("remember", said, "--store", "episodic", "--json")
    assert code == 0, err
    made = json.loads(out)
    assert (made["text"], made["source"]) == (said, "user-explicit")


def test_the_line_above_a_list_of_steps_is_kept(agent, run) -> None:
    said = "Only with Anton beside you\n- build\n- push"
    code, _, err = run("remember", said, "--store", "procedural", "--title", "Deploy")
    assert code == 0, err
    text = (agent / "memory/procedures/deploy.md").read_text("utf-8")
    assert "1. build\n2. push\n" in text
    assert "Only with Anton beside you" in text.split("## Learned From")[1]
