"""Plans as models give them: no invented fact reaches a draft, and what was good does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from copies import Copy
from loopback import Fault, Server, serving
from materials import FILES
from plans import GOOD, INVENTED, PLANS

from molt.formats.reflections import record, summary
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.engines import llm
from molt.memory.reflect import draft
from molt.memory.reflect.branches import branch
from molt.memory.reflect.draft import Draft
from molt.memory.workspace import Workspace

from .conftest import NOW, commit_files

SAID = ("loves dark roast coffee", "lives in Lisbon", "The mobile app uses PKCE", "去上海出差")
assert len(PLANS) >= 30


def make_workspace(path: Path) -> None:
    setup.init(str(path))
    commit_files(workspace.find(str(path)), dict(FILES))


@pytest.fixture
def ws(tmp_path: Path, copy: Copy) -> Workspace:
    return workspace.find(str(copy(tmp_path / "agent", make_workspace)))


def reflect(ws: Workspace, plan: str | None = None, engine: str | None = None) -> Draft:
    return draft.draft_reflection(ws, "2026-02-03", NOW.timestamp(), plan=plan, engine=engine)


def check(made: Draft, good: int) -> None:
    """What a draft proposes has all that was good, and nothing that was invented."""
    said = json.dumps([one.asdict() for one in made.operations], ensure_ascii=False)
    assert [word for word in INVENTED if word in said.lower()] == []
    assert sum(text in said for text in SAID) == good
    assert made.faults or made.dropped or made.cut or good or not made.operations


@pytest.mark.parametrize("case", PLANS)
def test_a_plan_is_used_as_far_as_it_is_good(ws: Workspace, case: str) -> None:
    text, good = PLANS[case]
    made = reflect(ws, text)
    check(made, good)
    for fault in made.faults:
        assert fault.wrong
    for _, why in made.dropped:
        assert why


def test_what_was_invented_reaches_no_branch(ws: Workspace) -> None:
    made = reflect(ws, PLANS["invented among good ones"][0])
    found = branch.write_branch(ws, made, NOW)
    assert found is not None
    log = ws.repo.run(
        "log", "-p", "--format=%B", f"{found.record.base}..{found.tip}", "--", ":!memory/meta"
    )
    assert [word for word in INVENTED if word in log.lower()] == []
    items = [record.render_item(one) for one in found.record.items]
    assert [word for word in INVENTED if any(word in row.lower() for row in items)] == []
    assert len(items) >= len(GOOD)


def test_a_plan_over_the_budget_is_cut_and_says_so(ws: Workspace) -> None:
    made = reflect(ws, PLANS["over the budget"][0])
    assert made.cut
    text = summary.render_summary(made.summary)
    assert f"{len(made.cut)} cut" in text
    assert "over the budget" in text


def test_what_is_to_be_mended_is_said_item_by_item(ws: Workspace) -> None:
    made = reflect(ws, PLANS["unknown operations"][0])
    assert [one.at for one in made.faults] == [0, 1, 2]
    assert "fly" in made.faults[0].wrong


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    llm._learned.clear()
    with serving() as state:
        yield state


def answer(text: str, reason: str = "stop") -> Fault:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": reason,
    }
    body = {"model": "m-1", "choices": [choice], "usage": {}}
    return lambda handler: handler.reply(200, body)


def configure(ws: Workspace, server: Server) -> Workspace:
    """The workspace with a model set."""
    given = {"llm_provider": "openai", "llm_model": "m-1", "llm_base_url": server.url}
    return Workspace(ws.repo, ws.config.replace(**given), ws.warnings)


@pytest.mark.parametrize("case", PLANS)
def test_a_models_plan_is_used_as_far_as_it_is_good(
    ws: Workspace, server: Server, case: str
) -> None:
    text, good = PLANS[case]
    reason = "length" if case.startswith("cut off") else "stop"
    server.faults = [answer(text, reason), answer(text, reason)]
    made = reflect(configure(ws, server))
    said = json.dumps([one.asdict() for one in made.operations], ensure_ascii=False)
    assert [word for word in INVENTED if word in said.lower()] == []
    if good:
        assert made.engine == "llm"
        assert sum(text in said for text in SAID) == good
    assert 1 <= len(server.requests) <= 2


def test_a_model_is_told_what_to_mend_and_keeps_what_was_good(
    ws: Workspace, server: Server
) -> None:
    first = json.dumps({"operations": [GOOD[0], {"op": "fly"}]})
    second = json.dumps({"operations": [GOOD[1]]})
    server.faults = [answer(first), answer(second)]
    made = reflect(configure(ws, server))
    check(made, 2)
    assert "fly" in server.requests[1][2]["messages"][0]["content"]


def test_without_an_answer_rules_make_the_plan_and_it_is_said(
    ws: Workspace, server: Server
) -> None:
    server.faults = [answer("I'm sorry, I can't help with that.")] * 2
    made = reflect(configure(ws, server))
    assert made.engine == "rules"
    assert "rules made this plan" in made.note


def test_a_secret_does_not_leave_for_the_model(ws: Workspace, server: Server) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    day = "memory/episodes/2026-02-01.md"
    path = Path(ws.repo.root, day)
    path.write_text(f"# 2026-02-01\n\n## 08:00 | fact | high\nThe token is {secret}\n")
    ws.repo.run("add", day)
    # A person has taken it on; otherwise it is held back from every prompt, whole.
    taken = "Actor: manual\nApproval: —\nTrigger: by hand\nAccepts: SEC001 — it is revoked"
    ws.repo.run("commit", "--no-verify", "-qm", f"[CREATE] {day} — by hand", "-m", taken)
    server.faults = [answer('{"operations": []}')]
    reflect(configure(ws, server))
    assert secret not in json.dumps(server.requests[0][2])
    assert "The token is" in json.dumps(server.requests[0][2])


def test_a_model_is_given_room_for_the_whole_budget_of_a_plan(
    ws: Workspace, server: Server
) -> None:
    server.faults = [answer('{"operations": []}')]
    reflect(configure(ws, server))
    asked = server.requests[0][2]
    room = asked.get("max_completion_tokens") or asked["max_tokens"]
    assert room > ws.config.reflection_budget > ws.config.llm_max_tokens
