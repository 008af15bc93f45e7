"""The people, places and works that English sentences name with a capital."""

from __future__ import annotations

from molt.memory.engines.english import words as en
from molt.memory.engines.gazetteer import PLACES, TOOLS
from molt.memory.reflect.rules import cues
from molt.memory.reflect.rules.names import things_en, titles_en
from molt.memory.reflect.rules.names.mentions import Mention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.reflect.rules.spoken import SpokenWords, Statement
    from molt.memory.reflect.rules.words import SpokenWord

_CUED, _FORMED, _SEEN, _BEGINS = 3, 2, 1, 0
"""How sure a word is a name: by a word beside it; by its form; by its capital; by a capital that
the beginning of a sentence asks for."""
_GREETED = 6
"""Words of a greeting before a name: `Good to see you too, Ann`."""
_MOST = 5
"""Words of the longest name."""
_FIRMS = frozenset(
    ("co", "company", "sons", "daughters", "partners", "associates", "brothers", "bros")
)
"""What a name goes on with behind `&`; other names are of two: `Ann & Bob`."""


def find_names(
    one: Statement, words: Sequence[SpokenWord], known: SpokenWords
) -> Iterator[Mention]:
    """The names in a sentence, each with its kind (empty where nothing tells) and how sure it is
    that it names something: 3 where words beside it say so, 1 where only its capital does, and 0
    where it begins a sentence, where every word has one.
    """
    titles = list(titles_en.find_titles(one))
    quoted = " ".join(title.label for title in titles)
    at = 0
    while at < len(words):
        end = _end_of_name(words, at)
        if end <= at:
            at += 1
            continue
        start, stop = _trim(words, at, end)
        plain = start < stop and not _is_row_label(words, at, end)
        found = _judge(one, words, (start, stop), known) if plain else None
        if found and found.label not in quoted:
            yield found
        at = end
    yield from titles


def _is_row_label(words: Sequence[SpokenWord], at: int, end: int) -> bool:
    """Whether the capitals say what the rest of a sentence is about: `Root Cause: …`."""
    led = at == 0 and end < len(words) and words[end].gap.startswith(":")
    return led and any(cues.is_row_label(word.low) for word in words[at:end])


def _end_of_name(words: Sequence[SpokenWord], at: int) -> int:
    """Where a name ends that begins at a word; `at` where none does."""
    if not _is_capital(words[at]):
        return at
    end = at + 1
    while end < len(words) and end - at < _MOST and not words[end - 1].owner:
        if _goes_on(words, end):
            end += 1
        elif joints := _count_joints(words, end):
            end += joints + 1
        else:
            break
    return end


def _goes_on(words: Sequence[SpokenWord], at: int) -> bool:
    """Whether the word at a place goes on with the name before it: behind a space, an initial
    (`J.K. Rowling`), or a colon that parts a title (`Animal Crossing: New Horizons`).
    """
    word, gap = words[at], words[at].gap
    if not _is_capital(word):
        return False
    plain = _names_nothing(word) and not any(map(_is_capital, words[at + 1 : at + 2]))
    title = gap == ": " and not _names_nothing(words[at - 1]) and not plain
    firm = gap == " & " and word.low in _FIRMS
    return gap == " " or firm or title or (gap in (".", ". ") and words[at - 1].initial)


def _count_joints(words: Sequence[SpokenWord], at: int) -> int:
    """How many small words stand at a place that join two parts of a name: `of the`; 0 for words
    that do not.
    """
    if words[at - 1].low in cues.CALENDAR:
        return 0
    for count in (1, 2):
        rest = words[at : at + count + 1]
        small = all(word.text in cues.SMALL_JOINTS for word in rest[:-1])
        joined = len(rest) == count + 1 and all(word.gap == " " for word in rest)
        if joined and small and _is_capital(rest[-1]):
            return count
    return 0


def _is_capital(word: SpokenWord) -> bool:
    return word.text[0].isupper() and word.low != "i" and not word.low.startswith(("i'", "i’"))


