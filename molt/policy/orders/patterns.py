"""How orders to an agent are worded, in the languages that people plant them in.

Each pattern has bounded gaps, so that reading a line takes time that grows with it. What only
speaks of such orders, as a report of one does, is told apart by what stands before it.
"""

from __future__ import annotations

import re

from molt.policy.orders import fakes, kinds, languages, leaks, reports
from molt.policy.orders.pattern_sets import PatternSet
from molt.policy.orders.verdicts import CALLS, DEFIES, HIDDEN, HUSH, LEAKS, ROLE

_VERB = (
    r"(?:ignore|disregard|forget|override|bypass|discard|set aside|supersede|cancel|void|"
    r"pay no attention to|do not follow|don'?t follow|do not obey|don'?t obey|stop following)"
)
_WHOSE = (
    r"(?:all|any|every|each|everything|of|the|these|those|this|that|your|you|previous|previously|"
    r"prior|earlier|above|preceding|former|other|current|existing|original|initial|system|safety|"
    r"security|developer|and|given|hidden|past|foregoing|content|core|whatever|default)"
)
_WHAT = (
    "(?:instructions?|instrctions|prompts?|rules|guidelines?|directives?|guardrails?|orders|"
    "programming|constraints|restrictions|polic(?:y|ies)|commands|training|protocols?|guidance|"
    "system messages?)"
)
_PAST = (
    r"(?:previous|prior|earlier|above|preceding|your|you|system|safety|developer|foregoing|original"
    r"|initial|all|every|any)"
)
_DEFY = re.compile(
    rf"\b{_VERB}\s+(?=(?:\S+\s+){{0,4}}?{_PAST}\b)(?:{_WHOSE}[\s,]+){{1,7}}{_WHAT}\b"
    rf"|\b{_VERB}\s+(?:everything|anything|all|whatever|what)(?: that)?\s+(?:is\s+|was\s+|came\s+|"
    r"comes\s+|stands\s+|written\s+|said\s+)?(?:above|before this|before this line|you (?:were|"
    r"have been|know|learned|have learned)|you've been)\b"
    rf"|\b{_VERB}\s+(?:the|all of the|everything)\s+above\b(?=\s*(?:[.,;:!]|and\b|$))"
    rf"|\b{_VERB}\s+(?:all\s+|any\s+)?instructions?\s+(?:above|before|that came before|"
    "you (?:were|have been)|from (?:the|your) (?:user|system|developer|owner|human))"
    rf"|\b{_VERB}\s+(?:the |your )?(?:user|human|owner|operator)(?:(?:'s|s'|"
    r"s)? (?:\w+ )?(?:requests?|questions?|instructions|wishes|commands|orders|preferences|"
    r"objections)\b| and\b)"
    r"|\b(?:this|these|the following)(?: \w+){0,2} (?:overrides?|supersedes?|replaces?|voids?|"
    "cancels?) (?:all |any |every )?(?:your|previous|prior|earlier|"
    r"other) (?:\w+ )?(?:instructions|prompts?|rules|directives|orders|guidelines)"
    rf"|\b{_VERB}\s+(?:all|any|everything in)(?: of)?(?: the)? (?:previous|prior|preceding|"
    r"earlier|above|other) (?:text|context|content|conversation|input|words)\b"
    rf"|\b{_VERB}\s+(?:whatever|what|everything|anything)(?: that)? (?:the |your )?(?:user|human|"
    r"owner|developers?|system) (?:asks?|asked|says|said|wants?|wanted|told|tells|wrote)\b"
    r"|\byour (?:\w+ )?(?:guidelines|rules|instructions|restrictions|filters|policies|limits|"
    "limitations|safeguards) (?:no longer|do not|don't|will not|cannot) (?:apply|bind|count|"
    "hold)"
    r"|\byour (?:\w+ )?(?:guidelines|rules|instructions|restrictions|filters|safeguards) (?:are|"
    "have been|were) (?:now )?(?:suspended|lifted|void|cancell?ed|revoked|disabled|replaced|"
    "removed|obsolete)"
    r"|\b(?:previous|prior|earlier|all) (?:instructions|rules|orders|directives) (?:are|"
    "have been) (?:now )?(?:void|cancell?ed|revoked|obsolete|superseded|overridden)"
    r"|\b(?:disable|turn off|switch off|rewrite|remove|drop|deactivate|lift) (?:all |"
    r"any )?(?:of )?your (?:\w+ )?(?:safety|guardrails?|filters?|restrictions|safeguards|"
    "policies|constraints|rules)"
)
_NOT_ORDER = re.compile(
    r"(?:\b(?:please|now|and|then|just|immediately|also|instead|kindly|so|first|you|must|shall|"
    r"should|to you|need to|have to|are to|want you to|like you to|asked to please|task is to|"
    r"job is to|assistant|agent|ai|model|claude|chatgpt|gpt|bot|important|can|may|will|"
    r"required to|instructed to|hereby|henceforth|do|but|or)|[^\w\s'\"“‘`’”(]|^)[\s\"“‘`*_'(]*$"
)
_OTHERS = re.compile(
    r"\b(?:agents?|models?|assistants?|llms?|they|we|it|i|he|she|who|that|which|bots?|ais?|users?|"
    "attackers?|people|someone|somebody|not|never|cannot|can't|don't|won't|to) (?:(?:should|must|"
    "will|can|may|might|could|would|shall|do|always|simply|just|then|and) ){0,2}$"
)
_ROLE = re.compile(
    r"\byou(?: are|'re) now (?:in |entering )?(?:\w+ ){0,3}?(?:developer|god|admin|debug|root|dan|"
    r"jailbroken|unrestricted|unfiltered|maintenance|sudo|uncensored)\b"
    r"|\byou(?: are|'re) now (?:an?|the|my|called|no longer|free|acting|operating|connected|under|"
    r"called) ?(?=.{0,80}\b(?:assistant|ai|bot|agent|persona|model|rules|restrictions|bound|obey|"
    "obeys|mode|hacker|filter|filters|who|that|without|control|limits|answers?|named|admin|"
    r"administrator)\b)"
    r"|\b(?:from now on|henceforth|starting now|from this point on),? (?:you |your |act|behave|"
    r"answer|respond|reply|always|every|ignore|obey|treat|only)(?!r\b|rs\b)"
    r"|\b(?:pretend|imagine|act as if|behave as if) (?:that )?(?:you|to be)\b.{0,60}\b(?:no|"
    r"without|not bound|free of|unrestricted|no longer|never had)\b"
    r"|\bact as (?:an? |the |my )?(?:\w+ ){0,2}(?:unrestricted|unfiltered|dan|jailbroken|evil|"
    r"administrator|root|system|developer mode)\b"
    r"|\b(?:your|the) (?:new|real|true|actual|updated|only) (?:system prompt|instructions?|task|"
    r"goal|objective|role|purpose|directive|mission|orders)(?: (?:is|are)\b|:)"
    r"|\bnew (?:system )?(?:prompt|instructions?|directives?)(?: for (?:you|the (?:assistant|"
    r"agent|ai|model)))?\s*:"
    r"|<\|im_start\|>\s*(?:system|developer|assistant|user)\b"
    r"|<\|?/?(?:system|sys)(?:\|?>|\b[^>]{0,20}\|>)"
    r"|\[inst\]\s*(?!and\b|or\b|tags?\b|marks?\b|begins\b|starts\b|[`'\"]|\[/)\w"
    "|<<sys>>|<(?:important|instructions?|admin|override|prompt|secret|"
    r"priority)>(?=.{0,100}\b(?:you|your|must|ignore|assistant|agent|send)\b)"
    r"|\b(?:obey|follow|comply with) (?:only )?(?:the (?:text|instructions|orders|"
    r"commands) (?:below|in this|on this|of this)|this (?:page|text|document|message)\b|"
    "my (?:orders|commands)|me only|only (?:this|these|my))"
    r"|(?:^|[>#*\[(\-]\s*)\[?(?:system|admin|developer)(?: (?:message|note|override|prompt|update|"
    r"notice|alert|command|instruction|directive))?\]?\s*:\s*(?:\*\*\s*)?(?=.{0,100}\b(?:ignore|"
    "disregard|override|reveal|obey|you must|you are now|you will now|new instructions|"
    r"exfiltrate|do not tell|send (?:the|all|your))\b)"
    r"|\[(?:system|admin)(?: \w+)?\]\s*(?=.{0,100}\b(?:you|your|ignore|must|assistant|agent|"
    r"reveal|send|execute)\b)"
    r"|(?:###|---|===)\s*(?:new |system |end of (?:\w+ )?)?(?:instructions?|prompt|"
    r"system)\b.{0,60}\b(?:you|your|assistant|agent|ignore|must)\b"
    r"|\b(?:reveal|print|show|repeat|output|display|disclose|recite|expose|tell me|give me|"
    r"write out|dump|leak)(?: \w+){0,3} (?:your|hidden|initial|the text of your|"
    r"the above) (?:\w+ ){0,2}(?:system prompt|prompt|instructions|system message|rules|"
    r"configuration)\b"
    r"|\b(?:enter|enable|activate|switch(?:es)? (?:in)?to|engage|go into) (?:the |an? )?(?:god|"
    "jailbreak|jailbroken|dan|unrestricted|uncensored|unfiltered) mode"
    r"|\byou\b.{0,60}\b(?:no|without(?: any)?|free of|not bound by(?: any)?|zero|"
    r"any) (?:\w+ ){0,2}(?:restrictions|limits|filters|limitations|guardrails|morals|ethics|"
    r"ethical rules|rules or (?:filters|limits)|censorship)\b(?=\s*(?:[.,;:!]|$|and\b|whatsoever|"
    "at all))"
    r"|\b(?:real|true|actual) (?:instructions?|task|prompt|orders|request)\s*:"
    r"|\b(?:begin|start of|end of) (?:the )?(?:admin|system|developer|root|operator) (?:message|"
    r"prompt|instructions?|override|command|note)\b"
    r"|\bassistant\s*:\s*.{0,40}\bi(?:'ll| will|'m going to) (?:now )?(?:ignore|disregard|send|"
    r"reveal|forward|leak|delete|forget|obey|bypass)\b"
    r"|\byou are no longer (?:an? |the |bound|my |restricted|limited)"
    r"|\b(?:enter|enable|activate|switch (?:in)?to|engage) (?:developer|god|jailbreak|dan|"
    r"unrestricted|debug|admin) mode\b.{0,60}\b(?:you|no|without|and|ignore|restrictions?|all)\b"
    r"|\bsystem override\b|\bdo anything now\b"
    r"|\boverride code\b"
)
_AUDIENCE = (
    r"(?:the )?(?:user|human|owner|operator|anyone|anybody|a person|your (?:user|owner|human|"
    r"operator|principal)|them|person)"
)
_HUSH = re.compile(
    r"\b(?:do not|don'?t|never|must not|should not|avoid|no need to|refrain from) (?:ever |"
    "first |even |being |explicitly )?(?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|"
    "notify(?:ing)?|mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|show(?:ing)?|ask(?:ing)?|"
    r"warn(?:ing)?|let(?:ting)?) (?:(?:this|it|that|these|any of this|the \w+|about|to|of|with|"
    rf"\w+) ){{0,4}}?{_AUDIENCE}\b"
    r"|\bwithout (?:ever |first |even )?(?:telling|informing|alerting|notifying|asking|warning|"
    r"mentioning it to) (?:the |your )?(?:user|human|owner|operator)\b"
    r"|\bwithout (?:the |your )(?:user|human|owner|operator|person)(?:'s|s'|s)? (?:explicit |"
    "prior )?(?:knowledge|consent|permission|approval|confirmation|noticing|knowing|awareness|"
    "being aware)"
    r"|\b(?:keep|hide|conceal|withhold) (?:this|it|that|the|these|all)(?: \w+){0,4} (?:from|"
    rf"secret from|hidden from) {_AUDIENCE}\b"
    r"|\b(?:say nothing|speak no word|not a word)(?: \w+){0,3} to (?:the )?(?:user|human|owner|"
    "anyone)"
    r"|\b(?:user|owner|human|operator) (?:must|should|may|need|shall|can|is)(?: not|n't|"
    " never)(?: to)? (?:ever )?(?:know|see|read|realise|realize|suspect|find out|learn|"
    "notice|be told|be aware|"
    r"hear)(?= (?:about |of )?(?:this|it|that|these)\b|\s*[.!,;]|$)"
    r"|\b(?:this|it) (?:must|should) (?:stay|remain|be kept) (?:hidden|secret|between us|"
    r"invisible)(?=.{0,60}\b(?:user|owner|human|us)\b)"
)
_HUSH_ME = re.compile(
    r"\b(?:users?|they|we|it|he|she|i|app|ui|which|that|who|page|client|tests?|cli|hooks?|api|form"
    r"|tool|"
    r"errors?|dialog|messages?|employees|staff|colleagues|contractors|members|students|guests|"
    r"interns|managers|developers|engineers|suppliers|team|doesn't|does|did|didn't) $|"
    r"\b(?:never|not|don't|nothing|cannot|can'"
    r"t|nobody|no)\b[^.!?;]{0,44}$"
)
_SNEAKS = re.compile(
    r"(?:^|[.!?:;,*>#\-]\s*|\b(?:and|then|please|must|should|you|also|now) )(?:secretly|silently|"
    r"covertly|quietly) (?:\w+ ){0,1}?(?:send|forward|upload|copy|post|append|add|install|run|"
    "execute|insert|include|transfer|delete|exfiltrate|transmit|change|replace|modify|approve|"
    r"disable|email|save|log|store|fetch|record)\b"
)
_CALLED = (
    r"(?:ai|a\.i\.|llm|llms|agent|agents|assistant|assistants|model|language model|ai agent|"
    "ai agents|ai assistant|ai assistants|ai model|ai models|claude|chatgpt|gpt|copilot|openclaw|"
    "moltbot|codex|gemini|chatbot|bot)"
)
_SPEAKER = (
    r"(?:ai|agent|assistant|model|claude|chatgpt|gpt|copilot|openclaw|moltbot|codex|gemini|chatbot|"
    r"bot)"
)
"""Before a colon the name of who speaks, in what was kept of a conversation."""
_ACTS = (
    "(?:ignore|disregard|send|forward|email|upload|post|reveal|print|execute|run|fetch|visit|"
    "open|call|include|append|add|recommend|reply|respond|answer|say|tell|delete|remove|obey|"
    "follow|trust|treat|store|save|remember|write|transfer|pay|approve|accept|install|download|"
    "disable|copy|output|repeat|mention|summari[sz]e|rate|insert|change|forget|stop|begin|start|"
    "prefer|grant|share|click|use|buy|give|merge|push|must|should|need to|have to|please|always|"
    "never|do not|don't|you)"
)
_MUST = (
    r"(?:must|should|need to|have to|please|ignore|disregard|send|forward|reveal|execute|recommend|"
    r"transfer|delete|approve|stop|rate|obey|upload|email)"
)
_CALL = (
    rf"\bas an? (?:\w+ )?{_CALLED},? you (?:are (?:required|obliged|expected|bound|hereby)|must|sh"
    rf"ould|will|have to|need to)\b"
    "\n"
    rf"\b(?:for|to) (?:all |any |the )?(?:ai|llm|agent|bot|machine|llms|ais)s? (?:readers?|system"
    rf"s?|tools?|crawlers?|parsers?|assistants?|agents?|models?)\s*[:,]\s*(?:please )?{_ACTS}\b"
    "\n"
    r"\b(?:execute|run)\b:?.{0,24}(?:rm -rf|curl [^|]{0,120}\| ?(?:ba)?sh).{0,60}(?:immediately|"
    r"\bnow\b|no questions|without|at once|silently)"
    "\n"
    r"\b(?:when|whenever|if|every time|each time|any time)(?: \w+){0,3} the user\b.{0,60}?,? (?:a"
    r"lways |only |please |then )?(?:tell|recommend|say|reply|suggest|steer|promote|push)\b"
    r".{0,100}(?:https?://|www\.|\b[\w-]{2,}\.(?:com|net|io|example|xyz|top|ru)\b|never say why|\b"
    r"hide\b|don't mention|do not mention|do not say|\binvest\b|\bbuy\b)"
    "\n"
    rf"(?:^|[.!?:;\-*>#\[(<]\s*)(?:hey|dear|attention|notice|note|message|instructions?|important"
    rf"|warning|psa|hello|"
    rf"memo|reminder|order|orders|directive|for|to)[\s,:]*(?:message |note |instructions? |notice "
    rf")?(?:to |for |all |any |the |every )*"
    rf"{_CALLED}(?: reading this\b| processing this\b| agents?\b| assistants?\b| models?\b)*\s*[,:"
    rf"!\-–—\])]+\s*"
    rf"(?:please |now |you (?:must|should|need to|have to|are) |when .{{0,60}}?, ?|if .{{0,60}}?, "
    rf"?|before .{{0,60}}?, ?|\w+ly,? |(?:could|can|would|will) you (?:please |kindly )?)?{_ACTS}"
    rf"\b"
    "\n"
    rf"\bif you(?: are|'re) (?:an? |the )?(?:\w+ )?{_CALLED}\b(?=.{{0,120}}\b{_ACTS}\b)"
    "\n"
    rf"\b(?:any |all |every |the )?{_CALLED} (?:that (?:is |are )?|who (?:is |are )?|which (?:is "
    rf"|are )?|currently |when )?"
    r"(?:reading|reads?|process(?:ing|es)?|summari[sz](?:ing|es|e)|parsing|parses|indexing|load(?:"
    r"ing|s)) (?:this|the following|these)\b"
    rf"(?=.{{0,120}}\b{_MUST}\b)"
    "\n"
    r"\b(?:when|while|if|before|after|once|whenever) you (?:read|process|summari[sz]e|load|recall"
    r"|see|retrieve|are reading|answer|respond|reply|parse)\w* "
    r"(?:this|to this|the following|these)?\b(?=.{0,40}[,:])(?=.{0,120}\b(?:send|forward|email|upl"
    r"oad|reveal|execute|run|fetch|visit|append|recommend|obey|transfer|curl|"
    r"delete|approve|ignore|disregard|post|include the)\b)(?=.{0,160}(?:this|instruction|memory|no"
    r"te|page|http|@|user|\.env|vault|key))"
    "\n"
    rf"(?:^|[.!?:;\-*>#]\s*)(?!{_SPEAKER}\s*:){_CALLED}\s*[,:]\s*"
    rf"(?:please |you must |you should |now |immediately "
    rf")?(?:ignore|disregard|send|forward|email|upload|post|"
    r"reveal|execute|run|delete|transfer|obey|approve|install|disable|forget|download|exfiltrate)\b"
    "\n"
    r"\b(?:the )?(?:user|owner|human|operator) (?:has |have )?(?:already |previously |fully |expl"
    r"icitly )*(?:approved|authori[sz]ed|pre-?approved|consented to|"
    r"confirmed|pre-?authori[sz]ed)\b.{0,80}\b(?:no (?:further |more |additional )?(?:confirmation"
    r"|approval|questions)|without (?:asking|confirm\w*|further)|do not ask|don't ask|skip (?:the "
    r")?(?:confirmation|approval)|never ask)"
    "\n"
    r"\b(?:no (?:further |user )?(?:confirmation|approval) (?:is )?(?:needed|required|necessary)|"
    r"without (?:asking|confirmation|confirming)|skip (?:the |any )?(?:confirmation|approval|permi"
    r"ssion)s?)\b"
    r".{0,80}\byou (?:may|can|must|should)\b"
    "\n"
    r"\byou (?:must|should|will|need to|are to|have to) (?:now |always |immediately |also |first "
    r")?(?:run|execute|send|forward|upload|delete|transfer|wire|approve|email|"
    r"exfiltrate|curl|install|pay)\b(?=.{0,120}(?:\bcurl\b|rm -rf|\| ?(?:ba)?sh|wallet|without|\bv"
    r"ault|\bsecret|credentials|api key|passwords?|\ball (?:files|memories|data)))"
    "\n"
    r"\b(?:at the end of|in|before|after|to|into) (?:every|each|all|any)(?: future| of your)? (?:"
    r"reply|response|answer|message|email|conversation|session|commit|repl(?:y|ies)|responses|answ"
    r"ers|messages)\b"
    r"(?=.{0,20}(?:[,:]|\b(?:add|append|include|insert|recommend|say|mention|send|post|write)\b))."
    r"{0,60}\b(?:add|append|include|insert|recommend|promote|say|send|post|mention|link)\b"
    r".{0,80}(?:http|@|www\.|\bbuy\b|\blink\b|promo|sponsor)"
    "\n"
    r"\b(?:add|append|include|insert|put|embed)\b.{0,80}(?:http|www\.|\blink\b|promo|\bbuy\b|\bvi"
    r"sit\b|sponsor).{0,60}\b(?:to|in|into|at the end of) (?:every|each|all)(?: future| of your)? "
    r"(?:reply|replies|response|responses|answer|answers|message|messages|email|emails)\b"
)
_CALLS = tuple(map(re.compile, _CALL.split("\n")))
_TALK = re.compile(
    r"[“\"'‘「『`«„]\s*$|(?:例如|比如|诸如|所谓|叫做|such as|e\.g\.|like|called|named|titled|phrase"
    r"|phrases|"
    r"text|string|example|wie|z\. ?b\.|comme|como|как|например)[\s:：,“\"'‘「『`«„]*$"
)
_CLOSED = re.compile(r"^[^“\"'‘’」』”`»“]{0,24}[\"'’」』”`»“]")
_PARTS = re.compile(
    r"<!--(.{0,2000}?)(?:-->|$)|<([a-z]\w{0,12})\b[^<>]{0,200}?(?:display\s*:\s*none|"
    r"visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?!\.[1-9])|"
    r"color\s*[:=]\s*[\"']?(?:white|#fff(?:fff)?\b|transparent)|"
    r"\bhidden\b)[^<>]{0,200}>(.{1,2000}?)(?:</|$)"
    r"|\]\(\s*<?[^)\s]{0,500}>?\s+[\"'(](.{1,500}?)[\"')]\s*\)"
    r"|!\[([^\]]{1,500})\]\(|\[(?://|comment|_)[^\]]{0,20}\]\s*:\s*\S{1,80}\s+[\"(](.{1,500})"
    r"|\b(?:alt|title|aria-label|data-[a-z-]{1,20})\s*=\s*[\"'](.{1,500}?)[\"']"
)
_SPOKEN = re.compile(
    rf"\b(?:{_CALLED}|system|you|your)\b(?=.{{0,160}}\b(?:send|forward|reveal|execute|ignore|"
    "disregard|email|upload|tell|append|recommend|trust|obey|follow|exfiltrate|approve|delete|"
    "transfer|must|share|leak|post|give|run|rate|print|read|download|visit|fetch|secretly|"
    r"include)\b)"
    r"|\b(?:send|forward|reveal|execute|ignore|disregard|email|upload|append|recommend|obey|"
    r"exfiltrate|approve|transfer)\b(?=.{0,160}\b(?:user|emails?|e-mails|notes|memory|memories|"
    r"vault|secrets?|keys?|instructions|assistant|agent|password|passwords|system prompt)\b)"
    "|(?:忽略|发送|执行|告诉用户|助手|上传)"
)
_HAILED = re.compile(rf"^\W{{0,4}}(?:dear |hey |note to )?{_CALLED}s?\s*[,:!] \w+(?: \w+){{3}}")
"""Whoever is called by name where no reader of the page sees it."""
_QUIET = re.compile(
    r"^\s*(?:prettier|eslint|molt:|markdownlint|todo|fixme|toc|generated|auto-?generated|vale|"
    r"cspell|spell|more\b|start|end|begin)"
)
take_out_reported = reports.take_out_reported


