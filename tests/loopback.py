"""A server on the loopback interface that speaks the APIs of embedding providers."""

from __future__ import annotations

import base64
import json
import struct
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any

import pytest

DIMS = 8
Fault = Callable[["Handler"], None]


def vector(text: str, dims: int = DIMS) -> list[float]:
    """Words hashed into a vector: texts with words in common are near each other."""
    found = [0.001] * dims
    for word in text.lower().split():
        found[zlib.crc32(word.strip(".,?:").encode()) % dims] += 1.0
    return found


def quiet_machine(monkeypatch: pytest.MonkeyPatch, keys: Iterable[str] = (), **given: str) -> None:
    """No key of this machine is seen, nothing goes through a proxy; `given` are set instead."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in filter(None, keys):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)


class Server:
    """What was asked (`requests`), what goes wrong next (`faults`), and where it listens."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.faults: list[Fault | None] = []
        self.files: dict[str, bytes] = {}
        self.jobs: dict[str, dict[str, Any]] = {}
        self.dims = DIMS

    def texts(self) -> list[str]:
        """All texts that were asked to be embedded."""
        found: list[str] = []
        for _, _, body in self.requests:
            if isinstance(body, dict):
                found += body.get("input", [])
                found += [one["content"]["parts"][0]["text"] for one in body.get("requests", [])]
        return found


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, *_args: object) -> None:
        return

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers["Content-Length"])))

    def _serve(self, data: bytes) -> None:
        state: Server = self.server.state
        is_json = self.headers.get("Content-Type") == "application/json"
        self.body = json.loads(data) if is_json else data
        state.requests.append((self.path, dict(self.headers), self.body))
        fault = state.faults.pop(0) if state.faults else None
        if fault:
            fault(self)
            return
        code, said = answer(state, self.command, self.path, self.body)
        self.reply(code, said)

    def reply(self, code: int, said: Any, headers: dict[str, str] | None = None) -> None:
        data = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.send_response_only(code)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class _Quick(ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self) -> None:
        # The inherited one asks for the name of the address, which can take seconds.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]


@contextmanager
def serving() -> Iterator[Server]:
    """A server that listens as long as the block runs."""
    server = _Quick(("127.0.0.1", 0), Handler)
    server.state = Server(server.server_address[1])  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.state  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()


def refuse(code: int, said: Any, **headers: str) -> Fault:
    """An error of the API."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.reply(code, said, named)


def cut(handler: Handler) -> None:
    """An answer that breaks off."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [')
    handler.close_connection = True


def hang_up(handler: Handler) -> None:
    """No answer at all."""
    handler.close_connection = True


def embedding(text: str, dims: int, form: str) -> Any:
    """A vector as the OpenAI API gives it."""
    values = vector(text, dims)
    if form != "base64":
        return values
    return base64.b64encode(struct.pack(f"<{dims}f", *values)).decode()


def answer(state: Server, method: str, path: str, body: Any) -> tuple[int, Any]:
    """The status and the answer for a request."""
    if path.endswith("/embeddings"):
        return 200, _openai(state, body)
    if path == "/api/embed":
        return 200, {
            "model": body["model"],
            "embeddings": [vector(t, state.dims) for t in body["input"]],
        }
    if path.endswith(":batchEmbedContents"):
        texts = [one["content"]["parts"][0]["text"] for one in body["requests"]]
        return 200, {"embeddings": [{"values": vector(text, state.dims)} for text in texts]}
    for batches in (_openai_batches, _gemini_batches):
        if said := batches(state, method, path, body):
            return said
    return 404, {"error": {"message": f"tests/loopback.py has no answer to {method} {path}"}}


def _openai(state: Server, body: Any) -> Any:
    dims = body.get("dimensions") or body.get("output_dimension") or state.dims
    form = body.get("encoding_format", "float")
    rows = [
        {"object": "embedding", "index": at, "embedding": embedding(text, dims, form)}
        for at, text in enumerate(body["input"])
    ]
    # The API promises no order.
    return {"object": "list", "data": rows[::-1], "model": body["model"], "usage": {}}


