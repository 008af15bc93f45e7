"""What molt puts into a conversation, marked: in a transcript it is known again, and not taken for
somebody's words.
"""

from __future__ import annotations

from molt import trees

_OPEN, _CLOSE, _END = "<!-- molt:memory ", "<!-- /molt:memory ", " -->"
_SIZE = 16  # letters of a checksum: 64 bits, which nobody meets by chance


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
    at = 0
    while (start := text.find(_OPEN, at)) >= 0:
        head = start + len(_OPEN)
        mark = text[head : head + _SIZE]
        if not (mark.isalnum() and text.startswith(_END, head + _SIZE)):
            # No mark of ours: it stays what somebody wrote.
            kept.append(text[at:head])
            at = head
            continue
        kept.append(text[at:start])
        close = f"{_CLOSE}{mark}{_END}"
        end = text.find(close, head)
        at = len(text) if end < 0 else end + len(close)
    return "".join((*kept, text[at:])).strip("\n")
