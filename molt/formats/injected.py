"""What molt puts into a conversation, marked: in a transcript it is known again, and not taken for
somebody's words.
"""

from __future__ import annotations

from molt import trees

_OPEN, _CLOSE, _END = "<!-- molt:memory ", "<!-- /molt:memory ", " -->"
_SIZE = 16


def wrap_block(text: str) -> str:
    """A text between two marks that hold its hash; empty for an empty one. What stands within
    cannot name the hash, and so not end the block: it would have to hold its own hash.
    """
    body = text.strip("\n")
    if not body:
        return ""
    mark = trees.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:_SIZE]
    return f"{_OPEN}{mark}{_END}\n{body}\n{_CLOSE}{mark}{_END}\n"


def strip_blocks(text: str) -> str:
    """A text without the blocks that molt has put into it; of one that is cut, all to its end."""
    if _OPEN not in text:
        return text
    kept: list[str] = []
    head, found, rest = text.partition(_OPEN)
    while found:
        kept.append(head)
        mark = rest[:_SIZE]
        if len(mark) == _SIZE and rest[_SIZE:].startswith(_END) and mark.isalnum():
            rest = rest.partition(f"{_CLOSE}{mark}{_END}")[2]
        else:
            # No mark of ours: it stays what somebody wrote.
            kept.append(_OPEN)
        head, found, rest = rest.partition(_OPEN)
    return "".join((*kept, head)).strip("\n")
