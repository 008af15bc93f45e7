"""What a sentence says that a thing has only one of: where somebody lives, when something is."""

from __future__ import annotations

import re

from molt.formats import ids
from molt.memory.reflect.rules import cues
from molt.values import Value

_NAME = r"[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}"
_WHO = rf"(?:(?P<who>I|{_NAME})(?:'m|'ve)?(?: am| is| have| has)?(?: now| just| also| finally)?)"
_HOME = re.compile(
    rf"\b{_WHO} (?:live|lives|living|moved|relocated)(?: here| back| from {_NAME})? (?:in|to) "
    rf"(?:the )?(?P<value>{_NAME})"
)
_WORK = re.compile(
    rf"\b{_WHO} (?:work|works|working|started working|got a job) (?:at|for) "
    rf"(?:the )?(?P<value>{_NAME})"
)
_YEARS = re.compile(
    rf"\b(?:(?P<who>I|{_NAME})(?:'m| am| is| turned| just turned)) (?P<value>\d{{1,3}})"
    r"(?= years old|[.!,](?!\d)|$)"
)
_OWNED = re.compile(
    rf"\b(?:(?P<mine>[Mm]y|[Oo]ur)|(?P<who>{_NAME})'s|[Tt]he) (?P<of>(?:[a-z]+ ){{0,2}}"
    rf"(?:{'|'.join(sorted(cues.ATTRIBUTES))})(?: [a-z]+)?)(?: of (?P<whose>{_NAME}))? "
    r"(?:is|are|was|will be)(?: now| on| at| in)? (?P<value>(?:[^.,;!?]|(?<=\d)[.,](?=\d)){1,60})"
)
_OWNED_ZH = re.compile(
    r"^(?P<who>[^，。；：！？、\s]{1,24}?)(?:的|，其|，它的|，他的|，她的)"
    rf"(?P<of>{'|'.join(sorted(cues.ATTRIBUTES_ZH, key=len, reverse=True))})"
    r"(?:是|为|改到|改为|改成|变成|在)(?P<value>[^，。；！？]{1,40})"
)
_CLAUSE_ZH = re.compile(r"^我[^的]*的")
"""What tells whose something is, or who does what with it: `我将要参加的`, `我的`."""
_HOME_ZH = re.compile(
    r"^(?P<who>我|[^，。；：！？、\s我]{2,4}?)(?:现在|已经|最近)?"
    r"(?:住在|搬到了?|搬去了?|住的(?:那个|这个)?(?:小区|地方)[，,]?(?:名叫|叫做|叫|是))"
    r"(?P<value>[^，。；！？了的]{2,12}?)(?:这个小区|小区)?(?=$|[，。；！？了])"
)
_LONGEST = 400
"""Characters of a sentence that is searched: the patterns begin at every name."""


class SaidAttribute(Value):
    """What is said of a subject (empty for who speaks): the name of the attribute, its value, and
    whether the sentence says that it has changed.
    """

    subject: str
    name: str
    value: str
    changed: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What there is only one of."""
        return self.subject.casefold(), self.name


def read_attribute(text: str, speaker: str = "", kind: str = "") -> SaidAttribute | None:
    """The one attribute that a sentence tells; None for none, or for a question. An episode of the
    kind `correction` says that what it tells has changed.
    """
    if len(text) > _LONGEST or text.rstrip().endswith(("?", "？")):
        return None
    found = _read_chinese(text) if not text.isascii() else None
    found = found or _read_english(text)
    if found is None:
        return None
    subject, name, value = found
    own = subject.casefold() in ("i", "my", "our", "我")
    return SaidAttribute(
        speaker if own else subject,
        name,
        _fold_value(value),
        kind == "correction" or says_change(text),
    )


def says_change(text: str) -> bool:
    """Whether a sentence says that something is no longer as it was."""
    flat = "".join(char if char.isalnum() or char == "'" else " " for char in text.lower())
    padded = f" {' '.join(flat.split())} "
    return any(cue in padded for cue in cues.CHANGING) or any(
        cue in text for cue in cues.CHANGING_ZH
    )


def _read_english(text: str) -> tuple[str, str, str] | None:
    plain = text.replace("’", "'")
    for name, pattern in (("home", _HOME), ("work", _WORK), ("age", _YEARS)):
        if match := pattern.search(plain):
            return match["who"], name, match["value"]
    match = _OWNED.search(plain)
    if match is None or match["of"].endswith(("favorite", "favourite")):
        return None
    who = match["whose"] or match["who"] or ("my" if match["mine"] else "")
    return (who, ids.slug(match["of"]), match["value"]) if who else None


def _read_chinese(text: str) -> tuple[str, str, str] | None:
    if match := _OWNED_ZH.match(text):
        return _CLAUSE_ZH.sub("", match["who"]), match["of"], match["value"]
    if match := _HOME_ZH.match(text):
        return match["who"], "home", match["value"]
    return None


def _fold_value(value: str) -> str:
    """A value such that two ways of writing it are the same."""
    return "".join(char for char in value.casefold() if char.isalnum())
