"""The batch APIs of OpenAI and Gemini: many texts at half the price, within a day."""

from __future__ import annotations

import json

from molt import errors
from molt.index.providers import quantise, remote
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from molt.index.providers.remote import Remote

MOST_LINES = 50_000  # what OpenAI takes in a batch
MOST_BYTES = 150 << 20
_BOUNDARY = "molt-4b1c7e0d9a52"


class Job(Value):
    """How a job stands: `state` is `running`, `done` or `failed`; its files where it has any."""

    id: str
    state: str
    detail: str
    output: str = ""
    failures: str = ""


class _Kind(Value):
    line: Callable[[Remote, str, str], dict[str, Any]]
    upload: Callable[[Remote, bytes], str]
    create: Callable[[Remote, str], str]
    look: Callable[[Remote, str], Job]
    download: Callable[[Remote, str], bytes]
    vector: Callable[[Mapping[str, Any]], tuple[str, Any, str]]


def is_supported(service: Remote) -> bool:
    """Whether a provider has a batch API that is spoken here."""
    return service.name in _KINDS


def render_lines(service: Remote, texts: Iterable[tuple[str, str]]) -> tuple[bytes, int]:
    """As many texts with their keys as one job may hold, as its file; and how many."""
    kind = _KINDS[service.name]
    rows: list[bytes] = []
    size = 0
    for key, text in texts:
        row = json.dumps(kind.line(service, key, service.prepare_text(text, "document"))).encode()
        if len(rows) >= MOST_LINES or size + len(row) >= MOST_BYTES:
            break
        rows.append(row + b"\n")
        size += len(row) + 1
    return b"".join(rows), len(rows)


def upload(service: Remote, data: bytes) -> str:
    """Send the file of a job; gives its name. Raises Unavailable."""
    return _KINDS[service.name].upload(service, data)


def create(service: Remote, file: str) -> str:
    """Start the job of a file; gives its id, of the job that is there already where one is.
    Raises Unavailable.
    """
    return _KINDS[service.name].create(service, file)


def look(service: Remote, job: str) -> Job:
    """How a job stands. Raises Unavailable."""
    return _KINDS[service.name].look(service, job)


def read_results(service: Remote, job: Job) -> tuple[dict[str, bytes], list[str]]:
    """The vectors of a job by key, however many it made, and what went wrong with others."""
    kind = _KINDS[service.name]
    found: dict[str, bytes] = {}
    wrong: list[str] = []
    for file in filter(None, (job.output, job.failures)):
        for row in kind.download(service, file).splitlines():
            if not row.strip():
                continue
            try:
                key, answer, trouble = kind.vector(json.loads(row))
                if not trouble:
                    found[key] = quantise.quantise(service.check_vectors(answer, 1)[0])
            except (ValueError, KeyError, TypeError, AttributeError):
                trouble = "a line that is none of its API"
            except errors.Unavailable as error:
                trouble = error.message
            if trouble:
                wrong.append(trouble)
    return found, wrong


def _render_part(head: str, data: bytes) -> bytes:
    return f"--{_BOUNDARY}\r\n{head}\r\n\r\n".encode() + data + b"\r\n"


def _openai_line(service: Remote, key: str, text: str) -> dict[str, Any]:
    path, body = service.api.ask(service, [text], "document")
    return {"custom_id": key, "method": "POST", "url": f"/v1{path}", "body": body}


def _openai_upload(service: Remote, data: bytes) -> str:
    body = _render_part('Content-Disposition: form-data; name="purpose"', b"batch")
    head = 'Content-Disposition: form-data; name="file"; filename="molt.jsonl"'
    body += _render_part(f"{head}\r\nContent-Type: application/jsonl", data)
    body += f"--{_BOUNDARY}--\r\n".encode()
    kind = f"multipart/form-data; boundary={_BOUNDARY}"
    return _require_text(
        service, json.loads(service.client.content("POST", "/files", body, kind)), "id"
    )


def _openai_create(service: Remote, file: str) -> str:
    # A call that was killed may have started the job without noting it.
    known = service.client.json("GET", "/batches?limit=100")
    for one in known.get("data", ()) if isinstance(known, dict) else ():
        if one.get("input_file_id") == file:
            return _require_text(service, one, "id")
    wanted = {"input_file_id": file, "endpoint": "/v1/embeddings", "completion_window": "24h"}
    return _require_text(service, service.client.json("POST", "/batches", wanted), "id")


