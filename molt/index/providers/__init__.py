"""Where vectors come from: the one table of providers, and which one a configuration names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from molt.config import Config
    from molt.index.providers.provider import Provider

REMOTE = ("openai", "gemini", "voyage", "mistral", "ollama")


def load(config: Config, *, seconds: float = 0.0) -> tuple[Provider | None, str]:
    """The provider that a configuration names, or the fallback it names, and why (or empty).

    `seconds` bounds how long a remote one may take for one request; 0 for its own timeout.
    """
    provider, why = _load_named(config, seconds)
    if not why:
        return provider, ""
    return load_fallback(config, why, seconds=seconds)


def load_fallback(config: Config, why: str, *, seconds: float = 0.0) -> tuple[Provider | None, str]:
    """The provider that answers instead of the configured one, and the reason with its name."""
    name = config.embedding_fallback
    if name not in ("none", config.embedding_provider):
        other = config.replace(**_OWN, embedding_provider=name)
        provider, also = _load_named(other, seconds)
        if provider is not None:
            return provider, f"{why}; {name} is used"
        why = f"{why}; {also}"
    return None, f"{why}; keywords only"


# What belongs to the configured provider alone, with the values that mean "its own".
_OWN: dict[str, Any] = {
    "embedding_model": "",
    "embedding_model_path": "",
    "embedding_base_url": "",
    "embedding_api_key_env": "",
    "embedding_headers": (),
    "embedding_dims": 0,
    "embedding_query_prefix": "",
    "embedding_document_prefix": "",
}


def _load_named(config: Config, seconds: float) -> tuple[Provider | None, str]:
    # Whatever is named in the configuration stands in the table: another name is a defect.
    return TABLE[config.embedding_provider](config, seconds)


def _load_none(_config: Config, _seconds: float) -> tuple[Provider | None, str]:
    return None, ""


def _load_fastembed(config: Config, _seconds: float) -> tuple[Provider | None, str]:
    from molt.index.providers import fastembed

    return fastembed.make_or_explain(fastembed.Fastembed, config)


def _load_remote(config: Config, seconds: float) -> tuple[Provider | None, str]:
    from molt import errors
    from molt.index.providers import remote

    try:
        return remote.Remote(config, seconds=seconds), ""
    except errors.Unavailable as error:
        return None, f"{error.message} ({error.hint})" if error.hint else error.message


def _load_static(_config: Config, _seconds: float) -> tuple[Provider | None, str]:
    from molt.index.providers import static

    try:
        return static.Static(), ""
    except (OSError, ValueError) as error:
        return None, f"static model: {error}"


TABLE: dict[str, Callable[[Config, float], tuple[Provider | None, str]]] = {
    "none": _load_none,
    "static": _load_static,
    "fastembed": _load_fastembed,
    **dict.fromkeys(REMOTE, _load_remote),
}
"""How each provider that a configuration may name is loaded."""
