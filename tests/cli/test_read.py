"""Commands that read."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys

import pytest

from molt.memory import days


@pytest.mark.parametrize("limit", [1, 2])
def test_a_search_gives_no_more_results_than_its_limit(agent, run, limit: int) -> None:
    said = run("search", "harbour gate", "--limit", str(limit), "--json")
    assert len(json.loads(said.out)["results"]) == limit


def test_the_limit_of_the_configuration_holds_without_one(agent, run, git) -> None:
    (agent / "molt.yaml").write_text("search: {limit: 1}\n")
    git(agent, "commit", "-qam", "fewer results")
    assert len(json.loads(run("search", "harbour gate", "--json").out)["results"]) == 1


def test_a_type_is_all_that_a_search_gives(agent, run) -> None:
    run("remember", "the harbour gate stays shut on Sunday", "--type", "decision")
    found = json.loads(run("search", "harbour gate", "--type", "decision", "--json").out)
    assert [one["snippet"] for one in found["results"]] == ["the harbour gate stays shut on Sunday"]


@pytest.mark.parametrize("command", ["search", "recall"])
def test_a_type_that_nothing_has_is_a_mistake(agent, run, command: str) -> None:
    said = run(command, "harbour gate", "--type", "desicion")
    assert (said.status, said.out) == (2, "")
    assert "no memory has the type 'desicion'\n  there are: " in said.err
    # One that molt gives is none, though nothing here has it.
    assert run(command, "harbour gate", "--type", "emotion").status == 0


def test_a_type_of_a_note_of_its_own_can_be_asked_for(agent, run) -> None:
    (agent / "memory/soup.md").write_text("---\ntype: recipe\n---\n\nLeek soup takes an hour.\n")
    (found,) = json.loads(run("search", "leek soup", "--type", "recipe", "--json").out)["results"]
    assert found["path"] == "memory/soup.md"


def test_what_is_less_sure_is_left_out(agent, run) -> None:
    every = json.loads(run("search", "harbour gate", "--nearest", "--json").out)["results"]
    least = every[0]["confidence"]
    kept = json.loads(run("search", "harbour gate", "--min-score", str(least), "--json").out)
    assert [one["id"] for one in kept["results"]] == [every[0]["id"]]
    assert len(every) > 1
    assert run("search", "harbour gate", "--min-score", "-1").status == 2


def test_a_search_and_a_read_of_the_past(agent, run) -> None:
    run("remember", "the harbour gate opens at ten now")
    found = json.loads(run("search", "harbour gate", "--at", "HEAD~1", "--json").out)
    assert "ten" not in str(found["results"])
    assert found["at"]
    assert run("get", "MEMORY.md", "--at", "HEAD~3").out != run("get", "MEMORY.md").out
    assert run("search", "harbour gate", "--at", "nope").status == 4


def test_recall_gives_a_block_for_a_prompt(agent, run) -> None:
    said = run("recall", "What do you know about OAuth2 PKCE?")
    assert said.out.startswith(
        "## Entity\n\n### memory/graph/entities/concept--oauth2-pkce.md\n- L"
    )
    assert "signs tokens with Ed25519" in said.out
    assert said.err == ""


def test_a_day_that_is_shown_is_not_called_nothing(agent, run) -> None:
    run("remember", "bananas ripen on the sill", "--store", "episodic")
    unsure = ("what happened today?", "--min-score", "1")
    assert "nothing found" in run("search", *unsure).err
    said = run("recall", *unsure)
    assert "bananas" in said.out
    assert "nothing found" not in said.err


def test_recall_says_that_nothing_was_written_in_a_week_that_is_asked_about(agent, run) -> None:
    run("remember", "bananas ripen on the sill", "--store", "episodic")
    asked = ("recall", "what happened with the bananas in March 2019?")
    assert "nothing that is shown was written in 2019-03\n" in run(*asked).err
    assert json.loads(run(*asked, "--json").out)["empty"] == ["2019-03"]
    (days,) = json.loads(run("recall", "what happened last week?", "--json").out)["empty"]
    assert re.fullmatch("[-0-9]{10} to [-0-9]{10}", days)
    assert json.loads(run("recall", "what happened today?", "--json").out)["empty"] == []


def test_recall_tells_what_it_did_as_json(agent, run) -> None:
    said = json.loads(run("recall", "when does the harbour gate open?", "--json").out)
    assert said["type"] == "when"
    assert {"question", "entities", "context", "provider", "model", "fallback", "stale"} <= {*said}
    assert {"id", "path", "start_line", "end_line"} == {*said["citations"][0]}
    assert said["results"] == json.loads(run("search", said["question"], "--json").out)["results"]


@pytest.mark.parametrize(("option", "value"), [("--hops", "3"), ("--max-tokens", "0")])
def test_recall_refuses_what_makes_no_sense(agent, run, option: str, value: str) -> None:
    assert run("recall", "harbour", option, value).status == 2


def test_recall_says_when_nothing_fits(agent, run) -> None:
    said = run("recall", "harbour", "--max-tokens", "3")
    assert (said.status, said.out) == (0, "")
    assert "no memory fits into 3 tokens: raise --max-tokens" in said.err


@pytest.mark.parametrize("query", ["", "  "])
def test_a_question_of_nothing_is_a_mistake(agent, run, query: str) -> None:
    for command in ("search", "recall"):
        said = run(command, query)
        assert (said.status, said.out) == (2, "")
        assert "there is nothing to ask" in said.err


@pytest.mark.parametrize("query", ["?!", "-- *", "🙂"])
def test_a_query_without_a_word_finds_nothing_and_says_so(agent, run, query: str) -> None:
    for command in ("search", "recall"):
        said = run(command, "--", query)
        assert (said.status, said.out) == (0, "")
        assert "nothing found" in said.err
        assert run(command, "-q", "--", query).err == ""


def test_a_search_that_finds_nothing_by_an_actor_says_who_was_asked(agent, run) -> None:
    said = run("search", "harbour", "--actor", "agent")
    assert said.err == "molt: nothing found by 'agent': `molt log` tells who wrote\n"


def test_what_shares_no_word_with_the_query_is_told_apart(agent, run) -> None:
    nearest = run("search", "port doorway", "--nearest")
    assert nearest.out
    assert "nearest in meaning" in nearest.err
    assert "nearest in meaning" not in run("search", "harbour doorway", "--nearest").err


def test_what_nothing_is_said_of_is_not_found(agent, run, tmp_path) -> None:
    rows = [
        {"id": str(n), "text": f"crate {n} was painted", "date": "2026-01-02"} for n in range(70)
    ]
    file = tmp_path / "crates.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    run("import", str(file))
    said = run("search", "zorblax quuxification")
    assert (said.status, said.out) == (0, "")
    said = run("search", "who sings opera")
    assert (said.status, said.out) == (0, "")
    assert said.err == "molt: nothing found; `--nearest` shows what comes nearest\n"
    answer = json.loads(run("search", "who sings opera", "--json").out)
    assert (answer["results"], answer["unsure"] > 0) == ([], True)


def test_of_a_few_memories_none_is_refused(agent, run) -> None:
    assert json.loads(run("search", "port doorway", "--json").out)["results"]


def test_each_result_says_by_what_it_was_found(agent, run) -> None:
    (first, *_) = json.loads(run("search", "harbour gate", "--json").out)["results"]
    assert first["confidence"] > 0.5
    assert "words" in first["matched"]
    assert "has words of the question" in run("search", "harbour gate", "--explain").out


@pytest.mark.parametrize("query", ["xyzzyplugh", 'AND OR NEAR(" *', "the of and", "a\0b", "'; --"])
def test_no_result_has_a_score_of_nothing(agent, run, query: str) -> None:
    said = run("search", query, "--limit", "50", "--json")
    assert said.status == 0
    assert all(one["score"] > 0 for one in json.loads(said.out)["results"])
    assert " 0.00 " not in run("search", query, "--limit", "50").out


def test_a_memory_may_not_steer_the_terminal(agent, run) -> None:
    (agent / "memory/notes").mkdir()
    (agent / "memory/notes/red.md").write_text("a zebra \x1b[31mred\x07\n")
    said = run("search", "zebra", "--limit", "1")
    block = run("recall", "what do you know about the zebra?")
    for out in (said.out, block.out):
        assert "\\x1b[31mred\\x07" in out
        assert "\x1b" not in out


def test_a_file_that_is_one_memory_is_named_once(agent, run) -> None:
    (agent / "memory/notes").mkdir()
    (agent / "memory/notes/red.md").write_text("a zebra\n")
    first = run("search", "zebra", "--limit", "1").out.splitlines()[0]
    assert first.split()[1:] == ["memory/notes/red.md#L1-L1"]


def test_of_a_note_of_headings_alone_they_are_shown(agent, run) -> None:
    (agent / "memory/yard.md").write_text("# Yard\n\n## Roses\n\n## Peonies\n")
    shown = run("search", "roses", "--limit", "1").out.splitlines()[1]
    assert shown.strip() == "Yard: Roses Peonies"
    block = run("recall", "roses").out
    assert "### memory/yard.md\n- L1-L5:\n  Yard\n  Roses\n  Peonies\n" in block


@pytest.mark.parametrize("date", ["soon", "2026-13-01", "2026-02-03junk", "31 February"])
def test_a_bad_date_is_named(agent, run, date: str) -> None:
    for option in ("--since", "--until"):
        said = run("search", "harbour", option, date)
        assert said.status == 2
        assert f"{date!r} is no date" in said.err


@pytest.mark.parametrize(
    "said", ["yesterday", "last week", "16.01.2024", "三月二十日", "2024-01-16"]
)
def test_a_day_is_taken_as_people_say_it(agent, run, said: str) -> None:
    assert "harbour" in run("search", "harbour", "--since", said).out
    assert run("search", "harbour", "--until", said).out == ""
    assert run("log", "--since", said).out


def test_a_month_and_a_weekday_are_the_last_that_there_were() -> None:
    now = days.parse_second("2026-02-10", "UTC") or 0.0
    assert days.find_days("March", "UTC", now) == ("2025-03-01", "2025-03-31")
    assert days.find_days("friday", "UTC", now) == ("2026-02-06", "2026-02-06")
    assert days.find_days("2026-02-03T10:00", "UTC", now) == ("2026-02-03T10:00",) * 2
    assert days.find_days("", "UTC", now) == ("", "")


def test_the_past_is_asked_by_a_day_as_people_say_it(agent, run, git) -> None:
    found = run("search", "harbour", "--at", "today")
    assert "harbour gate" in found.out
    before = run("search", "harbour", "--at", "16.01.2024")
    assert (before.status, "no commit of HEAD is as old as 2024-01-16" in before.err) == (4, True)
    # What git calls so is meant first.
    git(agent, "tag", "today", "HEAD~2")
    then = json.loads(run("search", "harbour", "--at", "today", "--json").out)["at"]
    assert then == git(agent, "rev-parse", "HEAD~2").strip()


def test_a_fact_holds_from_a_day_as_people_say_it(agent, run) -> None:
    say = ("remember", "the pier is closed", "--entity", "place:Pier")
    assert run(*say, "--since", "16.01.2024").status == 0
    assert "2024-01-16" in run("get", "place--pier").out
    said = run(*say, "--until", "yesterday")
    assert (said.status, "write the last day as" in said.err) == (2, True)


def test_a_long_query_is_answered(agent, run) -> None:
    said = run("search", "harbour gate " * 8_000, "--limit", "1")
    assert said.status == 0
    assert "harbour gate opens" in said.out


def test_a_query_may_come_from_standard_input(agent, run, monkeypatch) -> None:
    for command in ("search", "recall"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"harbour gate\n")))
        assert "harbour gate opens" in run(command, "-").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("log --actor nope", "nothing by 'nope'; by bot:main, system:init"),
        ("log --grep nowhere", "no line of the log is like that"),
        ("get MEMORY.md --from 999", "MEMORY.md has no line 999"),
        ("context --max-tokens 5", "nothing fits into 5 tokens"),
    ],
)
def test_an_empty_answer_says_why(agent, run, words: str, told: str) -> None:
    said = run(*words.split())
    assert (said.status, said.out) == (0, "")
    assert said.err.startswith(f"molt: {told}")
    assert run("--quiet", *words.split()).err == ""


def test_an_action_that_there_is_not_is_a_mistake(agent, run) -> None:
    said = run("log", "--action", "nope")
    assert (said.status, said.out) == (2, "")
    assert "no such action NOPE" in said.err
    assert "one of CREATE, EDIT" in said.err
    assert run("log", "--action", "unstructured").status == 0


def test_an_entity_goes_by_the_name_of_its_file(agent, run) -> None:
    name = "concept--oauth2-pkce"
    assert run("get", name) == run("get", f"entity:{name}")
    assert run("why", name) == run("why", f"entity:{name}")
    assert "signs tokens" in run("why", name).out


def test_the_story_of_a_proposal_and_of_a_block_of_core_memory(agent, run) -> None:
    made = run("--actor", "subagent:a", "propose", "we use git").out.split()[1]
    assert "#1 we use git" in run("why", made).out
    story = run("why", "core:persona").out.splitlines()
    assert "workspace made" in story[0]
    assert "Ada prefers short answers" in story[-1]
    assert len(run("why", "core:identity").out.splitlines()) == 1
    assert run("why", "p-00000000").status == run("why", "core:nothing").status == 4


def test_what_is_no_commit_is_no_range_and_git_says_nothing_itself(agent) -> None:
    command = [sys.executable, "-m", "molt", "verify", "HEAD^{tree}"]
    done = subprocess.run(command, cwd=agent, capture_output=True, text=True)
    assert done.returncode == 4
    assert done.stderr.startswith("molt: no such range of commits: HEAD^{tree}\n")


def test_what_no_commit_names_is_told_by_what_brought_it(agent, run, tmp_path) -> None:
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"text": "Carol sells olives", "date": "2026-01-05"}\n')
    run("import", str(talk))
    file = "memory/episodes/2026-01-05.md"
    said = run("why", "episode:2026-01-05:00:00")
    assert f"| IMPORT | {file} |" in said.out
    assert "| IMPORT |" in run("log", "--file", file).out
    assert "`molt search` gives ids" in run("why", "episode:2026-01-06:00:00").err
