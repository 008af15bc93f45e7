"""Secrets: one table of formats that blocks, one rule that asks, one redaction.

`data/secret_formats.tsv` is the table; `patterns` reads it, `checksums` and `values` say whether
a match is genuine, and `scan` searches. A text without any candidate pays for `prefilter` alone:
the rest is imported when it is needed.
"""

from __future__ import annotations

from molt.policy.secrets.prefilter import may_contain_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

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
    return tuple(match for _, matches in search(line) for match in matches)


def search(text: str, *, binary: bool = False) -> Iterator[tuple[int, tuple[Match, ...]]]:
    """Yield each row of a text that holds secrets, by its number from 0, with its matches.

    In a `binary` only formats with a prefix of four characters or more count: among random
    bytes everything else turns up.
    """
    if may_contain_secret(text):
        from molt.policy.secrets import scan

        yield from scan.search(text, least_prefix=scan.MARKED if binary else 0)


def redact(text: str) -> str:
    """Return a text with `[KIND]` in the place of each secret."""
    return redact_counted(text)[0]


def redact_counted(text: str, kept: Container[str] = ()) -> tuple[str, int]:
    """Return what `redact` does, with the `kept` kinds left in, and the number of replacements."""
    if not may_contain_secret(text):
        return text, 0
    whole, count = _redact_blocks(text)
    rows = whole.split("\n")
    for at, matches in search(whole):
        line, parts, last = rows[at], [], 0
        for start, end, kind in matches:
            if kind not in kept:
                parts += [line[last:start], f"[{kind}]"]
                last = end
                count += 1
        rows[at] = "".join((*parts, line[last:]))
    return "\n".join(rows), count


_BEGIN, _END = "-----BEGIN ", "-----END "


def _redact_blocks(text: str) -> tuple[str, int]:
    """Return a text without private keys between lines of hyphens, and how many there were."""
    parts, last, count = [], 0, 0
    at = text.find(_BEGIN)
    while at >= 0:
        stop = at + len(_BEGIN)
        if "PRIVATE KEY" in text[at : at + 64].partition("\n")[0]:
            closing = text.find(_END, at)
            stop = text.find("-----", closing + len(_END)) + 5 if closing >= 0 else len(text)
            stop = stop if stop > 4 else len(text)
            parts += [text[last:at], "[private key]"]
            last = stop
            count += 1
        at = text.find(_BEGIN, stop)
    return "".join((*parts, text[last:])), count
