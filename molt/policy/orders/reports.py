"""Lines that report an order and give none: what an attack said, between quotation marks."""

from __future__ import annotations

import re

_QUOTED = re.compile(
    r"\"[^\"]{2,400}\"|“[^”]{2,400}”|„[^“”]{2,400}[“”]|«[^»]{2,400}»|「[^」]{2,400}」|"
    r"『[^』]{2,400}』|‘[^’]{2,400}’|(?<!\w)'[^']{2,400}'(?!\w)|`[^`]{2,400}`"
)
_ATTACK = re.compile(
    r"\b(?:prompt injections?|injections?|attacks?|attackers?|phishing|jailbreaks?|malicious|"
    r"scams?|"
    r"fraud|red[- ]team|exploits?|poisoned|poisoning|held back|quarantined?|sec005)\b"
    r"|注入|攻击|攻擊|钓鱼|诈骗|\bangriffe?\b|\binjektion|\bataques?\b|\binyecci|\battaques?\b|"
    r"\bhameçonnage|\battacco\b|\biniezion|\binjeç|\bатак|\bинъекц"
)
_COMPLIED = re.compile(
    r"\b(?:no|not an?|isn't an?) (?:\w+ )?(?:attack|injection|test|phishing|scam|fraud)"
    r"|(?<!never )(?<!not )(?<!don't )\b(?:obey|follow|comply|execute|carry out|do (?:what|as|it)|"
    r"act on|run)\b|\byou(?:r| must| should| are| have to)\b|不是攻击|不是注入|照做|照办|执行"
)


def take_out_reported(lower: str) -> str:
    """A line in lower case without what it quotes of an attack; all of it where it reports none,
    or has anybody do what it quotes.
    """
    bare = _QUOTED.sub(" ", lower)
    if bare == lower or not _ATTACK.search(bare) or _COMPLIED.search(bare):
        return lower
    return bare
