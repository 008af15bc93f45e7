"""What an English sentence bids who reads it, and what it forbids: verbs by their place.

A verb bids in its plain form where a clause begins, and behind what obliges who reads ("you must",
"any model has to"); behind a negation it is forbidden. What others do, did or must do bids nothing.
"""

from __future__ import annotations

from molt.policy.orders import roles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NOT = frozenset(("don't", "never", "not", "no", "avoid", "without", "nor", "cannot", "can't"))
_BUT = frozenset(("just", "instead", "simply", "only", "but", "rather"))
_LIGHT = frozenset(
    (
        *("please", "now", "then", "also", "and", "or", "first", "next", "kindly", "so", "do"),
        *("always", "again", "even", "afterwards", "afterward", "ever", "step", "to", "be"),
        *("merely", "still", "both", "1", "2", "3", "4", "5", "6", "a", "b", "todo", "note"),
        *("important", "warning", "circumstances", "account"),
        *("favour", "favor", "me", "dear", "kind", "good", "nice", "enough"),
    )
)
"""Words before a verb that bids."""
_LETS = frozenset(
    (
        *("let", "make", "keep", "feel", "remember", "try", "help", "certain", "ensure"),
        *("start", "begin", "stop", "sure"),
    )
)
"""Verbs behind which another one bids."""
_MODAL = frozenset(
    (
        *("must", "should", "shall", "have", "has", "need", "needs", "ought", "will"),
        *("is", "are", "could", "would", "had"),
    )
)
_ASKS = frozenset(("can", "could", "will", "would", "might"))
"""Before `you` they ask for what a verb says."""
_JOINS = frozenset(("and", "then", "or", "but", "nor"))
_OTHERS = frozenset(("i", "we", "he", "she", "they", "there"))
_LEADS = frozenset(
    (
        *("sure", "free", "able", "want", "wants", "authorise", "authorize", "permit", "order"),
        *("instruct", "asked", "need", "needs", "have", "has", "had", "fine", "ok", "okay"),
        *("permission", "leave", "authority", "right", "habit", "practice", "rule", "point"),
        *("routine", "duty"),
        *("allowed", "told", "required", "like", "ought", "obliged", "expected", "remember", "try"),
        *("agents", "assistants", "models", "bots", "readers"),
        *("assistant", "agent", "model", "supposed", "meant", "time", "job", "task"),
    )
)
"""Words with `to` behind which a verb bids."""
_OPENS = frozenset(
    (
        *("when", "whenever", "if", "before", "after", "once", "while", "as", "from", "any"),
        *("until", "for", "at", "in", "by", "under", "with", "unless", "should", "because"),
        *("since", "whatever", "each", "every", "on", "upon", "where", "although", "though"),
    )
)
"""Words of what comes before a clause that bids, as far as its comma."""
_DOES = frozenset(("that", "which", "who", "to"))
"""Words by which a reader is called by what it does."""
_CLAUSE = 5
"""So many words say what it does: "any model that condenses or files this thread"."""
_IS = frozenset(("is", "are", "was", "were", "of", "has", "will", "must", "should"))
"""Before these a word is no verb."""
_DUTY = frozenset(("must", "shall", "should"))
_DUTY_TO = frozenset(("is", "are", "has", "have", "need", "needs", "ought"))
"""With `to` the same."""
_REACH = 4
"""So many words stand between what obliges and what is to be done."""
_MARKS = ".,;:!?'\"`“”‘’()[]{}<>*_|#…"
_QUOTES = "\"“'‘"
_SAYS = frozenset("-–—*>#|")
_AGENT = roles.join_parts("agent")
_ADDRESSED = roles.join_parts("you agent whoever")
_QUIET = roles.join_parts("quiet")
_REPLY = roles.join_parts("reply")
_EACH = roles.join_parts("each")
_CALLED = roles.join_parts("called")
_OUT = roles.join_parts("out")
_STORE = roles.join_parts("store")
_KEYS = roles.join_parts("store secret")
_TRUSTING = roles.join_parts("trusting")
_CODE = roles.join_parts("code")
_SETTINGS = (
    *("agents.trusted", "agents.grants", "agents.review", "signatures.require"),
    *("policy.severity", "policy.critical", "policy.high", "policy.secrets"),
)
"""Settings by which more is allowed."""
_RULES = frozenset(("agent", "conf", "crit", "epi", "hist", "orig", "refl", "sec", "sign", "vault"))
"""Families of rules, as their codes begin."""
_SITES = (".com", ".net", ".io", ".org", ".xyz", ".ru", ".top")
_PLACES = ("memory/", "/memory", "~/.", ".ssh", "vault/")
_FILES = (".env", "id_rsa")


