"""The entries of one kind in decay-scores.json as bytes, in which one is found by halving."""

from __future__ import annotations

from molt.formats.meta import scores

_HEAD, _, _TAIL = scores.EMPTY.partition("}")
_NAME = '\n    "'
_MARK, _END = _NAME.encode(), b"\n    }"


def keep_kind(text: str, kind: str) -> bytes | None:
    """The entries of one kind as they stand, and others that stand among them; None where they do
    not stand one below the other, in order, as `scores.render_scores` puts them.
    """
    close, mark = text.find("\n  }"), f"{_NAME}{kind}:"
    if not text.startswith(_HEAD + _NAME) or close < 0:
        return None
    first = text.find(mark, 0, close)
    if first < 0:
        return b""
    end = text.find(_END.decode(), text.rfind(mark, 0, close), close)
    part = text[first:end].encode("utf-8", "replace") + _END
    names = [row.partition(b'": ')[0] for row in part.split(_MARK)[1:]]
    return part if end >= 0 and names == sorted(names) else None


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