def _second_part(body: bytes) -> bytes:
    """The content of the second part of a multipart body, as servers read it: by its boundary."""
    boundary = body[: body.index(b"\r\n")]
    part = body.split(boundary)[2]
    return part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")


def _put(state: Server, name: str, rows: list[Any]) -> str:
    state.files[name] = "".join(json.dumps(row) + "\n" for row in rows).encode()
    return name


def _openai_batches(state: Server, method: str, path: str, body: Any) -> tuple[int, Any] | None:
    parts = path.partition("?")[0].strip("/").split("/")
    if (method, parts) == ("POST", ["files"]):
        assert b'name="purpose"\r\n\r\nbatch\r\n' in body
        name = f"file-{len(state.files)}"
        state.files[name] = _second_part(body)
        return 200, {"id": name, "object": "file"}
    if (method, parts) == ("POST", ["batches"]):
        assert body["endpoint"] == "/v1/embeddings"
        name = f"batch_{len(state.jobs)}"
        state.jobs[name] = {"id": name, "status": "validating", **body}
        return 200, state.jobs[name]
    if parts == ["batches"]:
        return 200, {"data": list(state.jobs.values())}
    if parts[0] == "batches" and parts[1] in state.jobs:
        return 200, state.jobs[parts[1]]
    if parts[0] == "files" and parts[1] in state.files:
        return 200, state.files[parts[1]]
    return None


def _gemini_batches(state: Server, method: str, path: str, body: Any) -> tuple[int, Any] | None:
    if path.startswith("/upload/v1beta/files"):
        name = f"files/{len(state.files)}"
        state.files[name] = _second_part(body)
        return 200, {"file": {"name": name}}
    if path.endswith(":asyncBatchEmbedContent"):
        name = f"batches/{len(state.jobs)}"
        given = body["batch"]["inputConfig"]["file_name"]
        job = {"name": name, "metadata": {"state": "BATCH_STATE_PENDING"}, "input": given}
        state.jobs[name] = job
        return 200, job
    name = path.removeprefix("/v1beta/")
    if method == "GET" and name in state.jobs:
        return 200, state.jobs[name]
    name = path.removeprefix("/download/v1beta/").partition(":download?alt=media")[0]
    return (200, state.files[name]) if name in state.files else None


def run_openai(state: Server, name: str, status: str = "completed", failing: int = 0) -> None:
    """Let a batch job of OpenAI end, with the first so many texts failing."""
    job = state.jobs[name]
    asked = [json.loads(row) for row in state.files[job["input_file_id"]].splitlines()]
    good, bad = [], []
    for at, row in enumerate(asked):
        if at < failing:
            said = {"error": {"message": "too long"}}
            answer = {"status_code": 400, "body": said}
            bad.append({"custom_id": row["custom_id"], "response": answer, "error": None})
        else:
            answer = {"status_code": 200, "body": _openai(state, row["body"])}
            good.append({"custom_id": row["custom_id"], "response": answer, "error": None})
    job |= {"status": status, "request_counts": {"total": len(asked), "completed": len(good)}}
    job["output_file_id"] = _put(state, f"out-{name}", good[::-1])
    job["error_file_id"] = _put(state, f"err-{name}", bad) if bad else None


def run_gemini(state: Server, name: str, status: str = "SUCCEEDED", failing: int = 0) -> None:
    """Let a batch job of Gemini end, with the first so many texts failing."""
    job = state.jobs[name]
    rows = []
    for at, line in enumerate(state.files[job["input"]].splitlines()):
        row = json.loads(line)
        values = vector(row["request"]["content"]["parts"][0]["text"], state.dims)
        answer = {"response": {"embedding": {"values": values}}}
        rows.append(
            {"key": row["key"], **({"error": {"message": "too long"}} if at < failing else answer)}
        )
    out = _put(state, "files/out", rows)
    job |= {"done": True, "metadata": {"state": f"BATCH_STATE_{status}"}}
    job["response"] = {"responsesFile": out}
