"""Which line of a memory a sentence puts right, and how that line reads then."""

from __future__ import annotations

from molt.formats import facts
from molt.formats import origin as origins
from molt.formats.prose import claims
from molt.formats.prose.claims import Correction
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.formats.bullets import Bullet

_MOST_WORDS = 6
"""Words of a value that takes the place of another: more are a sentence, which says more."""
_JOINING = frozenset(("and", "but", "because", "so", "which", "who"))
"""Words behind which a sentence says more than a value."""
_SPOKEN = (
    *(("i'm ", "user is "), ("i am ", "user is "), ("i live ", "user lives ")),
    *(("i work ", "user works "), ("i report ", "user reports "), ("i ", "user ")),
    *(("we ", "user "), ("my ", "user's "), ("our ", "user's "), ("the user", "user")),
    *(("lives ", "user lives "), ("works ", "user works "), ("based ", "user is based ")),
    *(("我们", "用户"), ("我", "用户"), ("使用者", "用户")),
)
"""How somebody speaks of himself, and how core memory speaks of him."""
_NAMING = ("叫", "的名字是")
_NAME = "name"
_NAME_ZH = frozenset("名字")
_SAME = {
    **dict.fromkeys(("live", "based", "located", "resides", "living", "location", "home"), "live"),
    **dict.fromkeys(("works", "working", "employed"), "work"),
    **dict.fromkeys(("called", "named"), _NAME),
}
"""Words that say the same of a person."""
_FILLING = frozenset(
    (
        *("user", "user's", "s", "a", "an", "the", "is", "are", "was", "in", "at", "for", "by"),
        *("on", "of", "to", "now", "currently", "用", "户", "的", "是", "在"),
    )
)
_BINDING = frozenset(
    (
        *("and", "or", "but", "with", "without", "as", "in", "at", "on", "near", "by", "from"),
        *("for", "since", "until", "because", "while", "when", "where", "who", "which", "though"),
    )
)
"""Words that end a value: what stands behind them says more than it."""
_CUTTING = (*",;，；、(（。—–", ". ", "! ", " - ")
_BINDING_ZH = ("和", "与", "跟", "以及", "并", "而")
_CLAUSE_VERBS = frozenset(
    (
        *("am", "is", "are", "was", "were", "have", "has", "own", "owns", "live", "lives", "work"),
        *("works", "like", "likes", "love", "loves", "prefer", "prefers", "hate", "hates", "use"),
        *("uses", "speak", "speaks", "report", "reports", "play", "plays", "drive", "drives"),
        *("lead", "leads", "teach", "teaches", "study", "studies", "write", "writes"),
    )
)
"""Verbs by which a clause says another thing of the same subject."""
_CLAUSE_VERBS_ZH = ("工作", "任职", "就职", "有", "养", "喜欢", "是", "叫", "会")
_SPEAKERS = frozenset(("i", "we", "user", "the", "also", "我", "用户"))
_POINTING = frozenset(("it", "there", "here", "this", "that", "the", "那里", "这里"))
"""Words that may mean the value before them."""
_NOW = (" now ", " these days ", "现在", "現在", "如今")
_MOVED = (
    ("i moved from ", " to ", "I live in "),
    ("i've moved from ", " to ", "I live in "),
    ("i have moved from ", " to ", "I live in "),
    ("we moved from ", " to ", "I live in "),
    ("user moved from ", " to ", "User lives in "),
    ("the user moved from ", " to ", "User lives in "),
    ("我从", "搬到了", "我住在"),
    ("我从", "搬到", "我住在"),
    ("用户从", "搬到了", "用户住在"),
    ("用户从", "搬到", "用户住在"),
)


class Amended(Value):
    """A line, and its words as a sentence puts them right; none where it cannot be told what of the
    rest of the line would still hold.
    """

    old: Bullet
    text: str


class _Said(Value):
    """What somebody claims of something: the words that tell of what, and the value as written.
    `verbal` tells that a verb leads to the value, and not `is`: what follows is of the subject.
    """

    about: frozenset[str]
    value: str
    verbal: bool


