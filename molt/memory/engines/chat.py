"""The two shapes in which models are asked: OpenAI's chat and Anthropic's messages."""

from __future__ import annotations

from molt import errors, http
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

SCHEMA, OBJECT, TEXT = "schema", "object", "text"
"""How a server is told what to answer: by a schema, as any JSON object, in the prompt alone."""
_VERSION = "2023-06-01"
_NAME = "answer"


class Prompt(Value):
    """What a model is asked: its part, the text, and the JSON schema of the answer, an object.
    `check` says why an answer cannot be used; empty where it can. Where it need
    not be `whole`, one that was cut off for its length is an answer too.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    check: Callable[[object], str] | None = None
    whole: bool = True


class Terms(Value):
    """With what a model is asked: its name, most tokens of an answer, and whether the address is
    the provider's own.
    """

    model: str
    most: int
    own: bool


class Said(Value):
    """What a model said: an object that the server had parsed already, or a text; the tokens, -1
    where the server does not count them; and whether it was cut off for its length.
    """

    value: object
    text: str
    model: str
    tokens_in: int
    tokens_out: int
    cut: bool = False


class ChatApi(Value):
    """What is particular about one API. `forms` are its ways to bind an answer, the best first;
    `ask(prompt, terms, form)` gives the body of a request, `read(answer)` what was said.
    """

    base_url: str
    key_env: str
    path: str
    forms: tuple[str, ...]
    auth: Callable[[str], dict[str, str]]
    ask: Callable[[Prompt, Terms, str], dict[str, Any]]
    read: Callable[[Any], Said]


def _ask_openai(prompt: Prompt, terms: Terms, form: str) -> dict[str, Any]:
    messages = [
        {"role": "system", "content": _describe_task(prompt, form)},
        {"role": "user", "content": prompt.user},
    ]
    # OpenAI's newer models refuse the old name, and other servers do not know the new one.
    most = "max_completion_tokens" if terms.own else "max_tokens"
    body: dict[str, Any] = {"model": terms.model, "messages": messages, most: terms.most}
    if form == SCHEMA:
        # `strict` would have every property required, and no lengths.
        schema = {"name": _NAME, "strict": False, "schema": prompt.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif form == OBJECT:
        body["response_format"] = {"type": "json_object"}
    return body


def _ask_anthropic(prompt: Prompt, terms: Terms, form: str) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": terms.model,
        "max_tokens": terms.most,
        "system": _describe_task(prompt, form),
        "messages": [{"role": "user", "content": prompt.user}],
    }
    if form == SCHEMA:
        body["tools"] = [
            {"name": _NAME, "description": "Give the answer.", "input_schema": prompt.schema}
        ]
        body["tool_choice"] = {"type": "tool", "name": _NAME}
    return body


def _describe_task(prompt: Prompt, form: str) -> str:
    """The system's prompt; what no server binds is said in words."""
    if form == SCHEMA:
        return prompt.system
    import json

    schema = json.dumps(prompt.schema, ensure_ascii=False)
    order = "Answer with one JSON object, and nothing else, of this schema:"
    return f"{prompt.system}\n\n{order}\n{schema}"


def _read_openai(answer: Any) -> Said:
    choice = answer["choices"][0]
    message = choice["message"]
    cut = _is_cut(choice.get("finish_reason"), message.get("refusal"))
    text = _join_parts(message.get("content"))
    calls = message.get("tool_calls") or ()
    if not text and calls:
        text = calls[0]["function"]["arguments"]
    value = text if isinstance(text, dict) else None
    said = text if isinstance(text, str) else ""
    return _make_said(answer, (value, said), ("prompt_tokens", "completion_tokens")).replace(
        cut=cut
    )


def _read_anthropic(answer: Any) -> Said:
    blocks = answer["content"]
    cut = _is_cut(answer.get("stop_reason"), None)
    value = next((one["input"] for one in blocks if one["type"] == "tool_use"), None)
    said = _join_parts(blocks)
    return _make_said(answer, (value, said), ("input_tokens", "output_tokens")).replace(cut=cut)


def _is_cut(reason: object, refusal: object) -> bool:
    """Whether the model did not answer to the end. Raises Failed where it refuses to answer."""
    if refusal or reason in ("content_filter", "refusal"):
        said = f": {str(refusal)[:200]}" if refusal else ""
        raise errors.Failed(f"the model refuses{said}", "ask another model, or none")
    return reason in ("length", "max_tokens")


def _join_parts(content: Any) -> Any:
    """A content as one text; it may be a list of parts, of which some are texts."""
    if not isinstance(content, list):
        return content or ""
    texts = (part.get("text") for part in content if part.get("type") in ("text", "output_text"))
    return "".join(text for text in texts if isinstance(text, str))


def _make_said(answer: Any, content: tuple[object, str], names: tuple[str, str]) -> Said:
    usage = answer.get("usage")
    sent, given = (_read_count(usage, name) for name in names)
    model = answer.get("model")
    return Said(*content, model if isinstance(model, str) else "", sent, given)


def _read_count(usage: object, name: str) -> int:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else -1


def _anthropic_headers(key: str) -> dict[str, str]:
    return {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}


SHAPES = {
    "openai": ChatApi(
        base_url="https://api.openai.com/v1",
        key_env="OPENAI_API_KEY",
        path="/chat/completions",
        forms=(SCHEMA, OBJECT, TEXT),
        auth=http.bearer_header,
        ask=_ask_openai,
        read=_read_openai,
    ),
    "anthropic": ChatApi(
        base_url="https://api.anthropic.com/v1",
        key_env="ANTHROPIC_API_KEY",
        path="/messages",
        # A tool that must be called is its way of a schema.
        forms=(SCHEMA, TEXT),
        auth=_anthropic_headers,
        ask=_ask_anthropic,
        read=_read_anthropic,
    ),
}
"""By the names that `llm.provider` takes."""
