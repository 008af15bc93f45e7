"""Vectors from a provider's API: each one's requests, limits and answers, checked."""

from __future__ import annotations

import math

from molt import errors, http
from molt.index.providers import quantise
from molt.policy import secrets
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from molt.config import Config

# The longest text that is sent; chunks are far shorter, a pasted query may not be.
_LONGEST = 8000
_ENGLISH = ("nomic-embed-text:v1", "all-minilm", "mxbai-embed-large", "-small-en", "-base-en")


class Api(Value):
    """What is particular about one API.

    `ask(service, texts, use)` gives the path and the body of a request, `use` being
    `query` or `document`; `read(answer, count)` its vectors in the order of the texts.
    """

    base_url: str
    model: str
    key_env: str
    batch: int
    batch_bytes: int
    ask: Callable[[Remote, Sequence[str], str], tuple[str, dict[str, Any]]]
    read: Callable[[Any, int], list[Sequence[float]]]
    dims: dict[str, int]
    auth: Callable[[str], dict[str, str]]


class Remote:
    """A provider. Raises Unavailable without its key, and when its API gives no good answer."""

    def __init__(self, config: Config, *, seconds: float = 0.0, patience: Any = None) -> None:
        self.name: str = config.embedding_provider
        self.api = APIS[self.name]
        self.model: str = config.embedding_model or self.api.model
        self.asked_dims: int = config.embedding_dims
        self.own = not config.embedding_base_url
        self._before = {
            "query": config.embedding_query_prefix,
            "document": config.embedding_document_prefix,
        }
        self.latin_only = any(part in self.model.lower() for part in _ENGLISH)
        base_url = config.embedding_base_url or self.api.base_url
        where = "" if self.own else f"@{base_url.rstrip('/')}"
        marks = "|".join(("", *self._before.values())) if any(self._before.values()) else ""
        self.variant = where + marks
        key = _read_key(self.name, config, self.api)
        self._batch = min(config.embedding_batch_size or self.api.batch, self.api.batch)
        usual = http.Patience(timeout=config.embedding_timeout)
        if seconds:
            usual = http.Patience(timeout=min(seconds, usual.timeout), retries=1, total=seconds)
        headers = {**(self.api.auth(key) if key else {}), **dict(config.embedding_headers)}
        service = http.Service(self.name, base_url, headers, key)
        self.client = http.Client(service, patience or usual)
        self._dims = self.asked_dims or (self.api.dims.get(self.model, 0) if self.own else 0)

    @property
    def dims(self) -> int:
        """How many components its vectors have; an unknown model is asked for one vector."""
        if not self._dims:
            self._dims = len(self._ask_vectors(["dimensions"], "document")[0])
        return self._dims

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector for each text, in as few requests as the API's limits allow."""
        found: list[bytes] = []
        for some in self.split_batches([self.prepare_text(text, "document") for text in texts]):
            found += quantise.quantise_all(self._split(some))
        return found

    def query(self, text: str) -> bytes:
        """The vector of a query; empty for a query without a word."""
        if not text.strip():
            return b""
        return quantise.quantise(self._ask_vectors([self.prepare_text(text, "query")], "query")[0])

    def prepare_text(self, text: str, use: str) -> str:
        """A text as it is sent: with its prefix, no longer than models read, and without what looks
        like a secret.
        """
        # A cut in the middle of a secret would leave a part of it that nothing tells.
        return (self._before[use] + secrets.redact(text))[:_LONGEST]

    def split_batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """The texts in batches that one request may hold."""
        batch: list[str] = []
        size = 0
        for text in texts:
            length = len(text.encode("utf-8", "replace"))
            if batch and (len(batch) >= self._batch or size + length > self.api.batch_bytes):
                yield batch
                batch, size = [], 0
            batch.append(text)
            size += length
        if batch:
            yield batch

    def _split(self, texts: list[str]) -> list[Sequence[float]]:
        try:
            return self._ask_vectors(texts, "document")
        except errors.Unavailable as error:
            if error.code != 413 or len(texts) == 1:
                raise
        half = len(texts) // 2
        return [*self._split(texts[:half]), *self._split(texts[half:])]

    def _ask_vectors(self, texts: Sequence[str], use: str) -> list[Sequence[float]]:
        path, body = self.api.ask(self, texts, use)
        answer = self.client.json("POST", path, body)
        return self.check_vectors(answer, len(texts))

    def check_vectors(self, answer: Any, count: int) -> list[Sequence[float]]:
        """The vectors in an answer. Raises Unavailable for a wrong count, length or number."""
        try:
            vectors = self.api.read(answer, count)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise errors.Unavailable(
                f"{self.name}: an answer that is none of its API: {error!r}",
                "check embedding.base_url",
            ) from None
        if len(vectors) != count:
            raise errors.Unavailable(f"{self.name}: {len(vectors)} vectors for {count} texts")
        wanted = self._dims or len(vectors[0])
        for vector in vectors:
            if len(vector) != wanted:
                said = f"{self.name}: {len(vector)} dimensions where {wanted} were expected"
                raise errors.Unavailable(said, "set embedding.dims to what the model gives")
            # One sum tells: a single NaN or infinity makes it one, and zeros leave it zero.
            total = math.fsum(map(abs, vector)) if all(map(_is_number, vector)) else math.nan
            if not math.isfinite(total) or not total:
                raise errors.Unavailable(f"{self.name}: a vector that holds no meaning")
        self._dims = wanted
        return vectors


