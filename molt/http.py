"""Requests to a service: bounded, retried where that can help, and never with a key shown."""

from __future__ import annotations

from molt.errors import Unavailable
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from http.client import HTTPResponse
    from typing import Any

MOST_BYTES = 1 << 28
"""Of an answer; 1,000 vectors of 3,000 components take a tenth of it."""
MOST_WAIT = 60.0
"""Seconds; a server that asks for more is not waited for, and what it said is told."""
_AGAIN = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_EXHAUSTED = ("insufficient_quota", "billing_hard_limit_reached")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Patience(Value):
    """How long a request may take, how often it is tried again, and after which waits.

    `total` bounds all tries and waits together, 0 for no bound. `sleep` is a parameter so
    that nobody has to wait to see it.
    """

    timeout: float = 30.0
    retries: int = 5
    first_wait: float = 0.5
    total: float = 0.0
    sleep: Callable[[float], None] | None = None


def is_loopback(base_url: str) -> bool:
    """Whether an address is one of this machine alone."""
    from urllib.parse import urlsplit

    try:
        return urlsplit(base_url).hostname in _LOOPBACK
    except ValueError:
        return False


class ApiKey(Value):
    """The key of a service, empty where none is sent; `fault` says why there is none that can be,
    and `hint` what to do about it.
    """

    text: str = ""
    fault: str = ""
    hint: str = ""


def read_key(named: str, own: str, base_url: str) -> ApiKey:
    """The key in the environment variable that the configuration names, else in the provider's
    `own` one, if it has any. That goes to the provider's own address alone: another server
    (`base_url`) gets one only by name.
    """
    import os

    variable = named or ("" if base_url else own)
    if not variable:
        return ApiKey()
    key = os.environ.get(variable, "").strip()
    if not key:
        return ApiKey("", f"no key in {variable}", f"set the environment variable {variable}")
    if not (key.isascii() and key.isprintable()):
        return ApiKey("", f"{variable} holds what no key is", "set it anew")
    return ApiKey(key)


class _Again(Exception):
    """Why it is worth trying again, and after how many seconds if the provider says so."""

    def __init__(self, why: str, code: int = 0, wait: float | None = None) -> None:
        super().__init__(why)
        self.code = code
        self.wait = wait


class Service(Value):
    """A provider's API: where it is, and what goes with each request.

    `secret` is taken out of every message; `settings` is the section of molt.yaml that a person
    mends where it cannot be used. `most` bounds the bytes of an answer.
    """

    name: str
    base_url: str
    headers: Mapping[str, str]
    secret: str = ""
    settings: str = "embedding"
    most: int = MOST_BYTES


class Client:
    """What asks a service. Raises Unavailable for an address that is none, or that would carry the
    key over an open line.
    """

    def __init__(self, service: Service, patience: Patience | None = None) -> None:
        from urllib.parse import urlsplit

        self.name = service.name
        self.base_url = service.base_url.rstrip("/")
        self.patience = patience or Patience()
        self._headers = {"User-Agent": "molt", "Accept": "application/json", **service.headers}
        self._secret = service.secret
        self._service = service
        try:
            parts = urlsplit(self.base_url)
            host = parts.hostname or ""
        except ValueError:
            host = ""
        if not host or parts.scheme not in ("http", "https"):
            raise Unavailable(
                f"{self.name}: {service.base_url!r} is no address",
                "give one that starts with https://",
            )
        if self._secret and parts.scheme == "http" and host not in _LOOPBACK:
            raise Unavailable(
                f"{self.name}: no key is sent to {host} without encryption",
                "give an https:// address",
            )

    def json(self, method: str, path: str, value: object = None) -> Any:
        """The JSON that a request answers with. Raises Unavailable."""
        import json

        body = None if value is None else json.dumps(value).encode()
        return self._send_retrying(method, path, body, "application/json", as_json=True)

    def content(
        self, method: str, path: str, body: bytes | None = None, kind: str = "application/json"
    ) -> bytes:
        """The bytes that a request answers with. Raises Unavailable."""
        found: bytes = self._send_retrying(method, path, body, kind, as_json=False)
        return found

    def _send_retrying(
        self, method: str, path: str, body: bytes | None, kind: str, *, as_json: bool
    ) -> Any:
        import random
        import time

        patience = self.patience
        ends = time.monotonic() + patience.total if patience.total else float("inf")
        for turn in range(patience.retries + 1):
            timeout = min(patience.timeout, ends - time.monotonic())
            try:
                if timeout <= 0:
                    raise _Again("no answer in time")
                data = self._send_once(method, path, body, kind, timeout)
                return _parse_json(self._service, data) if as_json else data
            except _Again as again:
                spread = patience.first_wait * 2**turn * (0.5 + random.random())  # noqa: S311
                wait = min(MOST_WAIT, spread if again.wait is None else again.wait)
                last = turn == patience.retries or time.monotonic() + wait >= ends
                if last or (again.wait or 0) > MOST_WAIT:
                    raise self._given_up(again, turn + 1) from None
                (patience.sleep or time.sleep)(wait)
        raise AssertionError("the last try either answers or raises")

    def _given_up(self, again: _Again, tries: int) -> Unavailable:
        often = f" ({tries} tries)" if tries > 1 else ""
        later = f"; it asks to wait {again.wait:.0f} s" if again.wait else ""
        hint = "wait a while, or take smaller steps" if again.code == 429 else ""
        said = self._hide_secret(str(again))
        return Unavailable(f"{self.name}: {said}{later}{often}", hint, again.code)

    def _hide_secret(self, text: str) -> str:
        return text.replace(self._secret, "***") if self._secret else text

    def _send_once(
        self, method: str, path: str, body: bytes | None, kind: str, timeout: float
    ) -> bytes:
        import http.client
        import urllib.error
        import urllib.request

        headers = {**self._headers, "Content-Type": kind} if body is not None else self._headers
        url = path if path.startswith(("http://", "https://")) else self.base_url + path
        # Scheme and host were judged in __init__; `path` is ours, never the server's.
        request = urllib.request.Request(url, body, headers, method=method)  # noqa: S310
        try:
            with _make_opener().open(request, timeout=timeout) as answer:
                return _read_body(answer, timeout, self._service.most)
        except urllib.error.HTTPError as error:
            with error:
                self._raise_refusal(error)
        except urllib.error.URLError as error:
            raise self._explain_unreached(error.reason) from None
        except (http.client.HTTPException, OSError) as error:
            raise self._explain_unreached(error) from None
        raise AssertionError("a refusal raises")

    def _explain_unreached(self, error: object) -> Exception:
        import http.client
        import socket
        import ssl

        if isinstance(error, TimeoutError):
            return _Again("no answer in time")
        if isinstance(error, ssl.SSLCertVerificationError | socket.gaierror):
            said = f"{self.name}: {self.base_url} cannot be reached: {error}"
            return Unavailable(
                self._hide_secret(said), f"check {self._service.settings}.base_url and the network"
            )
        if isinstance(error, ConnectionRefusedError):
            said = f"{self.name}: nothing listens at {self.base_url}"
            return Unavailable(said, f"start the server, or mend {self._service.settings}.base_url")
        if isinstance(error, http.client.IncompleteRead):
            return _Again("the answer broke off")
        return _Again(f"the connection broke: {error or type(error).__name__}")

    def _raise_refusal(self, error: Any) -> None:
        """Raise what an HTTP status means: try again, or what a person can do."""
        code = int(error.code)
        try:
            data = error.read(1 << 16)
        except OSError:
            data = b""
        said, kind = _parse_error(data)
        message = self._hide_secret(f"{code} {said}".strip())
        if code in _AGAIN and kind not in _EXHAUSTED:
            raise _Again(message, code, _parse_wait(error.headers, data))
        ours = self._service.settings
        hints = {
            401: f"the key is not valid: check the variable that {ours}.api_key_env names",
            403: "the key may not use this model or address",
            404: f"no such model or address: check {ours}.model and {ours}.base_url",
            413: "the request is too large: lower embedding.batch_size",
            429: "the account has no quota left",
        }
        hint = hints.get(code, "the provider refuses the request as it is")
        if 300 <= code < 400:
            hint = f"set {ours}.base_url to where it moved: {error.headers.get('Location')}"
        raise Unavailable(f"{self.name}: {message}", hint, code)


