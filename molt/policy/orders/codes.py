"""Texts that are written as numbers or in an alphabet for bytes: base64 and base32, hexadecimal,
binary and decimal codes, escapes; and words with no blank between them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BASE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=")
_HEX = frozenset("0123456789abcdefABCDEF")
_BASE32 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567=")
# Runs of base64 or hexadecimal: 24 characters are 18 bytes, and no order is shorter; so much of one
# is read, and so many of a line, that a line of nothing else does not hold a hook up.
_SHORTEST, _LONGEST, _MOST = 24, 3072, 16
_PIECE = 16
"""Characters of each piece of a run that blanks cut."""
_IN_PATHS = "/\\.@="
_FEWEST_JOINED = 5
"""Words that are joined into one: fewer are the name of something."""
FEWEST = 12
"""So many numbers may be a text."""
_BITS, _FIGURES = 8, 3
"""The figures of a letter in binary, and of most in decimal; it has two in hexadecimal."""


def decode(line: str) -> Iterator[str]:
    """The texts that a line stands for in any of these ways."""
    if "&#" in line:
        import html

        yield html.unescape(line)
    if _has_percents(line):
        yield _unquote(line)
    if _has_escapes(line):
        yield line.encode("latin-1", "replace").decode("unicode_escape", "replace")
    pieces = line.split()
    longest = max(map(len, pieces), default=0)
    if longest >= _SHORTEST:
        yield from _decode_runs(line)
        if parted := _part_words(line):
            yield parted
    if longest >= _PIECE and sum([len(piece) == longest for piece in pieces]) > 1:
        yield from _decode_runs(_join_run(pieces))
    if len(pieces) >= FEWEST and sum([piece[0].isdecimal() for piece in pieces]) >= FEWEST:
        yield _decode_numbers(pieces)


def may_be_coded(piece: str) -> bool:
    """Whether a piece of a line, between two blanks, may make it stand for another text; many
    numbers in a row do so, too, and pieces of a run.
    """
    if "&#" in piece or _has_percents(piece) or _has_escapes(piece):
        return True
    return len(piece) >= _SHORTEST and (any(_decode_runs(piece)) or bool(_part_words(piece)))


def may_be_of_run(piece: str) -> bool:
    """Whether a piece of a line may be one of a run of base64 that blanks cut into several."""
    return len(piece) >= _PIECE and _BASE.issuperset(piece)


def _has_escapes(text: str) -> bool:
    return "\\u00" in text or "\\x" in text


def _has_percents(text: str) -> bool:
    """Whether a byte is percent-encoded in a text; after most signs of it stands a blank."""
    return "%" in text and any(map(_is_byte, text.split("%")[1:]))


def _is_byte(part: str) -> bool:
    return len(part) > 1 and _HEX.issuperset(part[:2])


def _unquote(line: str) -> str:
    """A text with what is percent-encoded in it as an address has it."""
    first, *rest = line.split("%")
    found = [first.encode("utf-8", "replace")]
    for part in rest:
        data = part.encode("utf-8", "replace")
        found.append(bytes.fromhex(part[:2]) + data[2:] if _is_byte(part) else b"%" + data)
    return b"".join(found).decode("utf-8", "replace")


def _decode_numbers(pieces: Sequence[str]) -> str:
    """The text of which each number is a character; other words stay."""
    numbers = [piece.strip(",;").removeprefix("0x") for piece in pieces]
    tens = any(len(number) == _FIGURES and number.isdecimal() for number in numbers)
    found = []
    for piece, number in zip(pieces, numbers, strict=True):
        base = 2 if len(number) == _BITS else 10 if tens else 16
        try:
            code = int(number, base)
        except ValueError:
            found.append(f" {piece} ")
            continue
        found.append(chr(code) if 0x20 <= code < 0x7F else " ")
    return "".join(found)


def _part_words(line: str) -> str:
    """The words of a line that have no blank between them: `IgnoreAllRules`, `ignore_all_rules`;
    empty if there are none. Those of an address or a path are none.
    """
    parts = []
    for piece in [one for one in line.split() if len(one) >= _SHORTEST]:
        head = piece[: min((at for at in map(piece.find, _IN_PATHS) if at >= 0), default=None)]
        if len(head) >= _SHORTEST and head.isascii():
            text = head.replace("_", " ").replace("-", " ")
            text = "".join(f" {char}" if char.isupper() else char for char in text)
            if sum(map(str.isalpha, text.split())) >= _FEWEST_JOINED:
                parts += [text, piece[len(head) :]]
    return " ".join(parts)


def _join_run(pieces: Sequence[str]) -> str:
    """The run of base64 that pieces of one length and a last one are; empty if they are none."""
    sizes = [len(piece) for piece in pieces]
    size = max(sizes)
    first = sizes.index(size)
    last = next((at for at in range(first, len(sizes)) if sizes[at] != size), len(sizes))
    joined = "".join(pieces[first : last + 1])
    return joined if last - first > 1 and _BASE.issuperset(joined) else ""


def _decode_runs(line: str) -> Iterator[str]:
    """The texts that long runs of a line stand for in base64, base32 or hexadecimal; of many runs,
    the first.
    """
    found = 0
    start = 0
    for at in range(len(line) + 1):
        if at < len(line) and line[at] in _BASE:
            continue
        if at - start >= _SHORTEST:
            found += 1
            text = _decode_run(line[start : min(at, start + _LONGEST)])
            # What is encoded twice is decoded twice, and no more often.
            if text:
                yield _decode_run(text.strip()) or text
        start = at + 1
        if found >= _MOST:
            return


def _decode_run(run: str) -> str:
    """The text that a run stands for in hexadecimal, base32 or base64; empty if it is not one."""
    import binascii

    try:
        data = bytes.fromhex(run)
    except ValueError:
        body = run.rstrip("=")
        try:
            if _BASE32.issuperset(body) and (text := _show(_decode_base32(body))):
                return text
            body = body.replace("-", "+").replace("_", "/")
            body = body[: len(body) // 4 * 4] if len(body) % 4 == 1 else body
            data = binascii.a2b_base64(body + "=" * (-len(body) % 4))
        except ValueError:
            return ""
    return _show(data)


def _decode_base32(body: str) -> bytes:
    import base64

    whole = body[: len(body) // 8 * 8]
    return base64.b32decode(whole)


def _show(data: bytes) -> str:
    """The text that bytes are in UTF-8; empty if hardly any of it could be shown."""
    text = data.decode("utf-8", "replace")
    shown = sum(char.isprintable() or char in "\n\t" for char in text) - text.count("\ufffd")
    return text.replace("\n", " ") if text and shown * 10 >= len(text) * 9 else ""
