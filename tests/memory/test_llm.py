"""The client of language models, against a server that answers well and badly."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Fault, Handler, Server, cut, hang_up, quiet_machine, refuse, serving

from molt import errors, http
from molt.config import Config
from molt.memory.engines import chat, llm
from molt.policy import secrets

KEY = "k-verysecret123"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "store": {"enum": ["core", "semantic"]},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 9}, "maxItems": 2},
        "sure": {"type": "number"},
        "note": {"type": ["string", "null"]},
    },
    "required": ["store"],
    "additionalProperties": False,
}
GOOD = {"store": "core", "tags": ["a"], "sure": 0.5}
PROMPT = chat.Prompt(
    "Say where it goes.",
    "We chose PKCE.",
    SCHEMA,
    lambda value: "" if isinstance(value, dict) and "store" in value else "store is missing",
)
USAGE = {"prompt_tokens": 100, "completion_tokens": 20}


@pytest.fixture(autouse=True)
def _quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet_machine(monkeypatch, [one.key_env for one in chat.SHAPES.values()], THE_KEY=KEY)
    llm._learned.clear()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        yield state


def settings(server: Server, name: str = "openai", **more: Any) -> Config:
    given = {"llm_provider": name, "llm_model": "m-1", "llm_base_url": server.url}
    return Config(**{**given, "llm_api_key_env": "THE_KEY", **more})


def ask(server: Server, name: str = "openai", **more: Any) -> llm.Reply:
    waits: list[float] = []
    patience = http.Patience(timeout=5, retries=2, sleep=waits.append)
    server.__dict__["waits"] = waits
    return llm.ask(settings(server, name, **more), PROMPT, patience=patience)


def openai(content: Any, *, reason: str = "stop", **message: Any) -> Fault:
    said = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "message": said, "finish_reason": reason}
    return reply({"model": "m-1-0101", "choices": [choice], "usage": USAGE})


def anthropic(*content: Any, reason: str = "end_turn") -> Fault:
    usage = {"input_tokens": 100, "output_tokens": 20}
    body = {"model": "m-1-0101", "content": content, "stop_reason": reason, "usage": usage}
    return reply(body)


def reply(body: Any, code: int = 200) -> Fault:
    return lambda handler: handler.reply(code, body)


def part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def call(arguments: Any) -> dict[str, Any]:
    function = {"name": "answer", "arguments": arguments}
    return {"tool_calls": [{"id": "1", "type": "function", "function": function}]}


SAID = json.dumps(GOOD)
TOOL = {"type": "tool_use", "id": "1", "name": "answer", "input": GOOD}
GOODS = {
    "plain": ("openai", openai(SAID)),
    "blanks around": ("openai", openai(f"\n\n {SAID} \n")),
    "fenced": ("openai", openai(f"```json\n{SAID}\n```")),
    "words around": ("openai", openai(f"Sure! Here it is: {SAID} Anything else?")),
    "thinking aloud": ("openai", openai('<think>{"store": "semantic"}?</think>' + SAID)),
    "braces before": ("openai", openai("{curly} {words} " + SAID)),
    "parts": ("openai", openai([part(SAID[:9]), part(SAID[9:])])),
    "a tool's call": ("openai", openai(None, reason="tool_calls", **call(SAID))),
    "a tool's call, parsed": ("openai", openai("", **call(GOOD))),
    "lines within a text": ("openai", openai('{"store": "core", "tags": ["a"], "sure": 5e-1\n}')),
    "a byte-order mark": ("openai", openai("\ufeff" + SAID)),
    "a tool": ("anthropic", anthropic(TOOL, reason="tool_use")),
    "words and a tool": ("anthropic", anthropic(part("Let me see."), TOOL)),
    "a text": ("anthropic", anthropic(part(SAID))),
    "a fenced text": ("anthropic", anthropic(part("```\n"), part(SAID), part("\n```"))),
}


@pytest.mark.parametrize("case", GOODS)
def test_a_good_answer_is_read(server: Server, case: str) -> None:
    name, answer = GOODS[case]
    server.faults = [answer]
    found = ask(server, name, llm_input_price=2.0, llm_output_price=10.0)
    assert found == llm.Reply(GOOD, "m-1-0101", 100, 20, found.cost, 0)
    assert found.cost == pytest.approx(0.0004)
    assert len(server.requests) == 1


UNFIT = {
    "prose": ("openai", openai("It goes to the core."), "no JSON"),
    "nothing": ("openai", openai(""), "no JSON"),
    "null": ("openai", openai(None), "no JSON"),
    "a list": ("openai", openai("[1, 2]"), "store is missing"),
    "a field missing": ("openai", openai('{"tags": []}'), "store is missing"),
    "a tool's wrong input": ("anthropic", anthropic({**TOOL, "input": {}}), "no JSON"),
    "a tool's text": ("anthropic", anthropic({**TOOL, "input": "core"}), "store is missing"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_an_answer_that_does_not_fit_is_asked_for_once_more(server: Server, case: str) -> None:
    name, answer, why = UNFIT[case]
    server.faults = [answer, openai(SAID) if name == "openai" else anthropic(TOOL)]
    found = ask(server, name, llm_output_price=10.0)
    assert (found.value, found.tokens_in, found.tokens_out) == (GOOD, 200, 40)
    server.faults = [answer, answer]
    with pytest.raises(errors.Unavailable, match=why):
        ask(server, name)
    assert len(server.requests) == 4


BAD = {
    "cut": ("openai", openai(SAID[:-4], reason="length"), "was cut"),
    "cut, Anthropic": ("anthropic", anthropic(part("{"), reason="max_tokens"), "was cut"),
    "a refusal": ("openai", openai(None, refusal="I must not."), "refuses: I must not"),
    "a filter": ("openai", openai("", reason="content_filter"), "refuses"),
    "a refusal, Anthropic": ("anthropic", anthropic(reason="refusal"), "refuses"),
    "no choices": ("openai", reply({"choices": []}), "form of its API"),
    "another API": ("openai", reply({"completion": SAID}), "form of its API"),
    "another API, Anthropic": ("anthropic", reply({"choices": []}), "form of its API"),
    "a list, no object": ("openai", reply([1, 2]), "form of its API"),
    "a number": ("openai", reply(7), "form of its API"),
    "choices of text": ("openai", reply({"choices": ["a"]}), "form of its API"),
    "content of numbers": ("openai", openai([1, 2]), "form of its API"),
    "blocks of text": ("anthropic", anthropic("a"), "form of its API"),
    "a page": ("openai", reply(b"<html>Sign in</html>"), "no JSON"),
    "nothing at all": ("openai", reply(b""), "no JSON"),
    "bytes": ("openai", reply(b"\xff\xfe\x00"), "no JSON"),
    "brackets": ("openai", reply(b"[" * 100_000), "nested too deeply"),
    "a refusal of brackets": ("openai", refuse(401, b"[" * 100_000), "401"),
    "an error, good status": ("openai", reply({"error": {"message": "x"}}), "form of its API"),
    "a wrong key": ("openai", refuse(401, {"error": {"message": f"bad key {KEY}"}}), "401"),
    "no such model": ("anthropic", refuse(403, {"error": {"message": "not yours"}}), "not yours"),
    "no quota": ("openai", refuse(429, {"error": {"code": "insufficient_quota"}}), "429"),
    "elsewhere": ("openai", refuse(302, b"", Location="http://127.0.0.1:9/v1"), "302"),
    "elsewhere for good": ("openai", refuse(308, b"", Location="https://example.org"), "308"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_answer_is_told_and_not_asked_for_again(server: Server, case: str) -> None:
    name, answer, why = BAD[case]
    server.faults = [answer]
    with pytest.raises(errors.Unavailable, match=why) as raised:
        ask(server, name)
    assert len(server.requests) == 1
    assert KEY not in f"{raised.value.message} {raised.value.hint}"
    assert "embedding." not in raised.value.hint


AGAIN = {
    "too many requests": refuse(429, {"error": {"message": "slow down"}}, Retry_After="3"),
    "overloaded": refuse(529, {"error": {"message": "overloaded"}}),
    "a failure": refuse(500, b"oops"),
    "a gateway": refuse(502, b"<html>"),
    "broken off": cut,
    "hung up": hang_up,
}


@pytest.mark.parametrize("case", AGAIN)
def test_what_may_pass_is_tried_again_and_then_told(server: Server, case: str) -> None:
    server.faults = [AGAIN[case], AGAIN[case], openai(SAID)]
    assert ask(server).value == GOOD
    waits = server.__dict__["waits"]
    assert len(waits) == 2
    assert case != "too many requests" or waits == [3.0, 3.0]
    server.faults = [AGAIN[case]] * 3
    with pytest.raises(errors.Unavailable):
        ask(server)
    assert len(server.requests) == 6


def test_an_answer_that_does_not_come_is_not_waited_for(server: Server) -> None:
    released = threading.Event()

    def wait(_handler: Handler) -> None:
        released.wait(30)

    server.faults = [wait]
    patience = http.Patience(timeout=0.1, retries=0)
    try:
        with pytest.raises(errors.Unavailable, match="no answer in time"):
            llm.ask(settings(server), PROMPT, patience=patience)
    finally:
        released.set()


def test_an_answer_without_end_is_not_read(server: Server) -> None:
    server.faults = [openai("x" * llm.MOST_BYTES)] * 3
    with pytest.raises(errors.Unavailable, match="more than 4,194,304 bytes"):
        ask(server)


def test_a_key_does_not_follow_to_another_host(server: Server) -> None:
    with serving() as other:
        server.faults = [refuse(307, b"", Location=f"{other.url}/chat/completions")]
        with pytest.raises(errors.Unavailable) as raised:
            ask(server)
        assert other.requests == []
    assert "set llm.base_url" in raised.value.hint


@pytest.mark.parametrize("name", chat.SHAPES)
def test_a_server_is_asked_in_its_shape(server: Server, name: str) -> None:
    server.faults = [openai(SAID) if name == "openai" else anthropic(TOOL)]
    ask(server, name, llm_max_tokens=300)
    ((path, headers, body),) = server.requests
    headers = {key.lower(): value for key, value in headers.items()}
    assert (body["model"], body["max_tokens"]) == ("m-1", 300)
    if name == "openai":
        assert (path, headers["authorization"]) == ("/chat/completions", f"Bearer {KEY}")
        assert body["response_format"]["json_schema"]["schema"] == SCHEMA
        assert [one["content"] for one in body["messages"]] == [PROMPT.system, PROMPT.user]
    else:
        assert (path, headers["x-api-key"]) == ("/messages", KEY)
        assert headers["anthropic-version"]
        assert body["tools"][0]["input_schema"] == SCHEMA
        assert (body["system"], body["messages"][0]["content"]) == (PROMPT.system, PROMPT.user)


@pytest.mark.parametrize(("name", "refused"), [("openai", 1), ("openai", 2), ("anthropic", 1)])
def test_what_a_server_can_do_is_found_and_remembered(
    server: Server, name: str, refused: int
) -> None:
    good = openai(SAID) if name == "openai" else anthropic(part(SAID))
    no = refuse(400, {"error": {"message": "response_format is not supported"}})
    cache: dict[str, bytes] = {}
    server.faults = [*([no] * refused), good, good, good]
    for count in (refused + 1, refused + 2, refused + 3):
        assert llm.ask(settings(server, name), PROMPT, cache=cache).value == GOOD
        assert len(server.requests) == count
        if count == refused + 2:
            llm._learned.clear()
    last = server.requests[-1][2]
    assert "json_schema" not in json.dumps(last.get("response_format", ""))
    assert "tools" not in last
    assert '"store"' in json.dumps(last).replace("\\", "")


def test_what_no_form_can_do_is_told(server: Server) -> None:
    server.faults = [refuse(400, {"error": {"message": "the text is too long"}})] * 3
    with pytest.raises(errors.Unavailable, match="too long"):
        ask(server)
    assert len(server.requests) == 3
    assert llm._learned == {}


def test_secrets_stay_here(server: Server) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq3x9\n-----END RSA PRIVATE KEY-----"
    server.faults = [openai(SAID)]
    prompt = PROMPT.replace(user=f"the token is {token}\n{pem}\nand 测试 stays")
    found = llm.ask(settings(server), prompt)
    sent = json.dumps(server.requests, ensure_ascii=False)
    assert token not in sent
    assert "MIIEpA" not in sent
    assert "测试 stays" in sent
    assert found.redacted == 2


@given(st.text())
def test_a_text_without_secrets_is_sent_as_it_is(text: str) -> None:
    kept, count = secrets.redact_counted(text)
    assert count or kept == text


def test_what_is_not_counted_costs_nobody_knows_what(server: Server) -> None:
    choice = {"message": {"content": SAID}}
    for usage in (None, {}, {"prompt_tokens": "9", "completion_tokens": True}, [1]):
        server.faults = [reply({"choices": [choice], "usage": usage})]
        found = ask(server, llm_input_price=1.0)
        assert (found.tokens_in, found.tokens_out, found.cost) == (None, None, None)
        assert found.model == "m-1"
    server.faults = [openai(SAID)]
    assert ask(server).cost is None


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"llm_provider": "none"}, "no language model is set"),
        ({"llm_model": ""}, "which model of openai"),
        ({"llm_base_url": "", "llm_api_key_env": ""}, "OPENAI_API_KEY"),
        ({"llm_api_key_env": "NO_SUCH_KEY"}, "NO_SUCH_KEY"),
    ],
)
def test_what_is_not_set_is_named_and_nobody_is_asked(server: Server, more, said) -> None:
    with pytest.raises(errors.Usage, match=said):
        ask(server, **more)
    assert server.requests == []


def test_a_server_of_ones_own_gets_no_key_but_by_name(server: Server, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
    server.faults = [openai(SAID)]
    assert ask(server, llm_api_key_env="").value == GOOD
    assert "sk-other" not in json.dumps(server.requests)


def test_a_key_goes_over_no_open_line(server: Server) -> None:
    with pytest.raises(errors.Unavailable, match="without encryption"):
        ask(server, llm_base_url="http://models.example.org/v1")
