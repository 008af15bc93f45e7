"""decay-scores.json whose entries stand in order, so that one is found by halving."""

from __future__ import annotations

from molt.formats.meta import score_changes, scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    Entry = Mapping[str, Any]

_HEAD, _, _TAIL = scores.EMPTY.partition("}")
_NAME, _CLOSE = '\n    "', "\n  }"
_MARK, _END = _NAME.encode(), b"\n    }"


def is_ordered(text: str) -> bool:
    """Whether a text is scores with one entry below the other, each name once and in order, and a
    line for each of its fields; of none, or with an escape, it is not. It reads all of it.
    """
    close = text.find(_CLOSE)
    if not text.startswith(_HEAD + _NAME) or close < 0 or text.find(_CLOSE, close + 1) >= 0:
        return False
    if "\\" in text or "\r" in text:
        return False
    try:
        data = score_changes.load_once(text)
    except ValueError:
        return False
    # The text begins with an object of entries.
    entries = data["entries"]
    pieces = text[len(_HEAD) : close].split(_NAME)[1:]
    # A nested field, or two on a line, would be another number of lines.
    plain = all(
        isinstance(entry, dict)
        and piece.endswith(("\n    },", "\n    }"))
        and piece.count("\n") == len(entry) + 1
        for piece, entry in zip(pieces, entries.values(), strict=False)
    )
    names = [piece.partition('"')[0] for piece in pieces]
    return plain and names == list(entries) == sorted(names)


def find_entries(text: str, memories: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The entries of some memories in a text that is ordered."""
    close = text.rfind(_CLOSE)
    spans = {memory: _find_span(text, memory, close) for memory in memories}
    return {memory: _read_span(text, span) for memory, span in spans.items() if span[0] < span[1]}


def list_kind(text: str, kind: str) -> dict[str, dict[str, Any]]:
    """The entries of a kind in a text that is ordered."""
    close = text.rfind(_CLOSE)
    at, _ = _find_span(text, f"{kind}:", close)
    found: dict[str, dict[str, Any]] = {}
    while text.startswith(f"{_NAME}{kind}:", at):
        end = _find_end(text, at, close)
        found[text[at + len(_NAME) : text.find('"', at + len(_NAME))]] = _read_span(text, (at, end))
        at = end
    return found


def edit_entries(text: str, entries: Mapping[str, Entry | None]) -> str:
    """A text that is ordered with some entries replaced, added, or for None removed. So is what
    it gives, as long as names have no escapes; every other byte stays.
    """
    close, last = text.rfind(_CLOSE), len(_HEAD)
    pieces: list[str] = []
    for memory in sorted(entries):
        entry, (at, end) = entries[memory], _find_span(text, memory, close)
        pieces.append(text[last:at].removesuffix(","))
        if entry is not None:
            pieces.append(f"\n    {scores.quote_name(memory)}: {scores.render_entry(entry)}")
        last = end
    pieces.append(text[last:close])
    rows = [row for piece in pieces if piece for row in (piece, ",")]
    if not rows:
        return _HEAD + text[close + len(_CLOSE) - 1 :]
    return "".join((_HEAD, *rows[:-1], text[close:]))


def _find_span(text: str, memory: str, close: int) -> tuple[int, int]:
    """Where the entry of a memory begins and ends, with its comma; twice where it would begin."""
    name = scores.quote_name(memory)[1:-1]
    low, high = len(_HEAD), close
    while low < high:
        at = text.rfind(_NAME, low, (low + high) // 2 + len(_NAME))
        end = _find_end(text, at, close)
        found = text[at + len(_NAME) : text.find('"', at + len(_NAME))]
        if found == name:
            return at, end
        low, high = (end, high) if found < name else (low, at)
    return low, low


def _find_end(text: str, at: int, close: int) -> int:
    end = text.find(_NAME, at + 1, close)
    return close if end < 0 else end


def _read_span(text: str, span: tuple[int, int]) -> dict[str, Any]:
    return scores.parse_entry(text[slice(*span)].removesuffix(",").removesuffix("\n    }"))


def keep_kind(text: str, kind: str) -> bytes | None:
    """The entries of one kind as they stand, and others that stand among them; None where they do
    not stand one below the other, in order, as `scores.render_scores` puts them.
    """
    close, mark = text.find("\n  }"), f"{_NAME}{kind}:"
    if not text.startswith(_HEAD + _NAME) or close < 0 or scores.hides_letters(text):
        return None
    first, last = text.find(mark, 0, close), text.rfind(mark, 0, close)
    # What says the name of one elsewhere may be an entry that stands otherwise.
    if text.count(mark, 0, close) != text.count(f'"{kind}:'):
        return None
    if first < 0:
        return b""
    end = text.find(_END.decode(), last, close)
    part = text[first:end].encode("utf-8", "replace") + _END
    names = [row.partition(b'": {\n')[0] for row in part.split(_MARK)[1:]]
    plain = part.count(b'": {\n') == len(names) and names == sorted(names)
    return part if end >= 0 and plain else None


def cut_entry(part: bytes, memory: str, start: int = 0) -> str:
    """The text of a file with one entry alone, of those that `keep_kind` gave, which begin at
    `start`; of an empty file where it has none.
    """
    name = scores.quote_name(memory)[1:-1].encode("utf-8", "replace")
    low, high = start, len(part)
    while low < high:
        at = part.rfind(_MARK, low, (low + high) // 2 + len(_MARK))
        end = part.find(b'": ', at)
        found = part[at + len(_MARK) : end]
        if found == name:
            entry = part[at : part.find(_END, at) + len(_END)].decode("utf-8", "replace")
            return f"{_HEAD}{entry}\n  }}{_TAIL}"
        following = part.find(_MARK, end, high)
        low, high = (high if following < 0 else following, high) if found < name else (low, at)
    return scores.EMPTY
