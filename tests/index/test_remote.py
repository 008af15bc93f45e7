"""Remote providers, against servers that speak their APIs, with their errors."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from loopback import DIMS, Handler, Server, cut, hang_up, quiet_machine, refuse, serving, vector

from molt import errors, http
from molt.config import DEFAULT, Config
from molt.index import providers as index_providers
from molt.index.providers import provider as providers
from molt.index.providers import quantise, remote
from molt.settings import PROVIDERS

NAMES = tuple(remote.APIS)
KEY = "k-verysecret123"


@pytest.fixture(autouse=True)
def _quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet_machine(monkeypatch, [one.key_env for one in remote.APIS.values()], THE_KEY=KEY)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        yield state


def settings(server: Server, name: str = "openai", **more: Any) -> Config:
    return Config(
        embedding_provider=name,
        embedding_base_url=server.url,
        embedding_api_key_env="THE_KEY",
        **more,
    )


def provider(server: Server, name: str = "openai", **more: Any) -> remote.Remote:
    waits: list[float] = []
    patience = http.Patience(timeout=5, retries=3, sleep=waits.append)
    found = remote.Remote(settings(server, name, **more), patience=patience)
    found.__dict__["waits"] = waits
    return found


def test_each_provider_that_may_be_named_is_loaded_by_a_table() -> None:
    half = set(PROVIDERS) ^ set(index_providers.TABLE)
    assert not half, f"{half}: in PROVIDERS (config.py) or TABLE (providers/__init__.py) alone"
    half = set(index_providers.REMOTE) ^ set(remote.APIS)
    assert not half, f"{half}: in REMOTE (providers/__init__.py) or APIS (remote.py) alone"
    with pytest.raises(KeyError):
        index_providers.load(DEFAULT.replace(embedding_provider="elsewhere"))


@pytest.mark.parametrize("name", NAMES)
def test_texts_get_their_vectors_in_order(server: Server, name: str) -> None:
    texts = ["one apple", "two pears", "three plums"]
    found = provider(server, name).embed(texts)
    assert found == [quantise.quantise(vector(text)) for text in texts]


@pytest.mark.parametrize("name", NAMES)
def test_a_query_gets_the_vector_of_its_text(server: Server, name: str) -> None:
    assert provider(server, name).query("one apple") == quantise.quantise(vector("one apple"))


@pytest.mark.parametrize("name", NAMES)
def test_a_search_for_nothing_asks_nobody(server: Server, name: str) -> None:
    assert provider(server, name).query(" \n") == b""
    assert server.requests == []


@pytest.mark.parametrize(
    ("name", "query", "document"),
    [
        ("gemini", "RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT"),
        ("voyage", "query", "document"),
    ],
)
def test_the_api_is_told_what_a_text_is_for(
    server: Server, name: str, query: str, document: str
) -> None:
    one = provider(server, name)
    one.query("a")
    one.embed(["b"])
    said = [str(body) for _, _, body in server.requests]
    assert f"'{query}'" in said[0]
    assert f"'{document}'" in said[1]


def test_prefixes_are_put_before_queries_and_texts(server: Server) -> None:
    more = {"embedding_query_prefix": "query: ", "embedding_document_prefix": "passage: "}
    one = provider(server, **more)
    one.query("a")
    one.embed(["b"])
    assert server.texts() == ["query: a", "passage: b"]
    assert providers.identity(one) != providers.identity(provider(server))


@pytest.mark.parametrize(
    ("name", "header", "value"),
    [("openai", "Authorization", f"Bearer {KEY}"), ("gemini", "X-goog-api-key", KEY)],
)
def test_the_key_goes_where_the_api_wants_it(
    server: Server, name: str, header: str, value: str
) -> None:
    provider(server, name, embedding_headers=(("X-Team", "blue"),)).query("a")
    _, headers, _ = server.requests[0]
    sent = {key.lower(): said for key, said in headers.items()}
    assert (sent[header.lower()], sent["x-team"]) == (value, "blue")


def test_no_secret_of_a_text_or_a_query_is_sent(server: Server) -> None:
    secret = "AKIA" + "Q3EGRIBZ5TJ2WXYZ"
    one = provider(server)
    one.query(f"who has {secret}")
    one.embed([f"the key is {secret}", "x" * 7990 + f" {secret}", "plain words"])
    assert server.texts()[-1] == "plain words"
    assert not any(secret[:8] in text for text in server.texts())


def test_a_missing_key_is_named_and_the_fallback_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THE_KEY")
    config = Config(embedding_provider="openai", embedding_api_key_env="THE_KEY")
    found, why = index_providers.load(config)
    assert found is not None
    assert (found.name, "THE_KEY" in why, "static is used" in why) == ("static", True, True)
    found, why = index_providers.load(config.replace(embedding_fallback="none"))
    assert found is None
    assert why.endswith("keywords only")


def test_the_key_of_the_provider_goes_to_no_other_server(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    config = Config(embedding_provider="openai", embedding_base_url=server.url)
    remote.Remote(config).query("a")
    assert KEY not in str(server.requests)


def test_no_key_is_sent_over_an_open_line() -> None:
    config = Config(
        embedding_provider="openai",
        embedding_base_url="http://example.org/v1",
        embedding_api_key_env="THE_KEY",
    )
    with pytest.raises(errors.Unavailable, match="without encryption"):
        remote.Remote(config)


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org", "http://", "http://[x"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    config = Config(embedding_provider="ollama", embedding_base_url=address)
    with pytest.raises(errors.Unavailable, match="no address"):
        remote.Remote(config)


def test_a_redirect_is_not_followed_with_the_key(server: Server) -> None:
    server.faults.append(refuse(302, {}, Location="http://example.org/steal"))
    with pytest.raises(errors.Unavailable) as caught:
        provider(server).query("a")
    assert "http://example.org/steal" in caught.value.hint
    assert len(server.requests) == 1


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504, 529])
def test_a_passing_trouble_is_tried_again(server: Server, code: int) -> None:
    server.faults += [refuse(code, {"error": {"message": "busy"}})] * 2
    one = provider(server)
    assert one.query("apple") == quantise.quantise(vector("apple"))
    assert len(server.requests) == 3
    assert 0 < one.__dict__["waits"][0] < 1 <= one.__dict__["waits"][1] * 2 < 4


@pytest.mark.parametrize("fault", [cut, hang_up], ids=["cut", "hung up"])
def test_a_broken_connection_is_tried_again(server: Server, fault: object) -> None:
    server.faults += [fault, fault]  # type: ignore[list-item]
    assert provider(server).query("apple") == quantise.quantise(vector("apple"))


@pytest.mark.parametrize(
    ("said", "headers", "wait"),
    [
        ({}, {"Retry_After": "7"}, 7.0),
        ({}, {"retry_after_ms": "250"}, 0.25),
        (
            {},
            {
                "Retry_After": "Wed, 21 Oct 2026 07:28:09 GMT",
                "Date": "Wed, 21 Oct 2026 07:28:00 GMT",
            },
            9.0,
        ),
        ({"error": {"details": [{"retryDelay": "3s"}]}}, {}, 3.0),
    ],
    ids=["seconds", "milliseconds", "date", "Gemini"],
)
def test_a_provider_says_how_long_to_wait(
    server: Server, said: object, headers: dict[str, str], wait: float
) -> None:
    server.faults.append(refuse(429, said, **headers))
    one = provider(server)
    one.query("a")
    assert one.__dict__["waits"] == [wait]


def test_nobody_waits_for_hours(server: Server) -> None:
    server.faults.append(refuse(429, {}, Retry_After="7200"))
    one = provider(server)
    with pytest.raises(errors.Unavailable, match="7200 s"):
        one.query("a")
    assert one.__dict__["waits"] == []


def test_tries_end(server: Server) -> None:
    server.faults += [refuse(503, {"error": "overloaded"})] * 9
    with pytest.raises(errors.Unavailable, match=r"503 overloaded \(4 tries\)"):
        provider(server).query("a")
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("code", "hint"),
    [(400, "refuses"), (401, "embedding.api_key_env"), (403, "key"), (404, "embedding.model")],
)
def test_a_lasting_error_is_told_at_once(server: Server, code: int, hint: str) -> None:
    server.faults.append(refuse(code, {"error": {"message": f"bad key {KEY}"}}))
    with pytest.raises(errors.Unavailable) as caught:
        provider(server).query("a")
    assert hint in caught.value.hint
    assert (len(server.requests), caught.value.code) == (1, code)
    assert KEY not in f"{caught.value.message}{caught.value.hint}"


def test_an_exhausted_account_is_not_asked_again(server: Server) -> None:
    server.faults.append(refuse(429, {"error": {"message": "q", "code": "insufficient_quota"}}))
    with pytest.raises(errors.Unavailable) as caught:
        provider(server).query("a")
    assert "no quota" in caught.value.hint
    assert len(server.requests) == 1


def test_a_slow_answer_is_given_up(server: Server) -> None:
    done = threading.Event()

    def drip(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b" ")
            if done.wait(0.02):
                return

    server.faults.append(drip)
    patience = http.Patience(timeout=0.1, retries=0)
    with pytest.raises(errors.Unavailable, match="in time"):
        remote.Remote(settings(server), patience=patience).query("a")
    done.set()


def test_all_tries_together_have_a_bound(server: Server) -> None:
    server.faults += [refuse(503, {})] * 9
    patience = http.Patience(retries=9, first_wait=100, total=1)
    with pytest.raises(errors.Unavailable, match="503"):
        remote.Remote(settings(server), patience=patience).query("a")
    assert len(server.requests) == 1


def row(at: int, values: list[float]) -> dict[str, object]:
    return {"index": at, "embedding": values}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([row(0, [1.0] * DIMS)], "1 vectors for 2|0 vectors for 2"),
        ([row(0, [1.0] * DIMS), row(0, [1.0] * DIMS)], "0 vectors for 2"),
        ([row(0, [1.0] * DIMS), row(5, [1.0] * DIMS)], "0 vectors for 2"),
        ([row(0, [1.0] * DIMS), row(1, [1.0] * 3)], "3 dimensions where 8"),
        ([row(0, [1.0] * DIMS), row(1, [math.nan] * DIMS)], "no meaning"),
        ([row(0, [1.0] * DIMS), row(1, [math.inf] + [0.0] * 7)], "no meaning"),
        ([row(0, [1.0] * DIMS), row(1, [0.0] * DIMS)], "no meaning"),
        ([row(0, [1.0] * DIMS), {"index": 1, "embedding": [None] * DIMS}], "no meaning"),
        ([{"index": 0}, {"index": 1}], "none of its API"),
        ("nothing", "none of its API"),
    ],
)
def test_an_answer_that_is_wrong_is_not_believed(server: Server, data: object, words: str) -> None:
    server.faults.append(refuse(200, {"data": data}))
    with pytest.raises(errors.Unavailable, match=words):
        provider(server).embed(["a", "b"])


def test_a_page_instead_of_an_answer_is_told_at_once(server: Server) -> None:
    server.faults.append(refuse(200, b"<html>Sign in</html>"))
    with pytest.raises(errors.Unavailable, match="no JSON"):
        provider(server).query("a")
    assert len(server.requests) == 1


def test_other_dimensions_than_asked_for_are_refused(server: Server) -> None:
    server.faults.append(refuse(200, {"data": [row(0, [1.0] * DIMS)]}))
    with pytest.raises(errors.Unavailable, match="8 dimensions where 4"):
        provider(server, embedding_dims=4).query("a")
    assert provider(server, embedding_dims=4).dims == 4


def test_batches_stay_within_the_limits(server: Server) -> None:
    one = provider(server, embedding_batch_size=10)
    one.embed(["word"] * 25)
    assert [len(body["input"]) for _, _, body in server.requests] == [10, 10, 5]
    limit = one.api.batch_bytes
    sizes = [sum(map(len, some)) for some in one.split_batches(["x" * 8000] * 200)]
    assert max(sizes) <= limit
    assert sum(sizes) == 8000 * 200


def test_a_batch_that_is_too_large_is_halved(server: Server) -> None:
    server.faults.append(refuse(413, {"error": {"message": "too large"}}))
    texts = ["a", "b", "c"]
    assert provider(server).embed(texts) == [quantise.quantise(vector(text)) for text in texts]
    assert [len(body["input"]) for _, _, body in server.requests] == [3, 1, 2]


def test_base64_and_plain_numbers_are_the_same(server: Server) -> None:
    one = provider(server)
    plain = one.query("one apple")
    one.own = True
    assert one.query("one apple") == plain
    assert server.requests[1][2]["encoding_format"] == "base64"


def test_a_server_that_is_down_is_told_with_its_address(server: Server) -> None:
    with serving() as other:
        config = settings(other, "ollama")
    with pytest.raises(errors.Unavailable, match=other.url):
        remote.Remote(config).query("a")