def bearer_header(key: str) -> dict[str, str]:
    """The header that most providers take a key in; none without one."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def _make_opener() -> Any:
    import urllib.request

    class Stay(urllib.request.HTTPRedirectHandler):
        """Follows nothing: the key would go along to another host."""

        def redirect_request(self, *_args: object) -> None:
            return None

    return urllib.request.build_opener(Stay)


def _read_body(answer: HTTPResponse, timeout: float, most: int) -> bytes:
    """All of an answer. Raises IncompleteRead where it breaks off, and _Again where it drips."""
    import http.client
    import time

    ends = time.monotonic() + timeout
    parts: list[bytes] = []
    size = 0
    while part := answer.read1(1 << 16):
        parts.append(part)
        size += len(part)
        if size > most:
            raise _Again(f"an answer of more than {most:,} bytes")
        if time.monotonic() > ends:
            raise _Again("no answer in time")
    if answer.length:
        raise http.client.IncompleteRead(b"", answer.length)
    return b"".join(parts)


def _parse_json(service: Service, data: bytes) -> Any:
    import json

    try:
        return json.loads(data)
    except RecursionError:
        raise Unavailable(f"{service.name}: the answer is nested too deeply", "") from None
    except ValueError:
        if data.lstrip()[:1] in (b"{", b"["):
            raise _Again("the answer broke off") from None
        raise Unavailable(
            f"{service.name}: the answer is no JSON: {data[:60]!r}",
            f"check {service.settings}.base_url",
        ) from None


def _parse_error(data: bytes) -> tuple[str, str]:
    """The message and the kind in the body of an error, whichever API it is from."""
    import json

    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return data[:200].decode("utf-8", "replace").split("\n")[0], ""
    inner = value.get("error", value) if isinstance(value, dict) else value
    if not isinstance(inner, dict):
        return str(inner)[:300], ""
    said = inner.get("message") or inner.get("detail") or ""
    return str(said)[:300], str(inner.get("code") or inner.get("type") or "")


def _parse_wait(headers: Any, data: bytes) -> float | None:
    """The seconds that a provider asks to wait, from its headers or (Gemini) its error."""
    given = headers.get("retry-after-ms")
    if given and given.strip().isdigit():
        return int(given) / 1000
    given = (headers.get("retry-after") or "").strip()
    if given:
        try:
            return max(0.0, float(given))
        except ValueError:
            return _seconds_until(given, headers.get("date") or "")
    at = data.find(b'"retryDelay"')
    if at >= 0:
        text = data[at + 12 :].lstrip(b' :"').split(b"s", 1)[0].decode("ascii", "replace")
        return float(text) if text.replace(".", "", 1).isdigit() else None
    return None


def _seconds_until(given: str, now: str) -> float | None:
    """Seconds from the server's own date to another, so that no clock here matters."""
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, (parsedate_to_datetime(given) - parsedate_to_datetime(now)).total_seconds())
    except (ValueError, TypeError):
        return None
