"""Orders to an agent to give something away, or to have a tool do it."""

from __future__ import annotations

import re

_DEST = (
    r"(?:https?://|www\.|\S+@\S+\.\w|webhook|ftp://|pastebin|gist\b|discord|telegram|(?:this|the|"
    r"my|our|that|following|external|remote|attacker'?s?) (?:\w+ )?(?:server|url|address|endpoint|"
    "site|host|link))"
)
_LOOT = (
    r"(?:memor(?:y|ies)|vault|secrets?|(?:api |ssh |private |access |signing )?keys?\b|tokens?|"
    "credentials|passwords?|passphrases?|conversations?|(?:chat|message|browsing) (?:history|"
    r"logs?)|\.env\b|env(?:ironment)?(?: variables?| vars?)?\b|system prompt|instructions|"
    r"cookies?|inbox|personal (?:data|information|details)|id_rsa|\{\{|contacts|context window|"
    r"whole context|notes about the user|soul\.md|memory\.md|user\.md|home address)"
)
LEAK = re.compile(
    r"(?:^|[.!?:;,*>#\-(\])“\"']\s*|\b(?:please|must|should|and|then|now|also|to|shall|first|you|"
    "can|just|need to|will|,) )(?:send|post|upload|forward|email|e-mail|mail|transmit|"
    "exfiltrate|leak|copy|publish|submit|deliver|relay|push|ship|report|attach|dump|share|"
    "encode|paste|put|write|append|include|embed|transfer|sync|pipe|"
    rf"base64)\b(?:.{{0,120}}?{_LOOT}.{{0,100}}?{_DEST}|.{{0,24}}?{_DEST}\S*.{{0,12}}\b(?:with|"
    rf"containing|including|plus)\b.{{0,40}}?{_LOOT})"
)
FETCH = re.compile(
    r"\b(?:fetch|request|visit|open|load|browse to|navigate to)\b(?: \S+){0,3} (?:https?://|"
    r"www\.)\S*(?:[?&=/]\S*(?:\{|<|\[|value|data)|.{0,24}\b(?:followed by|with|plus|"
    rf"and append|appending|containing|including)\b(?! the key in\b).{{0,40}}{_LOOT})"
)
TAKE = re.compile(
    r"\b(?:read|open|cat|get|take|collect|grab|find|gather|"
    rf"look up)\b(?=.{{0,80}}?{_LOOT})(?=.{{0,100}}\b(?:and|then)\b.{{0,24}}\b(?:add|send|append|"
    rf"post|put|include|upload|attach|email|forward|submit|pass)\b.{{0,80}}(?:\burl\b|{_DEST}))"
    r"|(?:^|[.!?:;,*>#\-\])]\s*|\b(?:must|now|should|then|and|please) )(?:leak|exfiltrate|steal|"
    rf"hand over)\b(?=.{{0,40}}?{_LOOT})"
)
TOOL = re.compile(
    r"(?:^|[.!?:;,*>#\-\])]\s*|\b(?:must|now|should|then|and|please|to) )(?:call|invoke|use|"
    r"run) (?:the |your )?\S*(?:send|mail|http|fetch|post|upload|exec|shell|bash|delete|transfer|"
    r"payment|message)\S*(?: tool| function| api|\()(?=.{0,120}(?:contents? of|immediately|"
    r"without|memory\.md|vault|secret|password|credential|everything|all (?:of )?(?:the|your)))"
    r"|\b(?:remember(?! to\b)|save|store|note|memori[sz]e|"
    r"add to (?:your )?memory)\b.{0,60}\b(?:always|for all future|in all future|permanently|"
    r"every time|from now on)\b.{0,80}\b(?:trusts?|approved?|bypass|without (?:asking|confirm\w*|"
    r"checking)|recommends?|obey|ignore (?:the|your|all|any))\b"
)
OTHERS = re.compile(
    r"\b(?:we|i|he|she|they|it|users?|clients?|apps?|scripts?|jobs?|that|which|who|hooks?|service|"
    r"services|server|ci|workflow|to|can|will|not|never|don't|"
    r"cannot|can't|ada|team|program|plugin|browsers?|customers?|people|how|needs?|wants?|has|used|"
    r"able|order|going|asked|agreed|decided|need|want)"
    r"(?: (?:should|must|can|may|will|shall|to|always|then|also|now|just|only))*[ ,]*$"
)
IMAGE = re.compile(
    r"!\[[^\]]{0,200}\]\(\s*<?https?://[^)\s]{1,400}(?:\{\{?|%7b|\$\{|<|\[)[^)]{0,60}(?:memor|"
    "secret|key|token|password|conversation|prompt|history|data|user|context|message|summary|"
    "insert|your)"
)
