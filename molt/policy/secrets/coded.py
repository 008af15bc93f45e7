"""What a line says in another coding: in base 64, in hex, in percent signs, in pieces."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

    Decoded = tuple[str, tuple[int, ...]]
    """A text, and where in the line each of its characters stands."""

_RUN = r"[A-Za-z0-9+/_-]{40,}={0,2}"
_QUOTED = r"(?:[A-Za-z0-9_.~:/?&=+@-]|%[0-9A-Fa-f]{2}){8,}"
_CALLS = ("join(", "concat(")
_SIGNS = (" + ", "+", " ", " . ", " .. ", "..", " & ")
JOINTS = (*_CALLS, *(f"{quote}{sign}{quote}" for quote in "\"'`" for sign in _SIGNS))
"""What stands between the parts of a text that a program writes in parts, or calls to join them."""
_BOLD = r"\*\*"
_SIGN = r"[\"'`] {0,2}(?:\+|\.{1,2}|&)? {0,2}[\"'`]"
_COMMA = r"[\"'`], ?[\"'`]"
_HEX = frozenset("0123456789abcdefABCDEF")


def decode_runs(line: str) -> Iterator[tuple[str, Span]]:
    """The texts in ASCII that runs of base 64 or hex stand for, each with its place."""
    import re

    for run in re.finditer(_RUN, line):
        text = _decode(run.group())
        if text:
            yield text, run.span()


def _decode(run: str) -> str:
    """What a run stands for; empty if that is no text, as that of a picture or a hash."""
    from binascii import Error, a2b_base64

    try:
        if _HEX.issuperset(run):
            found = bytes.fromhex(run).decode("ascii")
        else:
            plain = run.rstrip("=").replace("-", "+").replace("_", "/")
            found = a2b_base64(plain + "=" * (-len(plain) % 4)).decode("ascii")
    except (Error, ValueError):
        return ""
    found = " ".join(found.split())
    return found if found.isprintable() else ""


def decode_percents(line: str) -> Iterator[tuple[str, Span]]:
    """The texts that runs with percent signs stand for, each with its place."""
    import re

    for run in re.finditer(_QUOTED, line):
        if "%" in run.group():
            parts = run.group().split("%")
            # Of what is no ASCII the rest still stands apart.
            more = (chr(int(one[:2], 16) & 127) + one[2:] for one in parts[1:])
            found = "".join((parts[0], *more))
            yield "".join(char if char.isprintable() else " " for char in found), run.span()


def join_pieces(line: str) -> Decoded:
    """A line without what parts a word: marks of bold type, or the quotes and signs between the
    parts of a text in a program.
    """
    import re

    called = any(call in line for call in _CALLS)
    joints = f"{_BOLD}|{_SIGN}|{_COMMA}" if called else f"{_BOLD}|{_SIGN}"
    kept: list[int] = []
    last = 0
    for joint in re.finditer(joints, line):
        kept += range(last, joint.start())
        last = joint.end()
    kept += range(last, len(line))
    return "".join(map(line.__getitem__, kept)), tuple(kept)
