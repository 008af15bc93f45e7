"""Which language model routes and reflects: a person decides, and `molt.yaml` has it."""

from __future__ import annotations

from urllib.parse import urlsplit

from molt import config, errors
from molt.formats import message as messages
from molt.memory import workspace
from molt.memory.consents import wishes
from molt.memory.consents.consent import LLM
from molt.memory.engines import chat, llm
from molt.memory.govern import edited_settings
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.config import Config
    from molt.memory.engines.llm import Reply
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree

_TRIAL: dict[str, Any] = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
_SECONDS = 60.0


class ModelChoice(Value):
    """An endpoint and its model: the provider (the form of the API, `none` for no model), the
    model's name, the address and the name of the variable with the key, empty for the provider's
    own.
    """

    provider: str
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""


def try_model(settings: Config, choice: ModelChoice) -> Reply:
    """Return the answer of a model to a question of a few tokens.

    Raises Usage for a choice without a model or a key, and Unavailable where no answer comes.
    """
    if choice.base_url and not _is_address(choice.base_url):
        hint = "such as https://HOST/v1, without user, query or fragment"
        raise errors.Usage(f"{choice.base_url!r} is not the address of an API", hint)
    tried = _apply(settings, choice).replace(llm_timeout=_SECONDS, llm_max_tokens=256)
    prompt = chat.Prompt("You answer with JSON.", 'Answer with {"ready": true}.', _TRIAL)
    return llm.ask(tried, prompt)


def set_model(ws: Workspace, choice: ModelChoice, *, dry_run: bool = False) -> Written[str]:
    """Commit which model routes and reflects, with the consent of this clone to its address; `made`
    is the provider before.

    Raises Refused for an actor who is not a person, Failed for settings in a form that cannot be
    edited, and what a write raises.
    """
    workspace.require_person(ws, "choose the language model")
    provenance = messages.Provenance("manual", "—", "molt setup model")
    values = {
        "provider": "" if choice.provider == "none" else choice.provider,
        "model": choice.model,
        "base_url": choice.base_url,
        "api_key_env": choice.api_key_env,
    }

    def make_change(tree: Tree) -> Change[str]:
        after = edited_settings.edit_settings(tree, "llm", values)
        action = "EDIT" if tree.entry(config.PATH) else "CREATE"
        summary = f"language model: {choice.provider} {choice.model}".rstrip()
        text = messages.render(
            action, config.PATH, summary, provenance, body=messages.CRITICAL_NOTICE
        )
        return Change({config.PATH: after.encode()}, text, ws.config.llm_provider)

    if not dry_run:
        asked = wishes.list_wishes(ws.repo, _apply(ws.config, choice))
        wishes.give_consent(ws.repo, [one for one in asked if one.name == LLM])
    return ws.commit(make_change, actor="manual", dry_run=dry_run)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    plain = not (parts.query or parts.fragment or parts.username or parts.password)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and plain


def _apply(settings: Config, choice: ModelChoice) -> Config:
    return settings.replace(
        llm_provider=choice.provider,
        llm_model=choice.model,
        llm_base_url=choice.base_url,
        llm_api_key_env=choice.api_key_env,
    )
