"""A model on the loopback interface: says what a test has it say, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Request = dict[str, Any]
Answer = dict[str, Any]
Speak = Callable[[Request], Answer]
_DIMS = 64


def say(text: str, tokens: int = 10) -> Answer:
    """An answer in words, after a conversation of so many tokens."""
    return {"content": text, "tokens": tokens}


def call(tool: str, tokens: int = 10, /, **arguments: Any) -> Answer:
    """An answer that calls a tool."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    made = {"index": 0, "id": f"call_{tool}", "type": "function", "function": function}
    return {"tool_calls": [made], "tokens": tokens}


def last_text(request: Request) -> str:
    """The words of the last message of a request."""
    content = request["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "\n".join(str(one.get("text", "")) for one in content or ())


def tool_answers(request: Request) -> list[str]:
    """What tools have answered so far."""
    return [last_text({"messages": [one]}) for one in request["messages"] if one["role"] == "tool"]


class Model:
    """What was asked (`requests`), and who answers (`speak`); `url` is where it listens."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.requests: list[Request] = []
        self.speak: Speak = lambda _request: say("Fine.")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, *_args: object) -> None:
        return

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": "stub-model", "object": "model"}]})

    def do_POST(self) -> None:
        request: Request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            self._send(_embed(request))
            return
        model: Model = self.server.model
        model.requests.append(request)
        answer = dict(model.speak(request))
        tokens = answer.pop("tokens", 10)
        usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
        reason = "tool_calls" if "tool_calls" in answer else "stop"
        if request.get("stream"):
            self._stream(answer, reason, usage)
        else:
            message = {"role": "assistant", "content": None, **answer}
            choice = {"index": 0, "message": message, "finish_reason": reason}
            self._send({**_HEAD, "object": "chat.completion", "choices": [choice], "usage": usage})

    def _stream(self, answer: Answer, reason: str, usage: dict[str, int]) -> None:
        head = {**_HEAD, "object": "chat.completion.chunk"}
        delta = {"role": "assistant", **answer}
        first = {"index": 0, "delta": delta, "finish_reason": None}
        last = {"index": 0, "delta": {}, "finish_reason": reason}
        chunks = [
            {**head, "choices": [first]},
            {**head, "choices": [last]},
            {**head, "choices": [], "usage": usage},
        ]
        rows = [f"data: {json.dumps(one)}\n\n" for one in chunks] + ["data: [DONE]\n\n"]
        self._reply("".join(rows).encode(), "text/event-stream")

    def _send(self, value: object) -> None:
        self._reply(json.dumps(value).encode(), "application/json")

    def _reply(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


_HEAD = {"id": "stub", "created": 0, "model": "stub-model"}


def _embed(request: Request) -> dict[str, Any]:
    """Words hashed into vectors: texts with words in common are near each other."""
    texts = request["input"] if isinstance(request["input"], list) else [request["input"]]
    data = []
    for number, text in enumerate(texts):
        vector = [0.001] * _DIMS
        for word in text.lower().split():
            vector[zlib.crc32(word.strip(".,?:").encode()) % _DIMS] += 1.0
        data.append({"object": "embedding", "index": number, "embedding": vector})
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": data, "model": "stub-embed", "usage": usage}


@contextmanager
def serve_model() -> Iterator[Model]:
    """A model that listens for as long as the block runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    model = Model(server.server_port)
    server.model = model  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
