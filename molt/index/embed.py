"""Where vectors come from: what a provider is, and which one a configuration names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from molt.config import Config
else:
    Protocol = object


class Provider(Protocol):
    """Turns texts into vectors; `latin_only` says that it knows no other script."""

    name: str
    model: str
    dims: int
    latin_only: bool

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One normalised int8 vector of `dims` bytes for each text; empty for no meaning."""


def load(config: Config) -> tuple[Provider | None, str]:
    """The provider that a configuration names, and why there is none or another (or empty)."""
    if config.embedding_provider == "none":
        return None, ""
    if config.embedding_provider == "fastembed":
        from molt.index import fastembed

        try:
            return fastembed.Fastembed(config), ""
        except (ImportError, ValueError, OSError) as error:
            reason = f"fastembed: {error}; the static model is used"
            provider, missing = _static()
            return provider, missing or reason
    return _static()


def _static() -> tuple[Provider | None, str]:
    from molt.index import static

    try:
        return static.Static(), ""
    except (OSError, ValueError) as error:
        return None, f"static model: {error}; keywords only"


def fingerprint(provider: Provider | None) -> str:
    """What vectors must have in common to be compared."""
    return f"{provider.name}:{provider.model}:{provider.dims}" if provider else "none"


def quantise(values: Sequence[float]) -> bytes:
    """A vector as int8, scaled to its largest component; empty for a zero vector."""
    import array

    largest = max(map(abs, values), default=0.0)
    if not largest:
        return b""
    scale = 127 / largest
    return array.array("b", [round(value * scale) for value in values]).tobytes()
