"""What makes an order to an agent: parts that stand together in what a sentence bids or forbids.

A row needs all of its parts: behind `+` a verb that is bid, behind `-` one that is forbidden, else
something that is named. Which words play a part, and where a verb bids, `roles`, `moods` and
`chinese` say; so a few rows know what thousands of wordings mean.
"""

from __future__ import annotations

from molt.policy.orders import chinese, moods, roles
from molt.policy.orders.verdicts import CALLS, DEFIES, HUSH, LEAKS, ROLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    Row = tuple[str, tuple[tuple[str, int], ...]]
    Told = tuple[int, int, tuple[tuple[str, int], ...]]

_DEED = "+send run kill turn off pay grant"
_ANY = (
    "+send put show take run kill turn off drop hush tell lie obey pay grant treat visit stay deem"
)
_GUARDED = "secret store person guard money admin out"
_ROWS = {
    LEAKS: (
        "+send show & secret store person prompt & out",
        "+send show & secret & reply",
        "+send show & secret & me & you text",
        "+show send tell & prompt verbatim & verbatim & you",
        "+show send tell & verbatim & me",
        "+take & +send & secret person",
        "+send show grant & secret & whoever",
        "+join & out & post & each",
        "goes & out & post & each",
        "+send & out & post & each",
        "+stay show send & reply & person & owner",
        "onward & reply post & routed & out",
        "+stay show send join & reply & each & out",
        "+take & secret & whoever & agent you",
        "+send show & own & reply",
        "+put turn send show & secret & public",
        "+send & person store & quiet",
        "+visit take & person secret store & out & owner you",
        "+put & secret store person prompt & out & you owner",
        "+stay show send tell & prompt & wordings",
        "+turn put show & store & entitle",
        "entitle & whoever & store secret & agent you",
        "+take & whoever & owner & store person",
    ),
    HUSH: (
        f"{_DEED} visit stay treat lie & quiet",
        "+hush & quiet & text you owner",
        "-tell & owner & text reply reading",
        "-tell & text",
        "-tell & owner & files",
        "barely & owner & text",
        "-tell & verbatim & you",
        f"-tell & owner reply text you & {_DEED} & {_GUARDED}",
        "owner & quiet & over out secret money",
        "+off hush & guard & steer",
        "+kill & reading & text",
        "+kill & quiet & text",
        "+turn & quiet & store rule person admin",
    ),
    CALLS: (
        # Nobody is asked.
        "+run kill pay grant send & unasked",
        "+off & guard & quiet unasked void once",
        "+off & guard & owner & me you",
        "+off & guard & +send take kill run pay & out store secret money",
        "yes & guard unasked rule money",
        "unasked & owner & money & go",
        # What is fetched is run.
        "+run visit take & out & shell",
        "+run & out & agent whoever & duty",
        # Leave is said to have been given.
        "+kill pay & guard & lifted & store money secret",
        "given & unasked & store secret money out agent you rule",
        "agreed & go & money store secret",
        "+run visit take & out & pipe & you unasked reading",
        # It speaks to who reads it.
        f"{_ANY} & reading & agent whoever",
        f"{_ANY} & called & agent",
        "+send show take run kill pay grant & reading & you text & secret store out",
        # The owner is told what is not so.
        "+lie & none owner text",
        "+tell show & none & owner text kill",
        "+kill & none",
        "+tell & owner & secret & out",
        "owner & queried & excuse",
        "+show join & reply & steer",
        "+deem show tell stay & steer & quiet agent",
        "+deem send put show tell & sole & owner",
        "+deem & every & reply & you",
        # What steers it is changed.
        "+turn put off grant join & trusting",
        "+turn & later",
        "+off & guard & admin & me you",
        "-tell & guard owner & harm",
        "unasked & owner & money & each onward",
        "+off hush & text & shell",
        "+turn & files rule & loyal",
        "+turn & iban & store secret",
        "+turn & person rule prompt & you & out",
        "+grant turn & admin & quiet unasked",
        "+visit turn & admin & out",
    ),
    DEFIES: (
        "+drop & rule prompt & text once void you",
        "+off & rule prompt & text once void",
        "+drop kill hush & guard & text & agent",
        "+defy & files",
        "+defy & owner & rule",
        "+drop obey & files & once void over",
        "rule & you & swap",
        "files & once & you shell",
        "+drop & unasked & owner",
        "+drop treat & void & text rule",
        "rule prompt & once void & text over",
        "rule guard & once & money agent",
        "rule & files & lifted",
        "rule & lifted & prior & each",
        "+off drop & guard & awhile & you agent",
        "+off drop & code & you agent",
    ),
    ROLE: (
        "you & free",
        "+stay turn off treat drop & free",
        "+stay turn & mode & verbatim text",
        "freed & rule guard",
        "+obey & whoever & agent you",
        "over & you text me owner",
        "+obey grant & over",
        "+treat & owner & whoever",
        "+treat & owner & voice",
        "owner & cede & text",
        "you & mode & rule & void",
        "onward & agent you & answers & alone",
        "+obey & owner & entitle",
        "+treat & admin & text",
    ),
}


