"""Secrets: one table of formats that blocks, one rule that asks, one redaction.

`data/secret_formats.tsv` is the table; `patterns` reads it, `checksums` and `values` say whether
a match is genuine, and `scan` searches. A text without any candidate pays for `prefilter` alone:
the rest is imported when it is needed.
"""

from __future__ import annotations

from molt.policy.secrets.prefilter import has_number, may_contain_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from typing import Any

    Match = tuple[int, int, str]
    """Where a secret begins and ends in a line, and its kind."""

__all__ = ["class_of", "find", "may_contain_secret", "redact", "redact_counted", "search"]

BLOCK, ASK, WARN = "block", "ask", "warn"
CLASSES = (WARN, ASK, BLOCK)
"""How a kind is treated, from the mildest: reported, a question, refused."""
ASSIGNED = ("password", "secret")
"""The kinds of the rule `NAME [=:] VALUE`: nothing but the name tells them."""
_ASKED = frozenset((*ASSIGNED, "bank account"))


def class_of(kind: str, chosen: Iterable[tuple[str, str]] = ()) -> str:
    """Return the class of a kind: the `chosen` one of the settings, else its own."""
    return dict(chosen).get(kind) or (ASK if kind in _ASKED else BLOCK)


def warn_only_kinds(chosen: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the kinds that the settings only report."""
    return frozenset(kind for kind, level in chosen if level == WARN)


def find(line: str) -> tuple[Match, ...]:
    """Return the secrets of a line, in order, without overlaps."""
    return _load_scan().find(line) if may_contain_secret(line) else ()


def search(text: str, *, binary: bool = False) -> Iterator[tuple[int, tuple[Match, ...]]]:
    """Yield each row of a text that holds secrets, by its number from 0, with its matches.

    In a `binary` only formats with a prefix of four characters or more count: among random
    bytes everything else turns up.
    """
    scan = _load_scan()
    return scan.search(text, least_prefix=scan.MARKED if binary else 0)


def redact(text: str) -> str:
    """Return a text with `[KIND]` in the place of each secret."""
    return redact_counted(text)[0]


def redact_counted(text: str, kept: Container[str] = ()) -> tuple[str, int]:
    """Return what `redact` does, with the `kept` kinds left in, and the number of replacements."""
    return _load_scan().redact(text, kept) if may_contain_secret(text) else (text, 0)


def has_card_number(text: str) -> bool:
    """Return whether a text has the number of a payment card, one of a manual or not."""
    return has_number(text.encode("ascii", "replace")) and _load_scan().has_card_number(text)


def _load_scan() -> Any:
    # Hardly any text needs it (a quarter of a hook's imports).
    from molt.policy.secrets import scan

    return scan
