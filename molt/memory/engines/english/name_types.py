"""Of which type a name in an English sentence is, by what stands around it."""

from __future__ import annotations

from molt.memory.engines.english import Sentence
from molt.memory.engines.english import words as en
from molt.memory.engines.gazetteer import PLACES, TOOLS
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOVES = (
    "moved from",
    "switched from",
    "changed from",
    "went from",
    "transferred from",
    "came from",
    "jumped from",
)
_OWNERS = frozenset(("his", "her", "me", "us"))
"""Of these words one at least goes with what a person needs, and not a project."""


class NameRun(Value):
    """A name in a sentence: its words, and where they stand."""

    label: str
    start: int
    end: int


def find_type(run: NameRun, one: Sentence, runs: Sequence[NameRun]) -> str:
    """The type of a name of a sentence that has some names; `concept` where nothing tells."""
    words = [word.lower() for word in one.words]
    label = run.label.lower()
    if label in TOOLS:
        return "tool"
    if label in PLACES:
        return "place"
    if words[run.start - 1 : run.start] == ["from"] and any(
        other.end == run.start - 1 for other in runs
    ):
        return "organization"
    if names_workplace(one.words, run.end):
        return "person"
    return (
        _type_by_form(run, words)
        or _type_by_noun(run, words)
        or _type_before(run, words)
        or _type_behind(run, words)
        or ("person" if _is_beside_person(run, words, runs) else "concept")
    )


def names_workplace(words: Sequence[str], at: int) -> bool:
    """Whether words say where somebody is from who does something: `from Acme owns …`, behind a
    name. Only people do so: `Mail from Acme arrived` tells of nobody.
    """
    near = words[at : at + 3]
    led = len(near) == 3 and near[0] in ("from", "at") and near[1][:1].isupper()
    return led and near[2].lower() in en.PERSON_VERBS


def _type_by_form(run: NameRun, words: list[str]) -> str:
    parts = run.label.lower().split()
    if parts[0].rstrip(".") in en.ABBREVIATED:
        return "person"
    if parts[-1].rstrip(".") in en.ORGANIZATION_ENDS and len(parts) > 1:
        return "organization"
    near = words[run.end : run.end + 1]
    if words[run.start - 1 : run.start] == ["project"] or (
        near and near[0] in ("project", "app", "repo")
    ):
        return "project"
    return ""


def _type_by_noun(run: NameRun, words: list[str]) -> str:
    """The type by what it is said to be: `X is a tool for …`."""
    rest = words[run.end : run.end + 10]
    if rest[:1] not in (["is"], ["was"]) or len(rest) < 3:
        return ""
    if rest[1] not in ("a", "an", "the", "our", "my", "one", "their", "your"):
        return ""
    kinds = (
        ("project", en.PROJECTS), ("organization", en.ORGANIZATIONS), ("place", en.PLACES),
        ("person", en.PERSONS | en.KIN), ("event", en.EVENT_THINGS), ("tool", en.TOOLS),
    )  # fmt: skip
    for word in rest[2:]:
        if word in ("for", "of", "from", "in", "that", "which", "who", "with", "at", "on"):
            break
        for kind, nouns in kinds:
            if word in nouns:
                return kind
    return ""


def _type_before(run: NameRun, words: list[str]) -> str:
    before = words[max(0, run.start - 5) : run.start]
    last = next(iter(before[-1:]), "")
    people = en.KIN | (en.PERSONS if words[:1] in (["our"], ["my"], ["the"]) else frozenset())
    if last in en.KIN or (
        last in ("is", "called", "named", "name") and people.intersection(before)
    ):
        return "person"
    if any(word.removesuffix("'s") in en.KIN for word in before) and last in ("is", "called"):
        return "person"
    if last in ("from", "to") and any(move in " ".join(words[: run.start]) for move in _MOVES):
        return "organization"
    if last in ("in", "near", "to", "from") and en.PLACED.intersection(before):
        return "place"
    if last == "in":
        return "place"
    if last in en.EMPLOYED and (
        en.BUSINESS.intersection(before) or last in ("joined", "left", "acquired")
    ):
        return "organization"
    if last == "at":
        return "organization"
    if last in ("of", "on", "using", "use", "uses"):
        return "project" if en.PERSONS.intersection(before) else "tool" if last != "of" else ""
    return "organization" if last in ("customer", "client", "company") else ""


def _type_behind(run: NameRun, words: list[str]) -> str:
    rest = words[run.end : run.end + 3]
    follows = next(iter(rest), "")
    possessive = words[run.end - 1].endswith("'s")
    if possessive and rest:
        return "person"
    if follows in ("acquired", "raised", "signed", "announced"):
        return "organization"
    if follows == "needs" and not _OWNERS.isdisjoint(words[run.end :]):
        return "person"
    text = f" {' '.join(rest)} "
    if text.startswith((*en.DEPENDING, *en.REPLACING, *en.WRITTEN_BY, *en.BELONGING, " uses ")):
        return "project"
    if text.startswith(" is based in "):
        return "organization"
    if follows in en.PERSON_VERBS or text.startswith(
        (" is married ", " is responsible ", " is in charge ")
    ):
        return "person"
    return ""


def _is_beside_person(run: NameRun, words: list[str], runs: Sequence[NameRun]) -> bool:
    last = next(iter(words[max(0, run.start - 1) : run.start]), "")
    follows = next(iter(words[run.end : run.end + 1]), "")
    plain = run.label.replace(" ", "").isalpha() and not run.label.isupper()
    if plain and (last in en.BESIDE or last in en.TASK_VERBS or follows == "and"):
        return True
    pair = words[run.end : run.end + 2]
    return plain and run.start == 0 and pair[:1] == ["is"] and len(runs) < 3
