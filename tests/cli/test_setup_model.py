"""`molt setup model`: who makes plans, chosen by a person and tried at once."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Fault, Server, quiet_machine, serving

Run = Callable[..., tuple[int, str, str]]


def reply(text: str) -> Fault:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 9, "completion_tokens": 4}
    body = {"model": "m-1", "choices": [choice], "usage": usage}
    return lambda handler: handler.reply(200, body)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    quiet_machine(monkeypatch)
    with serving() as found:
        yield found


def read_config(agent: Path) -> str:
    return (agent / "molt.yaml").read_text()


def test_an_endpoint_is_tried_and_committed(agent: Path, run: Run, server: Server) -> None:
    server.faults = [reply('{"ready": true}')]
    before = read_config(agent)
    code, out, err = run("setup", "model", "openai", "--model", "m-1", "--base-url", server.url)
    assert code == 0, err
    assert "it answers (m-1: 9 tokens in, 4 out)" in out
    assert f'llm:\n  provider: "openai"\n  model: "m-1"\n  base_url: "{server.url}"' in (
        read_config(agent)
    )
    assert json.loads(run("consent", "--json")[1])["consents"] == []
    assert run("setup", "model", "none")[0] == 0
    assert read_config(agent) == before


def test_an_endpoint_that_does_not_answer_changes_nothing(
    agent: Path, run: Run, server: Server
) -> None:
    before = read_config(agent)
    call = ("setup", "model", "openai", "--model", "m-1", "--base-url", "http://127.0.0.1:1/v1")
    assert run(*call)[0] == 1
    assert read_config(agent) == before
    assert run(*call, "--no-try")[0] == 0
    assert "127.0.0.1:1" in read_config(agent)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("openai",), "molt setup model openai --model NAME"),
        (("none", "--model", "m"), "molt setup model none"),
        (("host", "--model", "m"), "molt setup model host"),
        (("openai", "--model", "m", "--base-url", "https://h/v1?key=1"), "without user, query"),
        (("openai", "--model", "m", "--base-url", "h/v1"), "https://HOST/v1"),
    ],
)
def test_a_choice_that_does_not_fit_names_the_next_step(
    agent: Path, run: Run, words: tuple[str, ...], hint: str
) -> None:
    before = read_config(agent)
    code, _, err = run("setup", "model", *words)
    assert (code, hint in err) == (2, True)
    assert read_config(agent) == before


def test_a_bot_does_not_choose_the_model(agent: Path, run: Run) -> None:
    code, _, err = run("--actor", "bot:main", "setup", "model", "host", "--no-try")
    assert code == 1
    assert "a person does" in err


PROGRAM = """#!{python}
import json, os, sys
assert os.environ["MOLT_REFLECTING"] == "1"
asked = sys.stdin.read()
open({log!r}, "a").write(json.dumps([sys.argv[1:], asked]) + "\\n")
answer = "ready" if "one word: ready" in asked else {plan!r}
usage = {{"input_tokens": 1200, "cache_read_input_tokens": 34, "output_tokens": 56}}
print(json.dumps({{"result": answer, "is_error": False, "usage": usage, "total_cost_usd": 0.012}}))
"""
PLAN: dict[str, Any] = {
    "operations": [
        {
            "op": "upsert-entity",
            "entity": "concept:Vela",
            "facts": ["has a new mast"],
            "evidence": ["Vela has a new mast"],
            "reason": "It comes up often.",
        }
    ]
}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the place of the host's; gives the log of its calls."""
    folder, log = tmp_path / "bin", tmp_path / "asked"
    folder.mkdir()
    script = PROGRAM.format(python=sys.executable, log=str(log), plan=json.dumps(PLAN))
    (folder / "claude").write_text(script)
    (folder / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return log


def test_the_host_makes_the_plan_and_its_cost_is_shown(
    agent: Path, run: Run, program: Path
) -> None:
    code, out, _ = run("setup", "model", "host")
    assert code == 0
    assert "claude-code: 1,234 tokens in, 56 out, 0.0120 USD" in out
    run("remember", "--store", "episodic", "Vela has a new mast")
    code, out, err = run("reflect", "--engine", "host", "--json")
    assert code == 0, err
    made = json.loads(out)
    assert (made["engine"], bool(made["reflection"])) == ("host", True), out
    assert "0.0120 USD" in err
    options, asked = json.loads(program.read_text().splitlines()[-1])
    assert "Vela has a new mast" in asked
    assert options[options.index("--tools") + 1] == ""
    # While one awaits a decision, nothing is asked: that would cost something.
    assert run("reflect", "--engine", "host")[0] == 3
    assert len(program.read_text().splitlines()) == 2


def test_no_host_is_asked_before_a_person_has_chosen_one(agent: Path, run: Run) -> None:
    code, _, err = run("reflect", "--engine", "host")
    assert (code, "molt setup model host" in err) == (2, True)


def test_a_host_that_fails_is_named(agent: Path, run: Run, program: Path, tmp_path: Path) -> None:
    assert run("setup", "model", "host")[0] == 0
    (tmp_path / "bin/claude").write_text("#!/bin/sh\necho 'no credit' >&2; exit 7\n")
    code, _, err = run("reflect", "--engine", "host")
    assert code == 1
    assert "claude-code: status 7: no credit" in err
    deep = "#!/bin/sh\ncat > /dev/null; printf '%0100000d' 0 | tr 0 '['\n"
    (tmp_path / "bin/claude").write_text(deep)
    code, _, err = run("reflect", "--engine", "host")
    assert (code, "claude-code: status 0: [[" in err) == (1, True), err