def _names_nothing(word: SpokenWord) -> bool:
    low = word.low.partition("'")[0]
    return (
        low in cues.NOT_NAMED
        or low in cues.CALENDAR
        or word.low in cues.NOT_NAMED
        or len(word.bare) < 2
        or word.low.endswith(("n't", "'re", "'ll", "'ve"))
    )


def _trim(words: Sequence[SpokenWord], start: int, stop: int) -> tuple[int, int]:
    """A run of capitals without words at its ends that name nothing."""
    if _is_named(words, start):
        return start, stop
    while start < stop and _names_nothing(words[start]) and not _is_initial(words, start, stop):
        after = words[start + 1].text if stop - start > 1 else ""
        if after in cues.SMALL_JOINTS or (
            words[start].low in ("the", "new", "lord", "dream", "lake")
            and after
            and not words[start].begins
            and not _names_nothing(words[start + 1])
        ):
            break
        start += 1
    while stop > start and _names_nothing(words[stop - 1]):
        if stop - start > 1 and words[stop - 1].low in cues.NAME_ENDS:
            break
        stop -= 1
    while start < stop and words[start].text in cues.SMALL_JOINTS:
        start += 1
    return start, stop


def _is_initial(words: Sequence[SpokenWord], start: int, stop: int) -> bool:
    return words[start].initial and start + 1 < stop and words[start + 1].gap.startswith(".")


def _join_label(run: Sequence[SpokenWord]) -> str:
    """The words of a name with what stands between them."""
    label = run[0].bare
    for word in run[1:]:
        gap = word.gap if word.gap.startswith((".", ":", " &")) else " "
        label += f"{gap}{word.bare}"
    return label


def _is_named(words: Sequence[SpokenWord], start: int) -> bool:
    """Whether somebody gives a name there, which any word can be: `we named him Buddy`."""
    led = [word.low for word in words[max(0, start - 2) : start]]
    gap = words[start].gap.strip()
    return gap in ("", ":") and (
        led[-1:] == ["named"] or led in (["named", "him"], ["named", "her"], ["named", "it"])
    )


def _judge(
    one: Statement, words: Sequence[SpokenWord], span: tuple[int, int], known: SpokenWords
) -> Mention | None:
    start, stop = span
    if words[start].begins and stop - start > 1 and _is_plain(words[start], known):
        start += 1
        span = (start, stop)
    run = words[start:stop]
    label = _join_label(run)
    if (
        _is_shouted(run)
        or _is_modifier(words, span)
        or _is_kind(words, span)
        or _is_adjective(words, span)
        or _owns_place(words, span)
    ):
        return None
    if _calls_someone(words, span):
        return Mention(label, "person", _BEGINS, one, called=True)
    kind = _find_kind(words, span)
    if kind == "person" and label.isupper():
        kind = ""
    begins = run[0].begins
    odd = any(map(str.isupper, run[0].bare[1:])) and not run[0].bare.isupper()
    if (not kind and len(run) == 1 and label.isupper()) or "_" in label:
        return None
    if len(run) == 1 and known.is_plain(run[0].low) and (begins or not kind):
        return None
    sure = _CUED if kind else _FORMED if odd else _SEEN
    if begins and len(run) == 1:
        sure = _BEGINS if not kind or kind == "person" else _SEEN
        sure = max(sure, _SEEN) if _joins_name(words, stop) else sure
        sure = _CUED if _joins_speaker(words, stop) else sure
    return Mention(label, kind, sure, one)


def _is_plain(word: SpokenWord, known: SpokenWords) -> bool:
    """Whether a word with which a sentence begins has its capital only from there."""
    return word.low.endswith("ing") or known.low.get(word.low, 0) > 1


def _is_shouted(run: Sequence[SpokenWord]) -> bool:
    """Whether a run is in capitals only to be loud, or is an abbreviation that names nothing."""
    loud = all(word.bare.removesuffix("s").isupper() for word in run) and run[0].low not in PLACES
    return loud and (len(run) > 1 or len(run[0].bare) < 3 or run[0].bare.endswith("s"))


_KINDS = cues.PLACE_ENDS | cues.ORGANIZATION_ENDS | cues.KIN


