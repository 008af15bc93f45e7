"""What the lines of notes in prose say that will hold: each with what it is, and its weight.

An agent writes its notes in the third person, under titles and labels, and most of what it writes
is of its own day. So a line counts only where its title, its label or its own words say that it is
a decision, a preference, a lesson, a rule, or what the user is.
"""

from __future__ import annotations

import re

from molt.index.content.variants import fold_signs
from molt.memory.engines import rules as routing
from molt.memory.reflect.rules import cues
from molt.memory.reflect.rules.notes import note_cues
from molt.memory.reflect.rules.notes.note_cues import DECISION, LESSON, PREFERENCE, RULE, USER
from molt.memory.reflect.rules.words import split_words
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from molt.formats.prose.notes import NotePiece

_SHORTEST, _LONGEST = 24, 300
_SHORTEST_ZH, _LONGEST_ZH = 8, 120
"""Signs of a line that says one thing, in a script with spaces and in one without."""
_READ = 2_000
"""Characters of a line that are looked at."""
_FEWEST = 5
"""Words of such a line."""
_LABEL = re.compile(r"^(?:\*\*|__)?([^*_:：\n]{1,40}?)(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*(?=\S)")
_TAUGHT = re.compile(
    r"(?:(?<=[.!;。！；])|(?<=[.!]\*\*)|(?<= [—–-]))\s*(?:\*\*|__)?"
    r"(?:[Tt]his taught me|[Tt]aught me|[Tt]he lesson|(?:[Kk]ey )?[Ll]esson(?: learned)?|LESSON"
    r"|[Tt]akeaway|[Mm]oral|经验教训|經驗教訓|教训|教訓)"
    r"(?:\*\*|__)?\s*[:：]\s*(?=\S)"
)
"""How a line comes from what happened to what it taught."""
_SENTENCE = re.compile(r"(?<=[.!。！])(?:\*\*|__)?\s+(?=[A-Z])|(?<=[。！])|(?<=[.!]\*\*)\s+")
_BOLD = re.compile(r"\*\*([^*]+)\*\*|__([^_]+)__")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_SIGNS = re.compile(r"^[^\w\"'“‘「『《(（$€£¥`]+")
_CODE = re.compile(r"`[^`]*`|https?://\S+|(?<!\w)[~/][\w.-]+/\S+")
_MOST_CODE = 0.4
"""The share of a line that paths, links and code may take: of more nobody makes a fact."""
_TITLE_WEIGHT, _LABEL_WEIGHT, _WORDS_WEIGHT = 2.6, 3.0, 2.4


class NoteClaim(Value):
    """A line of a note that will hold: its words, what it is (`decision`, `preference`, `lesson`,
    `rule`, `user`), its weight from 0 to 10, and the piece that says it.
    """

    kind: str
    text: str
    weight: float
    piece: NotePiece


class UserNames(Value):
    """By which words the notes speak of the user, and of the agent, in small letters; `label` is
    the name of the user, empty where none is known.
    """

    user: frozenset[str] = frozenset(note_cues.USER_WORDS)
    agent: frozenset[str] = frozenset()
    label: str = ""


def list_claims(pieces: Iterable[NotePiece], names: UserNames) -> Iterator[NoteClaim]:
    """What of some pieces will hold, in order."""
    for one in pieces:
        found = read_claim(one, names)
        if found is not None:
            yield found


def weigh_piece(one: NotePiece) -> float:
    """How likely a piece says what will hold, from 0; for a choice among many."""
    found = read_claim(one, UserNames())
    if found is not None:
        return 1.0 + found.weight
    plain = not note_cues.is_foreign(one.titles) and not one.text.startswith(note_cues.STATES)
    return 0.5 * plain + 0.2 * (not one.box)


def read_claim(one: NotePiece, names: UserNames) -> NoteClaim | None:
    """What a piece says that will hold; None for what tells of its day alone, is a task, a
    question, a heading of a list, mostly code, or what others have said.
    """
    if note_cues.is_foreign((*one.titles, one.lead)) or one.box or _is_footer(one.text):
        return None
    label, said = split_label(one.text)
    by_label = note_cues.name_label(label)
    if not by_label and (taught := _find_taught(one.text)):
        by_label, said = LESSON, taught
    text = clean_text(said if by_label else one.text)
    if not by_label and one.text.startswith(note_cues.STATES):
        return None
    if not is_plain(text):
        return None
    kind, weight = _judge(one, text, by_label, names)
    if not kind:
        return None
    return NoteClaim(kind, text, weight - 0.003 * len(text), one)


def _find_taught(text: str) -> str:
    """The sentence behind `… This taught me:` in a line that begins with what happened; empty for
    none.
    """
    match = _TAUGHT.search(text[:_READ])
    return _SENTENCE.split(text[match.end() : _READ], maxsplit=1)[0] if match else ""


