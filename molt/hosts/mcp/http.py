"""The server over HTTP, for programs of this machine that know a token.

It listens on the loopback interface alone. A page in a browser of this machine reaches that too, by
a name that it makes lead here; so a request must name this address as its host, come from no other
origin, and carry the token, which only who may read the state folder knows.
"""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
import socket
import stat
from collections.abc import Callable
from hmac import compare_digest

import anyio
import h11
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from molt import errors
from molt.hosts.mcp import server as servers
from molt.hosts.mcp.desk import ServerPlace
from molt.memory import workspace
from molt.repo import state
from molt.repo.repository import Repo
from molt.values import Value

ADDRESS = "127.0.0.1"
PATH = "/mcp"
NAME = "mcp-token"
"""Of the file in the state folder."""
_TOKEN_BYTES = 32  # 256 bits, which nobody guesses
_LONGEST = 4096  # bytes that are read of the file of a token
_SCHEME = b"bearer "
_HEAD = 10.0
"""Seconds for the head of a request: a program of this machine sends it at once."""
_BODY = 30.0
"""Seconds for the rest of it."""
_LINGER = 10.0
"""Seconds for what still comes of a request that was refused."""
_SIZE = 8_000_000
"""Bytes of a request; what `remember` takes is 1 MB, as JSON at most six times that."""
_CONNECTIONS = 64
"""At a time; a host has one or two."""


class HttpOptions(Value):
    """Where it listens (port 0 for any that is free), and the file that has the token; empty for
    the one in the state folder.
    """

    port: int = 0
    token_file: str = ""


class BoundedProtocol(H11Protocol):
    """HTTP of who comes to the point: others would hold connections for as long as they like."""

    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        if len(self.connections) > _CONNECTIONS:
            transport.close()
        else:
            self._set_watch()

    def data_received(self, data: bytes) -> None:
        """Some bytes are here."""
        super().data_received(data)
        self._set_watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody is gone."""
        self._drop_watch()
        super().connection_lost(exc)

    def _set_watch(self) -> None:
        """While the head of a request is not whole the time runs, however many bytes come."""
        if self.conn.their_state is not h11.IDLE:
            self._drop_watch()
        elif self._watch is None:
            self._watch = self.loop.call_later(_HEAD, self.transport.close)

    def _drop_watch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None


class Guard:
    """What stands before the server and lets through only what may pass."""

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app = app
        self._token = token.encode()
        names = (ADDRESS, "localhost")
        self._hosts = frozenset(f"{name}:{port}".encode() for name in names)
        self._origins = frozenset(b"http://" + host for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (status := self._judge(scope["headers"])):
            await _refuse(status, receive, send)
        elif scope["type"] == "http":
            body = await _read_body(receive)
            if isinstance(body, int):
                await _refuse(body, receive, send)
            else:
                await self._app(scope, _repeat(body, receive), send)
        elif scope["type"] == "lifespan":
            await self._app(scope, receive, send)

    def _judge(self, headers: list[tuple[bytes, bytes]]) -> int:
        """The status that refuses a request; 0 for none."""
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return 421
        if any(name == b"origin" and value not in self._origins for name, value in headers):
            return 403
        given = [value for name, value in headers if name == b"authorization"]
        if len(given) != 1 or given[0][: len(_SCHEME)].lower() != _SCHEME:
            return 401
        return 0 if compare_digest(given[0][len(_SCHEME) :], self._token) else 401


async def _read_body(receive: Receive) -> bytes | int:
    """The body of a request, or the status that refuses it."""
    body: bytes = b""
    with anyio.move_on_after(_BODY):
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                # Nobody said that what is here is all of it.
                return 400
            body += message.get("body", b"")
            if len(body) > _SIZE:
                return 413
            if not message.get("more_body"):
                break
        return body
    return 408


def _repeat(body: bytes, receive: Receive) -> Receive:
    """Gives a body that was read, and then what comes."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def take() -> Message:
        return first.pop() if first else await receive()

    return take


_WORDS = {
    400: b"that was cut off\n",
    401: b"the token is missing or wrong\n",
    403: b"not from this origin\n",
    408: b"that took too long\n",
    413: b"that is too much\n",
    421: b"this host is not here\n",
}


async def _refuse(status: int, receive: Receive, send: Send) -> None:
    said = _WORDS[status]
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(said)).encode()),
        (b"connection", b"close"),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": said, "more_body": True})
    await _discard_body(receive)
    await send({"type": "http.response.body"})


async def _discard_body(receive: Receive) -> None:
    """Take what still comes of a request that is answered already, for a while.

    Who closes a connection with bytes in it that nobody read resets it, and the other side may
    then lose the answer too (RFC 9112, section 9.6).
    """
    with anyio.move_on_after(_LINGER):
        while (message := await receive())["type"] == "http.request" and message.get("more_body"):
            pass


def read_token(file: str) -> str:
    """The token in a file. Raises NotFound where there is none, Refused where others can read it,
    and Usage where it holds none.
    """
    try:
        with open(file, encoding="ascii") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            token = opened.read(_LONGEST).strip()
    except FileNotFoundError:
        raise errors.NotFound(
            f"no file {file}", "write a token of 32 letters or more into it"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise errors.unreadable(file, error) from error
    if stat.S_IMODE(mode) & 0o077:
        raise errors.Refused(f"others can read {file}", f"`chmod 600 {file}`, with a new token")
    if len(token) < _TOKEN_BYTES or not token.isprintable() or " " in token:
        raise errors.Usage(f"{file} holds no token", "32 letters and digits or more, on one line")
    return token


def make_token(place: ServerPlace) -> str:
    """The file that has the token of a workspace, which is made where there is none. Raises what
    `workspace.find` raises.
    """
    repo = workspace.find(place.start, place.actor).repo
    with repo:
        file = state.path(repo.common_dir, NAME)
        # Of two servers that start at once the second has the first one's.
        with state.lock(repo.common_dir, NAME):
            if not os.path.exists(file):
                _write_token(repo)
    return file


def _write_token(repo: Repo) -> None:
    before = os.umask(0o077)
    try:
        state.write(repo.common_dir, NAME, f"{secrets.token_urlsafe(_TOKEN_BYTES)}\n")
    finally:
        os.umask(before)


def bind_socket(port: int) -> socket.socket:
    """A socket that listens on the loopback interface. Raises Failed for a port that is taken."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((ADDRESS, port))
        # Who is told the address may come before the server looks.
        made.listen()
    except OSError as error:
        made.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            hint = "another `--port`, or 0 for one that is free"
            raise errors.Failed(f"cannot listen on port {port}: {error.strerror}", hint) from error
        raise
    return made


def serve_http(place: ServerPlace, options: HttpOptions, tell: Callable[[str, str], None]) -> None:
    """Answer over HTTP until somebody stops it; `tell` is told where, and which file has the
    token.
    """
    file = options.token_file or make_token(place)
    token = read_token(file)
    with bind_socket(options.port) as listening:
        port = listening.getsockname()[1]
        # What it checks of hosts and origins by itself stays on, behind the guard.
        app = servers.make_server(place).streamable_http_app(streamable_http_path=PATH)
        config = uvicorn.Config(
            Guard(app, port, token),
            http=BoundedProtocol,
            log_level="warning",
            access_log=False,
            lifespan="on",
        )
        tell(f"http://{ADDRESS}:{port}{PATH}", file)
        running = uvicorn.Server(config)
        anyio.run(lambda: running.serve(sockets=[listening]))
