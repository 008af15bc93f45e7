"""Where vectors come from: what a provider is, and which one a configuration names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from molt.config import Config
else:
    Protocol = object

REMOTE = ("openai", "gemini", "voyage", "mistral", "ollama")
_MANY = 8


class Provider(Protocol):
    """Turns texts into vectors; `latin_only` says that it knows no other script, `variant`
    what besides the model tells its vectors from others. Both methods raise
    `errors.Unavailable` where a remote one cannot be had.
    """

    name: str
    model: str
    variant: str
    latin_only: bool

    @property
    def dims(self) -> int:
        """How many components its vectors have."""

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One normalised int8 vector of `dims` bytes for each text; empty for no meaning."""

    def query(self, text: str) -> bytes:
        """The vector of what is searched for."""


def load(config: Config, *, seconds: float = 0.0) -> tuple[Provider | None, str]:
    """The provider that a configuration names, or the fallback it names, and why (or empty).

    `seconds` bounds how long a remote one may take for one request; 0 for its own timeout.
    """
    provider, why = _one(config, seconds)
    if not why:
        return provider, ""
    return fallback(config, why, seconds=seconds)


def fallback(config: Config, why: str, *, seconds: float = 0.0) -> tuple[Provider | None, str]:
    """The provider that answers instead of the configured one, and the reason with its name."""
    name = config.embedding_fallback
    if name not in ("none", config.embedding_provider):
        other = config.replace(**_OWN, embedding_provider=name)
        provider, also = _one(other, seconds)
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


def _one(config: Config, seconds: float) -> tuple[Provider | None, str]:
    name = config.embedding_provider
    if name == "none":
        return None, ""
    if name == "fastembed":
        return _fastembed(config)
    if name in REMOTE:
        return _remote(config, seconds)
    return _static()


def _fastembed(config: Config) -> tuple[Provider | None, str]:
    from molt.index import fastembed

    return fastembed.made(fastembed.Fastembed, config)


def _remote(config: Config, seconds: float) -> tuple[Provider | None, str]:
    from molt import errors
    from molt.index import remote

    try:
        return remote.Remote(config, seconds=seconds), ""
    except errors.Unavailable as error:
        return None, f"{error.message} ({error.hint})" if error.hint else error.message


def _static() -> tuple[Provider | None, str]:
    from molt.index import static

    try:
        return static.Static(), ""
    except (OSError, ValueError) as error:
        return None, f"static model: {error}"


def fingerprint(provider: Provider | None) -> str:
    """What vectors must have in common to be compared."""
    return f"{identity(provider)}:{provider.dims}" if provider else "none"


def identity(provider: Provider) -> str:
    """The provider, its model, and what else tells its vectors from others."""
    return f"{provider.name}:{provider.model}{provider.variant}"


def quantise(values: Sequence[float]) -> bytes:
    """A vector as int8, scaled to its largest component; empty for a zero vector."""
    import array

    largest = max(map(abs, values), default=0.0)
    if not largest:
        return b""
    scale = 127 / largest
    return array.array("b", [round(value * scale) for value in values]).tobytes()


def quantise_all(rows: Sequence[Sequence[float]]) -> list[bytes]:
    """Many vectors of one length; NumPy does it where it is installed and they are many."""
    if len(rows) < _MANY:
        return [quantise(row) for row in rows]
    try:
        import numpy as np
    except ImportError:
        return [quantise(row) for row in rows]
    values = np.asarray(rows, np.float32)
    largest = np.abs(values).max(axis=1)
    scale = 127 / np.where(largest > 0, largest, 1)
    small = np.rint(values * scale[:, None]).astype(np.int8)
    return [row.tobytes() if top > 0 else b"" for row, top in zip(small, largest, strict=True)]
