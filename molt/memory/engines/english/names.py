"""What an English sentence names, of which types, and how it relates that."""

from __future__ import annotations

from molt.memory.engines.english import Sentence, has_cue, name_types
from molt.memory.engines.english import words as en
from molt.memory.engines.english.name_types import NameRun
from molt.memory.engines.gazetteer import PLACES, TOOLS
from molt.memory.engines.verdict import Edge, Facts, Named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS = frozenset(("team", "project", "app", "repo", "service"))
_DENYING = frozenset(
    (
        *("not", "never", "neither", "nor", "no", "none", "nobody", "without", "cannot", "hardly"),
        *("stop", "stops", "stopped", "refuse", "refuses", "refused", "quit", "quits"),
    )
)
"""Words by which a clause denies what it says."""
_ENDED = (["no", "longer"], ["no", "more"])
_CONTRASTED = (
    *(" over ", " instead of ", " rather than ", " than ", " unlike "),
    *(" switched from ", " moved from ", " migrated from "),
)
"""What stands before a name that something else is chosen over."""
_NAMING = (" is ", " are ", " is called ", " is named ")


def find_facts(one: Sentence) -> Facts:
    """The things that a sentence names, with their types, and the relations between them."""
    runs = _find_runs(one)
    named = {run.label: name_types.find_type(run, one, runs) for run in runs}
    edges = _find_edges(one, runs)
    for edge in edges:
        _settle_types(edge, named)
    about = _find_subject(one, runs)
    if about and not any(about.lower() in label.lower() for label in named):
        named = {label: kind for label, kind in named.items() if label not in about.split()}
        named = {about: "person" if about in en.KIN else "concept", **named}
    entities = tuple(Named(label, kind) for label, kind in named.items())
    return Facts(entities, tuple(edges), about)


def _settle_types(edge: Edge, named: dict[str, str]) -> None:
    if edge.word in ("uses", "depends-on") and named.get(edge.subject) == "concept":
        named[edge.subject] = "project"
    if edge.word == "uses" and named.get(edge.object) == "concept":
        named[edge.object] = "tool"
    if edge.word in ("depends-on", "develops") and named.get(edge.object) == "concept":
        named[edge.object] = "project"


def _find_runs(one: Sentence) -> list[NameRun]:
    runs: list[NameRun] = []
    at = 0
    while at < len(one.words):
        end = _end_of_name(one, at)
        if end > at:
            words = [word.removesuffix("'s") for word in one.words[at:end]]
            at, end, words = _trim(at, end, words)
            label = " ".join(words)
            if label and all(label != run.label for run in runs):
                runs.append(NameRun(label, at, end))
        at = max(end, at + 1)
    return runs


def _trim(at: int, end: int, words: list[str]) -> tuple[int, int, list[str]]:
    """A run without words at its ends that name nothing: `Project X`, `X API`."""
    while (
        words
        and (words[0].lower() in ("project", "codename") or words[0].lower() in en.NO_NAMES)
        and (len(words) > 1 and words[0].lower() not in en.ABBREVIATED)
    ):
        words, at = words[1:], at + 1
    while len(words) > 1 and words[-1].lower() in en.NO_NAMES:
        words, end = words[:-1], end - 1
    if len(words) == 1 and (words[0].lower() in en.NO_NAMES or words[0].lower() == "project"):
        return at, end, []
    return at, end, words


def _end_of_name(one: Sentence, at: int) -> int:
    """Where a name ends that begins at a word; `at` itself where none does."""
    words = one.words
    two = " ".join(words[at : at + 2]).lower()
    if two in TOOLS or (two in PLACES and words[at][0].isupper()):
        return at + 2
    if not _is_name_word(one, at):
        return at
    end = at + 1
    while end < len(words) and not _breaks(one, end - 1):
        word = words[end]
        if (
            _is_capital(word)
            and word.lower() not in en.PRONOUNS
            and word.lower() not in ("i", "i'm", "i'll")
        ):
            end += 1
        elif (
            word.lower() in en.LOWER_JOINTS and end + 1 < len(words) and _is_capital(words[end + 1])
        ):
            end += 2
        else:
            break
    return end


def _breaks(one: Sentence, at: int) -> bool:
    titled = one.words[at].lower() in en.ABBREVIATED
    return (one.breaks[at] and not titled) or one.words[at].endswith("'s")


def _is_capital(word: str) -> bool:
    return bool(word) and word[0].isupper() and any(map(str.isalpha, word))