def _is_footer(text: str) -> bool:
    """Whether a line in italics says how the note came to be: `*Generated at …*`."""
    return text[:1] in "*_" and text[-1:] in "*_" and text[:2] not in ("**", "__")


def _judge(one: NotePiece, text: str, by_label: str, names: UserNames) -> tuple[str, float]:
    """What a line is, and its weight: by its own label, by what it says of the user, by its title;
    empty for nothing.
    """
    # Of a title that stands further above, the one between says what of it this is.
    near = (one.lead, one.titles[-1] if one.titles else "")
    by_title = next(filter(None, map(note_cues.name_kind, near)), "")
    told = _read_told(text, names)
    if by_label:
        # `Decisions: 3` counts them.
        counts = text[:1].isdigit() or (by_label == DECISION and note_cues.is_report(text))
        return (told, _LABEL_WEIGHT) if told or counts else (by_label, _LABEL_WEIGHT)
    if told:
        return told, _WORDS_WEIGHT + (0.6 if by_title in (PREFERENCE, USER) else 0.0)
    if by_title == DECISION:
        label = note_cues.fold_title(split_label(one.text)[0])
        aside = _is_step(one) or label in note_cues.LABEL_STOPS or note_cues.is_report(text)
        return ("", 0.0) if aside or note_cues.is_fading(text) else (DECISION, _TITLE_WEIGHT)
    if by_title in (PREFERENCE, LESSON, RULE, USER):
        standing = note_cues.has_standing(text)
        if note_cues.is_fading(text) and not standing:
            return "", 0.0
        if by_title == LESSON and not (standing or _teaches(text)):
            return "", 0.0
        return by_title, _TITLE_WEIGHT + 0.5 * standing
    if _is_rule(text):
        return RULE, _WORDS_WEIGHT - 0.4
    if any(map(note_cues.names_lesson, near)) and _belongs(text):
        return LESSON, _WORDS_WEIGHT - 0.4
    return "", 0.0


def _belongs(text: str) -> bool:
    """Whether a line below a lesson goes on with it, and does not tell how it came to that."""
    aside = note_cues.fold_title(split_label(text)[0]) in note_cues.LABEL_STOPS
    return _teaches(text) and not aside and not note_cues.is_fading(text)


_COUNTED = re.compile(r"\d+ ?(?:个|篇|分钟|小时|条|次|天)")


def _teaches(text: str) -> bool:
    """Whether a line teaches, and does not only report."""
    if note_cues.is_done(text) and not routing.is_chinese(text):
        return False
    return note_cues.is_binding(text) and not _COUNTED.search(text)


def _is_step(one: NotePiece) -> bool:
    """Whether a line only goes into the details of another one."""
    return one.depth > 0 and not one.lead.endswith((":", "："))


def split_label(text: str) -> tuple[str, str]:
    """The label with which a line begins, and what stands behind it: `**Lesson:** …`."""
    match = _LABEL.match(_SIGNS.sub("", text) if not text.startswith(("*", "_")) else text)
    if match is None:
        return "", text
    source = match.string
    return match.group(1).strip(), source[match.end() :]


def clean_text(text: str) -> str:
    """A line as a fact: without marks of Markdown, signs before it and a stop behind it."""
    # Of what nobody reads as one line the patterns would take long.
    text = text[:_READ]
    plain = _LINK.sub(r"\1", _BOLD.sub(lambda one: one.group(1) or one.group(2), text))
    plain = plain.replace("**", "").replace("~~", "")
    plain = " ".join(_SIGNS.sub("", plain).split()).rstrip("。 ")
    return plain[:-1] if plain.endswith(".") and not plain.endswith("..") else plain


def is_plain(text: str) -> bool:
    """Whether a line is one or two sentences of words, and no question."""
    if text.endswith(("?", "？", ":", "：")) or "|" in text or "[[" in text or "->" in text[:4]:
        return False
    code = sum(len(one.group()) for one in _CODE.finditer(text))
    if code > _MOST_CODE * len(text):
        return False
    if routing.is_chinese(text):
        return _SHORTEST_ZH <= len(text) <= _LONGEST_ZH
    words = split_words(text)
    return _SHORTEST <= len(text) <= _LONGEST and len(words) >= _FEWEST


def _read_told(text: str, names: UserNames) -> str:
    """What a line says of the user by its own words: what holds of them, what they want, what they
    decided; empty for what they only did.
    """
    if routing.is_chinese(text):
        return _read_told_zh(text, names)
    words = split_words(text)
    low = [word.low for word in words]
    subject = _skip_subject(low, names)
    if not subject or len(words) < subject + 3:
        return ""
    if words[subject - 1].owner:
        return _read_owned(low[subject : subject + 8])
    at = subject
    while low[at] in _ADVERBS and at < len(low) - 2:
        at += 1
    return _read_verb(text, low[at], low[at + 1 :])


