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


_SIGNS = ',:;()[]{}<>|~*"。！？'
_SURE_ENDS = "。！？\n"
"""The marks that end a sentence wherever they stand."""
_ALONE = frozenset(f"{_SIGNS} \n")
"""Characters that are no part of a longer word, beside the wide ones."""
_SPACED = Spaced({ord(char): f" {char} " for char in _SIGNS})
_SPACED[ord("\n")] = f" {_LINE} "
_SPACED.update(dict.fromkeys(map(ord, "\r\t\v\f"), " "))


class Utterance(Value):
    """A sentence: the words from `first` to `stop` of a part of a text, and whether it ends with a
    question mark. `plain` is that part as it is compared (as long as it is), `offset` the character
    of the text that it begins with, `written` its words as they stand there, `words` as they are
    compared: without apostrophes.
    """

    plain: str
    offset: int
    written: list[str]
    words: list[str]
    first: int
    stop: int
    asked: bool

    def find_places(self) -> list[tuple[int, int]]:
        """Where in the text each word begins and ends, up to the mark of this sentence."""
        found: list[tuple[int, int]] = []
        at = 0
        for word in self.written[: self.stop + 1]:
            at = self.plain.index("\n" if word == _LINE else word, at)
            found.append((self.offset + at, self.offset + at + len(word)))
            at += len(word)
        return found


class FoldedText(Value):
    """A text in small letters, with one form of each sign, and the characters that it has."""

    plain: str
    chars: frozenset[str]

    def put(self, table: Mapping[int, str | None]) -> FoldedText:
        """This text as `str.translate` gives it. That asks for each character of a wide script
        anew, which takes twice as long as all else; of those that a table has, a text has few.
        """
        put = {char: table[ord(char)] or "" for char in self.chars if ord(char) in table}
        plain = self.plain
        if any(char in put for other in put.values() for char in other):
            # What one puts another one would take: all at once, then.
            plain = plain.translate(table)
        else:
            for char, other in put.items():
                plain = plain.replace(char, other)
        return FoldedText(plain, (self.chars - put.keys()).union(*put.values()))


def fold_text(text: str, same: Mapping[int, str]) -> FoldedText:
    """A text as it is compared; every character keeps its place."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    lower = lower.replace(_LINE, " ")
    folded = FoldedText(lower, frozenset(lower))
    return folded if lower.isascii() else folded.put(_FOLDED).put(same)


def read_sentences(hidden: str, chars: frozenset[str], offset: int) -> Iterator[Utterance]:
    """The sentences of a text whose quotations are hidden, in order. `chars` are those that the
    text may have, `offset` is where it begins.
    """
    joined = {char for char in chars if char not in _ALONE and not pattern.is_wide(char)}
    joined.add(HIDDEN)
    for part in _split_parts(hidden):
        if joined.isdisjoint(part):
            words = [*part.replace(" ", "").replace("\n", _LINE)]
            stop = len(words)
            if stop and words[-1] in _ENDS:
                stop -= 1
            if stop:
                yield Utterance(part, offset, words, words, 0, stop, words[-1] == "？")
        else:
            written, words = split_words(part)
            for first, stop, asked in _split_sentences(words):
                yield Utterance(part, offset, written, words, first, stop, asked)
        offset += len(part)


def _split_parts(hidden: str) -> Iterator[str]:
    """The parts of a text, none of which has words of a sentence of another one."""
    if hidden.isascii():
        yield hidden
        return
    for mark in _SURE_ENDS:
        hidden = hidden.replace(mark, mark + _LINE)
    kept = ""
    for part in hidden.split(_LINE):
        kept += part
        # A line that ends with a colon goes on.
        if part[-1:] != "\n" or part[:-1].rstrip()[-1:] != ":":
            yield kept
            kept = ""


def split_words(plain: str) -> tuple[list[str], list[str]]:
    """The words of a folded text, and those words without apostrophes. Each sign and each wide
    character is one; so are a dot and the marks of questions and calls, but within a word, as in
    an address.
    """
    spaced = f"{plain.translate(_SPACED)} "
    for mark in _INNER:
        spaced = spaced.replace(f"{mark} ", f" {mark} ")
    written = spaced.split()
    words = [word.replace("'", "") or word for word in written] if "'" in plain else written
    return written, words


def _split_sentences(words: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """The sentences of some words: first word, last one, whether they end with a question mark. A
    line ends one, but for one that ends with a colon.
    """
    first = 0
    for at, word in enumerate(words):
        if word in _ENDS and not (word == _LINE and at and words[at - 1] == ":"):
            if at > first:
                yield first, at, word in "?？"
            first = at + 1
    if first < len(words):
        yield first, len(words), False


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
