"""Orders to an agent to give something away, or to have a tool do it."""

from __future__ import annotations

import re

_DEST = (
    r"(?:https?://|www\.|\S+@\S+\.\w|webhook|ftp://|pastebin|gist\b|discord|telegram|(?:this|the|my"
    r"|our|that|following|external|remote|attacker'?s?) (?:\w+ )?(?:server|url|address|endpoint|sit"
    r"e|host|link))"
)
_LOOT = (
    r"(?:memor(?:y|ies)|vault|secrets?|(?:api |ssh |private |access |signing )?keys?\b|tokens?|cre"
    r"dentials|passwords?|passphrases?|"
    r"conversations?|(?:chat|message|browsing) (?:history|logs?)|\.env\b|env(?:ironment)?(?: varia"
    r"bles?| vars?)?\b|system prompt|"
    r"instructions|cookies?|inbox|personal (?:data|information|details)|id_rsa|\{\{|contacts|conte"
    r"xt window|whole context|notes about the user|soul\.md|memory\.md|user\.md|home address)"
)
LEAK = re.compile(
    r"(?:^|[.!?:;,*>#\-(\])“\"']\s*|\b(?:please|must|should|and|then|now|also|to|shall|first|you|c"
    r"an|just|need to|will|,) )"
    r"(?:send|post|upload|forward|email|e-mail|mail|transmit|exfiltrate|leak|copy|publish|submit|d"
    r"eliver|relay|push|ship|report|attach|dump|share|encode|paste|"
    rf"put|write|append|include|embed|transfer|sync|pipe|base64)\b(?:.{{0,120}}?{_LOOT}.{{0,100}}?"
    rf"{_DEST}|.{{0,24}}?{_DEST}\S*.{{0,12}}\b(?:with|containing|including|plus)\b.{{0,40}}?"
    rf"{_LOOT})"
)
FETCH = re.compile(
    r"\b(?:fetch|request|visit|open|load|browse to|navigate to)\b(?: \S+){0,3} (?:https?://|www\.)"
    r"\S*"
    rf"(?:[?&=/]\S*(?:\{{|<|\[|value|data)|.{{0,24}}\b(?:followed by|with|plus|and append|appendin"
    rf"g|containing|including)\b(?! the key in\b).{{0,40}}{_LOOT})"
)
TAKE = re.compile(
    rf"\b(?:read|open|cat|get|take|collect|grab|find|gather|look up)\b(?=.{{0,80}}?{_LOOT})(?=."
    rf"{{0,100}}\b(?:and|then)\b.{{0,24}}\b(?:add|send|append|post|put|include|upload|attach|"
    rf"email|forward|submit|pass)\b.{{0,80}}(?:\burl\b|{_DEST}))"
    rf"|(?:^|[.!?:;,*>#\-\])]\s*|\b(?:must|now|should|then|and|please) )(?:leak|exfiltrate|steal|h"
    rf"and over)\b(?=.{{0,40}}?{_LOOT})"
)
TOOL = re.compile(
    r"(?:^|[.!?:;,*>#\-\])]\s*|\b(?:must|now|should|then|and|please|to) )(?:call|invoke|use|run) ("
    r"?:the |your )?\S*(?:send|mail|http|fetch|post|upload|exec|"
    r"shell|bash|delete|transfer|payment|message)\S*(?: tool| function| api|\()(?=.{0,120}(?:conte"
    r"nts? of|immediately|without|memory\.md|vault|secret|"
    r"password|credential|everything|all (?:of )?(?:the|your)))"
    r"|\b(?:remember(?! to\b)|save|store|note|memori[sz]e|add to (?:your )?memory)\b.{0,60}\b"
    r"(?:always|for all future|in all future|permanently|every time|from now on)\b"
    r".{0,80}\b(?:trusts?|approved?|bypass|without (?:asking|confirm\w*|checking)|recommends?|obey"
    r"|ignore (?:the|your|all|any))\b"
)
OTHERS = re.compile(
    r"\b(?:we|i|he|she|they|it|users?|clients?|apps?|scripts?|jobs?|that|which|who|hooks?|service|"
    r"services|server|ci|workflow|to|can|will|not|never|don't|"
    r"cannot|can't|ada|team|program|plugin|browsers?|customers?|people|how|needs?|wants?|has|used|"
    r"able|order|going|asked|agreed|decided|need|want)"
    r"(?: (?:should|must|can|may|will|shall|to|always|then|also|now|just|only))*[ ,]*$"
)
IMAGE = re.compile(
    r"!\[[^\]]{0,200}\]\(\s*<?https?://[^)\s]{1,400}(?:\{\{?|%7b|\$\{|<|\[)[^)]{0,60}"
    r"(?:memor|secret|key|token|password|conversation|prompt|history|data|user|context|message|sum"
    r"mary|insert|your)"
)
