"""A loopback server that answers as a model of Anthropic's would, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

Message = dict[str, Any]
Answer = Callable[[Message], "str | Message"]
"""Gives the text of an answer, or the call of a tool as `{"name": …, "input": …}`."""


class Stub:
    """What was asked, in order, and how it is answered: by default with one word."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.asked: list[Message] = []
        self.answer: Answer = lambda asked: "Noted."

    def read_told(self) -> str:
        """All that the model was told, in every request, as text."""
        return "\n".join(map(read_request, self.asked))


def read_request(asked: Message) -> str:
    """The text of a request: of its system prompt and of its messages."""
    parts = [asked.get("system") or "", *(one["content"] for one in asked["messages"])]
    return "\n".join(text for part in parts for text in _read_content(part))


def _read_content(content: str | list[Message]) -> Iterator[str]:
    if isinstance(content, str):
        yield content
        return
    for block in content:
        if "text" in block:
            yield block["text"]
        elif "content" in block:
            yield from _read_content(block["content"])


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

    def log_message(self, *_: object) -> None:
        """Nothing: a test has what was asked."""

    def do_HEAD(self) -> None:
        self._send(200, "text/plain", b"")

    def do_GET(self) -> None:
        self._send(200, "application/json", b'{"data": []}')

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if self.path.partition("?")[0] == "/v1/messages/count_tokens":
            self._send(200, "application/json", b'{"input_tokens": 1000}')
        elif self.path.partition("?")[0] == "/v1/messages":
            with self.server.lock:  # type: ignore[attr-defined]
                self.server.stub.asked.append(asked)  # type: ignore[attr-defined]
            said = self.server.stub.answer(asked)  # type: ignore[attr-defined]
            self._answer(asked, said)
        else:
            self._send(404, "application/json", b'{"type": "error"}')

    def _answer(self, asked: Message, said: str | Message) -> None:
        usage = {"input_tokens": 100, "output_tokens": 5}
        block: Message
        if isinstance(said, str):
            block, whole_block = {"type": "text", "text": ""}, {"type": "text", "text": said}
            delta, reason = {"type": "text_delta", "text": said}, "end_turn"
        else:
            block = {"type": "tool_use", "id": "toolu_stub", "name": said["name"], "input": {}}
            whole_block = {**block, "input": said["input"]}
            given = json.dumps(said["input"])
            delta, reason = {"type": "input_json_delta", "partial_json": given}, "tool_use"
        whole = {
            "id": "msg_stub",
            "type": "message",
            "role": "assistant",
            "model": asked.get("model", "stub"),
            "content": [whole_block],
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": usage,
        }
        if not asked.get("stream"):
            self._send(200, "application/json", json.dumps(whole).encode())
            return
        start = {**whole, "content": [], "stop_reason": None}
        ended = {"stop_reason": reason, "stop_sequence": None}
        events: list[Message] = [
            {"type": "message_start", "message": start},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": ended, "usage": usage},
            {"type": "message_stop"},
        ]
        rows = (f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
        self._send(200, "text/event-stream", "".join(rows).encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
