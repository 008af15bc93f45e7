"""How sure it is that something is a secret, and what follows from that."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

BLOCK, ASK, WARN = "block", "ask", "warn"
LEVELS = (WARN, ASK, BLOCK)
"""The classes, from the mildest."""
_PLACED = ("password in a command", "password in a call", "key in an address")
_TOLD = ("password", "secret", "PIN", "recovery code", *_PLACED)
_HIDDEN = ("secret in another coding", "secret in pieces")
_ASKED = (*_TOLD, *_HIDDEN, "credentials in a header", "bank account")
"""What only the words beside it tell, or what is no secret by itself; all other kinds have a form
or a checksum of their own.
"""
KINDS = {
    # Who lets others in is to remember how, and it opens nothing from afar.
    "code of a lock": WARN,
    **dict.fromkeys(_ASKED, ASK),
    **dict.fromkeys(("card number", "seed of a wallet", "private key of a wallet"), BLOCK),
    **dict.fromkeys(("password in a URL", "private key"), BLOCK),
}


def list_told(chosen: Iterable[tuple[str, str]] = ()) -> frozenset[str]:
    """The kinds that are said and never refused, where some kinds have a `chosen` class."""
    ranked = {**KINDS, **dict(chosen)}
    return frozenset(kind for kind, rank in ranked.items() if rank == WARN)


def rank_kind(kind: str, chosen: Iterable[tuple[str, str]] = ()) -> str:
    """The class of a kind: the `chosen` one, else that which it is by itself."""
    return dict(chosen).get(kind) or KINDS.get(kind, BLOCK)
