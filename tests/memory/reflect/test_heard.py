"""What a person said in conversations that have ended is read once, and shows whose word it is."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from molt import errors, trees
from molt.formats import paths
from molt.formats.meta import proposals
from molt.formats.prose import injected
from molt.formats.reflections import quotes
from molt.hosts.conversations import talks
from molt.memory import workspace
from molt.memory.answers import get
from molt.memory.reflect import draft, heard
from molt.memory.reflect.branches import branch
from molt.memory.reflect.branches.branch import KnownReflection
from molt.memory.reflect.decisions import approve, reject
from molt.memory.talks import ended
from molt.memory.why import trace
from molt.memory.workspace import Workspace

from .conftest import NOW

fork = multiprocessing.get_context("fork")
TABS = "I prefer tabs over spaces in all my code."
MIA = "My sister Mia moved to Oslo last month."
POSTGRES = "We decided to use Postgres for the billing service."


def say(text: object, role: str = "user", **more: object) -> str:
    message = {"role": role, "content": text}
    return json.dumps(
        {"type": role, "timestamp": "2026-02-02T10:00:00Z", "message": message, **more}
    )


def end(ws: Workspace, *rows: str, session: str = "s-1", name: str = "t.jsonl") -> Path:
    """A conversation with these lines that has ended; gives its transcript."""
    path = Path(ws.repo.root).parent / name
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{row}\n" for row in rows)
    ended.append_ended(ws.repo, ended.EndedSession(session, NOW.isoformat(), "logout", str(path)))
    return path


def reflect(ws: Workspace, *, alone: bool = False) -> KnownReflection | None:
    """A night whose plan quotes all that was said; `alone` one without a model."""
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), engine="rules")
    rows = [
        {"op": "add-fact", "entity": "person--alex", "fact": one.text, "evidence": [one.id]}
        for one in made.material.heard.turns
    ]
    if rows and not alone:
        plan = json.dumps({"operations": rows})
        made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), plan=plan)
    return draft.write_draft(ws, made, NOW)


def list_quoted(made: KnownReflection | None) -> list[str]:
    return [one.text for one in quotes.read_quotes(made.record.fields).values()] if made else []


def list_heard(ws: Workspace) -> list[str]:
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), engine="rules")
    return [one.text for one in made.material.heard.turns]


def test_what_was_said_is_evidence_that_can_be_looked_up(ws: Workspace) -> None:
    end(ws, say(TABS), say(MIA))
    made = reflect(ws)
    assert made is not None
    assert set(list_quoted(made)) == {TABS, MIA}
    assert "— said by the user on 2026-02-02 in session s-1" in made.text
    for memory, one in quotes.read_quotes(made.record.fields).items():
        said = f"2026-02-02, the user in session s-1: {one.text}\n"
        assert get.get_passage(ws, memory).text == said
        with pytest.raises(errors.NotFound) as told:
            trace.tell_story(ws, memory)
        assert f"molt get {memory}" in told.value.hint
    approve.approve_reflection(ws, made.id, approve.ALL, NOW)
    for memory in quotes.read_quotes(made.record.fields):
        found = get.get_passage(ws, memory)
        row = Path(ws.repo.root, found.path).read_text("utf-8").split("\n")[found.start - 1]
        assert memory in row
        assert trace.tell_story(ws, memory)


def test_let_us_is_no_code(ws: Workspace) -> None:
    said = "let's go with Redis for the job queue, RabbitMQ was too heavy for us"
    end(ws, say(said))
    assert list_heard(ws) == [said]


def test_what_nobody_quotes_is_not_found(ws: Workspace) -> None:
    with pytest.raises(errors.NotFound, match="no reflection quotes"):
        get.get_passage(ws, "turn:0a1b2c3d#0a1b2c3d")


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(say(TABS, "assistant"), id="the agent"),
        pytest.param(say([{"type": "tool_result", "content": TABS}]), id="a tool"),
        pytest.param(say([{"type": "tool_result", "content": [{"type": "text", "text": TABS}]}])),
        pytest.param(say(TABS, isSidechain=True), id="a sub-agent"),
        pytest.param(say(TABS, isMeta=True), id="the host"),
        pytest.param(say(TABS, isCompactSummary=True), id="a summary"),
        pytest.param(say(f"<system-reminder>{TABS}</system-reminder>"), id="a reminder"),
        pytest.param(say(f"<web-page>\n{TABS}\n</web-page>"), id="a page"),
        pytest.param(say(injected.wrap_block(TABS)), id="molt itself"),
        pytest.param(say(f"{'Look at this page. ' * 40}{TABS}"), id="what was pasted"),
        pytest.param(say("ok thanks"), id="nothing"),
        pytest.param(say(f"Look what they wrote:\n> {TABS}\n\n```\n{TABS}\n```"), id="quoted"),
        pytest.param(json.dumps({"type": "system", "content": TABS}), id="a system line"),
        pytest.param("{" * 9, id="no JSON"),
    ],
)
def test_what_nobody_said_is_no_evidence(ws: Workspace, row: str) -> None:
    end(ws, row)
    assert list_heard(ws) == []


@pytest.mark.parametrize("name", ["t.shared", "group.jsonl"])
def test_a_talk_with_others_is_not_heard(ws: Workspace, name: str) -> None:
    path = end(ws, say(TABS), name=name)
    told = {"agent:main:group:1": {"sessionId": "group"}}
    (path.parent / "sessions.json").write_text(json.dumps(told))
    assert list_heard(ws) == []
    reflect(ws)
    assert ended.list_ended(ws.repo) == ()


def test_no_secret_is_heard(ws: Workspace) -> None:
    end(ws, say("I prefer the key sk-ant-REDACTED for tests."))
    assert "AbCdEf" not in str(list_heard(ws))


def test_what_memory_has_already_is_not_heard(ws: Workspace) -> None:
    end(ws, say("Alex moved to Rome and uses git."), say(MIA))
    assert list_heard(ws) == [MIA]


def test_a_conversation_is_read_once(ws: Workspace) -> None:
    end(ws, say(TABS), say(MIA))
    made = reflect(ws)
    assert made is not None
    assert ended.list_ended(ws.repo) == ()
    reject.reject_reflection(ws, made.id, "no", NOW)
    end(ws)
    assert list_heard(ws) == []
    end(ws, say(POSTGRES))
    assert list_heard(ws) == [POSTGRES]


def test_a_transcript_that_begins_anew_is_read_from_its_beginning(ws: Workspace) -> None:
    path = end(ws, say(TABS), say(MIA))
    reflect(ws)
    path.write_text("")
    end(ws, say(POSTGRES))
    assert list_heard(ws) == [POSTGRES]


def test_what_was_flushed_is_not_heard_again(ws: Workspace) -> None:
    path = end(ws, say(TABS))
    size = path.stat().st_size
    end(ws, say(MIA))
    one = ended.list_ended(ws.repo)[0].replace(read=size)
    ended.append_ended(ws.repo, one)
    assert list_heard(ws) == [MIA]


def test_a_night_without_a_proposal_has_read_them_too(ws: Workspace) -> None:
    reflect(ws)
    for found in branch.list_open(ws):
        reject.reject_reflection(ws, found.id, "no", NOW)
    end(ws, say("ok thanks"))
    ended.append_ended(ws.repo, ended.EndedSession("s-2", NOW.isoformat(), "", "/gone.jsonl"))
    assert reflect(ws) is None
    assert ended.list_ended(ws.repo) == ()


def test_what_ends_meanwhile_waits(ws: Workspace) -> None:
    end(ws, say(TABS))
    made = draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), engine="rules")
    late = ended.EndedSession("s-1", "2026-02-03T09:00:00+00:00", "again", "t")
    ended.append_ended(ws.repo, late)
    draft.write_draft(ws, made, NOW)
    assert ended.list_ended(ws.repo) == (late,)


def test_a_look_at_what_would_be_proposed_reads_nothing_off(ws: Workspace) -> None:
    end(ws, say(TABS))
    assert list_heard(ws) == list_heard(ws) == [TABS]
    assert "turn:" in draft.brief_reflection(ws, "2026-02-03", NOW.timestamp()).material
    assert len(ended.list_ended(ws.repo)) == 1


def test_what_is_too_much_for_a_night_is_read_on(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heard, "TURNS", 2)
    end(ws, say(TABS), say(MIA), say(POSTGRES))
    end(ws, say("I always sail on Sundays with Nils."), session="s-2", name="u.jsonl")
    first = reflect(ws)
    assert first is not None
    assert set(list_quoted(first)) == {TABS, MIA}
    assert len(ended.list_ended(ws.repo)) == 2
    approve.approve_reflection(ws, first.id, approve.ALL, NOW)
    assert list_heard(ws) == [POSTGRES, "I always sail on Sundays with Nils."]


def test_without_a_model_what_was_said_waits_for_a_review(ws: Workspace) -> None:
    said = "Our release branch is called stable-4 and we cut it every Thursday."
    end(ws, say(TABS), say(said))
    assert reflect(ws, alone=True) is None
    waiting = proposals.list_pending(trees.read_text(ws.head(), paths.PROPOSALS))
    assert [(one.agent, one.content) for one in waiting] == [
        ("session-end", TABS),
        ("session-end", said),
    ]
    assert {one.store for one in waiting} <= {"episodic", "semantic"}
    end(ws, say(said))
    assert list_heard(ws) == []


def _die_before(root: str, name: str) -> None:
    """Reflect, and die where a function of `ended` or `branch` would be called; what was said is
    put up for a review where no model is.
    """

    def die(*_args: Any, **_more: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    module = next(one for one in (ended, branch, heard) if hasattr(one, name))
    setattr(module, name, die)
    reflect(workspace.find(root), alone=name == "_propose_rest")


@pytest.mark.parametrize(
    "name", ["write_chain", "_finish", "_propose_rest", "list_marks", "_write_ended"]
)
def test_whoever_dies_over_it_loses_nothing_and_says_nothing_twice(
    ws: Workspace, name: str
) -> None:
    end(ws, say(TABS), say(MIA))
    process = fork.Process(target=_die_before, args=(ws.repo.root, name))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    ws = workspace.find(ws.repo.root)
    open_now = next(branch.list_open(ws), None)
    if open_now is None:
        open_now = reflect(ws)
    assert set(list_quoted(open_now)) == {TABS, MIA}
    assert list_heard(ws) == []
    assert open_now is not None
    approve.approve_reflection(ws, open_now.id, approve.ALL, NOW)
    again = reflect(workspace.find(ws.repo.root))
    assert list_quoted(again) == []
    assert ended.list_ended(ws.repo) == ()


def test_a_queue_that_an_older_molt_wrote_is_read(ws: Workspace) -> None:
    Path(ws.repo.molt_dir, "ended-sessions").write_text("s-1\t2026-02-02\tlogout\t/t.jsonl\n")
    assert ended.list_ended(ws.repo) == (
        ended.EndedSession("s-1", "2026-02-02", "logout", "/t.jsonl"),
    )


@pytest.mark.parametrize(
    ("source", "said"), [("cli", [TABS]), ({"subagent": {"thread_spawn": {}}}, [])]
)
def test_codex_is_heard_where_a_person_took_part(
    ws: Workspace, source: object, said: list[str]
) -> None:
    rows = [
        {"type": "session_meta", "payload": {"id": "s-1", "source": source, "cwd": "/w"}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": TABS}},
        {"type": "event_msg", "payload": {"type": "agent_message", "message": MIA}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": MIA}},
    ]
    end(ws, *map(json.dumps, rows))
    assert list_heard(ws) == said


def test_a_kept_conversation_is_heard_when_its_day_is_over(ws: Workspace) -> None:
    rules = talks.AppendRules()
    for number, text in enumerate((TABS, MIA)):
        message = {"role": "user", "content": text}
        at = NOW + timedelta(days=number)
        talks.append_turn(ws.repo, "agent:main:direct:ada", message, now=at, rules=rules)
    assert list_heard(ws) == [TABS]