def _is_number(value: object) -> bool:
    return type(value) is float or type(value) is int


def _read_key(name: str, config: Config, api: Api) -> str:
    found = http.read_key(config.embedding_api_key_env, api.key_env, config.embedding_base_url)
    if found.fault:
        raise errors.Unavailable(f"{name}: {found.fault}", found.hint)
    return found.text


def _google_header(key: str) -> dict[str, str]:
    return {"x-goog-api-key": key}


def _openai_request(service: Remote, texts: Sequence[str], _use: str) -> tuple[str, dict[str, Any]]:
    body: dict[str, Any] = {"model": service.model, "input": list(texts)}
    if service.own:
        # A quarter of the bytes; servers that only resemble the API may not know it.
        body["encoding_format"] = "base64"
    if service.asked_dims:
        body["dimensions"] = service.asked_dims
    return "/embeddings", body


def _voyage_request(service: Remote, texts: Sequence[str], use: str) -> tuple[str, dict[str, Any]]:
    body: dict[str, Any] = {"model": service.model, "input": list(texts), "input_type": use}
    if service.asked_dims:
        body["output_dimension"] = service.asked_dims
    return "/embeddings", body


def _mistral_request(
    service: Remote, texts: Sequence[str], _use: str
) -> tuple[str, dict[str, Any]]:
    body: dict[str, Any] = {"model": service.model, "input": list(texts)}
    if service.asked_dims:
        body["output_dimension"] = service.asked_dims
    return "/embeddings", body


def _ollama_request(service: Remote, texts: Sequence[str], _use: str) -> tuple[str, dict[str, Any]]:
    body: dict[str, Any] = {"model": service.model, "input": list(texts), "truncate": True}
    if service.asked_dims:
        body["dimensions"] = service.asked_dims
    return "/api/embed", body


def _gemini_batch_request(
    service: Remote, texts: Sequence[str], use: str
) -> tuple[str, dict[str, Any]]:
    requests = [gemini_request(service, text, use) for text in texts]
    return f"/v1beta/models/{service.model}:batchEmbedContents", {"requests": requests}


def gemini_request(service: Remote, text: str, use: str) -> dict[str, Any]:
    """What Gemini is asked for one text, alone or as a line of a batch."""
    request: dict[str, Any] = {
        "model": f"models/{service.model}",
        "content": {"parts": [{"text": text}]},
        "taskType": f"RETRIEVAL_{use.upper()}",
    }
    if service.asked_dims:
        request["outputDimensionality"] = service.asked_dims
    return request


def _read_openai(answer: Any, count: int) -> list[Sequence[float]]:
    rows = answer["data"]
    numbers = [row.get("index", at) for at, row in enumerate(rows)]
    if sorted(numbers) != list(range(count)):
        return []
    found: list[Sequence[float]] = [()] * count
    for number, row in zip(numbers, rows, strict=True):
        found[number] = _read_floats(row["embedding"])
    return found


def _read_ollama(answer: Any, _count: int) -> list[Sequence[float]]:
    return [_read_floats(row) for row in answer["embeddings"]]


def _read_gemini(answer: Any, _count: int) -> list[Sequence[float]]:
    return [_read_floats(row["values"]) for row in answer["embeddings"]]


def _read_floats(value: Any) -> Sequence[float]:
    """A vector that came as a list, or as little-endian float32 in base64."""
    if isinstance(value, list):
        return value
    import array
    import base64
    import sys

    floats = array.array("f", base64.b64decode(value, validate=True))
    if sys.byteorder == "big":
        floats.byteswap()
    return floats


# Limits of one request: OpenAI 2,048 texts and 300,000 tokens, Gemini 100 texts, Voyage 1,000
# texts and 120,000 tokens, Mistral 16,000 tokens. Bytes stand for tokens: hardly any text has
# more than one token in two bytes.
APIS = {
    "openai": Api(
        base_url="https://api.openai.com/v1",
        model="text-embedding-3-small",
        key_env="OPENAI_API_KEY",
        batch=512,
        batch_bytes=600_000,
        ask=_openai_request,
        read=_read_openai,
        dims={"text-embedding-3-small": 1536, "text-embedding-3-large": 3072},
        auth=http.bearer_header,
    ),
    "gemini": Api(
        base_url="https://generativelanguage.googleapis.com",
        model="gemini-embedding-001",
        key_env="GEMINI_API_KEY",
        batch=100,
        batch_bytes=400_000,
        ask=_gemini_batch_request,
        read=_read_gemini,
        dims={"gemini-embedding-001": 3072},
        auth=_google_header,
    ),
    "voyage": Api(
        base_url="https://api.voyageai.com/v1",
        model="voyage-4",
        key_env="VOYAGE_API_KEY",
        batch=512,
        batch_bytes=240_000,
        ask=_voyage_request,
        read=_read_openai,
        dims={},
        auth=http.bearer_header,
    ),
    "mistral": Api(
        base_url="https://api.mistral.ai/v1",
        model="mistral-embed",
        key_env="MISTRAL_API_KEY",
        batch=128,
        batch_bytes=32_000,
        ask=_mistral_request,
        read=_read_openai,
        dims={"mistral-embed": 1024},
        auth=http.bearer_header,
    ),
    "ollama": Api(
        base_url="http://127.0.0.1:11434",
        model="nomic-embed-text",
        key_env="",
        batch=64,
        batch_bytes=1_000_000,
        ask=_ollama_request,
        read=_read_ollama,
        dims={},
        auth=http.bearer_header,
    ),
}
