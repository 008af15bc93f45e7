"""The projects that titles of notes name, with what stands below them that holds: what each is made
with, where it is, what it is for.
"""

from __future__ import annotations

import re

from molt.formats.reflections.plan import LABEL, Operation
from molt.memory.reflect.rules.notes import note_cues, prose
from molt.memory.reflect.rules.ranked import RankedOperation
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from molt.formats.prose.notes import NotePiece
    from molt.memory.reflect.rules.names.named import EntityNames

_A_NIGHT, _FACTS = 5, 5
"""Projects that one night proposes, and facts of each."""
_LONGEST = 200
"""Characters of a line that says one thing of a project."""
_LATIN = r"[A-Za-z][\w.+-]*(?: [A-Z0-9][\w.+-]*){0,3}"
_NAMED = re.compile(
    rf"(?:[Pp]roject|项目|項目|專案|工程) ?[:：—–-] ?[\"“「《]?(?P<name>{_LATIN}|[^\W\d_]{{2,16}})"
)
_BEFORE = re.compile(rf"^(?P<name>{_LATIN}) (?:[Pp]roject|项目|項目|專案)\b")
_BRACKETS = re.compile(rf"(?:项目|項目|專案|[Pp]roject) ?[(（](?P<name>{_LATIN})[)）]")
_PLAIN = frozenset(("new", "the", "this", "my", "our", "current", "main", "key", "side", "active"))


class ToldProject(Value):
    """A line below a title that names a project: its name, and the label and words of the line."""

    name: str
    label: str
    fact: str
    piece: NotePiece


def propose_projects(pieces: Iterable[NotePiece], known: EntityNames) -> Iterator[RankedOperation]:
    """Entities for projects of which notes say at least two things that hold, or that are known."""
    found: dict[str, list[ToldProject]] = {}
    for one in list_projects(pieces):
        found.setdefault(one.name.casefold(), []).append(one)
    rows = [
        _propose(every, known)
        for every in found.values()
        if known.find_stem(every[0].name) or len({one.label for one in every}) > 1
    ]
    rows.sort(key=lambda row: -row.weight)
    yield from rows[:_A_NIGHT]


def list_projects(pieces: Iterable[NotePiece]) -> Iterator[ToldProject]:
    """What the lines below such titles say; nothing of tasks, and of what others say."""
    for one in pieces:
        if one.box or note_cues.is_foreign((*one.titles, one.lead)):
            continue
        name = next(filter(None, map(find_name, (one.lead, *reversed(one.titles)))), "")
        label, said = prose.split_label(one.text)
        wanted = note_cues.fold_title(label) in note_cues.PROJECT_LABELS
        fact = prose.clean_text(one.text)
        whole = bool(said) and len(fact) <= _LONGEST and not said.endswith((":", "："))
        if name and wanted and whole:
            yield ToldProject(name, note_cues.fold_title(label), fact, one)


def find_name(title: str) -> str:
    """The name of the project that a title names; empty for none."""
    plain = prose.clean_text(title)
    match = _BRACKETS.search(plain) or _NAMED.search(plain) or _BEFORE.match(plain)
    name = match["name"].strip(" -—–") if match else ""
    low = name.casefold()
    fit = 2 < len(name) <= LABEL and low not in note_cues.LABEL_STOPS and low not in _PLAIN
    return name if fit and not note_cues.name_kind(name) else ""


def _propose(every: Sequence[ToldProject], known: EntityNames) -> RankedOperation:
    """The newest line of each label, as facts."""
    told = list({one.label: one for one in every}.values())[-_FACTS:]
    name = every[0].name
    facts = [f"{one.fact} (source: {one.piece.id})" for one in told]
    bearing = tuple(dict.fromkeys(one.piece.id for one in told))
    args = {"entity": known.find_stem(name) or f"project:{name}", "facts": facts}
    reason = "notes say where it is and what it is made with"
    weight = 2.5 + 0.2 * len(told)
    return RankedOperation(weight, Operation("upsert-entity", args, bearing, reason))