def read_change(text: str) -> Correction | None:
    """What a sentence puts right, or says to be so now: `I moved from X to Y`, `X is Y now`. None
    for one that does neither.
    """
    plain = " ".join(text.split()).rstrip(".!。！")
    for front, turn, said in _MOVED:
        before, found, after = plain[len(front) :].partition(turn)
        if plain.casefold().startswith(front) and before and found and after:
            return Correction(f"{said}{after}", before)
    if found_correction := claims.read_correction(text):
        return found_correction
    low = f" {plain.casefold()} "
    return Correction(plain) if any(mark in low for mark in _NOW) else None


def read_name(text: str) -> str:
    """The name that a sentence says somebody has whom it tells of otherwise: `my sister is called
    Ann`; empty for another sentence.
    """
    said = _read_said(text)
    return _cut_clause(said.value) if said and _tells_name(said) else ""


def find_amended(lines: Iterable[Bullet], found: Correction) -> tuple[Amended, ...]:
    """The lines that a sentence puts right: that say another value of just what it tells the value
    of; where it says what does not hold, of those that say that.
    """
    said = _read_said(_strip_now(found.statement))
    words = said.value.casefold().split() if said else []
    if said is None or len(words) > _MOST_WORDS or not _JOINING.isdisjoint(words):
        return ()
    made = (_amend(one, said, found.denied) for one in lines)
    return tuple(one for one in made if one is not None)


def _amend(one: Bullet, said: _Said, denied: str) -> Amended | None:
    plain = facts.strip_asides(one.text)
    # What came from outside stays so, and nobody but a person writes that into core memory.
    if f"({origins.FIELD}:" in one.text[len(plain) :]:
        return None
    place = _find_denied(plain, said, denied) if denied else _find_value(plain, said)
    if place is None:
        return None
    at, end = place
    front, rest = plain[:at], plain[end:]
    if denied and _starts_again(rest, denied):
        # `The sister is Anna and Anna is a nurse`: both times it is her name.
        rest = _replace_words(rest, denied, said.value)
    elif not _stands_alone(rest, _read_said(plain[:end]), said):
        return Amended(one, "")
    return Amended(one, f"{front}{said.value}{rest}{one.text[len(plain) :]}")


def _find_denied(plain: str, said: _Said, denied: str) -> tuple[int, int] | None:
    """Where a line says what a sentence denies, of what it tells: `my sister is Ann, not Anna`."""
    at, named = _find_words(plain, denied), frozenset((_NAME,))
    if at < 0 or _list_words(plain[:at]) - named != said.about - named:
        return None
    return at, at + len(denied.casefold())


def _find_value(plain: str, said: _Said) -> tuple[int, int] | None:
    """Where a line says another value of just what a sentence tells the value of."""
    known = _read_said(plain)
    if known is None or known.about != said.about:
        return None
    first = _cut_clause(known.value)
    if not (_differ(first, said.value) and _is_alike(first, said.value)):
        return None
    at = plain.rfind(known.value)
    return at, at + len(first)


def _tells_name(said: _Said) -> bool:
    """Whether a claim is of the name of somebody, whom it tells of by other words."""
    named = _NAME in said.about or said.about >= _NAME_ZH
    return named and bool(said.about - _NAME_ZH - {_NAME})


def _stands_alone(rest: str, known: _Said | None, said: _Said) -> bool:
    """Whether what a line says behind a value holds with another one as well: a clause with a verb
    of its own that is of the same subject, or with whom somebody lives.
    """
    if not rest.strip(".!。！ "):
        return True
    # `My manager is Carol and sits in Rome` says more of Carol, but whoever is called so stays.
    held = known is not None and (known.verbal or _tells_name(known))
    if not held or _cut_clause(said.value) != said.value:
        return False
    joint, words = _split_joint(rest)
    if not _POINTING.isdisjoint(words[1:]):
        return False
    if joint == "with":
        return "live" in said.about
    while words and words[0] in _SPEAKERS:
        words = words[1:]
    tells = bool(words) and words[0] in _CLAUSE_VERBS
    return bool(joint) and (tells or any(verb in rest for verb in _CLAUSE_VERBS_ZH))


def _starts_again(rest: str, denied: str) -> bool:
    """Whether the clause behind a value that does not hold begins with that value."""
    joint, _ = _split_joint(rest)
    behind = rest.strip().removeprefix(joint).lstrip()
    return bool(joint) and _find_words(behind, denied) == 0


