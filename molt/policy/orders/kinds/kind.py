"""One kind of order to an agent: what tells of it, how it is worded, an example each way; and the
words that many patterns share.
"""

from __future__ import annotations

from molt.values import Value


class OrderKind(Value):
    """A way to give orders to who reads: one of `words` (between `|`) stands in it."""

    name: str
    words: str
    pattern: str
    example: str
    harmless: str


AGENT = (
    r"(?:assistant|agent|ai|a\.i\.|llm|model|language model|bot|chatbot|claude|chatgpt|copilot|"
    "gemini|openclaw|moltbot|codex)"
)
RULES = (
    r"(?:guidelines|guidance|rules|instructions|directives|system prompt|prompt|polic(?:y|ies)|"
    r"restrictions|programming|constraints|safeguards|guardrails)"
)
OWNER = r"(?:user|human|owner|operator|person|principal)"
REPLY = r"(?:answers?|repl(?:y|ies)|responses?|messages?|outputs?|summar(?:y|ies)|conversations?)"
QUIET = (
    r"(?:silently|quietly|secretly|covertly|hide|conceal|without (?:asking|telling|saying|a word)|"
    r"(?:do not|don'?t|never) (?:mention|tell|say|reveal|show|ask)|say nothing|unnoticed)"
)
DEED = (
    r"(?:send|forward|upload|post|run|execute|delete|remove|add|install|transfer|pay|approve|push|"
    r"merge|disable|call|open|fetch|download|write|copy|grant|share|email|reveal|print|give|leak|"
    r"commit|append|insert|change|replace|wipe)"
)
BEGINS = r"(?:^|[.!?:;,*>#\-\]\[(\"“]\s*|\b(?:please|now|then|and|must|should|you|first|also) )"
