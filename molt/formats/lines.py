"""Lossless lines of a text: their ends, splices, what fits on one line."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import AnyStr

BOM = "\ufeff"
# With so many characters a comparison begins; it doubles while all is the same, up to what Python
# makes room for without asking the system.
_STEP, _MOST = 1 << 12, 1 << 16
_JOINERS = "\u200c\u200d"


def detect_newline(text: str) -> str:
    """How the lines of a text end: CRLF if its first line does, else LF."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def split_lines(text: str) -> list[str]:
    """The lines with their ends; `"".join` gives the text back. Only LF ends a line."""
    parts = text.split("\n")
    ended = [f"{part}\n" for part in parts[:-1]]
    return [*ended, parts[-1]] if parts[-1] else ended


def bare_lines(text: str) -> list[str]:
    """The lines of a text without their ends."""
    rows = text.split("\n")
    if not rows[-1]:
        rows.pop()
    return [row.removesuffix("\r") for row in rows] if "\r" in text else rows


def strip_newline(line: str) -> str:
    """A line without its end."""
    return line.removesuffix("\n").removesuffix("\r")


def is_control(char: str) -> bool:
    """Whether a character is a control, breaks a line, or fits in no UTF-8 or YAML text.

    Joiners and marks of any script are none, and what is not assigned yet is none either.
    """
    code = ord(char)
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000:
        return True
    return code in (0x2028, 0x2029, 0xFFFE, 0xFFFF)


def one_line(text: str) -> str:
    """The text on one line: controls become spaces, and runs of spaces one."""
    if not text.isprintable():
        text = "".join(" " if is_control(char) else char for char in text)
    # Almost every text is one already.
    if "  " not in text:
        return text.strip(" ")
    return " ".join(part for part in text.split(" ") if part)


def count_same(old: AnyStr, new: AnyStr, starts: tuple[int, int], most: int) -> int:
    """How many characters, or bytes, from two places of two texts on are the same, up to `most`."""
    (i, j), done, step = starts, 0, _STEP
    while done < most and old[i + done : i + done + step] == new[j + done : j + done + step]:
        done, step = done + step, min(step * 2, _MOST)
    low, high = min(done, most), min(done + step, most)
    while low < high:
        middle = (low + high + 1) // 2
        if old[i + low : i + middle] == new[j + low : j + middle]:
            low = middle
        else:
            high = middle - 1
    return low


def splice_lines(text: str, start: int, stop: int, new: Sequence[str]) -> str:
    """The text with lines `start` to `stop` (from 0, exclusive) replaced by bare lines `new`.

    The new lines get the newline of the file. Where they replace the last line and it had no
    end, the new last line has none either; where they follow it, it is ended first.
    """
    old, end = split_lines(text), detect_newline(text)
    fresh = [f"{line}{end}" for line in new]
    if stop >= len(old) and old and not old[-1].endswith("\n"):
        if start >= len(old) and fresh:
            old[-1] += end
        if fresh:
            fresh[-1] = fresh[-1].removesuffix(end)
        elif start > 0 and start < len(old):
            old[start - 1] = strip_newline(old[start - 1])
    return "".join((*old[:start], *fresh, *old[stop:]))


def escape_text(text: str, kept: str = "") -> str:
    """A text for a terminal: what a file holds or is called may not steer it, but by what is
    `kept`. The joiners stay behind what is not ASCII: Persian is written with them, and emoji.
    """
    if text.isprintable():
        return text
    return "".join(
        char
        if char.isprintable() or char in kept or (char in _JOINERS and before > "\x9f")
        else f"\\x{ord(char):02x}"
        for before, char in zip(" " + text, text, strict=False)
    )


def render_hint(hint: str) -> str:
    """What helps, for a terminal: indented below what is wrong, each way on in its own line. What
    stands between backticks is a command, and stays whole.
    """
    parts = escape_text(hint).split("`")
    parts[::2] = [one.replace("; or ", "\n      or ") for one in parts[::2]]
    return f"      {'`'.join(parts)}"
