"""One question to a language model, and its answer as a value that fits a schema."""

from __future__ import annotations

from molt import __version__, errors, http
from molt.memory.engines import chat
from molt.memory.engines.chat import Prompt
from molt.policy import secrets
from molt.untrusted import model_answer
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping
    from typing import Any

    from molt.config import Config
    from molt.http import Patience
    from molt.memory.engines.chat import ChatApi, Said

MOST_BYTES = 1 << 22
"""Of an answer: all tokens that can be asked for have a tenth of it."""
_RETRIES = 2
"""Somebody waits for the answer, and rules have one."""
_UNKNOWN = (400, 404, 405, 415, 422, 501)
"""Statuses with which servers refuse a way to bind the answer that they do not know."""
_learned: dict[str, str] = {}
"""Which form each server and model took, in this process."""


class Reply(Value):
    """A model's answer, and what it took: tokens and cost of all requests for it, None where the
    server or molt.yaml does not tell, and how many secrets were left out of the question.
    """

    value: object
    model: str
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    redacted: int


def ask(
    settings: Config,
    prompt: Prompt,
    *,
    cache: MutableMapping[str, bytes] | None = None,
    patience: Patience | None = None,
) -> Reply:
    """What the model that the settings name answers. `cache` remembers what a server can do.

    Raises Usage where no model, or no key for it, is set; Unavailable where no good answer comes.
    An answer that cannot be used is asked for once more, with what is wrong.
    """
    talk = hold_talk(
        settings, prompt, lambda said: _read_value(said, prompt)[1], cache=cache, patience=patience
    )
    value, wrong = _read_value(talk.replies[-1], prompt)
    if value is None or wrong:
        raise errors.Unavailable(
            f"{settings.llm_provider}: the answer does not fit: {wrong}",
            "another model may do better",
        )
    counts = talk.tokens_in, talk.tokens_out
    return Reply(value, talk.model, *counts, talk.cost, talk.redacted)


class Talk(Value):
    """What a model answered, once or twice, and what it took, as a Reply tells it."""

    replies: tuple[Said, ...]
    model: str
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    redacted: int


def hold_talk(
    settings: Config,
    prompt: Prompt,
    find_wrong: Callable[[Said], str],
    *,
    cache: MutableMapping[str, bytes] | None = None,
    patience: Patience | None = None,
) -> Talk:
    """Ask, and ask once more where something is wrong with the answer, saying what. Secrets are
    left out of the question. Raises as `ask` does; where the second try fails the first stands.
    """
    endpoint = _Endpoint(settings, cache, patience)
    system, first = secrets.redact_counted(prompt.system)
    user, second = secrets.redact_counted(prompt.user)
    clean = prompt.replace(system=system, user=user)
    replies = [endpoint.send(clean)]
    wrong = find_wrong(replies[0])
    if wrong:
        try:
            replies.append(endpoint.send(_complain(clean, wrong)))
        except errors.Unavailable:
            if prompt.whole:
                raise
    tokens_in = _sum(one.tokens_in for one in replies)
    tokens_out = _sum(one.tokens_out for one in replies)
    cost = _find_cost(settings, tokens_in, tokens_out)
    model = replies[-1].model or settings.llm_model
    return Talk(tuple(replies), model, tokens_in, tokens_out, cost, first + second)