def _openai_look(service: Remote, job: str) -> Job:
    said = service.client.json("GET", f"/batches/{job}")
    state = _require_text(service, said, "status")
    counts = said.get("request_counts") or {}
    detail = f"{state}, {counts.get('completed', 0)} of {counts.get('total', 0)} done"
    inner = (said.get("errors") or {}).get("data") or [{}]
    if inner[0].get("message"):
        detail += f": {inner[0]['message']}"
    ended = {"completed": "done", "failed": "failed", "expired": "failed", "cancelled": "failed"}
    files = (said.get("output_file_id") or "", said.get("error_file_id") or "")
    return Job(job, ended.get(state, "running"), detail, *files)


def _openai_download(service: Remote, file: str) -> bytes:
    return service.client.content("GET", f"/files/{file}/content")


def _openai_vector(row: Mapping[str, Any]) -> tuple[str, Any, str]:
    response = row.get("response") or {}
    body = response.get("body") or {}
    trouble = row.get("error") or body.get("error")
    if trouble or response.get("status_code") != 200:
        return row["custom_id"], None, str((trouble or {}).get("message") or "no answer")
    return row["custom_id"], body, ""


def _gemini_line(service: Remote, key: str, text: str) -> dict[str, Any]:
    return {"key": key, "request": remote.gemini_request(service, text, "document")}


def _gemini_upload(service: Remote, data: bytes) -> str:
    about = {"file": {"displayName": "molt", "mimeType": "application/jsonl"}}
    body = _render_part("Content-Type: application/json; charset=UTF-8", json.dumps(about).encode())
    body += _render_part("Content-Type: application/jsonl", data) + f"--{_BOUNDARY}--\r\n".encode()
    kind = f"multipart/related; boundary={_BOUNDARY}"
    path = "/upload/v1beta/files?uploadType=multipart"
    said = json.loads(service.client.content("POST", path, body, kind))
    return _require_text(service, said.get("file", {}), "name")


def _gemini_create(service: Remote, file: str) -> str:
    batch = {"displayName": f"molt {file}", "inputConfig": {"file_name": file}}
    path = f"/v1beta/models/{service.model}:asyncBatchEmbedContent"
    try:
        return _require_text(service, service.client.json("POST", path, {"batch": batch}), "name")
    except errors.Unavailable as error:
        if error.code != 404:
            raise
        hint = "the account may have no batches: run `molt index` without --batch"
        raise errors.Unavailable(error.message, hint, error.code) from None


def _gemini_look(service: Remote, job: str) -> Job:
    said = service.client.json("GET", f"/v1beta/{job}")
    about = said.get("metadata") or {}
    state = str(about.get("state") or "").rpartition("STATE_")[2].lower()
    trouble = (said.get("error") or {}).get("message")
    detail = f"{state or 'running'}: {trouble}" if trouble else state or "running"
    output = (said.get("response") or {}).get("responsesFile") or ""
    output = output or (about.get("output") or {}).get("responsesFile") or ""
    ended = {"succeeded": "done", "failed": "failed", "cancelled": "failed", "expired": "failed"}
    return Job(job, "failed" if trouble else ended.get(state, "running"), detail, output)


def _gemini_download(service: Remote, file: str) -> bytes:
    return service.client.content("GET", f"/download/v1beta/{file}:download?alt=media")


def _gemini_vector(row: Mapping[str, Any]) -> tuple[str, Any, str]:
    if trouble := row.get("error"):
        return row["key"], None, str(trouble.get("message") or "no answer")
    return row["key"], {"embeddings": [row["response"]["embedding"]]}, ""


def _require_text(service: Remote, value: Any, name: str) -> str:
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, str) or not found:
        raise errors.Unavailable(f"{service.name}: an answer without {name!r}")
    return found


_KINDS = {
    "openai": _Kind(
        _openai_line, _openai_upload, _openai_create, _openai_look, _openai_download, _openai_vector
    ),
    "gemini": _Kind(
        _gemini_line, _gemini_upload, _gemini_create, _gemini_look, _gemini_download, _gemini_vector
    ),
}