def explain_order(lower: str, *, veiled: bool = False) -> str:
    """What a text in lower case, which was perhaps `veiled`, has an agent do, in words; empty for
    nothing.
    """
    text = " ".join(lower.split())
    said = _explain_text(text) or CALLS * (veiled and fakes.is_ordered(text, veiled=True))
    if said or ("*" not in text and "_" not in text and "`" not in text):
        return said
    # Marks of Markdown between words hide none of them.
    return _explain_text(" ".join(text.translate(_MARKS).split()))


_MARKS = str.maketrans({"*": "", "_": " "})


def _explain_text(text: str) -> str:
    for hidden in _list_hidden(text):
        if _SPOKEN.search(hidden) or _HAILED.search(hidden) or _explain_open(hidden):
            return HIDDEN
    return _explain_open(text)


def _list_hidden(text: str) -> list[str]:
    """The parts of a text that no reader of the page sees: comments, hidden elements, titles."""
    if "<" not in text and "](" not in text and "[" not in text:
        return []
    found = ["".join(filter(None, one.group(1, 3, 4, 5, 6, 7))) for one in _PARTS.finditer(text)]
    return [one for one in found if len(one) > 12 and not _QUIET.match(one)]


_BY_KIND = ((DEFIES, _DEFY, _OTHERS), (ROLE, _ROLE, None), (HUSH, _HUSH, _HUSH_ME))
_EVERY = PatternSet(
    *(pattern for _, pattern, _ in _BY_KIND),
    *_CALLS,
    *(leaks.LEAK, leaks.TAKE, leaks.TOOL, leaks.IMAGE, leaks.FETCH),
    *(_SNEAKS, languages.ORDERS),
)