class _Endpoint:
    """A server and a model, and the form in which it is told what to answer."""

    def __init__(
        self,
        settings: Config,
        cache: MutableMapping[str, bytes] | None,
        patience: Patience | None,
    ) -> None:
        shape = chat.SHAPES.get(settings.llm_provider)
        if shape is None:
            raise errors.Usage(
                "no language model is set", "set llm.provider and llm.model in molt.yaml"
            )
        if not settings.llm_model:
            raise errors.Usage(
                f"which model of {settings.llm_provider}?", "set llm.model in molt.yaml"
            )
        self.name = settings.llm_provider
        self.shape: ChatApi = shape
        own = not settings.llm_base_url
        self.terms = chat.Terms(settings.llm_model, settings.llm_max_tokens, own)
        key = _read_key(settings, shape)
        base_url = settings.llm_base_url or shape.base_url
        service = http.Service(self.name, base_url, shape.auth(key), key, "llm", MOST_BYTES)
        timeout = settings.llm_timeout
        usual = http.Patience(timeout=timeout, retries=_RETRIES, total=timeout * (_RETRIES + 1))
        self.client = http.Client(service, patience or usual)
        self._place = f"{self.name} {base_url.rstrip('/')} {settings.llm_model}"
        self._cache = cache

    def send(self, prompt: Prompt) -> Said:
        """What the model says, in the best form that the server knows. Raises Unavailable."""
        forms = self.shape.forms
        known = self._recall_form()
        tried = forms[forms.index(known) :] if known in forms else forms
        for form in tried:
            body = self.shape.ask(prompt, self.terms, form)
            try:
                answer = self.client.json("POST", self.shape.path, body)
            except errors.Unavailable as error:
                if error.code in _UNKNOWN and form != tried[-1]:
                    continue
                raise
            said = self._read(answer)
            if said.cut and prompt.whole:
                raise errors.Unavailable(f"{self.name}: the answer was cut", "raise llm.max_tokens")
            if form != known:
                self._keep_form(form)
            return said
        raise AssertionError("the last form either answers or raises")

    def _read(self, answer: Any) -> Said:
        try:
            return self.shape.read(answer)
        except errors.Failed as error:
            raise errors.Unavailable(f"{self.name}: {error.message}", error.hint) from None
        except (KeyError, IndexError, TypeError, AttributeError):
            raise errors.Unavailable(
                f"{self.name}: the answer has not the form of its API",
                "check llm.provider and llm.base_url",
            ) from None

    def _recall_form(self) -> str:
        if self._place not in _learned and self._cache is not None:
            kept = self._cache.get(self._key())
            if kept:
                _learned[self._place] = kept.decode("ascii", "replace")
        return _learned.get(self._place, "")

    def _keep_form(self, form: str) -> None:
        _learned[self._place] = form
        if self._cache is not None:
            self._cache[self._key()] = form.encode()

    def _key(self) -> str:
        from zlib import crc32

        return f"llm-{__version__}-{crc32(self._place.encode('utf-8', 'replace')):08x}"


def _read_key(settings: Config, shape: ChatApi) -> str:
    """The key, empty where a server of one's own needs none. Raises Usage where there is none."""
    found = http.read_key(settings.llm_api_key_env, shape.key_env, settings.llm_base_url)
    if found.fault:
        raise errors.Usage(f"{settings.llm_provider}: {found.fault}", found.hint)
    return found.text


def _read_value(said: Said, prompt: Prompt) -> tuple[object, str]:
    """The value that was answered, and what is wrong with it."""
    try:
        value = said.value or model_answer.parse_answer(said.text)
    except ValueError as error:
        return None, str(error)
    return value, prompt.check(value) if prompt.check else ""


def _complain(prompt: Prompt, wrong: str) -> Prompt:
    """The question once more. What was answered is not sent back: it may be of any length."""
    more = f"\n\nYour last answer did not fit: {wrong}. Answer with the JSON object alone."
    return prompt.replace(system=prompt.system + more)


def _sum(counts: Any) -> int | None:
    found = list(counts)
    return None if -1 in found else sum(found)


def _find_cost(settings: Config, tokens_in: int | None, tokens_out: int | None) -> float | None:
    """What the tokens cost, by the prices of a million; None where either is not known."""
    prices = settings.llm_input_price, settings.llm_output_price
    if tokens_in is None or tokens_out is None or not any(prices):
        return None
    return (tokens_in * prices[0] + tokens_out * prices[1]) / 1_000_000