def _is_kind(words: Sequence[SpokenWord], span: tuple[int, int]) -> bool:
    """Whether words in capitals name a kind and no single thing: `a Border Collie`, `German …`, or
    only what places and firms end with.
    """
    start, stop = span
    if stop - start == 1 and words[start].low in _KINDS and not _is_named(words, start):
        return True
    before = words[start - 1].low if start else ""
    ends = words[stop - 1].low in cues.PLACE_ENDS | cues.ORGANIZATION_ENDS
    return not ends and (before in ("a", "an") or before in cues.NATIONALITIES)


def _is_modifier(words: Sequence[SpokenWord], span: tuple[int, int]) -> bool:
    """Whether a word in capitals only says of which kind something is: `LGBTQ support group`."""
    start, stop = span
    only = stop - start == 1 and words[start].low not in PLACES
    if not only or not words[start].bare.isupper() or words[start].owner:
        return False
    after = words[stop] if stop < len(words) else None
    return after is not None and after.gap in (" ", "+ ", "-") and after.text[0].islower()


def _is_adjective(words: Sequence[SpokenWord], span: tuple[int, int]) -> bool:
    """Whether a word in capitals only says where something is from: `a small Midwestern town`."""
    start, stop = span
    after = words[stop] if stop < len(words) else None
    ends = words[start].low.endswith(("ern", "ese", "ish", "ian", "ean"))
    led = after is not None and after.gap == " " and after.text[0].islower()
    return stop - start == 1 and ends and led and not words[start].owner


def _calls_someone(words: Sequence[SpokenWord], span: tuple[int, int]) -> bool:
    """Whether a name only says to whom one speaks: `Hey Mel!`, `Thanks, Mel.`, `…, Mel?`."""
    start, stop = span
    before = words[start - 1] if start else None
    ends = stop == len(words) or words[stop].gap.lstrip()[:1] in (",", "!", ".", "?", "-", "–", "—")
    if not ends or words[stop - 1].owner or _is_told_of(words, span):
        return False
    if before is None:
        return True
    if words[start].gap.strip() == ",":
        if stop < len(words) and _tells_of_person(words[stop].low):
            return False
        none = cues.KIN | cues.PETS | cues.PLACE_WORDS
        return before.low not in none
    return start < _GREETED and all(word.low in cues.GREETINGS for word in words[:start])


def _is_told_of(words: Sequence[SpokenWord], span: tuple[int, int]) -> bool:
    """Whether a name is told of and not called: `Emma Watson, she's …`, `Definitely Star Wars!`"""
    start, stop = span
    many = stop - start > 1
    after = words[stop] if stop < len(words) else None
    spoken_of = after is not None and after.gap == ", " and after.low in ("he", "she", "who")
    first = words[start].low in cues.FIRST_NAMES | cues.KIN
    return many and (spoken_of or (start > 0 and not first))


def _joins_speaker(words: Sequence[SpokenWord], stop: int) -> bool:
    """Whether who speaks is named together with a name: `Anthony and I went …`."""
    behind = words[stop : stop + 2]
    return [one.text for one in behind] == ["and", "I"] and all(one.gap == " " for one in behind)


def _joins_name(words: Sequence[SpokenWord], stop: int) -> bool:
    """Whether another name stands beside one: `Luna and Oliver`."""
    joint, *behind = words[stop : stop + 2] or (None,)
    if joint is None or joint.low != "and" or not behind:
        return False
    return all(one.gap == " " and _is_capital(one) and not _names_nothing(one) for one in behind)


def _owns_place(words: Sequence[SpokenWord], span: tuple[int, int]) -> bool:
    """Whether a name is only part of that of a place: `McGee's bar`."""
    start, stop = span
    after = words[stop] if stop < len(words) else None
    if after is None or not words[stop - 1].owner or words[start].low in cues.FIRST_NAMES:
        return False
    return after.gap == " " and things_en.find_head(after.low) == "place"


