"""What a provider of vectors is, and what tells its vectors from others."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol
else:
    Protocol = object


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


def fingerprint(provider: Provider | None) -> str:
    """What vectors must have in common to be compared."""
    return f"{identity(provider)}:{provider.dims}" if provider else "none"


def identity(provider: Provider) -> str:
    """The provider, its model, and what else tells its vectors from others."""
    return f"{provider.name}:{provider.model}{provider.variant}"
