"""The different words of a long text, which are few: what is in none of them is not in the text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONG = 16_384
"""From how many characters on taking a text apart takes less time than searching all of it."""

# As much is taken apart at once: the words of all of a text need ten times its size.
_AT_ONCE = 1 << 18
# What becomes ASCII in lower case: the Kelvin sign, and the Turkish I with a dot.
_LATER_ASCII = "\u212a\u0130"
_ASCII = bytes(range(128)) + b" " * 128
_OTHER = b" " * 128 + bytes(range(128, 256))
_RUN = 4_096
"""More of one character in a row than stands in any word or shape that is looked for."""
_FOLDED = bytes.maketrans(b"123456789", b"0" * 9)
_DIGITS = str.maketrans("123456789", "0" * 9)


def fold_digits(text: str, words: Iterable[str]) -> str:
    """A text with all digits alike and each line once, where that is less than half of it: the
    times and counts of ten thousand memories are a few lines. Behind it stand those of some words
    that hold digits and are in the text, as it is or in lower case.
    """
    data = text.encode("utf-8", "surrogatepass").translate(_FOLDED)
    folded = b"\n".join(dict.fromkeys(data.split(b"\n"))).decode("utf-8", "surrogatepass")
    if len(folded) * 2 > len(text):
        return text
    lower = folded.lower()
    alike = ((word, word.translate(_DIGITS)) for word in words)
    numbered = [(word, shown) for word, shown in alike if shown != word]
    likely = [word for word, shown in numbered if shown in folded or shown in lower]
    whole = text.lower() if likely else ""
    return "\n".join((folded, *(word for word in likely if word in text or word in whole)))


def condense(text: str) -> str:
    """A text that holds what another one holds of ASCII between blanks, each piece once; one that
    is not long is left as it is. What has a blank, or a letter beyond ASCII, is not to be looked
    for in it.
    """
    if len(text) < LONG or any(letter in text for letter in _LATER_ASCII):
        return text
    return _list_pieces(text, _ASCII)


def _list_pieces(text: str, table: bytes) -> str:
    """The different pieces of a text, in which a table makes blanks of all that ends one."""
    found: set[bytes] = set()
    for part in _cut(text):
        found.update(part.encode("utf-8", "replace").translate(table).split())
    return b"\n".join(map(_shorten_runs, found)).decode("utf-8", "replace")


def _shorten_runs(piece: bytes) -> bytes:
    """A piece with fewer of one character in a row, where there are more than anything has that is
    looked for: each of more than a thousand words would be sought in all of them.
    """
    for sign in set(piece) if len(piece) > 2 * _RUN else ():
        run = bytes((sign,)) * _RUN
        while run + run in piece:
            piece = piece.replace(run + run, run)
    return piece


def _cut(text: str) -> Iterator[str]:
    """A text in parts that end where lines do."""
    at = 0
    while at < len(text):
        end = text.find("\n", at + _AT_ONCE) + 1 or len(text)
        yield text[at:end]
        at = end


def find_words(words: tuple[str, ...], text: str, condensed: str) -> set[str]:
    """Which of some words, in lower case, are in a text; each part of one has to be in what the
    text was condensed to before all of it is searched.
    """
    lower = text.lower()
    if condensed is text:
        return {word for word in words if word in lower}
    others = "" if lower.isascii() else _list_pieces(lower, _OTHER)
    pieces = condensed.lower() + others
    likely = {word for word in words if all(part in pieces for part in _split_word(word))}
    return {word for word in likely if (word.isascii() and " " not in word) or word in lower}


def _split_word(word: str) -> list[str]:
    """The parts of a word that stand in one piece: of ASCII, or of letters beyond it."""
    if word.isascii():
        return word.split()
    return word.encode().translate(_OTHER).decode().split()