def _split_joint(rest: str) -> tuple[str, list[str]]:
    """What joins a clause to the words before it, and the words of the clause; empty for none."""
    words = claims.split_words(rest)
    if rest.lstrip()[:1] in tuple(",;，；.。"):
        joint = rest.lstrip()[0]
        return joint, words[1:] if words[:1] in (["and"], ["with"]) else words
    if words[:1] in (["and"], ["with"]):
        return words[0], words[1:]
    return next((one for one in _BINDING_ZH if rest.startswith(one)), ""), words


def _read_said(text: str) -> _Said | None:
    """What a sentence claims, whoever speaks of whom; None for another form, or of nothing."""
    attribute, value, _ = claims.split_value(_speak_of_user(text))
    about = _list_words(attribute)
    if not value or not about or "\n" in text or len(text.casefold()) != len(text):
        return None
    plain = text.rstrip(".!。！ ")
    at = plain.casefold().rfind(value.rstrip(".!。！ "))
    if not 0 < at < len(plain):
        return None
    return _Said(about, plain[at:], claims.leads_by_verb(attribute))


def _speak_of_user(text: str) -> str:
    """A sentence in small letters as it would be said of the user by somebody else."""
    low = " ".join(text.replace("’", "'").split()).casefold().rstrip(".!。！")
    for mark, other in _SPOKEN:
        if low.startswith(mark):
            low = other + low.removeprefix(mark)
            break
    return low if _NAMING[1] in low else low.replace(*_NAMING, 1)


def _list_words(text: str) -> frozenset[str]:
    """The words that tell what something is said of; of scripts without spaces the signs."""
    words = claims.split_words(_speak_of_user(text).replace("'s ", " ").removesuffix("'s"))
    plain = (word[:-1] if _is_plural(word) else word for word in words)
    return frozenset(_SAME.get(word, word) for word in plain) - _FILLING


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith("ss")


def _differ(one: str, other: str) -> bool:
    """Whether two values cannot both be meant; who says more says nothing else."""
    short, long = sorted((one.casefold(), other.casefold()), key=len)
    return not long.startswith(short) or _joins(long, len(short))


def _is_alike(one: str, other: str) -> bool:
    """Whether two values may be of one attribute: `a nurse` is none in the place of `in Rome`."""
    first, second = (value.casefold().split()[0] for value in (one, other))
    filled = first in _FILLING or second in _FILLING
    counted = [any(map(str.isdigit, value)) for value in (one, other)]
    articles = frozenset(("a", "an"))
    return counted[0] == counted[1] and (
        not filled or first == second or {first, second} <= articles
    )


def _cut_clause(value: str) -> str:
    """What of a value stands before the first mark or word that says more than it."""
    ends = [at for mark in (*_CUTTING, *_BINDING_ZH) if (at := value.find(mark)) > 0]
    at = 0
    for number, word in enumerate(value.split(" ")):
        # A value may begin with one: `in Rome`.
        if number and word.casefold() in _BINDING:
            ends.append(at)
        at += len(word) + 1
    return value[: min(ends, default=len(value))].rstrip()


def _strip_now(text: str) -> str:
    """A sentence without the words that say that it is so now."""
    text = f" {text} "
    for mark in _NOW:
        at = text.casefold().find(mark)
        if at >= 0:
            text = f"{text[:at]}{' ' if mark.isascii() else ''}{text[at + len(mark) :]}"
    return text.strip()


def _find_words(text: str, part: str) -> int:
    """Where a text has a part whose ends are ends of words, whatever its case; -1 for nowhere."""
    low, wanted = text.casefold(), part.casefold()
    at = low.find(wanted) if len(low) == len(text) else -1
    while at >= 0 and (_joins(low, at) or _joins(low, at + len(wanted))):
        at = low.find(wanted, at + 1)
    return at


def _replace_words(text: str, part: str, fresh: str) -> str:
    made = ""
    while (at := _find_words(text, part)) >= 0:
        made, text = f"{made}{text[:at]}{fresh}", text[at + len(part.casefold()) :]
    return made + text


def _joins(text: str, at: int) -> bool:
    """Whether the signs on both sides of a place are of one word."""
    sides: Iterable[str] = (text[at - 1 : at], text[at : at + 1])
    return all(side.isascii() and side.isalnum() for side in sides)
