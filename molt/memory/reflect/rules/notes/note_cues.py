"""What titles, labels and words say of a line in a note: whether it is one that will hold."""

from __future__ import annotations

from molt.index.content.variants import fold_signs
from molt.memory.engines import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_TABLE = tables.load("notes")

DECISION, PREFERENCE, LESSON, RULE, USER = "decision", "preference", "lesson", "rule", "user"
"""What a line of a note can be that will hold: decided, wanted, learned, ordered, told of the user.
"""
_TITLES = {
    kind: frozenset(_TABLE.split_cues(f"{kind}_titles"))
    for kind in (DECISION, PREFERENCE, LESSON, RULE, USER)
}
_FOREIGN = _TABLE.split_cues("foreign_titles")
_FOREIGN_WORDS = tuple(f" {one} " for one in _FOREIGN if one.isascii())
_FOREIGN_ZH = tuple(one for one in _FOREIGN if not one.isascii())
STATES = tuple(_TABLE.split_words("states"))
USER_WORDS = _TABLE.split_cues("user_words")
TELLING = frozenset(_TABLE.split_cues("telling_verbs"))
TELLING_ZH = _TABLE.split_cues("telling_zh")
STANDING = _TABLE.split_phrases("standing")
STANDING_ZH = _TABLE.split_cues("standing_zh")
DECIDING = frozenset(_TABLE.split_cues("deciding"))
DECIDING_ZH = _TABLE.split_cues("deciding_zh")
FADING = _TABLE.split_phrases("fading")
FADING_ZH = _TABLE.split_cues("fading_zh")
_STARTS = {
    kind: tuple(
        f"{one} " if one.isascii() else one for one in _TABLE.split_cues(f"label_starts_{kind}")
    )
    for kind in (DECISION, PREFERENCE, LESSON, RULE)
}
PROJECT_LABELS = frozenset(_TABLE.split_cues("project_labels"))
BINDING = _TABLE.split_phrases("binding")
BINDING_ZH = _TABLE.split_cues("binding_zh")
DONE = _TABLE.split_cues("done")
DONE_ZH = _TABLE.split_cues("done_zh")
_REPORTING = _TABLE.split_phrases("reporting")
_REPORTING_ZH = _TABLE.split_cues("reporting_zh")
_LIST_STOPS = _TABLE.split_cues("list_stops")
LABEL_STOPS = frozenset(_TABLE.split_cues("label_stops"))


def fold_title(title: str) -> str:
    """A title by its words, without signs and numbers around them."""
    kept = "".join(char if char.isalpha() else " " for char in fold_signs(title).casefold())
    return " ".join(kept.split())


def name_label(label: str) -> str:
    """What a label says of what stands behind it; empty for nothing."""
    said = f"{fold_title(label)} "
    starts = (kind for kind, every in _STARTS.items() if said.startswith(every))
    return name_kind(label) or next(starts, "")


def name_kind(title: str) -> str:
    """What a title or a label says of what stands below it; empty for nothing."""
    # What stands in brackets or behind a dash says of what: `Lessons learned (deploys)`.
    head = title.partition("(")[0].partition("（")[0].partition(" - ")[0].partition(" — ")[0]
    for said in (fold_title(head), fold_title(title)):
        for kind, every in _TITLES.items():
            if said in every:
                return kind
    return ""


def names_lesson(title: str) -> bool:
    """Whether a title tells a lesson, and what stands below goes into it: `Critical lesson: …`."""
    about, colon, _ = fold_signs(title).replace("：", ":").partition(":")
    return bool(colon) and fold_title(about) in _TITLES[LESSON]


def is_foreign(titles: Iterable[str]) -> bool:
    """Whether what stands below some titles was read, and not lived: news, research, a report."""
    for title in titles:
        said = f" {fold_title(title)} "
        if any(one in said for one in _FOREIGN_WORDS) or any(one in said for one in _FOREIGN_ZH):
            return True
    return False


def pad_words(text: str) -> str:
    """The words of a text with a space before and behind each, as phrases are looked for."""
    low = text.lower().replace("’", "'")
    plain = "".join(char if char.isalnum() or char in "'-" else " " for char in low)
    return f" {' '.join(plain.split())} "


def is_binding(text: str) -> bool:
    """Whether a text says what to do, what not, or on which condition, as a lesson does."""
    said, text = pad_words(text), fold_signs(text)
    return any(one in said for one in BINDING) or any(one in text for one in BINDING_ZH)


def is_done(text: str) -> bool:
    """Whether a text begins with what was done."""
    low = fold_signs(text).casefold()
    first = low.split()[0].strip(":,.") if low else ""
    if first in DONE or low.startswith(tuple(f"{one} " for one in DONE)):
        return True
    return any(one in low for one in DONE_ZH)


def is_report(text: str) -> bool:
    """Whether a text reports how something stands, or was done."""
    said, folded = pad_words(text), fold_signs(text)
    reported = any(one in said for one in _REPORTING) or any(one in folded for one in _REPORTING_ZH)
    return reported or is_done(text)


def heads_no_steps(title: str) -> bool:
    """Whether what a title heads is a list of causes, findings, tasks, and no way of doing."""
    said = pad_words(title)
    return any(f" {one} " in said or (not one.isascii() and one in title) for one in _LIST_STOPS)


def has_standing(text: str) -> bool:
    """Whether a text says that it holds from now on."""
    said, text = pad_words(text), fold_signs(text)
    return any(one in said for one in STANDING) or any(one in text for one in STANDING_ZH)


def is_fading(text: str) -> bool:
    """Whether a text tells of its own day alone."""
    said, text = pad_words(text), fold_signs(text)
    return any(one in said for one in FADING) or any(one in text for one in FADING_ZH)
