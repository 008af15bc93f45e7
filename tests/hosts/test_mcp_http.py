"""The server over HTTP: on the loopback interface, for who knows the token."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from molt.cli import main
from molt.memory.adopt import setup

if TYPE_CHECKING:
    from starlette.types import Message

TOKEN = "a-token-of-more-than-thirty-two-letters"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


class Served(NamedTuple):
    port: int
    file: Path
    root: Path

    def post(self, **headers: str) -> tuple[int, str, str]:
        """The status, the text and the challenge that a handshake gets."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        plain = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {self.file.read_text().strip()}",
        }
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("POST", "/mcp", json.dumps(HELLO), {**plain, **given})
        answer = connection.getresponse()
        said = answer.read().decode()
        connection.close()
        return answer.status, said, answer.getheader("WWW-Authenticate", "")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("agent")
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {
        f"GIT_{role}_{what}": "ada@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    env |= {**who, "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(root.parent)}
    molt = [sys.executable, "-m", "molt"]
    subprocess.run([*molt, "init", str(root)], env=env, check=True, capture_output=True)
    command = [*molt, "--json", "mcp", "--http"]
    with subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE) as server:
        assert server.stdout
        told = json.loads(server.stdout.readline())
        port = int(told["url"].removesuffix("/mcp").rpartition(":")[2])
        yield Served(port, Path(told["token_file"]), root)
        server.send_signal(signal.SIGINT)
        server.wait(60)


def test_who_knows_the_token_is_answered(served: Served) -> None:
    status, said, _ = served.post()
    assert status == 200
    assert '"serverInfo"' in said


def test_the_token_is_for_its_owner_alone(served: Served) -> None:
    assert stat.S_IMODE(served.file.stat().st_mode) == 0o600
    assert served.file.parent == served.root / ".git/molt"


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", "Basic YTpi", "Bearer \u00e9"])
def test_without_the_token_nothing_is_answered(served: Served, given: str) -> None:
    status, said, challenge = served.post(Authorization=given)
    assert (status, challenge) == (401, "Bearer")
    assert "serverInfo" not in said


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil:80"])
def test_another_name_of_this_host_is_refused(served: Served, host: str) -> None:
    assert served.post(Host=host)[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1"])
def test_a_page_of_another_origin_is_refused(served: Served, origin: str) -> None:
    assert served.post(Origin=origin)[0] == 403


def test_the_name_of_this_machine_is_let_through(served: Served) -> None:
    here = f"localhost:{served.port}"
    assert served.post(Host=here, Origin=f"http://{here}")[0] == 200


@pytest.mark.slow
def test_who_does_not_come_to_the_point_is_hung_up_on(served: Served) -> None:
    """Each sends some of a request, and then no end of it."""
    begun = (b"", b"POST /mcp HTTP/1.1\r\nX: ", b"GET /mcp HTTP/1.1\r\nHost: a\r\n")
    address = ("127.0.0.1", served.port)
    slow = [(socket.create_connection(address, timeout=60), part) for part in begun]
    for connection, part in slow:
        connection.sendall(part)
    while slow:
        connection, part = slow.pop()
        try:
            while not select.select([connection], [], [], 0.2)[0]:
                connection.sendall(b"x" if part else b"")
            assert connection.recv(1) == b""
        except ConnectionError:
            pass
        connection.close()
    assert served.post()[0] == 200


def test_more_than_some_connections_are_not_held(served: Served) -> None:
    address = ("127.0.0.1", served.port)
    every = [socket.create_connection(address, timeout=60) for _ in range(70)]
    closed = select.select(every, [], [], 60)[0]
    assert closed
    assert closed[0].recv(1) == b""
    for connection in every:
        connection.close()
    assert served.post()[0] == 200


def test_a_request_that_is_too_big_or_refused_is_not_read_to_its_end(served: Served) -> None:
    connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.putrequest("POST", "/mcp")
    connection.putheader("Content-Length", "1000000000")
    connection.endheaders()
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Connection")) == (401, "close")
    assert answer.read()
    connection.close()
    token = served.file.read_text().strip()
    connection.putrequest("POST", "/mcp")
    connection.putheader("Authorization", f"Bearer {token}")
    connection.putheader("Content-Length", "1000000000")
    connection.endheaders()
    for _ in range(10):
        connection.send(b" " * 1_000_000)
    assert connection.getresponse().status == 413
    connection.close()


def test_who_is_refused_may_say_the_rest_first(served: Served) -> None:
    """Who sends the body late still gets the answer, and no connection that is reset."""
    body = json.dumps(HELLO)
    connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.putrequest("POST", "/mcp")
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders()
    assert select.select([connection.sock], [], [], 60)[0]
    # As long as a server takes to close what it has answered.
    time.sleep(0.2)
    for letter in body:
        connection.send(letter.encode())
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (401, b"the token is missing or wrong\n")
    assert connection.sock is None
    connection.close()


def test_a_request_that_is_cut_off_reaches_nothing() -> None:
    import anyio

    from molt.hosts.mcp.http import Guard

    come: list[object] = []
    said: list[Message] = []
    parts: list[Message] = [
        {"type": "http.request", "body": json.dumps(HELLO).encode(), "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def take() -> Message:
        return parts.pop(0) if len(parts) > 1 else parts[0]

    async def tell(message: Message) -> None:
        said.append(message)

    async def app(scope: object, receive: object, send: object) -> None:
        come.append(scope)

    headers = [(b"host", b"127.0.0.1:4711"), (b"authorization", f"Bearer {TOKEN}".encode())]
    guard = Guard(app, 4711, TOKEN)
    anyio.run(guard, {"type": "http", "headers": headers}, take, tell)
    assert (come, said[0]["status"]) == ([], 400)


def test_it_listens_on_the_loopback_interface_alone(served: Served) -> None:
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    rows = [row.split() for one in tables if one.exists() for row in one.read_text().splitlines()]
    wanted = f":{served.port:04X}"
    found = {row[1] for row in rows if row[1].endswith(wanted) and row[3] == "0A"}
    assert found <= {f"0100007F{wanted}"}


def test_a_taken_port_is_told(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--workspace", str(served.root), "mcp", "--http", "--port", str(served.port)]
    assert main(words) == 1
    assert f"cannot listen on port {served.port}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "mode", "said", "status"),
    [
        pytest.param(TOKEN, 0o644, "others can read", 1, id="open"),
        pytest.param("short", 0o600, "holds no token", 2, id="short"),
        pytest.param("", 0o600, "holds no token", 2, id="empty"),
        pytest.param(None, 0o600, "no file", 4, id="missing"),
    ],
)
def test_a_token_that_is_none_is_refused(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str | None,
    mode: int,
    said: str,
    status: int,
) -> None:
    setup.init(str(tmp_path / "agent"))
    file = tmp_path / "token"
    if text is not None:
        file.write_text(text)
        file.chmod(mode)
    words = ["--workspace", str(tmp_path / "agent"), "mcp", "--http", "--token-file", str(file)]
    assert main(words) == status
    assert said in capsys.readouterr().err


def test_without_http_there_is_no_port(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--port", "1"]) == 2
    assert "are for --http" in capsys.readouterr().err
