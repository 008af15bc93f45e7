"""A message as sentences of words, without what is quoted, code or a log."""

from __future__ import annotations

from molt.memory.triggers import pattern
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

HIDDEN = "\ufffc"
"""Stands for each character of what is quoted, so that it is a word that nobody looks for."""
_PAIRS = {"“": "”", "«": "»", "「": "」", "『": "』", "《": "》", '"': '"', "`": "`", "'": "'"}
_FENCES = ("```", "~~~")
_INNER = ".?!"
_LINE = "\0"
"""The word that stands for the end of a line."""
_ENDS = frozenset((".", "!", "?", "。", "！", "？", _LINE))
_FOLDED = dict(
    zip(map(ord, "’‘ʼ，：；（）、…～\u00a0\u3000–—＂"), "''',:;(),.~  --\"", strict=True)
)
_LONGEST_QUOTE = 2_000
"""Characters: without a bound each mark that has no pair has the rest of the line read."""
_LONGEST_SINGLE = 200
"""An apostrophe that opens something closes it soon, or it is one of a dialect."""


class Spaced(dict[int, str]):
    """What `str.translate` puts for a character: signs and wide characters stand alone."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = f" {char} " if pattern.is_wide(char) else char
        return self[code]


_SPACED = Spaced({ord(char): f" {char} " for char in ',:;()[]{}<>|~*"。！？'})
_SPACED[ord("\n")] = f" {_LINE} "
_SPACED.update(dict.fromkeys(map(ord, "\r\t\v\f"), " "))


class SentenceSpan(Value):
    """Words from `first` to `stop`, and whether they end with a question mark."""

    first: int
    stop: int
    asked: bool


class Utterance(Value):
    """A text as it is compared (`plain`, as long as the text), its words as they stand there, and
    as they are compared: without apostrophes.
    """

    plain: str
    written: list[str]
    words: list[str]

    def find_places(self, stop: int) -> list[tuple[int, int]]:
        """Where in the text each of the first words begins and ends, up to the word `stop`."""
        found: list[tuple[int, int]] = []
        at = 0
        for word in self.written[: stop + 1]:
            at = self.plain.index("\n" if word == _LINE else word, at)
            found.append((at, at + len(word)))
            at += len(word)
        return found


def fold_text(text: str, same: Mapping[int, str]) -> str:
    """A text in small letters, with one form of each sign; every character keeps its place."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    lower = lower.replace(_LINE, " ")
    return lower if lower.isascii() else put_chars(put_chars(lower, _FOLDED), same)


def put_chars(text: str, table: Mapping[int, str | None]) -> str:
    """What `str.translate` gives. That asks for each character of a wide script anew, which takes
    twice as long as all else; of those that a table has, a text has few.
    """
    codes = table.keys() & set(map(ord, set(text)))
    put = {chr(code): table[code] or "" for code in codes}
    if any(char in put for other in put.values() for char in other):
        # What one puts another one would take: all at once, then.
        return text.translate(table)
    for char, other in put.items():
        text = text.replace(char, other)
    return text


def split_words(plain: str) -> Utterance:
    """The words of a folded text. Each sign and each wide character is one; so are a dot and the
    marks of questions and calls, but within a word, as in an address.
    """
    spaced = f"{plain.translate(_SPACED)} "
    for mark in _INNER:
        spaced = spaced.replace(f"{mark} ", f" {mark} ")
    written = spaced.split()
    words = [word.replace("'", "") or word for word in written] if "'" in plain else written
    return Utterance(plain, written, words)


def split_sentences(words: Sequence[str]) -> Iterator[SentenceSpan]:
    """The sentences of a message, in order. A line ends one, but for one that ends with a colon."""
    first = 0
    for at, word in enumerate(words):
        if word in _ENDS and not (word == _LINE and at and words[at - 1] == ":"):
            if at > first:
                yield SentenceSpan(first, at, word in "?？")
            first = at + 1
    if first < len(words):
        yield SentenceSpan(first, len(words), asked=False)


def hide_quotes(plain: str, *, in_fence: bool = False) -> str:
    """A folded text with `HIDDEN` for what is quoted, code or a log; line breaks stay."""
    lines = plain.split("\n")
    for at, line in enumerate(lines):
        fence = line.lstrip().startswith(_FENCES) and line.count(line.lstrip()[:3]) == 1
        if fence or in_fence or is_foreign(line):
            lines[at] = HIDDEN * len(line)
            in_fence ^= fence
        elif any(opening in line for opening in _PAIRS):
            lines[at] = _hide_pairs(line)
    return "\n".join(lines)


def is_foreign(line: str) -> bool:
    """Whether a line is indented code, a quotation, or of a log."""
    if line.startswith(("    ", "\t", ">", "$ ", "info:", "warn", "error:", "debug:", "trace:")):
        return True
    if line[:1] == "[":
        return line[1:3].isdigit()
    return line[:2].isdigit() and (line[2:3] == ":" or (line[2:4].isdigit() and line[4:5] in "-/"))


def _hide_pairs(line: str) -> str:
    """A line with what stands in quotation marks hidden; a mark without its pair quotes nothing."""
    parts: list[str] = []
    done = 0
    for start, char in enumerate(line):
        if start < done or char not in _PAIRS:
            continue
        stop = _find_apostrophe(line, start) if char == "'" else _find_closing(line, start)
        if stop > start:
            parts += (line[done:start], HIDDEN * (stop + 1 - start))
            done = stop + 1
    return "".join((*parts, line[done:]))


def _find_closing(line: str, start: int) -> int:
    return line.find(_PAIRS[line[start]], start + 1, start + _LONGEST_QUOTE)


def _find_apostrophe(line: str, start: int) -> int:
    """Where what the apostrophe at `start` opens is closed; -1 where it opens nothing."""
    if (start and line[start - 1].isalnum()) or not line[start + 1 : start + 2].isalnum():
        return -1
    stop = line.find("'", start + 2, start + _LONGEST_SINGLE)
    while stop >= 0 and (line[stop - 1].isspace() or line[stop + 1 : stop + 2].isalnum()):
        stop = line.find("'", stop + 1, start + _LONGEST_SINGLE)
    return stop