def _read_row(row: str) -> tuple[tuple[str, int], ...]:
    parts = row.split(" & ")
    return tuple(
        (one[0] if one[0] in "+-" else "", roles.join_parts(one.strip("+-"))) for one in parts
    )


_TABLE: tuple[Row, ...] = tuple(
    (said, _read_row(row)) for said, rows in _ROWS.items() for row in rows
)
_NEEDS = tuple({tuple(bits for _, bits in parts) for _, parts in _TABLE})
_PLACES = roles.join_parts("out secret store")
# What is remembered of pieces of texts is a few megabytes, as in `word_sets`.
_MOST, _LONGEST = 1 << 15, 32
_bare: set[str] = set()
_telling: dict[str, Told] = {}
_likely: dict[int, bool] = {}


def explain_bid(lower: str) -> str:
    """What a line in lower case has an agent do, in words; empty for nothing."""
    if _may_bid(lower.split()):
        for words in moods.split_sentences(lower):
            said = _explain_sentence(_read_words(words)) if _may_bid(words) else ""
            if said:
                return said
    if not lower.isascii() and _may_bid_chinese(lower):
        for sentence in chinese.split_sentences(lower):
            said = _explain_sentence(chinese.read_sentence(sentence))
            if said:
                return said
    return ""


def _explain_sentence(read: tuple[int, int, int]) -> str:
    """What a sentence has an agent do, by what it bids, forbids and names."""
    bids, bans, held = read
    for said, parts in _TABLE:
        for sign, bits in parts:
            if not bits & (bids if sign == "+" else bans if sign == "-" else held):
                break
        else:
            return said
    return ""


def _read_words(words: list[str]) -> tuple[int, int, int]:
    reader = moods.SentenceReader()
    reader.read(words)
    bids, bans = moods.find_duties(words)
    return reader.bids | bids, reader.bans | bans, reader.held | moods.find_phrases(words)


def _may_bid(words: list[str]) -> bool:
    """Whether some words have the parts of some row, wherever they stand."""
    held = most = 0
    phrases: tuple[tuple[str, int], ...] = ()
    for word in set(words) - _bare:
        bits, every, begun = _telling.get(word) or _learn(word)
        held |= bits
        most |= every
        phrases += begun
    if not _may_have(most):
        return False
    if phrases:
        text = moods.join_words(words)
        for phrase, bits in phrases:
            if phrase in text:
                held |= bits
    return _may_have(held)


def _may_bid_chinese(lower: str) -> bool:
    held = _PLACES if "." in lower or "/" in lower else 0
    for _, bits in chinese.find_words(lower):
        held |= bits
    return _may_have(held)


def _may_have(held: int) -> bool:
    """Whether some parts fill all of some row; answers are remembered."""
    known = _likely.get(held)
    if known is None:
        if len(_likely) > _MOST:
            _likely.clear()
        known = any(all(map(held.__and__, parts)) for parts in _NEEDS)
        _likely[held] = known
    return known


def _learn(raw: str) -> Told:
    """The parts of a word with its marks; the same together with those of phrases that it may
    begin; and these phrases. It is remembered.
    """
    word = moods.strip_marks(raw)
    bits, phrases = moods.find_parts(word), tuple(roles.PHRASES.get(word, ()))
    bits |= roles.DONE.get(word, 0) | roles.DOING.get(word, 0)
    most = bits
    for _, more in phrases:
        most |= more
    for known in (_bare, _telling):
        if len(known) > _MOST:
            known.clear()
    if len(raw) <= _LONGEST and most:
        _telling[raw] = bits, most, phrases
    elif len(raw) <= _LONGEST:
        _bare.add(raw)
    return bits, most, phrases