class SentenceReader:
    """Reads a sentence word by word: what it bids and forbids so far, and what it names."""

    __slots__ = (
        "_barred",
        "_begins",
        "_bid",
        "_called",
        "_forbade",
        "_named",
        "_opened",
        "_yours",
        "bans",
        "bids",
        "held",
    )

    def __init__(self) -> None:
        self.bids = self.bans = self.held = 0
        # Whether a verb would bid here, and forbid; whether a comma begins a clause; whether one
        # has bid, and whether it forbade; whether who reads is spoken of.
        self._begins, self._barred, self._opened = True, False, False
        self._bid, self._forbade, self._yours = False, False, False
        # Whether the word before names an agent; how many more words may say what that one does.
        self._named, self._called = False, 0

    def read(self, words: list[str]) -> None:
        """Read the words of a sentence in lower case."""
        before, last = "", len(words) - 1
        for at, raw in enumerate(words):
            word = raw.strip(_MARKS)
            if word.strip("-–—"):
                parts = find_parts(word)
                verbs = parts & roles.VERBS
                if raw[0] in _QUOTES or raw[-1] == ":":
                    # It is quoted, or a heading.
                    verbs = 0
                elif at < last and _is_no_verb(word, words[at + 1].strip(_MARKS)):
                    verbs = 0
                self._name(parts, at == last)
                if self._begins:
                    self._begin(raw, word, verbs, first=at == 0)
                else:
                    self._go_on(word, before, words[:at])
                self._end(raw, word, parts)
                # What every answer is to have is asked of who answers.
                self._yours = self._yours or bool(parts & _REPLY and find_parts(before) & _EACH)
                before = word
            elif word or raw in _SAYS:
                self._begins = True

    def _name(self, parts: int, last: bool) -> None:
        """Read what a word names."""
        things = parts & ~roles.VERBS & ~_CALLED
        if things & _QUIET and not self._begins and not last:
            # It says how somebody works, and not how to.
            things &= ~_QUIET
        self.held |= things

    def _go_on(self, word: str, before: str, words: list[str]) -> None:
        """Read a word behind which a clause may begin."""
        if word in _JOINS and self._bid:
            self._begins, self._barred = True, self._barred and word in ("or", "nor")
        elif self._asks(word, before):
            self._begins, self._barred = True, False
        elif word == "to" and _leads(words):
            self._begins, self._barred = True, self._barred or _is_denied(words)

    def _asks(self, word: str, before: str) -> bool:
        """Whether who reads is asked for what comes behind a word: "you must", "could you"."""
        if word == "you":
            return before in _ASKS
        return self._yours and (word in _MODAL or (word == "may" and before == "you"))

    def _end(self, raw: str, word: str, parts: int) -> None:
        """Read of whom a word speaks, and its mark."""
        self._call(raw, word, parts)
        if parts & _ADDRESSED:
            self._yours = True
        elif word in _OTHERS:
            self._yours = False
        if raw[-1] in ":;—" or (raw[-1] == "," and (self._opened or self._bid)):
            self._begins, self._barred = True, self._forbade and raw[-1] == ","

    def _call(self, raw: str, word: str, parts: int) -> None:
        """Read whether an agent is called by what it does with this text: it is who reads."""
        if self._called and parts & _CALLED:
            self.held |= _CALLED
        if self._named and word in _DOES:
            self._called = _CLAUSE
        elif word in _MODAL or word in _OTHERS:
            self._called = 0
        else:
            self._called = max(0, self._called - 1)
        self._named = bool(parts & _AGENT) and raw == word

    def _begin(self, raw: str, word: str, verbs: int, *, first: bool) -> None:
        """Read a word where a clause begins."""
        if word in _NOT:
            self._barred = True
        elif word in _BUT:
            self._barred = False
        elif verbs:
            if self._barred:
                self.bans |= verbs
            else:
                self.bids |= verbs
            self._bid, self._forbade = True, self._barred
            self._begins = word in _LETS
        elif word in _LETS:
            self._bid, self._forbade = True, self._barred
        elif word not in _LIGHT and not (word[-2:] == "ly" and word != "reply"):
            self._begins = False
            called = find_parts(word) & _AGENT or (first and raw[-1] in ",:")
            self._opened = self._opened or word in _OPENS or bool(called)


