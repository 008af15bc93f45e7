"""What is told by its form: turns of a conversation and calls of tools that are made up, images
whose addresses carry something away, and orders where no reader of a page sees them.
"""

from __future__ import annotations

import re

from molt.policy.orders import likeness
from molt.policy.orders.verdicts import FORGES, HIDDEN, LEAKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FORGED = re.compile(
    r"<(?:\w+:)?(?:function_calls?|tool_calls?|tool_use|invoke)\b[^>]{0,80}>\s*(?:<|\{)"
    r"|<(?:assistant|human|tool_(?:results?|response|output))>\s{0,8}\w"
    r"|<(?:\w+:)?invoke name=|\btool_calls?\W{1,4}\[\s*\{"
    r"|<\|(?:im_start|start_header_id)\|>\s*(?:system|developer|assistant|user)\b"
    r"|<\|/?(?:system|sys)(?:\|?>|\b[^>]{0,20}\|>)|<<sys>>|</?(?:system|sys)\b[^>]{0,20}\|>"
)
# What programs and their manuals write, too, so that what stands in it has to read like an order.
_MESSAGE = re.compile(
    r"\"role\"\s*:\s*\"(?:system|developer)\"[^}]{0,40}\"content\"\s*:\s*\"([^\"]{24,1000})"
    r"|</?(?:system|sys)>([^<]{0,1000})|\[inst\]\s*(?:<<sys>>)?([^\[]{1,1000})"
)
_IMAGE = re.compile(
    r"!\[[^\]]{0,200}\]\(\s*<?https?://[^)\s]{1,400}(?:\{\{?|%7b|\$\{|<|\[)[^)]{0,60}(?:memor|"
    "secret|key|token|password|conversation|prompt|history|data|user|context|message|summary|"
    "insert|your)"
)
# Comments, hidden elements, titles of links, alternative texts, reference links that show nothing.
_UNSEEN = re.compile(
    r"<!--(.{0,2000}?)(?:-->|$)|<[a-z]\w{0,12}\b[^<>]{0,200}?(?:display\s*:\s*none|"
    r"visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt)?\b|(?:left|top|indent)\s*:\s*-\d{3}|opacity\s*:\s*0(?!\.[1-9])|"
    r"color\s*[:=]\s*[\"']?(?:white|#fff(?:fff)?\b|transparent)|"
    r"\bhidden\b)[^<>]{0,200}>(.{1,2000}?)(?:</|$)"
    r"|\]\(\s*<?[^)\s]{0,500}>?\s+[\"'(](.{1,500}?)[\"')]\s*\)"
    r"|!\[([^\]]{1,500})\]\(|\[(?://|comment|_)[^\]]{0,20}\]\s*:\s*\S{1,80}\s+[\"(](.{1,500})"
    r"|\b(?:alt|title|aria-label|data-[a-z-]{1,20})\s*=\s*[\"'](.{1,500}?)[\"']"
)
_SHOWN = re.compile(r"`[^`]{1,500}`|\"[^\"]{1,500}\"")
_TRUST = 0.85
"""The share of the bound that is enough where no reader sees a text: who hides it means it."""


def explain_form(lower: str) -> str:
    """What a line in lower case does by its form, in words; empty for nothing."""
    if _forges_turn(lower):
        return FORGES
    if _IMAGE.search(lower):
        return LEAKS
    unseen = any(likeness.is_like_order(part, _TRUST) for part in _list_unseen(lower))
    return HIDDEN if unseen else ""


def _forges_turn(lower: str) -> bool:
    """Whether a line makes up a turn or a call. What is shown as code or in quotation marks may do
    so to explain it, and does it only where that reads like an order.
    """
    parts = [next(filter(None, found.groups()), "") for found in _MESSAGE.finditer(lower)]
    if _FORGED.search(lower):
        if _FORGED.search(_SHOWN.sub(" ", lower)):
            return True
        parts += [_FORGED.sub(" ", shown) for shown in _SHOWN.findall(lower)]
    return any(likeness.is_like_order(part, _TRUST) for part in parts)


def _list_unseen(lower: str) -> Iterator[str]:
    """The parts of a line that no reader of the page sees."""
    for found in _UNSEEN.finditer(lower):
        yield next(filter(None, found.groups()), "")
