"""What is told by its form: turns and calls of tools that are made up, orders in the voice of the
agent itself; and a line that has the parts of an order, said to who reads it.
"""

from __future__ import annotations

import re

from molt.policy.orders import word_lists
from molt.policy.orders.pattern_sets import PatternSet

_LONGEST = 1200
"""Of a longer line the parts stand too far apart to be one order."""
# Pieces overlap by a third: an order at the border of one is whole in the next.
_STEP = 800
_ELSE = re.compile(
    r"\b(?:we|i|she|he|they|ada|ben|users?|people|attackers?|our \w+|the (?:paper|talk|page|readme|"
    r"report|filter|importer|job|app|docs?|tests?|team)|nobody|customers?)\b[^.;:!?]{0,30}$"
)
_FAKES = re.compile(
    r"<(?:\w+:)?(?:function_calls?|tool_calls?|tool_use|invoke)\b[^>]{0,80}>\s*(?:<|\{)"
    r"|<(?:\w+:)?invoke name=|\btool_calls?\W{1,4}\[\s*\{"
    r"|\"role\"\s*:\s*\"(?:system|developer)\"[^}]{0,40}\"content\"\s*:\s*\"[^\"]{24,}"
    r"|<\|(?:im_start|start_header_id)\|>\s*(?:system|developer)\s*(?:<\|end_header_id\|>)?\s*\w+ "
    r"|\[inst\]\s*[a-z]+ [a-z]+ |\b(?:human|user)\s*:[^\n]{0,200}?\bassistant\s*:[^\n]{0,60}"
    r"\bi (?:have been cleared|will now|am now|shall now|have now|have (?:full |your )?"
    r"(?:permission|approval|leave) to)\b"
    r"|</?\w+>\s{0,3}(?:system|developer|admin|operator)\s*: \w+ \w+"
    r"|#{2,3} (?:response|assistant)\s*:?\s.{0,40}\bi (?:will|shall|am going to) (?:now )?"
    r"(?:bypass|ignore|send|delete|push|disable|skip|reveal)"
    r"|(?:^|[.:;!?,]\s*)(?:please )?(?:quietly|secretly|silently|covertly|discreetly) "
    r"(?:send|forward|swap|replace|change|add|insert|delete|remove|move|transfer|pay|approve|"
    r"copy|upload|disable|grant|install|share) (?:the|your|all|every|any|a) "
    r"|\bi(?:'ll| will| shall| am going to) now (?:bypass|ignore|disregard|override) "
    r"(?:the |all |my ){0,2}(?:\w+ )?(?:rules|confirm\w*|instructions|approval|guardrails|safety|"
    r"restrictions)"
    r"|\"(?:next_action|next_step|instruction|required_action)s?\"\s*:\s*\"[^\"]{0,40}\b(?:call|"
    r"send|run|execute|invoke|upload|delete|forward)\b"
    r"|\b(?:treat|regard|consider|handle)\b[^;!?]{0,80}\b(?:as if|as though|like)\b[^;!?]{0,40}"
    r"\b(?:from|came from|made by|approved by) (?:the |your )?(?:owner|user|operator|human|"
    r"developer)\b(?! of|'s)"
    r"|\b(?:commands?|instructions?|orders) (?:found |written |contained )?in (?:files?|documents|"
    r"notes|memor\w+|web ?pages?|emails?)\b[^.]{0,24}"
    r"\b(?<!never )(?<!not )(?:to be|must be|should be|shall be) (?:carried "
    r"out|executed|followed|obeyed)"
    r"|\b(?:as if|as though|pretend|act like|assume)\b(?: that)?(?: the| a)?(?: user| owner| human|"
    r" confirmation| approval| permission)\b[^.;]{0,24}\b(?:typed|said|agreed|confirmed|approved|"
    r"given|granted|clicked|consented)\b"
    r"|\b(?:repeat|print|recite|output|show|quote)\b[^.;]{0,24}\b(?:everything|all|what|text|words)"
    r"\b"
    r"[^.;]{0,30}\b(?:above|before) (?:the |this )(?:first |user|message|conversation|chat)"
    r"|^\W{0,6}(?:dear |hey |hi )?(?:assistant|ai|claude|chatgpt|copilot|gemini|agent|bot)[,!] "
    r"(?:the "
    r"next time|next time|when|whenever|if|from now|always|never|please|you|do|kindly) "
    r"|\b(?:whichever|whatever|any|every) (?:agent|assistant|model|ai|bot|llm)\b[^.;]{0,40}\b"
    r"(?:here|"
    r"this)\b[^.;]{0,12}(?::|\b(?:must|should|shall|has to|needs to))"
    r"|<(?:assistant|ai|bot)>\W{0,3}\w+[^<]{0,80}\bi(?: will|'ll| have| shall) "
    r"|<(?:tool|function)_(?:result|response|output)s?>[^<]{0,120}\b(?:proceed|now|next|wipe|delete|"
    r"send|execute)\b|^\W{0,4}\[(?:admin|system|root|operator)\]\W{0,3}\w+ [^.]{0,80}\b(?:secrets?|"
    r"logs?|vault|session|credentials)\b"
    r"|^\W{0,8}(?:your|whatever you)\b[^.]{0,60}\b(?:purpose|role|mission|loyalty)\b[^.]{0,40}\b"
    r"(?:changed|is now|was to|no longer)\b"
)
_FORMS = PatternSet(_FAKES)


def is_ordered(text: str, *, veiled: bool = False) -> bool:
    """Whether a line in lower case, with single blanks, has all parts of some order; of one that
    was `veiled`, as by base64, the parts of less.
    """
    if len(text) > _LONGEST:
        pieces = (text[at : at + _LONGEST] for at in range(0, len(text), _STEP))
        return any(is_ordered(piece, veiled=veiled) for piece in pieces)
    padded = f" {text} "
    places = word_lists.find_parts(padded, veiled=veiled)
    if any(not _ELSE.search(padded[:at].strip()) for at in places):
        return True
    return bool(_FORMS.find_likely(text)) and _FAKES.search(text) is not None
