"""A loopback server that answers as a model before Codex would, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

Message = dict[str, Any]
Answer = Callable[[Message], "str | Message"]
"""Gives the text of an answer, or the call of a tool as `{"name": …, "arguments": …}`."""


class Stub:
    """What was asked, in order, how it is answered, and how many tokens a talk is said to have."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.asked: list[Message] = []
        self.tokens = 100
        self.answer: Answer = lambda asked: "Noted."


def list_told(asked: Message) -> list[tuple[str, str]]:
    """Each message of a request, as its role and its text."""
    messages = (one for one in asked["input"] if one["type"] == "message")
    return [
        (one["role"], "\n".join(part.get("text", "") for part in one["content"]))
        for one in messages
    ]


def list_tools(asked: Message) -> set[str]:
    """The names of the tools that a model may call, those of a server behind its name."""
    names: set[str] = set()
    for one in asked["tools"]:
        inner = one.get("tools", ())
        names |= {f"{one['name']}.{tool['name']}" for tool in inner} or {one.get("name", "")}
    return names


@contextmanager
def serve() -> Iterator[Stub]:
    """A server on loopback for as long as it is needed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.stub = stub = Stub(server.server_port)  # type: ignore[attr-defined]
    server.lock = Lock()  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, *_: object) -> None:
        """Nothing: a test has what was asked."""

    def do_GET(self) -> None:
        self._send("application/json", b'{"models": [], "data": []}')

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        stub: Stub = self.server.stub
        with self.server.lock:
            stub.asked.append(asked)
            number = len(stub.asked)
        said = stub.answer(asked)
        item: Message = {"type": "function_call", "call_id": f"call_{number}"}
        if isinstance(said, str):
            content = [{"type": "output_text", "text": said}]
            item = {"type": "message", "role": "assistant", "id": "msg_stub", "content": content}
        else:
            item |= {**said, "arguments": json.dumps(said["arguments"])}
        usage = {"input_tokens": stub.tokens, "output_tokens": 2, "total_tokens": stub.tokens + 2}
        whole: Message = {"id": f"resp_{number}", "usage": usage}
        events: list[Message] = [
            {"type": "response.created", "response": {"id": whole["id"]}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        ]
        rows = (f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
        self._send("text/event-stream", "".join(rows).encode())

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
