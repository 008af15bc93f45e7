"""The part that a word plays in an order to an agent, in English, and the parts' bits.

The parts of a line are a number, a bit each. A verb counts where it bids something, so its plain
form stands here alone; a thing counts in every form. No word is an order: which parts make one is
said in `bids`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_VERBS = {
    "send": "mirror redirect reroute route replicate duplicate stream funnel feed "
    "communicate provide supply pass dispatch distribute broadcast deliver send mail email "
    "e-mail forward upload post push transmit relay ship bcc "
    "cc transfer submit leak exfiltrate sync fax dm text publish beam export hand "
    "report share attach paste encode pipe copy carry smuggle include slip move "
    "deposit echo",
    "put": "drop place put tack tuck stick work",
    "defy": "ignore disregard overlook override bypass abandon discard neglect unlearn overrule "
    "dismiss violate forget",
    "join": "bcc cc add include invite copy put",
    "show": "divulge display present recount show print output paste recite reveal disclose "
    "emit quote repeat reproduce give "
    "expose dump list include append embed insert add translate spell type write "
    "state say tell encode describe leak share",
    "take": "read open collect gather harvest look scan grab take find fetch extract cat get "
    "search dig pull retrieve steal scrape locate list ask",
    "run": "apply trigger deploy run execute curl wget eval source launch install download "
    "pipe spawn invoke "
    "perform decode start",
    "kill": "scrap trash expunge eradicate delete erase wipe remove clear drop purge destroy "
    "scrub empty overwrite "
    "truncate shred discard nuke rm forget",
    "turn": "amend revise configure rewire convert change edit rewrite replace swap alter "
    "modify set update put add append insert "
    "write redirect make reset point patch adjust tweak save store raise lower boost",
    "off": "waive forgo forego pause shut dodge sidestep disable skip bypass leave suppress "
    "deactivate mute turn switch lift escape stop "
    "ignore avoid circumvent remove evade silence override relax lower weaken loosen "
    "downgrade soften",
    "drop": "waive reject shed ignore overlook disregard forget discard override abandon "
    "drop stop neglect "
    "unlearn skip "
    "overrule dismiss consider treat regard deem break violate",
    "hush": "hide conceal withhold omit suppress bury disguise mask obscure keep leave scrub",
    "tell": "hint whisper hear breathe tell say mention inform warn notify let alert reveal "
    "show disclose report "
    "bother ask consult flag log explain admit speak involve bring raise announce",
    "lie": "assure claim pretend deny feign fake lie invent fabricate insist mislead deceive",
    "obey": "obey trust believe follow comply heed listen accept serve honour honor",
    "pay": "pay wire transfer send buy release order invest move deposit refund donate",
    "grant": "grant give add assign promote invite authorise authorize elevate allow unlock",
    "treat": "treat regard take consider accept",
    "visit": "visit open go browse navigate load fetch check call request poll get ping contact",
    "stay": "act behave speak answer respond reply pretend become play pose switch enter set "
    "adopt assume remain operate impersonate sign close end begin finish conclude",
    "deem": "rate recommend praise rank score promote favour favor prefer advise suggest "
    "endorse describe call summarise summarize approve mark",
}
_THINGS = {
    "secret": "vault key keys token tokens credential credentials password passwords passphrase "
    "secret secrets cookie cookies .env env environment id_rsa login logins pin iban "
    "seed apikey otp 2fa authorized_keys cvv mfa passcode digits codes .netrc",
    "store": "memory.md soul.md user.md vault memory memories repository repo conversation "
    "conversations transcript transcripts chat chats history messages context "
    "workspace inbox mailbox backups backup database directory disk session e-mails "
    "emails profile correspondence",
    "prompt": "prompt preamble brief instruction instructions wording",
    "verbatim": "verbatim hidden initial preamble",
    "iban": "iban",
    "person": "phone passport contacts contact client clients customer customers "
    "family private personal diary medical bank salary numbers card identity "
    "birthday location whereabouts",
    "rule": "directions direction ordinances rules rule guidelines guideline guidance "
    "instructions directives directive "
    "policy policies limits limit restrictions restriction safety rails guardrails "
    "guardrail safeguards constraints protocol protocols orders wish wishes "
    "boundaries",
    "guard": "hook hooks --no-verify confirmation confirmations consent approval approvals "
    "review sandbox checks verification warnings warning log logs trace filters "
    "audit firewall antivirus dialog dialogue prompts popup policy permission "
    "permissions two-factor 2fa validation authentication encryption tls",
    "owner": "user human owner operator person principal reader boss master user's human's "
    "owner's users holder people",
    "agent": "assistant agent agents ai ais llm llms model models bot bots chatbot claude "
    "chatgpt gpt copilot gemini openclaw moltbot codex assistants colleague machine",
    "you": "you your yours yourself you're you've you'll",
    "reply": "reply replies answer answers response responses summary summaries ticket "
    "tracker bucket chat",
    "quiet": "quietly secretly silently covertly discreetly stealthily unnoticed "
    "surreptitiously discretion undetected invisibly sneak sneakily",
    "void": "withdrawn annulled rescinded repealed abolished inactive void outdated obsolete "
    "superseded lifted suspended waived revoked cancelled "
    "canceled expired invalid irrelevant deprecated",
    "free": "unrestricted unfiltered uncensored unbound jailbroken amoral limitless",
    "mode": "mode persona role character identity shell maintenance debug developer",
    "loyal": "loyalty obey obedience allegiance serve serves",
    "files": "agents.md soul.md claude.md identity.md molt.yaml hook hooks",
    "post": "newsletter newsletters recipients correspondence mail mails e-mail e-mails "
    "email emails invitation invitations invite invites message "
    "messages reply replies thread threads meeting meetings letter letters",
    "each": "every each all any",
    "own": "memory.md soul.md user.md vault memory/",
    "harm": "delete deletes deleting deletion deletions erase erases erasing wipe wipes wiping pay "
    "pays paying payment payments transfer transfers transferring money publish publishing push "
    "pushing overwrite overwriting purchase purchases buy buying",
    "public": "public.md world-readable",
    "duty": "mandatory obligatory compulsory required obliged bound",
    "lifted": "withdrawn annulled rescinded repealed abolished scrapped suspended lifted "
    "waived revoked void",
    "steer": "buy invest safest finest sponsor audited",
    "money": "money invoice invoices funds payment payments wallet transfer euros dollars "
    "bitcoin btc eth spending purchase purchases wire savings",
    "admin": "admin root administrator sudo collaborator superuser ssh-rsa ssh-ed25519 "
    "authorized_keys tunnel",
    "pipe": "sh bash zsh",
    "whoever": "whoever anybody anyone whichever whomever everybody",
    "me": "me us my",
    "called": "this these",
    "out": "webhook pastebin gist wallet collector world-readable",
}
_PHRASES = {
    "once": "no longer counts|no longer count|no longer appl|no longer bind|"
    "for an older version|for an earlier version|is a test|are a test|was a test|"
    "set them aside|set it aside|has changed|have changed|does not bind|do not bind|"
    "do not apply|may be faked|is not your|has no force|no longer valid|"
    "no longer hold|of no account|means nothing|need not be followed|is history|"
    "its place is taken|takes its place|binds you no|binds you any|bind you any",
    "quiet": "keep this from|keep it from|keep that from|hide this from|hide it from|"
    "no reason to bring|no reason to mention|no reason to tell|no point in telling|"
    "no record of this|no trace of this|tell nobody|tell no one|telling nobody|telling no "
    "one|in the dark|leave no|no "
    "trace|without telling|without a word|without letting|"
    "keep quiet|say nothing|not a word|cover your tracks|nobody notices|"
    "no one notices|never finds out|find out|never learns|need not know|"
    "need not be informed|must not know|not be told|be informed|not be informed|"
    "let on|behind the back|before the user|between us|without the user|unbeknown|"
    "without notif|without inform|without mention|never say why|not say why|"
    "delete the evidence|under the radar|on the quiet",
    "unasked": "gets checked|is checked|nothing checks|nobody checks|no one checks|without "
    "checking|without approval|without asking|without confirm|"
    "without consent|without permission|without review|no need to ask|"
    "not need to ask|no longer have to ask|not have to ask|need no questions|"
    "no questions asked|nobody has to|no one has to|need not ask|has already agreed|"
    "have already agreed|already approved|already authori|pre-approved|"
    "already consented|no confirmation|no approval|instead of asking|were lifted|"
    "automatically approve|carry on regardless|answered with yes|no need to warn|"
    "no need to tell|no need to check|no need to confirm|don't ask|do not ask|"
    "never ask|slows you down|whatever the|wish to be asked|right to be asked|"
    "being asked first|to be asked first",
    "yes": "click yes|answered with yes|say yes to|yes on every|yes to all|"
    "confirm everything|approve everything|accept everything|yes to every",
    "whoever": "next person|next caller|first person who|next one who|any caller|every "
    "caller|all callers|any stranger|to strangers|to outsiders|"
    "it is asked|is asked for it|when asked|if asked|asks for|who asks|who says|"
    "who knows|on request",
    "iban": "bank account|account number|bank details|payment details",
    "free": "no filter|no filters|no limits|no restrictions|no rules|off limits|"
    "answers everything|answers anything|without limits|without restrictions|"
    "no boundaries|nothing is forbidden|anything goes|forget who you|who you were|"
    "released from",
    "agent": "every tool that|any tool that|any system that|any program that|language model|"
    "automated reader|automated readers|ai reader",
    "reading": "that process this|that processes this|who process this|who processes this|"
    "that process these|"
    "who processes these|reading this|reads this|read this|loads this|sees this|"
    "see this|seen this|parsing this|processing this|processes this|parses this|"
    "load this|finds this|find this|opens this|who read|you are a language model|"
    "you are an ai|you are an llm|you are an assistant|you are a bot|you're an ai|"
    "for automated readers|acting on this|acted on it|acted on this|executing this|"
    "loading this|summarising this|summarizing this|summarise this|summarize this|"
    "next opens this|come across this|comes across this|stumbles on this|encounters this|"
    "this has been loaded|loaded into context|into your context|in your context|"
    "after reading|once read|when done with this",
    "text": "version of you|this line|this note|this message|this page|this file|this text|"
    "this paragraph|this memo|this entry|this row|this step|this instruction|"
    "this document|this memory|above this|what follows|text below|lines below|"
    "persona below|role below|rules below|instructions below|orders below|commands below|"
    "following text|present memo|present note|these lines|everything above|all above|"
    "the above|the edit|the evidence|this was|it was you|where this|written there|"
    "what is written|of this|this paragraph replaces",
    "verbatim": "word for word|were started with|you were given|were configured|"
    "developer message|system message|hidden preamble|initial brief|you received|"
    "you were told|which tools you",
    "out": "public channel|public repository|public repo|public page|public bucket|public "
    "gist|public forum|next commit|public commit|number below|pastebin below|address below|to this "
    "address|to the address|next caller|"
    "onto the address|query string|commit message|into the link|into the url",
    "rule": "was said above|is said above|stands above|came before this|earlier you|says "
    "about|asked first|what the user|whatever the user|you earlier|"
    "user told|memory of|who you were",
    "over": "overrides what|supersedes what|replaces what you|priority over the system|"
    "precedence over the system|priority over your|precedence over your|your real principal|"
    "your real owner|your real master|your true master|"
    "your true owner|your real user|your real boss|your actual owner|"
    "your actual principal|more than the|above the user|over those of|over the user|"
    "over the owner|has force|have force|takes precedence over the user|"
    "messages precedence|messages priority|only messages from|only me|first loyalty|"
    "outranks the|outranks your|outranks every|outranks all|outrank the|outrank your|"
    "outrank every|outrank all|overrules",
    "steer": "is the best|are the best|first choice|best of|top choice|to buy|as safe|as "
    "audited|leave out|"
    "there were none|to invest",
    "none": "did not take|was not|there were none|never happened|has passed|was passed|"
    "no such|typed it|came from the user|is locked|policy requires|did not happen|"
    "nothing happened",
    "shell": "do that instead|do it instead|do this instead|and do that|carry them out|carry "
    "it out|carry out|carrying out|doing what|do what|and run|"
    "and execute|pipe it|into your shell|into a shell|act on what|obey it|obey them|"
    "do as|let bash|let sh|let the shell",
    "admin": "write permission|write access|admin rights|root rights|full access|"
    "remote access|reverse shell|public key|let everything",
    "every": "in every answer|in every reply|in every response|in each answer|in each reply|"
    "in each response|in all answers|in all replies",
    "wordings": "the text of your|the words of your|the wording of your",
    "sole": "the only honest|the only safe|the only trustworthy",
    "voice": "as typed by|as written by|as spoken by|as said by|as coming from|as if typed|"
    "as if it came from|to be the owner's|to be the user's|as the owner's|as the user's",
    "entitle": "may see everything|may see all|may read everything|may read all|may read the|"
    "may know everything|always trust|is to be trusted|can be trusted with",
    "person": "home address|postal address|private address|your address|his address|her address|"
    "user's address|owner's address|address book|address of",
    "store": "notes that you|notes you|your notes|my notes|all notes|all the notes|user's "
    "notes|owner's notes|notes about",
    "cede": "has delegated|have delegated|has handed|is decided by this|leaves it to this",
    "prior": "prior|previous|earlier|former|preceding|past|existing",
    "barely": "owner out of|user out of|human out of|never finds|never sees|never reads|"
    "never notices|never knows|never hears|under no circumstances|on no account|in no case|"
    "at no time|by no means",
    "goes": "must go to|must also go to|has to go to|have to go to|is to go to|are to go to",
    "later": "your next memory|next memory you|next note you|next time you write|"
    "next time you save|next time you remember",
    "freed": "release you from|releases you from|free you from|frees you from|relieve you of|"
    "relieves you of|exempt you from|exempts you from|excuse you from|excuses you from|"
    "are released from|are freed from|are exempt from",
    "swap": "use these instead|use this instead|use those instead|follow these|follow the ones|"
    "these instead|the ones below|use the following|mine instead|use mine",
    "queried": "asks why|asks about|asks what|asks who|asks where|asks how|asks whether|asks if|"
    "wants to know|wonders why|inquires|complains",
    "excuse": "say it was|say that it was|say there was|say you do not know|say you don't know|"
    "blame|say nothing|deny|say it is a|say that it is a|claim|pretend|make something up",
    "public": "in a public|in the public|public repository|public repo|public channel|public page|"
    "public gist|public bucket|public forum",
    "given": "given in advance|granted in advance|given beforehand|granted beforehand|"
    "already been given|already been granted|already been obtained",
    "agreed": "user agreed|user has agreed|user consented|user has consented|user has said yes|"
    "user said yes|user approved|user has approved|owner agreed|owner has agreed|owner consented|"
    "owner has consented|owner has said yes|owner said yes|owner approved|owner has approved",
    "awhile": "for today|for now|for this session|just this once|this time|for the time being|"
    "until further notice|for the rest of",
    "onward": "effective today|effective tomorrow|starting now|starting today|starting at "
    "once|as of now|as of today|effective now|"
    "effective immediately|with immediate effect|from today|from this moment|from here on|"
    "from now on|hereafter|henceforth|going forward",
    "alone": "only|to nobody but|to no one but|alone|and nobody else|and no one else|exclusively",
    "answers": "you work for|you serve|works for|answers to|answer to|obeys|reports to|"
    "report to|takes orders|take orders|"
    "is loyal|are loyal|belongs to|belong to|listens to|listen to",
    "routed": "are routed|is routed|are sent through|go through|goes through|are sent to|"
    "are copied to|is copied to|are mirrored to|is mirrored to|are forwarded to",
    "trusting": "is trusted|are trusted|be trusted|list of trusted|trusted agents|trusted list",
    "code": "the rule codes",
    "go": "go ahead|proceed with|proceed at once|just do it",
    "guard": "access list|allow list|safety section|safety check|security section|consent prompt",
}
"""Words that stand together; the last of them may go on."""


_BITS = {name: 1 << at for at, name in enumerate({**_VERBS, **_THINGS, **_PHRASES})}


def join_parts(names: str) -> int:
    """The bits of parts, by their names with blanks between them."""
    bits = 0
    for name in names.split():
        bits |= _BITS[name]
    return bits


def _gather_words(*tables: dict[str, str]) -> dict[str, int]:
    every: dict[str, int] = {}
    for table in tables:
        for name, line in table.items():
            for word in line.split():
                every[word] = every.get(word, 0) | _BITS[name]
    return every


def _gather_phrases() -> dict[str, list[tuple[str, int]]]:
    every: dict[str, list[tuple[str, int]]] = {}
    for name, line in _PHRASES.items():
        for phrase in line.split("|"):
            every.setdefault(phrase.split()[0], []).append((f" {phrase}", _BITS[name]))
    return every


# fmt: off
_IRREGULAR = {
    "send": "sent", "put": "put", "show": "shown", "give": "given", "tell": "told",
    "write": "written", "say": "said", "read": "read", "take": "taken", "get": "got",
    "steal": "stolen", "find": "found", "run": "run", "set": "set", "make": "made",
    "pay": "paid", "buy": "bought", "leave": "left", "keep": "kept", "hide": "hidden",
    "withhold": "withheld", "forget": "forgotten", "let": "let", "speak": "spoken",
    "bring": "brought", "begin": "begun", "overwrite": "overwritten", "rewrite": "rewritten",
    "reset": "reset", "override": "overridden", "break": "broken", "spell": "spelt",
    "dig": "dug", "feign": "feigned", "bcc": "bcc'd", "cc": "cc'd", "withdraw": "withdrawn",
    "report": "", "stick": "stuck", "deem": "deemed",
}
# fmt: on
"""What was done to something, where it does not end in `ed`; nothing where it tells of no order."""


def _list_done(verb: str) -> tuple[str, ...]:
    """The forms that say that something is done: `forwarded`, `copied`, `dropped`."""
    if verb in _IRREGULAR:
        return (_IRREGULAR[verb],)
    if verb[-1] == "e":
        return (f"{verb}d",)
    if verb[-1] == "y" and verb[-2] not in "aeiou":
        return (f"{verb[:-1]}ied",)
    return (f"{verb}ed", f"{verb}{verb[-1]}ed")


def _gather_forms(inflect: Callable[[str], tuple[str, ...]]) -> dict[str, int]:
    every: dict[str, int] = {}
    for name, line in _VERBS.items():
        for form in (form for verb in line.split() for form in inflect(verb)):
            every[form] = every.get(form, 0) | _BITS[name]
    return every


def _list_doing(verb: str) -> tuple[str, ...]:
    """The forms of what is being done: `exporting`, `copying`, `dropping`."""
    if verb[-1] == "e":
        return (f"{verb[:-1]}ing",)
    return (f"{verb}ing", f"{verb}{verb[-1]}ing")


DONE = _gather_forms(_list_done)
"""What has to be done is bid by these: "must be forwarded"."""
DOING = _gather_forms(_list_doing)
"""The same of what is asked politely: "would you mind forwarding"."""
VERBS = join_parts(" ".join(_VERBS))
WORDS = _gather_words(_VERBS, _THINGS)
PHRASES = _gather_phrases()
"""By the first of their words."""
