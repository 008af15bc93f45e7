"""Which line of core memory a sentence puts right, and how that line reads then."""

from __future__ import annotations

from molt.formats import bullets, facts
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
    """A line of core memory, and its words as a sentence puts them right."""

    old: Bullet
    text: str


class _Said(Value):
    """What somebody claims of something: the words that tell of what, and the value as written."""

    about: frozenset[str]
    value: str


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


def find_amended(core: str, found: Correction) -> tuple[Amended, ...]:
    """The lines of a core memory that a sentence puts right: that say another value of just what
    it tells the value of; where it says what does not hold, of those that say that.
    """
    said = _read_said(_strip_now(found.statement))
    words = said.value.casefold().split() if said else []
    if said is None or len(words) > _MOST_WORDS or not _JOINING.isdisjoint(words):
        return ()
    made = (_amend(one, said, found.denied) for one in bullets.core_bullets(core))
    return tuple(one for one in made if one is not None)


def _amend(one: Bullet, said: _Said, denied: str) -> Amended | None:
    plain = facts.strip_asides(one.text)
    rest = one.text[len(plain) :]
    # What came from outside stays so, and nobody but a person writes that into core memory.
    if f"({origins.FIELD}:" in rest:
        return None
    if denied:
        at, named = _find_words(plain, denied), frozenset((_NAME,))
        # What it is not tells which line is meant: `my sister is Ann, not Anna`.
        if at < 0 or _list_words(plain[:at]) - named != said.about - named:
            return None
        return Amended(one, f"{_replace_words(plain, denied, said.value)}{rest}")
    known = _read_said(plain)
    if known is None or known.about != said.about:
        return None
    first = _cut_clause(known.value)
    if not (_differ(first, said.value) and _is_alike(first, said.value)):
        return None
    at = plain.rfind(known.value)
    return Amended(one, f"{plain[:at]}{said.value}{plain[at + len(first) :]}{rest}")


def _read_said(text: str) -> _Said | None:
    """What a sentence claims, whoever speaks of whom; None for another form, or of nothing."""
    attribute, value, _ = claims.split_value(_speak_of_user(text))
    about = _list_words(attribute)
    if not value or not about or "\n" in text or len(text.casefold()) != len(text):
        return None
    plain = text.rstrip(".!。！ ")
    at = plain.casefold().rfind(value.rstrip(".!。！ "))
    return _Said(about, plain[at:]) if 0 < at < len(plain) else None


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
    """What of a value stands before the first mark that ends a clause."""
    ends = [at for mark in ",;，；(（" if (at := value.find(mark)) > 0]
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
        made, text = f"{made}{text[:at]}{fresh}", text[at + len(part) :]
    return made + text


def _joins(text: str, at: int) -> bool:
    """Whether the signs on both sides of a place are of one word."""
    sides: Iterable[str] = (text[at - 1 : at], text[at : at + 1])
    return all(side.isascii() and side.isalnum() for side in sides)
