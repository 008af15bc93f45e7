"""What stands for another text: letters of other scripts, digits for letters, spaced-out words,
base64, hexadecimal, escapes, and characters that nobody sees.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Letters that look like those of ASCII, of Cyrillic, Armenian and Greek (Unicode's confusables).
_ALIKE = (
    ("\u0430\u0441\u0435\u04bb\u0456\u0458\u043e\u0440\u0455\u0501\u0443", "acehijopsdy"),
    ("\u051b\u0445\u051d\u04af\u0578\u0585", "qxwyno"),
    ("\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03c9", "aeiknoptuxw"),
    ("\u03f2", "c"),
    ("\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420", "ABCEHIJKMOP"),
    ("\u0405\u0422\u0425\u0423", "STXY"),
    ("\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1", "ABEZHIKMNOP"),
    ("\u03a4\u03a5\u03a7", "TYX"),
    ("\u0261\u0131\u0251", "gia"),
)
_LIKE = {other: plain for row in _ALIKE for other, plain in zip(*row, strict=True)}
_LETTERS = str.maketrans(
    {**_LIKE, **{chr(0xFF01 + at): chr(0x21 + at) for at in range(94)}, "\u3000": " "}
)
_DIGITS = str.maketrans("013457@$", "oieastas")
_DIGITED = ("1gn0", "ign0r", "1gnor", "pr0mpt", "1nstr", "syst3m", "5yst", "d1sreg", "f0rg3t")
_SPACED = ("g n o r e", "p r o m p t", "n s t r u c", "g-n-o-r-e", "g.n.o.r.e", "s y s t e m")
_SPACED_2 = ("g_n_o_r_e", "n-s-t-r", "n.s.t.r", "r e g a r d", "n_s_t_r", "f o r g e t")
_ROTATED = ("vtaber", "qvfertneq", "cerivbhf vafgehpgvba", "flfgrz cebzcg")
_ROT13 = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM",
)
_BACKWARDS = ("erongi", "snoitcurtsni", "tpmorp metsys", "drager")
_ENTITIES = ("&#", "%20", "\\u00", "\\x")
_SIGNS = (*_DIGITED, *_SPACED, *_SPACED_2, *_ROTATED, *_BACKWARDS, *_ENTITIES)
_BASE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=")
# Runs of base64 or hexadecimal: 24 characters are 18 bytes, and no order is shorter; so much of one
# is read, and so many of a line, that a line of nothing else does not hold a hook up.
_SHORTEST, _LONGEST, _MOST = 24, 3072, 16
_TAGS = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_UNSEEN = dict.fromkeys((0xAD, 0x34F, *range(0x200B, 0x2010), *range(0x2060, 0x2070), 0xFEFF))


def may_mask(text: str, lower: str) -> bool:
    """Whether a text, also given in lower case, has any sign of a disguise; most have none."""
    if not text.isascii() or _has_run(text):
        return True
    for sign in _SIGNS:  # noqa: SIM110 `any` of a generator takes twice as long
        if sign in lower:
            return True
    return False


def _has_run(text: str) -> bool:
    """Whether a word of a text is long enough to be an order in base64 or hexadecimal."""
    return max(map(len, text.split()), default=0) >= _SHORTEST


def unmask(line: str) -> Iterator[str]:
    """The other texts that a line can stand for, one for each way in which it may be disguised."""
    if not line.isascii():
        plain = line.translate(_UNSEEN).translate(_TAGS).translate(_LETTERS)
        if plain != line:
            yield plain
            line = plain
    lower = line.lower()
    if any(sign in lower for sign in _DIGITED):
        yield lower.translate(_DIGITS)
    if any(sign in lower for sign in (*_SPACED, *_SPACED_2)):
        yield _join_letters(lower)
    if any(sign in lower for sign in _ROTATED):
        yield line.translate(_ROT13)
    if any(sign in lower for sign in _BACKWARDS):
        yield line[::-1]
    if any(sign in lower for sign in _ENTITIES):
        yield from _unescape(line)
    if _has_run(line):
        yield from _decode_runs(line)


def _join_letters(text: str) -> str:
    """A text in which spaced-out letters are joined into words; words are further apart, or
    separated by another sign.
    """
    for sign in "-._":
        if f"g{sign}n{sign}o" in text or f"n{sign}s{sign}t" in text:
            return text.replace(sign, "")
    words = text.replace("   ", "\0").replace("  ", "\0").split("\0")
    joined = ("".join(word.split(" ")) if _is_spaced(word) else word for word in words)
    return " ".join(joined)


def _is_spaced(word: str) -> bool:
    parts = word.split(" ")
    return len(parts) > 2 and sum(len(part) == 1 for part in parts) > len(parts) // 2


def _unescape(line: str) -> Iterator[str]:
    if "&#" in line:
        import html

        yield html.unescape(line)
    if "%20" in line:
        yield _unquote(line)
    if "\\u00" in line or "\\x" in line:
        yield line.encode("latin-1", "replace").decode("unicode_escape", "replace")


def _unquote(line: str) -> str:
    """A text with what is percent-encoded in it as an address has it."""
    first, *rest = line.split("%")
    found = [first.encode("utf-8", "replace")]
    for part in rest:
        data = part.encode("utf-8", "replace")
        try:
            found.append(bytes.fromhex(part[:2]) + data[2:])
        except ValueError:
            found.append(b"%" + data)
    return b"".join(found).decode("utf-8", "replace")


def _decode_runs(line: str) -> Iterator[str]:
    """The texts that long runs of a line stand for in base64 or hexadecimal; of many runs, the
    first.
    """
    found = 0
    start = 0
    for at in range(len(line) + 1):
        if at < len(line) and line[at] in _BASE:
            continue
        if at - start >= _SHORTEST:
            found += 1
            text = _decode_run(line[start : min(at, start + _LONGEST)])
            if text:
                yield text
        start = at + 1
        if found >= _MOST:
            return


def _decode_run(run: str) -> str:
    """The text that a run stands for in base64 or hexadecimal; empty if it is not one."""
    import binascii

    try:
        data = bytes.fromhex(run)
    except ValueError:
        body = run.rstrip("=").replace("-", "+").replace("_", "/")
        body = body[: len(body) // 4 * 4] if len(body) % 4 == 1 else body
        try:
            data = binascii.a2b_base64(body + "=" * (-len(body) % 4))
        except (binascii.Error, ValueError):
            return ""
    text = data.decode("utf-8", "replace")
    shown = sum(char.isprintable() or char in "\n\t" for char in text) - text.count("\ufffd")
    return text.replace("\n", " ") if text and shown * 10 >= len(text) * 9 else ""