_ADVERBS = ("also", "really", "strongly", "still", "explicitly", "generally", "definitely")
_WANTS = ("wants", "asked", "requested", "requires", "expects", "instructed", "said", "insists")
_ONCE = ("approved", "confirmed", "agreed")
_STATES = ("a", "an", "the", "from", "based", "allergic", "born", "married", "slightly", "very")


def _read_verb(text: str, verb: str, behind: list[str]) -> str:
    """What a line about the user says, by its verb and the words behind that."""
    if verb == "has" and behind[:1] == ["decided"]:
        return DECISION
    standing = note_cues.has_standing(text)
    if verb in note_cues.DECIDING:
        return DECISION if standing or verb not in _ONCE else ""
    if verb in _WANTS:
        return PREFERENCE if standing else ""
    if note_cues.is_fading(text):
        return ""
    if verb in note_cues.TELLING:
        return PREFERENCE
    if verb == "is" and behind[0] in _STATES:
        return USER
    return USER if verb == "has" and not cues.OWNED.isdisjoint(behind[:5]) else ""


def _skip_subject(low: list[str], names: UserNames) -> int:
    """How many words at the begin of a line name the user; 0 for none."""
    if low[:2] == ["the", "user"] or (low[:2] == ["my", "human"]):
        return 2
    if low[:1] and low[0] in names.user and low[0].isascii():
        # A whole name: `Ann Smith prefers …`.
        return 2 if low[1:2] and low[1] in names.user else 1
    return 0


def _read_owned(low: list[str]) -> str:
    """What `Ann's wife …`, `User's preference …` say."""
    owned = ("preference", "preferences", "preferred", "favorite", "favourite", "style", "rule")
    if any(word in owned for word in low[:3]) and "is" in low[1:5]:
        return PREFERENCE
    kin = [word for word in low[:2] if word in cues.OWNED or word in cues.KIN]
    told = "is" in low or "are" in low or "lives" in low or "works" in low
    return USER if kin and told else ""


_OWNED_ZH = (
    *("的妻子", "的老婆", "的儿子", "的女儿", "的孩子", "的生日", "的名字", "的偏好", "的习惯"),
    *("的工作", "的公司", "的职业", "的丈夫", "的父亲", "的母亲", "儿子", "女儿", "老婆", "妻子"),
)
_LIKES_ZH = ("的偏好", "的习惯", "偏好", "习惯", "喜欢", "不喜欢", "讨厌")
_WANTS_ZH = ("要求", "希望", "强调", "指示", "规定", "需要")


def _read_told_zh(text: str, names: UserNames) -> str:
    text = fold_signs(text)
    longest = sorted(names.user, key=len, reverse=True)
    user = next((one for one in longest if text.startswith(fold_signs(one))), "")
    rest = text[len(user) :]
    if not user or (rest[:1] in ("的", "们") and not rest.startswith(_OWNED_ZH)):
        return ""
    head = rest[:8]
    fades, standing = note_cues.is_fading(rest), note_cues.has_standing(rest)
    if any(one in head for one in note_cues.DECIDING_ZH):
        return DECISION
    if head.startswith(_LIKES_ZH):
        return PREFERENCE
    if any(one in head for one in _WANTS_ZH):
        return PREFERENCE if standing and not fades else ""
    told = any(one in head for one in note_cues.TELLING_ZH) or rest.startswith(_OWNED_ZH)
    return USER if told and not fades else ""


_RULE = re.compile(
    r"^(?:(?:IMPORTANT|CRITICAL|RULE|REMEMBER|Remember|Important|Critical|Rule)\s*[:—-]\s*)?"
    r"(?:Never|NEVER|Always|ALWAYS|Do not ever|Don't ever|Under no circumstances)\s+"
    r"(?!\w+(?:[^s]s|-\w+s)\b)[a-z]"
)
_RULE_ZH = re.compile(
    r"^(?:重要|铁律|规则|注意|记住)?[：:]?\s*"
    r"(?:永远不要|永远|绝不|绝对不|务必|严禁|禁止|始终|不要再|必须先)"
)


def _is_rule(text: str) -> bool:
    """Whether a line orders something for always."""
    if _RULE.match(text) or _RULE_ZH.match(fold_signs(text)):
        return True
    binding = _MUST.search(text) is not None and not note_cues.is_done(text)
    return binding and not note_cues.is_fading(text)


_MUST = re.compile(r"\b(?:must|should) (?:always|never|not ever)\b")