def _is_no_verb(word: str, following: str) -> bool:
    """Whether what follows a word says that it is none, or no more than `ensure`."""
    return following in _IS or (word == "make" and following in ("sure", "certain"))


def strip_marks(raw: str) -> str:
    """A word without the marks around it."""
    return raw.strip(_MARKS)


def find_parts(word: str) -> int:
    """The parts of a word without its marks."""
    parts = roles.WORDS.get(word, 0)
    if word[-2:] == "'s":
        parts = parts or roles.WORDS.get(word[:-2], 0)
    if "/" in word or "@" in word or "." in word:
        parts |= find_place(word)
        if word.startswith(_SETTINGS):
            parts |= _TRUSTING
    elif word[-3:].isdigit() and word[:-3] in _RULES:
        parts |= _CODE
    return parts


def find_place(word: str) -> int:
    """The part of an address or of a path."""
    name, _, host = word.partition("@")
    if "://" in word or word.startswith("www.") or (name and "." in host):
        return _OUT
    if word.count(".") == 3 and word.replace(".", "").isdigit():
        return _OUT
    if word.startswith(_PLACES) or word.endswith(_FILES):
        return _KEYS if "memory" not in word or "vault" in word else _STORE
    host = word.partition("/")[0]
    made_up = ".example" in word and "env.example" not in word
    return _OUT if made_up or host.endswith(_SITES) else 0


def find_duties(words: list[str]) -> tuple[int, int]:
    """The verbs of what has to be done, whoever does it, and of what must not be done."""
    bids = bans = 0
    told = "be" in words or "mind" in words
    plain = [word.strip(_MARKS) for word in words] if told else []
    for at, word in enumerate(plain):
        if word == "mind" and "you" in plain[:at]:
            bids |= roles.DOING.get("".join(plain[at + 1 : at + 2]), 0)
        before = plain[max(0, at - _REACH) : at]
        if word != "be" or not _obliges(before):
            continue
        done = next(filter(None, map(roles.DONE.get, plain[at + 1 : at + _REACH])), 0)
        if _NOT.isdisjoint(before):
            bids |= done
        else:
            bans |= done
    return bids, bans


def _obliges(before: list[str]) -> bool:
    """Whether what stands before `be` says that it has to be."""
    if "to" in before[-2:]:
        return not _DUTY_TO.isdisjoint(before)
    return not _DUTY.isdisjoint(before[-3:])


def join_words(words: list[str]) -> str:
    """The words of a sentence with blanks around each; where it quotes, what it quotes."""
    return f" {' '.join(words)} ".replace(' "', " ").replace(" “", " ")


def find_phrases(words: list[str]) -> int:
    """The parts that several words of a sentence are together."""
    held, text = 0, ""
    for word in roles.PHRASES.keys() & {raw.strip(_MARKS) for raw in words}:
        text = text or join_words(words)
        for phrase, bits in roles.PHRASES[word]:
            if phrase in text:
                held |= bits
    return held


def _leads(words: list[str]) -> bool:
    """Whether a verb bids behind some words and `to`: you are asked to, somebody wants you to."""
    before = [word.strip(_MARKS) for word in words[-2:]]
    return bool(before) and before[0 if before[-1] == "you" else -1] in _LEADS


def _is_denied(words: list[str]) -> bool:
    denied = ("no", "not", "never", "longer", "don't")
    return any(word.strip(_MARKS) in denied for word in words[-3:])


def split_sentences(text: str) -> Iterator[list[str]]:
    """The words of each sentence of a text in lower case."""
    words: list[str] = []
    for word in text.split():
        words.append(word)
        if word[-1] in ".!?" and len(word) > 2:
            yield words
            words = []
    if words:
        yield words