def _is_name_word(one: Sentence, at: int) -> bool:
    word = one.words[at]
    bare = word.removesuffix("'s")
    low = bare.lower()
    if low in TOOLS:
        return not (low in en.TOOLS_THAT_ARE_WORDS and word[0].islower()) and not (
            at == 0 and low in en.TOOLS_THAT_ARE_WORDS and not _named_first(one)
        )
    if (
        any(map(str.isupper, bare[1:]))
        and not bare.isupper()
        and low not in en.NO_NAMES
        and "/" not in bare
    ):
        return True
    if not _is_capital(bare) or low in en.PRONOUNS:
        return False
    if low in en.ABBREVIATED:
        return at + 1 < len(one.words) and _is_capital(one.words[at + 1])
    if low in en.NO_NAMES:
        # `CAP theorem`, but no `API`; `German Shepherd` is none either.
        return False
    begins = at == 0 or (
        one.breaks[at - 1] and one.text.split()[at - 1].endswith((".", ":", "!", "?"))
    )
    return _named_first(one, at) if begins else True


def _named_first(one: Sentence, at: int = 0) -> bool:
    """Whether a word with which a sentence begins, and which so has a capital, is a name."""
    word = one.words[at]
    low = word.removesuffix("'s").lower()
    if low in en.OPENERS or low in en.DETERMINERS or low in en.PRONOUNS:
        return False
    if low in PLACES or word.endswith("'s") or any(map(str.isdigit, word)):
        return True
    after = at + 1 + (one.words[at + 1 : at + 2] != () and one.words[at + 1] in en.BETWEEN)
    rest = [one.lower() for one in one.words[after : after + 2]]
    if not rest or one.breaks[at]:
        return False
    verbs = en.TASK_VERBS | en.AGENT_VERBS
    if _is_capital(one.words[at + 1]) and rest[0] not in en.NO_NAMES and one.words[at + 1] != "I":
        return low not in verbs and low not in en.KIN
    if rest[0].endswith("s") and rest[-1] in ("its", "his", "her", "their"):
        return True
    helped = rest[0].endswith("ed") and rest[-1] in ("his", "her", "our", "my", "me", "us")
    if helped or rest[0] in en.PERSON_VERBS:
        return low not in verbs or rest[0] not in ("does",)
    if _is_told(one, at):
        return True
    if name_types.names_workplace(one.words, at + 1) and low not in en.NO_NAMES:
        return low not in verbs
    if rest[0] == "and" and len(one.words) > at + 2 and (_is_capital(one.words[at + 2])):
        return low not in verbs
    follows = f" {' '.join(rest)} "
    cues = (*en.USING, *en.DEPENDING, *en.REPLACING, *en.ROLE_VERBS, *en.WRITTEN_BY, *en.BELONGING)
    return (
        low not in verbs
        and any(f" {one.flat.partition(f' {low} ')[2]}".startswith(cue) for cue in cues)
    ) or (follows == " is down ")


def _is_told(one: Sentence, at: int) -> bool:
    """Whether behind a word stands what it is, or whose: `Ingrid is Leo's teacher`."""
    low, link = one.words[at].lower(), one.words[at + 1].lower()
    said = "".join(one.words[at + 2 : at + 3]) or link
    if link not in ("is", "was") or low.endswith(("ing", "ity", "ness", "ion")):
        return False
    return said.lower() in en.FOLLOWED or (said.endswith("'s") and _is_capital(said))


def _find_edges(one: Sentence, runs: Sequence[NameRun]) -> list[Edge]:
    """The relations between neighbours of a sentence, by the words that stand between them."""
    found: list[Edge] = []
    for number, first in enumerate(runs):
        for second in runs[number + 1 : number + 3]:
            between = f" {' '.join(one.words[first.end : second.start]).lower()} "
            if between.startswith(" and ") and any(edge.object == first.label for edge in found):
                # What somebody did something to, and then another who did.
                break
            if _is_denied(one, first, second):
                continue
            if word := _relate(between):
                ends = (second, first) if word.startswith("-") else (first, second)
                found.append(Edge(ends[0].label, word.lstrip("-"), ends[1].label))
                break
    return found


def _is_denied(one: Sentence, first: NameRun, second: NameRun) -> bool:
    """Whether the clause that has two names denies what it says of them."""
    start = max((at + 1 for at in range(first.start) if one.breaks[at]), default=0)
    clause = (*one.words[start : first.start], *one.words[first.end : second.start])
    low = [word.lower().replace("’", "'") for word in clause]
    if any(word in _DENYING or word.endswith("n't") for word in low):
        return True
    return [word.lower() for word in one.words[second.end : second.end + 2]] in _ENDED