_OPEN = (*_BY_KIND, *((CALLS, way, None) for way in _CALLS))


def _explain_open(text: str) -> str:
    likely = _EVERY.find_likely(text)
    for kind, pattern, other in _OPEN:
        for found in pattern.finditer(text) if id(pattern) in likely else ():
            if _is_told(text, found, other, strict=kind == DEFIES):
                return kind
    return _explain_deed(text, likely)


def _explain_deed(text: str, likely: frozenset[int]) -> str:
    """What a text has an agent give away or do, by the words for that."""

    def is_said(pattern: re.Pattern[str], other: re.Pattern[str] | None) -> bool:
        if id(pattern) not in likely:
            return False
        return any(_is_told(text, one, other, strict=False) for one in pattern.finditer(text))

    if is_said(leaks.LEAK, leaks.OTHERS) or is_said(leaks.TAKE, leaks.OTHERS):
        return LEAKS
    if is_said(leaks.TOOL, leaks.OTHERS):
        return CALLS
    if any(id(one) in likely and one.search(text) for one in (leaks.IMAGE, leaks.FETCH)):
        return LEAKS
    if any(_is_told(text, one, _OTHERS, strict=False) for one in kinds.find_orders(text)):
        return CALLS
    if id(_SNEAKS) in likely and _SNEAKS.search(text):
        return HUSH
    if is_said(languages.ORDERS, None):
        return CALLS
    return CALLS if fakes.is_ordered(text) else ""


def _is_told(
    text: str, found: re.Match[str], other: re.Pattern[str] | None, *, strict: bool
) -> bool:
    """Whether what was found is said to who reads it, and not of somebody, or as an example.

    Where `strict`, it has to stand where an order begins.
    """
    before = text[max(0, found.start() - 48) : found.start()]
    if other and other.search(before):
        return False
    if _TALK.search(before) and _CLOSED.match(text[found.end() : found.end() + 40]):
        return False
    return not strict or found.start() == 0 or bool(_NOT_ORDER.search(before))
