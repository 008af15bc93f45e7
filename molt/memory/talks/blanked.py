"""What was forgotten for good, made unreadable in the conversations that the clone keeps."""

from __future__ import annotations

import json
import os
import re

from molt.memory.talks import transcripts
from molt.repo import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.repo.repository import Repo

_LEAST = 4
"""Letters of a value that tell it from others: a shorter one is in most turns."""
_BLANK = b"."
_MARKS = ",;:.!?()*_`'\"。！？"
"""What may stand between the words of one who says it again, or not."""
_BETWEEN = rb"(?:[\s,;:.!?()*_`'-]|\\[ntr\"])+"
_BEGIN, _END = rb"(?:(?<![A-Za-z0-9])|(?<=\\[ntr]))", rb"(?![A-Za-z0-9])"


def blank_values(repo: Repo, values: Sequence[str], asked: str = "") -> int:
    """Put dots, as many bytes, in the place of some values in the transcripts that molt keeps, in
    any case of their letters and with any marks between their words, and of what was `asked` to be
    forgotten, where that stands as words of its own; gives how many there were. Raises Failed.

    No line moves, so that who appends meanwhile, and what was noted of how far one was read, are
    not disturbed.
    """
    pattern = _make_pattern(values, asked)
    if pattern is None:
        return 0
    folder, count = os.path.join(repo.molt_dir, transcripts.KEPT), 0
    try:
        with os.scandir(folder) as found:
            # A link leads to what is not ours, and a pipe is waited for.
            names = sorted(one.name for one in found if one.is_file(follow_symlinks=False))
    except OSError:
        return 0
    for name in names:
        if name.endswith((".jsonl", transcripts.SHARED)):
            count += _blank_file(os.path.join(folder, name), pattern)
    return count


def _make_pattern(values: Sequence[str], asked: str) -> re.Pattern[bytes] | None:
    """What a value looks like within a text of JSON, as it is or with its letters escaped."""
    ways = set(filter(None, map(_match_words, values)))
    if own := _match_words(asked):
        ways.add(_BEGIN + own + _END if asked.isascii() else own)
    if not ways:
        return None
    return re.compile(b"|".join(sorted(ways, reverse=True)), re.IGNORECASE)


def _match_words(value: str) -> bytes:
    """The pattern of the words of a value; empty for one that is too short to tell."""
    parts = [part for piece in value.split() if (part := piece.strip(_MARKS))]
    if len("".join(parts)) < _LEAST:
        return b""
    return _BETWEEN.join(b"".join(map(_match_letter, part)) for part in parts)


def _match_letter(letter: str) -> bytes:
    """What a letter looks like within a text of JSON; that of ASCII its pattern has in any case."""
    cases = (letter,) if letter.isascii() else (letter, letter.lower(), letter.upper())
    found = {json.dumps(one, ensure_ascii=flag)[1:-1] for one in cases for flag in (True, False)}
    ways = [re.escape(one.encode("utf-8", "surrogatepass")) for one in sorted(found)]
    return b"(?:%s)" % b"|".join(ways) if len(ways) > 1 else ways[0]


def _blank_file(path: str, pattern: re.Pattern[bytes]) -> int:
    try:
        with open(path, "r+b") as file:
            data, count = file.read(), 0
            for found in pattern.finditer(data):
                before = data[max(0, found.start() - 64) : found.start()]
                if (len(before) - len(before.rstrip(b"\\"))) % 2:
                    # The end of an escape: `\n` before `ow` says no `now`.
                    continue
                file.seek(found.start())
                file.write(_BLANK * (found.end() - found.start()))
                count += 1
            file.flush()
            os.fsync(file.fileno())
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise disk.unwritable_error(path, error) from error
    return count