def _find_kind(words: Sequence[SpokenWord], span: tuple[int, int]) -> str:
    """The type of a name by what stands beside it; empty where nothing tells."""
    start, stop = span
    label = " ".join(word.low for word in words[start:stop])
    if label in TOOLS and label not in en.TOOLS_THAT_ARE_WORDS and label != "chef":
        return "tool"
    if label in PLACES:
        return "place"
    if words[start].initial and len(words[start].text) > 1 and stop - start > 1:
        return "person"
    last = words[stop - 1].low
    named = stop - start == 2 and words[start].low in cues.FIRST_NAMES
    if stop - start > 1 and last in cues.PLACE_ENDS and not named:
        return "place"
    firm = last in cues.ORGANIZATION_ENDS or words[stop - 1].gap == " & "
    if stop - start > 1 and firm:
        return "organization"
    told = _kind_before(words, start) or _kind_behind(words, span)
    first = words[start].low in cues.FIRST_NAMES and not words[start].begins and stop - start < 3
    return told or ("person" if first else "")


def _kind_before(words: Sequence[SpokenWord], start: int) -> str:
    before = words[max(0, start - 7) : start]
    if not before:
        return ""
    last, near = before[-1], [word.low for word in before]
    comma = words[start].gap.strip()
    if last.low in ("him", "her") and _is_named(words, start):
        return "person"
    people = cues.KIN | cues.PETS
    if (last.low in people or last.low.removesuffix("s") in people) and comma in (
        "",
        ",",
        "-",
        "–",
        "—",
    ):
        return "person"
    named = last.low in cues.NAMING or (last.low in ("is", "was") and near[-2:-1] == ["name"])
    if named and comma in ("", ":"):
        whom = people | {"name", "someone", "somebody", "met", "meet", "meeting", "adopted"}
        things = any(things_en.find_head(word) for word in near)
        plain = last.low == "named" and not things
        return "person" if plain or not whom.isdisjoint(near) else "concept"
    if last.low == "name" and last.owner:
        return "person"
    if last.low in cues.PLACE_WORDS and comma in (",", "-", "–", "—"):
        return "place"
    return "" if comma else _kind_of_place(last, near)


_PICTURED = frozenset(("photo", "picture", "pic", "selfie", "photos", "pictures"))


def _kind_of_place(last: SpokenWord, near: Sequence[str]) -> str:
    """What a name is behind a word such as `in`, `at` or `by`."""
    if last.low == "by" and '"' in last.gap:
        return "person"
    if last.low in cues.PLACE_BEFORE:
        moves = not cues.MOVING.isdisjoint(near)
        if last.low in ("in", "near", "visit", "visited", "visiting") or moves:
            return "place"
    if last.low in ("mount", "lake", "mt") and last.text[0].islower():
        return "place"
    if last.low == "of" and near[-2:-1] and near[-2] in cues.PLACE_WORDS:
        return "place"
    if last.low == "with" and not _PICTURED.isdisjoint(near):
        return "person"
    if last.low in cues.WORK_BEFORE and not cues.WORK.isdisjoint(near):
        return "organization"
    return ""


def _kind_behind(words: Sequence[SpokenWord], span: tuple[int, int]) -> str:
    start, stop = span
    behind = words[stop : stop + 5]
    if not behind:
        return ""
    comma = behind[0].gap.strip()
    low = [word.low for word in behind]
    if comma == "," and low[0] in ("my", "our", "a", "the", "his", "her"):
        return "person" if not (cues.KIN | cues.PETS).isdisjoint(low[1:4]) else ""
    if words[start - 1 : start] and words[start - 1].low == "by" and stop - start > 1:
        return "person"
    if (comma == "," and low[0] in ("he", "she", "who")) or _joins_speaker(words, stop):
        return "person"
    if comma == "," and words[start].gap.strip() == "," and _tells_of_person(low[0]):
        return "person"
    if stop - start == 2 and words[stop - 1].owner:
        return "person"
    verbs = ("said", "told", "loves", "likes", "thinks", "wants", "works", "lives", "invited")
    return "person" if not comma and not words[stop - 1].owner and low[0] in verbs else ""


def _tells_of_person(word: str) -> bool:
    verbs = ("wrote", "said", "told", "gave", "made", "came", "has", "had", "got", "was")
    return word in en.PERSON_VERBS or word in verbs or word.endswith("ed")