def _relate(between: str) -> str:
    """The word of a relation for what is said between two names; `-` before one turned round."""
    table = (
        ("-develops", en.WRITTEN_BY), ("part-of", en.BELONGING), ("contains", en.CONTAINING),
        ("supersedes", en.REPLACING), ("develops", en.DEVELOPING), ("depends-on", en.DEPENDING),
        ("uses", en.USING), ("avoids", en.AVOIDING), ("prefers", en.ENJOYING),
        ("relates-to", en.ROLE_VERBS),
    )  # fmt: skip
    if between.strip() in ("and", "or", ",", "") or between.count(" ") > 9:
        return "relates-to" if between.strip() == "is" else ""
    if between.endswith(_CONTRASTED):
        return ""
    for word, cues in table:
        if any(cue in between for cue in cues):
            return word
    words = between.split()
    owned = len(words) > 3 and words[1] in ("its", "their", "all")
    held = owned and words[0].endswith("s") and words[-1] in ("in", "with", "on", "through", "via")
    if held or (owned and words[0] in en.KEEPING):
        return "uses"
    return "relates-to" if between.startswith((" is ", " was ")) else ""


def _find_subject(one: Sentence, runs: Sequence[NameRun]) -> str:
    """What a sentence is about that says what something is; empty for one that does not."""
    link = _find_link(one)
    if not 0 < link < 8:
        return ""
    words = list(one.words[:link])
    low = [word.lower() for word in words]
    if low[0] in ("i", "we", "you", "it", "he", "she", "they", "this", "that", "there", "user"):
        return ""
    copular = one.words[link].lower() in en.COPULAS
    owned = runs and copular and words[min(runs[0].end, link) - 1].endswith("'s")
    placed = runs[1:] and runs[1].end == link and low[runs[0].end : runs[1].start] == ["in"]
    if runs and runs[0].start <= 1 and (owned or placed or set(low[runs[0].end :]) <= _UNITS):
        return runs[0].label
    people = en.KIN | en.PERSONS
    if any(word.removesuffix("'s") in people for word in low) and low[0] in en.DETERMINERS:
        after = next((run for run in runs if run.start >= 1), None)
        return after.label if after else _find_kin(one, low)
    while low and (low[0] in en.DETERMINERS or low[0] in en.FILLERS):
        words, low = words[1:], low[1:]
    if not words or len(words) > 4 or not en.NO_SUBJECT.isdisjoint(low):
        return ""
    behind = [word.lower() for word in one.words[link : link + 3]]
    defined = (behind[:1] == ["is"] and behind[1:2] in (["a"], ["an"], ["the"])) or has_cue(
        one, en.MEANING
    )
    settled = not has_cue(one, en.HABITS) and not has_cue(one, en.EVENTS)
    technical = low[-1] in en.TECHNICAL and settled
    if not (defined or technical):
        return ""
    label = " ".join(words)
    plain = words[0][1:].islower() and one.words[0] == words[0]
    return label[0].lower() + label[1:] if plain else label


def _find_kin(one: Sentence, low: list[str]) -> str:
    """Whom a sentence is about by what that person is to the user: `my sister`."""
    if low[:1] != ["my"] or len(low) > 4 or has_cue(one, en.EVENTS):
        return ""
    return next(
        (word.removesuffix("'s") for word in low[1:3] if word.removesuffix("'s") in en.KIN), ""
    )


def _find_link(one: Sentence) -> int:
    """Where the verb of a sentence stands that says how its subject is."""
    for at, word in enumerate(one.words):
        low = word.lower()
        if low in en.COPULAS or low in (
            "says",
            "runs",
            "accepts",
            "allows",
            "supports",
            "stands",
            "refers",
        ):
            return at
        if at and (
            low in en.PERSON_VERBS
            or low in ("uses", "use", "depends", "replaces", "listens", "requires")
        ):
            return at
    return -1


def is_semantic(one: Sentence, facts: Facts) -> bool:
    """Whether a sentence says what something is or how things hang together, and not what was."""
    if facts.edges:
        return True
    if facts.about:
        return True
    named = [
        entity
        for entity in facts.entities
        if entity.type in ("person", "organization", "project", "tool")
    ]
    ours = one.flat.startswith((" we use ", " we are using ")) or (
        one.first in ("our", "my") and has_cue(one, _NAMING)
    )
    return bool(named) and (ours or has_cue(one, en.ROLE_VERBS) or has_cue(one, en.USING))
